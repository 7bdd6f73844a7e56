"""Programs that a free question over a table may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Distinct,
)
from evidence_assets.tables.programs.grammar.row_programs import GroupsWithin, LargestGroups
from evidence_assets.tables.programs.grammar.types import Cells, Number, NumberResult, Rows
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.questions.selections import Selection, measures, selections
from evidence_assets.tables.programs.readings.changes_over_time import change_of_columns
from evidence_assets.tables.programs.readings.proposal import Bound, binding, where
from evidence_assets.tables.programs.verdicts.missing_cells import tells_nothing
from evidence_assets.tables.programs.wording.trigger_lexicon import LOWEST

# More rows are no answer; more programs are not ranked.
_MOST_ROWS, _MOST_PROGRAMS = 12, 300


@dataclass(frozen=True, slots=True)
class Question:
    """A program proposed for a question: rows whose cells of a column are asked for, or a number.

    `selection`: the rows that it starts from. `years`: whether of a date its year is asked for.
    """

    kind: str
    program: Number | Rows
    column: int | None
    bound: Bound
    selection: Selection
    years: bool = False

    def read(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""
        text = self.program.read(header)
        if self.column is None:
            return text
        return f"{'year of ' if self.years else ''}{header[self.column]}({text})"

    def values(self, index: TableIndex) -> tuple[tuple[str, ...], Cells]:
        """Return what it comes to, as texts, and the cells that it used."""
        result = self.program.run(index)
        if self.column is None or isinstance(result, NumberResult):
            number = getattr(result, "number", None)
            return (() if number is None else (f"{number:.10g}",)), result.cells
        rows = sorted(result.rows)
        if self.years:
            years = index.years.get(self.column, {})
            texts = [f"{years[row]:g}" for row in rows if row in years]
        else:
            cells_of_rows = [index.table.rows[row][self.column] for row in rows]
            texts = [cell.text for cell in cells_of_rows if not tells_nothing(cell)]
        cells = result.cells | {(row, self.column) for row in rows}
        return tuple(dict.fromkeys(text for text in texts if text)), frozenset(cells)


def propose(wording: Wording) -> Iterator[Question]:
    """Yield the programs that a question may stand for, the first `_MOST_PROGRAMS` of them."""
    yield from islice(_propose(wording), _MOST_PROGRAMS)


def _propose(wording: Wording) -> Iterator[Question]:
    choices = list(selections(wording))
    if wording.of("difference", "comparative"):
        yield from _differences(wording, choices)
    for selection in choices:
        if wording.counting or wording.of("total", "average"):
            yield from _numbers(wording, selection)
        if len(selection.chosen) == 1 and wording.of("difference"):
            yield from _differences_of_columns(wording, selection)
        if len(selection.chosen) == 1 and wording.form in {"how", "how many"}:
            yield from _amounts_of_change(wording, selection)
        yield from _lookups(wording, selection)
        if wording.of("most"):
            yield from _modes(wording, selection)
        if wording.claim.bounds:
            yield from _groups(wording, selection)


def _bound(
    wording: Wording, selection: Selection, columns: list[int], operators: tuple[int, ...]
) -> dict[int, tuple[Role, str]]:
    used = [*columns, *selection.compared, *([] if selection.measure is None else [selection.measure])]
    words = [*wording.asking, *selection.operators, *operators, *_words_of_number(wording, selection)]
    return binding(wording.claim, selection.links, used, words)


def _words_of_number(wording: Wording, selection: Selection) -> Iterator[int]:
    """Yield where it is said of how many rows a selection is: `the two`, `any`, `in all`."""
    claim = wording.claim
    valued = positions_of(selection.links)
    for position, token in enumerate(claim.tokens):
        counts = token.number == len(selection.chosen) > 1 and not token.ordinal
        if position not in valued and (counts or token.text in _OF_ALL):
            yield position


# Said of rows, it leaves none of them out.
_OF_ALL = frozenset({"any", "all", "whole", "entire"})


def _lookups(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield the cells of each column in the selection's rows; where something is counted, numbers alone."""
    index = wording.claim.index
    if selection.kind == "all" or len(selection.chosen) > _MOST_ROWS:
        return
    for column in range(index.table.columns):
        if wording.counting and not index.is_numeric(column):
            continue
        if column in index.flags and any(column in link.places for link in selection.links):
            # That it says yes is the condition, and no answer.
            continue
        operators = wording.of("total") if wording.counting else ()
        bound = _bound(wording, selection, [column], operators)
        kind = "lookup" if selection.measure != column else "lookup of the measure"
        yield Question(kind, selection.rows, column, bound, selection)
        if column in index.dated and column in index.years and (wording.of("year") or wording.form == "when"):
            dated = {**bound, **dict.fromkeys(wording.of("year"), (Role.OPERATOR, "year"))}
            yield Question("year", selection.rows, column, dated, selection, years=True)


def _numbers(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield counts of rows and of values, sums and averages."""
    index = wording.claim.index
    if wording.counting:
        bound = _bound(wording, selection, [], wording.of("total"))
        yield Question("count", Count(selection.rows), None, bound, selection)
        different = wording.of("different")
        for column in wording.named if not different else range(index.table.columns):
            if not index.is_numeric(column) and len(selection.chosen) > 1:
                bound = _bound(wording, selection, [column], (*wording.of("total"), *different))
                yield Question("distinct", Distinct(selection.rows, column), None, bound, selection)
    averaged = wording.of("average")
    if len(selection.chosen) < 2:
        return
    for column in measures(wording):
        if index.is_numeric(column) and column not in index.dated:
            name, words = ("average", averaged) if averaged else ("sum", wording.of("total"))
            bound = _bound(wording, selection, [column], words)
            yield Question(name, Aggregate(name, selection.rows, column), None, bound, selection)


def _differences(wording: Wording, choices: list[Selection]) -> Iterator[Question]:
    """Yield differences: of two rows' numbers, of two counts, of a column's highest and lowest."""
    claim, index = wording.claim, wording.claim.index
    words = wording.of("difference", "comparative", "total", "or")
    all_rows = next((choice for choice in choices if choice.kind == "all"), None)
    for first, second in islice(_pairs(claim.links), 3):
        links = (first, second)
        rows = frozenset(first.rows | second.rows)
        sides = where(claim, first), where(claim, second)
        pair = Selection("two", sides[0], rows, links)
        for column in measures(wording):
            if column not in first.places and len(first.rows) == len(second.rows) == 1:
                gap = Arithmetic("|-|", Cell(sides[0], column), Cell(sides[1], column))
                yield Question("difference", gap, None, _bound(wording, pair, [column], words), pair)
        if len(first.rows) + len(second.rows) > 2:
            gap = Arithmetic("|-|", Count(sides[0]), Count(sides[1]))
            yield Question("difference of counts", gap, None, _bound(wording, pair, [], words), pair)
    directions = {extreme.word in LOWEST for extreme in claim.superlatives}
    if len(directions) == 2 and all_rows is not None:
        for column in measures(wording):
            if index.is_numeric(column):
                ends = (Aggregate(name, all_rows.rows, column) for name in ("highest", "lowest"))
                bound = _bound(wording, all_rows, [column], (*words, *wording.of("superlative")))
                yield Question("range", Arithmetic("|-|", *ends), None, bound, all_rows)


def _amounts_of_change(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield by how much a row's number changed between two columns of times, if it did as is said."""
    change = change_of_columns(wording.claim)
    if change is None or selection.measure is not None:
        return
    before, after = Cell(selection.rows, change.earlier), Cell(selection.rows, change.later)
    falls = change.told.relation == "<"
    gap = Arithmetic("-", before, after) if falls else Arithmetic("-", after, before)
    number = gap.run(wording.claim.index).number
    if number is not None and number > 0:
        words = (*change.words, *_words_of_amounts(wording))
        bound = _bound(wording, selection, [change.earlier, change.later], words)
        yield Question("amount of a change", gap, None, bound, selection)


def _words_of_amounts(wording: Wording) -> tuple[int, ...]:
    """Return the position of `by` before what asks how much."""
    first = min(wording.asking, default=0) - 1
    return (first,) if first >= 0 and wording.claim.texts[first] == "by" else ()


def _pairs(links: tuple[Link, ...]) -> Iterator[tuple[Link, Link]]:
    """Yield two values of one column that no row shares."""
    for first, second in combinations(links, 2):
        if first.places.keys() & second.places.keys() and not first.rows & second.rows:
            yield first, second


def _modes(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield the commonest value of each column, or the rarest, in the selection's rows."""
    claim = wording.claim
    if len(selection.chosen) < 2 or selection.measure is not None:
        return
    word = wording.of("most")[0]
    for column in range(claim.index.table.columns):
        rows = LargestGroups(selection.rows, column, claim.texts[word] == "most")
        if rows.run(claim.index).rows:
            bound = _bound(wording, selection, [column], (word,))
            yield Question("most frequent", rows, column, bound, selection)


def _groups(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield the values of each column that stand in so many rows, and how many there are of them."""
    index = wording.claim.index
    limit = wording.claim.bounds[0]
    if len(selection.chosen) < 2 or selection.measure is not None:
        return
    for column in range(index.table.columns):
        rows = GroupsWithin(selection.rows, column, limit.relation, limit.bound)
        if index.is_numeric(column) or not rows.run(index).rows:
            continue
        bound = _bound(wording, selection, [column], tuple(range(limit.start, limit.end)))
        if wording.counting:
            yield Question("number of groups", Count(rows), None, bound, selection)
        else:
            yield Question("groups", rows, column, bound, selection)


def _differences_of_columns(wording: Wording, selection: Selection) -> Iterator[Question]:
    """Yield the difference between two columns that a question names, in one row."""
    named_columns = [column for column in wording.named if wording.claim.index.is_numeric(column)]
    words = wording.of("difference", "comparative", "total")
    for pair in islice(combinations(named_columns, 2), 3):
        gap = Arithmetic("|-|", *(Cell(selection.rows, column) for column in pair))
        bound = _bound(wording, selection, list(pair), words)
        yield Question("difference of columns", gap, None, bound, selection)
