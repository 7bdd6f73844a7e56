"""The SQuAD form, which XQuAD shares: questions under the paragraph that answers them."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.questions.reading import Entry, json_items, named_place, read_questions
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord


def read_squad(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `{data: [{title, paragraphs: [{context, qas: [{id, question, answers}]}]}]}`.

    The gold evidence is the whole paragraph under its article's title; the answers are its spans, repeated
    ones once. Questions that SQuAD 2.0 marks as impossible are rejected: no paragraph answers them.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or has no list under `data`.
    """
    return read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for number, article in enumerate(json_items(uri, "data.item"), start=1):
        place = f"article {number}"
        try:
            fields = required_mapping(article, "the article")
            paragraphs = required_list(fields.get("paragraphs"), "'paragraphs'")
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        for paragraph_number, paragraph in enumerate(paragraphs, start=1):
            yield from _paragraph_entries(
                paragraph, fields.get("title"), f"{place}, paragraph {paragraph_number}"
            )


def _paragraph_entries(paragraph: object, title: object, place: str) -> Iterator[Entry | RejectedRecord]:
    try:
        fields = required_mapping(paragraph, "the paragraph")
        questions = required_list(fields.get("qas"), "'qas'")
    except RecordRejectedError as rejected:
        yield rejected.at(place)
        return
    for number, question in enumerate(questions, start=1):
        identifier = question.get("id") if isinstance(question, dict) else None
        context = {"title": title, "context": fields.get("context"), "question": question}
        yield Entry(number, named_place(f"{place}, question {number}", identifier), context)


def _question(entry: Entry) -> Question:
    fields = required_mapping(entry.fields["question"], "the question's record")
    if fields.get("is_impossible") is True:
        raise RecordRejectedError(
            "the question is marked as impossible to answer", "use the questions that have answers"
        )
    paragraph = required_text(entry.fields["context"], "the paragraph's 'context'")
    title = optional_text(entry.fields["title"], "the article's 'title'")
    answers = required_list(fields.get("answers", []), "'answers'")
    return open_question(
        question_id=required_identifier(fields.get("id"), "'id'"),
        question=fields.get("question"),
        answers=[required_mapping(answer, "an answer").get("text") for answer in answers],
        answers_name="'answers'",
        gold_evidence=[GoldEvidence(paragraph, title)],
    )
