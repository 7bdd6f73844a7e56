"""Tables whose rows are attributes and whose columns are what has them, turned: the things become rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.hygiene import find_label_column
from evidence_assets.tables.programs.index.columns.column_units import PART_OF_ANY_YEAR, told_unit
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.index.derived.derived_tables import DerivedTable
from evidence_assets.tables.programs.index.derived.hours import with_hours
from evidence_assets.tables.programs.index.derived.parted_columns import PartedTable, with_parts
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable, with_spans
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.wording.quantities import Unit
from evidence_assets.tables.table import Cell, Kind, Table
from evidence_assets.text.words import word_set

# What heads a column of attributes, besides nothing; it says nothing of the things.
_OF_ATTRIBUTES = word_set("""
    attribute attributes characteristic characteristics detail details feature features figure figures
    indicator indicators item items measure measures metric metrics parameter parameters property properties
    quantity quantities specification specifications spec specs statistic statistics
""")
# A time of day, as timetables have it.
_CLOCK = re.compile(r"(?:[01]?\d|2[0-4])[:.][0-5]\d")
_UNNAMED = re.compile(r"column \d+")
# A year, and behind it a mark of the source: `2023 p`.
_YEAR = re.compile(r"((?:1[5-9]|20)\d\d)(?:\W{0,2}[a-z]{0,4}\W?)?", re.IGNORECASE)
# A time of a series of them: `FY2019`, `2019/20`, `Q1 2023`, `Jan–Mar`; and what their sum is headed by.
_TIME = re.compile(
    rf"(?:{_YEAR.pattern})|FY ?'?\d{{2,4}}|\d{{4}} ?[-–/] ?\d{{2,4}}|(?:{PART_OF_ANY_YEAR.pattern})|"
    r"[QH] ?[1-4],? \d{4}|\d{4},? [QH] ?[1-4]",
    re.IGNORECASE,
)
_ALL_TIMES = re.compile(r"(?:the |in )?(?:(?:whole|full|all) year|total|year|sum|overall)", re.IGNORECASE)
_TIMES = {
    "Year": _YEAR,
    "Quarter": re.compile(
        r"(?:Q ?[1-4](?:,? \d{4})?|\d{4},? Q ?[1-4]|[a-z]{3,9} ?[-–/] ?[a-z]{3,9})", re.IGNORECASE
    ),
    "Month": re.compile(r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z.]*", re.IGNORECASE),
}
# What columns are of which no header says it.
_UNTOLD = "Column"
_LEAST_THINGS, _LEAST_ATTRIBUTES = 2, 3
_NUMBERS = frozenset({Kind.NUMBER, Kind.PERCENTAGE, Kind.RANGE})
# By so much the cells of a row are more alike than those of a column where rows are attributes.
_MORE_ALIKE = 0.1


@dataclass(frozen=True, slots=True)
class TurnedTable(Table):
    """A table whose rows are columns of another. `columns_turned`: of each row, which column it is there."""

    columns_turned: tuple[int, ...] = ()


@kept_for_tables
def layouts_of(table: Table) -> tuple[Table, ...]:
    """Return the layouts of a table that claims are read against: itself, turned if its rows are attributes.

    Columns of times are read both as rows, of which one is the best, and as they are, of a change. Of two
    times a row, also with how long that is, of hours also with when they start and end, and of several
    measures in a column first with each in its own.
    """
    layouts: tuple[Table, ...] = (table,)
    if has_attributes_as_rows(table):
        turned = _turned(table, range(1, table.columns))
        layouts = (turned, table) if _has_times_as_columns(table) else (turned,)
    spanned, parted = with_spans(layouts[0]), with_parts(table)
    if parted is not None and parted.is_told_apart:
        return (parted,)
    derived = (table for table in (spanned, with_hours(layouts[0])) if table is not None)
    return (*(() if parted is None else (parted,)), *layouts, *derived)


@kept_for_tables
def question_layouts_of(table: Table) -> tuple[Table, ...]:
    """Return the layouts that questions are read against: of claims, and columns as rows.

    Of `in which year did gas peak` a time is the answer, and of `which bread takes the most salt` a bread, so
    that it must be a row, though a column tells it.
    """
    of_claims = layouts_of(table)
    is_turned = any(isinstance(layout, TurnedTable) for layout in of_claims)
    columns = () if is_turned or not _names_its_rows(table) else _columns_asked_for(table)
    return (*of_claims, _turned(table, columns)) if columns else of_claims


def has_untold_rows(layout: Table) -> bool:
    """Return whether a layout's rows are columns of which no header says what they are."""
    return isinstance(layout, TurnedTable) and layout.header[0] == _UNTOLD


def as_published(table: Table, layout: Table, cell: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return where a cell of a layout stands in the table, of what is worked out its ends; row -1 heads."""
    row, column = cell
    if isinstance(layout, SpannedTable) and layout.base is not None:
        columns = layout.ends if column == layout.columns - 1 else (column,)
        return tuple(place for end in columns for place in as_published(table, layout.base, (row, end)))
    if isinstance(layout, ContestTable):
        return layout.published(row, column)
    if isinstance(layout, DerivedTable) and layout.base is not None:
        ends = layout.sources(column)
        return tuple(place for end in ends for place in as_published(table, layout.base, (row, end)))
    if isinstance(layout, PartedTable) and layout.base is not None:
        return as_published(table, layout.base, (row, layout.sources[column]))
    if isinstance(layout, TurnedTable):
        header = row < 0
        return ((column - 1, 0 if header else layout.columns_turned[row]),)
    return (cell,)


def _names_its_rows(table: Table) -> bool:
    """Return whether the first column has a name for each row."""
    labels = [row[0].text for row in table.rows]
    return table.label_column == 0 and all(labels) and len(set(labels)) == len(labels)


def _has_times_as_columns(table: Table) -> bool:
    """Return whether columns are times of a series, years, quarters or months, and perhaps their sum."""
    names = [name.strip() for name in table.header[1:]]
    names = names[:-1] if names and _ALL_TIMES.fullmatch(names[-1]) else names
    return len(names) >= _LEAST_THINGS and all(map(_TIME.fullmatch, names))


def _columns_asked_for(table: Table) -> tuple[int, ...]:
    """Return the columns that may be rows as well: times of a series, else all of numbers or times of day."""
    everything = tuple(range(1, table.columns))
    if _has_times_as_columns(table):
        return everything
    times = tuple(column for column in everything if _TIME.fullmatch(table.header[column].strip()))
    if len(times) >= _LEAST_THINGS:
        return times
    cells = [cell for row in table.rows for cell in row[1:]]
    of_things = len(everything) >= _LEAST_THINGS and not any(map(_tells_a_time, table.header))
    numeric = all(
        cell.value.kind in _NUMBERS or len(cell.text) <= 1 or _CLOCK.fullmatch(cell.text) for cell in cells
    )
    return everything if of_things and numeric and cells else ()


def _tells_a_time(name: str) -> bool:
    return any(map(_YEAR.fullmatch, name.split()))


def _years(names: Sequence[str]) -> list[str] | None:
    """Return the years that columns are headed by; None where some is headed by none."""
    matches = [_YEAR.fullmatch(name.strip()) for name in names]
    return [match[1] for match in matches if match] if all(matches) else None


def has_attributes_as_rows(table: Table) -> bool:
    """Return whether rows are attributes, told in units of their own, and columns what has them."""
    labels = [row[0].text for row in table.rows]
    attributes, things = len(labels), table.columns - 1
    if not _names_its_rows(table) or attributes < _LEAST_ATTRIBUTES or things < _LEAST_THINGS:
        return False
    if any(told_unit(name) != Unit() for name in table.header):
        return False
    name = table.header[0].strip().lower()
    is_headed_so = bool(_UNNAMED.fullmatch(name)) or name in _OF_ATTRIBUTES
    units = {told_unit(label) for label in labels}
    in_several_units = len(units) > 1
    rows = [row[1:] for row in table.rows]
    by_row, by_column = _alike(rows), _alike(list(zip(*rows, strict=True)))
    differ = by_row > by_column + _MORE_ALIKE
    if is_headed_so:
        return differ or (in_several_units and by_row >= by_column)
    # What heads the labels may say what the things are: `Model | Alpha | Beta`.
    named = sum(not any(map(str.isdigit, label)) for label in labels)
    # Labels that are told in two units or more head numbers of several kinds.
    differ = differ or (len(units - {Unit()}) > 1 and by_row == 1.0 > by_column)
    return differ and in_several_units and named > attributes / 2


def _alike(lines: Sequence[Sequence[Cell]]) -> float:
    """Return the mean share of the commonest kind in rows or columns."""
    shares = []
    for cells in lines:
        kinds = [
            Kind.NUMBER if cell.value.kind in _NUMBERS else cell.value.kind
            for cell in cells
            if cell.value.kind is not Kind.EMPTY
        ]
        if kinds:
            shares.append(max(map(kinds.count, kinds)) / len(kinds))
    return sum(shares) / len(shares) if shares else 0.0


def _turned(table: Table, columns: Sequence[int]) -> TurnedTable:
    """Return a table of which some columns are the rows."""
    headers = [table.header[column] for column in columns]
    years = _years(headers)
    names = headers if years is None else years
    rows = tuple(
        (Cell(name, name, parse_value(name)), *(row[column] for row in table.rows))
        for column, name in zip(columns, names, strict=True)
    )
    return TurnedTable(
        table_id=table.table_id,
        caption=table.caption,
        header=(_heading(table, headers), *(row[0].text for row in table.rows)),
        rows=rows,
        label_column=find_label_column(rows),
        has_header=True,
        padded=table.padded,
        notes=(*table.notes, "rows and columns changed places"),
        columns_turned=tuple(columns),
    )


def _heading(table: Table, headers: Sequence[str]) -> str:
    """Return what columns are that became rows.

    What heads the labels of attributes may say it: `Model | Alpha | Beta`.
    """
    names = [header.strip() for header in headers]
    for name, pattern in _TIMES.items():
        if all(pattern.fullmatch(text) or _ALL_TIMES.fullmatch(text) for text in names):
            return name
    return table.header[0] if has_attributes_as_rows(table) else _UNTOLD
