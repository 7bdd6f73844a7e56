"""Names of a graph's nodes as questions spell them: to the letter, as plurals, as adjectives."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.naming import noun_of
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.queries.algebra import Named
from evidence_assets.kgqa.slots.meanings import MEANING
from evidence_assets.models.encoder import Encoder

# What stands behind a name in the label of a node that shares it with another.
_KEYS = re.compile(r"(?: \([^()]+\))+$")
# How English ends adjectives of names: Chilean, Irish, Japanese, French, Greek, Arabic, Iraqi.
_ADJECTIVE = re.compile(r"(?:an|ish|ese|ch|ek|ic|i)$")


class NodeNames:
    """The names of a graph's nodes; `encoder` compares adjectives with them."""

    def __init__(self, labels: pa.Array, types: NodeTypes, encoder: Encoder) -> None:
        self._labels, self._types, self._encoder = labels, types, encoder
        self._derived: dict[str, Named | None] = {}

    def spelt_as(self, phrase: str, nodes: tuple[int, ...]) -> tuple[int, ...]:
        """Return the nodes whose labels a phrase spells to the letter, if it does any's: cork is not Cork.

        What tells nodes of one name apart in their labels, "Marlow (school:2)", is not spelt.
        """
        names = [_KEYS.sub("", self._labels[node].as_py()) for node in nodes]
        return tuple(node for node, name in zip(nodes, names, strict=True) if name in phrase) or nodes

    def are_numbered(self, noun: str) -> bool:
        """Return whether some nodes are called by a noun and a number: "Berth 2"."""
        called = pc.match_substring_regex(self._labels, rf"^{re.escape(noun)} [0-9]", ignore_case=True)
        return bool(pc.any(called).as_py())

    def of_types(self, nodes: Sequence[int], types: Collection[str]) -> tuple[int, ...]:
        """Return the nodes of any of some types."""
        return tuple(node for node in nodes if not {*self._types.of(node)}.isdisjoint(types))

    def types_of(self, nodes: Sequence[int]) -> set[str]:
        """Return the types that some nodes are of."""
        return {type_ for node in nodes for type_ in self._types.of(node)}

    def derived(self, word: str) -> Named | None:
        """Return the name that a word in capitals is the plural or, by form and meaning, an adjective of."""
        if not word[:1].isupper() or len(word) < 4:
            return None
        if word not in self._derived:
            begins = pc.and_(
                pc.starts_with(self._labels, word[:2]), pc.match_substring_regex(self._labels, r"^\pL+$")
            )
            self._derived[word] = self._derived_of(word, self._labels.filter(begins).unique().to_pylist())
        return self._derived[word]

    def _derived_of(self, word: str, labels: Sequence[str]) -> Named | None:
        name = next((label for label in labels if word in (f"{label}s", f"{label}es")), "")
        if not name and labels and _ADJECTIVE.search(word):
            cosines = np.round(self._encoder.encode(labels) @ self._encoder.encode([word])[0], 6)
            name = labels[int(cosines.argmax())] if cosines.max() >= MEANING else ""
        if not name:
            return None
        return Named(name, tuple(np.flatnonzero(pc.equal(self._labels, name).to_numpy(False)).tolist()))

    def with_nouns(self, question: LinkedQuestion) -> str:
        """Return a question with the nouns of types in place of names."""
        shown, position = "", 0
        for (start, end), noun in sorted(self.nouns(question).items()):
            if start >= position:
                shown += question.question[position:start] + noun
                position = end
        return shown + question.question[position:]

    def nouns(self, question: LinkedQuestion) -> dict[tuple[int, int], str]:
        """Return the nouns of types that stand for a question's names, by where these begin and end."""
        nouns = {}
        for topic in question.topics:
            if topic.nodes and topic.end > topic.start:
                types = self._types.of(self.spelt_as(topic.phrase, topic.nodes)[0])
                nouns[topic.start, topic.end] = noun_of(types[0] if types else THING)
        return nouns
