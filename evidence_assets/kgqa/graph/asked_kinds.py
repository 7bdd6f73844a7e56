"""Which types "who" and "where" ask for, by the meaning of their nouns and the names of their members."""

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
# Names of persons of several languages, and of other things.
_PERSON_NAMES = (
    "John Smith",
    "Maria Garcia",
    "Anna Kowalska",
    "David Cohen",
    "Wei Chen",
    "Fatima Khan",
    "Thomas Müller",
    "Aisha Okafor",
    "Mrs Jones",
    "Dr Patel",
)
_OTHER_NAMES = (
    "Springfield",
    "The Blue Lagoon",
    "Acme Ltd",
    "River Inn",
    "Silver Cup",
    "Church Lane",
    "North Field",
    "Oak House",
    "University of York",
    "Green Valley",
    "first class",
    "red",
    "1984",
    "Night Train",
    "Spring Festival",
    "Smith & Sons",
    "Foundation",
    "A-12",
)
# How many members of a type there must be; the share of them that are rather called as persons are, and by
# how much in the mean, where they are persons. Of 397 types of the development graphs 35 are, all of persons;
# of eight of these the noun does not tell, collectors and vets among them.
_LEAST_MEMBERS, _LEAST_SHARE, _LEAST_NEARER = 3, 0.8, 0.06


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

    def asked_kinds(self, nouns: Mapping[str, str], members: Mapping[str, Sequence[str]]) -> AskedKinds:
        """Return which of the types, by their nouns and by the names of their members, may be asked for."""
        if not nouns:
            return AskedKinds(frozenset(), frozenset(), frozenset())
        vectors = self._of_nouns(nouns.values())
        flags = (
            self._clearly(vectors, _THINGS, _AGENTS, _NO_AGENT),
            self._clearly(vectors, _PLACES, _NO_PLACES, 0.0),
            self._are_persons(vectors),
        )
        things, places, persons = (
            frozenset(name for name, flag in zip(nouns, of_kind, strict=True) if flag) for of_kind in flags
        )
        others = (name for name in nouns if name not in persons)
        called = frozenset(name for name in others if self.are_called_as_persons(members.get(name, ())))
        return AskedKinds(things - called, places - called, persons | called)

    def are_called_as_persons(self, names: Sequence[str]) -> bool:
        """Return whether names, three at least, are those of persons."""
        capitals = [name for name in names if name[:1].isupper()]
        if len(names) < _LEAST_MEMBERS or len(capitals) < _LEAST_SHARE * len(names):
            return False
        nearer = self._nearer(self._encoder.encode(names), _PERSON_NAMES, _OTHER_NAMES)
        return bool((nearer > 0).mean() >= _LEAST_SHARE and nearer.mean() >= _LEAST_NEARER)

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
        holds: list[bool] = (self._nearer(vectors, examples, counterexamples) > margin).tolist()
        return holds

    def _nearer(
        self, vectors: np.ndarray, examples: tuple[str, ...], counterexamples: tuple[str, ...]
    ) -> np.ndarray:
        """Return (n,) how much nearer vectors are to an example than to a counterexample."""
        near, far = ((vectors @ self._examples(texts).T).max(axis=1) for texts in (examples, counterexamples))
        nearer: np.ndarray = np.round(near - far, 6)
        return nearer

    def _examples(self, texts: tuple[str, ...]) -> np.ndarray:
        if texts not in self._encoded:
            self._encoded[texts] = self._encoder.encode(texts)
        return self._encoded[texts]
