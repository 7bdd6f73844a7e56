"""Concepts of a graph, and what they are found by."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.merging import Merger
from evidence_assets.graphs.concepts.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.lake.declared_rows import check_sorted, conform
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_CONCEPTS, GRAPH_NODES, Table
from evidence_assets.sources.records import ConceptRecord
from evidence_assets.text.normal_forms import lemma_form, normal_form
from evidence_assets_tests.testing.graph_samples import triple_table


def checked(rows: pa.Table, table: Table) -> list[dict[str, Any]]:
    """The rows, which have the declared columns and are sorted and unique by the table's key."""
    assert conform(rows, table).equals(rows)
    check_sorted(rows.combine_chunks(), table, None)
    checked_rows: list[dict[str, Any]] = rows.to_pylist()
    return checked_rows


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
    assert {row["kind"] for row in rows} == {""}
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


def test_tables_in_pieces_give_the_same_nodes() -> None:
    triples = triple_table([("a", "IsA", "b", 1.0), ("b", "IsA", "b", 1.0), ("c", "IsA", "a", 1.0)])
    pieces = pa.concat_tables([triples.slice(0, 1), triples.slice(0, 0), triples.slice(1)])
    assert pieces.column("head").num_chunks == 3
    assert node_rows("kg", pieces).equals(node_rows("kg", triples))
    nodes = node_rows("kg", triples)
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


@given(st.lists(st.tuples(labels, labels), max_size=20))
def test_degrees_are_counted(ends: list[tuple[str, str]]) -> None:
    nodes = nodes_of(*ends)
    names = sorted({label for pair in ends for label in pair}, key=str.encode)
    assert [(row["node"], row["label"], row["degree"]) for row in checked(nodes, GRAPH_NODES)] == [
        (number, name, sum(name in pair for pair in ends)) for number, name in enumerate(names)
    ]
    aliases = [(row["alias"], row["kind"], row["node"]) for row in checked(alias_rows(nodes), GRAPH_ALIASES)]
    normal = [(normal_form(name), "label", number) for number, name in enumerate(names)]
    lemmas = [(lemma_form(name), "lemma", number) for number, name in enumerate(names) if lemma_form(name)]
    assert aliases == sorted(normal + lemmas, key=lambda row: (row[0].encode(), row[1], row[2]))


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


# --- described concepts


def described(*records: tuple[str, ConceptRecord]) -> pa.Table:
    return concept_rows("kg", Merger(records).concepts)


def named(label: str, *synonyms: str, kind: str = "") -> ConceptRecord:
    return ConceptRecord(f"A:{label}", label, synonyms, kind=kind)


def test_everything_that_sources_say_of_a_concept_is_in_its_row() -> None:
    rows = described(
        ("one", ConceptRecord("D:1", "gout", ("podagra",), ("M:1",), "", "", "line 7")),
        ("one", ConceptRecord("D:0", "Été", record="line 8")),
        ("two", ConceptRecord("D:1", "Gout", ("podagra",), ("M:0",), "Crystals.", "disease", "row 3")),
    )
    assert checked(rows, GRAPH_CONCEPTS) == [
        {
            "kg": "kg",
            "label": "gout",
            "keys": ["D:1"],
            "kind": "disease",
            "definition": "Crystals.",
            "names": [
                {"name": "gout", "sources": ["one"]},
                {"name": "podagra", "sources": ["one", "two"]},
                {"name": "Gout", "sources": ["two"]},
            ],
            "cross_references": ["M:0", "M:1"],
            "records": ["one, line 7", "two, row 3"],
        },
        {
            "kg": "kg",
            "label": "Été",
            "keys": ["D:0"],
            "kind": "",
            "definition": "",
            "names": [{"name": "Été", "sources": ["one"]}],
            "cross_references": [],
            "records": ["one, line 8"],
        },
    ]
    assert checked(described(), GRAPH_CONCEPTS) == []


def test_a_nodes_kind_is_its_concepts() -> None:
    triples = triple_table([("gout", "IsA", "disease", 1.0), ("colchicine", "may_treat", "gout", 1.0)])
    concepts = described(
        ("one", named("gout", kind="disease")),
        ("one", named("colchicine", kind="drug")),
        # No triple names it: a node is the end of one.
        ("one", named("scurvy", kind="disease")),
        ("one", named("Disease", kind="class")),
    )
    rows = checked(node_rows("kg", triples, concepts), GRAPH_NODES)
    assert [(row["label"], row["degree"], row["kind"]) for row in rows] == [
        ("colchicine", 1, "drug"),
        ("disease", 1, ""),
        ("gout", 2, "disease"),
    ]
    for no_concepts in (None, described()):
        assert {row["kind"] for row in checked(node_rows("kg", triples, no_concepts), GRAPH_NODES)} == {""}


def aliases_with(concepts: pa.Table, *labels: str) -> set[tuple[str, str, str]]:
    """(alias, kind, label of the node)"""
    triples = triple_table([(label, "IsA", label, 1.0) for label in labels])
    nodes = node_rows("kg", triples, concepts)
    names = nodes.column("label").to_pylist()
    rows = checked(alias_rows(nodes, concepts), GRAPH_ALIASES)
    assert {row["kg"] for row in rows} <= {"kg"}
    return {(row["alias"], row["kind"], names[row["node"]]) for row in rows}


def test_synonyms_are_aliases_by_their_normal_form_and_their_lemmas() -> None:
    concepts = described(("one", named("gout", "Gouty-Arthritis", "the Podagras")))
    assert aliases_with(concepts, "gout") == {
        ("gout", "label", "gout"),
        ("gout", "lemma", "gout"),
        ("gouty arthritis", "synonym", "gout"),
        ("gouty arthritis", "lemma", "gout"),
        ("the podagras", "synonym", "gout"),
        (lemma_form("the Podagras"), "lemma", "gout"),
    }
    assert lemma_form("the Podagras") not in ("", "the podagras")


@pytest.mark.parametrize("name", ["CM", "B", "HIV-1", "T2DM"])
def test_short_names_in_capitals_are_aliases_as_they_are_written(name: str) -> None:
    concepts = described(("one", named("a disease", name)))
    of_name = aliases_with(concepts, "a disease") - aliases_of("a disease")
    assert of_name == {(name, "abbreviation", "a disease")}


@pytest.mark.parametrize("name", ["Cm", "cm", "HIV-10", "AIDS HIV", "12", "G6PDs"])
def test_other_names_are_synonyms(name: str) -> None:
    concepts = described(("one", named("a disease", name)))
    kinds = {(alias, kind) for alias, kind, _ in aliases_with(concepts, "a disease")}
    assert (normal_form(name), "synonym") in kinds
    assert "abbreviation" not in {kind for _, kind in kinds}


def test_a_label_is_a_label_however_short() -> None:
    assert aliases_with(described(("one", named("HIV"))), "HIV") == aliases_of("HIV")


def test_a_name_of_two_concepts_leads_to_both_and_of_none_to_nothing() -> None:
    concepts = described(
        ("one", named("rhinitis", "cold")),
        ("one", named("chill", "cold", "Cold")),
        ("one", named("low temperature", "cold")),
    )
    aliases = aliases_with(concepts, "rhinitis", "chill", "cold", "fever")
    assert {(kind, node) for alias, kind, node in aliases if alias == "cold"} == {
        ("label", "cold"),
        ("lemma", "cold"),
        ("synonym", "rhinitis"),
        ("synonym", "chill"),
        ("lemma", "rhinitis"),
        ("lemma", "chill"),
    }
    # What no triple names is no node; what no source describes has its label alone.
    assert "low temperature" not in {node for *_, node in aliases}
    assert {alias for alias, _, node in aliases if node == "fever"} == {"fever"}


def test_a_synonym_without_a_word_has_no_lemma() -> None:
    aliases = aliases_with(described(("one", named("gout", "the", "???"))), "gout")
    assert {(alias, kind) for alias, kind, _ in aliases if alias != "gout"} == {
        ("the", "synonym"),
        ("???", "synonym"),
    }


@given(
    labels_=st.lists(labels, min_size=1, max_size=5, unique=True),
    synonyms=st.lists(st.tuples(st.integers(0, 4), labels), max_size=10),
)
def test_every_name_of_a_node_is_an_alias(labels_: list[str], synonyms: list[tuple[int, str]]) -> None:
    of_label: dict[str, list[str]] = {label: [] for label in labels_}
    for place, synonym in synonyms:
        of_label[labels_[place % len(labels_)]].append(synonym)
    concepts = described(*(("one", named(label, *names)) for label, names in of_label.items()))
    aliases = aliases_with(concepts, *labels_)
    assert {row for row in aliases if row[1] == "label"} == {
        (normal_form(label), "label", label) for label in labels_
    }
    expected = {
        (normal_form(name), "synonym", label)
        for label, names in of_label.items()
        for name in names
        if name != label and not (len(name) <= 5 and name.isupper()) and normal_form(name)
    }
    assert {row for row in aliases if row[1] == "synonym"} == expected
    lemmas = {
        (lemma_form(name), "lemma", label)
        for label, names in of_label.items()
        for name in (label, *names)
        if lemma_form(name) and (name == label or not (len(name) <= 5 and name.isupper()))
    }
    assert {row for row in aliases if row[1] == "lemma"} == lemmas
