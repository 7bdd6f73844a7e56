"""Articles from Parquet in the layout of the `wikimedia/wikipedia` data set: id, url, title, text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from evidence_assets.sources.articles.common import FIELD_NAMES, check_field_names, read_each
from evidence_assets.sources.files import BrokenReadError, open_binary
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError

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
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    number = 0
    with open_binary(uri) as stream:
        try:
            parquet = ParquetFile(stream, pre_buffer=False, buffer_size=1024 * 1024)
            _check_columns(uri, parquet.schema_arrow.names, columns)
            selected = sorted(set(columns.values()))
            for batch in parquet.iter_batches(BATCH_ROWS, columns=selected, use_threads=False):
                for row in range(batch.num_rows):
                    number += 1
                    yield _article(batch, row, columns, f"row {number}")
        except BrokenReadError as error:
            raise error.after(f"row {number}") from error
        except (pa.ArrowException, OSError) as error:
            raise UnusableSourceError(
                uri,
                f"after row {number}",
                f"not readable as Parquet ({' '.join(str(error).split())})",
                "fetch the file again, or name only Parquet files",
            ) from error


def _check_columns(uri: str, present: list[str], columns: Mapping[str, str]) -> None:
    required = {name: columns.get(name, "") for name in ("key", "text", *columns)}
    missing = [f"{name} ({column!r})" for name, column in required.items() if column not in present]
    if missing:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"no column for {', '.join(missing)}; the file has {', '.join(present)}",
            "map our names to the file's columns with `fields`; map title or url to '' where it has none",
        )


def _article(batch: Any, row: int, columns: Mapping[str, str], place: str) -> Article | RejectedRecord:
    texts: dict[str, str] = {}
    for name, column in columns.items():
        try:
            value = batch.column(column)[row].as_py()
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start} of column {column!r} is not UTF-8"
            return RejectedRecord(place, wrong, "correct the row in the source")
        if value is None and name in {"key", "text"}:
            return RejectedRecord(place, f"column {column!r} is null", "correct the row in the source")
        texts[name] = "" if value is None else str(value)
    return Article(
        key=texts["key"],
        title=texts.get("title", ""),
        text=texts["text"],
        url=texts.get("url", ""),
        revision=texts.get("revision", ""),
    )
