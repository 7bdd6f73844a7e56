"""A first schema of a graph, to be reworded."""

from __future__ import annotations

import pyarrow as pa
import pytest

from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.kgqa.graph.schema import THING, Schema, load_schema
from evidence_assets.kgqa.graph.schema_draft import schema_draft

Triple = tuple[str, str, str]


def graph_of(*triples: Triple) -> Graph:
    """Return a graph whose nodes are the ends of triples."""
    heads, relations, tails = zip(*triples, strict=True)
    labels = sorted({*heads, *tails})
    rows = {
        "triple_id": [str(place) for place in range(len(triples))],
        "head": heads,
        "relation": relations,
        "tail": tails,
        "weight": [1.0] * len(triples),
    }
    return build_graph("pubs", pa.table(rows), pa.table({"label": labels}))


def drafted(*triples: Triple, kinds: dict[str, str] | None = None, **written: str) -> Schema:
    """Return the schema that the draft of a graph is."""
    graph = graph_of(*triples)
    node_kinds = [(kinds or {}).get(label) for label in graph.labels.to_pylist()]
    return load_schema(schema_draft(graph, node_kinds, written), "draft")


@pytest.mark.parametrize(
    ("relation", "tail", "sentences"),
    [
        ("brewed_by", "Quillby", ["{head} was brewed by {tail}"]),
        ("locatedIn", "Leeds", ["{head} is located in {tail}"]),
        ("built_in", "1904", ["{head} was built in {tail}"]),
        ("founded_year", "1904", ["{head} was founded in {tail}"]),
        ("year_decided", "1904", ["{head} was decided in {tail}"]),
        ("launch_year", "1904", ["the launch of {head} is {tail}"]),
        ("treats", "Gout", ["{head} treats {tail}"]),
        ("lies_in", "Chile", ["{head} lies in {tail}"]),
        ("was taught by", "Ada", ["{head} was taught by {tail}"]),
        ("member_of", "Elks", ["{head} is a member of {tail}"]),
        ("libretto by", "Ada", ["the libretto of {head} is by {tail}"]),
        ("owner", "Ada", ["the owner of {head} is {tail}", "{tail} is the owner of {head}"]),
        ("weight_kg", "12.5", ["the weight of {head} is {tail} kg"]),
        ("seat_count", "120", ["the seat count of {head} is {tail}"]),
        ("from_grain", "Rye", ["{head} is from the grain {tail}"]),
        ("in_year", "1904", ["{head} is in {tail}"]),
        ("damages_eur", "12500.5", ["the damages of {head} is {tail} eur"]),
    ],
)
def test_a_relation_s_name_is_read_out(relation: str, tail: str, sentences: list[str]) -> None:
    [described] = drafted(("Old Weir", relation, tail)).relations.values()
    assert list(described.sentences) == sentences


def test_a_sentence_that_is_written_already_is_kept() -> None:
    schema = drafted(("Kestrel", "tap", "Stout"), tap="{head} pours {tail}")
    assert schema.relations["tap"].sentences == ("{head} pours {tail}",)


def test_an_end_is_of_a_type_that_all_its_nodes_have() -> None:
    kinds = {"Kestrel": "pub", "Quillby": "brewery", "Leeds": "town"}
    schema = drafted(("Kestrel", "located_in", "Leeds"), ("Quillby", "located_in", "Leeds"), kinds=kinds)
    [described] = schema.relations.values()
    assert (described.head_type, described.tail_type) == (THING, "town")
    assert schema.types == {"brewery": ("brewery",), "pub": ("pub",), "town": ("town",)}


def test_a_graph_without_types_has_none_in_its_draft() -> None:
    schema = drafted(("Kestrel", "owner", "Ada"))
    assert not schema.types
    assert schema.relations["owner"].head_type == THING


@pytest.mark.parametrize(
    "name", ["no", "a: b", "#1", "is 'part' of", '"quoted"', "Tür", "{x}", "12", "- a", "a\x7fb", "a\u2028b"]
)
def test_names_that_mean_something_to_yaml_are_kept(name: str) -> None:
    graph = graph_of(("a\nb\x07 # c", name, "d"))
    schema = load_schema(schema_draft(graph, [name, name], {name: "{head} has {tail}"}), "draft")
    assert [*schema.relations] == [*schema.types] == [name]


def test_each_relation_stands_beside_one_of_its_triples() -> None:
    text = schema_draft(graph_of(("Kestrel", "owner", "Ada"), ("Swan", "owner", "Ben")), [None] * 4, {})
    assert "  owner:  # 2, such as Kestrel - Ada\n" in text


def test_a_kind_that_no_noun_names_is_numbered_beside_its_members() -> None:
    graph = graph_of(("Kestrel", "owner", "Ada"), ("Swan", "owner", "Ben"))
    kind_of = {
        "Kestrel": "such as kestrel, swan",
        "Swan": "such as kestrel, swan",
        "Ada": "owner",
        "Ben": "owner",
    }
    text = schema_draft(graph, [kind_of[label] for label in graph.labels.to_pylist()], {})
    assert "  # such as kestrel, swan: name it as people call these\n" in text
    schema = load_schema(text, "draft")
    assert schema.types == {"kind_1": ("kind 1",), "owner": ("owner",)}
    assert schema.relations["owner"].head_type == "kind_1"
