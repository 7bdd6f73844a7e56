"""The answer type of a question: a person, a date, a language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.words.derivations import is_plural
from evidence_assets.kgqa.words.word_classes import ASKS_OF_BEING, DETERMINERS, QUESTION_WORDS, REQUESTS
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_set

# Between a question word and a noun they make the noun a part of what is said.
_WITHIN = word_set("in into at on from to for with by under near")
# At the end of a question they belong to what is asked for.
_STRANDED = _WITHIN | {"of", "about"}
# How many words a noun may stand after its question word: "what are the languages", "what is a film".
_REACH = 4


@dataclass(frozen=True, slots=True)
class AskedType:
    """The types that a question may ask for (empty: unknown), and the words that express them.

    `first` and `last` are word positions, both -1 where the question has no such words.
    """

    types: tuple[str, ...] = ()
    first: int = -1
    last: int = -1


def asked_type(words: Sequence[str], hidden: frozenset[int], vocabulary: Vocabulary) -> AskedType:
    """Return the answer type of a question, by the words for types that its schema knows.

    The first question word with a type decides: its own ("who"), or that of the noun after it ("which
    years"); of consecutive nouns the last ("what film genre"). Without a question word it is the noun after
    a request ("name the shows that she sponsors"), or else the last that names a type; a question word
    without a type leaves the type unknown.

    Args:
        words: The question's words, lower-cased.
        hidden: Positions of words that stand for a topic: they are ignored.
    """
    asking = -1
    for place, word in enumerate(words):
        if place in hidden or word not in QUESTION_WORDS:
            continue
        answer_type = None
        if word in DETERMINERS and not (word == "whose" and vocabulary.types_named("who")):
            answer_type = _after(words, place, hidden, vocabulary)
        if answer_type is None and (types := vocabulary.types_named("who" if word == "whose" else word)):
            answer_type = AskedType(types, place, place)
        if answer_type is not None:
            return answer_type
        asking = place if asking < 0 else asking
    if asking >= 0:
        return AskedType((), asking, asking)
    for place, word in enumerate(words[:_REACH]):
        if word in REQUESTS and (named := _after(words, place, hidden, vocabulary)) is not None:
            return named
    for place in reversed(range(len(words))):
        if place not in hidden and (types := vocabulary.types_named(words[place])):
            return AskedType(types, place, place)
    return AskedType()


def _after(
    words: Sequence[str], place: int, hidden: frozenset[int], vocabulary: Vocabulary
) -> AskedType | None:
    """Return the type of the noun that a question word stands before, if one follows soon."""
    for begin in range(place + 1, min(place + 1 + _REACH, len(words))):
        if begin in hidden:
            return None
        end = begin
        while end < len(words) and end not in hidden and vocabulary.types_named(words[end]):
            end += 1
            # Nothing is compounded with a plural: in "which works date from" the second word is no noun.
            if is_plural(words[end - 1]):
                break
        if end > begin:
            return AskedType(vocabulary.types_named(words[end - 1]), place, end - 1)
        # "What goes into the dish", "what is the person good at": the noun is no answer.
        if (
            words[begin] not in function_words()
            or words[begin] in _WITHIN
            or (words[begin] in ASKS_OF_BEING and words[-1] in _STRANDED)
        ):
            return None
    return None
