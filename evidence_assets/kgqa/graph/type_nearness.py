"""How near nouns that no type is called by are to each type: flights to `route`, journalists to `person`.

A noun is compared with the type's own, and with what its nodes take part in. Two things are known besides:
most questions are about the types that most relations are of, and persons are called by nouns for persons.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from evidence_assets.kgqa.graph.naming import noun_of
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.models.encoder import Encoder

# What the relations of a type add to its noun, the logarithm of their number, and that both are persons, in
# cosines: fitted by hand on 72 such nouns of nine development graphs, whose type was the likeliest of 39
# by its noun alone, and is of 47.
_OF_RELATIONS, _OF_NUMBER, _OF_PERSONS = 0.5, 1 / 16, 0.2


class TypeNearness:
    """The types of a schema as nouns are compared with them.

    Args:
        wordings: Each relation's name in words.
        persons: The types of persons.
    """

    def __init__(
        self,
        types: Sequence[str],
        schema: Schema,
        wordings: Mapping[str, str],
        persons: Iterable[str],
        encoder: Encoder,
    ) -> None:
        self._are_persons = np.array([type_ in frozenset(persons) for type_ in types], dtype=float)
        parts = [_takes_part_in(type_, schema, wordings) for type_ in types]
        self._numbers = np.array([math.log(max(1, len(part))) for part in parts])
        texts = [f"{noun_of(type_)}: {', '.join(part)}" for type_, part in zip(types, parts, strict=True)]
        self._relations = encoder.encode(texts) if texts else np.empty((0, encoder.dimension))

    def of(self, vectors: np.ndarray, cosines: np.ndarray, persons: Sequence[bool]) -> np.ndarray:
        """Return (n, t) how near nouns are to the types, in cosines.

        Args:
            vectors, cosines: (n, d) the nouns, and (n, t) their cosines to the nouns of the types.
            persons: Which of the nouns are for persons.
        """
        return np.round(
            cosines
            + _OF_RELATIONS * vectors @ self._relations.T
            + _OF_NUMBER * self._numbers
            + _OF_PERSONS * np.outer(persons, self._are_persons),
            6,
        )


def _takes_part_in(type_: str, schema: Schema, wordings: Mapping[str, str]) -> list[str]:
    """Return the relations of a type, in words, with what stands at their other end."""
    parts = []
    for name in schema.relations:
        head, tail = schema.ends(name, False)
        parts += [f"{wordings[name]} {noun_of(tail)}"] * (head == type_)
        parts += [f"{noun_of(head)} {wordings[name]}"] * (tail == type_)
    return parts
