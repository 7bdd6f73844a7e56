"""PubHealthTab: claims on public health and tables of web pages that support or refute them, JSON lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evidence_assets.sources.questions.reading import Entry, json_lines, read_questions
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
    required_key,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord
from evidence_assets.sources.tables.html import html_tables


@dataclass(frozen=True, slots=True)
class Fields:
    """What a release calls the fields of a record, and of its table; the first name that is there counts."""

    identifier: tuple[str, ...] = ("_id", "id")
    claim: tuple[str, ...] = ("claim",)
    label: tuple[str, ...] = ("label",)
    table: tuple[str, ...] = ("table",)
    table_identifier: tuple[str, ...] = ("_id", "id", "table_id")
    caption: tuple[str, ...] = ("caption", "table_caption")
    page: tuple[str, ...] = ("page_title", "pageTitle", "title")
    column_names: tuple[str, ...] = ("header_horizontal",)
    row_names: tuple[str, ...] = ("header_vertical",)
    rows: tuple[str, ...] = ("rows", "table_rows")
    html: tuple[str, ...] = ("html_code", "html")


FIELDS = Fields()
LABELS = {
    "SUPPORTS": 0,
    "SUPPORT": 0,
    "REFUTES": 1,
    "REFUTE": 1,
    "NOT ENOUGH INFO": 2,
    "NOT ENOUGH INFORMATION": 2,
    "NEI": 2,
}


def read_pubhealthtab(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the claims of JSON lines, each with its table; the options are the three labels.

    A record is `{_id, claim, label, table: {_id, caption, header_horizontal, header_vertical, rows}}`; where
    the table has no rows, its `html_code` is read. `FIELDS` holds the names. Claims share tables, and have
    no id in some releases: they are then named by their line.

    Raises:
        UnusableSourceError: the file is absent, or no line is an object with a claim and a label.
    """
    return read_questions(json_lines(uri, needed=(FIELDS.claim[0], FIELDS.label[0])), _question)


def _question(entry: Entry) -> Question:
    fields = entry.fields
    label = required_key(_first(fields, FIELDS.label), "'label'").upper()
    identifier = _first(fields, FIELDS.identifier)
    if label not in LABELS:
        raise RecordRejectedError(
            f"the label {label!r} is none of {', '.join(LABELS)}", "set 'label' to one of them"
        )
    identifier_text = str(identifier) if isinstance(identifier, str | int) else f"line-{entry.number}"
    question = multiple_choice(
        question_id=required_text(identifier_text, "the id"),
        question=_first(fields, FIELDS.claim),
        options=THREE_LABELS,
        labels=THREE_LABELS,
        key=THREE_LABELS[LABELS[label]],
        key_name="'label'",
    )
    return about(question, _table(required_mapping(_first(fields, FIELDS.table), "'table'"), identifier_text))


def _table(fields: Mapping[str, object], claim: str) -> TableRecord:
    given = _first(fields, FIELDS.table_identifier)
    key = str(given) if isinstance(given, str | int) and str(given).strip() else f"table of {claim}"
    caption = optional_text(_first(fields, FIELDS.caption), "the table's caption")
    caption = caption or optional_text(_first(fields, FIELDS.page), "the title of the table's page")
    written = _first(fields, FIELDS.rows)
    if not written:
        return _from_html(fields, key, caption)
    rows = text_rows(written, "the table's rows")
    names = text_cells(_first(fields, FIELDS.column_names) or [], "the table's column names")
    labels = text_cells(_first(fields, FIELDS.row_names) or [], "the table's row names")
    # Names of rows stand apart in some records: they are the first column, unless the rows begin with them.
    if any(labels) and len(labels) == len(rows) and [row[0] if row else "" for row in rows] != labels:
        rows = [[label, *row] for label, row in zip(labels, rows, strict=True)]
        names = ["", *names] if any(names) and len(names) < max(map(len, rows)) else names
    # And the rows begin with those of the columns in others.
    if any(names) and rows[0] == names:
        rows = rows[1:]
    return checked_table(key, caption, [names] if any(names) else [], rows)


def _from_html(fields: Mapping[str, object], key: str, caption: str) -> TableRecord:
    page = optional_text(_first(fields, FIELDS.html), "the table's HTML")
    found = next(html_tables(page, key), None)
    if found is None:
        raise RecordRejectedError("the table has neither rows nor HTML", "give the table's rows")
    return checked_table(key, caption or found.caption, found.header_rows, found.rows)


def _first(fields: Mapping[str, object], names: tuple[str, ...]) -> object:
    return next((fields[name] for name in names if fields.get(name) is not None), None)
