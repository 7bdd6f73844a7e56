"""HEAD-QA: one JSON document of Spanish healthcare exams, in Spanish or English."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.questions.reading import Entry, json_members, read_questions
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    multiple_choice,
    optional_text,
    required_identifier,
    required_list,
    required_mapping,
)
from evidence_assets.sources.records import Question, RejectedRecord


def read_headqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `{exams: {name: {category, data: [{qid, qtext, answers, ra}]}}}`.

    `answers` is a list of `{aid, atext}`, and `ra` the `aid` of the right one. A `qid` is unique within its
    exam only, so a question is named by both. The exam's category is the subject. Questions that refer
    to an image are kept with their text alone, as in the published baselines.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or has no exams.
    """
    return read_questions(_entries(uri), _question)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for exam_name, value in json_members(uri, "exams"):
        place = f"exam {exam_name}"
        try:
            exam = required_mapping(value, "the exam")
            questions = required_list(exam.get("data"), "'data'")
        except RecordRejectedError as rejected:
            yield rejected.at(place)
            continue
        for number, question in enumerate(questions, start=1):
            fields = {"exam": exam_name, "category": exam.get("category"), "question": question}
            yield Entry(number, f"{place}, question {number}", fields)


def _question(entry: Entry) -> Question:
    fields = required_mapping(entry.fields["question"], "the question's record")
    answers = [
        required_mapping(answer, f"answer {number}")
        for number, answer in enumerate(required_list(fields.get("answers"), "'answers'"), start=1)
    ]
    question_number = required_identifier(fields.get("qid"), "'qid'")
    return multiple_choice(
        question_id=f"{entry.fields['exam']}-{question_number}",
        question=fields.get("qtext"),
        options=[answer.get("atext") for answer in answers],
        labels=[required_identifier(answer.get("aid"), "an answer's 'aid'") for answer in answers],
        key=fields.get("ra"),
        key_name="'ra'",
        subject=optional_text(entry.fields["category"], "the exam's 'category'"),
    )
