"""Whether a column tells what a question asks for, by its kind: a time, an amount, the extreme itself."""

from __future__ import annotations

import re

from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection
from evidence_assets.tables.programs.questions.wording.asked_amounts import COSTING, names_rows
from evidence_assets.tables.programs.questions.wording.asked_nouns import (
    PEOPLE,
    kind_of_persons,
    may_be_a_person,
)
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.soundness.untold_parts import REASONS
from evidence_assets.tables.programs.wording.words import AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES
from evidence_assets.tables.table import Kind
from evidence_assets.text.calendar_words import DAYS_AND_MONTHS
from evidence_assets.text.words import word_set, words

_OF_TIMES = CALENDAR_TIMES | word_set("date time decade period era when years dates")
_PERIODS = re.compile(r"\b(?:1[0-9]|20)\d\d\b|[ '’]\d\d[-/–]\d\d\b")
_OPENS_AS_A_NUMBER = re.compile(r"\W*(?:[A-Z]{3} )?\d")
# Nouns of what numbers alone tell.
_AMOUNTS = word_set("""
    price cost fee fare salary wage rent length height width depth weight age speed temperature area
    population distance duration amount money sum magnitude percentage margin profit turnover
""")
_NUMBERS_OF = {("number", "of"), ("amount", "of")}
_PRICES = frozenset({"price", "cost", "fare", "fee"})
_IS_ONE = {("be", "a"), ("be", "an"), ("be", "one")}
_PAYING = _PRICES | COSTING | {"pay", "pays", "paid", "charge", "charges", "charged"}
_SHARES = frozenset({"percentage", "percent", "proportion", "share"})
_NUMBERS = frozenset({"number", "amount", "total", "figure", "value", "quantity"})
_BEHIND_NOUNS = AUXILIARIES | {"of", "for", "in"}
# What heads a column of differences.
_DIFFERENCES = word_set("""
    change difference margin gap lead growth increase decrease gain loss rise fall by won surplus deficit
    behind ahead time
""")


def is_of_the_kind(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether a column's cells in some rows may be what is asked for, by their kind."""
    return (
        _may_be_a_time(wording, selection, column)
        and _may_be_a_reason(wording, column)
        and _may_be_somebody(wording, selection, column)
        and not _is_of_people_for_a_thing(wording, column)
        and _may_be_an_amount(wording, selection, column)
        and not (column != selection.measure and _counts_what_is_asked_for(wording, column))
        and not _passes_the_extreme(wording, selection, column)
        and not _passes_the_number(wording, selection, column)
    )


def tells_a_difference(index: TableIndex, column: int) -> bool:
    """Return whether a column tells by how much things differ."""
    return not _DIFFERENCES.isdisjoint(words(index.table.header[column].lower()))


def is_of_times(index: TableIndex, column: int) -> bool:
    """Return whether a column is of times of day, or of the headers of columns of times that became rows."""
    if not isinstance(index.table, TurnedTable) or column:
        return column in index.clocks
    headers = [cell.text for cell in index.table.column(column)]
    return any(names_a_time(header) or any(map(str.isdigit, header)) for header in headers)


def _may_be_a_time(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether cells may be times where it asks when, and are none where it asks what one did."""
    index = wording.claim.index
    is_time = column in index.dates_and_years or is_of_times(index, column)
    if not wording.asks_for_a_time:
        return not (is_time and wording.asks_what_one_did and column not in wording.named)
    if is_time:
        return True
    if not _OF_TIMES.isdisjoint(words(index.table.header[column].lower())):
        return True
    if column in wording.named and any(cell.value.kind is Kind.DATE for cell in index.table.column(column)):
        # Of rows that it tells no time of it tells that there was none.
        return True
    cells = [index.table.rows[row][column] for row in selection.chosen]
    return any(
        cell.value.kind is Kind.DATE or _PERIODS.search(cell.text) or names_a_time(cell.text)
        for cell in cells
    )


def names_a_time(text: str) -> bool:
    """Return whether a text names a month, a day of the week, a season or a part of a day."""
    return not _NAMED_TIMES.isdisjoint(words(text.lower()))


_NAMED_TIMES = DAYS_AND_MONTHS | word_set(
    "spring summer autumn winter noon midnight morning afternoon evening night"
)


def _may_be_a_reason(wording: Wording, column: int) -> bool:
    """Return whether a column tells reasons or remarks, if it asks why."""
    asks_why = wording.claim.texts[:1] == ("why",)
    return not asks_why or not REASONS.isdisjoint(wording.claim.index.headers[column])


def _may_be_somebody(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether cells are no bare numbers, if it asks who: a score is nobody."""
    text = "".join(wording.claim.index.table.rows[row][column].text for row in selection.chosen)
    return wording.form != "who" or any(map(str.isalpha, text)) or not any(map(str.isdigit, text))


def _is_of_people_for_a_thing(wording: Wording, column: int) -> bool:
    """Return whether a column tells people, and it asks which of something that the table has no word for.

    Of `which book was borrowed first` the borrower is no book.
    """
    noun = wording.noun_text
    if wording.form != "which" or wording.noun != "unknown" or noun in _PRONOUNS or may_be_a_person(noun):
        return False
    index = wording.claim.index
    return column != index.table.label_column and kind_of_persons(index, column) == PEOPLE


_PRONOUNS = frozenset({"one", "ones"})


def _may_be_an_amount(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether cells tell numbers where `what price` asks for one, of a price or share no others."""
    place, texts = wording.place_of_noun, wording.claim.texts
    if not (_may_be_a_price(wording, column) and _may_be_a_share(wording, column)):
        return False
    if place is None or wording.form != "which" or texts[place] not in _AMOUNTS:
        return True
    if not _BEHIND_NOUNS.issuperset(texts[place + 1 : place + 2]):
        # In `which cost more` it is a verb.
        return True
    cells = [wording.claim.index.table.rows[row][column].text for row in selection.chosen]
    return column in wording.named or any(map(_OPENS_AS_A_NUMBER.match, cells))


def _may_be_a_price(wording: Wording, column: int) -> bool:
    """Return whether a column tells prices, or may where none does, if it asks what something costs."""
    index, prices = wording.claim.index, wording.amount.prices
    if column in prices or not _asks_for_a_price(wording):
        return True
    # What something cost is told in no megawatts.
    return not prices and not index.told_units[column] and index.is_numeric(column)


def _asks_for_a_price(wording: Wording) -> bool:
    """Return whether it asks how much something costs, what it costs, or what its price is."""
    texts = wording.claim.texts
    if wording.amount.is_how_much:
        behind = texts[wording.asking[-1] + 1 : wording.asking[-1] + 3]
        return not _PAYING.isdisjoint(texts) or behind in _IS_ONE
    if wording.asking_word != "what":
        return False
    does = texts[wording.asking[0] + 1 :][:1] == ("do",) and not COSTING.isdisjoint(texts)
    return does or wording.noun_text in _PRICES


def _may_be_a_share(wording: Wording, column: int) -> bool:
    """Return whether a column tells shares, or may where none does, if it asks for one."""
    index = wording.claim.index
    if wording.noun_text not in _SHARES or "%" in index.told_units[column]:
        return True
    are_told = any("%" in units for units in index.told_units)
    return not are_told and not index.told_units[column] and index.is_numeric(column)


def _counts_what_is_asked_for(wording: Wording, column: int) -> bool:
    """Return whether a column tells how many there are of what is asked for: `Films shown` of which film."""
    index, place = wording.claim.index, wording.place_of_noun
    if place is None or wording.form != "which" or not index.is_numeric(column):
        return False
    if names_rows(index, column):
        return False
    heading, noun = words(index.table.header[column].lower()), wording.claim.texts[place]
    return noun not in heading and f"{noun}s" in heading


def _passes_the_extreme(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether `what was the lowest fare` asks for the number that chose the rows."""
    claim, measure = wording.claim, selection.measure
    if not wording.asks_for_the_extreme or measure is None or column == measure:
        return False
    ends = {extreme.end for extreme in claim.superlatives}
    ends |= {end + 2 for end in ends if claim.texts[end : end + 2] in _NUMBERS_OF}
    heads = [head for head in claim.linked.headers if head.start in ends and measure in head.columns]
    if not heads or not claim.index.is_numeric(measure):
        return False
    behind = claim.tokens[heads[0].end : heads[0].end + 1]
    return not behind or behind[0].stop or behind[0].mark


def _passes_the_number(wording: Wording, selection: Selection, column: int) -> bool:
    """Return whether `what was the highest number of` asks for that number, and not of what it was."""
    ends = {extreme.end for extreme in wording.claim.superlatives}
    numbers = {n for n, text in enumerate(wording.claim.texts) if text in _NUMBERS}
    return wording.asks_for_the_extreme and not ends.isdisjoint(numbers) and column != selection.measure
