"""How many random cases a property is tried on: few in `make test`, many in `make check`.

Both draw the same cases in every run, so that what they say of a version is no matter of chance. Other cases
are looked for by `EVIDENCE_HYPOTHESIS=exploring make check`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("EVIDENCE_HYPOTHESIS", "fast")
THOROUGH = PROFILE in ("thorough", "exploring")
FAST_EXAMPLES = 15

Test = Callable[..., Any]


def load_profile() -> None:
    """Make `fast`, `thorough` or `exploring` the parent of all settings.

    None holds an example to a deadline or to a speed of generation: machines are shared.
    """
    unhurried: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
    settings.register_profile("fast", max_examples=FAST_EXAMPLES, derandomize=True, **unhurried)
    settings.register_profile("thorough", derandomize=True, **unhurried)
    settings.register_profile("exploring", **unhurried)
    settings.load_profile(PROFILE)


def examples(thorough: int, fast: int = FAST_EXAMPLES, **more: Any) -> Callable[[Test], Test]:
    """Return a decorator that sets a property's number of examples; `more` as in `hypothesis.settings`."""
    if suppressed := more.pop("suppress_health_check", None):
        more["suppress_health_check"] = [HealthCheck.too_slow, *suppressed]
    return settings(max_examples=thorough if THOROUGH else min(fast, thorough), **more)
