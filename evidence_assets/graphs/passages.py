"""Paths read out: one passage a path, every triple in its true direction."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.graphs.adjacency import joining
from evidence_assets.graphs.conflicts import DENYING
from evidence_assets.graphs.graph import Graph
from evidence_assets.lake.ids import content_id
from evidence_assets.text.verbalisation import verbalise

# Triples read out of those that join two nodes: sources that differ are heard, a crowd is not.
TRIPLES_PER_STEP = 3
# Said of a triple that another triple of the graph contradicts.
CONTRADICTED = "(contradicted by another statement)"
_AFTER_AN_END = re.compile(r"(?<=[.?!]) (?=\S)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A path's sentences, in its order, with the triples they read out.

    `backwards` tells of each triple whether the path walks it from its tail to its head: its sentence still
    reads from head to tail. `denies`: one of them says what is not so, or speaks against a treatment.
    `conflicts`: how many of them another triple contradicts.
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


def read_out(
    graph: Graph, nodes: Sequence[int], templates: Mapping[str, str], contradicted: Collection[str]
) -> Passage:
    """Return the passage of a path (thesis 6.4.5): a sentence a triple, by its relation's template.

    The sentence of a triple that another contradicts says so.

    Parameters
    ----------
    nodes
        At least two, each a neighbour of the next.
    contradicted
        Ids of the graph's triples that others contradict.
    """
    sentences, ids, backwards, denies = [], [], [], False
    for one, other in pairwise(nodes):
        for edge in joining(graph, one, other)[:TRIPLES_PER_STEP]:
            head, relation, tail = graph.triple(edge)
            triple_id = str(graph.triple_ids[edge].as_py())
            said = verbalise(templates[relation], head, tail)
            sentences.append(as_sentence(f"{said} {CONTRADICTED}" if triple_id in contradicted else said))
            ids.append(triple_id)
            backwards.append(bool(graph.heads[edge] == other))
            denies |= relation in DENYING
    conflicts = sum(triple_id in contradicted for triple_id in ids)
    return Passage(" ".join(sentences), tuple(ids), tuple(backwards), denies, conflicts)


def as_sentence(text: str) -> str:
    """Return a template's words as a sentence: with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def in_one_sentence(text: str, triples: int) -> str:
    """Return a passage of so many triples as one sentence without its end: semicolons part the triples.

    Every other character stays. Where a name ends like a sentence ("E. Coli"), and so it cannot be told which
    full stops end one, all stay.
    """
    ends = [
        found.start()
        for found in _AFTER_AN_END.finditer(text)
        if text[found.end()] == text[found.end()].upper()
    ]
    if len(ends) != triples - 1:
        return text.removesuffix(".")
    parts = [text[start:end].strip() for start, end in pairwise([0, *ends, len(text)])]
    return "; ".join(part.removesuffix(".") for part in parts)
