"""What is made of a table, or of its index, kept for those that were used last."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

from evidence_assets.tables.table import Table

_KEPT_TABLES = 8
_Made = TypeVar("_Made")
_Index = TypeVar("_Index")


def kept_for_tables(make: Callable[[Table], _Made]) -> Callable[[Table], _Made]:
    """Return a function of a table that keeps its results for the tables that it was last called with."""
    # By identity, since a table's hash would walk all its cells; the one used last is last.
    kept: dict[int, tuple[Table, _Made]] = {}

    @wraps(make)
    def kept_or_made(table: Table) -> _Made:
        entry = kept.pop(id(table), None)
        if entry is None or entry[0] is not table:
            entry = table, make(table)
        kept[id(table)] = entry
        while len(kept) > _KEPT_TABLES:
            del kept[next(iter(kept))]
        return entry[1]

    return kept_or_made


def kept_for_indexes(make: Callable[[_Index], _Made]) -> Callable[[_Index], _Made]:
    """Return a function of a table's index that keeps its results for the indexes that were asked last."""
    return lru_cache(maxsize=_KEPT_TABLES)(make)
