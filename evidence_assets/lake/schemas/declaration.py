"""What a declared table is, and what the declarations share."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

ROWS_PER_GROUP = 16_384
# Of tables of which single rows are looked for: a prediction's lie all over a file.
LOOKED_UP_ROWS_PER_GROUP = 4_096
# Of a table of which a row is looked for in every file: each part is asked whether it can hold it.
SEARCHED_ROWS_PER_GROUP = 65_536


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
    the id is a content hash, so repeats are equal, and the catalogue's view shows each once. `sought_by`:
    columns, or fields of structs (`column.field`), by whose values rows are looked for in every file; each
    part of a file tells which it cannot hold. `rows_per_group`: how many rows such a part has. Whoever looks
    for a row reads its whole part, and a file's end tells of every part: small where single rows of one file
    are looked for, large where all rows are read or many files are opened.
    """

    name: str
    description: str
    schema: pa.Schema
    key: tuple[str, ...]
    partition_columns: tuple[str, ...]
    references: tuple[Reference, ...] = ()
    shared_rows: bool = False
    sought_by: tuple[str, ...] = ()
    rows_per_group: int = ROWS_PER_GROUP


TEXT = pa.string()


def required(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    """Return a column that is never null."""
    return pa.field(name, kind, False, {"description": description} if description else None)


def optional(name: str, kind: pa.DataType, description: str = "") -> pa.Field:
    """Return a column that may be null."""
    return required(name, kind, description).with_nullable(True)


def texts(*names: str) -> list[pa.Field]:
    """Return columns of text that are never null and say what they are by their names."""
    return [required(name, TEXT) for name in names]


def columns(*fields: pa.Field) -> pa.Schema:
    """Return a table's schema."""
    return pa.schema(fields)


def structs(*fields: pa.Field) -> pa.DataType:
    """Return the type of a list of structs."""
    return pa.list_(pa.struct(fields))


CANDIDATE = required(
    "candidate", pa.int32(), "index into the question's options; -1 stands for the question itself"
)
SCORE_PARTS = structs(required("name", TEXT), required("value", pa.float64()))
ANSWERS_A_QUESTION = Reference(("benchmark", "question_id"), "questions", ("benchmark", "question_id"))
