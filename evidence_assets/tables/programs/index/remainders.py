"""What is left of something, and what is all taken, `sold out`: columns that two others imply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.programs.index.quotients import DerivedTable
from evidence_assets.tables.programs.index.table_index import TableIndex, index_of
from evidence_assets.tables.programs.wording.quantities import unit_name
from evidence_assets.tables.programs.wording.words import Token, number_key, tokens, word_key
from evidence_assets.tables.table import EMPTY_CELL, Cell, Table
from evidence_assets.text.words import word_set

# What heads a column of how much of something was taken, and, as keys, of how much there was of it.
_TAKEN = word_set(
    "booked bookings enrolled enrolments sold occupied taken filled reserved registered let rented"
)
_WHOLE = frozenset(
    map(
        word_key,
        word_set("""
            places capacity seats rooms beds berths pitches slots spaces offered available landed produced
            stock supply made printed harvested baked maximum cabins stalls plots flats units apartments
            moorings
        """),
    )
)
# Words of what is left, those that also mean something else, and those that go with them.
_LEFT = word_set("unsold unoccupied unbooked unfilled vacant untaken unlet")
_LEFT_OF_NAMED = word_set("left free available remaining empty open spare over")
_REMAINING = word_set("remain remained remains")
# What says that nothing is left.
_ALL_TAKEN = (
    *((adverb, verb) for adverb in ("fully", "completely") for verb in ("booked", "occupied", "full", "let")),
    *(("booked", particle) for particle in ("up", "out", "solid")),
    ("sold", "out"),
    ("full",),
)
_UNIT = re.compile(r"\([^()]+\)$")


def with_remainders(claim_tokens: Sequence[Token], table: Table) -> DerivedTable | None:
    """Return a table with what is left of its rows, or whether all is taken; None where a claim says neither.

    `Five places are left` of a table of places and bookings.
    """
    texts = [token.text for token in claim_tokens]
    full = _phrase(texts)
    left = [n for n, text in enumerate(texts) if text in _LEFT | _LEFT_OF_NAMED] if not full else []
    if not full and not left:
        return None
    index = index_of(table)
    if any(claim_tokens[n].key in index.header_postings for n in left if texts[n] not in _LEFT):
        return None
    ends = _whole_and_taken(index)
    if ends is None:
        return None
    if full:
        return _with_column(table, " ".join(full), ends, _are_all_taken(index, *ends))
    name = _name_of_what_is_left(index, claim_tokens, left, ends[0])
    return _with_column(table, name, ends, _what_is_left(index, *ends), unnamed=ends[0]) if name else None


def _phrase(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a claim that say that nothing is left; none without them."""
    return next(
        (
            phrase
            for phrase in _ALL_TAKEN
            for n in range(len(texts))
            if tuple(texts[n : n + len(phrase)]) == phrase
        ),
        (),
    )


def _name_of_what_is_left(index: TableIndex, tokens: Sequence[Token], left: Sequence[int], whole: int) -> str:
    """Return the name of a column of what is left, as it is said; empty where it is not said of the whole."""
    words = [tokens[place].text for place in left]
    word = next((text for text in words if text in _LEFT), words[0])
    nouns = [
        token.text for token in tokens if token.key in index.headers[whole] and not unit_name(token.text)
    ]
    if word not in _LEFT and not nouns:
        return ""
    beside = _REMAINING | {"left"} if word in _LEFT else _REMAINING
    staying = [token.text for token in tokens if token.text in beside]
    unit = _UNIT.search(index.table.header[whole])
    return " ".join([*dict.fromkeys((*nouns, *staying, word)), *([unit[0]] if unit else [])])


def _whole_and_taken(index: TableIndex) -> tuple[int, int] | None:
    """Return the only column of how much there was, and the only one of how much of it was taken."""
    columns = [
        column
        for column in index.numeric(range(index.table.columns))
        if column not in {index.table.label_column, *index.dated, *index.years, *index.flags}
    ]
    headers = {column: {token.text for token in tokens(index.table.header[column])} for column in columns}
    taken = [column for column in columns if not _TAKEN.isdisjoint(headers[column])]
    if len(taken) != 1:
        return None
    wholes = [
        column
        for column in columns
        if column != taken[0]
        and not _WHOLE.isdisjoint(index.headers[column])
        and index.factor(column, taken[0]) == 1.0
        and _never_less(index.series[column], index.series[taken[0]])
    ]
    return (wholes[0], taken[0]) if len(wholes) == 1 else None


def _never_less(whole: Mapping[int, float], taken: Mapping[int, float]) -> bool:
    rows = whole.keys() & taken.keys()
    return len(rows) > 1 and all(whole[row] >= taken[row] for row in rows)


def _what_is_left(index: TableIndex, whole: int, taken: int) -> dict[int, str]:
    series = index.series
    rows = series[whole].keys() & series[taken].keys()
    return {row: number_key(series[whole][row] - series[taken][row]) for row in rows}


def _are_all_taken(index: TableIndex, whole: int, taken: int) -> dict[int, str]:
    return {
        row: "yes" if number == "0" else "no" for row, number in _what_is_left(index, whole, taken).items()
    }


def _with_column(
    table: Table, name: str, ends: tuple[int, int], texts: Mapping[int, str], unnamed: int | None = None
) -> DerivedTable | None:
    """Return a table with a last column; None where it has one of that name.

    `unnamed`: a column whose name the new one takes: of `seven beds are empty` all beds are not meant.
    """
    if name in table.header:
        return None
    values = {field.name: getattr(table, field.name) for field in fields(Table)}
    header = ("" if column == unnamed else heading for column, heading in enumerate(table.header))
    values["header"] = (*header, name)
    values["rows"] = tuple((*cells, _cell(texts.get(row, ""))) for row, cells in enumerate(table.rows))
    return DerivedTable(**values, base=table, ends=(ends,))


def _cell(text: str) -> Cell:
    return Cell(text, text, parse_value(text)) if text else EMPTY_CELL
