"""The JSON lines form of the Allen Institute's question sets, which CommonsenseQA and RiddleSense share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.questions.reading import Entry, Reader, json_lines, read_questions
from evidence_assets.sources.questions.validation import (
    multiple_choice,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
)
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord


def ai2_choices_reader(gold_fields: tuple[str, ...] = ()) -> Reader:
    """Returns a reader of `{id, question: {stem, choices: [{text, label}]}, answerKey}` lines.

    Labels may be letters or numbers: the key is compared with the labels that its own record gives.
    `gold_fields` name the fields whose text is gold evidence. A file without them (OpenBookQA's main
    files, hidden test sets) is read as well, and its questions have no gold evidence.
    """

    def read(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
        entries = json_lines(uri, needed=("id", "question"))
        return read_questions(entries, lambda entry: _question(entry, gold_fields))

    return read


def _question(entry: Entry, gold_fields: tuple[str, ...]) -> Question:
    fields = entry.fields
    asked = required_mapping(fields.get("question"), "'question'")
    choices = [
        required_mapping(choice, f"choice {number}")
        for number, choice in enumerate(required_list(asked.get("choices"), "'choices'"), start=1)
    ]
    return multiple_choice(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=asked.get("stem"),
        options=[choice.get("text") for choice in choices],
        labels=[required_identifier(choice.get("label"), "a choice's 'label'") for choice in choices],
        key=fields.get("answerKey"),
        key_name="'answerKey'",
        gold_evidence=_gold_evidence(fields, gold_fields),
    )


def _gold_evidence(fields: Mapping[str, object], gold_fields: tuple[str, ...]) -> list[GoldEvidence]:
    texts = [optional_text(fields.get(name), f"'{name}'") for name in gold_fields]
    return [GoldEvidence(text) for text in texts if text]
