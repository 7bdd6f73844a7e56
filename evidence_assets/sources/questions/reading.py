"""Iteration over the records of a file, with rejections of unusable ones."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, TypeVar

import ijson

from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.json_stream import JsonBytes, numbered_values
from evidence_assets.sources.questions.validation import RecordRejectedError
from evidence_assets.sources.reading import Row, records_of
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError

Reader: TypeAlias = Callable[[str, str], Iterator[Question | RejectedRecord]]
Element = TypeVar("Element")
Entry: TypeAlias = Row[object]

CHAIN_SEPARATOR = "::"
# A home folder, another store, a member of another archive.
_ELSEWHERE = re.compile(r"~|[\w+.-]+:|.*::|.*://", re.DOTALL)


def read_questions(
    entries: Iterable[Entry | RejectedRecord], build: Callable[[Entry], Question]
) -> Iterator[Question | RejectedRecord]:
    """Yields a question or a rejection for each entry; the first of equal question ids is kept.

    Raises:
        UnusableSourceError: passed on from `entries` and `build`.
    """
    places: dict[str, str] = {}

    def question(entry: Entry) -> Iterator[Question]:
        built = build(entry)
        if first := places.get(built.question_id):
            reason = f"question id {built.question_id!r} was already used by {first}"
            raise RecordRejectedError(reason, "give every question an id of its own")
        places[built.question_id] = entry.place
        yield built

    return records_of(entries, question)


def json_lines(uri: str, needed: tuple[str, ...], identifier: str = "id") -> Iterator[Entry | RejectedRecord]:
    """Yields the JSON object of each line; blank lines are passed over.

    A record's place names its field `identifier`, where it has one.

    Raises:
        UnusableSourceError: the file is absent, or none of its lines is an object with the needed fields.
    """
    has_needed_fields = False

    def entry(line: Line) -> Iterator[Entry]:
        nonlocal has_needed_fields
        if line.text.strip():
            fields = _json_object(line.text)
            has_needed_fields = has_needed_fields or all(field in fields for field in needed)
            yield Row(line.number, named_place(line.place, fields.get(identifier)), fields)

    yield from records_of(text_lines(uri), entry)
    if not has_needed_fields:
        raise UnusableSourceError(
            uri,
            "the whole file",
            f"no line is a JSON object with the fields {', '.join(needed)}",
            "give the file in the public JSON lines form of this benchmark",
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


def file_name(uri: str) -> str:
    """The name of the file that a URI names, also where it lies in an archive (`zip://name::archive`)."""
    return _naming_link(uri)[1].rpartition("/")[2]


def sibling(uri: str, name: str) -> str:
    """The URI of a file of another name in the same folder or archive folder."""
    return in_folder(uri, f"../{name}")


def in_folder(uri: str, name: str) -> str:
    """The URI of a file below the folder, or archive folder, that a URI names; `..` leads up."""
    before, link, after = _naming_link(uri)
    protocol, separator, path = link.rpartition("://")
    normal_path = posixpath.normpath(f"{path}/{name}") if path else name
    return CHAIN_SEPARATOR.join([*before, f"{protocol}{separator}{normal_path}", *after])


def below(written: str, name: str) -> str:
    """Returns a path that a record writes, in its shortest form; `name` is what messages call it.

    Raises:
        RecordRejectedError: it leads out of the folder that it counts from.
    """
    path = posixpath.normpath(written)
    if path.startswith(("/", "../")) or path in {".", ".."} or _ELSEWHERE.match(written):
        raise RecordRejectedError(
            f"{name} {written!r:.200} names no file below the folder of the questions",
            "put the table beside the questions, or below, and give its path from there",
        )
    return path


def _naming_link(uri: str) -> tuple[list[str], str, list[str]]:
    """The link of a chained URI that names the file, between the links before and after it.

    A caching layer (`simplecache::s3://bucket/name`) stands first and names none.
    """
    links = uri.split(CHAIN_SEPARATOR)
    last = len(links) - 1
    position = next((number for number, link in enumerate(links) if "://" in link), last)
    return links[:position], links[position], links[position + 1 :]


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
