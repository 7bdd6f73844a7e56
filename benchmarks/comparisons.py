"""Our figures beside the strongest cheap baseline of each benchmark: which one that is, and how far off.

A comparison of an area's description:

    area, what, n, tuned, command:  templates
    ours:         one title and the expression of its estimate
    baselines:    titles and the expressions of their estimates: the highest is the strongest
    differences:  by a baseline's title, the expression of ours minus it, paired question by question
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmarks.figures import best, bounded, figure, unpaired

Row = Mapping[str, Any]
_TEMPLATES = ("area", "what", "n", "tuned", "command")


def compared(row: Row, expression: Callable[[str], Any], template: Callable[[str], str]) -> dict[str, Any]:
    """Return a comparison's cells, with its difference as value, low, high and whether it is paired."""
    [(title, ours)] = row["ours"].items()
    estimate = expression(ours)
    baselines = {name: expression(source) for name, source in row["baselines"].items()}
    strongest = best(baselines)
    paired = strongest in row.get("differences", {})
    difference = (
        bounded(expression(row["differences"][strongest]))
        if paired
        else unpaired(estimate, baselines[strongest])
    )
    return {
        **{name: template(row[name]).strip() for name in _TEMPLATES},
        "ours": f"{title} {figure(estimate)}",
        "baseline": f"{strongest} {figure(baselines[strongest])}",
        **dict(zip(("value", "low", "high"), difference, strict=True)),
        "paired": paired,
    }


def below(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is below the strongest baseline, the farthest first."""
    return sorted((row for row in comparisons if row["value"] < 0), key=lambda row: row["value"])


def undecided(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is not below, but its difference has no interval above zero."""
    return [row for row in comparisons if row["value"] >= 0 and (row["low"] is None or row["low"] <= 0)]
