"""Readers of plain tables by the endings of their files."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.files import named_files
from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.delimited import read_delimited
from evidence_assets.sources.tables.excel import read_excel
from evidence_assets.sources.tables.html import read_html
from evidence_assets.sources.tables.markdown import read_markdown
from evidence_assets.sources.tables.reading import format_suffix

READERS = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".txt": read_delimited,
    ".xlsx": read_excel,
    ".xlsm": read_excel,
    ".html": read_html,
    ".htm": read_html,
    ".md": read_markdown,
    ".markdown": read_markdown,
}


def read_tables(uri: str) -> Iterator[TableRecord | RejectedRecord]:
    """Yields the tables of a file, or of the files of a folder or glob, each read as its ending says.

    A key is the file's name below the folder; files of other endings are rejected.

    Raises:
        UnusableSourceError: there is no such file, or one breaks off.
    """
    for file in named_files(uri):
        reader = READERS.get(format_suffix(file.name))
        if reader is None:
            reason = f"no reader of tables for files that end in {format_suffix(file.name) or 'nothing'!r}"
            yield RejectedRecord(file.name, reason, f"give files that end in one of {', '.join(READERS)}")
            continue
        folder = file.name.rpartition("/")[0]
        for record in reader(file.uri):
            if isinstance(record, TableRecord) and folder:
                yield TableRecord(f"{folder}/{record.key}", record.caption, record.header_rows, record.rows)
            else:
                yield record
