"""Linking of a claim's words and numbers to a table's cells and headers."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rapidfuzz import fuzz, process

from evidence_assets.tables.cell_dates import MONTH_NAMES
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    NEGATIONS,
    RANKED_COLUMNS,
    is_graded,
    row_nouns,
)
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Kind

HEADER = -1
# Words that a name may contain although the cell does not.
_CROSSED = frozenset(
    {"of", "the", "and", "in", "at", "a", "an", "for", "to", "'", ",", ".", "&", "/", "-", "(", ")", ":"}
)
_CROSSED_MOST = 2
_YEARS_FROM = 1000
# Scales that a column may be written in, and the digits that a number needs to be matched at another scale.
_SCALES = (1.0, 1e3, 1e-3, 1e6, 1e-6)
_SCALED_DIGITS = 3
# Least similarity of spelling, in percent, and least length, of misspelt words that are matched.
_FUZZY_LEAST, _FUZZY_LENGTH = 84, 5
_MONTHS = frozenset(MONTH_NAMES)
_DEMONYM_ENDS = ("n", "an", "ian", "ean", "ese", "ish", "i", "nian")


@dataclass(frozen=True)
class Link:
    """Cells that the tokens `[start, end)` of the claim name.

    `places`: the rows by column. `full`: columns where the span is a whole cell. `words`: content tokens.
    `bound`: the condition of a link that is a threshold, else empty. `undetermined`: rows of which the table
    does not tell whether they meet it.
    """

    start: int
    end: int
    places: dict[int, frozenset[int]]
    full: frozenset[int]
    words: int
    number: float | None = None
    bound: str = ""
    undetermined: frozenset[int] = frozenset()

    @classmethod
    def of_column(
        cls, start: int, end: int, column: int, rows: frozenset[int], bound: str, words: int = 1
    ) -> Link:
        """Return the link of a span to the rows of one column that meet a condition."""
        return cls(start, end, {column: rows}, frozenset({column}), words, bound=bound)

    @property
    def rows(self) -> frozenset[int]:
        """The rows of any column."""
        return frozenset[int]().union(*self.places.values())

    def within(self, columns: Iterable[int]) -> Link:
        """Return the link restricted to these columns."""
        places = {column: self.places[column] for column in columns if column in self.places}
        return replace(self, places=places, full=frozenset(self.full & places.keys()))


def positions_of(spans: Iterable[Link | HeaderLink | Threshold | Superlative]) -> frozenset[int]:
    """Return the positions of the tokens of some spans."""
    return frozenset(position for span in spans for position in range(span.start, span.end))


def is_weak(link: Link) -> bool:
    """Return whether a link rests on a single word of a longer cell."""
    return link.words == 1 and link.number is None and not link.full and bool(link.places)


@dataclass(frozen=True)
class HeaderLink:
    """Columns that a span of the claim names. `share`: of the header's content words in the span."""

    start: int
    end: int
    columns: frozenset[int]
    share: float


@dataclass
class LinkedClaim:
    """A claim's tokens with their links. `unknown`: positions of content tokens that are not in the table."""

    tokens: tuple[Token, ...]
    index: TableIndex
    links: list[Link]
    headers: list[HeaderLink]
    unknown: list[int]

    def in_header(self, position: int) -> bool:
        """Return whether a token belongs to a linked header."""
        return any(header.start <= position < header.end for header in self.headers)

    @property
    def inside_names(self) -> frozenset[int]:
        """Positions of the tokens of links of several words."""
        return positions_of(link for link in self.links if link.words > 1)

    @property
    def coverage(self) -> float:
        """Share of the claim's content words found in a cell or a header."""
        return self.coverage_with(())

    def coverage_with(self, bound: Container[int]) -> float:
        """Return the share of the content words found in a cell or a header, or bound at these positions."""
        words = sum(not token.stop for token in self.tokens)
        unaccounted = sum(position not in bound for position in self.unknown)
        return 1.0 - unaccounted / words if words else 0.0


def link(tokens: tuple[Token, ...], index: TableIndex, excluded: Iterable[int] = ()) -> LinkedClaim:
    """Return a claim's links to a table: longest spans first, without overlap, none over excluded tokens."""
    tokens = _repaired(tokens, index)
    free = [True] * len(tokens)
    excluded = set(excluded)
    for position in excluded:
        free[position] = False
    links: list[Link] = []
    headers: list[HeaderLink] = []
    while True:
        best = _best_span(tokens, free, index)
        if best is None:
            break
        for position in range(best.start, best.end):
            free[position] = False
        if isinstance(best, Link):
            links.append(best)
        else:
            headers.append(best)
    links.sort(key=lambda span: span.start)
    headers.sort(key=lambda span: span.start)
    unknown = [
        position
        for position, token in enumerate(tokens)
        if free[position] and not token.stop and token.key not in index.caption
    ]
    return LinkedClaim(tokens, index, links, headers, unknown)


def _repaired(tokens: tuple[Token, ...], index: TableIndex) -> tuple[Token, ...]:
    """Return the claim's tokens, misspelt or derived words replaced by the table's spelling."""
    result = []
    for token in tokens:
        in_table = (
            token.key in index.postings or token.key in index.header_postings or token.key in index.caption
        )
        if in_table or token.stop or token.number is not None or len(token.key) < 4:
            result.append(token)
            continue
        key = _near_word(token.key, index)
        result.append(replace(token, key=key) if key else token)
    return tuple(result)


def _near_word(key: str, index: TableIndex) -> str | None:
    for length in range(len(key) - 1, 3, -1):
        if key[:length] in index.postings and key[length:] in _DEMONYM_ENDS:
            return key[:length]
    if len(key) < _FUZZY_LENGTH:
        return None
    # Who misspells a word mostly knows how it begins: `bother` is no `other`.
    alike = [word for word in index.vocabulary if word[0] == key[0]]
    match = process.extractOne(key, alike, scorer=fuzz.ratio, score_cutoff=_FUZZY_LEAST)
    return str(match[0]) if match else None


def _best_span(tokens: tuple[Token, ...], free: list[bool], index: TableIndex) -> Link | HeaderLink | None:
    best: tuple[tuple[float, ...], Link | HeaderLink] | None = None
    for start, token in enumerate(tokens):
        if not free[start] or token.stop:
            continue
        cell = _cell_span(tokens, free, index, start)
        header = _header_span(tokens, free, index, start)
        for span in (cell, header):
            if span is None:
                continue
            if isinstance(span, Link):
                is_whole_cell = bool(span.full) and not span.rows <= index.summaries
                rank = (span.words, 1.0 if is_whole_cell else 0.3, -start)
            else:
                words = sum(not t.stop for t in tokens[span.start : span.end])
                rank = (words, 0.9 * span.share, -start)
            if best is None or rank > best[0]:
                best = rank, span
    return best[1] if best else None


def _cell_span(tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int) -> Link | None:
    keys = [tokens[start].key]
    places = index.postings.get(keys[0])
    word = tokens[start].text
    if places and (is_graded(word, "er") or is_graded(word, "est")):
        # What is easier than another is not what a cell calls easy.
        places = {
            (row, column)
            for row, column in places
            if any(token.text == word for token in index.cells[row][column])
        }
    if places and tokens[start].ordinal:
        places = {place for place in places if _may_be_the(tokens, start, index, place[1])}
    if not places:
        return _scaled_link(tokens, index, start)
    end = position = start + 1
    crossed = 0
    while position < len(tokens) and free[position]:
        token = tokens[position]
        if token.stop:
            crossed += 1
            if token.key not in _CROSSED or crossed > _CROSSED_MOST + 1:
                break
        else:
            closer = places & index.postings.get(token.key, set())
            closer = {place for place in closer if _holds(index.keys[place], [*keys, token.key])}
            if not closer or _counts_apart(tokens[end - 1 : position + 1]):
                break
            places, end, crossed = closer, position + 1, 0
            keys.append(token.key)
        position += 1
    return _link_of(index, start, end, keys, places, tokens)


def _counts_apart(span: tuple[Token, ...]) -> bool:
    """Return whether an ordinal is of so many: `first of the two` is no score of 1–2, `3rd of 12` a place."""
    first, *between, last = span
    return first.ordinal and last.number is not None and any(token.text == "the" for token in between)


def _may_be_the(tokens: tuple[Token, ...], start: int, index: TableIndex, column: int) -> bool:
    """Return whether an ordinal may be a column's: no quantity, and of the noun behind it if it is a number.

    A `second weekend` is no screen 2.
    """
    if tokens[start].text.isalpha() and index.tells_amounts(column):
        # What comes first is no quantity, nor what a year's column tells.
        return False
    noun = tokens[start + 1] if start + 1 < len(tokens) else None
    numbers = index.series[column].values()
    # A column of numbers without repetition numbers its rows.
    counts_rows = len(set(numbers)) == len(numbers) or not index.is_numeric(column)
    if noun is None or noun.stop or noun.mark or noun.number is not None or counts_rows:
        return True
    of_ranks = noun.key in RANKED_COLUMNS or not RANKED_COLUMNS.isdisjoint(index.headers[column])
    return of_ranks or column in index.columns_like(noun.key)


def _scaled_link(tokens: tuple[Token, ...], index: TableIndex, start: int) -> Link | None:
    """Return the link of a number to cells that hold it in thousands or millions, or fractions of them."""
    number = tokens[start].number
    if (
        number is None
        or tokens[start].ordinal
        or tokens[start].text.isalpha()
        or len(tokens[start].text.strip("0.")) < _SCALED_DIGITS - ("." in tokens[start].text)
    ):
        return None
    for scale in _SCALES:
        places = index.numbered.get(f"{number * scale:.10g}")
        if places:
            by_column = rows_by_column(places)
            return Link(start, start + 1, by_column, frozenset(by_column), 1, number)
    return None


def rows_by_column(cells: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Return the rows of cells (row, column), by column."""
    rows: dict[int, set[int]] = {}
    for row, column in cells:
        rows.setdefault(column, set()).add(row)
    return {column: frozenset(members) for column, members in rows.items()}


def _holds(cell: tuple[str, ...], keys: list[str]) -> bool:
    """Return whether a cell holds the words; of two numbers in a row, adjacent and in order."""
    if keys[-1][-1:].isdigit() and keys[-2][-1:].isdigit() and not _MONTHS.intersection(keys):
        pair = keys[-2], keys[-1]
        return any(pair == two for two in pairwise(cell))
    return all(cell.count(key) >= keys.count(key) for key in set(keys[-1:])) or len(keys) == 1


def _link_of(
    index: TableIndex,
    start: int,
    end: int,
    keys: list[str],
    places: set[tuple[int, int]],
    tokens: tuple[Token, ...],
) -> Link | None:
    size = len(keys)
    places = _alike_denied(index, places, tokens, start)
    number = tokens[start].number if end == start + 1 else None
    whole = {place for place in places if len(index.keys[place]) <= size}
    listing = {column for _, column in whole} - {index.table.label_column}
    whole |= {place for place in places if place[1] in listing and _is_an_item(index, place, keys)}
    complete = rows_by_column(whole)
    partial = rows_by_column(
        place
        for place in places
        if size > 1
        or not (_is_weak(index, tokens[start], *place) or _is_common_word(tokens, start, index, place))
    )
    if not complete and not partial:
        return None
    return Link(start, end, partial | complete, frozenset(complete), size, number)


def _is_an_item(index: TableIndex, place: tuple[int, int], keys: Sequence[str]) -> bool:
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


_LISTING = frozenset({",", ";", "/", "+", "&", "and"})


def _alike_denied(
    index: TableIndex, places: set[tuple[int, int]], tokens: tuple[Token, ...], start: int
) -> set[tuple[int, int]]:
    """Return the cells that deny a span as the claim does: `guilty` is not what `not guilty` says."""
    key = tokens[start].key
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


def _is_common_word(tokens: tuple[Token, ...], start: int, index: TableIndex, place: tuple[int, int]) -> bool:
    """Return whether a word written small is a part of a name alone: `engine` is not `Tarn Engineering`."""
    token = tokens[start]
    if token.cased or token.number is not None or not any(other.cased for other in tokens):
        return False
    words = [word for word in index.cells[place[0]][place[1]] if not word.stop and not word.mark]
    if len(words) < 2 or not all(word.cased for word in words):
        return False
    # What a name begins with may be a kind: of `Oak of the Mill`.
    return words[0].key != token.key


def _is_weak(index: TableIndex, token: Token, row: int, column: int) -> bool:
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


def _header_span(
    tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int
) -> HeaderLink | None:
    columns = index.columns_like(tokens[start].key)
    several = tokens[start].number is not None and not tokens[start].ordinal and len(columns) > 1
    if not columns:
        return None
    end = position = start + 1
    words, crossed = 1, 0
    while position < len(tokens) and free[position]:
        token = tokens[position]
        if token.stop:
            crossed += 1
            if token.key not in _CROSSED or crossed > _CROSSED_MOST:
                break
        else:
            closer = columns & index.columns_like(token.key)
            repeated = any(before.key == token.key for before in tokens[start:position])
            if not closer or (repeated and crossed):
                # `Heat 1 and heat 3`.
                break
            columns, end, crossed, words = closer, position + 1, 0, words + 1
        position += 1
    if several and words == 1:
        return None
    share = {column: min(1.0, words / max(1, len(index.headers[column]))) for column in columns}
    top = max(share.values())
    best = frozenset(column for column in columns if share[column] == top)
    if len(best) > 1:
        beside = {c: _said_beside(tokens, start, end, index, c) for c in best}
        best = frozenset(column for column, words in beside.items() if words == max(beside.values()))
    return HeaderLink(start, end, best, top)


def _said_beside(tokens: tuple[Token, ...], start: int, end: int, index: TableIndex, column: int) -> int:
    """Return how many words of a header a claim says before and behind those that carry something.

    The `very` of `very satisfied`, the `against` of `goals against`; less where it says others there.
    """
    opening, closing = index.openings[column], index.closings[column]
    before = tuple(token.text for token in tokens[max(0, start - len(opening)) : start])
    behind = tuple(token.text for token in tokens[end : end + len(closing)])
    return (len(opening) if before == opening else -1) + (len(closing) if behind == closing else -1)
