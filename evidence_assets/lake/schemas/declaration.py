"""What a declared table is, and what the declarations share."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Reference:
    """`columns` of one table name rows of `table` by its `target` columns."""

    columns: tuple[str, ...]
    table: str
    target: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """One table: its schema, the key its rows are sorted and unique by, and its partition columns.

    Partition columns are kept in the files too, so that a file read on its own says what it is.
    `shared_rows` marks a table whose partitions may repeat a row (the same evidence used by two arms):
    the id is a content hash, so repeats are equal, and the catalogue's view shows each once.
    """

    name: str
    description: str
    schema: pa.Schema
    key: tuple[str, ...]
    partition_columns: tuple[str, ...]
    references: tuple[Reference, ...] = field(default=())
    shared_rows: bool = False


TEXT = pa.string()
CANDIDATE = pa.field(
    "candidate",
    pa.int32(),
    nullable=False,
    metadata={"description": "index into the question's options; -1 stands for the question itself"},
)


def required(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    """Return a column that is never null."""
    metadata = {"description": description} if description else None
    return pa.field(name, kind, nullable=False, metadata=metadata)


def optional(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    """Return a column that may be null."""
    metadata = {"description": description} if description else None
    return pa.field(name, kind, nullable=True, metadata=metadata)


SCORE_PARTS = pa.list_(pa.struct([required("name", TEXT), required("value", pa.float64())]))
ANSWERS_A_QUESTION = Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id"))
