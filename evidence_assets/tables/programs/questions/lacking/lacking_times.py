"""Times that a question names and nothing tells of what is answered: another period, event, day or season."""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.things import columns_of, parts_of, substituted
from evidence_assets.tables.programs.index.columns.parts_of_times import is_one_of_several
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_day_of_a_month
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.wording.carried_words import carried_by
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.soundness.rival_readings import (
    columns_meant,
    times_of_several_columns,
)
from evidence_assets.tables.programs.verdicts.soundness.times_of_events import (
    is_at_the_time_of_another_event,
    is_told_of_another_event,
)
from evidence_assets.tables.programs.wording.rates_of_time import reckons_by_another_time, times_reckoned_by
from evidence_assets.text.calendar_words import DAYS_AND_MONTHS, MIDDLES_OF_SEASONS


def lacks_its_time(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether an amount is answered for another time than that asked for: per week, of a month."""
    index, columns = wording.claim.index, (proposal.column, proposal.summed, proposal.selection.measure)
    times = times_reckoned_by(wording.claim.texts)
    said = (unit for n, unit in times.items() if wording.claim.tokens[n].key not in index.words_of_rows)
    return reckons_by_another_time(
        said, index.times_reckoned_by(column for column in columns if column is not None)
    )


def lacks_its_event(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether an amount of a named row is asked for at a time that is told of another event.

    What a plot cost in 2018 is not told by its being let since 2018.
    """
    claim, column = wording.claim, proposal.column
    if is_told_of_another_event(claim, proposal.selection.links):
        return True
    if column is None or not claim.index.is_numeric(column) or column in claim.index.times:
        return False
    return is_at_the_time_of_another_event(claim, proposal.selection.links)


def lacks_what_was_then(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether rows have something in a year's column, and what is asked of them then is not told.

    Of `which ewe died in 2020` a column of that year's lambs tells nothing.
    """
    selection, index = proposal.selection, wording.claim.index
    if selection.kind != "filled" or index.year_columns.keys().isdisjoint(selection.compared):
        return False
    return not carried_by(wording).keys() <= proposal.bound.keys()


def lacks_its_day(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells the day of a month that a question names: the 19 of `on 19 May`."""
    claim = wording.claim
    return any(
        n not in proposal.bound and is_day_of_a_month(claim.tokens, n)
        for n, token in enumerate(claim.tokens)
        if token.number is not None
    )


def hangs_on_a_column_of_times(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether another answer is given by one of the columns that a time may be of alone.

    Of `how many orders were placed in 2023`, where one column tells when they came and one when they left.
    """
    index = wording.claim.index
    values, _ = proposal.values(index)
    return any(
        _by_one_column(proposal, part, column).values(index)[0] != values
        for part in times_of_several_columns(index, parts_of(proposal.program))
        for column in columns_meant(wording.claim, part)
    )


def _by_one_column(proposal: QuestionProgram, part: Where, column: int) -> QuestionProgram:
    """Return a program whose time is of one column alone."""
    of_one = replace(part, link=part.link.within([column]))
    return replace(proposal, program=substituted(proposal.program, part, of_one))


def takes_one_part_of_a_time(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether the number of one month is answered by, where a question tells none."""
    used = {*columns_of(parts_of(proposal.program)), proposal.column}
    columns = {column for column in used if column is not None}
    return is_one_of_several(columns, wording.claim.index.parts_of_times, wording.claim.tokens)


def lacks_its_time_of_year(wording: Wording, proposal: QuestionProgram) -> bool:
    """Return whether nothing tells a season, a month or a day of the week that a question names."""
    claim = wording.claim
    carried = carried_by(wording)
    return any(
        n in carried and n not in proposal.bound and _is_a_named_time(claim, n)
        for n in range(1, len(claim.texts))
    )


def _is_a_named_time(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word names a time of year or of the week: `in the fall`, `in May`, `on Monday`."""
    text, before = claim.texts[position], claim.texts[position - 1]
    if text in DAYS_AND_MONTHS:
        return claim.tokens[position].cased and before in _BEFORE_TIMES
    return text in MIDDLES_OF_SEASONS and before in _BEFORE_TIMES


_BEFORE_TIMES = frozenset({"in", "on", "during", "the", "last", "this", "every", "each", "of"})
