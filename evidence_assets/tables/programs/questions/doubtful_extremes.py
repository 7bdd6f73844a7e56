"""Superlatives of which nothing tells what they measure: `the smallest district` of schools and parks."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.questions.extremes import measures
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_highest
from evidence_assets.tables.programs.wording.trigger_lexicon import positive

# Adjectives of how large something is, by whatever it is measured.
_OF_SIZE = frozenset(map(positive, ("largest", "biggest", "smallest", "greatest")))


def is_of_an_untold_size(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether rows are the largest by a column that is not named, and others by another one."""
    claim, selection = wording.claim, proposal.selection
    measure = selection.measure
    if selection.kind != "extreme" or measure is None or measure in wording.named:
        return False
    extreme = next((word for word in claim.superlatives if positive(word.word) in _OF_SIZE), None)
    if extreme is None or not isinstance(selection.rows, Extreme):
        return False
    index = claim.index
    passed, rows = index.times | {index.table.label_column}, selection.rows.rows
    by_each = (
        Extreme(rows, column, extreme.place, is_highest(claim, extreme, column)).run(index)
        for column in measures(wording)
        if column not in passed
    )
    return len({result.rows for result in by_each}) > 1
