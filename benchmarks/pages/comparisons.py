"""Our figures beside the strongest cheap baseline of each benchmark: which one that is, and how far off.

A comparison of an area's description:

    area, what, n, tuned, command:  templates
    ours:         one title and the expression of its estimate
    questions:    the set asked, as results call it; null where what is measured is no set's every question
    metric:       what is measured of a set, as results call it
    baselines:    more baselines, by title, and the expressions of their estimates
    differences:  by a baseline's title, the expression of ours minus it, paired question by question

The strongest baseline is the highest of all: of `baselines`, and of every cheap one that any result has of
the set in that metric, which no comparison can leave out (`Measured`). Either of the last two may be one
expression of a mapping: `paired` reads it from results. What is None was not measured and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from benchmarks.pages.figures import best, bounded, figure, share, unpaired

Row = Mapping[str, Any]
Rows = Iterable[Row]
Titles = Mapping[str, Mapping[str, str]]
_TEMPLATES = ("area", "what", "n", "tuned", "command")
# Baselines that answer every question alike: no arms, but names in `score_differences`, metrics in scores.
_CONSTANTS = ("chance", "majority")
# The lists of a result whose rows are of every question of a set; what a row may call its baseline, the set.
_LISTS = ("scores", "benchmark_scores", "baselines", "baselines_of_all", "ablations")
_NAMES = ("arm", "baseline")
_SETS = ("benchmark", "set")
BELOW, UNDECIDED = "▼", "○"
# How far rounding may part a difference from that of the two figures that stand beside it.
_ROUNDING = 0.001


class Measured:
    """The cheap baselines that the results have, by set of questions and metric."""

    def __init__(self, results: Mapping[str, Any], titles: Titles, sets: Mapping[str, str]) -> None:
        """Read the results.

        Args:
            results: each result by its name.
            titles: by metric, what the page calls each cheap baseline, by what results call it.
            sets: what results call a set of questions, by what else they call it.
        """
        self._titles = titles
        self._sets = sets
        self._rows: dict[str | None, list[Row]] = {}
        for result in results.values():
            for row in _rows(result):
                self._rows.setdefault(self._same(_set_of(row)), []).append(row)

    def __call__(self, questions: str, metric: str = "accuracy") -> dict[str, Any]:
        """Return what the cheap baselines reach, by title: of one measured more than once, the highest."""
        best_by_title: dict[str, Any] = {}
        for row in self._rows.get(self._same(questions), ()):
            title, estimate = self._estimate(row, metric)
            if title and _higher(estimate, best_by_title.get(title)):
                best_by_title[title] = estimate
        return best_by_title

    def _same(self, questions: str | None) -> str | None:
        return self._sets.get(questions, questions) if questions else None

    def _estimate(self, row: Row, metric: str) -> tuple[str | None, Any]:
        """Return a row's title and estimate, or None twice where it is not of this metric."""
        named = row.get("metric")
        for name in _CONSTANTS:
            if named == f"{name}_{metric}":
                return name, row
        titles = self._titles[metric]
        called = (row.get(name) for name in _NAMES)
        title = next((titles[name] for name in called if isinstance(name, str) and name in titles), None)
        if named is not None:
            return (title, row) if named == metric else (None, None)
        estimate = row.get(metric)
        if isinstance(estimate, float) and "n" in row:
            estimate = share(estimate, row["n"])
        return (title, estimate) if estimate is not None else (None, None)


def _rows(result: Row) -> Iterator[Row]:
    for name in _LISTS:
        yield from result.get(name, ())


def _higher(estimate: Any, rival: Any) -> bool:
    return rival is None or bounded(estimate)[0] > bounded(rival)[0]


def _set_of(row: Row) -> str | None:
    if "hops" in row:
        return f"metaqa_{row['hops']}hop"
    return next((row[name] for name in _SETS if name in row), None)


def paired(
    differences: Rows, questions: str, arm: str, titles: Titles, metric: str = "accuracy"
) -> dict[str, Row]:
    """Return an arm's paired differences to the cheap baselines, by title; see `Measured`."""
    named = titles[metric]
    return {
        named[row["baseline_arm"]]: row
        for row in differences
        if (row["benchmark"], row["arm"], row["metric"]) == (questions, arm, metric)
        and row["baseline_arm"] in named
    }


def compared(
    row: Row, expression: Callable[[str], Any], template: Callable[[str], str], measured: Measured
) -> dict[str, Any]:
    """Return a comparison's cells, with its difference as value, low, high and whether it is paired."""
    [(title, ours)] = row["ours"].items()
    estimate = expression(ours)
    everywhere = measured(row["questions"], row["metric"]) if row["questions"] else {}
    baselines = {**everywhere, **_evaluated(row.get("baselines", {}), expression)}
    strongest = best(baselines)
    difference = unpaired(estimate, baselines[strongest])
    of_both = _evaluated(row.get("differences", {}), expression).get(strongest)
    # A baseline of one name may be measured by several commands: the pair is of the one that is shown.
    is_paired = of_both is not None and abs(bounded(of_both)[0] - bounded(difference)[0]) < _ROUNDING
    return {
        **{name: template(row[name]).strip() for name in _TEMPLATES},
        "ours": f"{title} {figure(estimate)}",
        "baseline": f"{strongest} {figure(baselines[strongest])}",
        **dict(zip(("value", "low", "high"), bounded(of_both) if is_paired else difference, strict=True)),
        "paired": is_paired,
    }


def _evaluated(described: str | Row, expression: Callable[[str], Any]) -> Mapping[str, Any]:
    if isinstance(described, str):
        evaluated: Mapping[str, Any] = expression(described)
        return evaluated
    return {name: expression(source) for name, source in described.items()}


def below(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is below the strongest baseline."""
    return [row for row in comparisons if mark(row) == BELOW]


def undecided(comparisons: Iterable[Row]) -> list[Row]:
    """Return where ours is not below, but its difference has no interval above zero."""
    return [row for row in comparisons if mark(row) == UNDECIDED]


def mark(row: Row) -> str:
    """Return the sign of a comparison: ours is below, or not shown to be above; "" where it is."""
    if row["value"] < 0:
        return BELOW
    return UNDECIDED if row["low"] is None or row["low"] <= 0 else ""
