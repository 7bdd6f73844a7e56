"""PubHealthTab's tables, whose names of rows and columns stand apart, or which are a web page's HTML."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.sources.questions.formats import Entries, Layout, jsonl_entries, with_fields
from evidence_assets.sources.questions.table_questions import checked_table, text_cells, text_rows
from evidence_assets.sources.reading import Entry
from evidence_assets.sources.records import TableRecord
from evidence_assets.sources.tables.html import html_tables
from evidence_assets.sources.validation import RecordRejectedError, optional_text, required_mapping


def entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the claims of JSON lines, each with its table as `table_record`."""
    return with_fields(jsonl_entries(uri, split, layout), lambda entry: {"table_record": _table(entry)})


def _table(entry: Entry) -> TableRecord:
    fields = required_mapping(entry.fields.get("table"), "'table'")
    claim = _first(entry.fields, "_id", "id")
    identifier = _first(fields, "_id", "id", "table_id")
    named = isinstance(identifier, str | int) and str(identifier).strip()
    key = str(identifier) if named else f"table of {f'line-{entry.number}' if claim is None else claim}"
    caption = optional_text(_first(fields, "caption", "table_caption"), "the table's caption")
    page = _first(fields, "page_title", "pageTitle", "title")
    caption = caption or optional_text(page, "the title of the table's page")
    written = _first(fields, "rows", "table_rows")
    if not written:
        return _from_html(fields, key, caption)
    rows = text_rows(written, "the table's rows")
    names = text_cells(fields.get("header_horizontal") or [], "the table's column names")
    labels = text_cells(fields.get("header_vertical") or [], "the table's row names")
    # Names of rows stand apart in some records: they are the first column, unless the rows begin with them.
    if any(labels) and len(labels) == len(rows) and [row[0] if row else "" for row in rows] != labels:
        rows = [[label, *row] for label, row in zip(labels, rows, strict=True)]
        names = ["", *names] if any(names) and len(names) < max(map(len, rows)) else names
    # And the rows begin with those of the columns in others.
    if any(names) and rows[0] == names:
        rows = rows[1:]
    return checked_table(key, caption, [names] if any(names) else [], rows)


def _from_html(fields: Mapping[str, object], key: str, caption: str) -> TableRecord:
    page = optional_text(_first(fields, "html_code", "html"), "the table's HTML")
    drawn = next(html_tables(page, key), None)
    if drawn is None:
        raise RecordRejectedError("the table has neither rows nor HTML", "give the table's rows")
    return checked_table(key, caption or drawn.caption, drawn.header_rows, drawn.rows)


def _first(fields: Mapping[str, object], *names: str) -> object:
    """What the first of the names that is there holds: releases differ in them."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)
