"""Programs that a free question over a table may stand for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    Count,
    Distinct,
    Literal,
)
from evidence_assets.tables.programs.grammar.row_programs import GroupsWithin, LargestGroups
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.questions.columns.answer_columns import (
    adds_up,
    may_answer,
    may_be_told_by_year,
)
from evidence_assets.tables.programs.questions.columns.kinds_of_answers import tells_a_difference
from evidence_assets.tables.programs.questions.differences import (
    amounts_of_change,
    asks_by_how_much,
    changes_between_rows,
    differences,
    differences_of_columns,
)
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram, bound_by
from evidence_assets.tables.programs.questions.remainders import remainders
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.rows.extremes import measures
from evidence_assets.tables.programs.questions.rows.selections import selections
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import ALL_BOUND, gravest_left
from evidence_assets.tables.programs.wording.words import AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_time import TIMES

# More rows are no answer; more programs are not ranked.
_MOST_ROWS, _MOST_PROGRAMS = 12, 300
_ASKING_FOR_NO_NUMBER = frozenset({"which", "who", "whom", "whose", "where", "when"})


def propose(wording: Wording) -> Iterator[QuestionProgram]:
    """Yield the programs that a question may stand for, the first `_MOST_PROGRAMS` of them."""
    yield from islice(_propose(wording), _MOST_PROGRAMS)


def _propose(wording: Wording) -> Iterator[QuestionProgram]:
    choices, by_how_much = list(selections(wording)), asks_by_how_much(wording)
    lasting = wording.form in {"how", "how many"} and wording.of("after", "before")
    asks_for_a_number = wording.asking_word not in _ASKING_FOR_NO_NUMBER
    if asks_for_a_number and (wording.of("difference", "comparative") or lasting or by_how_much):
        yield from differences(wording, choices)
    if wording.form in {"how", "how many"}:
        yield from changes_between_rows(wording)
    for selection in choices:
        if not selection.chosen:
            yield from _none(wording, selection)
            continue
        if not by_how_much and (wording.counting or wording.of("total", "average")):
            yield from _numbers(wording, selection)
        if asks_for_a_number and len(selection.chosen) == 1 and wording.of("difference"):
            yield from differences_of_columns(wording, selection)
        if (len(selection.chosen) == 1 or selection.kind == "all") and wording.form in {"how", "how many"}:
            yield from amounts_of_change(wording, selection)
        yield from _lookups(wording, selection)
        yield from remainders(wording, selection)
        yield from _modes(wording, selection)
        if wording.claim.bounds:
            yield from _groups(wording, selection)


def _lookups(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield the cells of each column in the selection's rows; where something is counted, numbers alone."""
    index = wording.claim.index
    if selection.kind == "all" or len(selection.chosen) > _MOST_ROWS:
        return
    for column in range(index.table.columns):
        if not may_answer(wording, selection, column):
            continue
        if asks_by_how_much(wording) and not tells_a_difference(index, column):
            continue
        totals = wording.of("total") if wording.counting else ()
        operators = (*totals, *wording.amount.words_of_number(column))
        bound = bound_by(wording, selection, [column], operators)
        kind = "lookup" if selection.measure != column else "lookup of the measure"
        factor = wording.amount.factor(column)
        converts = factor != 1.0 or wording.amount.is_told_otherwise(column, selection.chosen)
        program = Cell(selection.rows, column, factor) if converts else selection.rows
        yield QuestionProgram(kind, program, column, bound, selection)
        if not wording.counting and may_be_told_by_year(wording, column):
            dated = {**bound, **dict.fromkeys(wording.of("year"), (Role.OPERATOR, "year"))}
            yield QuestionProgram("year", selection.rows, column, dated, selection, years=True)


def _numbers(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield counts of rows and of values, sums and averages."""
    index = wording.claim.index
    leaves = _leaves_a_state(wording, selection) or _leaves_a_verb(wording, selection)
    is_counted = not _is_of_a_name(wording, selection) and not leaves
    if wording.amount.counts_rows and is_counted:
        bound = bound_by(wording, selection, [], wording.of("total"))
        yield QuestionProgram("count", Count(selection.rows), None, bound, selection)
        different = wording.of("different")
        for column in wording.named if not different else range(index.table.columns):
            if not index.is_numeric(column) and len(selection.chosen) > 1:
                bound = bound_by(wording, selection, [column], (*wording.of("total"), *different))
                yield QuestionProgram("distinct", Distinct(selection.rows, column), None, bound, selection)
    averaged = wording.of("average")
    if len(selection.chosen) < 2:
        return
    for column in measures(wording):
        if adds_up(wording, column):
            each = _words_of_each(wording)
            name, words = ("average", (*averaged, *each)) if averaged else ("sum", wording.of("total"))
            bound = bound_by(wording, selection, [column], (*words, *wording.amount.words_of_number(column)))
            factor = wording.amount.factor(column)
            program: Number = Aggregate(name, selection.rows, column)
            if factor != 1.0:
                program = Arithmetic("*", Literal(factor), program)
            yield QuestionProgram(name, program, None, bound, selection, summed=column)


def _none(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield the count of rows that a question asks for, of which there are none, if all of it is read so."""
    if wording.amount.counts_rows:
        bound = bound_by(wording, selection, [], wording.of("total"))
        if gravest_left(carried_by(wording), bound) in ALL_BOUND:
            yield QuestionProgram("count", Count(selection.rows), None, bound, selection)


def _words_of_each(wording: Wording) -> list[int]:
    """Return the positions of `per quarter`, where rows are quarters, or columns their numbers."""
    claim = wording.claim
    said = {*claim.index.words_of_rows, *TIMES}
    pers = [n for n in range(len(claim.texts) - 1) if claim.texts[n] == "per"]
    return [m for n in pers if claim.tokens[n + 1].key in said for m in (n, n + 1)]


def _is_of_a_name(wording: Wording, selection: Selection) -> bool:
    """Return whether a selection is the one row that its label names, of which nothing is counted."""
    label = wording.claim.index.table.label_column
    names = [
        link for link in selection.links if label in link.places and len(link.rows) == 1 and not link.bound
    ]
    is_counted_in = len(selection.links) > len(names) or bool(wording.amount.amounts)
    is_counted_in = is_counted_in and wording.noun == "a value"
    return len(selection.chosen) == 1 and any(label in link.full or is_counted_in for link in names)


def _leaves_a_state(wording: Wording, selection: Selection) -> bool:
    """Return whether all rows are counted where those in a state are asked for that the table may tell.

    Of `how many tasks are finished` a table with a status, which may be called done, has its own answer.
    """
    claim = wording.claim
    last = max((n for n, token in enumerate(claim.tokens) if not token.mark), default=0)
    is_state = last in claim.linked.unknown and not AUXILIARIES.isdisjoint(
        claim.texts[max(0, last - 2) : last]
    )
    headers = {header.strip().lower() for header in claim.index.table.header}
    return selection.kind == "all" and is_state and not headers.isdisjoint(_STATES)


def _leaves_a_verb(wording: Wording, selection: Selection) -> bool:
    """Return whether what so many do is a column of numbers: of `how many agree` with `Agree` no rows."""
    claim, asking = wording.claim, wording.asking
    used = {selection.measure, claim.index.table.label_column, *selection.compared}
    used |= {column for link in selection.links for column in link.places}
    return any(
        head.start == asking[-1] + 1 == head.end - 1
        and not claim.texts[head.start].endswith("s")
        and all(token.stop for token in claim.tokens[head.end : head.end + 1])
        and used.isdisjoint(head.columns)
        and all(map(claim.index.is_numeric, head.columns))
        for head in claim.linked.headers
        if asking
    )


_STATES = frozenset({"status", "state", "progress", "condition", "stage"})


def _which_of_two(wording: Wording) -> list[int]:
    """Return the positions of `more` where it asks which of alternatives has more rows."""
    texts = wording.claim.texts
    return [n for n in wording.of("comparative") if texts[n] in {"more", "fewer"}] if wording.of("or") else []


def _modes(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield the commonest value of each column, or the rarest, in the selection's rows."""
    claim = wording.claim
    words = (*wording.of("most"), *_which_of_two(wording))[:1]
    if not words or len(selection.chosen) < 2 or selection.measure is not None:
        return
    for column in range(claim.index.table.columns):
        rows = LargestGroups(selection.rows, column, claim.texts[words[0]] in {"most", "more"})
        if rows.run(claim.index).rows:
            bound = bound_by(wording, selection, [column], words)
            yield QuestionProgram("most frequent", rows, column, bound, selection)


def _groups(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield the values of each column that stand in so many rows, and how many there are of them."""
    index = wording.claim.index
    limit = wording.claim.bounds[0]
    if len(selection.chosen) < 2 or selection.measure is not None:
        return
    for column in range(index.table.columns):
        rows = GroupsWithin(selection.rows, column, limit.relation, limit.bound)
        if index.is_numeric(column) or not rows.run(index).rows:
            continue
        bound = bound_by(wording, selection, [column], tuple(range(limit.start, limit.end)))
        if wording.counting:
            yield QuestionProgram("number of groups", Count(rows), None, bound, selection)
        else:
            yield QuestionProgram("groups", rows, column, bound, selection)
