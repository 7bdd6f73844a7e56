"""Articles from Parquet in the layout of the `wikimedia/wikipedia` data set: id, url, title, text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from evidence_assets.sources.articles.common import FIELD_NAMES
from evidence_assets.sources.parquet import parquet_rows
from evidence_assets.sources.reading import Row, check_field_names, read_each, records_of, unreadable
from evidence_assets.sources.records import Article, RejectedRecord
from evidence_assets.sources.validation import RecordRejectedError

BATCH_ROWS = 256
DATA_SET_COLUMNS = {"key": "id", "title": "title", "text": "text", "url": "url"}


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    """One article a row, a small batch of rows and only the columns needed in memory at a time.

    `fields` maps our names (key, title, text, url, revision) to the file's columns where they differ from
    the data set's; an empty name says that the file has no such column, for title, url and revision.

    Raises:
        UnusableSourceError: a file is missing, is no Parquet, is damaged, or lacks a column.
    """
    check_field_names(uri, fields, FIELD_NAMES)
    columns = {name: column for name, column in {**DATA_SET_COLUMNS, **fields}.items() if column}
    yield from read_each(uri, partial(_read_file, columns=columns))


def _read_file(uri: str, _key_prefix: str, columns: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    def columns_of(present: list[str]) -> list[str]:
        _check_columns(uri, present, columns)
        return sorted(set(columns.values()))

    def article(row: Row[Any]) -> Iterator[Article]:
        texts = {}
        for name, column in columns.items():
            value = row.fields[column]
            if value is None and name in {"key", "text"}:
                raise RecordRejectedError(f"column {column!r} is null", "correct the row in the source")
            texts[name] = "" if value is None else str(value)
        yield Article(**{"title": "", **texts})

    return records_of(parquet_rows(uri, columns_of, BATCH_ROWS), article)


def _check_columns(uri: str, present: list[str], columns: Mapping[str, str]) -> None:
    required = {name: columns.get(name, "") for name in ("key", "text", *columns)}
    missing = [f"{name} ({column!r})" for name, column in required.items() if column not in present]
    if missing:
        raise unreadable(
            uri,
            f"no column for {', '.join(missing)}; the file has {', '.join(present)}",
            "map our names to the file's columns with `fields`; map title or url to '' where it has none",
        )
