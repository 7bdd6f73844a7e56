"""Readers of plain tables by the endings of their files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps

from evidence_assets.sources.files import named_files, uncompressed_name
from evidence_assets.sources.records import RejectedRecord
from evidence_assets.sources.tables.delimited import delimited_tables
from evidence_assets.sources.tables.excel import workbook_tables
from evidence_assets.sources.tables.html import page_tables
from evidence_assets.sources.tables.markdown import markdown_tables
from evidence_assets.sources.tables.reading import FileReader, Tables, read_files
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# So many letters has a word at least by which a name tells what rows are: not `t1.csv`.
_SHORTEST = 3
# What spreadsheet programs call sheets: `Sheet1`.
_NUMBERED = re.compile(r"[^\W\d_]+ ?\d+")


def _called(read: FileReader, name_of: Callable[[str], str]) -> FileReader:
    """Return a reader whose tables, where they have no title, are called by a part of their keys."""

    @wraps(read)
    def read_content(content: bytes, name: str) -> Tables:
        for record in read(content, name):
            called = "" if isinstance(record, RejectedRecord) or record.caption else name_of(record.key)
            if not isinstance(record, RejectedRecord) and _says_something(called):
                yield replace(record, caption=spelt(called))
            else:
                yield record

    return read_content


def _says_something(name: str) -> bool:
    return not _NUMBERED.fullmatch(name) and any(
        len(word) >= _SHORTEST and word.isalpha() for word in words(spelt(name))
    )


def _of_file(key: str) -> str:
    """Return the name of a file without its endings: of `roads/road_repairs.csv.gz` that of the repairs."""
    return uncompressed_name(key).name.partition(".")[0]


def _of_sheet(key: str) -> str:
    return key.rpartition("#")[2]


READERS = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt"), _called(delimited_tables, _of_file)),
    **dict.fromkeys((".xlsx", ".xlsm"), _called(workbook_tables, _of_sheet)),
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
