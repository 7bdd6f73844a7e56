"""Measured reliability: how often answers of a kind were right, and the confidence that follows.

`left`, in a class of answers: a class of what was left unaccounted, such as "nothing", "a word", "several
words". Counts are kept as data (`measured/*.json`), made by `benchmarks.fitting`, with what they were
measured on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files

from evidence_assets.reading.accounting import MEASURED

# Strength of the prior, the share of the wider class, in answers.
PRIOR_ANSWERS = 8.0


@dataclass(frozen=True)
class Reliability:
    """How many answers there were of each (left, kind, verdict), and how many were right."""

    counts: Mapping[tuple[str, str, str], tuple[int, int]]
    _shares: dict[tuple[str, str, str], float] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def confidence(self, kind: str, verdict: str, left: str) -> float:
        """Return the share right of such answers, drawn to that of wider classes where they were few.

        Wider and wider: of the kind and verdict; of all that left as much; of all. 0.5 where nothing was
        measured.
        """
        key = (kind, verdict, left)
        if key not in self._shares:
            self._shares[key] = self._share(kind, verdict, left)
        return self._shares[key]

    def _share(self, kind: str, verdict: str, left: str) -> float:
        share = 0.5
        for key in ((), (left,), (left, kind), (left, kind, verdict)):
            n, right = self._sums.get(key, (0, 0))
            share = (right + PRIOR_ANSWERS * share) / (n + PRIOR_ANSWERS)
        return round(share, 4)

    @cached_property
    def _sums(self) -> dict[tuple[str, ...], tuple[int, int]]:
        """Counts of all, of what was left, of that and the kind, and of all three."""
        sums: dict[tuple[str, ...], tuple[int, int]] = {}
        for (left, kind, verdict), (n, right) in self.counts.items():
            for key in ((), (left,), (left, kind), (left, kind, verdict)):
                before = sums.get(key, (0, 0))
                sums[key] = before[0] + n, before[1] + right
        return sums


@cache
def reliability(name: str) -> Reliability:
    """Return a reliability that was measured: `measured/reliability_NAME.json`."""
    text = files(MEASURED).joinpath(f"reliability_{name}.json").read_text(encoding="utf-8")
    return Reliability(
        {(left, kind, verdict): (n, right) for left, kind, verdict, n, right in json.loads(text)["counts"]}
    )
