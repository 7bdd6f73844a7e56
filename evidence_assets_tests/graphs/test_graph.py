"""The graph in memory: what stands around a concept."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.nodes import node_rows
from evidence_assets.graphs.graph import BrokenGraphError, Graph, build_graph
from evidence_assets_tests.testing.graph_samples import Row, graph_of, number_of, triple_table


def edges(graph: Graph, label: str, limit: int | None = None) -> list[int]:
    numbers: list[int] = graph.edges_of(number_of(graph, label), limit).tolist()
    return numbers


ROWS: list[Row] = [
    ("cat", "IsA", "pet", 2.0),
    ("dog", "IsA", "pet", None),
    ("pet", "HasA", "owner", 3.0),
    ("pet", "RelatedTo", "pet", 9.0),
    ("cat", "HasA", "pet", 1.0),
    ("emu", "RelatedTo", "emu", -1.0),
    ("pet", "IsA", "emu", 0.5),
]


def test_edges_stand_at_both_ends_the_heaviest_first() -> None:
    graph = graph_of(ROWS)
    assert edges(graph, "pet") == [3, 2, 0, 1, 4, 6]
    assert edges(graph, "cat") == [0, 4]
    assert edges(graph, "dog") == [1]
    assert edges(graph, "emu") == [6, 5]
    assert edges(graph, "owner") == [2]
    assert [graph.degree(node) for node in range(5)] == [2, 1, 2, 1, 6]


def test_triples_come_back() -> None:
    graph = graph_of(ROWS)
    assert [graph.triple(edge) for edge in range(len(ROWS))] == [row[:3] for row in ROWS]
    assert graph.triple_ids.to_pylist() == [f"t{number}" for number in range(len(ROWS))]
    assert graph.labels.to_pylist() == ["cat", "dog", "emu", "owner", "pet"]
    assert sorted(graph.relation_names) == ["HasA", "IsA", "RelatedTo"]
    assert graph.name == "kg"


def test_unknown_concepts_are_refused_with_their_number() -> None:
    nodes = node_rows("kg", triple_table(ROWS[:2]))
    with pytest.raises(
        BrokenGraphError, match=r"graph animals: 1 triples name a concept.*materialise graph_n"
    ):
        build_graph("animals", triple_table([*ROWS[:2], ("cat", "IsA", "beast", 1.0)]), nodes)
    with pytest.raises(BrokenGraphError, match="graph animals: 2 triples"):
        build_graph("animals", triple_table([("x", "IsA", "cat", 1.0), ("y", "IsA", "cat", 1.0)]), nodes)
    with pytest.raises(BrokenGraphError):
        build_graph("animals", triple_table(ROWS), node_rows("kg", triple_table([])))


def test_nodes_without_triples_have_no_edges() -> None:
    graph = build_graph("kg", triple_table(ROWS[:1]), node_rows("kg", triple_table(ROWS)))
    assert [graph.degree(node) for node in range(5)] == [1, 0, 0, 0, 1]
    assert edges(graph, "dog") == edges(graph, "owner", 3) == []


def test_a_graph_may_have_no_nodes_or_no_edges() -> None:
    graph = graph_of([])
    assert (len(graph.labels), len(graph.triple_ids), len(graph.incident)) == (0, 0, 0)
    assert graph.offsets.tolist() == [0]
    edgeless = build_graph("kg", triple_table([]), node_rows("kg", triple_table(ROWS)))
    assert all(edgeless.edges_of(node).tolist() == [] for node in range(5))
    assert edgeless.degree(4) == 0


names = st.sampled_from(["a", "b", "c", "d", "é", ""])
rows = st.lists(
    st.tuples(
        names,
        st.sampled_from(["IsA", "HasA", "PartOf"]),
        names,
        st.none() | st.sampled_from([0.5, 1.0, 2.0, -3.0]),
    ),
    max_size=30,
)


@given(rows=rows, limit=st.integers(0, 6))
def test_neighbourhoods_are_those_of_the_rows(rows: list[Row], limit: int) -> None:
    graph = graph_of(rows)
    assert [graph.triple(edge) for edge in range(len(rows))] == [row[:3] for row in rows]
    for node, label in enumerate(graph.labels.to_pylist()):
        around = [
            (-1.0 if weight is None else -weight, number)
            for number, (head, _, tail, weight) in enumerate(rows)
            if label in (head, tail)
        ]
        expected = [number for _, number in sorted(around)]
        assert graph.edges_of(node).tolist() == expected
        assert graph.edges_of(node, limit).tolist() == expected[:limit]
        assert graph.degree(node) == len(expected)
    for edge, (head, _, tail, _) in enumerate(rows):
        assert edge in edges(graph, head)
        assert edge in edges(graph, tail)


@given(rows=rows)
def test_degrees_are_those_of_the_nodes_table(rows: list[Row]) -> None:
    graph = graph_of(rows)
    nodes = node_rows("kg", triple_table(rows))
    assert [graph.degree(node) for node in range(len(graph.labels))] == nodes.column("degree").to_pylist()


def test_tables_in_pieces_are_one_graph() -> None:
    table = triple_table(ROWS)
    pieces = pa.concat_tables([table.slice(0, 3), table.slice(3, 0), table.slice(3)])
    nodes = node_rows("kg", table)
    single, joined = (build_graph("kg", rows, nodes) for rows in (table, pieces))
    for name in ("heads", "tails", "offsets", "incident"):
        np.testing.assert_array_equal(getattr(joined, name), getattr(single, name))
    assert [joined.triple(edge) for edge in range(len(ROWS))] == [row[:3] for row in ROWS]
    assert joined.triple_ids.equals(single.triple_ids)


def test_bytes_grow_with_the_graph() -> None:
    small, large = (
        graph_of([(f"concept {n}", "IsA", f"thing {n}", 1.0) for n in range(count)]) for count in (1000, 2000)
    )
    # Two ends, a relation and two places of an edge; two offsets; labels and an id of some letters.
    assert 1.9 * small.nbytes < large.nbytes < 2.1 * small.nbytes
    assert small.nbytes > 1000 * (4 + 4 + 2 + 8 + 16 + 20)
