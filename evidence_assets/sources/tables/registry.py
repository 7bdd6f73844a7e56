"""Readers of plain tables by the endings of their files."""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.sources.files import named_files, uncompressed_name
from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.delimited import delimited_tables
from evidence_assets.sources.tables.excel import workbook_tables
from evidence_assets.sources.tables.html import page_tables
from evidence_assets.sources.tables.markdown import markdown_tables
from evidence_assets.sources.tables.reading import Tables, read_files
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# So many letters has a word at least by which a file tells what its rows are: not `t1.csv`.
_SHORTEST = 3


def _named_tables(content: bytes, name: str) -> Tables:
    """Yield the table of a delimited file; one without a title is called as its file: `road_repairs.csv`."""
    stem = spelt(uncompressed_name(name).name.partition(".")[0])
    says_something = any(len(word) >= _SHORTEST and word.isalpha() for word in words(stem))
    for record in delimited_tables(content, name):
        if isinstance(record, TableRecord) and not record.caption and says_something:
            yield replace(record, caption=stem)
        else:
            yield record


READERS = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), _named_tables),
    **dict.fromkeys((".xlsx", ".xlsm"), workbook_tables),
    **dict.fromkeys((".html", ".htm"), page_tables),
    **dict.fromkeys((".md", ".markdown"), markdown_tables),
}


def read_tables(uri: str) -> Tables:
    """Yields the tables of a file, or of the files of a folder or glob, each read as its ending says.

    A key begins with the file's name below the folder; files of other endings are rejected.

    Raises:
        UnusableSourceError: there is no such file, or one breaks off.
    """
    for file in named_files(uri):
        suffix = uncompressed_name(file.name.lower()).suffix
        if suffix in READERS:
            yield from read_files([file], READERS[suffix])
        else:
            reason = f"no reader of tables for files that end in {suffix or 'nothing'!r}"
            yield RejectedRecord(file.name, reason, f"give files that end in one of {', '.join(READERS)}")
