"""Claims that affirm and deny, over tables from Wikipedia, by authors who saw no program.

    python -m benchmarks wikipedia_claims

They stand in `benchmarks/authored/wikipedia_claims`, their tables in WikiTableQuestions and, of three authors
of those of development, in TabFact; it needs both.
Those held out are judged by the kept weights, in which they had no part; those of `development` by weights
that were fitted on the other folds of tables. An undecided claim counts as what its programs lean to, without
any as false. Intervals are of 95 %, by a bootstrap that draws tables. Cheap baselines are the commonest
label, a classifier of a claim's words of form, and whether one row holds all of its words that stand in any.
"""

from __future__ import annotations

from typing import Any

from benchmarks.authored.wikipedia_claims import DEVELOPMENT, HELD_OUT
from benchmarks.tables.table_sets import of_wikipedia
from benchmarks.tables.table_verification import judge, tabfact_figures

MEASURES = ("statements", "tables", "accuracy", "decided", "sure", "baselines")


def run() -> dict[str, Any]:
    """Return the figures of each part: of all of its claims, of those that affirm and of those that deny."""
    return {part: figures(part) for part in (HELD_OUT, DEVELOPMENT)}


def figures(part: str) -> dict[str, Any]:
    """Return how the claims of a part are judged."""
    claims, denials = zip(*of_wikipedia(part), strict=True)
    judged, _ = judge([*claims], of_other_folds=part == DEVELOPMENT)
    of_kinds = {
        "all": judged,
        "affirming": [claim for claim, denies in zip(judged, denials, strict=True) if not denies],
        "denying": [claim for claim, denies in zip(judged, denials, strict=True) if denies],
    }
    return {
        kind: {name: figure for name, figure in tabfact_figures(of_kind).items() if name in MEASURES}
        for kind, of_kind in of_kinds.items()
    }
