"""SciTab: claims about tables of papers on natural language processing, one JSON list."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.questions.reading import Entry, json_items, named_place, read_questions
from evidence_assets.sources.questions.table_questions import (
    THREE_LABELS,
    about,
    checked_table,
    text_cells,
    text_rows,
)
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    multiple_choice,
    optional_text,
    required_identifier,
    required_mapping,
)
from evidence_assets.sources.records import Question, RejectedRecord

LABELS = ("supports", "refutes", "not enough info")


def read_scitab(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the claims of `sci_tab.json`, each with its table; the options are the three labels.

    A record is `{id, claim, label, table_id, table_caption, table_column_names, table_content_values}`.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or is no list.
    """
    yield from read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for number, value in enumerate(json_items(uri, "item"), start=1):
        place = f"record {number}"
        try:
            fields = required_mapping(value, "the record")
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        yield Entry(number, named_place(place, fields.get("id")), fields)


def _question(entry: Entry) -> Question:
    fields = entry.fields
    question = multiple_choice(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("claim"),
        options=THREE_LABELS,
        labels=LABELS,
        key=fields.get("label"),
        key_name="'label'",
    )
    names = text_cells(fields.get("table_column_names"), "'table_column_names'")
    table = checked_table(
        required_identifier(fields.get("table_id"), "'table_id'"),
        optional_text(fields.get("table_caption"), "'table_caption'"),
        [names] if any(names) else [],
        text_rows(fields.get("table_content_values"), "'table_content_values'"),
    )
    return about(question, table)
