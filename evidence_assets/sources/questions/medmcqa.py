"""MedMCQA: JSON lines with the options in `opa` to `opd` and the key in `cop`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from evidence_assets.sources.questions.reading import Entry, Reader, json_lines, read_questions
from evidence_assets.sources.questions.validation import (
    multiple_choice,
    optional_text,
    required_identifier,
    required_key,
)
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError

OPTION_FIELDS = ("opa", "opb", "opc", "opd")


def medmcqa_reader(first_key: Literal[0, 1]) -> Reader:
    """Returns a reader of MedMCQA lines in which the first option's key is `first_key`.

    The original files count `cop` from 1, the Hugging Face copy from 0. The keys 1 to 3 occur in both
    and mean different options, so the form is never guessed: whoever names the file says which it is.
    A key that only the other form has (0, or 4) stops the reading, because every answer read so far
    would be off by one.

    `exp` is an expert's explanation written for the answer, not text of a corpus that a system could
    retrieve: it is not gold evidence.
    """

    def read(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
        entries = json_lines(uri, needed=("id", "question", *OPTION_FIELDS))
        return read_questions(entries, lambda entry: _question(uri, entry, first_key))

    return read


def _question(uri: str, entry: Entry, first_key: Literal[0, 1]) -> Question:
    fields = entry.fields
    labels = [str(first_key + position) for position in range(len(OPTION_FIELDS))]
    key = required_key(fields.get("cop"), "'cop'")
    only_in_other_form = "0" if first_key == 1 else "4"
    if key == only_in_other_form:
        other_entry = "medmcqa_huggingface" if first_key == 1 else "medmcqa"
        raise UnusableSourceError(
            uri,
            entry.place,
            f"'cop' is {key} in a file read as counting from {first_key}, so the answers would be off by one",
            f"read the file as '{other_entry}', or repair this key if the other records are right",
        )
    return multiple_choice(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("question"),
        options=[fields.get(name) for name in OPTION_FIELDS],
        labels=labels,
        key=key,
        key_name="'cop'",
        subject=optional_text(fields.get("subject_name"), "'subject_name'"),
    )
