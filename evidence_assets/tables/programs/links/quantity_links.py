"""Links of a claim's numbers with units or scales to the cells that say as much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.column_units import contradictory
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.links.periods import tells_a_year
from evidence_assets.tables.programs.wording.measures import is_of_any
from evidence_assets.tables.programs.wording.quantities import (
    Unit,
    converted,
    half_place,
    is_of_degrees,
    unit_after,
)
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance, around, told_about
from evidence_assets.tables.programs.wording.trigger_lexicon import positive
from evidence_assets.tables.programs.wording.words import Token

_NEAR = 5
# Units of time, and by what share of it a time told in one may be rounded.
_OF_TIME, _NEAR_IN_TIME = frozenset({"hour", "day", "week", "month", "year"}), 0.05


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
        in_header = any(head.start <= position < head.end for head in headers)
        if token.number is None or token.ordinal or in_header or token.key in index.header_postings:
            continue
        name, words = _unit_of(tokens, position, index)
        if not name and _is_a_told_year(token, index):
            continue
        counted = _counted_columns(position, headers) if not name else frozenset()
        about = _about(tokens, position, name)
        is_bare = not name and not _is_in_full(token, counted, index)
        if is_bare and about is None:
            continue
        amount = _Amount(token, name, about)
        apart = [head for head in headers if {position, *words}.isdisjoint(range(head.start, head.end))]
        near = _near([head for head in apart if _tells_as_much(head, name, index)], position)
        near = near and near | _bands_told_alone(index, name, near)
        columns = _columns_of_the_year(near or range(index.table.columns), tokens, index)
        if is_bare and not near:
            # Of a number without a unit the claim must tell the column, by its year at least.
            columns = [column for column in columns if column in index.year_columns]
            columns = columns if len(columns) == 1 else []
        rows_by_column: dict[int, frozenset[int]] = {}
        measured = _measured(tokens, index) if name else frozenset()
        refused = False
        for column in columns:
            equal = _equal_rows(index, column, amount, is_counted=column in counted)
            if not near and column not in measured and _is_far_off(index, column, token, name):
                equal = None
            if equal is None:
                refused = refused or bool(name and index.units[column][1])
            else:
                rows_by_column[column] = equal
        if rows_by_column:
            matched = {column: rows for column, rows in rows_by_column.items() if rows} or rows_by_column
            link = Link(position, position + 1, matched, frozenset(matched), 1, token.number)
            number = _as_column(index, min(matched), token, name)
            yield Quantity(position, tuple(words), name, link, number or 0.0)
        elif refused:
            yield Quantity(position, tuple(words), name, None)


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


def measured_bound(
    tokens: tuple[Token, ...], index: TableIndex, headers: list[HeaderLink], limit: Threshold
) -> Quantity | None:
    """Return a threshold told in a unit or scale as the rows that meet it, in the column that it fits.

    The column is the only one that is told in such a unit, among those that the claim names if it names any.
    A threshold whose unit no column can be compared with is refused. None where neither applies.
    """
    token = tokens[limit.position]
    name, words = _unit_of(tokens, limit.position, index)
    if any(
        head.start in words
        and all(
            converted(1.0, name, unit) is None for column in head.columns for unit in index.told_units[column]
        )
        for head in headers
    ):
        # `fewer than five days of frost`: the word is a column's, no unit.
        return None
    opens = limit.start < limit.position and not _measures_nothing(tokens, limit.start)
    adjective = positive(tokens[limit.start].text) if opens else ""
    measured = index.columns_measured_by(adjective) if not is_of_any(adjective) else set()
    named_columns = {column for head in headers for column in head.columns} | measured
    counted = _counted_columns(limit.position, headers) if not name else frozenset()
    # A column of a year is named for its time, and not for what it tells.
    said = (named_columns - index.year_columns.keys()) | _measured(tokens, index)
    far_off = {
        column
        for column in range(index.table.columns)
        if column not in said and name and _is_far_off(index, column, token, name)
    }
    bounds = {
        column: bound
        for column in _columns_of_the_year(range(index.table.columns), tokens, index)
        if column not in far_off and (bound := _bound_of(index, column, token, name, counted)) is not None
    }
    following = limit.position + len(words) + 1
    if words and limit.end <= following and [t.text for t in tokens[following : following + 1]] == ["or"]:
        words = range(words.start, following + 2)
    fitting, told_so = bounds, {column for column in bounds if name in index.told_units[column]}
    in_full = _named_in_full(headers, words)
    for preferred in (in_full, named_columns, measured, told_so, _near(headers, limit.start)):
        fitting = {column: bound for column, bound in fitting.items() if column in preferred} or fitting
    if len(fitting) != 1 or (not name and not named_columns & set(fitting)):
        refused = bool(name) and not bounds and index.is_measured
        return Quantity(limit.position, tuple(words), name, None) if refused else None
    column, bound = next(iter(fitting.items()))
    fitting_rows = operations.rows_within(index.series[column], limit.relation, bound)
    condition = f"{limit.relation} {bound:g}"
    link = Link.of_column(limit.start, limit.end, column, fitting_rows, condition)
    return Quantity(limit.position, (*words, *limit.apart), name, link)


def _named_in_full(headers: list[HeaderLink], unit: range) -> set[int]:
    """Return the columns that a claim names by several words, of which none is of the unit: `plate waste`."""
    return {
        column
        for head in headers
        if head.end - head.start > 1 and set(unit).isdisjoint(range(head.start, head.end))
        for column in head.columns
    }


def _bound_of(index: TableIndex, column: int, token: Token, name: str, counted: Set[int]) -> float | None:
    """Return a bound as a column tells it; None where most of its cells tell nothing alike."""
    numbers, (unit, rows) = index.series[column], index.units[column]
    if not numbers or not index.is_numeric(column) or contradictory(rows):
        return None
    if rows and 2 * len(rows) < len(numbers):
        # What most cells are told in, the few with a unit do not say.
        return None
    return _as_column(index, column, token, name, is_counted=column in counted and unit.scale > 1.0)


def _measured(tokens: tuple[Token, ...], index: TableIndex) -> frozenset[int]:
    """Return the columns of the dimensions that a claim's words measure: of `weighs` the weights."""
    keys = {
        token.key
        for place, token in enumerate(tokens)
        if token.number is None and not token.stop and not _measures_nothing(tokens, place)
    }
    return frozenset(column for key in keys for column in index.columns_measured_by(key))


def _measures_nothing(tokens: tuple[Token, ...], place: int) -> bool:
    """Return whether an adjective is of a phrase that tells no dimension: `short of 50 km`, `long ago`."""
    return tuple(token.text for token in tokens[place : place + 2]) in _IDIOMS


_IDIOMS = frozenset({("short", "of"), ("long", "ago")})


def _is_far_off(index: TableIndex, column: int, token: Token, name: str) -> bool:
    """Return whether a quantity is so far beyond all of a column's that it is hardly one of them.

    A bus of 12 m goes 280 km, of which a column of lengths tells nothing.
    """
    numbers, value = index.series[column], _as_column(index, column, token, name)
    # The zero of a scale of degrees is anywhere.
    of_degrees = name.startswith("degree")
    if not value or not any(numbers.values()) or of_degrees or name in index.told_units[column]:
        return False
    return not operations.is_of_their_size(value, numbers.values())


def _is_a_told_year(token: Token, index: TableIndex) -> bool:
    """Return whether a number is a year that a column of years tells, and so no amount in full."""
    return tells_a_year(token) and any(token.number in years.values() for years in index.years.values())


def _unit_of(tokens: tuple[Token, ...], position: int, index: TableIndex) -> tuple[str, range]:
    """Return the unit told with a number, and its words; `degrees` are of the columns' only scale."""
    if is_of_degrees(tokens, position):
        scales = {unit for units in index.told_units for unit in units if unit.startswith("degree_")}
        if len(scales) == 1 and not unit_after(tokens, position)[0]:
            return scales.pop(), range(position + 1, position + 2)
    return unit_after(tokens, position)


def _columns_of_the_year(columns: Iterable[int], tokens: tuple[Token, ...], index: TableIndex) -> list[int]:
    """Return those of some columns, ascending, that are of no other year than those that a claim says."""
    numbers = {token.number for token in tokens}
    years = {year for year in index.year_columns.values() if year in numbers}
    return [
        column for column in sorted(columns) if not years or index.year_columns.get(column) in {None, *years}
    ]


def _as_column(
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
    claimed = abs(float(token.number or 0))
    return token.scale > 1.0 or (claimed >= unit.scale and claimed > 2 * max(map(abs, numbers.values())))


def _counted_columns(position: int, headers: list[HeaderLink]) -> frozenset[int]:
    """Return the columns of the header that stands right behind a number, which it counts: `31 customers`."""
    return frozenset(column for head in headers if head.start == position + 1 for column in head.columns)


def _near(headers: list[HeaderLink], position: int) -> frozenset[int]:
    """Return the columns of the header that the claim names shortly before a number or behind it."""
    near = [
        head for head in headers if 0 <= position - head.end <= _NEAR or 0 < head.start - position <= _NEAR
    ]
    near.sort(key=lambda head: min(abs(position - head.end), abs(head.start - position)))
    return near[0].columns if near else frozenset()


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
        return _rows_of_the_band(index, column, _as_column(index, column, token, name))
    claimed, half = float(token.number or 0), half_place(token)
    if name in _OF_TIME:
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
