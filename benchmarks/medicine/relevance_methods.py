"""Ways to score the nodes of a biomedical graph for a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from benchmarks.medicine.medical_cases import Cases, Scores
from evidence_assets.graphs.walking.neighbourhoods import UNREACHED, distances
from evidence_assets.graphs.walking.walk_seeds import walk_seeds
from evidence_assets.graphs.walking.walks import RESTART, STEPS, TEMPERATURE, guided_weights, lift, walk
from evidence_assets.models.encoder import FloatArray
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import BIOMEDICAL, templates, verbalise

_BLOCK = 64
_SMOOTHING = 0.1
# Neighbours that are named beside a node, the best connected first.
_NEIGHBOURS_NAMED = 20

Method = Callable[[Cases, Sequence[int], Scores], Scores]


def by_cosine(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    return cosines


def by_smoothing(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """Cosines spread over the graph, APPNP with restarts of .1."""
    graph = cases.opened.embedded.adjacency
    degrees = np.maximum(graph.degrees, 1)[:, None]
    scores = cosines
    for _ in range(10):
        scores = _SMOOTHING * cosines + (1 - _SMOOTHING) * (graph.matrix @ scores) / degrees
    return scores


def by_hops(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """How near a node is to the question's concepts, in steps: the thesis's shortest path."""
    scores = np.full_like(cosines, -99.0)
    for column, place in enumerate(block):
        nodes = cases.linked[place].nodes(NO_OPTION)
        if nodes:
            steps = distances(cases.opened.embedded.adjacency, nodes, 8)
            scores[:, column] = np.where(steps == UNREACHED, -99.0, -steps.astype(np.float64))
    return scores


def by_neighbours(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """The cosine of the question to a node's label followed by those of its neighbours."""
    return (_neighbour_vectors(cases) @ cases.vectors[list(block)].T).astype(np.float64)


@lru_cache(maxsize=1)
def _neighbour_vectors(cases: Cases) -> FloatArray:
    graph = cases.opened.embedded.adjacency
    labels = cases.opened.embedded.graph.labels.to_pylist()
    texts = []
    for node, label in enumerate(labels):
        near = graph.of(node)
        named = near[np.argsort(-graph.degrees[near], kind="stable")][:_NEIGHBOURS_NAMED]
        texts.append(f"{label}: {', '.join(labels[neighbour] for neighbour in named)}")
    return cases.encoder.encode(texts)


def by_triples(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """The cosine of the question to a node's best triple, read out."""
    graph = cases.opened.embedded.graph
    to_triples = _triple_vectors(cases) @ cases.vectors[list(block)].T
    scores = np.full_like(cosines, -1.0)
    for ends in (graph.heads, graph.tails):
        np.maximum.at(scores, ends, to_triples)
    return scores


@lru_cache(maxsize=1)
def _triple_vectors(cases: Cases) -> FloatArray:
    graph = cases.opened.embedded.graph
    return cases.encoder.encode([_sentence(graph.triple(edge)) for edge in range(len(graph.heads))])


def _sentence(triple: tuple[str, str, str]) -> str:
    head, relation, tail = triple
    return verbalise(templates(BIOMEDICAL)[relation], head, tail)


def by_pagerank(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    return walk(cases.opened.embedded.adjacency, cases.seeds(block, cosines))


def by_guided_walk(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    return walk(cases.opened.embedded.adjacency, cases.seeds(block, cosines), guided_weights(cosines))


def by_rare_seeds(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """The guided walk, its concepts weighed by how rarely an unguided walk comes there: long vignettes."""
    prior = cases.opened.embedded.prior
    seeds = cases.seeds(block, cosines)
    for column, place in enumerate(block):
        nodes = cases.linked[place].nodes(NO_OPTION)
        if nodes:
            total = seeds[nodes, column].sum()
            weights = prior[nodes] ** -0.5
            seeds[nodes, column] = total * weights / weights.sum()
    return walk(cases.opened.embedded.adjacency, seeds, guided_weights(cosines))


def by_each_concept(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """A guided walk from every concept by itself, lifts averaged: an option must be near all of them."""
    scores = np.empty_like(cosines)
    embedded = cases.opened.embedded
    for column, place in enumerate(block):
        nodes = cases.linked[place].nodes(NO_OPTION)
        concept_seeds = [walk_seeds([node], cosines[:, column]) for node in nodes] or [
            walk_seeds([], cosines[:, column])
        ]
        seeds = np.zeros((len(cosines), len(concept_seeds)))
        for walker, starts in enumerate(concept_seeds):
            for seed in starts:
                seeds[seed.node, walker] = seed.weight
        weights = np.repeat(guided_weights(cosines[:, [column]]), len(concept_seeds), axis=1)
        mass = walk(embedded.adjacency, seeds, weights)
        scores[:, column] = np.maximum(lift(mass, embedded.prior), -20.0).mean(axis=1)
    return scores


def by_relations(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """A guided walk that weighs a step by its relation too: exp of the relation's cosine to the question."""
    from scipy.sparse import coo_array

    graph, n = cases.opened.embedded.graph, len(cosines)
    phrases = [_sentence(("", name, "")).strip(" :,") for name in graph.relation_names]
    to_relations = cases.encoder.encode(phrases) @ cases.vectors[list(block)].T
    apart = graph.heads != graph.tails
    heads, tails, relations = graph.heads[apart], graph.tails[apart], graph.relations[apart]
    seeds, weights = cases.seeds(block, cosines), guided_weights(cosines)
    scores = np.empty_like(cosines)
    for column in range(len(block)):
        of_edge = np.exp(to_relations[relations, column].astype(np.float64) / TEMPERATURE)
        rows, columns = np.concatenate([heads, tails]), np.concatenate([tails, heads])
        matrix = coo_array((np.tile(of_edge, 2), (rows, columns)), shape=(n, n)).tocsr()
        ways, starts = weights[:, column], seeds[:, column]
        out = matrix @ ways
        inverse = np.divide(1.0, out, out=np.zeros(n), where=out > 0)
        mass = starts
        for _ in range(STEPS):
            mass = RESTART * starts + (1 - RESTART) * ways * (matrix @ (mass * inverse))
        scores[:, column] = mass
    return scores


def lifted(method: Method) -> Method:
    """Return a method's mass over that of the unguided walk."""
    return lambda cases, block, cosines: lift(method(cases, block, cosines), cases.opened.embedded.prior)


METHODS: dict[str, tuple[Method, Method]] = {
    # For options, for evidence nodes: options are compared by lift, nodes kept by mass.
    "cosine": (by_cosine, by_cosine),
    "smoothing": (by_smoothing, by_smoothing),
    "hop distance": (by_hops, by_hops),
    "node and neighbours as text": (by_neighbours, by_neighbours),
    "best triple": (by_triples, by_triples),
    "personalised PageRank": (by_pagerank, by_pagerank),
    "PageRank, lift": (lifted(by_pagerank), by_pagerank),
    "guided walk": (by_guided_walk, by_guided_walk),
    "guided walk, lift": (lifted(by_guided_walk), by_guided_walk),
    "the same, rare concepts first": (lifted(by_rare_seeds), by_rare_seeds),
    "the same, each concept by itself": (by_each_concept, by_each_concept),
    "the same, steps by relation": (lifted(by_relations), by_relations),
}


def blocks(cases: Cases, places: Sequence[int], method: Method) -> Iterator[tuple[Sequence[int], Scores]]:
    """Yield blocks of questions with their (n, b) scores."""
    for start in range(0, len(places), _BLOCK):
        block = places[start : start + _BLOCK]
        cosines = cases.opened.embedded.cosines(cases.vectors[list(block)])
        yield block, method(cases, block, cosines)
