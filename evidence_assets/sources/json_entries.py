"""The entries of a JSON file: its lines, the elements of a list in it, or the members of an object."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import ijson

from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.json_stream import JsonBytes, numbered_values
from evidence_assets.sources.reading import Entry, Row, records_of
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError

Element = TypeVar("Element")


def json_lines(uri: str, needed: tuple[str, ...], identifier: str = "id") -> Iterator[Entry | RejectedRecord]:
    """Yields the JSON object of each line; blank lines are passed over.

    A record's place names its field `identifier`, where it has one.

    Raises:
        UnusableSourceError: the file is absent, or none of its lines is an object with the needed fields.
    """
    has_needed_fields, first = False, ""

    def entry(line: Line) -> Iterator[Entry]:
        nonlocal has_needed_fields, first
        if line.text.strip():
            try:
                fields = _json_object(line.text)
            except RecordRejectedError as rejected:
                first = first or f"{line.place}: {rejected.reason}"
                raise
            lacking = [field for field in needed if field not in fields]
            has_needed_fields = has_needed_fields or not lacking
            first = first or f"{line.place}: it lacks {', '.join(lacking)}, and has {', '.join(fields)}"
            yield Row(line.number, named_place(line.place, fields.get(identifier)), fields)

    yield from records_of(text_lines(uri), entry)
    if not has_needed_fields:
        raise UnusableSourceError(
            uri,
            "the whole file",
            f"no line is a JSON object with the fields {', '.join(needed)}; {first or 'the file is empty'}",
            "write an object a line, with these fields, or name the reader that fits the file",
        )


def json_items(uri: str, prefix: str) -> Iterator[object]:
    """Yields the elements of a list inside one JSON document, without holding the whole document.

    `prefix` is ijson's: `item` for a list at the top, `data.item` for the list under `data`.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or holds no element there.
    """
    return _parsed(uri, lambda source: ijson.items(source, prefix, use_float=True))


def json_members(uri: str, prefix: str) -> Iterator[tuple[str, object]]:
    """Yields name and value of each member of an object inside one JSON document, repeated names too.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or holds no member there.
    """
    return _parsed(uri, lambda source: ijson.kvitems(source, prefix, use_float=True))


def named_place(place: str, identifier: object) -> str:
    """Adds a record's identifier, where it has one, to its place."""
    if not isinstance(identifier, str | int):
        return place
    # An id that UTF-8 cannot store must not spoil the report about its own record.
    printable = str(identifier).encode("utf-8", "replace").decode("utf-8")
    return f"{place}, id {printable}"


def _json_object(line: str) -> Mapping[str, object]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordRejectedError(f"the line is not JSON ({error})", "repair the line") from error
    if not isinstance(value, dict):
        raise RecordRejectedError("the line is not a JSON object", "write one JSON object on each line")
    return value


def _parsed(uri: str, values_of: Callable[[JsonBytes], Iterator[Element]]) -> Iterator[Element]:
    number = 0
    for number, element in numbered_values(uri, values_of, "record"):  # noqa: B007 - counts after the loop
        yield element
    if not number:
        raise UnusableSourceError(
            uri,
            "the whole file",
            "the JSON document has no records where this benchmark keeps them",
            "give the file in the public form of this benchmark",
        )
