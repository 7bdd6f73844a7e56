"""TabFact: statements about Wikipedia tables, true or false, beside a folder of tables split by `#`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.files import list_files
from evidence_assets.sources.questions.reading import in_folder, json_items, json_members
from evidence_assets.sources.questions.table_questions import (
    REFUTES,
    SUPPORTS,
    TWO_LABELS,
    about,
    table_file,
)
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    multiple_choice,
    optional_text,
    required_list,
)
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord, UnusableSourceError

SMALL_TEST = "small_test"
SMALL_TEST_FILE = "small_test_id.json"
# By split, the file of statements: `{table: [statements, labels, caption]}`.
STATEMENTS = {
    SMALL_TEST: "test_examples.json",
    "test": "test_examples.json",
    "dev": "val_examples.json",
    "train": "train_examples.json",
}
TABLE_FOLDERS = ("csv", "all_csv")
KEYS = {0: REFUTES, 1: SUPPORTS}


def read_tabfact(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the statements of a folder that holds `*_examples.json` and the tables in `csv` or `all_csv`.

    The split `small_test` takes the tables that `small_test_id.json` lists. A statement is named by its
    table's file and its position there, from 0.

    Raises:
        UnusableSourceError: there is no such split, or a file or the folder of tables is absent or broken.
    """
    if split not in STATEMENTS:
        reason, remedy = f"there is no split '{split}'", f"use one of {', '.join(STATEMENTS)}"
        raise UnusableSourceError(uri, "the whole folder", reason, remedy)
    chosen = set(json_items(in_folder(uri, SMALL_TEST_FILE), "item")) if split == SMALL_TEST else None
    folder = _table_folder(uri)
    missing = set() if chosen is None else set(map(str, chosen))
    for name, value in json_members(in_folder(uri, STATEMENTS[split]), ""):
        if chosen is None or name in chosen:
            missing.discard(name)
            yield from _statements(folder, name, value)
    for name in sorted(missing):
        reason = f"{SMALL_TEST_FILE} lists it, but {STATEMENTS[split]} has no statement of it"
        yield RejectedRecord(f"table {name}", reason, "take both files from the same download")


def hash_rows(text: str) -> list[list[str]]:
    """The rows of a table of TabFact: lines, their cells split by `#`, without quoting."""
    return [line.split("#") for line in text.splitlines() if line]


def _table_folder(uri: str) -> str:
    for name in TABLE_FOLDERS:
        folder = in_folder(uri, name)
        try:
            if list_files(folder):
                return folder
        except UnusableSourceError:
            continue
    raise UnusableSourceError(
        uri, "the whole folder", f"no folder {' or '.join(TABLE_FOLDERS)} of tables", "fetch the tables too"
    )


def _statements(folder: str, name: str, value: object) -> Iterator[Question | RejectedRecord]:
    place = f"table {name}"
    try:
        statements, labels, caption = _parts(value)
        table = table_file(in_folder(folder, name), name, caption, hash_rows)
    except RecordRejectedError as rejected:
        yield rejected.at(place)
        return
    for number, (statement, label) in enumerate(zip(statements, labels, strict=True)):
        try:
            yield _question(table, number, statement, label)
        except RecordRejectedError as rejected:
            yield rejected.at(f"{place}, statement {number}")


def _parts(value: object) -> tuple[list[object], list[object], str]:
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


def _question(table: TableRecord, number: int, statement: object, label: object) -> Question:
    question = multiple_choice(
        question_id=f"{table.key}-{number}",
        question=statement,
        options=TWO_LABELS,
        labels=TWO_LABELS,
        key=KEYS.get(label) if isinstance(label, int) else label,
        key_name="the label (0 or 1)",
    )
    return about(question, table)
