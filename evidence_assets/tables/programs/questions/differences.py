"""Free questions that ask by how much: of two rows, of two columns, of two times, of two extremes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Literal,
)
from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.index.operations import compare
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram, bound_by
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.rows.extremes import measures
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import where
from evidence_assets.tables.programs.readings.times.changes_over_time import claimed_change
from evidence_assets.tables.programs.wording.trigger_lexicon import LOWEST

# No further pairs of values, or of columns, are set beside each other.
_MOST_PAIRS = 3


def differences(wording: Wording, choices: list[Selection]) -> Iterator[QuestionProgram]:
    """Yield differences: of two rows' numbers, of two counts, of a column's highest and lowest."""
    words = wording.of("difference", "comparative", "total", "or", "after", "before")
    words = (*words, *_words_of_amounts(wording))
    yield from _differences_of_values(wording, words)
    yield from _differences_of_two(wording, choices, words)
    yield from _differences_of_extremes(wording, choices, words)


def _differences_of_values(wording: Wording, words: tuple[int, ...]) -> Iterator[QuestionProgram]:
    """Yield the differences between the rows of one value and those of another, in numbers or in how many."""
    claim = wording.claim
    for first, second in islice(_pairs(claim.links), _MOST_PAIRS):
        sides = where(claim, first), where(claim, second)
        pair = Selection("two", sides[0], first.rows | second.rows, (first, second))
        for column in measures(wording):
            are_single = len(first.rows) == len(second.rows) == 1
            if column not in first.places and are_single and _may_differ(wording, column):
                numbers = Cell(sides[0], column), Cell(sides[1], column)
                gap = _in_the_unit(wording, Arithmetic("|-|", *numbers), column)
                operators = (*words, *_words_of_direction(wording, *numbers))
                operators = (*operators, *wording.amount.words_of_number(column))
                bound = bound_by(wording, pair, [column], operators)
                yield QuestionProgram("difference", gap, None, bound, pair, summed=column)
        if len(first.rows) + len(second.rows) > 2:
            gap = Arithmetic("|-|", Count(sides[0]), Count(sides[1]))
            yield QuestionProgram("difference of counts", gap, None, bound_by(wording, pair, [], words), pair)


def _differences_of_two(
    wording: Wording, choices: list[Selection], words: tuple[int, ...]
) -> Iterator[QuestionProgram]:
    """Yield the difference of the two rows that values name together: `between the two Quelva cores`."""
    for pair in choices:
        if pair.kind != "values" or len(pair.chosen) != 2 or len(pair.links) != 1:
            continue
        for column in measures(wording):
            if _may_differ(wording, column):
                operators = (*words, *wording.amount.words_of_number(column))
                bound = bound_by(wording, pair, [column], operators)
                gap = _in_the_unit(wording, Arithmetic("|-|", *_ends(pair, column)), column)
                yield QuestionProgram("difference of two", gap, None, bound, pair, summed=column)


def _differences_of_extremes(
    wording: Wording, choices: list[Selection], words: tuple[int, ...]
) -> Iterator[QuestionProgram]:
    """Yield the difference of all rows' highest and lowest, where both are said."""
    index, extremes = wording.claim.index, {extreme.word for extreme in wording.claim.superlatives}
    lowest = extremes & (LOWEST | {_OLDEST})
    everything = next((choice for choice in choices if choice.kind == "all"), None)
    if not lowest or lowest == extremes or everything is None:
        return
    columns = measures(wording)
    # What is oldest is so by its year.
    years = [column for column in columns if column in index.years] if _OLDEST in extremes else []
    operators = (*words, *wording.of("superlative"), *(wording.of("year") if years else ()))
    for column in years or columns:
        if index.is_numeric(column):
            gap = _in_the_unit(wording, Arithmetic("|-|", *_ends(everything, column)), column)
            bound = bound_by(wording, everything, [column], operators)
            yield QuestionProgram("range", gap, None, bound, everything)


_OLDEST = "oldest"


def _ends(selection: Selection, column: int) -> tuple[Number, Number]:
    """Return the highest and the lowest number of a column in some rows."""
    return Aggregate("highest", selection.rows, column), Aggregate("lowest", selection.rows, column)


def _in_the_unit(wording: Wording, number: Number, column: int) -> Number:
    """Return a column's number in the unit that is asked for."""
    factor = wording.amount.factor(column)
    return number if factor == 1.0 else Arithmetic("*", Literal(factor), number)


def _may_differ(wording: Wording, column: int) -> bool:
    """Return whether a column's differences may be asked for: of ranks those that are named alone."""
    index = wording.claim.index
    if wording.amount.is_in_another_unit(column):
        return False
    return index.is_numeric(column) and (column in wording.named or not is_of_ranks(index, column))


def _words_of_direction(wording: Wording, first: Number, last: Number) -> tuple[int, ...]:
    """Return the words that tell a rise or a fall, if it is one from the first number to the last."""
    change = claimed_change(wording.claim)
    if change is None:
        return ()
    before, after = (end.run(wording.claim.index).number for end in (first, last))
    is_so = before is not None and after is not None and compare(after, change.relation, before)
    return change.words if is_so else ()


def amounts_of_change(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield by how much a row's number changed between two columns of times, if it did as is said."""
    change = wording.change
    if change is None or change.relation == "=" or selection.measure is not None:
        return
    before, after = (_number(wording, selection, column) for column in (change.earlier, change.later))
    falls = change.relation == "<"
    gap = Arithmetic("-", before, after) if falls else Arithmetic("-", after, before)
    number = gap.run(wording.claim.index).number
    if number is not None and number > 0:
        words = (*change.words, *_words_of_amounts(wording))
        bound = bound_by(wording, selection, [change.earlier, change.later], words)
        yield QuestionProgram("amount of a change", gap, None, bound, selection)


def _number(wording: Wording, selection: Selection, column: int) -> Number:
    """Return a row's number in a column; of all rows that of the row that sums them up, else their sum."""
    if len(selection.chosen) == 1:
        return Cell(selection.rows, column)
    index = wording.claim.index
    totals = index.summaries & index.series[column].keys()
    if len(totals) == 1:
        return Cell(Where.of_row(min(totals), column), column)
    return Aggregate("sum", selection.rows, column)


def asks_by_how_much(wording: Wording) -> bool:
    """Return whether it asks `by how many`, `by how much`."""
    return bool(_words_of_amounts(wording))


def _words_of_amounts(wording: Wording) -> tuple[int, ...]:
    """Return the position of `by` before what asks how much, and of `beat` behind it."""
    first, texts = min(wording.asking, default=0) - 1, wording.claim.texts
    if first < 0 or texts[first] != "by":
        return ()
    return (first, *(n for n in range(first, len(texts)) if texts[n] in _BEATING))


_BEATING = frozenset({"beat", "beats", "beaten", "win", "won", "lead", "led"})


def _pairs(links: tuple[Link, ...]) -> Iterator[tuple[Link, Link]]:
    """Yield two values of one column that no row shares."""
    for first, second in combinations(links, 2):
        if first.places.keys() & second.places.keys() and not first.rows & second.rows:
            yield first, second


def differences_of_columns(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield the difference between two columns that a question names, in one row."""
    index = wording.claim.index
    passed = {*index.dated, index.table.label_column}
    named_columns = [
        column for column in wording.named if column not in passed and _may_differ(wording, column)
    ]
    words = wording.of("difference", "comparative", "total")
    for pair in islice(combinations(named_columns, 2), _MOST_PAIRS):
        gap = Arithmetic("|-|", *(Cell(selection.rows, column) for column in pair))
        bound = bound_by(wording, selection, list(pair), words)
        yield QuestionProgram("difference of columns", gap, None, bound, selection)


def changes_between_rows(wording: Wording) -> Iterator[QuestionProgram]:
    """Yield by how much each column rose, or fell as is said, from the row of one year to that of another."""
    claim, index = wording.claim, wording.claim.index
    change = claimed_change(claim)
    places = [n for n, token in enumerate(claim.tokens) if token.number is not None and not token.ordinal]
    if change is None or change.relation == "=" or len(places) != 2:
        return
    for column, year_by_row in index.years.items():
        ends = []
        for place in places:
            rows = frozenset(r for r, year in year_by_row.items() if year == claim.tokens[place].number)
            ends.append(Link.of_column(place, place + 1, column, rows - index.summaries, ""))
        if any(len(end.rows) != 1 for end in ends) or ends[0].rows == ends[1].rows:
            continue
        earlier, later = sorted(ends, key=lambda end: year_by_row[min(end.rows)])
        if change.relation == "<":
            earlier, later = later, earlier
        pair = Selection("two", where(claim, later), earlier.rows | later.rows, (earlier, later))
        for measured in measures(wording):
            gap = Arithmetic("-", Cell(where(claim, later), measured), Cell(where(claim, earlier), measured))
            number = gap.run(index).number
            if measured != column and number is not None and number > 0:
                opening = [n for n in (places[0] - 1,) if claim.texts[n] in {"from", "between", "in"}]
                words = (*change.words, *opening, *range(*places), *_words_of_amounts(wording))
                bound = bound_by(wording, pair, [measured], words)
                yield QuestionProgram("change between rows", gap, None, bound, pair, summed=measured)
