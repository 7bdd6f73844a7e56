"""Triples from text files with one triple a line, its columns separated by a tab (ConceptNet100k)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.graphs.common import check_count, finite_number, stated_at
from evidence_assets.sources.reading import check_field_names, read_each, records_of, unreadable
from evidence_assets.sources.records import RejectedRecord, Triple
from evidence_assets.sources.validation import RecordRejectedError, required_text

DEFAULT_COLUMNS = {"relation": 1, "head": 2, "tail": 3}
FIELD_NAMES = (*DEFAULT_COLUMNS, "weight", "label")
HIGHEST_COLUMN = 9999
_COLUMN_NUMBER = re.compile(r"[1-9][0-9]{0,3}")


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Triple | RejectedRecord]:
    """One triple a line: relation, head and tail, unless `fields` says which column, from 1, holds which.

    `fields` may also name the column of a weight, and that of a label: 1 where the source calls the triple
    true, 0 where it calls it false, and then it is rejected. Columns that `fields` leaves out are ignored;
    without `fields` there must be three. Blank lines are ignored, and a bad line is rejected alone.

    The source and the licence of a triple are left empty: the file does not know them.

    Raises:
        UnusableSourceError: a file is missing or breaks off; `fields` has an unknown name, something else
            than a column's number, or one column for two names.
    """
    check_field_names(uri, fields, FIELD_NAMES)
    columns = _column_numbers(uri, fields)
    yield from read_each(uri, partial(_read_file, columns=columns, others_ignored=bool(fields)))


def _column_numbers(uri: str, fields: Mapping[str, str]) -> dict[str, int]:
    columns = dict(DEFAULT_COLUMNS)
    for name, column in fields.items():
        if not _COLUMN_NUMBER.fullmatch(column):
            reason = f"fields maps {name} to {column!r}, not the number of a column"
            raise unreadable(uri, reason, f"give a whole number from 1 to {HIGHEST_COLUMN}")
        columns[name] = int(column)
    names: dict[int, str] = {}
    for name, number in columns.items():
        if number in names:
            raise unreadable(
                uri,
                f"column {number} stands for both {names[number]} and {name}",
                "map each to a column of its own; relation, head and tail are 1, 2 and 3 unless mapped",
            )
        names[number] = name
    return columns


def _read_file(
    uri: str, key_prefix: str, columns: Mapping[str, int], *, others_ignored: bool
) -> Iterator[Triple | RejectedRecord]:
    def triple(line: Line) -> Iterator[Triple]:
        # A line of tabs alone is no blank line, but a triple whose fields are all empty.
        if not line.text.strip(" "):
            return
        values = line.text.split("\t")
        if len(values) > len(columns) and not others_ignored:
            remedy = "correct the line, or name the columns to be read with `fields`"
            check_count(values, len(columns), remedy)
        labels = {name: _value(values, column, name) for name, column in columns.items()}
        if "label" in labels:
            _check_label(labels["label"])
        weight = finite_number(labels["weight"], "correct the weight") if "weight" in labels else None
        sources = stated_at(f"{key_prefix}{line.place}")
        yield Triple(labels["head"], labels["relation"], labels["tail"], weight, sources)

    return records_of(text_lines(uri), triple)


def _value(values: Sequence[str], column: int, name: str) -> str:
    if column > len(values):
        raise RecordRejectedError(
            f"no column {column} for {name}: the line has {len(values)}",
            "separate the columns by one tab each, or name them with `fields`",
        )
    return required_text(values[column - 1], name)


def _check_label(label: str) -> None:
    if label == "0":
        raise RecordRejectedError(
            "labelled as false by the source", "leave the line out, or correct its label if it is true"
        )
    if label != "1":
        raise RecordRejectedError(f"label is {label!r}, neither 0 nor 1", "write 1 for true, or 0 for false")
