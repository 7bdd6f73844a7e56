"""What is noted of a question's nodes, and what paths may start from."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import NODE_RELEVANCE, RELEVANCE_DIAGNOSTICS
from evidence_assets.systems.ugat_medqa.arms import KINDS, NONE, ROUTES
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import relevance_diagnostics
from evidence_assets.systems.ugat_medqa.relevance import NodeScores, node_scores
from evidence_assets.systems.ugat_medqa.relevance_rows import (
    MOST_UNFILTERED,
    diagnostic_row,
    node_rows,
    relevance_tables,
    relevant_nodes,
)
from evidence_assets_tests.testing.network_samples import network_of
from evidence_assets_tests.testing.ugat_samples import (
    embedded_network,
    node_row,
    node_table,
    question_concepts,
    subgraphs_of,
    vectors_of,
)

# Node 0 among a hundred and twenty others; 121 and 122 are elsewhere.
GRAPH = embedded_network(network_of(123, [*((0, leaf) for leaf in range(1, 121)), (121, 122)]))
QUESTION = question_concepts("q1", "one?", [0, 77], {0: [121, 77], 2: [100, 121], 1: [121]})
[SUBGRAPH] = subgraphs_of([QUESTION], GRAPH)
SIZE = len(SUBGRAPH.nodes)
TINY = AttentionConfig(heads=1, layers=1, width=4, steps=2)


def noted(relevance: NodeScores, name: str = "guided_walk") -> dict[int, dict[str, Any]]:
    rows = node_rows(QUESTION, SUBGRAPH, relevance, GRAPH, ROUTES[name], "b")
    table = conform(pa.Table.from_pylist(rows, schema=NODE_RELEVANCE.schema), NODE_RELEVANCE)
    assert {row["label"] for row in rows} == {f"n{row['node']:03}" for row in rows}
    assert len({row["node"] for row in rows}) == table.num_rows
    return {row["node"]: row for row in table.to_pylist()}


def scores_of(kept_mask: np.ndarray) -> NodeScores:
    """Node 120 is the most relevant, 0 the least."""
    return NodeScores(np.arange(SIZE) / SIZE, kept_mask, np.arange(SIZE, dtype=np.float64))


def test_seeds_kept_nodes_and_options_concepts_are_noted() -> None:
    kept_mask = np.zeros(SIZE, dtype=np.bool_)
    kept_mask[[5, 6]] = True
    rows = noted(scores_of(kept_mask))
    seeds = {seed.node for seed in SUBGRAPH.seeds}
    assert rows.keys() == {5, 6, 77, 100, 121} | seeds
    assert {node for node, row in rows.items() if row["kept"]} == {5, 6}
    assert {node for node, row in rows.items() if row["is_seed"]} == seeds >= {0, 77}
    assert {node: row["candidates"] for node, row in rows.items() if row["candidates"]} == {
        77: [0],
        100: [2],
        121: [0, 1, 2],
    }
    assert {row["hops"] for node, row in rows.items() if node not in (0, 77, 121)} == {1}
    assert (rows[0]["hops"], rows[77]["hops"]) == (0, 0)


def test_ranks_are_among_all_nodes_of_the_subgraph() -> None:
    rows = noted(scores_of(np.zeros(SIZE, dtype=np.bool_)))
    for node, row in rows.items():
        if node != 121:
            assert row["rank"] == SIZE - node
            assert (row["score"], row["lift"]) == (node / SIZE, float(node))
    alike = noted(NodeScores(np.zeros(SIZE), np.zeros(SIZE, dtype=np.bool_)))
    assert all(row["rank"] == node + 1 for node, row in alike.items() if node != 121)


def test_an_options_concept_outside_the_subgraph_is_noted_as_such() -> None:
    outside = noted(scores_of(np.ones(SIZE, dtype=np.bool_)))[121]
    assert (outside["rank"], outside["hops"], outside["score"], outside["lift"]) == (0, -1, 0.0, None)
    assert (outside["kept"], outside["is_seed"]) == (False, False)


@pytest.mark.parametrize("name", [name for name, route in ROUTES.items() if route.method != NONE])
def test_all_that_is_kept_is_noted(name: str) -> None:
    kept_mask = np.ones(SIZE, dtype=np.bool_)
    kept_mask[[1, 2, 3]] = False
    rows = noted(scores_of(kept_mask), name)
    assert {node for node, row in rows.items() if row["kept"]} == set(range(SIZE)) - {1, 2, 3}
    assert [node for node in (1, 2, 3) if node in rows] == []


@pytest.mark.parametrize("name", ["attention", "convolution"])
def test_paths_of_a_trained_route_start_from_all_that_its_threshold_keeps(name: str) -> None:
    config, vectors = replace(TINY, threshold=-1.0), vectors_of([QUESTION])
    tables = list(relevance_tables([QUESTION], [SUBGRAPH], vectors, GRAPH, ROUTES[name], config, "b"))
    [(nodes, measured)] = tables
    assert measured.column("kept").to_pylist() == [SIZE]
    [scores] = node_scores([SUBGRAPH], vectors, GRAPH, ROUTES[name], config)
    start = relevant_nodes(nodes)["q1"]
    assert dict(zip(start.nodes.tolist(), start.scores.tolist(), strict=True)) == dict(
        zip(SUBGRAPH.nodes.tolist(), scores.scores.tolist(), strict=True)
    )


def test_where_nothing_filters_the_best_fifty_are_noted() -> None:
    rows = noted(scores_of(np.ones(SIZE, dtype=np.bool_)), "unfiltered")
    assert MOST_UNFILTERED == 50
    best = set(range(SIZE - 50, SIZE))
    assert rows.keys() == best | {seed.node for seed in SUBGRAPH.seeds} | {77, 100, 121}
    # Those that are noted for another reason are kept all the same.
    assert all(row["kept"] for node, row in rows.items() if node != 121)


def test_what_the_threshold_dropped_is_not_among_the_best_noted() -> None:
    kept_mask = np.zeros(SIZE, dtype=np.bool_)
    kept_mask[1:41] = True
    rows = noted(scores_of(kept_mask))
    assert {node for node, row in rows.items() if row["kept"]} == set(range(1, 41))


def test_a_node_that_the_walk_does_not_reach_has_no_lift() -> None:
    lifts = np.zeros(SIZE)
    lifts[100] = -np.inf
    rows = noted(NodeScores(np.zeros(SIZE), np.zeros(SIZE, dtype=np.bool_), lifts))
    assert (rows[100]["lift"], rows[77]["lift"]) == (None, 0.0)
    assert noted(NodeScores(np.zeros(SIZE), np.zeros(SIZE, dtype=np.bool_)))[77]["lift"] is None


@pytest.mark.parametrize("name", ["guided_walk", "cosine", "unfiltered", "attention"])
def test_diagnostics_are_of_all_nodes(name: str) -> None:
    [vector] = vectors_of([QUESTION])
    [relevance] = node_scores([SUBGRAPH], vector[None], GRAPH, ROUTES[name], TINY)
    row = diagnostic_row(SUBGRAPH, vector, relevance, GRAPH, ROUTES[name], TINY, "b")
    conform(pa.Table.from_pylist([row], schema=RELEVANCE_DIAGNOSTICS.schema), RELEVANCE_DIAGNOSTICS)
    cosines = GRAPH.vectors[SUBGRAPH.nodes] @ vector
    expected = relevance_diagnostics(relevance.scores, cosines, relevance.kept)
    assert (row["nodes"], row["kept"]) == (121, int(relevance.kept.sum()))
    for measure in ("kept_share", "mean_score", "spread", "cosine_correlation"):
        assert row[measure] == pytest.approx(getattr(expected, measure), abs=1e-6)
    assert (row["question_id"], row["route"]) == ("q1", name)
    if name == "attention":
        assert row["seed_correlation"] == pytest.approx(relevance.seed_correlation, abs=1e-6)
    else:
        assert row["seed_correlation"] is None
        assert row["collapsed"] == (name == "unfiltered")
    if name == "cosine":
        assert row["cosine_correlation"] == pytest.approx(1)


def test_a_row_says_what_was_trained_with_and_a_walk_that_nothing_was() -> None:
    vectors = vectors_of([QUESTION])
    configurations: dict[tuple[str, int], list[str | None]] = {}
    scores = {}
    for name in ROUTES:
        for seed in (0, 7):
            config = replace(TINY, seed=seed)
            pieces = relevance_tables([QUESTION], [SUBGRAPH], vectors, GRAPH, ROUTES[name], config, "b")
            [(nodes, measured)] = pieces
            conform(measured, RELEVANCE_DIAGNOSTICS)
            configurations[name, seed] = measured.column("training").to_pylist()
            scores[name, seed] = nodes.column("score").to_pylist()
    for (name, seed), [training] in configurations.items():
        trained = ROUTES[name].method in KINDS
        assert (training is not None) == trained
        assert (scores[name, 0] != scores[name, 7]) == trained
        if training is not None:
            assert json.loads(training) == {**asdict(TINY), "seed": seed}


def test_paths_start_from_kept_nodes_and_seeds() -> None:
    starts = relevant_nodes(
        node_table(
            node_row("q1", 3, score=0.1, kept=True, is_seed=False),
            node_row("q1", 4, score=0.2, kept=False, is_seed=True),
            node_row("q1", 5, score=0.3, kept=False, is_seed=False, candidates=[1]),
            node_row("q1", 6, score=0.4, kept=True, is_seed=True),
            node_row("q2", 5, score=0.5, kept=False, is_seed=False),
            node_row("q3", 9, score=0.6),
        )
    )
    assert starts.keys() == {"q1", "q3"}
    assert (starts["q1"].nodes.tolist(), starts["q1"].scores.tolist()) == ([3, 4, 6], [0.1, 0.2, 0.4])
    assert starts["q1"].nodes.dtype == np.int32
    assert starts["q3"].nodes.tolist() == [9]
    assert relevant_nodes(node_table()) == {}
