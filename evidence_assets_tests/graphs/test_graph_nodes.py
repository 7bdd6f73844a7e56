"""Concepts of a graph, and what they are found by."""

from __future__ import annotations

import pyarrow as pa
import pytest
from graph_samples import triple_table
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_assets.graphs.labels import lemma_form, normal_form
from evidence_assets.graphs.nodes import alias_rows, node_rows
from evidence_assets.lake.parquet import check_sorted, conform
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, Table


def checked(rows: pa.Table, table: Table) -> list[dict]:
    """The rows, which have the declared columns and are sorted and unique by the table's key."""
    assert conform(rows, table).equals(rows)
    check_sorted(rows.combine_chunks(), table, None)
    return rows.to_pylist()


def nodes_of(*ends: tuple[str, str]) -> pa.Table:
    return node_rows("kg", triple_table([(head, "IsA", tail, 1.0) for head, tail in ends]))


def aliases_of(*labels: str) -> set[tuple[str, str, str]]:
    """(alias, kind, label of the node)"""
    nodes = nodes_of(*((label, label) for label in labels))
    names = nodes.column("label").to_pylist()
    rows = checked(alias_rows(nodes), GRAPH_ALIASES)
    assert {row["kg"] for row in rows} <= {"kg"}
    return {(row["alias"], row["kind"], names[row["node"]]) for row in rows}


def test_nodes_are_numbered_in_the_order_of_labels() -> None:
    rows = checked(nodes_of(("pet", "cat"), ("Dog", "pet"), ("été", "zoo"), ("cat", "ça")), GRAPH_NODES)
    assert {row["kg"] for row in rows} == {"kg"}
    assert [(row["node"], row["label"], row["degree"]) for row in rows] == [
        (0, "Dog", 1),
        (1, "cat", 2),
        (2, "pet", 2),
        (3, "zoo", 1),
        (4, "ça", 1),
        (5, "été", 1),
    ]


def test_a_triple_of_a_node_with_itself_stands_there_once() -> None:
    rows = checked(
        nodes_of(("a", "a"), ("a", "a"), ("a", "b"), ("c", "c"), ("b", "a"), ("b", "d")), GRAPH_NODES
    )
    assert [(row["label"], row["degree"]) for row in rows] == [("a", 4), ("b", 3), ("c", 1), ("d", 1)]


def test_tables_in_pieces() -> None:
    whole = triple_table([("a", "IsA", "b", 1.0), ("b", "IsA", "b", 1.0), ("c", "IsA", "a", 1.0)])
    pieces = pa.concat_tables([whole.slice(0, 1), whole.slice(0, 0), whole.slice(1)])
    assert pieces.column("head").num_chunks == 3
    assert node_rows("kg", pieces).equals(node_rows("kg", whole))
    nodes = node_rows("kg", whole)
    parts = pa.concat_tables([nodes.slice(0, 2), nodes.slice(2)])
    assert alias_rows(parts).equals(alias_rows(nodes))


def test_nothing_has_no_nodes_and_no_aliases() -> None:
    empty = triple_table([]).select(["head", "tail"])
    for triples in (empty, pa.Table.from_batches([], schema=empty.schema)):
        nodes = node_rows("kg", triples)
        assert checked(nodes, GRAPH_NODES) == []
        assert checked(alias_rows(nodes), GRAPH_ALIASES) == []


# Among them many that sort, fold and split in their own ways.
labels = st.sampled_from(
    ["a", "b", "A", "the", "a window", "windows", "???", "é", "ÿ", "𝔸", "", " "]
) | st.text(max_size=4)


@settings(deadline=None)
@given(st.lists(st.tuples(labels, labels), max_size=20))
def test_degrees_are_counted(ends: list[tuple[str, str]]) -> None:
    nodes = nodes_of(*ends)
    names = sorted({label for pair in ends for label in pair}, key=str.encode)
    assert [(row["node"], row["label"], row["degree"]) for row in checked(nodes, GRAPH_NODES)] == [
        (number, name, sum(name in pair for pair in ends)) for number, name in enumerate(names)
    ]
    found = [(row["alias"], row["kind"], row["node"]) for row in checked(alias_rows(nodes), GRAPH_ALIASES)]
    normal = [(normal_form(name), "label", number) for number, name in enumerate(names)]
    lemmas = [(lemma_form(name), "lemma", number) for number, name in enumerate(names) if lemma_form(name)]
    assert found == sorted(normal + lemmas, key=lambda row: (row[0].encode(), row[1], row[2]))


def test_labels_and_lemmas_are_aliases() -> None:
    assert aliases_of("a window", "windows", "Window") == {
        ("a window", "label", "a window"),
        ("windows", "label", "windows"),
        ("window", "label", "Window"),
        ("window", "lemma", "a window"),
        ("window", "lemma", "windows"),
        ("window", "lemma", "Window"),
    }


@pytest.mark.parametrize("label", ["the", "to the", "someone", "???", "👍", "_"])
def test_labels_without_lemma_are_found_by_their_label_alone(label: str) -> None:
    assert aliases_of(label) == {(label, "label", label)}
