"""Ways to score the nodes of a biomedical graph for a question, and the questions they are compared on."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.corpus.queries import QUESTION_ALONE
from evidence_assets.graphs.conflicts import conflict_rows
from evidence_assets.graphs.embedded import EmbeddedGraph, embed
from evidence_assets.graphs.evidence import link_questions
from evidence_assets.graphs.graph import build_graph
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.neighbourhoods import UNREACHED, distances
from evidence_assets.graphs.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.graphs.seeding import seeds_of
from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.graphs.verbalisation import BIOMEDICAL, templates, verbalise
from evidence_assets.graphs.walks import RESTART, STEPS, TEMPERATURE, guided_weights, lift, walk
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import FloatArray
from evidence_assets.sources.configuration import load, locate
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.systems.ugat_medqa.reading import says_all

HERE = Path(__file__).parent
_SMOOTHING = 0.1

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """One question: its text, options, the right one's place, the expert's explanation, where it is from."""

    text: str
    options: Sequence[str]
    key: int
    explanation: str
    benchmark: str


def questions(data: Path) -> list[Asked]:
    """Return MedMCQA's development questions and the six medical subjects of MMLU."""
    found = []
    for line in (data / "mcqa" / "medmcqa_dev.json").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        options = [row[name] for name in ("opa", "opb", "opc", "opd")]
        found.append(Asked(row["question"], options, int(row["cop"]) - 1, row.get("exp") or "", "medmcqa"))
    for file in sorted((data / "mcqa" / "mmlu_medical").glob("*.csv")):
        found += [
            Asked(row[0], row[1:5], "ABCD".index(row[5]), "", "mmlu_medical")
            for row in csv.reader(file.open(encoding="utf-8"))
        ]
    return found


class Opened:
    """A graph of the configuration, read, merged, embedded, with what links phrases to it."""

    def __init__(self, name: str, encoder: CachedEncoder) -> None:
        path = HERE / "real_data_sources.yaml"
        source = load(path).graphs[name]
        collector = TripleCollector(name, templates(source.templates))
        for one in source.sources:
            records = reader(one.format)(locate(one.uri, path.parent), one.fields)
            collector.add(records, one.name, one.licence)
        merger = collector.merge()
        triples = pa.concat_tables([rows for _, rows in collector.tables()])
        concepts = concept_rows(name, merger.concepts)
        nodes = node_rows(name, triples, concepts)
        self.name, self.triples = name, triples.num_rows
        conflicts = conflict_rows(name, triples, merger.refused).column("conflict").to_pylist()
        self.report = {
            "graph": name,
            "nodes": nodes.num_rows,
            "triples": triples.num_rows,
            "statements": collector.statements,
            "names": sum(len(concept.names) for concept in merger.concepts),
            "concepts_of_several_sources": sum(
                len({source for source, _ in concept.records}) > 1 for concept in merger.concepts
            ),
            "joined": dict(merger.joined),
            "conflicts": {kind: conflicts.count(kind) for kind in sorted(set(conflicts))},
        }
        self.embedded: EmbeddedGraph = embed(build_graph(name, triples, nodes), encoder)
        self.linker = Linker(
            alias_rows(nodes, concepts),
            nodes.column("degree").to_numpy(),
            source.embedding_threshold,
            source.unlinked,
        )


class Cases:
    """Questions with their concepts in one graph, blocks of them scored by any method."""

    def __init__(self, opened: Opened, asked: Sequence[Asked], encoder: CachedEncoder) -> None:
        self.opened, self.asked, self.encoder = opened, asked, encoder
        table = pa.table(
            {
                "question_id": [str(number) for number in range(len(asked))],
                "question": [one.text for one in asked],
                "options": [list(one.options) for one in asked],
            }
        )
        self.linked = link_questions(table, opened.linker, encoder)
        self.vectors: FloatArray = encoder.encode([one.text for one in asked])

    def whole(self, place: int) -> list[list[int]]:
        """Return the nodes of the concepts that each option of a question names with all its words."""
        question, linked = self.asked[place], self.linked[place]
        return [
            list(
                dict.fromkeys(
                    concept.link.node
                    for concept in linked.concepts[candidate]
                    if says_all(concept.phrase.text, option)
                )
            )
            for candidate, option in enumerate(question.options)
        ]

    def seeds(self, block: Sequence[int], cosines: Scores) -> Scores:
        """Return (n, b) where the walks of a block of questions start."""
        found = np.zeros_like(cosines)
        for column, place in enumerate(block):
            for seed in seeds_of(self.linked[place].nodes(QUESTION_ALONE), cosines[:, column]):
                found[seed.node, column] = seed.weight
        return found


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
        nodes = cases.linked[place].nodes(QUESTION_ALONE)
        if nodes:
            steps = distances(cases.opened.embedded.adjacency, nodes, 8)
            scores[:, column] = np.where(steps == UNREACHED, -99.0, -steps.astype(np.float64))
    return scores


def by_triples(cases: Cases, block: Sequence[int], cosines: Scores) -> Scores:
    """The cosine of the question to a node's best triple, read out."""
    graph = cases.opened.embedded.graph
    sentences = [_sentence(graph.triple(edge)) for edge in range(len(graph.heads))]
    to_triples = cases.encoder.encode(sentences) @ cases.vectors[list(block)].T
    scores = np.full_like(cosines, -1.0)
    for ends in (graph.heads, graph.tails):
        np.maximum.at(scores, ends, to_triples)
    return scores


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
        nodes = cases.linked[place].nodes(QUESTION_ALONE)
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
        nodes = cases.linked[place].nodes(QUESTION_ALONE)
        own = [seeds_of([node], cosines[:, column]) for node in nodes] or [seeds_of([], cosines[:, column])]
        seeds = np.zeros((len(cosines), len(own)))
        for walker, starts in enumerate(own):
            for seed in starts:
                seeds[seed.node, walker] = seed.weight
        weights = np.repeat(guided_weights(cosines[:, [column]]), len(own), axis=1)
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
    "best triple": (by_triples, by_triples),
    "personalised PageRank": (by_pagerank, by_pagerank),
    "PageRank, lift": (lifted(by_pagerank), by_pagerank),
    "guided walk": (by_guided_walk, by_guided_walk),
    "guided walk, lift": (lifted(by_guided_walk), by_guided_walk),
    "the same, rare concepts first": (lifted(by_rare_seeds), by_rare_seeds),
    "the same, each concept by itself": (by_each_concept, by_each_concept),
    "the same, steps by relation": (lifted(by_relations), by_relations),
}
