"""Relations that hold both ways round: "borders", "married to"."""

from __future__ import annotations

from evidence_assets.kgqa.graph.schema import RelationSchema
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set, words

# Roots of words for what holds both ways round, however it is written down: "married to", "borders". What is
# done "with" another is, too.
_MUTUAL = frozenset(
    map(
        root,
        word_set("""
    adjacent adjoin border brother colleague cousin equal equivalent friend marry meet neighbour neighbor next
    partner rival sibling similar sister spouse synonym together twin with
"""),
    )
)


def is_mutual(relation: RelationSchema) -> bool:
    """Return whether what a relation says holds both ways round: "borders", "married to"."""
    return any(root(word) in _MUTUAL for text in relation.plain_sentences for word in words(text))
