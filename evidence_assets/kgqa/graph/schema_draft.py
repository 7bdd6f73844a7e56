"""A first schema of a graph that has none of its own, as a text to be reworded by whoever knows the graph.

Names say little: `outcome` does not tell that cases are decided, nor `on_tap` that pubs pour beers. Sentences
that a person adds say what the names leave out, and questions are understood by them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import simplemma

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.naming import SUCH_AS
from evidence_assets.kgqa.graph.relation_facts import RelationFacts, relation_facts
from evidence_assets.kgqa.graph.schema import THING, derived_schema
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import PREPOSITIONS
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import lemma
from evidence_assets.text.visible import visible
from evidence_assets.text.words import word_set

_AUXILIARIES = word_set("is are was were has have had")
_TIMES = word_set("year date")
# A unit by name that is said of no number: `seat_count`.
_COUNT = "count"
_PLAIN_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
# What YAML reads as something else than a text.
_NO_TEXT = word_set("true false yes no on off null y n")


def schema_draft(graph: Graph, kinds: Sequence[str | None], written: Mapping[str, str]) -> str:
    """Return the YAML of a schema, as `load_schema` reads it: every relation with one of its triples.

    An end is of the type that all its nodes have, else `thing`. A kind that is called by its members has a
    number, and they stand beside it.

    Args:
        kinds: Of each node; None for none.
        written: The sentences that relations have already.
    """
    called = [kind for kind in dict.fromkeys(kinds) if kind is not None and kind.startswith(SUCH_AS)]
    numbered = {kind: f"kind_{number}" for number, kind in enumerate(called, start=1)}
    members = {name: kind for kind, name in numbered.items()}
    kinds = [numbered.get(kind, kind) if kind is not None else None for kind in kinds]
    schema = derived_schema(graph, kinds, written)
    facts = relation_facts(graph, schema)
    types = [
        f"  {_key(type_)}: {_list(nouns)}{_told_beside(members.get(type_, ''))}"
        for type_, nouns in schema.types.items()
        if type_ != THING
    ]
    lines = ["types:", *types] if types else ["types: {}"]
    lines.append("relations:")
    for number, name in enumerate(graph.relation_names):
        places = np.flatnonzero(graph.relations == number)
        sentences = [written[name]] if name in written else _sentences(facts[name])
        lines += [
            f"  {_key(name)}:{_example(graph, places)}",
            f"    head: {_end(graph.heads[places], kinds)}",
            f"    tail: {_end(graph.tails[places], kinds)}",
            f"    sentences: {_list(sentences)}",
        ]
    return "\n".join([*lines, ""])


def _example(graph: Graph, places: np.ndarray) -> str:
    """Return how many triples a relation has, and the first of them, as a comment."""
    if not len(places):
        return ""
    head, tail = (str(graph.labels[int(ends[places[0]])]) for ends in (graph.heads, graph.tails))
    return f"  # {len(places):,}, such as {_in_a_line(head)} - {_in_a_line(tail)}"


def _told_beside(kind: str) -> str:
    """Return the members by which a kind is called, as a comment that asks for its noun; "" of any other."""
    return f"  # {_in_a_line(kind)}: name it as people call these" if kind else ""


def _in_a_line(text: str) -> str:
    """Return a text for a comment, which a line break would end; YAML holds no control characters."""
    return visible(" ".join(text.split()))


def _end(nodes: np.ndarray, kinds: Sequence[str | None]) -> str:
    of_nodes = sorted({kinds[node] or "" for node in nodes.tolist()})
    if len(of_nodes) == 1 and of_nodes[0]:
        return _key(of_nodes[0])
    several = ", ".join(filter(None, of_nodes))
    return f"{THING}  # {_in_a_line(several)}" if several else THING


def _sentences(facts: RelationFacts) -> Iterator[str]:
    """Yield how a relation's name reads as a sentence."""
    wording = facts.wording
    *before, last = wording.split() or [""]
    first = before[0] if before else last
    event = [word for word in wording.split() if word not in _TIMES]
    if facts.years and event and is_past(event[-1]):
        yield f"{{head}} was {' '.join(event)} in {{tail}}"
    elif first in _AUXILIARIES or not wording or (_is_third_person(first) and not facts.literal):
        yield f"{{head}} {wording} {{tail}}"
    elif last in function_words() and not is_past(last):
        yield from _before_preposition(before, last, facts)
    elif is_past(last):
        yield f"{{head}} {wording} {{tail}}"
    elif before and first in PREPOSITIONS:
        yield f"{{head}} is {first} the {' '.join([*before[1:], last])} {{tail}}"
    elif facts.unit == _COUNT:
        yield f"the {wording} {_COUNT} of {{head}} is {{tail}}"
    else:
        unit = f" {facts.unit}" if facts.unit and not facts.years else ""
        yield f"the {wording} of {{head}} is {{tail}}{unit}"
        if not facts.literal:
            yield f"{{tail}} is the {wording} of {{head}}"


def _before_preposition(before: Sequence[str], preposition: str, facts: RelationFacts) -> Iterator[str]:
    """Yield the sentence of a name that ends with a preposition: `brewed_by`, `member_of`, `libretto_by`."""
    wording = " ".join([*before, preposition])
    if before and is_past(before[-1]):
        yield f"{{head}} {'was' if preposition == 'by' or facts.years else 'is'} {wording} {{tail}}"
    elif before and preposition == "of":
        yield f"{{head}} is a {wording} {{tail}}"
    elif before and preposition == "by":
        yield f"the {' '.join(before)} of {{head}} is by {{tail}}"
    else:
        yield f"{{head}} is {wording} {{tail}}"


def _is_third_person(word: str) -> bool:
    """Return whether a word is a verb as of somebody: treats, calls."""
    verb = lemma(word)
    gerunds = (f"{verb}ing", f"{verb.removesuffix('e')}ing", f"{verb.removesuffix('ie')}ying")
    is_verb = any(simplemma.is_known(gerund, lang="en") for gerund in gerunds)
    return word.endswith("s") and not word.endswith("ss") and verb != word and is_verb


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"


def _key(name: str) -> str:
    """Return a name as YAML reads it as a text."""
    is_plain = _PLAIN_KEY.fullmatch(name) and name.lower() not in _NO_TEXT
    return name if is_plain else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
