"""Relations with one value, and what contradicts the graph in them."""

from __future__ import annotations

import pytest

from evidence_assets.graphs.functional_relations import Contradictions, functional_relations, one_tail_shares
from evidence_assets.graphs.names.node_names import NodesByName
from evidence_assets_tests.testing.graph_samples import Row, graph_of, linker_of, number_of

YEARS: list[Row] = [(f"film {number}", "release_year", str(1950 + number), None) for number in range(40)]
ACTORS: list[Row] = [
    (f"film {number}", "starred_actors", f"actor {place}", None) for number in range(40) for place in (1, 2)
]


def against(rows: list[Row]) -> Contradictions:
    graph = graph_of(rows)
    return Contradictions(graph, NodesByName(graph, linker_of(rows)))


def test_a_relation_of_one_value_is_learnt_from_the_graph() -> None:
    graph = graph_of([*YEARS, *ACTORS])
    assert functional_relations(graph) == {"release_year"}
    shares, heads = one_tail_shares(graph)
    assert dict(zip(graph.relation_names, zip(shares, heads, strict=True), strict=True)) == {
        "release_year": (1.0, 40),
        "starred_actors": (0.0, 40),
    }


@pytest.mark.parametrize(("second", "functional"), [(2, True), (3, False)])
def test_two_of_forty_heads_may_have_a_second_value_and_three_may_not(second: int, functional: bool) -> None:
    rows = [*YEARS, *((f"film {number}", "release_year", "2001", None) for number in range(second))]
    assert ("release_year" in functional_relations(graph_of(rows))) is functional


def test_of_few_heads_nothing_is_learnt() -> None:
    assert functional_relations(graph_of(YEARS[:19])) == frozenset()
    assert functional_relations(graph_of(YEARS[:20])) == {"release_year"}


def test_a_triple_stated_twice_or_of_a_node_with_itself_is_one_value_or_none() -> None:
    rows = [*YEARS, *YEARS[:10], ("film 1", "release_year", "film 1", None)]
    assert functional_relations(graph_of(rows)) == {"release_year"}


def test_another_value_contradicts_and_the_same_agrees() -> None:
    rows = [*YEARS, *ACTORS]
    contradictions = against(rows)
    graph = graph_of(rows)
    [edge] = contradictions.edges("Film 3", "release year", "1999")
    assert graph.triple(edge) == ("film 3", "release_year", "1953")
    assert contradictions.edges("film 3", "release_year", "1953") == []


@pytest.mark.parametrize(
    ("head", "relation", "tail"),
    [
        ("film 3", "starred actors", "actor 9"),
        ("film 3", "was filmed in", "Rome"),
        ("no such film", "release year", "1999"),
        ("1953", "release year", "film 3"),
        ("", "release year", "1999"),
        ("film 3", "", "1999"),
    ],
    ids=["many values", "unknown relation", "unknown head", "turned round", "no head", "no relation"],
)
def test_what_cannot_be_told_contradicts_nothing(head: str, relation: str, tail: str) -> None:
    assert against([*YEARS, *ACTORS]).edges(head, relation, tail) == []


def test_of_two_entities_of_one_name_both_must_say_otherwise() -> None:
    rows: list[Row] = [
        *YEARS,
        ("Kismet", "release_year", "1944", None),
        ("kismet", "release_year", "1955", None),
    ]
    contradictions = against(rows)
    assert len(contradictions.edges("KISMET", "release year", "1999")) == 2
    assert contradictions.edges("KISMET", "release year", "1955") == []
    # Spelt as one of them is, it is that one.
    assert len(contradictions.edges("Kismet", "release year", "1955")) == 1
    one_is_silent = against([*rows[:-1], ("kismet", "starred_actors", "actor 1", None)])
    assert one_is_silent.edges("KISMET", "release year", "1999") == []


def test_a_name_is_the_node_spelt_so_else_all_that_bear_it() -> None:
    rows: list[Row] = [("Kismet", "r", "a", None), ("kismet", "r", "b", None)]
    graph = graph_of(rows)
    nodes_of = NodesByName(graph, linker_of(rows))
    assert nodes_of("Kismet") == (number_of(graph, "Kismet"),)
    assert nodes_of("KISMET") == tuple(sorted(number_of(graph, name) for name in ("Kismet", "kismet")))
    assert nodes_of("nobody") == nodes_of("") == nodes_of("  ") == ()
