"""TabMCQ: multiple-choice science questions written from tables, with the cell that each comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from evidence_assets.sources.files import open_binary
from evidence_assets.sources.questions.reading import Entry, file_name, in_folder, read_questions
from evidence_assets.sources.questions.table_questions import (
    MissingTableError,
    about,
    check_names,
    table_file,
)
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    key_position,
    multiple_choice,
    required_key,
    required_text,
)
from evidence_assets.sources.records import (
    GoldCell,
    Question,
    RejectedRecord,
    TableRecord,
    UnusableSourceError,
)
from evidence_assets.sources.tables.delimited import BrokenRowError, csv_rows
from evidence_assets.sources.tables.reading import decoded


@dataclass(frozen=True, slots=True)
class Layout:
    """How the release writes its questions, and where its tables lie.

    `first_row` is the number by which it calls the first row below the names, `first_column` the first
    column. `folders` are looked through for the table's file, with each of `endings`.
    """

    question: str = "QUESTION"
    choices: tuple[str, ...] = ("CHOICE 1", "CHOICE 2", "CHOICE 3", "CHOICE 4")
    answer: str = "CORRECT CHOICE"
    table: str = "RELEVANT TABLE"
    row: str = "RELEVANT ROW"
    column: str = "RELEVANT COL"
    first_row: int = 1
    first_column: int = 1
    folders: tuple[str, ...] = ("Tables", "tables", ".")
    endings: tuple[str, ...] = ("", ".csv", ".tsv")


LAYOUT = Layout()
_LETTERS = re.compile(r"[A-D]", re.IGNORECASE)


def read_tabmcq(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of a CSV or TSV file, each with the table that it was written from.

    `LAYOUT` holds the names of the columns; the right choice is given by its number or letter. The tables
    lie in a folder beside the file. Files give no ids: a question is named by its row.

    Raises:
        UnusableSourceError: the file is absent, is not text, or its first row lacks a column.
    """
    folder = in_folder(uri, "..")
    tables = lru_cache(maxsize=None)(partial(_table, folder))
    yield from read_questions(_entries(uri), lambda entry: _question(entry, tables(_name(entry.fields))))


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    with open_binary(uri) as stream:
        content = stream.read()
    try:
        cells_of_rows = _rows(decoded(content))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnusableSourceError(uri, f"line {line}", "the file is not UTF-8", "save it as UTF-8") from error
    except BrokenRowError as error:
        remedy = "write a quote inside a quoted cell twice, and close every quote"
        raise UnusableSourceError(uri, f"behind row {error.row}", f"not CSV ({error})", remedy) from error
    rows = iter(enumerate(cells_of_rows, start=1))
    names = [name.strip().upper() for name in next(rows, (0, [""]))[1]]
    check_names(uri, names, (LAYOUT.question, *LAYOUT.choices, LAYOUT.answer, LAYOUT.table))
    for number, cells in rows:
        place = f"{file_name(uri)}, row {number}"
        if len(cells) < len(names):
            reason = f"{len(cells)} cells where the first row names {len(names)}"
            yield RejectedRecord(place, reason, "give every row all cells")
            continue
        yield Entry(number, place, dict(zip(names, cells, strict=False)))


def _name(fields: Mapping[str, object]) -> str:
    return required_text(fields.get(LAYOUT.table), f"'{LAYOUT.table}'")


def _table(folder: str, name: str) -> TableRecord:
    tried = [f"{place}/{name}{ending}" for place in LAYOUT.folders for ending in LAYOUT.endings]
    for path in tried:
        try:
            return table_file(in_folder(folder, path), name, "", _rows)
        except MissingTableError:
            continue
    raise RecordRejectedError(f"there is no table {name!r}", f"put it at one of {', '.join(tried)}")


def _rows(text: str) -> list[list[str]]:
    return csv_rows(text, delimiter="\t" if "\t" in text.partition("\n")[0] else ",", strict=True)


def _question(entry: Entry, table: TableRecord) -> Question:
    fields = entry.fields
    numbers = [str(number) for number in range(1, len(LAYOUT.choices) + 1)]
    answer = required_key(fields.get(LAYOUT.answer), f"'{LAYOUT.answer}'")
    if _LETTERS.fullmatch(answer):
        answer = numbers["ABCD".index(answer.upper())]
    options = [fields.get(choice) for choice in LAYOUT.choices]
    if answer not in numbers:
        answer = numbers[
            key_position(answer, [str(option).strip() for option in options], f"'{LAYOUT.answer}'")
        ]
    question = multiple_choice(
        question_id=f"row-{entry.number}",
        question=fields.get(LAYOUT.question),
        options=options,
        labels=numbers,
        key=answer,
        key_name=f"'{LAYOUT.answer}'",
    )
    return about(question, table, _gold(fields, table))


def _gold(fields: Mapping[str, object], table: TableRecord) -> list[GoldCell]:
    """The cell, its row or its column, as much as is told and lies in the table."""
    row = _position(fields.get(LAYOUT.row), LAYOUT.first_row, len(table.rows))
    column = _position(fields.get(LAYOUT.column), LAYOUT.first_column, max(map(len, table.rows)))
    return [] if row is None and column is None else [GoldCell(table.key, row, column)]


def _position(value: object, first: int, count: int) -> int | None:
    found = re.fullmatch(r"\s*(\d{1,6})\s*", value) if isinstance(value, str) else None
    position = int(found[1]) - first if found else -1
    return position if 0 <= position < count else None
