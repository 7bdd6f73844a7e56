"""What kind of thing a question asks for: who, when, which language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.kgqa.vocabulary import DETERMINERS, QUESTION_WORDS, Vocabulary, is_plural
from evidence_assets.text.function_words import function_words

# "what are the languages", "what is a film": so far a noun may stand from its question word.
_REACH = 4


@dataclass(frozen=True, slots=True)
class AskedType:
    """The types that a question may ask for (none: it does not say), and the words that say so.

    `first` and `last` are places of words, both -1 where nothing asks.
    """

    types: tuple[str, ...] = ()
    first: int = -1
    last: int = -1


def asked_type(words: Sequence[str], hidden: frozenset[int], vocabulary: Vocabulary) -> AskedType:
    """Return what a question asks for, by the words for types that its schema knows.

    The first question word with a type decides: its own ("who"), or that of the noun after it ("which
    years"); of nouns in a row the last ("what film genre"). Without a question word it is the last noun that
    names a type ("name a film by her"); with one that has no type, nothing is known.

    Parameters
    ----------
    words
        The question's words, lower-cased.
    hidden
        Places of words that stand for a topic: what they say is no part of what is asked.
    """
    asking = -1
    for place, word in enumerate(words):
        if place in hidden or word not in QUESTION_WORDS:
            continue
        found = _after(words, place, hidden, vocabulary) if word in DETERMINERS else None
        if found is None and (types := vocabulary.types_named(word)):
            found = AskedType(types, place, place)
        if found is not None:
            return found
        asking = place if asking < 0 else asking
    if asking >= 0:
        return AskedType((), asking, asking)
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
        if words[begin] not in function_words():
            return None
    return None
