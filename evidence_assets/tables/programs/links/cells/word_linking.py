"""Linking of a claim's words and numbers to a table's cells and headers: the longest spans first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from operator import itemgetter

from evidence_assets.tables.programs.index.derived.hours import HoursTable, columns_with_hours
from evidence_assets.tables.programs.index.summary_rows import OF_ALL, SUMMARIES
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.cells.kinds_in_notes import is_a_kind_in_a_note
from evidence_assets.tables.programs.links.cells.quotations import quoted_cells
from evidence_assets.tables.programs.links.cells.spelling import as_spelt_in
from evidence_assets.tables.programs.links.cells.words_of_cells import (
    alike_denied,
    alike_signed,
    alike_within,
    counts_apart,
    holds_together,
    is_part_of_a_name,
    is_written_small,
    lists_item,
    may_be_the,
    names_too_little,
)
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim, rows_by_column
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST, comparative, is_graded
from evidence_assets.tables.programs.wording.words import Token, number_key
from evidence_assets.tables.table import Kind
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.words import word_set

# Words that a name may contain although the cell does not.
_CROSSED = word_set("of the and in at a an for to per ' , . & / - ( ) :")
_CROSSED_MOST = 2
# Scales that a column may be written in, and the digits that a number needs to be matched at another scale.
_SCALES = (1.0, 1e3, 1e-3, 1e6, 1e-6)
_SCALED_DIGITS = 3


def link(tokens: tuple[Token, ...], index: TableIndex, excluded: Iterable[int] = ()) -> LinkedClaim:
    """Return a claim's links to a table: longest spans first, without overlap, none over excluded tokens."""
    tokens = as_spelt_in(tokens, index)
    free = [True] * len(tokens)
    excluded = set(excluded)
    for position in excluded:
        free[position] = False
    links = list(_quoted_links(tokens, index))
    headers: list[HeaderLink] = []
    for quoted in links:
        free[quoted.start : quoted.end] = [False] * (quoted.end - quoted.start)
    starts = [start for start, token in enumerate(tokens) if free[start] and not token.stop]
    ranked = {start: span for start in starts if (span := _best_span(tokens, free, index, start))}
    while ranked:
        _, best = max(ranked.values(), key=itemgetter(0))
        for position in range(best.start, best.end):
            free[position] = False
            ranked.pop(position, None)
        # Only the spans of words right before it may have reached into it.
        for start in takewhile(free.__getitem__, range(best.start - 1, -1, -1)):
            again = None if tokens[start].stop else _best_span(tokens, free, index, start)
            if again is None:
                ranked.pop(start, None)
            else:
                ranked[start] = again
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


def _quoted_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the link of each quotation that is a cell, whole: of all its words, numbers and denials too."""
    for start, end, keys, places in quoted_cells(tokens, index):
        link = _link_of(index, start, end, keys, places, tokens) if places else None
        if link is not None:
            yield link


# How a span ranks, and the span: the longer, the more of a cell or header, the nearer the front, the better.
_RankedSpan = tuple[tuple[float, float, int], Link | HeaderLink]


def _best_span(
    tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int
) -> _RankedSpan | None:
    """Return the best of the spans that begin at a token; of equals that of cells."""
    cell = _cell_span(tokens, free, index, start)
    if cell is not None and is_a_kind_in_a_note(tokens, index, cell):
        cell = None
    header = _header_span(tokens, free, index, start)
    if (
        cell is not None
        and header is not None
        and (_is_measured(tokens, index, cell, header) or _is_the_time_asked_for(tokens, index, cell, header))
    ):
        cell = None
    spans: list[_RankedSpan] = []
    if cell is not None:
        is_whole_cell = bool(cell.full) and not cell.rows <= index.summaries
        spans.append(((cell.words, 1.0 if is_whole_cell else 0.3, -start), cell))
    if header is not None:
        words = sum(not token.stop for token in tokens[header.start : header.end])
        spans.append(((words, 0.9 * header.share, -start), header))
    return max(spans, key=itemgetter(0), default=None)


def _is_measured(tokens: tuple[Token, ...], index: TableIndex, cell: Link, header: HeaderLink) -> bool:
    """Return whether a word is the whole header of a column of numbers, and a value only of a column that
    the claim does not name, where it tells a number or compares: the share of a party, not that it won.
    """
    numeric = header.share == 1.0 and (header.start, header.end) == (cell.start, cell.end)
    numeric = numeric and all(map(index.is_numeric, header.columns))
    if not numeric or index.table.label_column in cell.places or any(map(index.is_numeric, cell.places)):
        return False
    said = {token.key for token in tokens}
    measures = any(
        (t.number is not None and not t.ordinal) or comparative(t.text) or t.text in _PLACING for t in tokens
    )
    return measures and not any(said.intersection(index.headers[column]) for column in cell.places)


def _is_the_time_asked_for(
    tokens: tuple[Token, ...], index: TableIndex, cell: Link, header: HeaderLink
) -> bool:
    """Return whether a word heads a column of dates where it asks when: `when was it paid`, of `Paid on`."""
    if tokens[0].text != "when" or (header.start, header.end) != (cell.start, cell.end):
        return False
    return all(
        any(cell.value.kind is Kind.DATE for cell in index.table.column(column)) for column in header.columns
    )


# Words that place one thing before or after another, as comparatives do.
_PLACING = frozenset({"ahead", "behind"})


def _cell_span(tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int) -> Link | None:
    keys = [tokens[start].key]
    places = index.postings.get(keys[0])
    if places and _ends_a_code(tokens, start) and free[start - 1]:
        # What stands in a cell is the code: `C3 and B3` tells no 3.
        return None
    word = tokens[start].text
    if places and (is_graded(word, "er") or is_graded(word, "est")):
        # What is easier than another is not what a cell calls easy.
        places = {
            (row, column)
            for row, column in places
            if any(token.text == word for token in index.cells[row][column])
        }
    if places and tokens[start].ordinal:
        places = {place for place in places if may_be_the(tokens, start, index, place[1])}
        places = {place for place in places if is_of_ranks(index, place[1])} or places
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
            joined = tokens[position - 1].end == token.start
            if token.key in keys:
                # Of `from Q2 2022 to Q3 2022` no cell has the year twice.
                said = keys.count(token.key)
                closer = {place for place in closer if index.keys[place].count(token.key) > said}
            closer = {
                place
                for place in closer
                if holds_together(index.keys[place], [*keys, token.key], joined=joined)
            }
            if not closer or counts_apart(tokens[end - 1 : position + 1]):
                break
            places, end, crossed = closer, position + 1, 0
            keys.append(token.key)
        position += 1
    return _link_of(index, start, end, keys, places, tokens)


def _ends_a_code(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number is the end of a code of letters and figures: the 3 of C3."""
    code, before = tokens[position], tokens[max(0, position - 1)]
    is_joined = code.text.isdigit() and not code.ordinal and before.end == code.start
    return is_joined and before.text.isalpha() and len(before.text) <= _LETTERS_OF_CODES


_LETTERS_OF_CODES = 3


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
        places = index.numbered.get(number_key(number * scale))
        if places:
            by_column = rows_by_column(places)
            return Link(start, start + 1, by_column, frozenset(by_column), 1, number)
    return None


def _link_of(
    index: TableIndex,
    start: int,
    end: int,
    keys: list[str],
    places: set[tuple[int, int]],
    tokens: tuple[Token, ...],
) -> Link | None:
    size = len(keys)
    if size == 1 and ":" in tokens[start].text:
        # Which end of hours a time is, says a verb.
        table = index.table
        of_hours = {table.start, table.end} if isinstance(table, HoursTable) else columns_with_hours(table)
        places = {place for place in places if place[1] not in of_hours}
    places = alike_within(index, alike_denied(index, places, tokens, start), tokens, start)
    places = alike_signed(index, places, tokens, end)
    number = tokens[start].number if end == start + 1 else None
    whole = {place for place in places if len(index.keys[place]) <= size}
    listing = {column for _, column in whole} - {index.table.label_column}
    whole |= {place for place in places if place[1] in listing and lists_item(index, place, keys)}
    complete = rows_by_column(whole)
    word, small = tokens[start], is_written_small(tokens, start)
    partial = rows_by_column(
        place
        for place in places
        if size > 1
        or not (names_too_little(index, word, *place) or (small and is_part_of_a_name(index, word, place)))
    )
    of_rows = frozenset[int]().union(*complete.values(), *partial.values())
    in_part = size == 1 and not complete and of_rows <= index.summaries
    if not of_rows or (in_part and not _names_all(tokens, start)):
        # The region of `the Moor region` is not that of `All regions`.
        return None
    # A month is said of every date in it, and whole where a cell tells no more than the month.
    dates = {column: rows | partial.get(column, rows) for column, rows in complete.items()}
    places_of_rows = partial | (dates if word.text in MONTHS else complete)
    opening = start - _words_before(index, whole, tokens, start)
    return Link(opening, end, places_of_rows, frozenset(complete), size, number)


def _words_before(
    index: TableIndex, places: Collection[tuple[int, int]], tokens: tuple[Token, ...], start: int
) -> int:
    """Return how many words before a span whole cells begin with that grade: one of `least concern`."""
    graded = tokens[start - 1].text if start else ""
    if not places or graded not in HIGHEST | LOWEST:
        return 0
    cells = [[token.text for token in index.cells[row][column]] for row, column in places]
    return int(all(cell[:2] == [graded, tokens[start].text] for cell in cells))


def _names_all(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a word may name a row of all others: `total`, the region of `in the whole region`."""
    before = {token.text for token in tokens[max(0, position - 2) : position]}
    return tokens[position].key in SUMMARIES or not before.isdisjoint(OF_ALL)


def _header_span(
    tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int
) -> HeaderLink | None:
    columns = index.columns_like(tokens[start].key)
    if tokens[start].text == "times" and "".join(token.text for token in tokens[start - 1 : start]) in _OFTEN:
        # How often something was done, and not how long it took.
        columns = {column for column in columns if "times" in index.table.header[column].lower()}
    several = tokens[start].number is not None and not tokens[start].ordinal and len(columns) > 1
    if not columns:
        return _spelt_initials(tokens, free, index, start)
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
    key = tokens[start].key
    if key not in index.header_postings and columns == index.columns_measured_by(key):
        # What measures several columns says of none more than of another.
        return HeaderLink(start, end, frozenset(columns), min(share.values()))
    return _of_the_nearest(tokens, start, end, index, share)


def _of_the_nearest(
    tokens: tuple[Token, ...], start: int, end: int, index: TableIndex, share: Mapping[int, float]
) -> HeaderLink:
    """Return the link to the columns of whose headers the claim says the most, words beside them too.

    `share`: how much of each column's header it says. Of two columns it says the one that it names whole, but
    for its unit: `GDP (US$ billion)`, and not `GDP growth`.
    """
    said = {token.key for token in tokens[start:end]}
    whole = {c: top for c, top in share.items() if index.named[c] and said.issuperset(index.named[c])}
    top = max((whole or share).values())
    best = frozenset(column for column in whole or share if share[column] == top)
    if len(best) > 1:
        beside = {c: _said_beside(tokens, start, end, index, c) for c in best}
        best = frozenset(column for column, words in beside.items() if words == max(beside.values()))
    behind = {token.text for token in tokens[end : end + 1]}
    says_when = _OF_SIDES & behind and all(behind == {*index.closings[column]} for column in best)
    is_a_date = _DATES & behind and best <= {*index.dated}
    is_a_time = _CLOCKS & behind and best <= {*index.clocks}
    return HeaderLink(start, end + bool(says_when or is_a_date or is_a_time), best, top)


# Behind a header they say of which time its column is: `weight before`, `weight after`.
_OF_SIDES = frozenset({"before", "after"})
# Behind the header of a column of times what it tells: `the start date`, `the closing time`.
_DATES, _CLOCKS = frozenset({"date", "dates", "day"}), frozenset({"time", "times"})


def _spelt_initials(
    tokens: tuple[Token, ...], free: list[bool], index: TableIndex, start: int
) -> HeaderLink | None:
    """Return the link of words of which a header has the initials: `systolic blood pressure` of SBP."""
    for words, short in index.initials.items():
        end = start + len(words)
        if all(free[start:end]) and tuple(token.text for token in tokens[start:end]) == words:
            share = {column: 1.0 / len(index.headers[column]) for column in index.header_postings[short]}
            return _of_the_nearest(tokens, start, end, index, share)
    return None


_OFTEN = frozenset({"most", "fewest", "more", "fewer"})


def _said_beside(tokens: tuple[Token, ...], start: int, end: int, index: TableIndex, column: int) -> int:
    """Return how many words of a header a claim says before and behind those that carry something.

    The `very` of `very satisfied`, the `against` of `goals against`; less where it says others there.
    """
    opening, closing = index.openings[column], index.closings[column]
    before = tuple(token.text for token in tokens[max(0, start - len(opening)) : start])
    behind = tuple(token.text for token in tokens[end : end + len(closing)])
    return (len(opening) if before == opening else -1) + (len(closing) if behind == closing else -1)
