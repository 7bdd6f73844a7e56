"""Small typed graphs and queries, and their answers by trying out every assignment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.kgqa.graph.node_types import NodeTypes, types_of
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term, Triplet, Variable

Row = tuple[str, str, str]
FILM_ROWS: list[Row] = [
    ("Blade Runner", "directed_by", "Ridley Scott"),
    ("Alien", "directed_by", "Ridley Scott"),
    ("Heat", "directed_by", "Michael Mann"),
    ("Blade Runner", "starred_actors", "Harrison Ford"),
    ("Alien", "starred_actors", "Sigourney Weaver"),
    ("Heat", "starred_actors", "Al Pacino"),
    ("Argo", "directed_by", "Ben Affleck"),
    ("Argo", "starred_actors", "Ben Affleck"),
    ("Alien", "has_genre", "Horror"),
    ("Heat", "has_genre", "Crime"),
]
FILM_SCHEMA = """
types: {movie: [film, movie], person: [who, person], genre: [genre, kind]}
relations:
  directed_by: {head: movie, tail: person, sentences: ["{head} was directed by {tail}"]}
  starred_actors: {head: movie, tail: person, sentences: ["{tail} acts in {head}"]}
  has_genre: {head: movie, tail: genre, sentences: ["{head} is of the genre {tail}"]}
"""


def typed_graph(rows: Sequence[Row], labels: Sequence[str] | None = None) -> Graph:
    """The graph of triples that all weigh the same; `labels` number the nodes, else they ascend."""
    heads, relations, tails = zip(*rows, strict=True) if rows else ((), (), ())
    node_labels = sorted({*heads, *tails}) if labels is None else labels
    triples = pa.table(
        {
            "triple_id": pa.array([f"t{number}" for number in range(len(rows))], pa.string()),
            "head": pa.array(heads, pa.string()),
            "relation": pa.array(relations, pa.string()),
            "tail": pa.array(tails, pa.string()),
            "weight": pa.array([None] * len(rows), pa.float64()),
        }
    )
    return build_graph("kb", triples, pa.table({"label": pa.array(node_labels, pa.string())}))


@dataclass(frozen=True)
class Sample:
    """A graph whose nodes are their own labels, and the types of each."""

    graph: Graph
    types: NodeTypes
    own_types: tuple[frozenset[str], ...]

    @property
    def triples(self) -> list[tuple[int, str, int]]:
        names = self.graph.relation_names
        columns = (self.graph.heads, self.graph.relations, self.graph.tails)
        return [(int(head), names[number], int(tail)) for head, number, tail in zip(*columns, strict=True)]


TYPES = ("x", "y")
RELATIONS = ("r", "s", "t")


def sample_of(
    size: int, triples: Sequence[tuple[int, str, int]], node_types: Sequence[frozenset[str]]
) -> Sample:
    rows = [(str(head), relation, str(tail)) for head, relation, tail in triples]
    masks = np.array([[type_ in types for types in node_types] for type_ in TYPES], dtype=np.bool_)
    graph = typed_graph(rows, [str(node) for node in range(size)])
    return Sample(graph, types_of(TYPES, masks.reshape(len(TYPES), size)), tuple(node_types))


@st.composite
def samples(draw: st.DrawFn, most: int = 7) -> Sample:
    size = draw(st.integers(1, most))
    node = st.integers(0, size - 1)
    triples = draw(st.lists(st.tuples(node, st.sampled_from(RELATIONS), node), max_size=4 * size))
    types = st.lists(st.frozensets(st.sampled_from(TYPES)), min_size=size, max_size=size)
    return sample_of(size, triples, draw(types))


@st.composite
def conjunctive_queries(draw: st.DrawFn, sample: Sample, most: int = 5) -> ConjunctiveQuery:
    """A query of up to four variables and two names, whose conditions may form any cycle."""
    node = st.integers(0, len(sample.own_types) - 1)
    names = [
        Constant(f"name {place}", tuple(draw(st.lists(node, max_size=3, unique=True)))) for place in range(2)
    ]
    variables = [Variable(name, draw(st.sampled_from(["", "", *TYPES]))) for name in "abcd"]
    term: st.SearchStrategy[Term] = st.sampled_from([*variables, *variables, *names])
    relation = st.sampled_from(["", *(sample.graph.relation_names or ("",))])
    triplet = st.builds(Triplet, term, relation, term)
    return ConjunctiveQuery(tuple(draw(st.lists(triplet, min_size=1, max_size=most))), "a")


def usable(query: ConjunctiveQuery) -> list[Triplet]:
    def matches(term: Term) -> bool:
        return isinstance(term, Variable) or bool(term.nodes)

    return [
        triplet
        for triplet in query.triplets
        if triplet.variables and matches(triplet.head) and matches(triplet.tail)
    ]


def assignments(sample: Sample, query: ConjunctiveQuery, strict: bool) -> Iterator[dict[Term | str, int]]:
    """Every way to put nodes at the terms such that all conditions hold."""
    triplets = usable(query)
    terms = dict.fromkeys(term for triplet in triplets for term in (triplet.head, triplet.tail))
    keys = list(dict.fromkeys(term.name if isinstance(term, Variable) else term for term in terms))
    ranges = [range(len(sample.own_types)) if isinstance(key, str) else key.nodes for key in keys]
    triples = sample.triples
    stated = {(head, relation, tail) for head, relation, tail in triples}
    stated |= {(head, "", tail) for head, _, tail in triples}
    joined = {(head, tail) for head, _, tail in triples} | {(tail, head) for head, _, tail in triples}
    for nodes in product(*ranges):
        at: dict[Term | str, int] = dict(zip(keys, nodes, strict=True))
        places = {term: at[term.name if isinstance(term, Variable) else term] for term in terms}
        typed = all(
            not variable.type or variable.type in sample.own_types[at[variable.name]]
            for variable in terms
            if isinstance(variable, Variable)
        )
        if typed and all(
            (places[triplet.head], triplet.relation, places[triplet.tail]) in stated
            if strict
            else (places[triplet.head], places[triplet.tail]) in joined
            for triplet in triplets
        ):
            yield at
