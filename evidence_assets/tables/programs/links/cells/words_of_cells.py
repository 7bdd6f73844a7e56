"""Whether words of a claim that a cell holds name that cell."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks, ranks_by_another_column
from evidence_assets.tables.programs.wording.superlative_words import does_something
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS, RANKED_COLUMNS, row_nouns
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Kind
from evidence_assets.text.calendar_words import MONTH_NAMES

_YEARS_FROM = 1000
_MONTHS = frozenset(MONTH_NAMES)
_LISTING = frozenset({",", ";", "/", "+", "&", "and"})


def counts_apart(span: tuple[Token, ...]) -> bool:
    """Return whether an ordinal is of so many: `first of the two` is no score of 1–2, `3rd of 12` a place."""
    first, *between, last = span
    return first.ordinal and last.number is not None and any(token.text == "the" for token in between)


def may_be_the(tokens: tuple[Token, ...], start: int, index: TableIndex, column: int) -> bool:
    """Return whether an ordinal may be a column's: no quantity, and of the noun behind it if it is a number.

    A `second weekend` is no screen 2.
    """
    if tokens[start].text.isalpha() and index.tells_amounts(column):
        # What comes first is no quantity, nor what a year's column tells.
        return False
    if does_something(tokens, start) or ranks_by_another_column(tokens, start, index, column):
        return False
    noun = tokens[start + 1] if start + 1 < len(tokens) else None
    numbers = index.series[column].values()
    # A column of numbers without repetition numbers its rows.
    counts_rows = len(set(numbers)) == len(numbers) or not index.is_numeric(column)
    if noun is None or noun.stop or noun.mark or noun.number is not None or counts_rows:
        return True
    of_ranks = noun.key in RANKED_COLUMNS or is_of_ranks(index, column)
    return of_ranks or column in index.columns_like(noun.key)


def holds_together(cell: tuple[str, ...], keys: list[str], *, joined: bool) -> bool:
    """Return whether a cell holds the words; of two numbers in a row, adjacent and in order.

    So are a word and a number that a claim writes as one, `joined`: A3 is not `A4, folded in three`.
    """
    if keys[-1][-1:].isdigit() and (joined or keys[-2][-1:].isdigit()) and not _MONTHS.intersection(keys):
        pair = keys[-2], keys[-1]
        return any(pair == two for two in pairwise(cell))
    return cell.count(keys[-1]) >= keys.count(keys[-1])


def lists_item(index: TableIndex, place: tuple[int, int], keys: Sequence[str]) -> bool:
    """Return whether a cell lists what a span says beside other things: spelt of `wheat and spelt`."""
    row, column = place
    items: list[list[str]] = [[]]
    for token in index.cells[row][column]:
        if token.text in _LISTING:
            items.append([])
        elif token.number is not None:
            return False
        elif not token.stop and not token.mark:
            items[-1].append(token.key)
    return len(items) > 1 and all(items) and list(keys) in items


def alike_denied(
    index: TableIndex, places: set[tuple[int, int]], tokens: tuple[Token, ...], start: int
) -> set[tuple[int, int]]:
    """Return the cells that deny a span as the claim does: `guilty` is not what `not guilty` says."""
    key = tokens[start].key
    if not any(behind == key for _, behind in index.denials):
        return places
    denied = {
        (row, column)
        for row, column in places
        if any(
            before.text in NEGATIONS and word.key == key and word.number is None
            for before, word in pairwise(index.cells[row][column])
        )
    }
    if not denied:
        return places
    return denied if start and tokens[start - 1].text in NEGATIONS else places - denied


def alike_within(
    index: TableIndex, places: set[tuple[int, int]], tokens: tuple[Token, ...], start: int
) -> set[tuple[int, int]]:
    """Return the cells that a span is in, or out of, as the claim says: `in stock` is not `out of stock`.

    So is `not in service`. Where neither a cell nor the claim says such before the span, all of them.
    """
    before = [*tokens[:start]]
    side = _side(before)
    if not side:
        return places
    if any(
        (left.key, right.key) in index.denials for left, right in pairwise(_function_words_before(before))
    ):
        # What cells deny so is said of these, and denies nothing more.
        side = -side
    sides = {place: _side_within(index.cells[place[0]][place[1]], tokens[start].key) for place in places}
    if not any(sides.values()):
        return places
    return {place for place, of_cell in sides.items() if of_cell == side or (side > 0 and not of_cell)}


def _side_within(cell: Sequence[Token], key: str) -> int:
    """Return on which side of a word a cell says that something is, as `_side` does."""
    place = next((n for n, token in enumerate(cell) if token.key == key), 0)
    before = [*cell[:place]]
    side = _side(before)
    denied = any(token.text in NEGATIONS for token in _function_words_before(before))
    return -side if denied else side


def _side(before: Sequence[Token]) -> int:
    """Return 1 where function words right before a word say that something is in it, -1 where out of it."""
    texts = {token.text for token in _function_words_before(before)}
    return -1 if texts & _OUTSIDE else int(bool(texts & _INSIDE))


def _function_words_before(before: Sequence[Token]) -> list[Token]:
    return list(takewhile(lambda token: token.stop and not token.mark, reversed(before)))[::-1]


_INSIDE, _OUTSIDE = frozenset({"in", "on"}), frozenset({"out", "off"})


def alike_signed(
    index: TableIndex, places: set[tuple[int, int]], tokens: tuple[Token, ...], end: int
) -> set[tuple[int, int]]:
    """Return the cells that end in the sign that a claim writes behind a span: of `A−` none that say A+.

    Nor A, where other cells of the column have a sign.
    """
    sign = _sign_behind(tokens, end)
    if not sign:
        return places
    signed = {column for _, column in places if any(_sign_of(index.cells[row][column]) for row in index.rows)}
    return {
        (row, column)
        for row, column in places
        if _sign_of(index.cells[row][column]) == (sign if column in signed else "")
    }


def _sign_of(cell: Sequence[Token]) -> str:
    return _sign_behind(tuple(cell), len(cell) - 1)


def _sign_behind(tokens: tuple[Token, ...], position: int) -> str:
    """Return the plus or minus at a position that is joined to the word before it and to no other behind."""
    if not 0 < position < len(tokens) or tokens[position].text not in _SIGNS:
        return ""
    sign = tokens[position]
    joined = tokens[position - 1].end == sign.start
    goes_on = any(sign.end == other.start and not other.mark for other in tokens[position + 1 : position + 2])
    return sign.text if joined and not goes_on else ""


_SIGNS = frozenset({"+", "-"})


def is_written_small(tokens: tuple[Token, ...], start: int) -> bool:
    """Return whether a claim that writes names with capitals writes a word without."""
    token = tokens[start]
    return not token.cased and token.number is None and any(other.cased for other in tokens)


def is_part_of_a_name(index: TableIndex, token: Token, place: tuple[int, int]) -> bool:
    """Return whether a word written small is a part of a name alone: `engine` is not `Tarn Engineering`."""
    words = [word for word in index.cells[place[0]][place[1]] if not word.stop and not word.mark]
    if len(words) < 2 or not all(word.cased for word in words):
        return False
    # What a name begins with may be a kind: of `Oak of the Mill`.
    return words[0].key != token.key


def names_too_little(index: TableIndex, token: Token, row: int, column: int) -> bool:
    """Return whether one word is too little to name a longer cell: a number among others, a common noun."""
    if token.number is None:
        return token.key in row_nouns()
    if token.ordinal or abs(token.number) >= _YEARS_FROM:
        return False
    value = index.table.rows[row][column].value
    if token.text.isalpha() and (value.number is None or value.kind in {Kind.DATE, Kind.MIXED}):
        # Nobody writes the number of a date or a code as a word.
        return True
    if value.kind is Kind.DATE:
        return False
    return index.series[column].get(row) != token.number
