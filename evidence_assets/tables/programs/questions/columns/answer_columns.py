"""Which columns may tell what a free question asks for."""

from __future__ import annotations

import re

from evidence_assets.tables.programs.links.cells.flag_links import NONE
from evidence_assets.tables.programs.links.times.period_headers import columns_of_periods
from evidence_assets.tables.programs.questions.columns.kinds_of_answers import is_of_the_kind
from evidence_assets.tables.programs.questions.columns.parts_of_amounts import is_a_whole
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.wording.asked_amounts import names_by_number, names_rows
from evidence_assets.tables.programs.questions.wording.asked_nouns import (
    NO_PEOPLE,
    kind_of_persons,
    tells_places,
)
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.wording.measures import is_of_any
from evidence_assets.tables.programs.wording.quantities import CURRENCIES
from evidence_assets.tables.programs.wording.trigger_lexicon import positive
from evidence_assets.tables.programs.wording.words import AUXILIARIES, singular
from evidence_assets.text.words import words

_LISTING = re.compile(r"[,;/&+]| and ")
_UNITS = frozenset({"unit", "units", "unit of measure", "measured in"})


def may_answer(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether a column may tell what is asked for of the rows that were chosen."""
    if wording.counting and not _tells_amounts(wording, column):
        return False
    if _is_condition(wording, selection, column) or _is_said(wording, selection, column):
        return False
    if column in wording.named_by_modifiers or is_a_whole(wording, column):
        return False
    if _is_of_another_time(wording, column):
        return False
    if (
        wording.form == "which"
        and 0 in wording.asked_columns - {column}
        and wording.claim.index.numbers_its_rows(0)
    ):
        # Of `which plots` a plot's number is told, and not whose it is.
        return False
    return is_of_the_kind(wording, selection, column) and _may_tell(wording, column)


def _is_of_another_time(wording: Wording, column: int) -> bool:
    """Return whether a column is of a day or a part of the year, and the question names that of another."""
    parts = columns_of_periods(wording.claim.index)
    return column in parts and column not in wording.named and not parts.isdisjoint(wording.named)


def _is_condition(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether rows were chosen by a column having something, none, or yes, which is no answer."""
    if column in wording.claim.index.flags and any(column in link.places for link in selection.links):
        return True
    if _asks_for_a_thing(wording) and column not in wording.asked_columns:
        lacking = (link for link in selection.links if link.bound.endswith(NONE))
        if any(column in link.places for link in lacking):
            return True
    is_filled = column in selection.compared and selection.holds_what_is_filled
    return is_filled and _asks_for_a_thing(wording)


def _is_said(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether a column tells nothing of rows but the very value that they were chosen by."""
    if selection.kind not in {"values", "filled", "bound"} or wording.of("or"):
        return False
    keys = {wording.claim.index.keys[row, column] for row in selection.chosen}
    lists = any(_LISTING.search(wording.claim.index.table.rows[row][column].text) for row in selection.chosen)
    return (
        len(keys) == 1
        and not lists
        and any(not link.bound and column in link.full for link in selection.links)
    )


def _asks_for_a_thing(wording: Wording) -> bool:
    """Return whether it asks which, or who, and not when."""
    return wording.form in {"which", "who", "list"} and not wording.asks_for_a_time


def _may_tell(wording: Wording, column: int) -> bool:
    """Return whether a column may tell what is asked for.

    No time of day tells how long something took, and no time which thing it was, where nothing of the table
    is called by the noun.
    """
    index = wording.claim.index
    of_a_day = column in index.clocks and bool(wording.amount.lasting)
    if wording.form == "how" and (of_a_day or column in index.flags):
        return False
    is_name = not index.is_numeric(column) or names_by_number(index, column)
    if wording.sized and column not in wording.sized and is_name:
        # How heavy the winner was, no winner's name tells.
        return False
    is_date = column in index.dates_and_years
    if is_date and wording.asking_word == "which" and _is_no_time(wording, column):
        return False
    if column in wording.named:
        if wording.form == "where":
            # Of where the bell is that rings a G its name tells nothing.
            is_subject = column in wording.asked_columns and not tells_places(index, column)
            return not (is_date or is_subject or column in index.clocks)
        return wording.form != "who" or not (column in index.dated or column in index.flags)
    return _may_tell_unnamed(wording, column)


def _is_no_time(wording: Wording, column: int) -> bool:
    """Return whether what is asked for is no time: of `Painted` a painting is not when that was."""
    if wording.noun == "unknown":
        return True
    noun, heading = wording.noun_text, words(wording.claim.index.table.header[column].lower())
    is_of_the_stem = column in wording.asked_columns and {noun, singular(noun)}.isdisjoint(heading)
    return is_of_the_stem and not wording.asks_for_a_time


def _may_tell_unnamed(wording: Wording, column: int) -> bool:
    """Return whether a column that the question does not name may tell what is asked for.

    Nobody is a number, a date or a yes, and no place is a number or a time; how old or how deep something is,
    no other dimension tells.
    """
    index = wording.claim.index
    tells_units = index.table.header[column].strip().lower() in _UNITS
    if tells_units or _is_untold_deed(wording, column):
        return False
    if column != index.table.label_column:
        if wording.form == "who" and kind_of_persons(index, column) == NO_PEOPLE:
            return False
        # Streets are told with numbers.
        is_number = index.is_numeric(column) and not tells_places(index, column)
        if wording.form == "where" and (is_number or column in index.dates_and_years):
            return False
    if wording.form == "how" and not wording.sized:
        return is_of_any(positive(wording.claim.texts[wording.asking[-1]]))
    return column not in index.flags or not wording.asking


def _is_untold_deed(wording: Wording, column: int) -> bool:
    """Return whether it asks `what was served`, which nothing of the table tells, of this column neither."""
    claim, place = wording.claim, wording.place_of_noun
    return (
        wording.form == "which"
        and place is not None
        and place in claim.linked.unknown
        and claim.texts[place - 1] in AUXILIARIES
        and claim.texts[place].endswith("ed")
        and column not in wording.resembled
    )


def _tells_amounts(wording: Wording, column: int) -> bool:
    """Return whether a column may tell how many: in numbers that are no times, shares or names of rows."""
    index = wording.claim.index
    passed = index.times | wording.amount.shares
    return column in index.durations or (
        index.is_numeric(column)
        and column not in passed
        and not _is_of_money_unasked(wording, column)
        and not names_by_number(index, column)
    )


def _is_of_money_unasked(wording: Wording, column: int) -> bool:
    """Return whether a column is of money, where it asks how many there are of something else."""
    amount, units = wording.amount, wording.claim.index.told_units[column]
    if amount.is_how_much or column in amount.in_unit or column in amount.amounts or column in wording.named:
        return False
    names_money = amount.unit or not _OF_MONEY.isdisjoint(wording.claim.texts)
    return not names_money and not CURRENCIES.isdisjoint(units)


_OF_MONEY = frozenset({"euros", "pounds", "dollars", "euro", "pound", "dollar", "thousand", "million"})


def adds_up(wording: Wording, column: int) -> bool:
    """Return whether a column's numbers can be added up: no dates, times of day or names of rows."""
    index = wording.claim.index
    passed = index.times | wording.amount.shares
    if names_rows(index, column) and column not in wording.amount.amounts:
        return False
    return index.is_numeric(column) and column not in passed and not is_a_whole(wording, column)


def may_be_told_by_year(wording: Wording, column: int) -> bool:
    """Return whether of a column's dates the year may be asked for, by `when` only if years differ."""
    index = wording.claim.index
    if column not in index.dated or column not in index.years:
        return False
    differ = len({*index.years[column].values()}) > 1
    return bool(wording.of("year")) or (wording.form == "when" and differ)
