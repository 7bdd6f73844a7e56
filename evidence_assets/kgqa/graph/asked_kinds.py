"""Which types "who" and "where" ask for, by the meaning of their nouns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.models.encoder import Encoder

# Kinds of those whom "who" asks for, and of other things; how much nearer a type must be to these to be one.
_AGENTS = (
    "a person who works",
    "someone",
    "a human being",
    "an organisation",
    "a team of people",
    "a professional",
    "an animal",
)
_THINGS = (
    "a thing",
    "a place",
    "an object",
    "something",
    "a number",
    "a machine",
    "a substance",
    "an illness",
    "an idea",
)
_NO_AGENT = 0.05
_PERSONS = ("a person", "someone", "a human being", "a professional")
_PLACES = (
    "a place",
    "a location",
    "a town",
    "a country",
    "a region",
    "a building",
    "a room",
    "an area of land",
)
_NO_PERSONS = (*_THINGS, *_PLACES, "an organisation", "an animal")
_NO_PLACES = (*_AGENTS, *_THINGS[:1], *_THINGS[2:], "a company", "a document", "a plant", "a kind of thing")


@dataclass(frozen=True, slots=True)
class AskedKinds:
    """Types by what may ask for them.

    `things`: clearly no persons, animals or groups of them, for which "who" does not ask. `places`: rather
    places than anything else, for which "where" asks; `persons`: rather persons.
    """

    things: frozenset[str]
    places: frozenset[str]
    persons: frozenset[str]


class KindExamples:
    """The examples of kinds that nouns are compared with, encoded once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._encoded: dict[tuple[str, ...], np.ndarray] = {}

    def asked_kinds(self, nouns: Mapping[str, str]) -> AskedKinds:
        """Return which of the types, by their nouns, may be asked for."""
        if not nouns:
            return AskedKinds(frozenset(), frozenset(), frozenset())
        vectors = self._of_nouns(nouns.values())
        flags = (
            self._clearly(vectors, _THINGS, _AGENTS, _NO_AGENT),
            self._clearly(vectors, _PLACES, _NO_PLACES, 0.0),
            self._are_persons(vectors),
        )
        return AskedKinds(
            *(frozenset(name for name, flag in zip(nouns, of_kind, strict=True) if flag) for of_kind in flags)
        )

    def are_persons(self, nouns: Sequence[str]) -> list[bool]:
        """Return of each noun whether it is rather for persons than for anything else."""
        return self._are_persons(self._of_nouns(nouns))

    def _of_nouns(self, nouns: Iterable[str]) -> np.ndarray:
        return self._encoder.encode([f"a {noun}" for noun in nouns])

    def _are_persons(self, vectors: np.ndarray) -> list[bool]:
        return self._clearly(vectors, _PERSONS, _NO_PERSONS, _NO_AGENT)

    def _clearly(
        self, vectors: np.ndarray, examples: tuple[str, ...], counterexamples: tuple[str, ...], margin: float
    ) -> list[bool]:
        near, far = ((vectors @ self._examples(texts).T).max(axis=1) for texts in (examples, counterexamples))
        holds: list[bool] = (np.round(near - far, 6) > margin).tolist()
        return holds

    def _examples(self, texts: tuple[str, ...]) -> np.ndarray:
        if texts not in self._encoded:
            self._encoded[texts] = self._encoder.encode(texts)
        return self._encoded[texts]
