"""Which of a question's words each sentence says, in its own words, nearly, or by a pronoun.

"It has seats for forty" says nothing of a hall. Where a sentence opens with a pronoun, what the sentence
before it says counts as meant. So does what a question says that stands before a sentence, as on a page of
questions and answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.reading.rarity import Rarity
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set, words

_Values = NDArray[np.float64]
_DECIMALS = 6
# What opens a sentence that is about what stands before it, and these near its beginning: "of the latter".
_PRONOUNS = word_set("he she it they his her its their this these those both such")
_OF_TWO, _NEAR_BEGINNING = word_set("former latter"), 4
# What says no more of a place than that it is asked for.
_WHERE, _FINDING = "where", word_set("find found locate located situated")
# What a word counts that a pronoun may stand for.
_MEANT = 0.9


# A question ends so, whatever mark-up closes it; a quoted one is all of its sentence. A heading begins so.
_QUESTION = re.compile(r"\?[\s)*_\]]*$|^[\s*_#]*[\"'“‘«].*\?[\"'”’»][\s*_]*$")
_HEADING = re.compile(r"\s*#{1,6}\s+(?!of\b)[\"'“‘«*_]*[^\W\d_]")
# How many sentences behind a question are read as its answer.
_ANSWERING = 2


def asks(text: str) -> bool:
    """Return whether a sentence is a question."""
    return _QUESTION.search(text) is not None


def is_heading(text: str) -> bool:
    """Return whether a sentence is a heading of Markdown."""
    return _HEADING.match(text) is not None


def questions_before(texts: Sequence[str], passages: Sequence[str]) -> list[int | None]:
    """Return the place of the question that each sentence answers; None where none stands before it.

    A sentence answers the question of its passage that it stands behind, as does the one behind it.
    """
    asked: dict[str, int] = {}
    behind: list[int | None] = []
    for place, (text, passage) in enumerate(zip(texts, passages, strict=True)):
        if asks(text):
            asked[passage] = place
        elif is_heading(text):
            asked.pop(passage, None)
        question = asked.get(passage)
        near = question is not None and 0 < place - question <= _ANSWERING
        behind.append(question if near else None)
    return behind


@dataclass(frozen=True, slots=True)
class SaidWords:
    """A question's n content words in one sentence.

    `weights`: (n,) by rarity, of the sum 1. `said`: (n,) whether it says the word, or means it by a pronoun.
    `nearness`: (n,) 1 of what it says; else the cosine of the nearest of its words, 0 at least. `elsewhere`:
    (n,) whether another sentence says what it does not.
    """

    weights: _Values
    said: NDArray[np.bool_]
    nearness: _Values
    elsewhere: NDArray[np.bool_]

    def measures(self) -> dict[str, float]:
        """Return shares of the words, rare ones counting more; 0 of none."""
        return {
            "said": float(self.weights @ self.nearness),
            "in its words": float(self.weights @ self.said),
            "said elsewhere": float(self.weights @ self.elsewhere),
        }


def said_words(
    question: EncodedWords,
    sentences: Sequence[EncodedWords],
    texts: Sequence[str],
    roots: Sequence[frozenset[str]],
    passages: Sequence[str],
) -> list[SaidWords]:
    """Return the question's words in each sentence, in order.

    Args:
        roots: The roots of each sentence's content words.
        passages: Of which passage each sentence is; those of one in its order.
    """
    places = _asked_places(question)
    question_roots = [root(question.words[place]) for place in places]
    rarity, every = Rarity(roots), frozenset[str]().union(*roots)
    weights = np.array([rarity.weight(word) for word in question_roots])
    weights = weights / weights.sum() if len(weights) else weights
    anywhere, vectors = _among(question_roots, every), question.unit[places]
    in_sentences, before = [], dict[str, frozenset[str]]()
    asked_before = questions_before(texts, passages)
    for place, (sentence, text, of_it, passage) in enumerate(
        zip(sentences, texts, roots, passages, strict=True)
    ):
        meant = before.get(passage, frozenset()) if _opens_with_a_pronoun(text) else frozenset[str]()
        answered = asked_before[place]
        meant |= roots[answered] if answered is not None else frozenset()
        before[passage] = of_it
        said, nearest = _among(question_roots, of_it), _nearest(vectors, sentence)
        by_pronoun = _among(question_roots, meant) & ~said
        nearest = np.where(by_pronoun, np.maximum(nearest, _MEANT), nearest)
        said_or_meant = said | by_pronoun
        in_sentences.append(
            SaidWords(weights, said_or_meant, np.where(said, 1.0, nearest), anywhere & ~said_or_meant)
        )
    return in_sentences


def _among(wanted: Sequence[str], said: frozenset[str]) -> NDArray[np.bool_]:
    return np.array([word in said for word in wanted], dtype=bool)


def _content_places(encoded: EncodedWords) -> list[int]:
    """Return the places of a text's words that are no function words."""
    return [place for place, word in enumerate(encoded.words) if word not in function_words()]


def _asked_places(question: EncodedWords) -> list[int]:
    """Return the places of a question's content words; not of "find" beside "where", if there are others."""
    places = _content_places(question)
    idle = _FINDING if _WHERE in question.words else frozenset[str]()
    return [place for place in places if question.words[place] not in idle] or places


def _opens_with_a_pronoun(text: str) -> bool:
    opening = words(text)[:_NEAR_BEGINNING]
    return not (_PRONOUNS.isdisjoint(opening[:1]) and _OF_TWO.isdisjoint(opening))


def _nearest(vectors: NDArray[np.float32], sentence: EncodedWords) -> _Values:
    """Return (n,) the cosine of each word's vector and its nearest in a sentence, 0 at least."""
    places = _content_places(sentence)
    if not places or not len(vectors):
        return np.zeros(len(vectors))
    cosines: _Values = (vectors @ sentence.unit[places].T).max(axis=1).astype(np.float64)
    return np.clip(cosines.round(_DECIMALS), 0.0, 1.0)
