"""The public biomedical sources as one graph: what it holds, and how long a question takes on it."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.graphs.choices import HUB_PENALTY
from evidence_assets.graphs.concepts.merging import Merger
from evidence_assets.graphs.concepts.nodes import concept_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import build_graph
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.neighbourhoods import UNREACHED, distances, neighbourhood
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.graphs.walking.walks import guided_weights, prior, walk
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.systems.ugat_medqa.arms import NEIGHBOURHOODS
from evidence_assets.systems.ugat_medqa.reasoning_paths import Relevant, best_paths
from evidence_assets.text.verbalisation import BIOMEDICAL, templates

pytestmark = [pytest.mark.integration, pytest.mark.real_data, pytest.mark.xdist_group("real_graph")]

# What a question may take on an idle core, and how much slower a busy machine may be.
PATH_SECONDS, WALK_SECONDS, PATIENCE = 0.020, 0.005, 3
QUESTIONS, OPTIONS, KEPT, BATCH = 50, 4, 50, 64
DDB, ONTOLOGY, INDICATIONS = "disease-database", "disease-ontology", "indications"


@dataclass(frozen=True)
class Merged:
    statements: int
    merger: Merger
    rejected: int
    triples: pa.Table
    graph: EmbeddedGraph


@pytest.fixture(scope="module")
def merged(real_data: Path) -> Merged:
    folder = real_data / "kg"
    collector = TripleCollector("biomedical", templates(BIOMEDICAL))
    for name, place, form, fields in (
        (DDB, "ddb", "disease_database", {}),
        (ONTOLOGY, "disease_ontology/HumanDO.obo", "obo", {"kind": "disease"}),
        (INDICATIONS, "indications/indications.tsv", "drug_indications", {}),
    ):
        collector.add(reader(form)(str(folder / place), fields), name, f"licence of {name}")
    statements, merger = collector.statements, collector.merge()
    assert collector.statements == statements, "every end of a triple is described"
    triples = pa.concat_tables([rows for _, rows in collector.tables()])
    nodes = node_rows("biomedical", triples, concept_rows("biomedical", merger.concepts))
    graph = build_graph("biomedical", triples, nodes)
    neighbours = adjacency(graph)
    # As wide as the encoder's; what they say makes no difference to the time.
    vectors = np.random.default_rng(0).normal(size=(len(graph.labels), 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    embedded = EmbeddedGraph(graph, neighbours, vectors, prior(neighbours))
    return Merged(statements, merger, len(collector.rejected), triples, embedded)


@pytest.fixture(scope="module")
def seed_concepts(merged: Merged) -> list[list[int]]:
    """Three concepts a question, from those with two neighbours to the hubs, as questions name both."""
    degrees = merged.graph.adjacency.degrees
    order = np.argsort(degrees, kind="stable")
    linked = order[degrees[order] > 1]
    places = np.linspace(0, len(linked) - 1, 3 * QUESTIONS).astype(np.int64)
    concepts: list[list[int]] = np.sort(linked[places].reshape(3, QUESTIONS).T, axis=1).tolist()
    return concepts


def identifier_of(stanza: str) -> str:
    match = re.search(r"\nid: (\S+)", stanza)
    assert match is not None
    return match[1]


def test_concepts_are_those_of_the_files(merged: Merged, real_data: Path) -> None:
    names = json.loads((real_data / "kg" / "ddb" / "ddb_names.json").read_text(encoding="utf-8"))
    ontology = (real_data / "kg" / "disease_ontology" / "HumanDO.obo").read_text(encoding="utf-8")
    live = [
        stanza
        for stanza in ontology.split("\n[")
        if stanza.startswith("Term]") and "\nis_obsolete: true" not in stanza
    ]
    table = (real_data / "kg" / "indications" / "indications.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in table.strip().split("\n")[1:]]
    described = {
        DDB: {f"DDB:{item}" for item, _ in names.values()},
        ONTOLOGY: {identifier_of(stanza) for stanza in live},
        INDICATIONS: {row[0] for row in rows} | {f"DRUGBANK:{row[1]}" for row in rows},
    }
    assert (len(described[DDB]), len(described[ONTOLOGY])) == (9958, 6574)
    counts: dict[str, Counter[str]] = {name: Counter() for name in described}
    for concept in merged.merger.concepts:
        for source, record in concept.records:
            counts[source][record.key] += 1
    assert counts == {name: Counter(dict.fromkeys(keys, 1)) for name, keys in described.items()}
    records = sum(map(len, described.values()))
    assert len(merged.merger.concepts) == records - sum(merged.merger.joined.values())
    labels = [concept.label for concept in merged.merger.concepts]
    assert len(set(labels)) == len(labels)
    assert merged.rejected == 0


def test_nodes_are_between_what_one_source_and_all_describe(merged: Merged) -> None:
    assert 13_000 < len(merged.graph.graph.labels) < 15_000
    ends = {end for name in ("head", "tail") for end in merged.triples.column(name).to_pylist()}
    assert merged.graph.graph.labels.to_pylist() == sorted(ends)
    assert ends <= {concept.label for concept in merged.merger.concepts}


def test_every_statement_is_a_triples_source(merged: Merged, real_data: Path) -> None:
    relations = json.loads((real_data / "kg" / "ddb" / "ddb_relas.json").read_text(encoding="utf-8"))
    ontology = (real_data / "kg" / "disease_ontology" / "HumanDO.obo").read_text(encoding="utf-8")
    table = (real_data / "kg" / "indications" / "indications.tsv").read_text(encoding="utf-8")
    sources = merged.triples.column("sources").to_pylist()
    assert min(map(len, sources)) >= 1
    assert Counter(statement["source"] for stated in sources for statement in stated) == {
        DDB: len(relations),
        ONTOLOGY: ontology.count("\nis_a: "),
        INDICATIONS: table.strip().count("\n"),
    }
    assert merged.statements == sum(map(len, sources)) > merged.triples.num_rows
    assert all(
        statement["record"] and statement["licence"] == f"licence of {statement['source']}"
        for statements in sources
        for statement in statements
    )
    several = [
        statements for statements in sources if len({statement["source"] for statement in statements}) > 1
    ]
    assert len(several) > 300, "what two sources state is one triple"
    triples = list(
        zip(*(merged.triples.column(name).to_pylist() for name in ("head", "relation", "tail")), strict=True)
    )
    assert len(set(triples)) == len(triples)
    stated = dict(zip(triples, sources, strict=True))
    assert {statement["source"] for statement in stated["Lepirudin", "may_treat", "Thromboembolism"]} == {DDB}


def test_distances_and_paths_are_networkxs(merged: Merged, seed_concepts: list[list[int]]) -> None:
    graph = merged.graph
    oracle: nx.Graph[int] = nx.Graph()
    oracle.add_nodes_from(range(graph.adjacency.size))
    ends = zip(graph.graph.heads.tolist(), graph.graph.tails.tolist(), strict=True)
    oracle.add_edges_from(pair for pair in ends if pair[0] != pair[1])
    assert graph.adjacency.degrees.tolist() == [degree for _, degree in oracle.degree]
    expected = np.array(list(nx.pagerank(oracle, 0.85, max_iter=1000, tol=1e-12).values()))
    np.testing.assert_allclose(graph.prior, expected, rtol=0, atol=1e-8)
    for concepts in seed_concepts[::10]:
        far = nx.multi_source_dijkstra_path_length(oracle, set(concepts), cutoff=3)
        assert distances(graph.adjacency, concepts, 3).tolist() == [
            far.get(node, UNREACHED) for node in range(graph.adjacency.size)
        ]
    halves = [0.5 * np.log(max(degree, 1)) for _, degree in oracle.degree]
    for head, tail in oracle.edges:
        oracle.edges[head, tail]["cost"] = halves[head] + halves[tail] + 0.05
    # So many steps that the limit does not bind: Dijkstra's paths are not limited.
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, HUB_PENALTY), 30)
    for target in (seed_concepts[0][0], seed_concepts[25][1]):
        cheapest = nx.single_source_dijkstra_path_length(oracle, target, weight="cost")
        costs = finder.costs_to(target)
        assert np.flatnonzero(np.isfinite(costs)).tolist() == sorted(cheapest)
        np.testing.assert_allclose(costs[sorted(cheapest)], [cheapest[node] for node in sorted(cheapest)])


def test_a_neighbourhood_and_its_paths_take_milliseconds(
    merged: Merged, seed_concepts: list[list[int]]
) -> None:
    graph, around = merged.graph, NEIGHBOURHOODS["hops3"]
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, HUB_PENALTY), around.hops + 1)
    finder.path(0, 1)  # compiled before the clock runs
    spent, sizes, path_count = 0.0, [], 0
    for place, concepts in enumerate(seed_concepts):
        options = [
            seed_concepts[(place + 7 * shift) % QUESTIONS][shift % 3] for shift in range(1, OPTIONS + 1)
        ]
        started = time.perf_counter()
        near = neighbourhood(graph.adjacency, concepts, around.hops, around.max_nodes)
        relevant = Relevant(near.nodes[:KEPT], np.linspace(1, 0, KEPT), np.zeros(KEPT, dtype=np.bool_))
        for option in options:
            path_count += len(best_paths([option], relevant, finder))
        spent += time.perf_counter() - started
        sizes.append(len(near.nodes))
        assert near.reached > KEPT
    assert max(sizes) == around.max_nodes, "the cap is met too"
    assert path_count > QUESTIONS * OPTIONS
    assert spent / QUESTIONS < PATIENCE * PATH_SECONDS


def test_a_guided_walk_takes_milliseconds(merged: Merged, seed_concepts: list[list[int]]) -> None:
    graph = merged.graph
    question_vectors = np.random.default_rng(1).normal(size=(BATCH, 384)).astype(np.float32)
    question_vectors /= np.linalg.norm(question_vectors, axis=1, keepdims=True)
    seeds = np.zeros((graph.adjacency.size, BATCH))
    for column in range(BATCH):
        seeds[seed_concepts[column % QUESTIONS], column] = 1 / 3
    walk(graph.adjacency, seeds[:, :1])  # the matrix is made before the clock runs
    started = time.perf_counter()
    mass = walk(graph.adjacency, seeds, guided_weights(graph.cosines(question_vectors)))
    spent = time.perf_counter() - started
    np.testing.assert_allclose(mass.sum(axis=0), 1, rtol=0, atol=1e-9)
    assert spent / BATCH < PATIENCE * WALK_SECONDS
