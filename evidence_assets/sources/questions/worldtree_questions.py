"""WorldTree: elementary science questions whose explanations name rows of a store of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from evidence_assets.sources.files import named_files
from evidence_assets.sources.questions.formats import Entries, Layout, tsv_entries
from evidence_assets.sources.questions.side_files import require_split
from evidence_assets.sources.reading import Entry, kept, records_of
from evidence_assets.sources.records import GoldCell, RejectedRecord, TableRecord, UnusableSourceError
from evidence_assets.sources.tables.delimited import delimited_tables
from evidence_assets.sources.tables.reading import Tables, read_files
from evidence_assets.sources.uris import in_folder

SPLITS = ("all", "train", "dev", "test")
TABLES = "tables"
SKIPPED = "[SKIP]"
UID = f"{SKIPPED} UID"
_OPTION = re.compile(r"\(([A-H])\)")


def entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the questions of `questionsAndExplanations.tsv`; the tables lie in `tables` beside it.

    A record's `question` is parted into `stem`, `options` and their `letters`; `cells` are the rows that its
    explanation names, by the file of their table and their position there. `split` is the field
    `category`, or `all`. Tables without rows are rejected.
    """
    require_split(uri, split, SPLITS)
    tables: list[TableRecord] = []
    yield from kept(worldtree_tables(_store(uri)), tables)
    rows = _rows_by_uid(_store(uri), tables)

    def entry(line: Entry) -> Iterator[Entry]:
        fields = {_unquoted(name): _unquoted(str(cell)) for name, cell in line.fields.items()}
        if split in {"all", fields["category"].strip().lower()}:
            parted, cells = _parted(fields["question"].strip()), _gold(fields["explanation"], rows)
            yield layout.entry(line.number, line.place, {**fields, **parted, "cells": cells})

    # The names are unquoted, and the identifier with them, before a record's place can give it.
    yield from records_of(tsv_entries(uri, split, layout.model_copy(update={"id": None})), entry)


def worldtree_tables(uri: str) -> Tables:
    """Yields the tables of the store, by the URI of its folder; the key is the file's name.

    Raises:
        UnusableSourceError: there is no such folder.
    """
    return read_files(named_files(uri), partial(delimited_tables, delimiter="\t"))


def store_beside(uri: str) -> Tables:
    """Yields the tables of the store beside a file of questions, without comments and UIDs.

    Raises:
        UnusableSourceError: there is no such folder.
    """
    for record in worldtree_tables(_store(uri)):
        if isinstance(record, RejectedRecord) or not record.header_rows:
            yield record
            continue
        names = record.header_rows[0]
        columns_kept = [number for number, name in enumerate(names) if not name.strip().startswith(SKIPPED)]
        rows = tuple(
            tuple(row[number] for number in columns_kept if number < len(row)) for row in record.rows
        )
        yield replace(record, header_rows=(tuple(names[number] for number in columns_kept),), rows=rows)


def _store(uri: str) -> str:
    return in_folder(uri, f"../{TABLES}")


def _rows_by_uid(folder: str, tables: Iterable[TableRecord]) -> dict[str, list[GoldCell]]:
    """The rows that go by each UID, of which version 1.0 gives a few to two rows."""
    rows: dict[str, list[GoldCell]] = {}
    for record in tables:
        names = [name.strip() for name in record.header_rows[0]] if record.header_rows else []
        if UID not in names:
            remedy = "give the tables of the corpus as published"
            raise UnusableSourceError(folder, record.key, f"the table has no column '{UID}'", remedy)
        column = names.index(UID)
        for number, cells in enumerate(record.rows):
            uid = cells[column].strip() if column < len(cells) else ""
            if uid:
                rows.setdefault(uid, []).append(GoldCell(record.key, number))
    return rows


def _unquoted(cell: str) -> str:
    """A cell without the quotes that a spreadsheet puts around one that holds a quote or a comma."""
    quoted = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if quoted else cell


def _gold(explanation: str, rows: Mapping[str, list[GoldCell]]) -> list[GoldCell]:
    uids = [part.partition("|")[0] for part in explanation.split()]
    return [cell for uid in dict.fromkeys(uids) for cell in rows.get(uid, [])]


def _parted(text: str) -> dict[str, object]:
    """Question, options and their letters: `Which? (A) this (B) that`, the letters in order from A."""
    marks: list[re.Match[str]] = []
    for match in _OPTION.finditer(text):
        if match[1] == chr(ord("A") + len(marks)):
            marks.append(match)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    options = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=False)]
    stem = text[: marks[0].start()].strip() if marks else text
    return {"stem": stem, "options": options, "letters": [mark[1] for mark in marks]}
