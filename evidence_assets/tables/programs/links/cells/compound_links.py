"""Links of compounds that count what a column counts: `single-axle`, `twin-engine`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.words import Token

_COUNTING = {"single": 1.0, "double": 2.0, "twin": 2.0, "dual": 2.0, "triple": 3.0, "quadruple": 4.0}
# A counting word, a hyphen and a noun.
_PARTS = 3


def compound_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the links of `single-axle` to the rows with a one in the only column of numbers of axles.

    None where the table says the first word itself.
    """
    for start in range(len(tokens) - _PARTS + 1):
        counting, hyphen, noun = tokens[start : start + _PARTS]
        number = _COUNTING.get(counting.text)
        if number is None or hyphen.text != "-" or index.says(counting.key):
            continue
        columns = [
            column
            for column in index.numeric(index.header_postings.get(noun.key, ()))
            if not index.told_units[column] and all(map(float.is_integer, index.series[column].values()))
        ]
        if len(columns) == 1:
            rows = frozenset(row for row, told in index.series[columns[0]].items() if told == number)
            yield Link.of_column(start, start + _PARTS, columns[0], rows, f"= {number:g}")
