"""The rows that a free question may mean: those of its values, or one chosen among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from evidence_assets.tables.programs.grammar.row_programs import Beside, Extreme, ExtremeChange, Meet
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.turned_tables import TurnedTable
from evidence_assets.tables.programs.links.bounds import bound_link
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.questions.refusals import refusal
from evidence_assets.tables.programs.readings.orders.plans import comparisons_with_plans
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    is_highest,
    is_turned,
    lacks_measure,
)
from evidence_assets.tables.programs.readings.parts.proposal import restricted, where
from evidence_assets.tables.programs.readings.parts.target_columns import target_column
from evidence_assets.tables.programs.readings.times.changes_over_time import changes
from evidence_assets.tables.programs.wording.thresholds import thresholds
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative

# With more links no subsets of them are tried; at most this many columns are tried for an extreme.
_MOST_LINKS, _MOST_MEASURES = 6, 6
_FIRST = frozenset({"first", "top", "earliest", "oldest"})


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows that a question may mean.

    `chosen`: the rows that the program comes to. `links`: the values that it uses. `operators`: positions of
    the words that it carries out. `measure`: the column whose numbers choose. `compared`: the columns that it
    is compared with: of another time, of a plan.
    """

    kind: str
    rows: Rows
    chosen: frozenset[int]
    links: tuple[Link, ...]
    operators: tuple[int, ...] = ()
    measure: int | None = None
    compared: tuple[int, ...] = ()

    @classmethod
    def of(
        cls,
        claim: GroundedClaim,
        kind: str,
        rows: Rows,
        links: Sequence[Link],
        operators: Sequence[int],
        measure: int | None = None,
        compared: Sequence[int] = (),
    ) -> Selection:
        """Return the selection of a program's rows."""
        chosen = rows.run(claim.index).rows
        return cls(kind, rows, chosen, tuple(links), tuple(operators), measure, tuple(compared))


def selections(wording: Wording) -> Iterator[Selection]:
    """Yield the selections of a question's rows, each once."""
    keys: set[tuple[str, frozenset[int], int | None, int]] = set()
    of_values = list(_of_values(wording))
    for selection in chain(of_values, *(_chosen_among(wording, value) for value in of_values)):
        key = selection.kind, selection.chosen, selection.measure, len(selection.links)
        if selection.chosen and key not in keys:
            keys.add(key)
            yield selection


def _chosen(
    claim: GroundedClaim,
    kind: str,
    rows: Rows,
    base: Selection,
    operators: Sequence[int],
    measure: int | None = None,
) -> Selection:
    """Return the selection of rows chosen among those of another."""
    words = (*base.operators, *operators)
    return Selection.of(claim, kind, rows, base.links, words, measure, base.compared)


def _of_values(wording: Wording) -> Iterator[Selection]:
    """Yield the rows of a question's values, of all but one of them, of each alone, and all rows."""
    claim = wording.claim
    everything = (*claim.links, *wording.adjectives)
    subsets = [(*variant.links, *wording.adjectives) for variant in claim.variants()]
    narrowed = tuple(_of_named_column(wording, link) for link in everything)
    if narrowed != everything:
        yield from _restricted(wording, narrowed)
    if len(everything) <= _MOST_LINKS:
        subsets += [tuple(link for link in everything if link is not excluded) for excluded in everything]
        subsets += [(link,) for link in everything]
    subsets.append(())
    for links in dict.fromkeys(tuple(map(everything.index, subset)) for subset in subsets):
        used = tuple(everything[place] for place in links)
        yield from _restricted(wording, used)
        if len(links) in {0, len(everything)}:
            yield from _bounded(wording, used)
            yield from _compared(wording, used)


def _of_named_column(wording: Wording, link: Link) -> Link:
    """Return a value that stands in several columns in that which the question names: `9 for crust`."""
    columns = [column for column in link.places if column in wording.named]
    return link.within(columns) if len(columns) == 1 < len(link.places) else link


def _restricted(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    claim = wording.claim
    rows = restricted(claim, links)
    joints = () if len(links) < 2 or common_rows(links) else wording.of("or", "both")
    only = wording.of("only")
    chosen = rows.run(claim.index).rows
    alone = only if len(chosen) == 1 else ()
    yield Selection("values" if links else "all", rows, chosen, links, (*joints, *alone))
    without = refusal(wording, links)
    if without is not None:
        yield Selection.of(claim, without.kind, without.rows, links, without.words)


def _bounded(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    """Yield the rows within a bound that the question sets on no column: on each that it may be of."""
    claim, index = wording.claim, wording.claim.index
    bounded = {column for link in links if link.bound for column in link.places}
    refused = [limit for limit in thresholds(claim.tokens) if claim.refused & positions_of([limit])]
    for limit in (*claim.bounds, *refused)[:1]:
        # What no unit can be compared with is of what is named.
        for column in measures(wording) if limit not in refused else wording.named:
            if column in bounded:
                continue
            numbers = index.series[column]
            if numbers and min(numbers.values()) <= limit.bound <= max(numbers.values()):
                bound = bound_link(index, limit, column)
                words = range(limit.start, limit.end)
                yield _conditioned(wording, "bound", links, bound, words, (column,))


def _compared(wording: Wording, links: tuple[Link, ...]) -> Iterator[Selection]:
    """Yield the rows in which two columns compare as is told: of two times, of a plan and its outcome."""
    claim = wording.claim
    most = next((extreme for extreme in claim.superlatives if claim.texts[extreme.end - 1] == "most"), None)
    change = wording.change
    if most is not None and change is not None:
        rises = change.relation != "<"
        rows: Rows = ExtremeChange(restricted(claim, links), change.earlier, change.later, rises)
        words = (*change.words, *range(most.start, most.end))
        yield Selection.of(claim, "largest change", rows, links, words, change.later, (change.earlier,))
    elif most is None:
        for condition in (*changes(claim), *comparisons_with_plans(claim)):
            yield _conditioned(
                wording, "change", links, condition.link, condition.operators, condition.columns
            )


def _conditioned(
    wording: Wording,
    kind: str,
    links: tuple[Link, ...],
    condition: Link,
    operators: Iterable[int],
    columns: Sequence[int],
) -> Selection:
    """Return the rows of a question's values that meet a condition; the last of its columns is measured."""
    claim, used = wording.claim, (*links, condition)
    without = refusal(wording, links)
    *others, measure = columns
    if without is None:
        return Selection.of(claim, kind, restricted(claim, used), used, [*operators], measure, others)
    rows = Meet((without.rows, where(claim, condition)))
    return Selection.of(claim, kind, rows, used, [*operators, *without.words], measure, others)


def _chosen_among(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the rows chosen among others: by an extreme, by their order, by another row."""
    if len(base.chosen) > 1 or not base.links:
        yield from _extremes(wording, base)
        yield from _ends(wording, base)
    if len(base.chosen) == 1 and len(base.links) == 1:
        yield from _neighbours(wording, base)
        yield from _likened(wording, base)


def measures(wording: Wording) -> list[int]:
    """Return the columns of numbers and of times, those that the question names first.

    Where an adjective tells the dimension, those of others are left out unless they are named: of rivers the
    longest is by length.
    """
    index = wording.claim.index
    named_columns = [column for column in wording.named if index.is_numeric(column) or column in index.years]
    columns = [
        column
        for column in range(index.table.columns)
        if index.is_numeric(column) or column in index.years or column in index.durations
    ]
    of_dimension = [column for column in columns if column in wording.measured]
    columns = of_dimension or columns
    return list(dict.fromkeys([*named_columns, *columns]))[:_MOST_MEASURES]


def _extremes(wording: Wording, base: Selection) -> Iterator[Selection]:
    claim, index = wording.claim, wording.claim.index
    used = positions_of(base.links)
    for extreme in claim.superlatives:
        if used & positions_of([extreme]):
            continue
        target = target_column(claim, extreme)
        columns = [*([target] if target is not None else []), *measures(wording)]
        lacking = lacks_measure(claim, extreme.end - 1)
        if lacking:
            # Of a table of one measure, by times or by things, the columns do not tell it.
            turned = isinstance(index.table, TurnedTable) or index.year_columns
            columns = [column for column in columns if turned and column in wording.named]
        for column in dict.fromkeys(columns):
            highest = is_highest(claim, extreme, column)
            rows = Extreme(base.rows, column, extreme.place, highest)
            kind = "extreme of its column" if column == target else "extreme"
            kind = "extreme of an untold measure" if lacking else kind
            yield _chosen(claim, kind, rows, base, range(extreme.start, extreme.end), measure=column)
    compared = [n for n in wording.of("comparative") if n not in used] if wording.of("or") else []
    for word in compared[:1] if not claim.superlatives else []:
        for column in measures(wording):
            higher = comparative(claim.texts[word]) > 0
            rows = Extreme(base.rows, column, 1, higher != is_turned(claim.index, claim.texts[word], column))
            yield _chosen(claim, "choice", rows, base, [word], measure=column)


def _ends(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the first or last of some rows, in the table's order."""
    claim = wording.claim
    used = positions_of(base.links)
    for word in [n for n in wording.of("end") if n not in used][:1]:
        end = 1 if claim.texts[word] in _FIRST else -1
        yield _chosen(claim, "end", Beside(base.rows, end, within=True), base, [word])
    if wording.of("or"):
        for name, end in (("before", 1), ("after", -1)):
            for word in wording.of(name)[:1]:
                yield _chosen(claim, "end", Beside(base.rows, end, within=True), base, [word])


def _neighbours(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the row after, or before, the one that a question names."""
    for name, step in (("after", 1), ("before", -1)):
        words = wording.of(name)
        if words:
            yield _chosen(wording.claim, "neighbour", Beside(base.rows, step, within=False), base, words)


def _likened(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the other rows with a row's value in a column, or with a higher or a lower one than it."""
    claim, index = wording.claim, wording.claim.index
    link, row = base.links[0], next(iter(base.chosen))
    for word in wording.of("same")[:1]:
        for column in wording.named or range(index.table.columns):
            value = index.keys.get((row, column))
            rows = frozenset(r for r in index.rows if index.keys[r, column] == value and r != row)
            if value and column not in link.places:
                yield _related(claim, base, "same", (column, rows), f"as in row {row + 1}", [word])
    than = claim.position({"than"})
    if than is None or than > link.start:
        return
    for word in [n for n in wording.of("comparative") if n < than][-1:]:
        for column in measures(wording):
            numbers = index.series[column]
            if row not in numbers or column in link.places:
                continue
            relation = ">" if comparative(claim.texts[word]) > 0 else "<"
            rows = operations.rows_within(numbers, relation, numbers[row]) - index.summaries
            yield _related(claim, base, "beyond", (column, rows), f"{relation} row {row + 1}", [word, than])


def _related(
    claim: GroundedClaim,
    base: Selection,
    kind: str,
    matched: tuple[int, frozenset[int]],
    condition: str,
    words: Sequence[int],
) -> Selection:
    column, rows = matched
    link = base.links[0]
    related = Link.of_column(link.start, link.end, column, rows, condition)
    return _chosen(claim, kind, where(claim, related), base, words, measure=column)
