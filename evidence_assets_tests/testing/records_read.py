"""What readers yield, where a test expects every record to be of the same type."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Record = TypeVar("Record")


def all_of(kind: type[Record], records: Iterable[object]) -> list[Record]:
    """The records, each of which must be of that type."""
    checked = []
    for record in records:
        assert isinstance(record, kind), f"no {kind.__name__}: {record!r}"
        checked.append(record)
    return checked


def only_of(kind: type[Record], records: Iterable[object]) -> Record:
    """The only record, which must be of that type."""
    (record,) = all_of(kind, records)
    return record
