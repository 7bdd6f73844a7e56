"""MetaQA: questions of one to three steps over a graph of films, the topic in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.sources.questions.graph_questions import ContentNames, column_lines, with_topics
from evidence_assets.sources.questions.reading import Entry, file_name, read_questions
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    required_text,
)
from evidence_assets.sources.records import Question, RejectedRecord

ANSWERS_APART = "|"
# A name may hold a pair of brackets itself: [[REC]].
_TOPIC = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])+)\]")


def read_metaqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of lines such as `who directed [Eden]<tab>one name|another`.

    The question is kept without the brackets, and what they hold is its topic. An id is the file's name and
    a hash of question and answers; two questions of one text that ask of different films differ in their
    answers, and a line that comes again is a question of its own.

    Raises:
        UnusableSourceError: the file is absent, or breaks off.
    """
    names = ContentNames(file_name(uri).partition(".")[0])

    def build(entry: Entry) -> Question:
        asked = required_text(entry.fields["question"], "the question")
        stated = required_text(entry.fields["answers"], "the answers")
        topics = _TOPIC.findall(asked)
        if not topics:
            raise RecordRejectedError("no topic in brackets", "write the entity that is asked about in [ ]")
        question = open_question(
            question_id="",
            question=_TOPIC.sub(r"\1", asked),
            answers=stated.split(ANSWERS_APART),
            answers_name="the answers",
        )
        return with_topics(names.named(question, f"{asked}\t{stated}"), topics)

    yield from read_questions(column_lines(uri, ("question", "answers")), build)
