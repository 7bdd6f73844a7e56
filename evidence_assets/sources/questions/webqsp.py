"""WebQSP: questions over Freebase with their semantic parses."""

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


def read_webqsp(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `{"Questions": [{QuestionId, RawQuestion, ProcessedQuestion, Parses}]}`.

    A parse names its `TopicEntityName` and its `Answers`: an entity's `EntityName`, for any other value, and
    an entity without a name, its `AnswerArgument`. Topics and answers of all parses are taken together.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or has no list of questions.
    """
    return read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for number, value in enumerate(json_items(uri, "Questions.item"), start=1):
        place = f"record {number}"
        try:
            fields = required_mapping(value, "the record")
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        yield Entry(number, named_place(place, fields.get("QuestionId")), fields)


def _question(entry: Entry) -> Question:
    fields = entry.fields
    parses = [
        required_mapping(parse, f"parse {number}")
        for number, parse in enumerate(required_list(fields.get("Parses"), "'Parses'"), start=1)
    ]
    question = open_question(
        question_id=required_identifier(fields.get("QuestionId"), "'QuestionId'"),
        question=fields.get("RawQuestion") or fields.get("ProcessedQuestion"),
        answers=[answer for parse in parses for answer in _answers(parse)],
        answers_name="'Answers'",
    )
    return with_topics(question, [parse.get("TopicEntityName") for parse in parses])


def _answers(parse: Mapping[str, object]) -> Iterator[str]:
    for number, value in enumerate(required_list(parse.get("Answers") or [], "'Answers'"), start=1):
        answer = required_mapping(value, f"answer {number}")
        name = optional_text(answer.get("EntityName"), f"'EntityName' of answer {number}")
        yield name or required_identifier(
            answer.get("AnswerArgument"), f"'AnswerArgument' of answer {number}"
        )
