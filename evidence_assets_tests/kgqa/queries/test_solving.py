"""Conjunctive queries: against every assignment tried out, and by hand."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term, Triplet, Variable
from evidence_assets.kgqa.queries.solving import (
    BOUNDED,
    EMPTY,
    SOLVED,
    UNBOUND,
    UNGROUNDED,
    UNKNOWN,
    Solver,
)
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.query_samples import (
    FILM_ROWS,
    FILM_SCHEMA,
    assignments,
    conjunctive_queries,
    sample_of,
    samples,
    typed_graph,
    usable,
)

NONE: frozenset[str] = frozenset()


def film_solver() -> tuple[Graph, Solver]:
    graph = typed_graph(FILM_ROWS)
    return graph, Solver(graph, node_types(graph, None, load_schema(FILM_SCHEMA, "films.yaml")))


def named(graph: Graph, *labels: str) -> Constant:
    return Constant(labels[0], tuple(graph.labels.to_pylist().index(label) for label in labels))


def labels_of(graph: Graph, nodes: np.ndarray) -> list[str]:
    return [graph.labels[int(node)].as_py() for node in nodes]


def ask(*triplets: tuple[Term, str, Term], target: str = "a") -> ConjunctiveQuery:
    return ConjunctiveQuery(tuple(Triplet(*triplet) for triplet in triplets), target)


A, B, C, D = (Variable(name) for name in "abcd")


@pytest.mark.parametrize("strict", [True, False])
@examples(60)
@given(data=st.data())
def test_candidates_are_those_of_some_assignment(strict: bool, data: st.DataObject) -> None:
    sample = data.draw(samples(6))
    query = data.draw(conjunctive_queries(sample))
    solver = Solver(sample.graph, sample.types)
    solution = solver.solve(query, strict)
    triplets = usable(query)
    if solution.status == UNKNOWN:
        # A graph without triples states no relation.
        assert not len(solution.candidates)
        return
    if all(variable.name != "a" for triplet in triplets for variable in triplet.variables):
        assert solution.status == UNBOUND
        assert not len(solution.candidates)
        return
    expected = sorted({at["a"] for at in assignments(sample, query, strict)})
    assert solution.candidates.tolist() == expected
    assert solution.candidates.dtype == np.int32
    assert (solution.status == EMPTY) == (not expected)
    assert {triplet for triplet, _ in solution.dropped} == set(query.triplets) - set(triplets)


@pytest.mark.parametrize("strict", [True, False])
@examples(60)
@given(data=st.data())
def test_cycles_of_variables_are_solved_exactly(strict: bool, data: st.DataObject) -> None:
    sample = data.draw(samples(7))
    order = data.draw(st.sampled_from(["abc", "abcd", "aabb", "abab"]))
    names = [Variable(name) for name in order]
    relation = st.sampled_from(["", *sample.graph.relation_names])
    triplets = [
        Triplet(start, data.draw(relation), end)
        for start, end in zip(names, [*names[1:], names[0]], strict=True)
    ]
    tail = Triplet(data.draw(st.sampled_from(names)), data.draw(relation), Variable("e"))
    solver = Solver(sample.graph, sample.types)
    for target in "ae":
        query = ConjunctiveQuery((*triplets, tail), target)
        expected = sorted({at[target] for at in assignments(sample, query, strict)})
        assert solver.solve(query, strict).candidates.tolist() == expected


@pytest.mark.parametrize("strict", [True, False])
@examples(60)
@given(data=st.data())
def test_support_is_the_lowest_solution(strict: bool, data: st.DataObject) -> None:
    sample = data.draw(samples(6))
    query = data.draw(conjunctive_queries(sample))
    solver = Solver(sample.graph, sample.types)
    triples = sample.triples
    solutions: dict[int, list[tuple[int, ...]]] = {}
    used = ConjunctiveQuery(tuple(dict.fromkeys(usable(query))), "a")
    places: list[str | Constant] = [*used.variables(), *used.constants()]
    for at in assignments(sample, query, strict) if "a" in places else ():
        solutions.setdefault(at["a"], []).append(tuple(at[place] for place in places))
    backed = solver.support(query, range(len(sample.own_types)), 99, strict)
    for node, edges in enumerate(backed):
        assert bool(edges) == (node in solutions)
        assert edges[:1] == solver.support(query, [node], 1, strict)[0]
        if edges:
            lowest = dict(zip(places, min(solutions[node]), strict=True))
            ends = [
                tuple(
                    lowest[term.name if isinstance(term, Variable) else term]
                    for term in (triplet.head, triplet.tail)
                )
                for triplet in used.triplets
            ]
            expected = [
                min(
                    edge
                    for edge, (head, relation, tail) in enumerate(triples)
                    if ((head, tail) == end and (not strict or triplet.relation in ("", relation)))
                    or (not strict and (tail, head) == end)
                )
                for triplet, end in zip(used.triplets, ends, strict=True)
            ]
            assert edges == list(dict.fromkeys(expected))


@examples(60)
@given(data=st.data(), effort=st.integers(0, 30_000))
def test_what_is_not_decided_stays(data: st.DataObject, effort: int) -> None:
    sample = data.draw(samples(6))
    query = data.draw(conjunctive_queries(sample))
    complete = Solver(sample.graph, sample.types).solve(query)
    bounded = Solver(sample.graph, sample.types, effort=effort).solve(query)
    assert set(complete.candidates.tolist()) <= set(bounded.candidates.tolist())
    if bounded.status == SOLVED:
        assert bounded.candidates.tolist() == complete.candidates.tolist()


def test_films_by_hand() -> None:
    graph, solver = film_solver()
    same_director = ask(
        (named(graph, "Blade Runner"), "directed_by", B), (Variable("a", "movie"), "directed_by", B)
    )
    solution = solver.solve(same_director)
    assert (labels_of(graph, solution.candidates), solution.status) == (["Alien", "Blade Runner"], SOLVED)
    without_names = solver.solve(same_director, without_constants=True)
    assert labels_of(graph, without_names.candidates) == ["Alien"]
    alien = int(without_names.candidates[0])
    assert [graph.triple(edge) for edge in solver.support(same_director, [alien], 9)[0]] == [
        ("Blade Runner", "directed_by", "Ridley Scott"),
        ("Alien", "directed_by", "Ridley Scott"),
    ]
    assert solver.support(same_director, named(graph, "Heat").nodes, 9) == [[]]


def test_who_directed_and_acted_is_a_cycle() -> None:
    graph, solver = film_solver()
    query = ask((B, "directed_by", A), (B, "starred_actors", A))
    solution = solver.solve(query)
    assert labels_of(graph, solution.candidates) == ["Ben Affleck"]
    assert solution.status == UNGROUNDED


def test_arc_consistency_alone_would_not_do() -> None:
    # Two triangles' worth of edges as one hexagon: every node has all its neighbours, and none closes.
    ring = [(node, "r", (node + 1) % 6) for node in range(6)]
    hexagon = sample_of(6, ring, [NONE] * 6)
    triangle = ask((A, "r", B), (B, "r", C), (C, "r", A))
    assert Solver(hexagon.graph, hexagon.types).solve(triangle).status == EMPTY
    closed = sample_of(9, [*ring, (6, "r", 7), (7, "r", 8), (8, "r", 6)], [NONE] * 9)
    assert Solver(closed.graph, closed.types).solve(triangle).candidates.tolist() == [6, 7, 8]


def test_relation_and_direction_matter_only_where_they_are_to() -> None:
    graph, solver = film_solver()
    wrong = ask((named(graph, "Heat"), "has_genre", Variable("a", "person")))
    assert solver.solve(wrong).status == EMPTY
    assert labels_of(graph, solver.solve(wrong, strict_edges=False).candidates) == [
        "Al Pacino",
        "Michael Mann",
    ]
    backwards = ask((Variable("a", "person"), "directed_by", named(graph, "Heat")))
    assert solver.solve(backwards).status == EMPTY
    assert len(solver.solve(backwards, strict_edges=False).candidates) == 2
    person = int(named(graph, "Michael Mann").nodes[0])
    edges = solver.support(backwards, [person], 5, strict_edges=False)[0]
    assert [graph.triple(edge) for edge in edges] == [("Heat", "directed_by", "Michael Mann")]


def test_a_name_that_matches_nothing_is_dropped_and_said() -> None:
    graph, solver = film_solver()
    lost = Triplet(A, "has_genre", Constant("Western"))
    query = ConjunctiveQuery((Triplet(A, "directed_by", named(graph, "Ridley Scott")), lost), "a")
    solution = solver.solve(query)
    assert labels_of(graph, solution.candidates) == ["Alien", "Blade Runner"]
    assert solution.dropped == ((lost, "'Western' matches no node"),)
    lost_alone = solver.solve(ConjunctiveQuery((lost,), "a"))
    assert (lost_alone.status, len(lost_alone.candidates)) == (UNBOUND, 0)
    assert solver.support(ConjunctiveQuery((lost,), "a"), [0], 5) == [[]]


def test_what_stands_in_no_condition_is_unbound() -> None:
    graph, solver = film_solver()
    query = ask((named(graph, "Heat"), "directed_by", B))
    solution = solver.solve(query)
    assert (solution.status, solution.detail) == (UNBOUND, "?a stands in no condition that can be used")
    constants = ask((named(graph, "Heat"), "directed_by", named(graph, "Michael Mann")))
    assert solver.solve(constants).dropped[0][1] == "it holds no variable"
    assert solver.solve(ConjunctiveQuery((), "a")).status == UNBOUND


def test_unknown_types_and_relations_are_named() -> None:
    graph, solver = film_solver()
    query = ask((named(graph, "Heat"), "shot_in", Variable("a", "town")))
    solution = solver.solve(query)
    assert solution.status == UNKNOWN
    assert solution.detail == "no node is a 'town'; no triple states 'shot_in'"
    assert solver.support(query, [0, 1], 5) == [[], []]
    untyped = ask((named(graph, "Heat"), "shot_in", A))
    assert len(solver.solve(untyped, strict_edges=False).candidates) == 3


def test_a_node_of_another_graph_is_refused() -> None:
    _, solver = film_solver()
    with pytest.raises(ValueError, match="'Up' stands for node 99, and graph kb has 12"):
        solver.solve(ask((Constant("Up", (3, 99)), "directed_by", A)))


def test_conditions_apart_from_the_target_must_hold_somewhere() -> None:
    graph, solver = film_solver()
    asks = (named(graph, "Heat"), "directed_by", A)
    elsewhere = ask(asks, (B, "has_genre", named(graph, "Horror")))
    assert labels_of(graph, solver.solve(elsewhere).candidates) == ["Michael Mann"]
    nowhere = ask(asks, (B, "has_genre", named(graph, "Heat")))
    assert solver.solve(nowhere).status == EMPTY
    cyclic = ask(asks, (B, "directed_by", C), (B, "starred_actors", C))
    assert labels_of(graph, solver.solve(cyclic).candidates) == ["Michael Mann"]
    contradictory = ask(asks, (B, "directed_by", C), (B, "has_genre", C))
    assert solver.solve(contradictory).status == EMPTY


def test_a_name_of_several_nodes_is_one_of_them_throughout() -> None:
    sample = sample_of(4, [(0, "r", 2), (1, "s", 2), (0, "r", 3), (0, "s", 3)], [NONE] * 4)
    either = Constant("0 or 1", (0, 1))
    query = ask((either, "r", A), (either, "s", A))
    assert Solver(sample.graph, sample.types).solve(query).candidates.tolist() == [3]


def test_loops_and_repeated_triples() -> None:
    sample = sample_of(3, [(0, "r", 0), (0, "r", 1), (0, "r", 1), (1, "s", 2)], [NONE] * 3)
    solver = Solver(sample.graph, sample.types)
    assert solver.solve(ask((A, "r", A))).candidates.tolist() == [0]
    assert solver.support(ask((A, "r", A)), [0], 5) == [[0]]
    assert solver.solve(ask((A, "r", A), (A, "r", B), (B, "s", C)), False).candidates.tolist() == [0]
    assert solver.solve(ask((A, "s", A))).status == EMPTY
    assert solver.solve(ask((B, "r", A))).candidates.tolist() == [0, 1]
    assert solver.support(ask((Constant("0", (0,)), "r", A)), [1], 5) == [[1]]


def test_an_empty_graph_answers_nothing() -> None:
    empty = sample_of(0, [], [])
    solver = Solver(empty.graph, empty.types)
    assert solver.solve(ask((A, "", B))).status == EMPTY


def hub(size: int) -> Solver:
    """Node 0 leads to every other by r; every other to the next by s."""
    triples = [(0, "r", node) for node in range(1, size)]
    triples += [(node, "s", node + 1) for node in range(1, size - 1)]
    sample = sample_of(size, triples, [NONE] * size)
    return Solver(sample.graph, sample.types)


def test_a_hub_is_crossed_quickly() -> None:
    solver = hub(100_001)
    centre = Constant("centre", (0,))
    query = ask((centre, "r", B), (B, "s", A), (centre, "r", A))
    solver.solve(query)
    elapsed = []
    for _ in range(3):
        started = time.perf_counter()
        solution = solver.solve(query)
        elapsed.append(time.perf_counter() - started)
    assert solution.candidates.tolist() == list(range(2, 100_001))
    # 20 ms here; the bound tells it from a loop over nodes, the least of three from a busy machine.
    assert min(elapsed) < 0.5
    assert len(solver.support(query, [77_777], 9)[0]) == 3


def test_a_search_that_costs_too_much_is_bounded() -> None:
    # Everything leads to everything, by r, but nothing back to itself: a clique without an odd relation.
    size = 60
    triples = [(head, "r", tail) for head in range(size) for tail in range(size) if head % 2 != tail % 2]
    sample = sample_of(size, triples, [NONE] * size)
    query = ask((A, "r", B), (B, "r", C), (C, "r", A))
    assert Solver(sample.graph, sample.types).solve(query).status == EMPTY
    solution = Solver(sample.graph, sample.types, effort=40_000).solve(query)
    assert solution.candidates.tolist() == list(range(size))
    assert "effort was spent" in solution.detail
    fixed = ask((Constant("all", tuple(range(size))), "r", A), *[(A, "r", B), (B, "r", C), (C, "r", A)])
    assert Solver(sample.graph, sample.types, effort=50_000).solve(fixed).status == BOUNDED
