"""Paths from what a question is about to what its options name: which, how many, in which order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.choices import HOP_COUNT, HUB_PENALTY
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.graphs.walking.walk_seeds import Seed
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import REASONING_PATHS
from evidence_assets.systems.ugat_medqa.arms import ROUTES
from evidence_assets.systems.ugat_medqa.reasoning_paths import (
    PATHS_PER_OPTION,
    PathContext,
    Relevant,
    best_paths,
    path_rows,
)
from evidence_assets.systems.ugat_medqa.relevance_rows import every_node
from evidence_assets.systems.ugat_medqa.subgraphs import Subgraph
from evidence_assets_tests.testing.graph_samples import Row, number_of
from evidence_assets_tests.testing.network_samples import Network, network_of, networks
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.ugat_samples import embedded_rows, question_concepts


def finder_of(network: Network, longest: int = 4, measure: str = HUB_PENALTY) -> PathFinder:
    return PathFinder(network.adjacency, step_costs(network.adjacency, measure), longest)


def relevant(**scores: float) -> Relevant:
    """`n3=0.5`: node 3 has a score of .5."""
    nodes = [int(name[1:]) for name in scores]
    return started(nodes, list(scores.values()))


def started(nodes: Sequence[int], scores: Sequence[float], seeds: Sequence[int] = ()) -> Relevant:
    numbers = np.array(nodes, dtype=np.int32)
    return Relevant(numbers, np.array(scores, dtype=np.float64), np.isin(numbers, list(seeds)))


def walks(targets: list[int], from_nodes: Relevant, finder: PathFinder) -> list[tuple[int, ...]]:
    return [scored.path.nodes for scored in best_paths(targets, from_nodes, finder)]


def steps_of(nodes: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(pair) for pair in pairwise(nodes)}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Network, Relevant, list[int], int]:
    network = draw(networks(14))
    nodes = st.integers(0, network.size - 1)
    sources = draw(st.lists(nodes, unique=True, max_size=14))
    scores = [draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])) for _ in sources]
    start = started(sources, scores)
    return network, start, draw(st.lists(nodes, max_size=3)), draw(st.integers(1, 5))


@examples(200)
@given(cases(), st.sampled_from([HUB_PENALTY, HOP_COUNT]))
def test_paths_are_the_best_by_score_each_with_something_new(
    case: tuple[Network, Relevant, list[int], int], measure: str
) -> None:
    network, sources, targets, longest = case
    finder = finder_of(network, longest, measure)
    scores = dict(zip(sources.nodes.tolist(), sources.scores.tolist(), strict=True))
    every = []
    for target in set(targets):
        for source in scores:
            path = finder.path(source, target)
            if path is not None and source != target:
                path_scores = [scores.get(node, 0.0) for node in path.nodes[:-1]]
                every.append((-round(sum(path_scores) / len(path_scores), 9), path.cost, path.nodes))
    expected: list[tuple[int, ...]] = []
    covered: set[frozenset[int]] = set()
    for _, _, nodes in sorted(every):
        fresh = steps_of(nodes) - covered
        if len(expected) < 5 and 2 * len(fresh) >= len(nodes) - 1:
            expected.append(nodes)
            covered |= steps_of(nodes)
    best = best_paths(targets, sources, finder)
    assert [scored.path.nodes for scored in best] == expected
    assert len(best) <= PATHS_PER_OPTION == 5
    assert [-scored.score for scored in best] == sorted(-scored.score for scored in best)
    for scored in best:
        assert 1 <= len(scored.path.nodes) - 1 <= longest
        assert scored.path.nodes[0] in scores
        assert scored.path.nodes[-1] in targets


def test_at_most_five_paths_an_option() -> None:
    star = network_of(12, [(0, leaf) for leaf in range(1, 12)])
    scores = {f"n{leaf}": leaf / 12 for leaf in range(1, 12)}
    assert walks([0], relevant(**scores), finder_of(star)) == [(11, 0), (10, 0), (9, 0), (8, 0), (7, 0)]


def test_exactly_half_is_new_enough_and_less_is_not() -> None:
    # After 2 - 1 - 0, 3 - 1 - 0 says one new step of two.
    network = network_of(4, [(0, 1), (1, 2), (1, 3)])
    assert walks([0], relevant(n2=1.0, n3=0.5), finder_of(network)) == [(2, 1, 0), (3, 1, 0)]
    # After 3 - 2 - 1 - 0, 4 - 2 - 1 - 0 says one of three; 6 - 5 - 1 - 0, though worse, two of three.
    longer = network_of(7, [(0, 1), (1, 2), (2, 3), (2, 4), (1, 5), (5, 6)])
    sources = relevant(n3=1.0, n4=0.5, n6=0.25)
    assert walks([0], sources, finder_of(longer)) == [(3, 2, 1, 0), (6, 5, 1, 0)]


def test_what_any_better_path_says_is_not_new() -> None:
    # Between 3 - 2 - 1 - 0 and 4 - 2 - 1 - 0 there is a path that shares nothing with either.
    network = network_of(7, [(0, 1), (1, 2), (2, 3), (2, 4), (0, 5), (5, 6)])
    sources = relevant(n3=1.0, n6=0.5, n4=0.3)
    assert [path.score for path in best_paths([0], sources, finder_of(network))] == [0.333333333, 0.25]
    assert walks([0], sources, finder_of(network)) == [(3, 2, 1, 0), (6, 5, 0)]


def test_the_mean_score_of_its_nodes_but_the_last_ranks_a_path() -> None:
    network = network_of(6, [(0, 1), (1, 2), (0, 3), (3, 4)])
    # 2 - 1 - 0: (.9 + .1) / 2 = .5; 4 - 3 - 0: (.6 + .6) / 2 = .6. The target's own score does not count.
    sources = relevant(n2=0.9, n1=0.1, n4=0.6, n3=0.6, n0=1.0)
    best = best_paths([0], sources, finder_of(network))
    by_nodes = {scored.path.nodes: scored.score for scored in best}
    assert by_nodes[3, 0] == 0.6
    assert by_nodes[2, 1, 0] == 0.5
    # A node on the way that is no evidence counts as nothing.
    assert best_paths([0], relevant(n2=0.9), finder_of(network))[0].score == 0.45


def test_of_equal_scores_the_cheaper_path_is_first() -> None:
    network = network_of(8, [(0, 1), (0, 2), (2, 3), (2, 4), (2, 5), (0, 7)])
    ranked = walks([0], relevant(n2=0.5, n7=0.5, n1=0.5), finder_of(network))
    assert ranked == [(1, 0), (7, 0), (2, 0)]


def test_a_path_is_at_most_so_long() -> None:
    chain = network_of(7, [(node, node + 1) for node in range(6)])
    for longest in (1, 2, 4):
        sources = relevant(**{f"n{node}": 0.5 for node in range(1, 7)})
        ranked = walks([0], sources, finder_of(chain, longest))
        assert ranked
        assert max(len(nodes) - 1 for nodes in ranked) <= longest
    assert walks([0], relevant(n5=1.0), finder_of(chain, 4)) == []
    assert walks([0], relevant(n4=1.0), finder_of(chain, 4)) == [(4, 3, 2, 1, 0)]


def test_what_is_out_of_reach_has_no_path() -> None:
    network = network_of(5, [(0, 1), (2, 3), (4, 4)])
    assert walks([2, 4], relevant(n0=1.0, n1=1.0), finder_of(network)) == []
    assert walks([2, 1], relevant(n0=1.0), finder_of(network)) == [(0, 1)]
    assert walks([1], started([], []), finder_of(network)) == []
    assert walks([], relevant(n0=1.0), finder_of(network)) == []


def test_a_concept_that_the_question_names_too_is_no_path_of_itself() -> None:
    network = network_of(3, [(0, 1), (1, 1), (0, 0)])
    assert walks([0], relevant(n0=1.0), finder_of(network)) == []
    assert walks([0], relevant(n0=1.0, n1=0.5), finder_of(network)) == [(1, 0)]


def test_a_concept_that_stands_twice_counts_once() -> None:
    network = network_of(4, [(0, 1), (1, 2), (2, 3)])
    sources = relevant(n3=1.0, n2=0.5)
    assert walks([0, 0, 0], sources, finder_of(network)) == walks([0], sources, finder_of(network))
    assert walks([0, 1], sources, finder_of(network)) == walks([1, 0], sources, finder_of(network))


@pytest.mark.parametrize(("leaves", "reached"), [(199, True), (200, False)])
def test_only_the_most_relevant_sources_are_looked_at(leaves: int, reached: bool) -> None:
    """Of those that all lead through 2 and 1, one path is read; the last source has a way of its own."""
    edges = [(2, leaf) for leaf in range(4, 4 + leaves)]
    network = network_of(4 + leaves, [(0, 1), (1, 2), (0, 3), *edges])
    scores = {f"n{leaf}": 1.0 for _, leaf in edges} | {"n3": 0.1}
    ranked = walks([0], relevant(**scores), finder_of(network))
    assert ranked == [(4, 2, 1, 0), *[(3, 0)] * reached]


def test_of_equally_relevant_sources_the_near_ones_are_looked_at() -> None:
    edges = [(2, leaf) for leaf in range(4, 214)]
    network = network_of(215, [(0, 1), (1, 2), (2, 3), (0, 214), *edges])
    scores = {f"n{node}": 0.5 for node in range(3, 215)}
    assert walks([0], relevant(**scores), finder_of(network))[0] == (214, 0)


ROWS: list[Row] = [
    ("aspirin", "may_treat", "fever", 1.0),
    ("aspirin", "is_not_indicated_for", "fever", 1.0),
    ("influenza", "may_cause", "fever", 1.0),
    ("chills", "is_a_finding_in", "influenza", 1.0),
    ("rock", "see_also", "stone", 1.0),
]
TEMPLATES = {
    "may_treat": "{head} may treat {tail}",
    "is_not_indicated_for": "{head} is not indicated for {tail}",
    "may_cause": "{head} may cause {tail}",
    "is_a_finding_in": "{head} is a finding in {tail}",
    "see_also": "{head}: see also {tail}",
}


def test_rows_tell_everything_of_a_path() -> None:
    graph = embedded_rows(ROWS)
    aspirin, chills, stone = (number_of(graph.graph, label) for label in ("aspirin", "chills", "stone"))
    questions = [
        question_concepts("q1", "one?", [chills], {1: [aspirin], 0: [stone]}),
        question_concepts("q2", "two?", [chills], {0: [aspirin]}),
        question_concepts("q3", "three?", [chills], {0: [chills], 2: [aspirin]}),
    ]
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, HOP_COUNT), 4)
    start = started([chills], [0.75], seeds=[chills])
    progress: list[tuple[int, int]] = []
    route = ROUTES["guided_walk_hop_count"]
    context = PathContext(graph, finder, TEMPLATES, {"t0", "t1", "t4"}, route, "b")
    relevant_to = {"q1": start, "q3": start}
    vectors = graph.vectors[[chills, aspirin, stone]]
    pieces = path_rows(questions, vectors, relevant_to, context, lambda *done: progress.append(done))
    first, third = conform(pa.concat_tables(pieces), REASONING_PATHS).to_pylist()
    assert progress == [(3, 3)]
    assert (first["question_id"], first["candidate"], third["question_id"], third["candidate"]) == (
        "q1",
        1,
        "q3",
        2,
    )
    assert (first["benchmark"], first["route"], first["kg"], first["rank"]) == ("b", route.name, "kg", 1)
    assert first["nodes"] == [
        number_of(graph.graph, label) for label in ("chills", "influenza", "fever", "aspirin")
    ]
    assert first["text"] == (
        "Chills is a finding in influenza. Influenza may cause fever. "
        "Aspirin may treat fever (contradicted by another statement). "
        "Aspirin is not indicated for fever (contradicted by another statement)."
    )
    assert first["triple_ids"] == ["t3", "t2", "t0", "t1"]
    assert first["backwards"] == [False, False, True, True]
    assert (first["denies"], first["conflicts"], first["length"], first["cost"]) == (True, 2, 3, 3.0)
    assert first["score"] == 0.25
    assert first["score_parts"] == [{"name": "node_score", "value": 0.25}, {"name": "cost", "value": 3.0}]
    assert third["path_id"] == first["path_id"]
    # What the walk pays: exp(cosine / .15) of where it goes, over that of all where it could.
    drawn = np.exp(graph.cosines(vectors[:1])[:, 0] / 0.15)
    expected = [
        drawn[next_node] / drawn[graph.adjacency.of(node)].sum()
        for node, next_node in pairwise(first["nodes"])
    ]
    assert first["attention"] == pytest.approx(expected, abs=1e-8)


def test_no_question_has_no_paths() -> None:
    graph = embedded_rows(ROWS)
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, HOP_COUNT), 4)
    context = PathContext(graph, finder, TEMPLATES, (), ROUTES["guided_walk"], "b")
    assert list(path_rows([], graph.vectors[:0], {}, context)) == []


def test_no_path_leads_from_one_option_to_another() -> None:
    """What an option names argues for no other, unless the question names it too."""
    graph = embedded_rows(ROWS)
    aspirin, fever, chills, influenza = (
        number_of(graph.graph, label) for label in ("aspirin", "fever", "chills", "influenza")
    )
    question = question_concepts("q", "one?", [chills], {0: [aspirin], 1: [influenza]})
    finder = PathFinder(graph.adjacency, step_costs(graph.adjacency, HOP_COUNT), 4)

    def sources_of(seeds: Sequence[int]) -> set[int]:
        relevant = {"q": started([chills, influenza, fever], [0.5, 0.9, 0.1], seeds)}
        route = ROUTES["guided_walk_hop_count"]
        context = PathContext(graph, finder, TEMPLATES, set(), route, "b")
        pieces = path_rows([question], graph.vectors[[chills]], relevant, context)
        rows = pa.concat_tables(pieces).to_pylist()
        return {row["nodes"][0] for row in rows if row["candidate"] == 0}

    assert sources_of([chills]) == {chills}, "what it says of fever is said on the way"
    assert influenza in sources_of([chills, influenza])


def test_where_nothing_is_filtered_every_node_is_a_source() -> None:
    nodes, hops = np.arange(300, dtype=np.int32), np.zeros(300, dtype=np.int8)
    start = every_node({"q": Subgraph("q", [Seed(7, 1.0, True)], nodes, hops)})["q"]
    assert start.nodes.tolist() == list(range(300))
    assert not start.scores.any()
    assert np.flatnonzero(start.is_seed).tolist() == [7]
