"""Links from a claim's words and numbers to a table's cells and headers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz, process

from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.trigger_lexicon import row_nouns
from evidence_assets.tables.programs.words import MONTH_NAMES, Token
from evidence_assets.tables.table import Kind

HEADER = -1
# Words that may stand inside a name without being part of what the cell says.
_CROSSED = frozenset(
    {"of", "the", "and", "in", "at", "a", "an", "for", "to", "'", ",", ".", "&", "/", "-", "(", ")", ":"}
)
_CROSSED_MOST = 2
_YEARS_FROM = 1000
# What a column may be counted in, and the digits that a number needs to be known again.
_SCALES = (1.0, 1e3, 1e-3, 1e6, 1e-6)
_SCALED_DIGITS = 3
# Words as alike as this in spelling, and no shorter, are taken for one.
_FUZZY_LEAST, _FUZZY_LENGTH = 84, 5
_MONTHS = frozenset(MONTH_NAMES)
_DEMONYM_ENDS = ("n", "an", "ian", "ean", "ese", "ish", "i", "nian")


@dataclass(frozen=True)
class Link:
    """Cells that a span of the claim names: `[start, end)` of its tokens.

    `places`: the rows by column. `full`: columns whose cells the span says whole. `words`: content tokens.
    """

    start: int
    end: int
    places: dict[int, frozenset[int]]
    full: frozenset[int]
    words: int
    number: float | None = None
    bound: str = ""

    @property
    def rows(self) -> frozenset[int]:
        """Rows that hold it, in whatever column."""
        return frozenset[int]().union(*self.places.values())

    def within(self, columns: Iterable[int]) -> Link:
        """Return the link with these columns alone."""
        kept = {column: self.places[column] for column in columns if column in self.places}
        return Link(self.start, self.end, kept, self.full & set(kept), self.words, self.number, self.bound)


@dataclass(frozen=True)
class HeaderLink:
    """Columns that a span of the claim names. `share`: of the header's content words that the span says."""

    start: int
    end: int
    columns: frozenset[int]
    share: float


@dataclass
class Linked:
    """A claim's tokens with all that was linked. `unknown`: content tokens found nowhere in the table."""

    tokens: tuple[Token, ...]
    index: TableIndex
    links: list[Link]
    headers: list[HeaderLink]
    unknown: list[int]

    def in_header(self, at: int) -> bool:
        """Return whether a token is of a header that the claim names."""
        return any(one.start <= at < one.end for one in self.headers)

    @property
    def inside_names(self) -> frozenset[int]:
        """Tokens inside a link of several words."""
        return frozenset(at for one in self.links if one.words > 1 for at in range(one.start, one.end))

    @property
    def coverage(self) -> float:
        """Share of the claim's content words found in a cell or a header."""
        whole = sum(not token.stop for token in self.tokens)
        return 1.0 - len(self.unknown) / whole if whole else 0.0


def link(found: tuple[Token, ...], index: TableIndex, taken: Iterable[int] = ()) -> Linked:
    """Return a claim's links to a table: the longest spans first, none over another or over taken tokens."""
    found = _repaired(found, index)
    free = [True] * len(found)
    taken = set(taken)
    for at in taken:
        free[at] = False
    links: list[Link] = []
    headers: list[HeaderLink] = []
    while True:
        best = _best_span(found, free, index)
        if best is None:
            break
        for at in range(best.start, best.end):
            free[at] = False
        if isinstance(best, Link):
            links.append(best)
        else:
            headers.append(best)
    links.sort(key=lambda one: one.start)
    headers.sort(key=lambda one: one.start)
    unknown = [
        at for at, token in enumerate(found) if free[at] and not token.stop and token.key not in index.caption
    ]
    return Linked(found, index, links, headers, unknown)


def _repaired(found: tuple[Token, ...], index: TableIndex) -> tuple[Token, ...]:
    """Return the claim's tokens, with words that the table spells otherwise brought to its form."""
    made = []
    for token in found:
        known = (
            token.key in index.postings or token.key in index.header_postings or token.key in index.caption
        )
        if known or token.stop or token.number is not None or len(token.key) < 4:
            made.append(token)
            continue
        key = _near_word(token.key, index)
        made.append(Token(token.text, key, None) if key else token)
    return tuple(made)


def _near_word(key: str, index: TableIndex) -> str | None:
    for cut in range(len(key) - 1, 3, -1):
        if key[:cut] in index.postings and key[cut:] in _DEMONYM_ENDS:
            return key[:cut]
    if len(key) < _FUZZY_LENGTH:
        return None
    near = process.extractOne(key, index.vocabulary, scorer=fuzz.ratio, score_cutoff=_FUZZY_LEAST)
    return str(near[0]) if near else None


def _best_span(found: tuple[Token, ...], free: list[bool], index: TableIndex) -> Link | HeaderLink | None:
    best: tuple[tuple[float, ...], Link | HeaderLink] | None = None
    for start, token in enumerate(found):
        if not free[start] or token.stop:
            continue
        cell = _cell_span(found, free, index, start)
        head = _header_span(found, free, index, start)
        for one in (cell, head):
            if one is None:
                continue
            if isinstance(one, Link):
                rank = (one.words, 1.0 if one.full else 0.3, -start)
            else:
                words = sum(not t.stop for t in found[one.start : one.end])
                rank = (words, 0.9 * one.share, -start)
            if best is None or rank > best[0]:
                best = rank, one
    return best[1] if best else None


def _cell_span(found: tuple[Token, ...], free: list[bool], index: TableIndex, start: int) -> Link | None:
    keys = [found[start].key]
    places = index.postings.get(keys[0])
    if not places:
        return _scaled_link(found, index, start)
    end = at = start + 1
    crossed = 0
    while at < len(found) and free[at]:
        token = found[at]
        if token.stop:
            crossed += 1
            if token.key not in _CROSSED or crossed > _CROSSED_MOST + 1:
                break
        else:
            closer = places & index.postings.get(token.key, set())
            closer = {place for place in closer if _holds(index.keys[place], [*keys, token.key])}
            if not closer:
                break
            places, end, crossed = closer, at + 1, 0
            keys.append(token.key)
        at += 1
    return _made_link(index, start, end, keys, places, found)


def _scaled_link(found: tuple[Token, ...], index: TableIndex, start: int) -> Link | None:
    """Return the link of a number to cells that write it in thousands, millions or without its point."""
    number = found[start].number
    if (
        number is None
        or found[start].ordinal
        or len(found[start].text.strip("0.")) < _SCALED_DIGITS - ("." in found[start].text)
    ):
        return None
    for scale in _SCALES:
        places = index.numbered.get(f"{number * scale:.10g}")
        if places:
            by_column: dict[int, set[int]] = {}
            for row, column in places:
                by_column.setdefault(column, set()).add(row)
            kept = {column: frozenset(rows) for column, rows in by_column.items()}
            return Link(start, start + 1, kept, frozenset(kept), 1, number)
    return None


def _holds(cell: tuple[str, ...], keys: list[str]) -> bool:
    """Return whether a cell says the words: numbers among them in their order, one after the other."""
    if keys[-1][-1:].isdigit() and keys[-2][-1:].isdigit() and not _MONTHS.intersection(keys):
        pair = keys[-2], keys[-1]
        return any(pair == two for two in pairwise(cell))
    return all(cell.count(key) >= keys.count(key) for key in set(keys[-1:])) or len(keys) == 1


def _made_link(
    index: TableIndex,
    start: int,
    end: int,
    keys: list[str],
    places: set[tuple[int, int]],
    found: tuple[Token, ...],
) -> Link | None:
    by_column: dict[int, set[int]] = {}
    whole: dict[int, set[int]] = {}
    size = len(keys)
    number = found[start].number if end == start + 1 else None
    for row, column in places:
        if len(index.keys[row, column]) <= size:
            whole.setdefault(column, set()).add(row)
        elif size == 1 and _is_weak(index, found[start], row, column):
            continue
        by_column.setdefault(column, set()).add(row)
    if not by_column:
        return None
    kept = {column: frozenset(whole.get(column, rows)) for column, rows in by_column.items()}
    return Link(start, end, kept, frozenset(whole), size, number)


def _is_weak(index: TableIndex, token: Token, row: int, column: int) -> bool:
    """Return whether one word says too little of a cell to name it: a number among others, a common noun."""
    if token.number is None:
        return token.key in row_nouns()
    if token.ordinal or abs(token.number) >= _YEARS_FROM:
        return False
    if index.table.rows[row][column].value.kind is Kind.DATE:
        return False
    return index.series[column].get(row) != token.number


def _header_span(
    found: tuple[Token, ...], free: list[bool], index: TableIndex, start: int
) -> HeaderLink | None:
    columns = index.columns_like(found[start].key)
    several = found[start].number is not None and not found[start].ordinal and len(columns) > 1
    if not columns or several:
        return None
    end = at = start + 1
    words, crossed = 1, 0
    while at < len(found) and free[at]:
        token = found[at]
        if token.stop:
            crossed += 1
            if token.key not in _CROSSED or crossed > _CROSSED_MOST:
                break
        else:
            closer = columns & index.columns_like(token.key)
            if not closer:
                break
            columns, end, crossed, words = closer, at + 1, 0, words + 1
        at += 1
    share = {column: min(1.0, words / max(1, len(index.headers[column]))) for column in columns}
    top = max(share.values())
    kept = frozenset(column for column in columns if share[column] == top)
    return HeaderLink(start, end, kept, top)
