"""Where each question's walk starts, and how far it may go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.neighbourhoods import distances
from evidence_assets.graphs.walking.walk_seeds import walk_seeds
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTION_SUBGRAPHS
from evidence_assets.progress import Progress
from evidence_assets.systems.ugat_medqa.arms import SubgraphExtent
from evidence_assets.systems.ugat_medqa.subgraphs import (
    QUESTIONS_AT_ONCE,
    QuestionConcepts,
    questions_with_concepts,
    read_subgraphs,
    subgraph_rows,
)
from evidence_assets_tests.testing.network_samples import network_of, random_network
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.ugat_samples import (
    concept_table,
    embedded_network,
    question_concepts,
    subgraphs_of,
    vectors_of,
)

NEAR = SubgraphExtent("near", 2, 1000)
NETWORK = random_network(60, 70, 1)
GRAPH = embedded_network(NETWORK)


def rows_of(
    questions: Sequence[QuestionConcepts],
    around: SubgraphExtent = NEAR,
    graph: EmbeddedGraph = GRAPH,
    progress: Progress | None = None,
) -> pa.Table:
    pieces = subgraph_rows(questions, vectors_of(questions), graph, around, "b", progress)
    return conform(pa.concat_tables(pieces), QUESTION_SUBGRAPHS)


def test_concepts_are_ordered_by_relevance_and_each_stands_once() -> None:
    questions = question_table(
        question_row("q1", "Which?", ["one", "two", "three"], 0),
        question_row("q2", "Nothing named?", ["one"], 0),
    )
    concepts = concept_table(
        ("q1", -1, "a", 7, 0.2),
        ("q1", -1, "b", 3, 0.9),
        ("q1", -1, "c", 7, 0.5),
        ("q1", -1, "d", 2, 0.9),
        ("q1", 2, "e", 4, 0.1),
        ("q1", 0, "f", 9, 0.1),
        ("q1", 0, "g", 9, 0.3),
    )
    first, second = questions_with_concepts(questions, concepts)
    assert (first.question_id, first.question, first.options) == ("q1", "Which?", ["one", "two", "three"])
    assert first.concepts == [2, 3, 7]
    assert first.option_concepts == {0: [9], 2: [4]}
    assert (second.concepts, second.option_concepts) == ([], {})


def test_a_subgraph_is_what_lies_within_some_hops_of_the_concepts() -> None:
    questions = [question_concepts("q1", "one?", [3]), question_concepts("q2", "two?", [5, 9, 5])]
    for hops in (1, 2, 3):
        rows = rows_of(questions, SubgraphExtent("near", hops, 1000)).to_pylist()
        for question, row in zip(questions, rows, strict=True):
            far = distances(GRAPH.adjacency, question.concepts, hops)
            assert row["nodes"] == np.flatnonzero(far >= 0).tolist()
            assert row["hops"] == far[far >= 0].tolist()
            assert (row["reached"], row["dropped"]) == (len(row["nodes"]), 0)
            assert (row["benchmark"], row["neighbourhood"], row["kg"]) == ("b", "near", "kg")
            assert row["question_id"] == question.question_id
    assert GRAPH.adjacency.degrees[3] and GRAPH.adjacency.degrees[9]


def test_options_are_never_looked_at() -> None:
    plain = [question_concepts("q1", "one?", [3]), question_concepts("q2", "two?")]
    offering = [
        replace(question, option_concepts={0: [8], 1: [3, 40]}, options=["kidney", "liver", "n003"])
        for question in plain
    ]
    assert rows_of(plain).equals(rows_of(offering))


def test_a_question_without_a_concept_starts_at_the_nearest_nodes() -> None:
    question = question_concepts("q1", "what is near?")
    [row] = rows_of([question]).to_pylist()
    cosines = GRAPH.cosines(vectors_of([question]))[:, 0]
    near = np.lexsort((np.arange(60), -cosines))[:10]
    assert [seed["node"] for seed in row["seeds"]] == sorted(near.tolist())
    assert not any(seed["is_concept"] for seed in row["seeds"])
    far = distances(GRAPH.adjacency, near.tolist(), 2)
    assert row["nodes"] == np.flatnonzero(far >= 0).tolist()
    assert sum(seed["weight"] for seed in row["seeds"]) == pytest.approx(1, abs=1e-9)
    wanted = {seed.node: seed.weight for seed in walk_seeds([], cosines)}
    assert {seed["node"]: seed["weight"] for seed in row["seeds"]} == pytest.approx(wanted, abs=1e-9)


def test_seeds_within_share_the_whole_walk() -> None:
    """What is near in meaning but out of reach is no seed; the others keep their proportions."""
    question = question_concepts("q1", "one?", [3, 11])
    [row] = rows_of([question], SubgraphExtent("near", 1, 1000)).to_pylist()
    every = walk_seeds([3, 11], GRAPH.cosines(vectors_of([question]))[:, 0])
    within = [seed for seed in every if seed.node in row["nodes"]]
    assert 2 <= len(within) < len(every)
    total = sum(seed.weight for seed in within)
    assert {seed["node"]: seed["weight"] for seed in row["seeds"]} == pytest.approx(
        {seed.node: seed.weight / total for seed in within}, abs=1e-9
    )
    assert sum(seed["weight"] for seed in row["seeds"]) == pytest.approx(1, abs=1e-9)
    assert {seed["node"] for seed in row["seeds"] if seed["is_concept"]} == {3, 11}


def test_a_subgraph_past_the_cap_keeps_its_concepts_and_tells_what_it_dropped() -> None:
    star = embedded_network(network_of(30, [(29, leaf) for leaf in range(29)]))
    [row] = rows_of([question_concepts("q1", "one?", [20])], SubgraphExtent("near", 3, 5), star).to_pylist()
    assert row["nodes"] == [0, 1, 2, 20, 29]
    assert row["hops"] == [2, 2, 2, 0, 1]
    assert (row["reached"], row["dropped"]) == (30, 25)
    assert 20 in [seed["node"] for seed in row["seeds"]]
    assert {seed["node"] for seed in row["seeds"]} <= set(row["nodes"])
    assert sum(seed["weight"] for seed in row["seeds"]) == pytest.approx(1, abs=1e-9)


def test_subgraphs_are_read_as_they_were_written() -> None:
    questions = [
        question_concepts("q1", "one?", [3]),
        question_concepts("q2", "two?", [5, 9]),
        question_concepts("q3", "three?"),
    ]
    rows = rows_of(questions)
    subgraphs = read_subgraphs(rows)
    assert list(subgraphs) == ["q1", "q2", "q3"]
    for row in rows.to_pylist():
        subgraph = subgraphs[row["question_id"]]
        assert subgraph.question_id == row["question_id"]
        assert (subgraph.nodes.tolist(), subgraph.hops.tolist()) == (row["nodes"], row["hops"])
        assert (subgraph.nodes.dtype, subgraph.hops.dtype) == (np.dtype(np.int32), np.dtype(np.int8))
        assert [(seed.node, seed.weight, seed.is_concept) for seed in subgraph.seeds] == [
            (seed["node"], seed["weight"], seed["is_concept"]) for seed in row["seeds"]
        ]
    # However the rows are cut into pieces.
    cut = read_subgraphs(pa.concat_tables([rows.slice(2, 1), rows.slice(0, 2)]))
    assert cut["q3"].nodes.tolist() == subgraphs["q3"].nodes.tolist()
    assert cut["q2"].hops.tolist() == subgraphs["q2"].hops.tolist()
    assert read_subgraphs(rows.slice(0, 0)) == {}


def test_many_questions_are_walked_block_by_block_as_each_alone() -> None:
    questions = [question_concepts(f"q{number}", f"{number}?", [number % 60]) for number in range(70)]
    progress: list[tuple[int, int]] = []
    rows = rows_of(questions, progress=lambda *done: progress.append(done))
    assert progress == [(QUESTIONS_AT_ONCE, 70), (70, 70)]
    assert rows.column("question_id").to_pylist() == [question.question_id for question in questions]
    for place in (0, 63, 64, 69):
        assert rows.slice(place, 1).to_pylist() == rows_of([questions[place]]).to_pylist()


def test_a_graph_without_nodes_has_empty_subgraphs() -> None:
    [subgraph] = subgraphs_of([question_concepts("q1", "one?")], embedded_network(network_of(0, [])))
    assert (list(subgraph.seeds), subgraph.nodes.tolist(), subgraph.hops.tolist()) == ([], [], [])
