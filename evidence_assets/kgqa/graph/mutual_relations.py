"""Relations that hold both ways round: "borders", "married to"."""

from __future__ import annotations

from evidence_assets.kgqa.graph.schema import RelationSchema
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set, words

# Roots of words for what holds both ways round, however it is written down: "married to", "borders".
_MUTUAL = frozenset(
    map(
        root,
        word_set("""
    adjacent adjoin border brother colleague cousin equal equivalent friend marry meet neighbour neighbor next
    partner rival sibling similar sister spouse synonym together twin
"""),
    )
)


def is_mutual(relation: RelationSchema) -> bool:
    """Return whether what a relation says holds both ways round: "borders", "married to".

    What is done "with" another does, if it is said so alone: who trained with somebody was taught by them.
    """
    said = [words(text) for text in relation.plain_sentences]
    with_another = bool(said) and all("with" in sentence for sentence in said)
    return with_another or any(root(word) in _MUTUAL for sentence in said for word in sentence)
