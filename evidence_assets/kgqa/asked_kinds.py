"""Which types "who" and "where" ask for, by the meaning of their nouns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    def may_be_where(self, types: frozenset[str]) -> bool:
        """Return whether "where" may ask for such: in a graph of no places for any but persons."""
        return bool(types & self.places if self.places else types - self.persons)


def asked_kinds(nouns: Mapping[str, str], encoder: Encoder) -> AskedKinds:
    """Return which of the types, by their nouns, may be asked for."""
    names = list(nouns)
    if not names:
        return AskedKinds(frozenset(), frozenset(), frozenset())
    vectors = encoder.encode([f"a {noun}" for noun in nouns.values()])

    def clearly(kinds: Sequence[str], others: Sequence[str], margin: float) -> frozenset[str]:
        near = (vectors @ encoder.encode(kinds).T).max(axis=1)
        far = (vectors @ encoder.encode(others).T).max(axis=1)
        holds = np.round(near - far, 6) > margin
        return frozenset(name for name, each in zip(names, holds.tolist(), strict=True) if each)

    return AskedKinds(
        clearly(_THINGS, _AGENTS, _NO_AGENT),
        clearly(_PLACES, _NO_PLACES, 0.0),
        clearly(_PERSONS, (*_THINGS, *_PLACES, "an organisation", "an animal"), _NO_AGENT),
    )
