"""What the readers of questions over knowledge graphs share: topics, ids from content, lines of columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_assets.lake.ids import text_hash
from evidence_assets.sources.files import text_lines
from evidence_assets.sources.questions.reading import Entry
from evidence_assets.sources.questions.validation import optional_text
from evidence_assets.sources.records import Question, RejectedRecord

_ID_DIGITS = 16


def with_topics(question: Question, topics: Sequence[object]) -> Question:
    """The question with the names of its topics, each once; what is absent or empty is none.

    Raises:
        RecordRejectedError: a topic is not text.
    """
    names = (optional_text(topic, f"topic {number}") for number, topic in enumerate(topics, start=1))
    return replace(question, topics=tuple(dict.fromkeys(filter(None, names))))


class ContentNames:
    """Ids for questions that have none: a hash of their content, which does not change with their order.

    The same content again is the same question asked again: its id ends in the number of the time.
    """

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._seen: Counter[str] = Counter()

    def named(self, question: Question, content: str) -> Question:
        """The question with the id of its content; only questions that can be used are to ask for one."""
        found = f"{self._prefix}-{text_hash(content)[:_ID_DIGITS]}"
        self._seen[found] += 1
        name = found if self._seen[found] == 1 else f"{found}-{self._seen[found]}"
        return replace(question, question_id=name)


def column_lines(uri: str, names: Sequence[str]) -> Iterator[Entry | RejectedRecord]:
    """Yields the lines of a file without header, their columns parted by tabs; blank lines are passed over.

    Raises:
        UnusableSourceError: the file is absent, or breaks off.
    """
    for line in text_lines(uri):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, text = line
        if not text.strip():
            continue
        values = text.split("\t")
        if len(values) != len(names):
            yield RejectedRecord(
                f"line {number}",
                f"{len(values)} columns where {len(names)} are expected",
                f"write {', '.join(names)}, parted by one tab each",
            )
            continue
        yield Entry(number, f"line {number}", dict(zip(names, values, strict=True)))
