"""Links of a claim's dates to the cells that say as much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evidence_assets.tables.cell_dates import MONTHS, parse_date
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Kind


def date_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return links of dates, at least of a month and year, to the cells that agree at their precision.

    Left out where the table's dates are less precise than the claim's: they can neither bear it out nor
    contradict it.
    """
    dates = _full_dates(index)
    if not dates:
        return []
    links: list[Link] = []
    position = 0
    while position < len(tokens):
        end, date = date_at(tokens, position)
        if date and all(len(cell) >= len(date) for cells in dates.values() for cell in cells.values()):
            rows = {
                c: frozenset(r for r, cell in cells.items() if cell.startswith(date))
                for c, cells in dates.items()
            }
            matched = {column: cells for column, cells in rows.items() if cells} or rows
            links.append(Link(position, end, matched, frozenset(matched), end - position, bound=f"in {date}"))
        position = max(end, position + 1)
    return links


def _full_dates(index: TableIndex) -> dict[int, dict[int, str]]:
    """Return the dates of months or days in years, by column and row."""
    full_dates = {}
    for column in index.dated:
        cells = enumerate(index.table.column(column))
        dates = {row: cell.value.date for row, cell in cells if cell.value.kind is Kind.DATE}
        if dates and all(len(date) > _YEAR and not date.startswith("--") for date in dates.values()):
            full_dates[column] = dates
    return full_dates


def date_at(tokens: tuple[Token, ...], start: int) -> tuple[int, str]:
    """Return the end and ISO form of the longest date with a month and a year that begins at a token."""
    opening = tokens[start]
    if opening.text not in MONTHS and (
        opening.number is None or (opening.ordinal and opening.text in _ORDINALS)
    ):
        return start, ""
    for end in range(min(len(tokens), start + _LONGEST_DATE), start + 1, -1):
        phrase = tokens[start:end]
        if not _are_of_a_date(phrase):
            continue
        value = parse_date("".join(_joined(phrase)).strip())
        if value is not None and len(value.date) > _YEAR and not value.date.startswith("--"):
            return end, value.date
    return start, ""


_LONGEST_DATE = 5
# So many characters tell a year alone.
_YEAR = 4
_ORDINALS = frozenset({"first", "second", "third", "fourth", "fifth", "sixth"})
_DATE_MARKS = frozenset({",", "-", "/", "of"})


def _are_of_a_date(phrase: Iterable[Token]) -> bool:
    return all(
        token.text in MONTHS or token.number is not None or token.text in _DATE_MARKS for token in phrase
    ) and any(token.text in MONTHS or token.text == "-" for token in phrase)


def _joined(phrase: tuple[Token, ...]) -> Iterator[str]:
    """Yield a date's words as `parse_date` reads them, without commas and `of`."""
    iso = any(token.text in "-/" for token in phrase)
    for token in phrase:
        if token.text not in {",", "of"}:
            yield token.text if iso else f"{token.text} "
