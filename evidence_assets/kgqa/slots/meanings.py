"""What words and phrases may stand for by meaning: the relations and types whose names are near to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from evidence_assets.kgqa.graph.asked_kinds import AskedKinds, KindExamples
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.graph.type_nearness import TypeNearness
from evidence_assets.kgqa.slots.senses import RelationSense, TypeSense, is_agent
from evidence_assets.kgqa.words.word_classes import QUESTION_WORDS
from evidence_assets.models.encoder import Encoder
from evidence_assets.text.roots import lemma
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# A word is bound to a relation or type by meaning from this cosine on, if no other is as near by the margin.
# Set by hand while reading the development graphs, not swept.
MEANING, MARGIN = 0.60, 0.04


class Meanings:
    """The relations and types of a graph by the meaning of their names.

    Args:
        wordings: Each relation in words, in the schema's order.
        nouns: Of each type its nouns, each as its words.
        members: Of each type names of some of its nodes.

    `cosines`: of each word prepared its cosines to relations and to types.
    """

    def __init__(
        self,
        schema: Schema,
        wordings: Mapping[str, str],
        nouns: Mapping[str, Sequence[Sequence[str]]],
        members: Mapping[str, Sequence[str]],
        encoder: Encoder,
    ) -> None:
        self._schema, self._wordings, self._nouns, self._encoder = schema, wordings, nouns, encoder
        self._members = members
        self._examples = KindExamples(encoder)
        self._near: dict[str, tuple[list[RelationSense], list[TypeSense]]] = {}
        self.cosines: dict[str, tuple[np.ndarray, np.ndarray]] = {}

    @cached_property
    def kinds(self) -> AskedKinds:
        """Which types "who" and "where" may ask for."""
        return self._examples.asked_kinds({name: spelt(name) for name in self._nouns}, self._members)

    def _is_no_person(self, type_: str) -> bool:
        """Return whether a type is not of persons, in a graph that has some."""
        return bool(self.kinds.persons) and type_ not in self.kinds.persons

    @cached_property
    def _nearness(self) -> TypeNearness:
        return TypeNearness([*self._nouns], self._schema, self._wordings, self.kinds.persons, self._encoder)

    @cached_property
    def _targets(self) -> tuple[list[RelationSense | TypeSense], np.ndarray]:
        texts: list[str] = []
        senses: list[RelationSense | TypeSense] = []
        for name, wording in self._wordings.items():
            senses.append(RelationSense(name))
            texts.append(wording)
        for type_, names in self._nouns.items():
            for noun in names:
                if noun[0] not in QUESTION_WORDS:
                    senses.append(TypeSense(type_))
                    texts.append(" ".join(noun))
        return senses, self._encoder.encode(texts) if texts else np.empty((0, self._encoder.dimension))

    def prepare(self, unknown: Sequence[str]) -> None:
        """Encode words at once that `of_word` will be asked for."""
        fresh = sorted({word for word in unknown if word not in self._near})
        if not fresh:
            return
        senses, vectors = self._targets
        lemmas = [lemma(word) for word in fresh]
        encoded = self._encoder.encode(lemmas)
        cosines = np.round(encoded @ vectors.T, 6)
        to_types = np.array([self._by_type(row, senses) for row in cosines])
        persons = self._examples.are_persons(lemmas)
        nearness = self._nearness.of(encoded, to_types, persons)
        for word, row, to_type, is_person in zip(fresh, cosines, nearness, persons, strict=True):
            near = [(float(row[place]), sense) for place, sense in enumerate(senses) if row[place] >= MEANING]
            best = max((cosine for cosine, _ in near), default=0.0)
            nearest = [(cosine, sense) for cosine, sense in near if cosine >= best - MARGIN]
            self.cosines[word] = row[: len(self._wordings)], to_type
            self._near[word] = (
                [
                    RelationSense(sense.relation, cosine, is_agent(word))
                    for cosine, sense in nearest
                    if isinstance(sense, RelationSense)
                ],
                [
                    TypeSense(sense.type, cosine)
                    for cosine, sense in nearest
                    # Journalists are near to newspapers, but none.
                    if isinstance(sense, TypeSense) and not (is_person and self._is_no_person(sense.type))
                ],
            )

    def _by_type(self, row: np.ndarray, senses: Sequence[RelationSense | TypeSense]) -> list[float]:
        """Return a word's cosine to the nearest noun of each type."""
        count = len(self._wordings)
        of_type = dict.fromkeys(self._nouns, -1.0)
        for cosine, sense in zip(row[count:].tolist(), senses[count:], strict=True):
            if isinstance(sense, TypeSense):
                of_type[sense.type] = max(cosine, of_type[sense.type])
        return list(of_type.values())

    def of_word(self, word: str) -> tuple[list[RelationSense], list[TypeSense]]:
        """Return the relations and types whose names are near a word in meaning."""
        self.prepare([word])
        return self._near[word]

    def nearness(self, phrase: str, relation: str) -> float | None:
        """Return the cosine of a phrase's nearest word to a relation; None where none was compared."""
        place = [*self._wordings].index(relation)
        rows = [self.cosines[word][0] for word in words(phrase.lower()) if word in self.cosines]
        return max((round(float(row[place]), 6) for row in rows), default=None)

    def of_phrases(self, phrases: Sequence[str]) -> list[list[RelationSense | TypeSense]]:
        """Return, of each phrase of several words, the relations and types whose names are near to it."""
        senses, vectors = self._targets
        if not phrases or not senses:
            return [[] for _ in phrases]
        cosines = np.round(self._encoder.encode(phrases) @ vectors.T, 6)
        near = []
        for row in cosines.tolist():
            best = max(row)
            near.append(
                [
                    replace(sense, similarity=cosine)
                    for cosine, sense in zip(row, senses, strict=True)
                    if cosine >= max(MEANING, best - MARGIN)
                ]
            )
        return near
