"""Which columns a number of a claim may be of, by its unit and what stands beside it, and as what."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.wording.quantities import Unit, converted, is_of_degrees, unit_after
from evidence_assets.tables.programs.wording.words import Token

# So many words stand at most between a number and the header that is shortly before or behind it.
_NEAR = 5


def unit_of(tokens: tuple[Token, ...], position: int, index: TableIndex) -> tuple[str, range]:
    """Return the unit told with a number, and its words; `degrees` are of the columns' only scale."""
    if is_of_degrees(tokens, position):
        scales = {unit for units in index.told_units for unit in units if unit.startswith("degree_")}
        if len(scales) == 1 and not unit_after(tokens, position)[0]:
            return scales.pop(), range(position + 1, position + 2)
    return unit_after(tokens, position)


def as_told_in(
    index: TableIndex, column: int, token: Token, name: str, *, is_counted: bool = False
) -> float | None:
    """Return a claim's number as a column tells it; None where the column tells no such quantity."""
    claimed, (unit, rows) = float(token.number or 0), index.units[column]
    if name:
        value = converted(claimed, name, next(iter(rows.values()), ""))
        return None if value is None else value / unit.scale
    return claimed / unit.scale if is_counted or is_absolute(token, unit, index.series[column]) else None


def is_absolute(token: Token, unit: Unit, numbers: dict[int, float]) -> bool:
    """Return whether a number without a unit is told in full, where its column is told in a scale."""
    if unit.scale == 1.0:
        return False
    claimed, largest = abs(float(token.number or 0)), max(map(abs, numbers.values()), default=0.0)
    return token.scale > 1.0 or (claimed >= unit.scale and claimed > 2 * largest)


def is_far_off(index: TableIndex, column: int, token: Token, name: str) -> bool:
    """Return whether a quantity is so far beyond all of a column's that it is hardly one of them.

    A bus of 12 m goes 280 km, of which a column of lengths tells nothing.
    """
    numbers, value = index.series[column], as_told_in(index, column, token, name)
    # The zero of a scale of degrees is anywhere.
    of_degrees = name.startswith("degree")
    if not value or not any(numbers.values()) or of_degrees or name in index.told_units[column]:
        return False
    return not operations.is_of_their_size(value, numbers.values())


def columns_measured(tokens: tuple[Token, ...], index: TableIndex) -> frozenset[int]:
    """Return the columns of the dimensions that a claim's words measure: of `weighs` the weights."""
    keys = {
        token.key
        for place, token in enumerate(tokens)
        if token.number is None and not token.stop and not measures_nothing(tokens, place)
    }
    return frozenset(column for key in keys for column in index.columns_measured_by(key))


def measures_nothing(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether an adjective is of a phrase that tells no dimension: `short of 50 km`, `long ago`."""
    return tuple(token.text for token in tokens[place : place + 2]) in _IDIOMS


_IDIOMS = frozenset({("short", "of"), ("long", "ago")})


def counted_columns(position: int, headers: list[HeaderLink]) -> frozenset[int]:
    """Return the columns of the header that stands right behind a number, which it counts: `31 customers`."""
    return frozenset(column for head in headers if head.start == position + 1 for column in head.columns)


def nearest_columns(headers: list[HeaderLink], position: int) -> frozenset[int]:
    """Return the columns of the header that the claim names shortly before a number or behind it."""
    near = [
        head for head in headers if 0 <= position - head.end <= _NEAR or 0 < head.start - position <= _NEAR
    ]
    near.sort(key=lambda head: min(abs(position - head.end), abs(head.start - position)))
    return near[0].columns if near else frozenset()


def columns_of_the_year(columns: Iterable[int], tokens: tuple[Token, ...], index: TableIndex) -> list[int]:
    """Return those of some columns, ascending, that are of no other year than those that a claim says."""
    years = index.years_said(tokens)
    return [
        column for column in sorted(columns) if not years or index.year_columns.get(column) in {None, *years}
    ]
