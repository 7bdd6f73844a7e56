"""Articles from JSON: a list of objects, an object of titles and texts, or one object a line (JSONL)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from evidence_assets.sources.articles.common import FIELD_NAMES, article_from_object
from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.json_stream import CHUNK_BYTES, JsonBytes, numbered_values
from evidence_assets.sources.reading import check_field_names, read_each, records_of
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError


def read_json(uri: str, fields: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    """Articles of a list of objects, or of an object that maps a title to a text or a list of sentences.

    `fields` maps our names (key, title, text, url, revision) to those of listed objects. The key is the
    object's, else its title (of several that share it, the later have their numbers behind it), else its
    number, behind the file's name where there are several files.

    Raises:
        UnusableSourceError: a file is missing, breaks off, is not UTF-8, or is not JSON of that form.
    """
    check_field_names(uri, fields, FIELD_NAMES)
    yield from read_each(uri, partial(_read_json_file, fields=fields))


def read_jsonl(uri: str, fields: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    """Articles of a file with one object a line; a bad line is rejected alone, blank ones are ignored.

    `fields` and keys are as in `read_json`; the number of a record is that of its line.

    Raises:
        UnusableSourceError: a file is missing or breaks off.
    """
    check_field_names(uri, fields, FIELD_NAMES)
    yield from read_each(uri, partial(_read_lines_of_objects, fields=fields))


def _read_json_file(
    uri: str, key_prefix: str, fields: Mapping[str, str]
) -> Iterator[Article | RejectedRecord]:
    for number, (title, value) in numbered_values(uri, partial(_entries, uri=uri), "record"):
        key = f"{key_prefix}{number}"
        try:
            if title is None:
                yield article_from_object(value, key, fields)
            else:
                yield article_from_object({"title": title, "text": value}, key, {})
        except RecordRejectedError as rejected:
            yield rejected.at(f"record {number}" if title is None else f"record {number} ({title!r})")


def _entries(source: JsonBytes, uri: str) -> Iterator[tuple[str | None, Any]]:
    import ijson

    match source.first_character():
        case b"[":
            for value in ijson.items(source, "item", buf_size=CHUNK_BYTES):
                yield None, value
        case b"{":
            yield from ijson.kvitems(source, "", buf_size=CHUNK_BYTES)
        case first:
            raise UnusableSourceError(
                uri,
                f"byte {source.end}",
                f"neither a list nor an object begins here, but {first.decode('utf-8', 'replace')!r}",
                "give a JSON list of objects, or an object of titles and texts",
            )


def _read_lines_of_objects(
    uri: str, key_prefix: str, fields: Mapping[str, str]
) -> Iterator[Article | RejectedRecord]:
    def article(line: Line) -> Iterator[Article]:
        if not line.text.strip():
            return
        try:
            value = json.loads(line.text)
        except (ValueError, RecursionError) as error:
            raise RecordRejectedError(f"broken JSON: {error}", "correct the line") from error
        yield article_from_object(value, f"{key_prefix}{line.number}", fields)

    return records_of(text_lines(uri), article)
