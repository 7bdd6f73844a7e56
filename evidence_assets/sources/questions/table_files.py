"""Questions about tables in files of their own: TabFact, TabMCQ, WikiTableQuestions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from evidence_assets.sources.files import list_files, read_whole
from evidence_assets.sources.json_entries import json_items, json_members
from evidence_assets.sources.questions.formats import Entries, Layout, csv_entries, tsv_entries, with_fields
from evidence_assets.sources.questions.side_files import require_split
from evidence_assets.sources.questions.table_questions import checked_table
from evidence_assets.sources.reading import Entry, Row
from evidence_assets.sources.records import GoldCell, RejectedRecord, TableRecord, UnusableSourceError
from evidence_assets.sources.tables.delimited import BrokenRowError, csv_cells
from evidence_assets.sources.tables.reading import decoded
from evidence_assets.sources.uris import below, in_folder
from evidence_assets.sources.validation import (
    RecordRejectedError,
    optional_text,
    required_list,
    required_text,
)

SMALL_TEST, SMALL_TEST_FILE = "small_test", "small_test_id.json"
# By split of TabFact, the file of statements: `{table: [statements, labels, caption]}`.
STATEMENTS = {
    SMALL_TEST: "test_examples.json",
    "test": "test_examples.json",
    "dev": "val_examples.json",
    "train": "train_examples.json",
}
TABFACT_FOLDERS = ("csv", "all_csv")
TABMCQ_PLACES = [
    f"{folder}/{{}}{suffix}" for folder in ("Tables", "tables", ".") for suffix in ("", ".csv", ".tsv")
]
_ESCAPE, _MEANT = re.compile(r"\\([np\\])"), {"n": "\n", "p": "|", "\\": "\\"}
_ESCAPED_ANY = re.compile(r"\\([\s\S])")


class MissingTableError(RecordRejectedError):
    """The file of a question's table cannot be opened."""


def table_file(
    folder: str, key: str, caption: str, rows_of: Callable[[str], Sequence[Sequence[str]]], path: str = ""
) -> TableRecord:
    """A table from a file of its own, whose first row names the columns.

    It lies at `path`, by default its key, below the URI of the folder.

    Raises:
        MissingTableError: the file is absent.
        RecordRejectedError: it leads out of the folder, is not text in UTF-8, or holds nothing below its
            first row.
    """
    uri = in_folder(folder, below(path or key, "its table"))
    try:
        content = read_whole(uri)
        rows = rows_of(decoded(content))
    except UnusableSourceError as error:
        raise MissingTableError(f"its table {key} cannot be read: {error.reason}", error.remedy) from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordRejectedError(
            f"line {line} of its table {key} is not UTF-8", "save the table as UTF-8"
        ) from error
    except BrokenRowError as error:
        reason = f"its table {key} is not CSV behind row {error.row} ({error})"
        raise RecordRejectedError(reason, "take the published file") from error
    return replace(checked_table(key, caption, rows[:1], rows[1:]), file=uri)


def tabfact_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the statements of a folder of `*_examples.json` and tables in `csv` or `all_csv`, split by `#`.

    A record is `{table, table_key, number, statement, label}`, the `number` is its table's, from 0.
    The split `small_test` takes the tables that `small_test_id.json` lists.
    """
    require_split(uri, split, tuple(STATEMENTS))
    chosen = (
        set(map(str, json_items(in_folder(uri, SMALL_TEST_FILE), "item"))) if split == SMALL_TEST else None
    )
    folder = _tabfact_folder(uri)
    missing = set(chosen or ())
    for name, value in json_members(in_folder(uri, STATEMENTS[split]), ""):
        if chosen is not None and name not in chosen:
            continue
        missing.discard(name)
        try:
            statements, labels, caption = _tabfact_parts(value)
            table = table_file(folder, name, caption, _hash_rows)
        except RecordRejectedError as rejected:
            yield rejected.at(f"table {name}")
            continue
        for number, (statement, label) in enumerate(zip(statements, labels, strict=True)):
            fields = {"table": table, "table_key": name, "number": number}
            place = f"table {name}, statement {number}"
            yield Row(number, place, {**fields, "statement": statement, "label": label})
    for name in sorted(missing):
        reason = f"{SMALL_TEST_FILE} lists it, but {STATEMENTS[split]} has no statement of it"
        yield RejectedRecord(f"table {name}", reason, "take both files from the same download")


def _hash_rows(text: str) -> list[list[str]]:
    return [line.split("#") for line in text.splitlines() if line]


def _tabfact_folder(uri: str) -> str:
    for name in TABFACT_FOLDERS:
        try:
            if list_files(in_folder(uri, name)):
                return in_folder(uri, name)
        except UnusableSourceError:
            continue
    reason = f"no folder {' or '.join(TABFACT_FOLDERS)} of tables"
    raise UnusableSourceError(uri, "the whole folder", reason, "fetch the tables too")


def _tabfact_parts(value: object) -> tuple[list[object], list[object], str]:
    parts = required_list(value, "the table's entry")
    if len(parts) != 3:
        raise RecordRejectedError(
            f"the table's entry has {len(parts)} parts", "write statements, labels and caption"
        )
    statements, labels = required_list(parts[0], "the statements"), required_list(parts[1], "the labels")
    if len(statements) != len(labels):
        raise RecordRejectedError(
            f"{len(statements)} statements, but {len(labels)} labels", "give each statement a label"
        )
    return statements, labels, optional_text(parts[2], "the caption")


def tabmcq_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the rows of TabMCQ, names in capitals, with their `table` and its gold `cells`."""
    folder = in_folder(uri, "..")

    @cache
    def table_of(name: str) -> TableRecord:
        paths = [place.format(name) for place in TABMCQ_PLACES]
        for path in paths:
            try:
                return table_file(folder, name, "", _tabmcq_rows, path)
            except MissingTableError:
                continue
        raise RecordRejectedError(f"there is no table {name!r}", f"put it at one of {', '.join(paths)}")

    def completed(entry: Entry) -> Mapping[str, object]:
        table = table_of(required_text(entry.fields["RELEVANT TABLE"], "'RELEVANT TABLE'"))
        return {"table": table, "cells": list(_tabmcq_cells(entry.fields, table))}

    yield from with_fields(csv_entries(uri, split, layout, loose=True), completed)


def _tabmcq_rows(text: str) -> list[list[str]]:
    return csv_cells(text, delimiter="\t" if "\t" in text.partition("\n")[0] else ",", strict=True)


def _tabmcq_cells(fields: Mapping[str, object], table: TableRecord) -> Iterator[GoldCell]:
    """The cell, its row or its column, as much as is given, from 1, and lies in the table."""
    row = _position(fields.get("RELEVANT ROW"), len(table.rows))
    column = _position(fields.get("RELEVANT COL"), max(map(len, table.rows)))
    if row is not None or column is not None:
        yield GoldCell(table.key, row, column)


def _position(value: object, count: int) -> int | None:
    match = re.fullmatch(r"\s*(\d{1,6})\s*", value) if isinstance(value, str) else None
    position = int(match[1]) - 1 if match else -1
    return position if 0 <= position < count else None


def wikitablequestions_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the lines of a TSV file such as `data/training.tsv`, each with its `table`.

    `context` names the table's CSV file from the folder above that of the questions, as released.
    `question` and `answer` are without escapes; several values are one answer, parted by `|`.
    """
    root = in_folder(uri, "../..")

    @lru_cache(maxsize=512)
    def table_of(name: str) -> TableRecord:
        return table_file(root, name, "", _wikitablequestions_rows)

    def completed(entry: Entry) -> Mapping[str, object]:
        # The escapes are undone last, so that a bar inside a value is not taken for one between values.
        values = str(entry.fields["targetValue"]).split("|")
        return {
            "question": _unescaped(str(entry.fields["utterance"])),
            "answer": "|".join(_unescaped(value).strip() for value in values),
            "table": table_of(required_text(entry.fields["context"], "'context'")),
        }

    yield from with_fields(tsv_entries(uri, split, layout), completed)


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _MEANT[match[1]], text)


def _wikitablequestions_rows(text: str) -> list[list[str]]:
    """The rows of a table of the release: quoted CSV, quotes inside a cell behind a backslash."""
    # A break of a cell's line is written as an n behind a backslash, which the reader would take for an n.
    broken = _ESCAPED_ANY.sub(lambda match: "\n" if match[1] == "n" else match[0], text)
    return csv_cells(broken, doublequote=False, escapechar="\\", strict=True)
