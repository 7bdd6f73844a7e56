"""Articles from the tables of the WorldTree corpus: every row of a TSV file reads as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath

from evidence_assets.sources.files import Line, text_lines
from evidence_assets.sources.reading import check_field_names, read_each, records_of
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError

SKIPPED = "[SKIP]"
UID = "[SKIP] UID"
ALTERNATIVE_SEPARATOR = ";"


def read(uri: str, fields: Mapping[str, str]) -> Iterator[Article | RejectedRecord]:
    """One article a row, without title: the row's cells, joined by a space, without the `[SKIP]` columns.

    Of a cell's alternatives, separated by `;`, the first is taken. The key is the row's UID; where it has
    none, or an earlier row has the same (version 1.0 holds three such), it is the file's name and the
    line's number. Rows that the tables call deprecated are read too, as published explanations cite some.

    A row shorter than the header is read as if the missing cells were empty, one without text is ignored, and
    one with text beyond the header's columns, or that is not UTF-8, is rejected alone.

    Raises:
        UnusableSourceError: a file is missing or breaks off; its first line is no header of a table; `fields`
            is not empty.
    """
    check_field_names(uri, fields, ())
    keys: set[str] = set()
    yield from read_each(uri, partial(_read_file, keys=keys))


def _read_file(uri: str, key_prefix: str, keys: set[str]) -> Iterator[Article | RejectedRecord]:
    prefix = key_prefix or f"{PurePosixPath(uri.partition('::')[0]).name}:"
    lines = text_lines(uri)
    columns = _columns(uri, next(lines, None))
    text_columns = [number for number, name in enumerate(columns) if not name.startswith(SKIPPED)]

    def article(line: Line) -> Iterator[Article]:
        cells = [" ".join(cell.split()) for cell in line.text.split("\t")]
        if any(cells[len(columns) :]):
            raise RecordRejectedError(
                f"{len(cells)} cells where the header names {len(columns)} columns",
                "remove the tabs that part one cell in two, or name the further columns in the header",
            )
        cells += [""] * (len(columns) - len(cells))
        text = " ".join(filter(None, (_first_alternative(cells[column]) for column in text_columns)))
        if text:
            uid = cells[columns.index(UID)] if UID in columns else ""
            key = uid if uid and uid not in keys else f"{prefix}{line.number}"
            keys.add(key)
            yield Article(key=key, title="", text=text)

    return records_of(lines, article)


def _columns(uri: str, header: Line | RejectedRecord | None) -> list[str]:
    remedy = "give a table of the WorldTree corpus: a header line, its columns separated by one tab each"
    if header is None:
        raise UnusableSourceError(uri, "line 1", "no header: the file is empty", remedy)
    if isinstance(header, RejectedRecord):
        raise UnusableSourceError(uri, header.record, f"no header: {header.reason}", header.remedy)
    columns = [" ".join(name.split()) for name in header.text.split("\t")]
    # Text of another kind has no tab in its first line, and would be taken for a table of one column.
    if len(columns) == 1 or all(name.startswith(SKIPPED) for name in columns):
        reason = f"no header of a table with text: {header.text[:80]!r}"
        raise UnusableSourceError(uri, "line 1", reason, remedy)
    return columns


def _first_alternative(cell: str) -> str:
    alternatives = (alternative.strip() for alternative in cell.split(ALTERNATIVE_SEPARATOR))
    return next(filter(None, alternatives), "")
