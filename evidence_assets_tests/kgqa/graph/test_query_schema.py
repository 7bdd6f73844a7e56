"""Schemas: as authored, as derived from a graph, and which nodes are of which types."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.graph.node_types import names_of_members, node_types, types_of
from evidence_assets.kgqa.graph.schema import THING, SchemaError, derived_schema, load_schema
from evidence_assets.text.verbalisation import CONCEPTNET, templates
from evidence_assets_tests.testing.query_samples import FILM_ROWS, FILM_SCHEMA, typed_graph


def test_an_authored_schema_is_read() -> None:
    schema = load_schema(FILM_SCHEMA, "films.yaml")
    assert list(schema.relations) == ["directed_by", "starred_actors", "has_genre"]
    assert schema.relations["starred_actors"].sentences == ("{tail} acts in {head}",)
    assert schema.types["person"] == ("who", "person")
    assert schema.ends("directed_by", False) == ("movie", "person")
    assert schema.ends("directed_by", True) == ("person", "movie")
    assert schema.type_names == ("movie", "person", "genre")
    assert [schema.has_type(name) for name in ("movie", "", THING, "town")] == [True, True, True, False]


RELATION = "relations: {r: {head: a, tail: a, sentences: ['{head} and {tail}']}}"
BAD = [
    ("types: {a: [b", "not YAML"),
    ("", "top level: the file is empty, or no mapping of names; remedy: begin with"),
    ("types: &a {a: *a}", "line 1, column 8: the value that begins here holds itself"),
    ("types: {a: [a]}", "relations: it is missing; remedy: add it"),
    ("types: {a: [a]}\nrelations: {}", "relations: there is none"),
    (f"types: {{a: []}}\n{RELATION}", "types.a: a type needs words"),
    (f"types: {{a: ['']}}\n{RELATION}", "types.a: a type needs words"),
    (f"types: {{a: [b, b]}}\n{RELATION}", "types.a: b stands twice"),
    (f"types: {{a: [1]}}\n{RELATION}", "types.a.0: 1 where text is expected; remedy: put it in quotes"),
    (f"types: {{a: [a], a: [b]}}\n{RELATION}", "line 1, column 17: a stands twice, first in line 1"),
    (f"types: {{0: [a]}}\n{RELATION}", "types: a name is read as 0, not as text; remedy: put it in quotes"),
    (f"types: {{b: [b]}}\n{RELATION}", r"relations.r.head: 'a' is no type; remedy: .* b, thing"),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: c, sentences: ['{head} {tail}']}}",
        "relations.r.tail: 'c' is no type",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a, sentences: []}}",
        "relations.r.sentences: there is none",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a, sentences: ['{head} x']}}",
        "relations.r.sentences: '{head} x' must hold {head} and {tail}",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a, sentences: ['{head} {tail} {x}']}}",
        "no other braces",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a, sentences: ['{head} {tail}', '{head} {tail}']}}",
        "one stands twice",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a, sentence: x, sentences: ['{head} {tail}']}}",
        "relations.r.sentence: there is no such field; remedy: is it sentences",
    ),
    (
        "types: {a: [a]}\nrelations: {r: {head: a, tail: a}}",
        "relations.r.sentences: it is missing; remedy: add it",
    ),
    (
        "types: {a: [a]}\nrelations: {'': {head: a, tail: a, sentences: ['{head} {tail}']}}",
        "a relation has no name",
    ),
    (f"types: {{'': [a]}}\n{RELATION}", "a type has no name"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_wrong_with_a_schema_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(SchemaError, match=message) as raised:
        load_schema(text, "films.yaml")
    assert str(raised.value).startswith("films.yaml: ")
    assert "remedy: " in str(raised.value)


def test_every_field_that_is_wrong_is_told_with_the_nearest_name() -> None:
    text = "typs: {a: [a]}\nrelations: {r: {haed: a, tail: a, sentences: ['{head} {tail}']}}"
    with pytest.raises(SchemaError) as raised:
        load_schema(text, "films.yaml")
    for problem in (
        "types: it is missing; remedy: add it",
        "typs: there is no such field; remedy: is it types?",
        "relations.r.head: it is missing; remedy: add it",
        "relations.r.haed: there is no such field; remedy: is it head?",
    ):
        assert problem in str(raised.value)
    assert "required" not in str(raised.value), "of the checking library's own words there are none"


def test_thing_need_not_be_stated() -> None:
    text = "types: {a: [a]}\nrelations: {r: {head: a, tail: thing, sentences: ['{head} {tail}']}}"
    assert load_schema(text, "x").relations["r"].tail_type == THING


def test_a_schema_is_derived_from_kinds_and_templates() -> None:
    rows = [("aspirin", "may_treat", "pain"), ("aspirin", "PartOf", "x"), ("ibuprofen", "may_treat", "y")]
    graph = typed_graph(rows)  # aspirin, ibuprofen, pain, x, y
    kinds = ["drug", "drug", "gene/protein", None, "disease"]
    schema = derived_schema(graph, kinds, {"may_treat": "{head} may treat {tail}"})
    treat, part = schema.relations["may_treat"], schema.relations["PartOf"]
    # Of equally many the first by name.
    assert (treat.head_type, treat.tail_type) == ("drug", "disease")
    assert treat.sentences == ("{head} may treat {tail}",)
    assert (part.head_type, part.tail_type) == ("drug", THING)
    assert part.sentences == ("{head} part of {tail}",)
    assert schema.types["gene/protein"] == ("gene protein",)
    types = node_types(graph, kinds, schema)
    assert types.names == ("disease", "drug", "gene/protein", THING)
    assert [types.of(node) for node in range(5)] == [
        ("drug",),
        ("drug",),
        ("gene/protein",),
        (),
        ("disease",),
    ]


def test_without_kinds_everything_is_a_thing() -> None:
    graph = typed_graph([("a", "IsA", "b"), ("b", "AtLocation", "c")])
    schema = derived_schema(graph, None, templates(CONCEPTNET))
    assert {relation.head_type for relation in schema.relations.values()} == {THING}
    assert schema.types == {THING: ("thing",)}
    assert schema.relations["IsA"].sentences == ("{head} is a {tail}",)
    types = node_types(graph, None, schema)
    assert types.members(THING).tolist() == [0, 1, 2]


def test_numbers_of_kinds_and_nodes_must_agree() -> None:
    graph = typed_graph([("a", "r", "b")])
    schema = derived_schema(graph, None, {})
    with pytest.raises(ValueError, match="graph kb: 1 kinds for 2 nodes"):
        derived_schema(graph, ["x"], {})
    with pytest.raises(ValueError, match="graph kb: 1 kinds for 2 nodes"):
        node_types(graph, ["x"], schema)


def test_members_are_named_from_all_over_a_type_and_fewer_where_types_are_many() -> None:
    graph = typed_graph([(f"n{place:04}", "r", f"n{place + 1:04}") for place in range(99)])
    schema = derived_schema(graph, ["town"] * 100, {})
    types = node_types(graph, ["town"] * 100, schema)
    assert names_of_members(graph, types, ["town"])["town"] == [f"n{place:04}" for place in range(0, 100, 5)]
    of_many = names_of_members(graph, types, ["town", *(f"kind {place}" for place in range(999))])
    assert of_many["town"] == ["n0000", "n0033", "n0066"]
    assert of_many["kind 0"] == []


def test_a_node_is_of_every_type_that_its_places_ask_for() -> None:
    rows = [*FILM_ROWS, ("Crime", "directed_by", "Heat")]
    graph = typed_graph(rows)
    types = node_types(graph, None, load_schema(FILM_SCHEMA, "films.yaml"))
    number = graph.labels.to_pylist().index
    assert types.of(number("Crime")) == ("movie", "genre")
    assert types.of(number("Heat")) == ("movie", "person")
    assert types.of(number("Alien")) == ("movie",)
    genres = np.array([number("Crime"), number("Alien")], dtype=np.int32)
    assert types.are(genres, "genre").tolist() == [True, False]
    assert types.are(genres, "").all()
    assert not types.are(genres, "town").any()
    assert types.members("genre").tolist() == sorted([number("Crime"), number("Horror")])
    assert not len(types.members("town"))
    assert types.knows("") and types.knows(THING) and not types.knows("town")


@given(st.data())
def test_types_are_the_masks_they_are_made_of(data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 40))
    rows = data.draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=2, max_size=2))
    masks = np.array(rows, dtype=np.bool_).reshape(2, size)
    types = types_of(("a", "b"), masks)
    all_nodes = np.arange(size, dtype=np.int32)
    for name, mask in zip("ab", masks, strict=True):
        assert types.are(all_nodes, name).tolist() == mask.tolist()
        assert types.members(name).tolist() == np.flatnonzero(mask).tolist()
    for node in range(size):
        assert types.of(node) == tuple(name for name, mask in zip("ab", masks, strict=True) if mask[node])
