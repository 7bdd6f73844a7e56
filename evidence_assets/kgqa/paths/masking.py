"""Questions with their topics masked by type: a topic's name is no evidence for a relation, its type is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.answer_types import AskedType, asked_type
from evidence_assets.kgqa.slots.near_words import Near
from evidence_assets.kgqa.words.word_classes import ACTING_OR_HOLDING, LOCATED
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_spans

_LAST_WORD = re.compile(r"([^\W_]+)\s*$")
_ARTICLE = re.compile(r"(?:^|(?<=\s))(?:the|an?|that|this)\s*$", re.IGNORECASE)
# The possessive of a name in "s", once a noun stands for it: "Foods' suppliers", "that company's suppliers".
_APOSTROPHE = re.compile(r"^['’](?=\s)")
# Where one condition ends and the next begins: "treats asthma and interacts with warfarin".
_LINKS = frozenset({"and", "or", "but"})
_JOINTS = _LINKS | {"which", "who", "also", "while"}


@dataclass(frozen=True, slots=True)
class MaskedQuestion:
    """A question in which every topic is "that" and the word for its type.

    `text`; its `words`, lower-cased; `topic`: the position of the word that stands for the topic in question;
    `hidden`: the positions of words that stand for any topic; `answer_type`: what it asks for; `alone`:
    whether it names no other topic; `near`: what words of the text are read as in `words`.
    """

    text: str
    words: tuple[str, ...]
    topic: int
    hidden: frozenset[int]
    answer_type: AskedType
    alone: bool = True
    near: Near = ()

    def reading(self, near: Near) -> MaskedQuestion:
        """Return the question with some of its words read as others."""
        others = {word: other.word for word, other in near}
        return replace(self, words=tuple(others.get(word, word) for word in self.words), near=near)

    @property
    def asks_by_word(self) -> bool:
        """Whether "who" or "where" alone tells what is asked for, which may be no person, and no place.

        Companies act as persons do, and hold things as places do.
        """
        first, last = self.answer_type.first, self.answer_type.last
        return first == last >= 0 and self.words[first] in ACTING_OR_HOLDING

    @property
    def asks_where(self) -> bool:
        """Whether it says no more than "where": "where is", "where can I find"."""
        place = self.answer_type.first
        said = (word for number, word in enumerate(self.words) if number not in self.hidden)
        return place >= 0 and self.words[place] == "where" and function_words() | LOCATED >= set(said)


def masked(
    question: LinkedQuestion, about: int, types: Sequence[str], vocabulary: Vocabulary, hide: bool = True
) -> MaskedQuestion:
    """Return the masked question about one of its topics: of several conditions only the one on that topic.

    A word for the type that already precedes the name ("the film Heat") is not repeated.

    Args:
        about: The place of the topic among the question's.
        types: The type of each topic, by which it is called.
        hide: False: topics keep their names.
    """
    text, marks, position = "", [], 0

    def until(end: int | None) -> str:
        part = question.question[position:end]
        return _APOSTROPHE.sub("'s", part) if hide and position else part

    for place in sorted(range(len(question.topics)), key=lambda place: question.topics[place].start):
        topic = question.topics[place]
        text += _without_noun(until(topic.start), types[place], vocabulary)
        text += " " if text and not text[-1].isspace() and topic.start == topic.end else ""
        begin = len(text)
        text += f"that {vocabulary.noun(types[place])}" if hide else topic.phrase
        marks.append((begin, len(text), place))
        position = topic.end
    return _clause((text + until(None)).rstrip(), marks, about, vocabulary)


def _without_noun(before: str, type_: str, vocabulary: Vocabulary) -> str:
    """Return the text before a name without its type's noun; one that names a relation stays ("writer")."""
    match = _LAST_WORD.search(before)
    word = match.group(1) if match else ""
    if match and type_ in vocabulary.types_named(word) and not vocabulary.says_relation(word):
        return _ARTICLE.sub("", before[: match.start()])
    return before


def _clause(
    text: str, marks: Sequence[tuple[int, int, int]], about: int, vocabulary: Vocabulary
) -> MaskedQuestion:
    """Return the masked question of a text's part around one topic, with the words that ask before it."""
    full = _masked_text(text, marks, about, vocabulary)
    if len(marks) < 2:
        return full
    spans = word_spans(text)
    mark_number = next(number for number, mark in enumerate(marks) if mark[2] == about)
    begin = _joint(text, spans, marks[mark_number - 1][1], marks[mark_number][0])[1] if mark_number else 0
    end = (
        _joint(text, spans, marks[mark_number][1], marks[mark_number + 1][0])[0]
        if mark_number + 1 < len(marks)
        else len(text)
    )
    begin, end = max(begin, 0), end if end >= 0 else len(text)
    begin = end - len(text[begin:end].lstrip())
    asking = (
        range(full.answer_type.first, full.answer_type.last + 1) if full.answer_type.first >= 0 else range(0)
    )
    lead = text[spans[asking[0]][0] : spans[asking[-1]][1]] + " " if asking else ""
    if asking and spans[asking[0]][0] >= begin and spans[asking[-1]][1] <= end:
        lead = ""
    part = text[begin:end].rstrip(" ,;")
    inside = [
        (start - begin + len(lead), stop - begin + len(lead), place)
        for start, stop, place in marks
        if begin <= start and stop <= end
    ]
    return _masked_text(lead + part, inside, about, vocabulary)


def _joint(text: str, spans: Sequence[tuple[int, int]], begin: int, end: int) -> tuple[int, int]:
    """Return where one condition ends and the next begins between two characters: at the last joint.

    "and" and "or" belong to neither, "which" to the second. (-1, -1) where there is no joint.
    """
    for start, stop in reversed(spans):
        if begin <= start and stop <= end and (word := text[start:stop].lower()) in _JOINTS:
            return start, stop if word in _LINKS else start
    return -1, -1


def _masked_text(
    text: str, marks: Sequence[tuple[int, int, int]], about: int, vocabulary: Vocabulary
) -> MaskedQuestion:
    spans = word_spans(text)
    words = tuple(text[start:stop].lower() for start, stop in spans)
    hidden: set[int] = set()
    topic = -1
    for begin, end, place in marks:
        inside = [number for number, (start, stop) in enumerate(spans) if begin <= start and stop <= end]
        hidden.update(inside)
        topic = inside[-1] if place == about and inside else topic
    answer_type = asked_type(words, frozenset(hidden), vocabulary)
    return MaskedQuestion(text, words, topic, frozenset(hidden), answer_type, len(marks) < 2)
