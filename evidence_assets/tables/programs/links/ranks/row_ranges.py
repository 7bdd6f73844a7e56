"""Links of ranges: the rows from one value of a column to another, and so many first or last rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link, LinkedClaim
from evidence_assets.tables.programs.links.ranks.standings import are_places, ranked_columns
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, direction, each_word
from evidence_assets.tables.programs.wording.words import ARTICLES, Token
from evidence_assets.tables.programs.wording.words_of_time import FIRST, JOINS_OF_TIMES, LAST, TIMES
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words, averaging_words
from evidence_assets.text.dates import is_year

# A header and an article may stand between `between` and what it opens.
_BEFORE_RANGE = 3


def ranges_of_rows(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, those of two values that open and end a range as the rows from one to the other.

    `Between January and May` is one, `from January to May` where the rows are summed up.
    """
    links = _between(linked, links)
    texts = tuple(token.text for token in linked.tokens)
    everything = range(len(texts))
    adds_up = adding_words(texts, everything) or averaging_words(texts, everything)
    if not (adds_up or each_word(texts) is not None or _counts_within_times(linked, texts)):
        return links
    for first, last in pairwise(links):
        opens = first.start and texts[first.start - 1] == "from"
        if not opens or texts[first.end : last.start] not in _JOINS:
            continue
        # The January of `Jan 2023` is not all that its cell says.
        in_part = first.places.keys() & last.places.keys() & {*linked.index.dated}
        for column in sorted(first.full & last.full or in_part):
            rows = [*first.places[column], *last.places[column]]
            if len(rows) == 2 and rows[0] < rows[1] and _are_in_order(linked, column):
                between = {column: frozenset(range(rows[0], rows[1] + 1)) & linked.index.rows}
                bound = f"from {' '.join(texts[first.start : last.end])}"
                joint = Link(first.start, last.end, between, frozenset({column}), 2, bound=bound)
                others = [link for link in links if link not in (first, last) and not _sums_up(linked, link)]
                return [*others, joint]
    return links


def of_the_year_behind(index: TableIndex, tokens: tuple[Token, ...], first: Link, last: Link) -> Link:
    """Return the first of two times, in the year that the second tells: of `between Q1 and Q4 2022`."""
    years = {token.key for token in tokens[last.start : last.end] if is_year(token.text)}
    narrowed = {
        column: frozenset(row for row in rows if years.intersection(index.keys[row, column])) or rows
        for column, rows in first.places.items()
    }
    return replace(first, places=narrowed) if years and narrowed != first.places else first


def _are_in_order(linked: LinkedClaim, column: int) -> bool:
    """Return whether a column's dates, if it tells such, follow one another down its rows."""
    index = linked.index
    times = [index.series[column][row] for row in sorted(index.series[column]) if row not in index.summaries]
    return column not in index.dated or times == sorted(times)


def _sums_up(linked: LinkedClaim, link: Link) -> bool:
    """Return whether a link is of rows that sum up others: the total of `from May to July in total`."""
    return frozenset[int]().union(*link.places.values()) <= linked.index.summaries


def _counts_within_times(linked: LinkedClaim, texts: tuple[str, ...]) -> bool:
    """Return whether it asks how many there were from one time to another, and of no change."""
    label = linked.index.table.label_column
    if label is None or TIMES.isdisjoint(linked.index.headers[label]):
        return False
    counts = any(pair in _HOW_MANY for pair in pairwise(texts))
    changes = "by" in texts or any(direction(text) or comparative(text) for text in texts)
    return counts and not changes


_HOW_MANY = {("how", "many"), ("how", "much")}
_JOINS = {(word,) for word in JOINS_OF_TIMES - {"-", "and"}}


def _between(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, `between game 35 and 48` as the rows whose number is from one to the other."""
    index, texts = linked.index, [token.text for token in linked.tokens]
    for opening, last in pairwise(links):
        first = of_the_year_behind(index, linked.tokens, opening, last)
        opened = [n for n in range(max(0, first.start - _BEFORE_RANGE), first.start) if texts[n] == "between"]
        if not opened or texts[first.end : last.start] not in (["and"], ["-"], ["to"]):
            continue
        for column in sorted(first.places.keys() & last.places.keys()):
            numbers = index.series[column]
            ends = [numbers[row] for link in (first, last) for row in link.places[column] if row in numbers]
            if index.is_numeric(column) and ends and not first.places[column] & last.places[column]:
                from_first, untold_from = index.rows_within(column, ">=", min(ends))
                to_last, untold_to = index.rows_within(column, "<=", max(ends))
                untold = (from_first | untold_from) & (to_last | untold_to) - (from_first & to_last)
                bound = " ".join(texts[opened[0] : last.end])
                rows = from_first & to_last
                joint = Link.of_column(opened[0], last.end, column, rows, bound, 2, undetermined=untold)
                return [*(link for link in links if link not in (opening, last)), joint]
    return links


_ENDS = {**dict.fromkeys(FIRST | {"top"}, False), **dict.fromkeys(LAST | {"bottom"}, True)}


def slice_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return links of `the first 3`, `the last two`, `the top 5` to so many rows, in the table's order.

    The top are those of the highest rank, where a column tells it of every row.
    """
    links = []
    in_order = sorted(index.rows)
    for position in range(1, len(tokens) - 1):
        end, token = _ENDS.get(tokens[position].text), tokens[position + 1]
        number = token.number
        if (of_places := _top_of_places(tokens, position, index)) is not None:
            links.append(of_places)
            continue
        if end is None or number is None or token.ordinal or tokens[position - 1].text not in _OPENING_SLICE:
            continue
        rows = _by_rank(in_order, index) if tokens[position].text in _BY_RANK else in_order
        if (
            number != int(number)
            or not 1 <= number <= len(rows)
            or _heads_a_number(index, tokens[position].text)
        ):
            continue
        slice_rows = rows[-int(number) :] if end else rows[: int(number)]
        column = index.table.label_column or 0
        if tokens[position].text in _BY_RANK and (of_ranks := _column_of_ranks(index)) is not None:
            column, ranks = of_ranks, index.series[of_ranks]
            # Of those who share a place all are among the top.
            slice_rows = slice_rows if end else [row for row in rows if ranks[row] <= number]
        places = {column: frozenset(slice_rows)}
        bound = f"in the {tokens[position].text} {number:g}"
        links.append(Link(position, position + 2, places, frozenset(places), 2, bound=bound))
    return links


def _heads_a_number(index: TableIndex, text: str) -> bool:
    """Return whether a header says itself of how many it is the top: `Top 10`."""
    columns = index.header_postings.get(text, ())
    return any(any(map(str.isdigit, index.table.header[column])) for column in columns)


def _top_of_places(tokens: tuple[Token, ...], position: int, index: TableIndex) -> Link | None:
    """Return `the top 40 of the charts` as the rows of such a place, in the column whose header it says.

    None where it says none of whole numbers from 1, without a unit.
    """
    number = tokens[position + 1].number
    if tokens[position].text != "top" or number is None or tokens[position + 1].ordinal:
        return None
    following = [token for token in tokens[position + 2 : position + 7] if token.text not in ARTICLES]
    if not following or following[0].text not in _OF_PLACES:
        return None
    columns = index.header_postings.get(following[1].key, set()) if following[1:] else set()
    for token in following[2:]:
        columns = columns & index.header_postings.get(token.key, set()) or columns
    of_places = [column for column in columns if are_places(index, column)]
    if len(of_places) != 1:
        return None
    places = index.series[of_places[0]]
    rows = frozenset(row for row, place in places.items() if place <= number) - index.summaries
    return Link.of_column(position, position + 2, of_places[0], rows, f"in the top {number:g}", 2)


_OF_PLACES = frozenset({"of", "on", "in"})


def _column_of_ranks(index: TableIndex) -> int | None:
    """Return the only column of ranks; None where it does not tell the rank of each row."""
    columns = ranked_columns(index)
    return columns[0] if len(columns) == 1 and index.series[columns[0]].keys() >= index.rows else None


def _by_rank(rows: list[int], index: TableIndex) -> list[int]:
    """Return rows by the only column of ranks; as they are where it does not tell the rank of each."""
    column = _column_of_ranks(index)
    return rows if column is None else sorted(rows, key=index.series[column].__getitem__)


_BY_RANK = frozenset({"top", "bottom"})
_OPENING_SLICE = frozenset({"the", "in", "their", "his", "her", "of", "its", "these", "all"})
