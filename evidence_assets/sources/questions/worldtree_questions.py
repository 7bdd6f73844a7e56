"""WorldTree: elementary science questions whose explanations name rows of a store of tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from evidence_assets.sources.questions.reading import Entry, in_folder, named_place, read_questions
from evidence_assets.sources.questions.table_questions import tab_separated
from evidence_assets.sources.questions.validation import RecordRejectedError, multiple_choice, required_text
from evidence_assets.sources.records import (
    GoldCell,
    Question,
    RejectedRecord,
    TableRecord,
    UnusableSourceError,
)
from evidence_assets.sources.tables.delimited import read_delimited

SPLITS = ("all", "train", "dev", "test")
TABLES = "tables"
SKIPPED = "[SKIP]"
UID = f"{SKIPPED} UID"
# The file's first name is broken by two commas in version 1.0.
IDENTIFIERS = (",,QuestionID", "QuestionID", "questionID")
PLACEHOLDER = "Text of licensed questions can be requested"
_OPTION = re.compile(r"\(([A-H])\)")


def read_worldtree_questions(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `questionsAndExplanations.tsv`; the tables lie in `tables` beside it.

    The rows that a question's explanation names are its gold cells, by the file of their table and their
    position there; it is about no single table. Rejected are questions whose text the licence holds back,
    and those without an explanation, and tables without rows. `split` is `train`, `dev`, `test`, or `all`.

    Raises:
        UnusableSourceError: there is no such split, or a file is absent or not of this form.
    """
    if split not in SPLITS:
        reason, remedy = f"there is no split '{split}'", f"use one of {', '.join(SPLITS)}"
        raise UnusableSourceError(uri, "the whole file", reason, remedy)
    rows, rejected = _rows_by_uid(_store(uri))
    yield from rejected
    yield from read_questions(_entries(uri, split), lambda entry: _question(entry, rows))


def worldtree_tables(uri: str) -> Iterator[TableRecord | RejectedRecord]:
    """Yields the tables of the store, by the URI of its folder; the key is the file's name.

    Raises:
        UnusableSourceError: there is no such folder.
    """
    return read_delimited(uri, delimiter="\t")


def told_tables(uri: str) -> Iterator[TableRecord | RejectedRecord]:
    """Yields the tables of the store without the columns that say nothing of the world: comments, UIDs.

    Raises:
        UnusableSourceError: there is no such folder.
    """
    for record in worldtree_tables(uri):
        if isinstance(record, RejectedRecord) or not record.header_rows:
            yield record
            continue
        names = record.header_rows[0]
        kept = [number for number, name in enumerate(names) if not name.strip().startswith(SKIPPED)]
        rows = tuple(tuple(row[number] for number in kept if number < len(row)) for row in record.rows)
        yield replace(record, header_rows=(tuple(names[number] for number in kept),), rows=rows)


def store_beside(uri: str) -> Iterator[TableRecord | RejectedRecord]:
    """Yields the tables of the store beside a file of questions, as `told_tables` does.

    Raises:
        UnusableSourceError: there is no such folder.
    """
    return told_tables(_store(uri))


def _store(uri: str) -> str:
    return in_folder(uri, f"../{TABLES}")


def _rows_by_uid(folder: str) -> tuple[dict[str, list[GoldCell]], list[RejectedRecord]]:
    """The rows that go by each UID, of which version 1.0 gives a few to two rows, and unusable tables."""
    rows: dict[str, list[GoldCell]] = {}
    rejected = []
    for record in worldtree_tables(folder):
        if isinstance(record, RejectedRecord):
            rejected.append(record)
            continue
        names = [name.strip() for name in record.header_rows[0]] if record.header_rows else []
        if UID not in names:
            remedy = "give the tables of the corpus as published"
            raise UnusableSourceError(folder, record.key, f"the table has no column '{UID}'", remedy)
        column = names.index(UID)
        for number, cells in enumerate(record.rows):
            uid = cells[column].strip() if column < len(cells) else ""
            if uid:
                rows.setdefault(uid, []).append(GoldCell(record.key, number))
    return rows, rejected


def _entries(uri: str, split: str) -> Iterator[Entry | RejectedRecord]:
    needed = ("AnswerKey", "category", "explanation", "question")
    for entry in tab_separated(uri, needed):
        if isinstance(entry, RejectedRecord):
            yield entry
            continue
        fields = {_unquoted(name): _unquoted(str(cell)) for name, cell in entry.fields.items()}
        if split in {"all", fields["category"].strip().lower()}:
            yield Entry(entry.number, named_place(entry.place, _identifier(fields)), fields)


def _unquoted(cell: str) -> str:
    """A cell without the quotes that a spreadsheet puts around one that holds a quote or a comma."""
    quoted = len(cell) > 1 and cell.startswith('"') and cell.endswith('"')
    return cell[1:-1].replace('""', '"') if quoted else cell


def _identifier(fields: Mapping[str, object]) -> str:
    return next((str(fields[name]).strip() for name in IDENTIFIERS if name in fields), "")


def _question(entry: Entry, rows: Mapping[str, list[GoldCell]]) -> Question:
    fields = entry.fields
    text = required_text(fields["question"], "the question")
    if text.startswith(PLACEHOLDER):
        raise RecordRejectedError(
            "the licence holds its text back: a placeholder stands in its place",
            "ask for the text where the placeholder says",
        )
    stem, options, letters = _parted(text)
    question = multiple_choice(
        question_id=required_text(_identifier(fields), "'QuestionID'"),
        question=stem,
        options=options,
        labels=letters,
        key=fields["AnswerKey"],
        key_name="'AnswerKey'",
    )
    uids = [part.partition("|")[0] for part in str(fields["explanation"]).split()]
    gold = [cell for uid in dict.fromkeys(uids) for cell in rows.get(uid, [])]
    if not gold:
        raise RecordRejectedError("no explanation names a row of the tables", "leave the question out")
    return replace(question, gold_cells=tuple(gold))


def _parted(text: str) -> tuple[str, list[str], list[str]]:
    """Question, options and their letters: `Which? (A) this (B) that`, the letters in order from A."""
    marks: list[re.Match[str]] = []
    for found in _OPTION.finditer(text):
        if found[1] == chr(ord("A") + len(marks)):
            marks.append(found)
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    options = [text[mark.end() : end].strip() for mark, end in zip(marks, ends, strict=False)]
    return text[: marks[0].start()].strip() if marks else text, options, [mark[1] for mark in marks]
