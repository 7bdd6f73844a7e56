"""The formats that hold records: JSON lines, JSON documents, delimited text and Parquet."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, InstanceOf

from evidence_assets.sources.files import Line, byte_lines, open_binary, text_lines
from evidence_assets.sources.json_entries import json_items, json_lines, json_members, named_place
from evidence_assets.sources.parquet import parquet_rows
from evidence_assets.sources.questions.expressions import Expression
from evidence_assets.sources.reading import Entry, Row, records_of
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.specification_fields import Strict
from evidence_assets.sources.tables.delimited import BrokenRowError, csv_rows
from evidence_assets.sources.uris import file_name
from evidence_assets.sources.validation import (
    RecordRejectedError,
    optional_text,
    required_list,
    required_mapping,
)

Entries: TypeAlias = Iterator[Entry | RejectedRecord]
# The first bytes of UTF-16, as they survive, and what parts cells beside commas and tabs.
_WIDE_MARKS = ("\udcff\udcfe", "\udcfe\udcff")
_OTHER_MARKS = (";", "|")
PathExpression = Annotated[InstanceOf[Expression], BeforeValidator(Expression.of)]


def _walkable(records: dict[str, str]) -> dict[str, str]:
    for number, (name, path) in enumerate(records.items()):
        if not re.fullmatch(r"[\w.]+\[\]" if number else r"[\w.]*\[\]|([\w.]+\.)?\*", path):
            raise ValueError(
                f"{path!r} of {name} is no path to records; remedy: write a list as data[], or [] where it "
                "is the document, an object as exams.* or *"
                + (", which only the first path may be" if number else "")
            )
    return records


class Layout(Strict):
    """Where the records of a file are.

    `records`: of a JSON document, what its records are called, and the path to their list (`data[]`, `[]` for
    a list at the top) or object (`exams.*`); a path behind another leads on from each of its elements.
    `columns`: names of the columns, where the file has none. `delimiter`: of delimited text, else a tab where
    the first line has one, and a comma. `needed`: fields that some record must have, or the file is of
    another form. `id`: the record's own identifier.
    """

    records: Annotated[dict[str, str], AfterValidator(_walkable)] = Field(
        default={"record": "[]"}, min_length=1
    )
    columns: tuple[str, ...] = ()
    delimiter: str = ""
    needed: tuple[str, ...] = ()
    id: PathExpression | None = None

    def entry(self, number: int, place: str, fields: Mapping[str, object]) -> Entry:
        """A record; its place names its own identifier, where it has one."""
        identifier = None
        with suppress(RecordRejectedError):
            identifier = None if self.id is None else self.id.value(fields)
        return Row(number, named_place(place, identifier), fields)

    def named(self, rows: Iterable[Entry | RejectedRecord]) -> Entries:
        """The same records, their places named."""
        return records_of(rows, lambda row: [self.entry(row.number, row.place, row.fields)])


# (uri, split, layout) -> records. It raises UnusableSourceError where a file is absent, breaks off, or is of
# another form (it lacks a needed field or column, or no record fits), and where there is no such split.
Format: TypeAlias = Callable[[str, str, Layout], Entries]


def with_fields(
    entries: Iterable[Entry | RejectedRecord], more: Callable[[Entry], Mapping[str, object]]
) -> Entries:
    """Yields records with more fields, those that code makes; a record that `more` rejects is left out."""
    return records_of(entries, lambda entry: [replace(entry, fields={**entry.fields, **more(entry)})])


def jsonl_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the JSON object of each line."""
    return layout.named(json_lines(uri, layout.needed, identifier=""))


def json_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the records of one JSON document, each with what it lies in, by the names of `records`.

    A member of an object has its name as `_key`.
    """
    (name, path), *inner = layout.records.items()
    elements: Iterator[tuple[int | str, object]] = (
        iter(json_members(uri, path.rpartition(".")[0]))
        if path.endswith("*")
        else enumerate(json_items(uri, ".".join(filter(None, (path[:-2], "item")))), start=1)
    )
    for number, (key, value) in enumerate(elements, start=1):
        yield from _nested(layout, number, key, value, name, "", {}, inner)


def _nested(
    layout: Layout, number: int, key: int | str, value: object, name: str, outer: str,
    parents: Mapping[str, object], inner: list[tuple[str, str]],
) -> Entries:  # fmt: skip
    place = f"{outer}{name} {key}"
    try:
        fields = dict(required_mapping(value, f"the {name}"))
        if isinstance(key, str):
            fields["_key"] = key
        if not inner:
            yield layout.entry(number, place, {**parents, **fields})
            return
        (next_name, path), *deeper = inner
        parent = Expression.of(path[:-2])
        elements = required_list(parent.value(fields), f"'{parent.name}'")
    except RecordRejectedError as rejected:
        yield rejected.at(place)
        return
    for count, element in enumerate(elements, start=1):
        yield from _nested(
            layout, count, count, element, next_name, f"{place}, ", {**parents, name: fields}, deeper
        )


def json_or_jsonl_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the records of a JSON list where the file begins like one, else of JSON lines."""
    with open_binary(uri) as stream:
        is_list = stream.peek(64).lstrip().startswith(b"[")
    yield from (json_entries if is_list else jsonl_entries)(uri, split, layout)


def csv_entries(uri: str, split: str, layout: Layout, loose: bool = False) -> Entries:
    """Yields the rows of quoted, delimited text, by the names of the first row, or of `columns`.

    With `loose`, names are taken in capitals, and cells behind those that have names are passed over.
    """
    name = file_name(uri)
    fits, refused = False, None
    # Bad bytes survive as surrogates, so that the row they stand in is rejected and no other.
    text = (line.decode("utf-8-sig", "surrogateescape") for _, line in byte_lines(uri))
    first = next(text, "")
    delimiter = layout.delimiter or ("\t" if "\t" in first else ",")
    rows = csv_rows(itertools.chain([first], text), delimiter=delimiter, strict=True)
    try:
        names = list(layout.columns) or [cell.strip() for cell in next(rows, (1, [""]))[1]]
        names = [cell.upper() for cell in names] if loose else names
        if not layout.columns:
            _check_marks(uri, names)
            check_names(uri, names, layout.needed)
        for number, cells in rows:
            entry = _entry(layout, number, f"{name}, row {number}", names, cells, "row", loose)
            if isinstance(entry, RejectedRecord):
                refused = refused or entry
            else:
                fits = True
            yield entry
    except BrokenRowError as error:
        remedy = "write a quote inside a quoted cell twice, and close every quote"
        place = f"behind row {error.row}"
        raise UnusableSourceError(uri, place, f"not CSV ({error})", remedy) from error
    if not fits and (refused or layout.columns):
        refused = refused or _misfit("the whole file", [], names, "")
        raise UnusableSourceError(uri, refused.record, f"no row fits: {refused.reason}", refused.remedy)


def tsv_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the lines of a file whose cells tabs part, without quoting, named as in `csv_entries`."""
    lines = text_lines(uri)
    names = list(layout.columns)
    if not names:
        first = next(lines, Line(1, ""))
        names = [] if isinstance(first, RejectedRecord) else [cell.strip() for cell in first.text.split("\t")]
        check_names(uri, names, layout.needed)

    def entry(line: Line) -> Iterator[Entry | RejectedRecord]:
        if line.text.strip():
            yield _entry(layout, line.number, line.place, names, line.text.split("\t"), "line", False)

    yield from records_of(lines, entry)


def parquet_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the rows of a Parquet file."""

    def columns_of(present: list[str]) -> list[str]:
        check_names(uri, present, layout.needed)
        return present

    remedy = "give the file as Parquet, or name its format in the mapping"
    return layout.named(parquet_rows(uri, columns_of, 1024, "not Parquet", remedy))


def _check_marks(uri: str, names: Sequence[str]) -> None:
    """Refuse a file whose first row, read as one cell, is many.

    Raises:
        UnusableSourceError: it is in UTF-16, or other marks part its cells.
    """
    [first, *others] = names or [""]
    if first.startswith(_WIDE_MARKS):
        raise UnusableSourceError(uri, "line 1", "it is in UTF-16", "save the file as UTF-8")
    marks = [mark for mark in _OTHER_MARKS if mark in first]
    if marks and not others:
        raise UnusableSourceError(
            uri,
            "line 1",
            f"its cells are parted by {marks[0]!r}: the first row is {first!r:.100}",
            f"part them by commas, or say so in the mapping: delimiter: {marks[0]!r}",
        )


def check_names(uri: str, names: list[str], needed: Iterable[str]) -> None:
    """Refuse a file that does not name a needed column.

    Raises:
        UnusableSourceError: it does not.
    """
    missing = [name for name in needed if name not in names]
    if missing:
        raise UnusableSourceError(
            uri,
            "line 1",
            f"the first line does not name {', '.join(missing)}",
            "give the file in the public form of this benchmark, with its line of names",
        )


def _entry(
    layout: Layout, number: int, place: str, names: list[str], cells: list[str], unit: str, loose: bool
) -> Entry | RejectedRecord:
    """A record of named cells, or why they do not fit the names."""
    if len(cells) == len(names) or (loose and len(cells) > len(names)):
        return layout.entry(number, place, dict(zip(names, cells, strict=False)))
    return _misfit(place, cells, names, "" if layout.columns else unit)


def _misfit(place: str, cells: list[str], names: list[str], header: str) -> RejectedRecord:
    try:
        optional_text("".join(cells), "the row")
    except RecordRejectedError as rejected:
        return rejected.at(place)
    if header:
        reason = f"{len(cells)} cells where the first {header} names {len(names)}"
        return RejectedRecord(place, reason, f"give every {header} a cell for each name")
    reason = f"{len(cells)} columns where {len(names)} are expected"
    return RejectedRecord(place, reason, f"write {', '.join(names)}")
