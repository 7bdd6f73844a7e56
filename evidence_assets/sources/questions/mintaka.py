"""Mintaka: complex questions that people asked, annotated with entities of Wikidata."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evidence_assets.sources.questions.graph_questions import with_topics
from evidence_assets.sources.questions.reading import Entry, json_items, named_place, read_questions
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
)
from evidence_assets.sources.records import Question, RejectedRecord

LANGUAGE = "en"
ENTITY, COUNT = "entity", "count"


def read_mintaka(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `[{id, question, answer: {answerType, answer, mention}, questionEntity}]`.

    Answers are the labels of the entities, or the values, yes and no among them; where there is no label,
    the answer as it was written (`mention`). What is asked for by number (how many) is answered by the number
    (`answerNum`), not by what was counted. Topics are the entities of the question, numbers and dates not.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or is no list.
    """
    return read_questions(_entries(uri), _question)


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
    answer = required_mapping(fields.get("answer"), "'answer'")
    given = required_list(answer.get("answer") or [], "'answer' of 'answer'")
    if fields.get("complexityType") == COUNT and answer.get("answerNum") is not None:
        given = [answer["answerNum"]]
    found = [text for value in given if (text := _value(value))]
    question = open_question(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("question"),
        answers=found or ([answer["mention"]] if answer.get("mention") else []),
        answers_name="'answer'",
        subject=optional_text(fields.get("category"), "'category'"),
    )
    entities = required_list(fields.get("questionEntity") or [], "'questionEntity'")
    return with_topics(question, list(_topics(entities)))


def _topics(entities: list[object]) -> Iterator[str]:
    for number, value in enumerate(entities, start=1):
        entity = required_mapping(value, f"entity {number}")
        if entity.get("entityType") == ENTITY:
            yield _label(entity) or optional_text(entity.get("mention"), f"'mention' of entity {number}")


def _value(value: object) -> str:
    if isinstance(value, dict):
        return _label(value)
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else optional_text(value, "a value of 'answer'")


def _label(entity: Mapping[str, object]) -> str:
    """An entity's label, which some versions give in one language, others in each."""
    label = entity.get("label")
    return optional_text(label.get(LANGUAGE) if isinstance(label, dict) else label, "'label'")
