"""MedQA (USMLE): JSON lines with an object of lettered options."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.questions.reading import Entry, json_lines, read_questions
from evidence_assets.sources.questions.validation import (
    multiple_choice,
    optional_text,
    required_identifier,
    required_mapping,
)
from evidence_assets.sources.records import Question, RejectedRecord


def read_medqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of a MedQA file: `{question, options: {"A": ...}, answer_idx, meta_info}`.

    Both public versions are read, with four and with five options. The files give no ids: a question is
    named by its split and line, unless the record has an `id`. `meta_info` (the exam's step) is the subject.

    Raises:
        UnusableSourceError: the file is absent or of another form.
    """
    entries = json_lines(uri, needed=("question", "options"))
    return read_questions(entries, lambda entry: _question(entry, split))


def _question(entry: Entry, split: str) -> Question:
    fields = entry.fields
    options = required_mapping(fields.get("options"), "'options'")
    return multiple_choice(
        question_id=required_identifier(fields.get("id", f"{split}-{entry.number}"), "'id'"),
        question=fields.get("question"),
        options=list(options.values()),
        labels=[required_identifier(label, "an option's letter") for label in options],
        key=fields.get("answer_idx"),
        key_name="'answer_idx'",
        subject=optional_text(fields.get("meta_info"), "'meta_info'"),
    )
