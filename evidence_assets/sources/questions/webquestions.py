"""WebQuestions: what people asked a search engine, answered over Freebase."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.sources.files import open_binary
from evidence_assets.sources.questions.graph_questions import ContentNames, with_topics
from evidence_assets.sources.questions.reading import (
    Entry,
    file_name,
    json_items,
    json_lines,
    read_questions,
)
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    optional_text,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import Question, RejectedRecord

_DESCRIPTION = r'\(description\s+(?:"((?:[^"\\]|\\.)*)"|([^\s()"]+))\s*\)'
_ANSWER = re.compile(_DESCRIPTION)
_ANSWERS = re.compile(rf"\(list(?:\s+{_DESCRIPTION})*\s*\)")
_ESCAPED = re.compile(r"\\(.)")
_PAGE = "/view/en/"


def read_webquestions(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of a list of `{utterance, targetValue, url}`, or of `{question, answers, url}`.

    `targetValue` reads `(list (description "one answer") (description Other))`; the second form, Hugging
    Face's, may also be JSON lines. The topic is what the page `url` is about, by the words of its address.

    Raises:
        UnusableSourceError: the file is absent, is not JSON, or holds no question.
    """
    names = ContentNames(file_name(uri).partition(".")[0])

    def build(entry: Entry) -> Question:
        fields = entry.fields
        asked = fields.get("utterance", fields.get("question"))
        answers = fields.get("answers")
        if answers is None:
            answers = _described(required_text(fields.get("targetValue"), "'targetValue'"))
        question = open_question(
            question_id="",
            question=asked,
            answers=required_list(answers, "'answers'"),
            answers_name="'answers'",
        )
        page = optional_text(fields.get("url"), "'url'").rpartition(_PAGE)[2]
        content = "\t".join((question.question, *question.answers))
        return with_topics(names.named(question, content), [page.replace("_", " ")])

    yield from read_questions(_entries(uri), build)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    with open_binary(uri) as stream:
        is_list = stream.peek(64).lstrip().startswith(b"[")
    if not is_list:
        yield from json_lines(uri, needed=("question", "answers"))
        return
    for number, value in enumerate(json_items(uri, "item"), start=1):
        try:
            yield Entry(number, f"record {number}", required_mapping(value, "the record"))
        except RecordRejectedError as rejected:
            yield rejected.at(f"record {number}")


def _described(stated: str) -> list[object]:
    if not _ANSWERS.fullmatch(stated):
        raise RecordRejectedError(
            f"'targetValue' is no list of descriptions: {stated!a:.60}",
            'write it like (list (description "one answer") (description Other))',
        )
    return [_ESCAPED.sub(r"\1", quoted or plain) for quoted, plain in _ANSWER.findall(stated)]
