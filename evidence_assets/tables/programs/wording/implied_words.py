"""Words that cells imply without saying them: won of `W`, woman of `F`, home of `H`, Danes of `Denmark`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from evidence_assets.tables.programs.wording.contest_words import OUTCOMES_BY_LETTER
from evidence_assets.tables.programs.wording.nations import OF_COUNTRIES
from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.tables.table import Kind, Table
from evidence_assets.text.calendar_words import WEEKDAYS

_OUTCOME_SHARE = 0.8
# What a column of sexes writes, and the keys of the words that say it of people.
_SEXES = {
    written: tuple(map(word_key, synonyms.split()))
    for cells, synonyms in (("m male man", "male man boy"), ("f female woman", "female woman girl lady"))
    for written in cells.split()
}
# A column of days of the week names several.
_LEAST_WEEKDAYS = 2

# The words of each cell, by row and column.
_Cells = Sequence[Sequence[tuple[Token, ...]]]
_Word = tuple[str, tuple[int, int]]


def implied_words(table: Table, cells: _Cells, outcomes: Collection[int]) -> Iterator[_Word]:
    """Yield the key and the place of each word that a cell implies. `outcomes`: the columns of outcomes."""
    for column in range(table.columns):
        if column in outcomes:
            yield from _outcomes(cells, column)
        yield from _sexes(table, column)
        yield from _initials(table, column)
        yield from _weekdays(cells, column)
        yield from _nations(table, cells, column)


def _nations(table: Table, cells: _Cells, column: int) -> Iterator[_Word]:
    """Yield the words for what is of the country that is a whole cell: Danes of Denmark.

    Not those that cells of other columns say themselves, as what is spoken there.
    """
    said: set[str] | None = None
    for row, cell in enumerate(table.column(column)):
        keys = OF_COUNTRIES.get(cell.text.strip().lower(), ())
        if keys and said is None:
            others = (words for line in cells for place, words in enumerate(line) if place != column)
            said = {token.key for words in others for token in words}
        yield from ((key, (row, column)) for key in keys if key not in (said or ()))


def outcome_columns(cells: _Cells) -> set[int]:
    """Return the columns whose cells mostly open with the letter of an outcome: `W 2-0`."""
    columns = set()
    for column in range(len(cells[0]) if cells else 0):
        opening_keys = [row[column][0].key for row in cells if row[column]]
        outcomes = sum(key in OUTCOMES_BY_LETTER for key in opening_keys)
        if opening_keys and outcomes >= _OUTCOME_SHARE * len(opening_keys):
            columns.add(column)
    return columns


def _outcomes(cells: _Cells, column: int) -> Iterator[_Word]:
    for row, words in enumerate(cells):
        outcome = OUTCOMES_BY_LETTER.get(words[column][0].key) if words[column] else None
        if outcome is not None:
            yield outcome, (row, column)


def _sexes(table: Table, column: int) -> Iterator[_Word]:
    texts = {
        row: cell.text.strip().lower()
        for row, cell in enumerate(table.column(column))
        if cell.value.kind is not Kind.EMPTY
    }
    if len(words := set(texts.values())) == 2 and words <= _SEXES.keys():
        yield from ((key, (row, column)) for row, text in texts.items() for key in _SEXES[text])


def _initials(table: Table, column: int) -> Iterator[_Word]:
    """Yield what letters stand for by their header: home of the H of `Home/Away`."""
    parts = [part.strip().lower() for part in table.header[column].split("/")]
    words_of_letters = {part[:1]: part for part in parts}
    if len(words_of_letters) < _LEAST_PARTS or not all(map(str.isalpha, parts)):
        return
    texts = {row: cell.text.strip().lower() for row, cell in enumerate(table.column(column))}
    if words_of_letters.keys() >= {text for text in texts.values() if text}:
        yield from ((word_key(words_of_letters[text]), (row, column)) for row, text in texts.items() if text)


_LEAST_PARTS = 2


def _weekdays(cells: _Cells, column: int) -> Iterator[_Word]:
    openings = {row: words[column][0].text for row, words in enumerate(cells) if words[column]}
    days = {row: WEEKDAYS[text] for row, text in openings.items() if text in WEEKDAYS}
    if len(set(days.values())) >= _LEAST_WEEKDAYS and len(days) > len(openings) / 2:
        yield from ((word_key(name), (row, column)) for row, name in days.items())
