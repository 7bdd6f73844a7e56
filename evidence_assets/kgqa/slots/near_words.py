"""Words of a question that no relation has, read as the relation's word that is used as they are.

"Who found the cave" asks what "the cave was discovered by" tells: each in its sentence, "found" and
"discovered" are near, whatever else either may mean elsewhere. A word alone says less: "found" is also of
towns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.graph.mutual_relations import is_mutual
from evidence_assets.kgqa.graph.schema import THING, RelationSchema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.word_classes import POLITE, QUESTION_WORDS, REQUESTS, is_function_word
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.text.function_words import function_words, light_verbs, operator_words
from evidence_assets.text.opposites import are_opposites
from evidence_assets.text.roots import root
from evidence_assets.text.verbalisation import verbalise

# From this cosine on, each in its sentence, a word is read as another. Chosen on the development part of
# `benchmarks.schema_graphs`, where paths that were kept back for such words alone are right from here on, and
# on MetaQA's development questions: asked of a graph without directors, few that say "directed" are read as
# "screenplay", and from .57 on most were. What it costs is measured by `benchmarks.graph_paths`.
NEAR = 0.64
# A shorter root may stand in any word.
_SHORTEST = 4


@dataclass(frozen=True, slots=True)
class NearWord:
    """A relation's word that a question's word is read as, and their cosine, each in its sentence."""

    word: str
    cosine: float


# What words of a question are read as.
Near = tuple[tuple[str, NearWord], ...]


@dataclass(frozen=True, slots=True)
class _Sentences:
    """The telling words of sentences, each with its unit vector in its sentence: (w,), (w, d)."""

    words: list[str]
    vectors: NDArray[np.float32]


class NearWords:
    """Finds the words of a schema's relations that are used as a question's words are."""

    def __init__(self, vocabulary: Vocabulary, encoder: Encoder) -> None:
        self._vocabulary, self._encoder = vocabulary, encoder
        self._columns = {key: place for place, key in enumerate(vocabulary.weights)}

    def of(self, words: Sequence[str], encoded: EncodedWords, hidden: Collection[int] = ()) -> Near:
        """Return what words that no relation has are read as, in their order.

        `encoded`: the words, in their text; `hidden`: the places of those that stand for names.
        """
        unknown = [place for place in self._unknown(words) if place not in hidden]
        if not unknown or list(words) != encoded.words or not self._sentences.words:
            return ()
        cosines = np.round(encoded.unit[unknown] @ self._sentences.vectors.T, 6)
        near: dict[str, NearWord] = {}
        for place, row in zip(unknown, cosines, strict=True):
            best = int(row.argmax())
            word, other = words[place], self._sentences.words[best]
            if row[best] >= NEAR and not are_opposites(word, other) and not self._is_compound(word):
                near[word] = NearWord(other, float(row[best]))
        return tuple(near.items())

    def _unknown(self, words: Sequence[str]) -> Iterator[int]:
        """Yield the places of words that say something, and that the schema does not know."""
        silent = function_words() | light_verbs() | operator_words() | QUESTION_WORDS | REQUESTS | POLITE
        columns = self._vocabulary.columns_of(words, self._columns)
        for place, (word, column) in enumerate(zip(words, columns, strict=True)):
            # "Found" has the stem of "founded", and mostly is a form of "find".
            is_known = column >= 0 and root(word) in self._columns
            is_of_degree = bool(adjective_of(word)[0])
            is_noun = bool(self._vocabulary.types_named(word))
            if not (is_known or is_of_degree or is_noun or word in silent) and word.isalpha():
                yield place

    def _is_compound(self, word: str) -> bool:
        """Return whether a word is made of a relation's: godparents are no parents."""
        key = root(word)
        return any(
            other in key and other != key and len(other) >= _SHORTEST for other in self._vocabulary.said_by
        )

    @cached_property
    def _sentences(self) -> _Sentences:
        schema, noun = self._vocabulary.schema, self._vocabulary.noun
        texts = {
            verbalise(text, f"the {noun(relation.head_type)}", f"a {noun(relation.tail_type)}"): name
            for name, relation in schema.relations.items()
            if _is_told_one_way(relation)
            for text in relation.sentences
        }
        telling, vectors = [], []
        for name, encoded in zip(texts.values(), self._encoder.encode_words([*texts]), strict=True):
            for word, vector in zip(encoded.words, encoded.unit, strict=True):
                if not is_function_word(word) and root(word) in self._vocabulary.sentence_roots[name]:
                    telling.append(word)
                    vectors.append(vector)
        return _Sentences(telling, np.array(vectors, dtype=np.float32))


def _is_told_one_way(relation: RelationSchema) -> bool:
    """Return whether a relation's types tell who does what, which between things of one type a word tells.

    No nearness does: a teacher and a pupil are near.
    """
    fits = relation.head_type == relation.tail_type or THING in (relation.head_type, relation.tail_type)
    return not fits or is_mutual(relation)
