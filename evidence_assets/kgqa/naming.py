"""How relations and types are worded: their names as words, who does what, nouns that labels share."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.node_types import NodeTypes
from evidence_assets.kgqa.schema import THING
from evidence_assets.text.words import words

# A word that so large a share of a type's labels end with is a noun for it: "... Library"; labels looked at.
_SHARED, _LOOKED_AT = 0.6, 200


def shared_nouns(graph: Graph, types: NodeTypes) -> dict[str, str]:
    """Return the last word that most labels of a type share, by type."""
    nouns = {}
    for type_ in types.names:
        members = types.members(type_) if type_ != THING else np.empty(0, np.int32)
        lasts = Counter(
            label_words[-1]
            for label in graph.labels.take(members[:_LOOKED_AT]).to_pylist()
            if len(label_words := words(label)) > 1
        )
        word, count = lasts.most_common(1)[0] if lasts else ("", 0)
        if count > 2 and count >= _SHARED * min(len(members), _LOOKED_AT) and word.isalpha():
            nouns[type_] = word
    return nouns


def agent_first(sentence: str) -> bool:
    """Return whether a sentence's head is who does something: not where " by " comes before the tail."""
    head, tail = sentence.find("{head}"), sentence.find("{tail}")
    between = sentence[min(head, tail) : max(head, tail)]
    passive = bool(re.search(r"\bby\s+(?:the\s+)?$", between))
    return (head < tail) != passive


def spelt(name: str) -> str:
    """Return a name of code or of columns as words, in small letters."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return " ".join(re.sub(r"[_\-/.:]+", " ", spaced).lower().split())
