"""Our figures beside the strongest cheap baseline of each benchmark: which one that is, and how far off.

A comparison of an area's description:

    area, what, n, tuned, command:  templates
    ours:         one title and the expression of its estimate
    baselines:    titles and the expressions of their estimates: the highest is the strongest
    differences:  by a baseline's title, the expression of ours minus it, paired question by question

Either of the last two may be one expression of a mapping: `cheap` and `paired` read them from results. What
is None was not measured and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from benchmarks.figures import best, bounded, figure, unpaired

Row = Mapping[str, Any]
Rows = Iterable[Row]
_TEMPLATES = ("area", "what", "n", "tuned", "command")
# Baselines that answer every question alike: no arms, but names in `score_differences`, metrics in scores.
_CONSTANTS = ("chance", "majority")


def cheap(
    scores: Rows, benchmark: str, arms: Row, metric: str = "accuracy", others: Row | None = None
) -> dict[str, Any]:
    """Return what the cheap baselines reach on a benchmark, by title; what was not measured is left out.

    Args:
        scores: rows of `benchmark_scores`.
        arms: the baselines' arms by title; chance and the majority stand beside them in accuracy.
        others: figures from elsewhere, by title, for what the scores lack.
    """
    rows = {(row["arm"], row["metric"]): row for row in scores if row["benchmark"] == benchmark}
    measured = {title: rows.get((arm, metric)) for title, arm in arms.items()}
    for name in _CONSTANTS if metric == "accuracy" else ():
        measured[name] = next((row for (_, named), row in rows.items() if named == f"{name}_accuracy"), None)
    measured = {title: row for title, row in measured.items() if row is not None}
    return {**(others or {}), **measured}


def paired(
    differences: Rows, benchmark: str, arm: str, arms: Row, metric: str = "accuracy"
) -> dict[str, Row]:
    """Return an arm's paired differences to the cheap baselines, by title; see `cheap`."""
    titles = {**{name: name for name in _CONSTANTS}, **{arm: title for title, arm in arms.items()}}
    return {
        titles[row["baseline_arm"]]: row
        for row in differences
        if (row["benchmark"], row["arm"], row["metric"]) == (benchmark, arm, metric)
        and row["baseline_arm"] in titles
    }


def compared(row: Row, expression: Callable[[str], Any], template: Callable[[str], str]) -> dict[str, Any]:
    """Return a comparison's cells, with its difference as value, low, high and whether it is paired."""
    [(title, ours)] = row["ours"].items()
    estimate = expression(ours)
    baselines = _evaluated(row["baselines"], expression)
    strongest = best(baselines)
    measured = _evaluated(row.get("differences", {}), expression).get(strongest)
    difference = unpaired(estimate, baselines[strongest]) if measured is None else bounded(measured)
    return {
        **{name: template(row[name]).strip() for name in _TEMPLATES},
        "ours": f"{title} {figure(estimate)}",
        "baseline": f"{strongest} {figure(baselines[strongest])}",
        **dict(zip(("value", "low", "high"), difference, strict=True)),
        "paired": measured is not None,
    }


def _evaluated(described: str | Row, expression: Callable[[str], Any]) -> Mapping[str, Any]:
    if isinstance(described, str):
        evaluated: Mapping[str, Any] = expression(described)
        return evaluated
    return {name: expression(source) for name, source in described.items()}


def below(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is below the strongest baseline, the farthest first."""
    return sorted((row for row in comparisons if row["value"] < 0), key=lambda row: row["value"])


def undecided(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is not below, but its difference has no interval above zero."""
    return [row for row in comparisons if row["value"] >= 0 and (row["low"] is None or row["low"] <= 0)]
