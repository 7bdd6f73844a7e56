"""Paths verbalised: one passage a path, every triple in its true direction."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.graphs.concepts.conflicts import NEGATIVE_RELATIONS
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.walking.adjacency import edges_between
from evidence_assets.lake.ids import content_id
from evidence_assets.text.verbalisation import verbalise

# Triples verbalised of those between two nodes: enough for sources that differ, and no more.
TRIPLES_PER_STEP = 3
# Appended to a triple that another triple of the graph contradicts.
CONTRADICTED = "(contradicted by another statement)"
_AFTER_AN_END = re.compile(r"(?<=[.?!]) (?=\S)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A path's sentences, in its order, with the triples they verbalise.

    `backwards`: of each triple, whether the path follows it from its tail to its head; its sentence still
    reads from head to tail. `denies`: one of them negates a statement, or speaks against a treatment.
    `conflicts`: the number of triples that another triple contradicts.
    """

    text: str
    triple_ids: tuple[str, ...]
    backwards: tuple[bool, ...]
    denies: bool
    conflicts: int

    @property
    def path_id(self) -> str:
        """Return the hash of the triples, in order and direction."""
        return content_id("path", *self.triple_ids, *map(str, self.backwards))


def path_passage(
    graph: Graph, nodes: Sequence[int], templates: Mapping[str, str], contradicted: Collection[str]
) -> Passage:
    """Return the passage of a path (thesis 6.4.5): a sentence a triple, by its relation's template.

    The sentence of a contradicted triple is marked.

    `nodes`: at least two, each a neighbour of the next. `contradicted`: ids of the graph's triples that
    others contradict.
    """
    sentences, ids, backwards, denies = [], [], [], False
    for start, end in pairwise(nodes):
        for edge in edges_between(graph, start, end)[:TRIPLES_PER_STEP]:
            head, relation, tail = graph.triple(edge)
            triple_id = str(graph.triple_ids[edge].as_py())
            sentence = verbalise(templates[relation], head, tail)
            sentences.append(
                as_sentence(f"{sentence} {CONTRADICTED}" if triple_id in contradicted else sentence)
            )
            ids.append(triple_id)
            backwards.append(bool(graph.heads[edge] == end))
            denies |= relation in NEGATIVE_RELATIONS
    conflicts = sum(triple_id in contradicted for triple_id in ids)
    return Passage(" ".join(sentences), tuple(ids), tuple(backwards), denies, conflicts)


def as_sentence(text: str) -> str:
    """Return a text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def in_one_sentence(text: str, triples: int) -> str:
    """Return a passage of a number of triples as one sentence without its full stop, joined by semicolons.

    Every other character stays. Where a name ends like a sentence ("E. Coli"), so that it is unclear which
    full stops end a sentence, all stay.
    """
    ends = [
        match.start()
        for match in _AFTER_AN_END.finditer(text)
        if text[match.end()] == text[match.end()].upper()
    ]
    if len(ends) != triples - 1:
        return text.removesuffix(".")
    parts = [text[start:end].strip() for start, end in pairwise([0, *ends, len(text)])]
    return "; ".join(part.removesuffix(".") for part in parts)
