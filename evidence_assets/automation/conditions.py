"""When an asset is made again. Each clause names the incident it prevents."""

from __future__ import annotations

from typing import Any

import dagster as dg


def when_inputs_change() -> Any:
    """Return the condition of every derived asset.

    - `any_deps_updated` on changed data versions: a re-run upstream that changed no byte starts nothing.
      Dagster's own `eager()` would.
    - `code_version_changed`: a new code version makes every partition anew.
    - `newly_missing`: a partition that the configuration gained is filled, without anyone asking.
    - not while a dependency is missing or running: half an input is no input.
    - not while running itself: a slow run is not started twice.
    - `all_deps_blocking_checks_passed`: a blocking check stops its own run only; across runs this clause
      keeps bad rows from spreading.
    """
    changed = dg.AutomationCondition.any_deps_updated().replace(
        "newly_updated", dg.AutomationCondition.data_version_changed()
    )
    triggered: Any = (
        changed | dg.AutomationCondition.code_version_changed() | dg.AutomationCondition.newly_missing()
    )
    return (
        triggered.since_last_handled()
        & ~dg.AutomationCondition.any_deps_missing()
        & ~dg.AutomationCondition.any_deps_in_progress()
        & ~dg.AutomationCondition.in_progress()
        & dg.AutomationCondition.all_deps_blocking_checks_passed()
    ).with_label("when inputs change")
