"""FeTaQA: questions over Wikipedia tables, answered by a sentence, with the cells that it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.questions.reading import Entry, json_lines, named_place, read_questions
from evidence_assets.sources.questions.table_questions import about, checked_table, text_rows
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    optional_text,
    required_identifier,
    required_list,
)
from evidence_assets.sources.records import GoldCell, Question, RejectedRecord, TableRecord


def read_fetaqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of JSON lines, each with its table and its highlighted cells.

    A record is `{feta_id, question, answer, table_array, highlighted_cell_ids, table_page_title,
    table_section_title}`; the first row of `table_array` names the columns, and counts in the ids as row 0.

    Raises:
        UnusableSourceError: the file is absent, or no line has a question and a table.
    """
    return read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for entry in json_lines(uri, needed=("question", "table_array")):
        if isinstance(entry, RejectedRecord):
            yield entry
        else:
            yield Entry(entry.number, named_place(entry.place, entry.fields.get("feta_id")), entry.fields)


def _question(entry: Entry) -> Question:
    fields = entry.fields
    identifier = required_identifier(fields.get("feta_id"), "'feta_id'")
    question = open_question(
        question_id=identifier,
        question=fields.get("question"),
        answers=[fields.get("answer")],
        answers_name="'answer'",
    )
    rows = text_rows(fields.get("table_array"), "'table_array'")
    titles = (
        optional_text(fields.get(name), f"'{name}'") for name in ("table_page_title", "table_section_title")
    )
    table = checked_table(f"feta-{identifier}", " - ".join(filter(None, titles)), rows[:1], rows[1:])
    return about(question, table, list(_gold(fields, table)))


def _gold(fields: Mapping[str, object], table: TableRecord) -> Iterator[GoldCell]:
    for pair in required_list(fields.get("highlighted_cell_ids") or [], "'highlighted_cell_ids'"):
        match pair:
            case [int(row), int(column)] if 0 <= row <= len(table.rows) and column >= 0:
                yield GoldCell(table.key, row - 1, column)
            case _:
                raise RecordRejectedError(
                    f"{pair!r} in 'highlighted_cell_ids' is no row and column of the table",
                    "give pairs of row and column, from 0",
                )
