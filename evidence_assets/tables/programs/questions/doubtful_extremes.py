"""Superlatives of which nothing tells what they measure: `the smallest district` of schools and parks."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_highest
from evidence_assets.tables.programs.readings.parts.sizes import columns_of_size


def is_of_an_untold_size(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether rows are the largest by a column that is not named, and others by another one."""
    claim, selection = wording.claim, proposal.selection
    measure = selection.measure
    if selection.kind != "extreme" or measure is None or measure in wording.named:
        return False
    if not isinstance(selection.rows, Extreme):
        return False
    index, rows = claim.index, selection.rows.rows
    return any(
        Extreme(rows, column, extreme.place, is_highest(claim, extreme, column)).run(index).rows
        != selection.chosen
        for extreme in claim.superlatives
        for column in columns_of_size(index, extreme.word)
    )
