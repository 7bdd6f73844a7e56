"""Links of so many rows at the top of an order: `the three longest`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.columns.untold_cells import tells_of_nothing
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns
from evidence_assets.tables.programs.wording.superlative_words import superlatives
from evidence_assets.tables.programs.wording.trigger_lexicon import INVERTED, positive
from evidence_assets.tables.programs.wording.words import Token

# The condition of such a link begins so.
OF_THE_TOP = "of the "
_OPENING = frozenset({"the", "these", "their", "its", "his", "her"})
_RANKED = frozenset({"ranked", "placed"})
_HIGHEST = frozenset({"highest", "best", "top"})
_MOST = {"most": True, "least": False}


def top_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `three longest` behind an article as these rows; those that tie for the last are not told.

    The column is the only one that the superlative measures.
    """
    texts = tuple(token.text for token in tokens)
    for position in range(1, len(tokens) - 1):
        token, number = tokens[position], tokens[position].number
        if texts[position - 1] not in _OPENING or token.ordinal or not token.text.isalpha():
            continue
        if number is None or number != int(number) or not 1 < number < len(index.rows):
            continue
        order = _order(tokens, position + 1, index)
        if order is None:
            continue
        column, end, highest = order
        rows, tied = _top(index, column, int(number), highest=highest)
        if rows or tied:
            words = " ".join(texts[position:end])
            yield Link.of_column(position, end, column, rows, f"{OF_THE_TOP}{words}", 2, tied)


def _top(
    index: TableIndex, column: int, number: int, *, highest: bool
) -> tuple[frozenset[int], frozenset[int]]:
    """Return so many rows at the top of a column, and those that tie for the last place; none of too few."""
    rows = index.rows - index.summaries
    numbers = {row: other for row, other in index.series[column].items() if row not in index.summaries}
    untold = rows - numbers.keys()
    # Who did not finish is not among the fastest.
    is_out = all(tells_of_nothing(index.table.rows[row][column]) for row in untold)
    if untold and (highest or not is_out):
        # Which they are nothing tells.
        return frozenset(), rows
    if len(numbers) <= number:
        return frozenset(), frozenset()
    last, following = sorted(numbers.values(), reverse=highest)[number - 1 : number + 1]
    tied = frozenset(row for row, other in numbers.items() if last == following == other)
    top = frozenset(row for row, other in numbers.items() if (other >= last) == highest or other == last)
    return top - tied, tied


def _order(tokens: tuple[Token, ...], start: int, index: TableIndex) -> tuple[int, int, bool] | None:
    """Return the column of a superlative, where it ends, and whether the highest come first."""
    following, inverted = [token.text for token in tokens[start : start + 3]], False
    if following[0] in _HIGHEST and following[1:2] == ["-"] and following[-1] in _RANKED:
        ranks = ranked_columns(index)
        return (ranks[0], start + len(following), False) if len(ranks) == 1 else None
    if following[0] in _MOST and len(following) > 1:
        adjective, end, highest = tokens[start + 1].key, start + 2, _MOST[following[0]]
    else:
        extreme = next((extreme for extreme in superlatives(tokens) if extreme.start == start), None)
        if extreme is None or extreme.temporal or extreme.place > 1:
            return None
        adjective, end, highest = positive(extreme.word), extreme.end, extreme.highest
        inverted = extreme.word in INVERTED
    columns = index.numeric(index.columns_measured_by(adjective))
    if inverted:
        # The fastest took the shortest time.
        columns = [column for column in columns if index.takes_time(column)]
        highest = not highest
    is_plain = len(columns) == 1 and {*columns}.isdisjoint(
        {*ranked_columns(index), *index.best_first, *index.times}
    )
    return (columns[0], end, highest) if is_plain else None
