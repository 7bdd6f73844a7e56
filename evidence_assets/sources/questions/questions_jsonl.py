"""The project's own question form: JSON lines that anyone can write for their own questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evidence_assets.sources.questions.named_tables import NamedTables
from evidence_assets.sources.questions.reading import Entry, json_lines, read_questions
from evidence_assets.sources.questions.table_questions import about
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    multiple_choice,
    open_question,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord


def read_questions_jsonl(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of JSON lines in the project's own form.

    `{"id", "question", "options": [...], "answer_index": 0, "answers": [...],
    "gold_evidence": [{"title", "text"}], "context", "subject", "table", "topics": [...]}`, of which only
    `id`, `question` and one of `answer_index` (from 0) and `answers` are needed. With `options` but no
    `answer_index`, `answers` holds the text of exactly one option. Without `options` the question is an open
    one. `table` names the table that it is about, by the path of its file from the folder of the questions
    (`NamedTables`); `topics` are names of the entities that it is about, as its graph spells them.

    Raises:
        UnusableSourceError: the file is absent, or no line is an object with `id` and `question`.
    """
    tables = NamedTables(uri)
    return read_questions(json_lines(uri, needed=("id", "question")), lambda entry: _question(entry, tables))


def _question(entry: Entry, tables: NamedTables) -> Question:
    fields = entry.fields
    given = _given_list(fields, "options")
    question = _multiple_choice(fields) if given else _open_question(fields)
    topics = enumerate(_given_list(fields, "topics"), start=1)
    names = dict.fromkeys(required_text(topic, f"topic {number}") for number, topic in topics)
    question = replace(question, topics=tuple(names))
    table = fields.get("table")
    return question if table is None else about(question, tables.table(table))


def _multiple_choice(fields: Mapping[str, object]) -> Question:
    options = _given_list(fields, "options")
    answers = _answers(fields)
    key = fields.get("answer_index")
    question = multiple_choice(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("question"),
        options=options,
        labels=[str(position) for position in range(len(options))],
        key=_position_of_answer(answers, options) if key is None else key,
        key_name="'answer_index'",
        gold_evidence=_gold_evidence(fields),
        context=optional_text(fields.get("context"), "'context'"),
        subject=optional_text(fields.get("subject"), "'subject'"),
    )
    if answers and question.answers != tuple(answers):
        raise RecordRejectedError(
            "'answers' and 'answer_index' name different options", "correct one of them, or leave one out"
        )
    return question


def _open_question(fields: Mapping[str, object]) -> Question:
    if fields.get("answer_index") is not None:
        raise RecordRejectedError("'answer_index' is given without 'options'", "give the options")
    return open_question(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("question"),
        answers=_answers(fields),
        answers_name="'answers'",
        gold_evidence=_gold_evidence(fields),
        context=optional_text(fields.get("context"), "'context'"),
        subject=optional_text(fields.get("subject"), "'subject'"),
    )


def _position_of_answer(answers: list[str], options: list[object]) -> int | None:
    if not answers:
        return None
    positions = [
        position
        for position, option in enumerate(options)
        if optional_text(option, f"option {position + 1}") in answers
    ]
    if len(positions) != 1:
        raise RecordRejectedError(
            f"'answers' names {len(positions)} of the options", "give 'answer_index', counted from 0"
        )
    return positions[0]


def _answers(fields: Mapping[str, object]) -> list[str]:
    answers = enumerate(_given_list(fields, "answers"), start=1)
    return [required_text(answer, f"answer {number}") for number, answer in answers]


def _gold_evidence(fields: Mapping[str, object]) -> list[GoldEvidence]:
    gold = []
    for number, value in enumerate(_given_list(fields, "gold_evidence"), start=1):
        evidence = required_mapping(value, f"gold evidence {number}")
        text = required_text(evidence.get("text"), f"the text of gold evidence {number}")
        gold.append(
            GoldEvidence(text, optional_text(evidence.get("title"), f"the title of gold evidence {number}"))
        )
    return gold


def _given_list(fields: Mapping[str, object], name: str) -> list[object]:
    value = fields.get(name)
    return [] if value is None else required_list(value, f"'{name}'")
