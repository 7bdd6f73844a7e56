"""Spans of time that a claim sets: before and after a date, between two years."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import FIRST_YEAR, LAST_YEAR, parse_date
from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import MONTHS, Token
from evidence_assets.tables.table import Kind

_RELATIONS = {"before": "<", "after": ">", "since": ">=", "until": "<=", "prior": "<", "following": ">"}
_JOINS = frozenset({"-", "to", "and", "through", "until", "till"})
_OPENINGS = frozenset({"between", "from", "during", "in", "of"})
_LONGEST_DATE = 6


def period_links(found: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return the links of a claim's spans of time to the rows that lie in them."""
    made = [*_between(found, index)]
    taken = {at for link in made for at in range(link.start, link.end)}
    made.extend(link for link in _beside(found, index) if not taken.intersection(range(link.start, link.end)))
    return made


def _is_year(token: Token) -> bool:
    return token.number is not None and FIRST_YEAR <= token.number <= LAST_YEAR and len(token.text) == 4


def _between(found: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    for at in range(1, len(found) - 2):
        first, join, last = found[at : at + 3]
        if not (_is_year(first) and _is_year(last) and join.text in _JOINS):
            continue
        opening = found[at - 1].text
        if opening not in _OPENINGS or (join.text == "and" and opening != "between"):
            continue
        low, high = float(first.number or 0), float(last.number or 0)
        for column, years in index.years.items():
            rows = frozenset(row for row, year in years.items() if low <= year <= high)
            yield Link(
                at, at + 3, {column: rows}, frozenset({column}), 2, bound=f"between {low:g} and {high:g}"
            )
            break


def _beside(found: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    for at, token in enumerate(found):
        relation = _RELATIONS.get(token.text)
        if relation is None:
            continue
        start = at + 1
        while start < len(found) and found[start].text in {"to", "the", "on"}:
            start += 1
        end = start
        while end < min(len(found), start + _LONGEST_DATE) and (
            found[end].text in MONTHS or found[end].number is not None or found[end].text == ","
        ):
            end += 1
        while end > start and found[end - 1].text == ",":
            end -= 1
        made = _bounded(found[start:end], relation, index)
        if made is not None:
            column, rows = made
            told = f"{relation} {' '.join(one.text for one in found[start:end])}"
            yield Link(at, end, {column: rows}, frozenset({column}), end - start, bound=told)


def _bounded(
    phrase: tuple[Token, ...], relation: str, index: TableIndex
) -> tuple[int, frozenset[int]] | None:
    """Return the column of dates and its rows that lie as told from a date; None where either is missing."""
    if not phrase:
        return None
    if len(phrase) == 1:
        if not _is_year(phrase[0]) or not index.years:
            return None
        column = next(iter(index.years))
        return column, frozenset(
            operations.where(index.years[column], column, relation, float(phrase[0].number or 0)).rows
        )
    value = parse_date(" ".join(token.text for token in phrase if token.text != ","))
    if value is None or value.number is None:
        return None
    for column in index.dated:
        dates = {
            row: cell.value
            for row, cell in enumerate(index.table.column(column))
            if cell.value.kind is Kind.DATE and len(cell.value.date) > 4
        }
        if not dates:
            continue
        bare = value.date.startswith("--")
        numbers = {
            row: number for row, one in dates.items() if (number := _comparable(one.date, bare)) is not None
        }
        bound = _comparable(value.date, bare)
        if numbers and bound is not None:
            return column, frozenset(operations.where(numbers, column, relation, bound).rows)
    return None


def _comparable(date: str, bare: bool) -> float | None:
    """Return a date as a number that grows with it; of a bare one, of its month and day alone."""
    parts = date.removeprefix("--").split("-")
    if not bare:
        if date.startswith("--"):
            return None
        year, *rest = parts
    else:
        year, rest = "0", parts if date.startswith("--") else parts[1:]
    month, day = (*rest, "0", "0")[:2]
    return int(year) * 10_000.0 + int(month) * 100 + int(day)
