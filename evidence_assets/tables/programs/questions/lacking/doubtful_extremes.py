"""Superlatives of which nothing tells what they measure: `the smallest district` of schools and parks."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.extreme_columns import OF_COUNTS, is_highest
from evidence_assets.tables.programs.readings.parts.unnamed_measures import columns_of_size
from evidence_assets.tables.programs.wording.measures import is_of_the_whole_size
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import positive


def is_of_an_untold_number(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether rows have the most of what nothing tells: `the most plans`, of plants and cards."""
    claim, selection = wording.claim, proposal.selection
    measure = selection.measure
    if selection.kind != "extreme" or measure is None or measure in {*wording.named, *wording.resembled}:
        return False
    return isinstance(selection.rows, Extreme) and any(
        extreme.word in OF_COUNTS
        and (place := _place_of_what_is_most(claim, extreme)) in claim.linked.unknown
        and place not in proposal.bound
        and _others_tell_otherwise(wording, selection.rows, selection.chosen)
        for extreme in claim.superlatives
    )


def _place_of_what_is_most(claim: GroundedClaim, extreme: Superlative) -> int:
    """Return where stands of what there is most: behind it, or the verb before it: `who scored the most`."""
    ends = all(token.mark for token in claim.tokens[extreme.end :])
    return extreme.start - 1 - (claim.texts[extreme.start - 1] == "the") if ends else extreme.end


def _others_tell_otherwise(wording: Wording, extreme: Extreme, chosen: frozenset[int]) -> bool:
    """Return whether another column of numbers chooses other rows."""
    index = wording.claim.index
    apart = {extreme.column, *index.times}
    others = (column for column in index.numeric_columns if column not in apart)
    return any(
        Extreme(extreme.rows, column, extreme.place, extreme.highest).run(index).rows != chosen
        for column in others
        if not index.tells_rows_apart(column)
    )


def is_of_an_untold_size(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether rows are the largest by a column that is not named, and others by another one."""
    claim, selection = wording.claim, proposal.selection
    measure = selection.measure
    if selection.kind != "extreme" or measure is None or measure in wording.named:
        return False
    of_sizes = [extreme for extreme in claim.superlatives if is_of_the_whole_size(positive(extreme.word))]
    if not of_sizes or not isinstance(selection.rows, Extreme):
        return False
    index, rows = claim.index, selection.rows.rows
    # What of a row is its largest number is told in the smallest unit.
    return isinstance(index.table, TurnedTable) or any(
        Extreme(rows, column, extreme.place, is_highest(claim, extreme, column)).run(index).rows
        != selection.chosen
        for extreme in of_sizes
        for column in columns_of_size(index, extreme.word)
    )
