"""Programs over the things that a table's rows are of, each of which is said the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar, cast

from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.types import Rows, RowsResult, Truth, cells_of
from evidence_assets.tables.programs.index.table_index import TableIndex

_Program = TypeVar("_Program")


@dataclass(frozen=True, slots=True)
class ThingsThat:
    """The rows of the things of which something is true.

    `things`: the rows of each. `said`: what is said of each, in the same order. `pattern`: what is said, of
    `it`. `unknown_hold`: whether things of which it is undefined are among them.
    """

    things: tuple[Rows, ...]
    said: tuple[Truth, ...]
    pattern: Truth
    unknown_hold: bool = False

    def run(self, index: TableIndex) -> RowsResult:
        """Return the rows, and the cells that what is said of all things rests on."""
        results = [truth.run(index) for truth in self.said]
        rows = frozenset[int]().union(
            *(
                thing.run(index).rows
                for thing, result in zip(self.things, results, strict=True)
                if (self.unknown_hold if result.truth is None else result.truth)
            )
        )
        return RowsResult(rows, cells_of(results))

    def describe(self, header: tuple[str, ...]) -> str:
        """Return it in readable form."""
        return f"those of which ({self.pattern.describe(header)})"


def substituted(program: _Program, part: object, other: object) -> _Program:
    """Return a program, or several, with another part wherever a part stands; itself where none does."""
    if program == part:
        return cast(_Program, other)
    if isinstance(program, tuple):
        items = tuple(substituted(item, part, other) for item in program)
        is_changed = any(new is not old for new, old in zip(items, program, strict=True))
        return cast(_Program, items) if is_changed else program
    kind: Any = type(program)
    names = _fields_of(kind)
    if names is None:
        return program
    values = {name: getattr(program, name) for name in names}
    changed = {name: substituted(value, part, other) for name, value in values.items()}
    changes = {name: value for name, value in changed.items() if value is not values[name]}
    return cast(_Program, replace(cast(Any, program), **changes)) if changes else program


def parts_of(program: object) -> list[object]:
    """Return a program, and every program that is a part of it."""
    parts: list[object] = []
    _add_parts(program, parts)
    return parts


def _add_parts(program: object, parts: list[object]) -> None:
    kind: Any = type(program)
    if kind is tuple:
        for item in cast(tuple[object, ...], program):
            _add_parts(item, parts)
        return
    names = _fields_of(kind)
    if names is not None:
        parts.append(program)
        for name in names:
            _add_parts(getattr(program, name), parts)


def columns_of(parts: Iterable[object]) -> set[int]:
    """Return the columns whose cells parts of a program take or set a condition on."""
    columns: set[int] = set()
    for part in parts:
        if isinstance(part, Where):
            columns |= part.link.places.keys()
        elif isinstance(column := getattr(part, "column", None), int):
            columns.add(column)
    return columns


@cache
def _fields_of(kind: Any) -> tuple[str, ...] | None:
    """Return the names of the fields of a class of programs; None of another class."""
    is_program = is_dataclass(kind) and hasattr(kind, "run")
    return tuple(field.name for field in fields(kind)) if is_program else None
