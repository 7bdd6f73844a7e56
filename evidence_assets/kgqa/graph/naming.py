"""How relations and types are worded: who does what, nouns of types, nouns that labels share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.words.dates import date_of_label
from evidence_assets.text.function_words import function_words
from evidence_assets.text.verbalisation import spelt
from evidence_assets.text.words import words

# A word that at least this share of a type's labels end with is its noun: "... Library"; labels looked at.
_SHARED, _LOOKED_AT = 0.6, 200
# A number with one word behind it.
_AMOUNT = re.compile(r"[+-]?\d[\d.,]*\s*[^\W\d_]+$")
# What the name of a type begins with that is called by its members.
SUCH_AS = "such as "


def shared_nouns(graph: Graph, types: NodeTypes) -> dict[str, str]:
    """Return the last word that most labels of a type share, by type."""
    nouns = {
        type_: shared_noun(graph.labels.take(types.members(type_)[:_LOOKED_AT]).to_pylist())
        for type_ in types.names
        if type_ != THING
    }
    return {type_: noun for type_, noun in nouns.items() if noun}


def types_of_days(graph: Graph, types: NodeTypes) -> list[str]:
    """Return the types of which all members are days of a year: "2022-09-19"."""
    members = {type_: types.members(type_)[:_LOOKED_AT] for type_ in types.names if type_ != THING}
    return [
        type_
        for type_, nodes in members.items()
        if len(nodes) and all(map(_is_day, graph.labels.take(nodes).to_pylist()))
    ]


def _is_day(label: str) -> bool:
    date = date_of_label(label)
    return date is not None and date.day > 0


def shared_noun(labels: Sequence[str]) -> str:
    """Return the last word that most labels share, "" for none; a unit behind a number is no noun."""
    lasts = Counter(
        label_words[-1]
        for label in labels
        if len(label_words := words(label)) > 1 and not _AMOUNT.match(label)
    )
    word, count = lasts.most_common(1)[0] if lasts else ("", 0)
    is_shared = count > 2 and count >= _SHARED * len(labels)
    return word if is_shared and word.isalpha() and word not in function_words() else ""


def agent_first(sentence: str) -> bool:
    """Return whether a sentence's head is who does something: not where " by " comes before the tail."""
    head, tail = sentence.find("{head}"), sentence.find("{tail}")
    middle = sentence[min(head, tail) : max(head, tail)]
    passive = bool(re.search(r"\bby\s+(?:the\s+)?$", middle))
    return (head < tail) != passive


def words_and_ends(sentence: str) -> tuple[list[str], int, int]:
    """Return the words of a relation's sentence, with one for each end, and the places of head and tail."""
    parts = words(sentence.replace("{head}", " headslot ").replace("{tail}", " tailslot "))
    return parts, parts.index("headslot"), parts.index("tailslot")


def noun_of(type_: str) -> str:
    """Return a type's noun in a text; "thing" for one that is called by its members."""
    return THING if type_.startswith(SUCH_AS) else spelt(type_)
