"""What is left of one column without another: places still free, starters who did not finish."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Arithmetic, Cell
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.index.derived.remainders import LEFT, TAKEN
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram, bound_by
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.text.words import word_set, words

_FREE = LEFT | word_set("free empty left available remaining spare unused")
# What heads a column of those that are not free.
_TAKEN = TAKEN | {"used"}
_STILL = word_set("still yet")


def remainders(wording: Wording, selection: Selection) -> Iterator[QuestionProgram]:
    """Yield how many of a named column are free, or are not what another column counts of them."""
    claim, index = wording.claim, wording.claim.index
    if not wording.counting or not selection.chosen or selection.measure is not None:
        return
    named_columns = [column for column in wording.named if index.is_numeric(column)]
    free = [n for n, text in enumerate(claim.texts) if text in _FREE and not claim.linked.in_header(n)]
    negated = wording.of("negation")
    if free:
        taken = [
            column
            for column in index.numeric_columns
            if not _TAKEN.isdisjoint(words(index.table.header[column].lower()))
        ]
        pairs = [(named_columns[0], taken[0])] if named_columns and len(taken) == 1 else []
    else:
        parts = [*named_columns, *sorted(wording.resembled)]
        pairs = [(parts[0], parts[1])] if negated and len(parts) > 1 else []
    still = [n for n, text in enumerate(claim.texts) if text in _STILL]
    for whole, part in pairs:
        if whole != part and index.is_numeric(part):
            gap = Arithmetic("-", _number(selection, whole), _number(selection, part))
            bound = bound_by(wording, selection, [whole, part], (*free, *still, *negated))
            yield QuestionProgram("remainder", gap, None, bound, selection)


def _number(selection: Selection, column: int) -> Number:
    """Return a row's number in a column, of several rows their sum."""
    if len(selection.chosen) == 1:
        return Cell(selection.rows, column)
    return Aggregate("sum", selection.rows, column)
