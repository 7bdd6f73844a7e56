"""Links of a claim's numbers with units or scales to the cells that say as much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from evidence_assets.tables.programs.index.columns.column_units import contradictory
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.links.quantities.quantity_columns import (
    as_told_in,
    columns_measured,
    columns_of_the_year,
    counted_columns,
    is_absolute,
    is_far_off,
    nearest_columns,
    unit_of,
)
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.wording.quantities import UNITS_OF_TIME, converted, half_place
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance, around, told_about
from evidence_assets.tables.programs.wording.words import Token

# By what share of it a time may be rounded.
_NEAR_IN_TIME = 0.05


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of the claim with a unit or scale. `words`: of its unit. `link`: None where it is refused."""

    position: int
    words: tuple[int, ...]
    unit: str
    link: Link | None
    number: float = 0.0


def quantities(tokens: tuple[Token, ...], index: TableIndex, headers: list[HeaderLink]) -> Iterator[Quantity]:
    """Yield the numbers told in a unit or scale that some column tells too, with the cells that equal them.

    A number whose unit no column can be compared with is refused.
    """
    for position, token in enumerate(tokens):
        if token.number is None or token.ordinal or token.key in index.header_postings:
            continue
        if any(head.start <= position < head.end for head in headers):
            continue
        quantity = _quantity_at(tokens, position, index, headers)
        if quantity is not None:
            yield quantity


def _quantity_at(
    tokens: tuple[Token, ...], position: int, index: TableIndex, headers: list[HeaderLink]
) -> Quantity | None:
    """Return what the number at a position tells in a unit or scale; None where it tells nothing so."""
    token, (name, words) = tokens[position], unit_of(tokens, position, index)
    if not name and _is_a_told_year(token, index):
        return None
    counted = counted_columns(position, headers) if not name else frozenset[int]()
    about = _about(tokens, position, name)
    is_bare = not name and not _is_in_full(token, counted, index)
    if is_bare and about is None:
        return None
    amount = _Amount(token, name, about)
    apart = [head for head in headers if {position, *words}.isdisjoint(range(head.start, head.end))]
    near = nearest_columns([head for head in apart if _tells_as_much(head, name, index)], position)
    near = near and near | _bands_told_alone(index, name, near)
    columns = columns_of_the_year(near or range(index.table.columns), tokens, index)
    if is_bare and not near:
        # Of a number without a unit the claim must tell the column, by its year at least.
        columns = [column for column in columns if column in index.year_columns]
        columns = columns if len(columns) == 1 else []
    rows_by_column: dict[int, frozenset[int]] = {}
    measured = columns_measured(tokens, index) if name else frozenset[int]()
    refused = False
    for column in columns:
        equal = _equal_rows(index, column, amount, is_counted=column in counted)
        if not near and column not in measured and is_far_off(index, column, token, name):
            equal = None
        if equal is None:
            refused = refused or bool(name and index.units[column][1])
        else:
            rows_by_column[column] = equal
    if not rows_by_column:
        return Quantity(position, tuple(words), name, None) if refused else None
    matched = {column: rows for column, rows in rows_by_column.items() if rows} or rows_by_column
    link = Link(position, position + 1, matched, frozenset(matched), 1, token.number)
    number = as_told_in(index, min(matched), token, name)
    return Quantity(position, tuple(words), name, link, number or 0.0)


def _is_in_full(token: Token, counted: frozenset[int], index: TableIndex) -> bool:
    """Return whether a number without a unit is told in full, where some column tells it in a scale."""
    units = index.units
    return (
        token.scale != 1.0
        or any(units[column][0].scale > 1.0 for column in counted)
        or any(
            is_absolute(token, unit, index.series[column])
            for column, (unit, _) in enumerate(units)
            if index.series[column]
        )
    )


def _tells_as_much(head: HeaderLink, name: str, index: TableIndex) -> bool:
    """Return whether a header is of numbers, of those in a unit where the claim's number has one."""
    return any(index.is_numeric(column) and (index.units[column][1] or not name) for column in head.columns)


def _is_a_told_year(token: Token, index: TableIndex) -> bool:
    """Return whether a number is a year that a column of years tells, and so no amount in full."""
    return tells_a_year(token) and any(token.number in years.values() for years in index.years.values())


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number of the claim, its unit, and how far off it may be where words say that it is rounded."""

    token: Token
    unit: str
    about: Tolerance | None


def _equal_rows(
    index: TableIndex, column: int, amount: _Amount, *, is_counted: bool
) -> frozenset[int] | None:
    """Return the rows whose cell equals a number in its unit; None where the column cannot be compared.

    `is_counted`: the number stands before what the column counts, `31 customers`, and is what it says.
    """
    token, name, about = amount.token, amount.unit, amount.about
    numbers, (unit, rows) = index.series[column], index.units[column]
    is_told_bare = not name and unit.scale == 1.0 and about is None
    if not numbers or is_told_bare or (name and (not rows or contradictory(rows))):
        return None
    if column in index.bands:
        return _rows_of_the_band(index, column, as_told_in(index, column, token, name))
    claimed, half = float(token.number or 0), half_place(token)
    if name in UNITS_OF_TIME:
        # Nobody rounds 42 months to three years.
        half = min(half, _NEAR_IN_TIME * abs(claimed))
    equal, comparable = set(), False
    for row, number in numbers.items():
        target = rows.get(row, "") if name else ""
        value = converted(claimed, name, target) if name else claimed
        if value is None:
            continue
        comparable = True
        same = name == target or not name
        above = converted(claimed + half, name, target) if not same else None
        rounded = half if same and token.scale > 1.0 else abs((above if above is not None else value) - value)
        tolerance = about.times(value / claimed) if about and claimed else around(rounded)
        full = bool(name) or is_counted or is_absolute(token, unit, numbers)
        scaled = number * unit.scale if full else number
        equal |= {row} if tolerance.admits(scaled, value) else set()
    return frozenset(equal) if comparable else None


def _bands_told_alone(index: TableIndex, name: str, near: Set[int]) -> set[int]:
    """Return the columns of bands in such a unit, where the columns that are named tell none like it.

    `A parcel of 7 kg costs £5`: the price is named, the weight is not.
    """

    def tell(columns: Iterable[int]) -> set[int]:
        return {
            column
            for column in columns
            if any(converted(1.0, name, unit) is not None for unit in index.told_units[column])
        }

    return set() if not name or tell(near) else tell(index.bands)


def _rows_of_the_band(index: TableIndex, column: int, number: float | None) -> frozenset[int] | None:
    """Return the row whose band a number is in; None where it is told in nothing alike or ends two bands."""
    if number is None:
        return None
    rows = frozenset(row for row, (low, high) in index.bands[column].items() if low <= number <= high)
    return rows if len(rows) < 2 else None


def _about(tokens: tuple[Token, ...], position: int, name: str) -> Tolerance | None:
    """Return how far off a number may be before which words say that it is rounded; None without them.

    The zero of a scale of degrees is anywhere, and so is a tenth of them.
    """
    is_count = not name and tokens[position].scale == 1.0
    by_itself = EXACT if is_count else around(half_place(tokens[position]))
    texts, number = [token.text for token in tokens], float(tokens[position].number or 0)
    tolerance, words = told_about(texts, position, number, by_itself)
    return tolerance if words and not name.startswith("degree") else None
