"""What is left of something, and what is all taken, `sold out`: columns that two others imply."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from evidence_assets.tables.programs.index.derived.derived_tables import (
    DerivedTable,
    unit_in_brackets,
    with_columns,
)
from evidence_assets.tables.programs.index.table_index import TableIndex, index_of
from evidence_assets.tables.programs.wording.quantities import unit_name
from evidence_assets.tables.programs.wording.words import Token, number_key, tokens, word_keys
from evidence_assets.tables.table import Table
from evidence_assets.text.words import word_set

# What heads a column of how much of something was taken, and, as keys, of how much there was of it.
TAKEN = word_set(
    "booked bookings enrolled enrolments sold occupied taken filled reserved registered let rented"
)
_WHOLE = word_keys("""
    places capacity seats rooms beds berths pitches slots spaces offered available landed produced stock
    supply made printed harvested baked maximum cabins stalls plots flats units apartments moorings
""")
# Words of what is left, those that also mean something else, and those that go with them.
LEFT = frozenset(f"un{word}" for word in TAKEN) | {"vacant"}
_LEFT_OF_NAMED = word_set("left free available remaining empty open spare over")
_ALL_LEFT = LEFT | _LEFT_OF_NAMED
_REMAINING = word_set("remain remained remains")
# What says that nothing is left.
_ALL_TAKEN = (
    *((adverb, verb) for adverb in ("fully", "completely") for verb in ("booked", "occupied", "full", "let")),
    *(("booked", particle) for particle in ("up", "out", "solid")),
    ("sold", "out"),
    ("full",),
)
_OPENING_ALL_TAKEN = frozenset(phrase[0] for phrase in _ALL_TAKEN)


def with_remainders(claim_tokens: Sequence[Token], table: Table) -> DerivedTable | None:
    """Return a table with what is left of its rows, or whether all is taken; None where a claim says neither.

    `Five places are left` of a table of places and bookings.
    """
    texts = [token.text for token in claim_tokens]
    full = _phrase(texts)
    left = [n for n, text in enumerate(texts) if text in _ALL_LEFT] if not full else []
    if not full and not left:
        return None
    index = index_of(table)
    if any(claim_tokens[n].key in index.header_postings for n in left if texts[n] not in LEFT):
        return None
    ends = _whole_and_taken(index, {token.key for token in claim_tokens} if left else set())
    if ends is None:
        return None
    if full:
        return with_columns(table, [" ".join(full)], [ends], [_are_all_taken(index, *ends)])
    name = _name_of_what_is_left(index, claim_tokens, left, ends[0])
    named = with_columns(table, [name], [ends], [_what_is_left(index, *ends)]) if name else None
    return None if named is None else _without_name(named, ends[0])


def _without_name(table: DerivedTable, column: int) -> DerivedTable:
    """Return a table, a column called by its place: of `seven beds are empty` all beds are not meant."""
    name = f"column {column + 1}"
    return replace(table, header=(*table.header[:column], name, *table.header[column + 1 :]))


def _phrase(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a claim that say that nothing is left; none without them."""
    if _OPENING_ALL_TAKEN.isdisjoint(texts):
        return ()
    return next(
        (
            phrase
            for phrase in _ALL_TAKEN
            for n in range(len(texts))
            if tuple(texts[n : n + len(phrase)]) == phrase
        ),
        (),
    )


def _name_of_what_is_left(
    index: TableIndex, claim_tokens: Sequence[Token], left: Sequence[int], whole: int
) -> str:
    """Return the name of a column of what is left, as it is said; empty where it is not said of the whole."""
    words = [claim_tokens[place].text for place in left]
    word = next((text for text in words if text in LEFT), words[0])
    nouns = [
        token.text
        for token in claim_tokens
        if token.key in index.headers[whole] and not unit_name(token.text)
    ]
    if word not in LEFT and not nouns:
        return ""
    beside = _REMAINING | {"left"} if word in LEFT else _REMAINING
    staying = [token.text for token in claim_tokens if token.text in beside]
    unit = unit_in_brackets(index.table.header[whole])
    return " ".join(filter(None, (*dict.fromkeys((*nouns, *staying, word)), unit)))


def _whole_and_taken(index: TableIndex, said: Collection[str]) -> tuple[int, int] | None:
    """Return the only column of how much there was, and the only one of how much of it was taken.

    `said`: what is said to be left, which heads the first, or such words as mostly do.
    """
    columns = [
        column
        for column in index.numeric_columns
        if column not in {index.table.label_column, *index.dates_and_years, *index.flags}
    ]
    headers = {column: {token.text for token in tokens(index.table.header[column])} for column in columns}
    taken = [column for column in columns if not TAKEN.isdisjoint(headers[column])]
    if len(taken) != 1:
        return None
    wholes = [
        column
        for column in columns
        if column != taken[0]
        and any(key in _WHOLE or key in said for key in index.headers[column])
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
