"""Links of places that are better or worse than one told: `higher than second`, `better than 10th`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words import tokens as tokens_of

# What is better comes before.
_RELATIONS = {"better": "<", "higher": "<", "worse": ">", "lower": ">"}


def links_beside_places(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield what is better or worse than a place, in the only column of ranks, else of ordinals."""
    for position in range(len(tokens) - 2):
        relation, than, place = _RELATIONS.get(tokens[position].text), *tokens[position + 1 : position + 3]
        if relation is None or than.text != "than" or not place.ordinal or place.number is None:
            continue
        columns = ranked_columns(index) or [*_of_ordinals(index)]
        if len(columns) == 1:
            (column,) = columns
            rows = operations.rows_within(index.series[column], relation, place.number) - index.summaries
            bound = f"{relation} {place.number:g}"
            yield Link.of_column(position, position + 3, column, rows, bound, 2)


def _of_ordinals(index: TableIndex) -> Iterator[int]:
    """Yield the columns whose cells are ordinals where they tell a number."""
    for column in index.numeric_columns:
        cells = [index.table.rows[row][column].text for row in index.series[column]]
        if cells and all(any(token.ordinal for token in tokens_of(text)) for text in cells):
            yield column
