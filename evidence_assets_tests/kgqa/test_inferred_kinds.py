"""Kinds of nodes that a graph does not tell: inferred from the ends of its relations."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.inferred_kinds import kinds_or_inferred
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.node_types import node_types
from evidence_assets.kgqa.schema import derived_schema
from evidence_assets_tests.kgqa.test_question_reading import read, told
from evidence_assets_tests.testing.query_samples import typed_graph

# A bakery's notes, as somebody keeps them who gives nothing a type.
ROWS = [
    ("Rye Loaf", "baked by", "Ines"),
    ("Plait", "baked by", "Omar"),
    ("Sunday Bun", "baked by", "Ines"),
    ("Rye Loaf", "contains", "rye flour"),
    ("Plait", "contains", "wheat flour"),
    ("Sunday Bun", "contains", "wheat flour"),
    ("Sunday Bun", "contains", "poppy seed"),
    ("Rye Loaf", "category", "bread"),
    ("Plait", "category", "bread"),
    ("Sunday Bun", "category", "pastry"),
    ("Ines", "lives in", "Porto"),
    ("Omar", "lives in", "Brno"),
    ("Rye Loaf", "weight_g", "800"),
    ("Plait", "weight_g", "450"),
]


def kinds_of(
    rows: list[tuple[str, str, str]], told_kinds: list[str | None] | None = None
) -> dict[str, str | None]:
    graph = typed_graph(rows)
    labels = graph.labels.to_pylist()
    kinds = kinds_or_inferred(graph, told_kinds or [None] * len(labels))
    return dict(zip(labels, kinds, strict=True))


@cache
def bakery() -> KnowledgeBase:
    graph = typed_graph(ROWS)
    kinds = kinds_or_inferred(graph, [None] * len(graph.labels))
    schema = derived_schema(graph, kinds, {})
    return KnowledgeBase(graph, schema, node_types(graph, kinds, schema), {})


def test_ends_that_share_their_nodes_are_of_one_kind_and_others_of_others() -> None:
    kinds = kinds_of(ROWS)
    assert kinds["Rye Loaf"] == kinds["Plait"] == kinds["Sunday Bun"]
    assert kinds["Ines"] == kinds["Omar"]
    assert len({kinds["Rye Loaf"], kinds["Ines"], kinds["rye flour"], kinds["Porto"], kinds["bread"]}) == 5


def test_a_kind_is_called_by_the_noun_that_leads_to_it_else_by_its_members() -> None:
    kinds = kinds_of(ROWS)
    assert kinds["bread"] == "category"
    assert kinds["Ines"] == "such as ines, omar"


def test_numbers_are_of_no_kind() -> None:
    assert kinds_of(ROWS)["800"] is None


def test_kinds_that_are_told_stay() -> None:
    graph = typed_graph(ROWS)
    kinds = ["loaf", *[None] * (len(graph.labels) - 1)]
    assert kinds_or_inferred(graph, kinds) is kinds


@pytest.mark.parametrize("rows", [[], [("a", "knows", "b"), ("b", "knows", "a")]])
def test_where_all_ends_are_alike_nothing_is_of_a_kind(rows: list[tuple[str, str, str]]) -> None:
    assert set(kinds_of(rows).values()) <= {None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was baked by Ines?", ["Rye Loaf", "Sunday Bun"]),
        ("Which category is the Plait of?", ["bread"]),
        ("Who baked the Plait?", ["Omar"]),
    ],
)
def test_graphs_without_types_are_asked_with_nouns_and_either_way(text: str, expected: list[str]) -> None:
    assert told(read(text, bakery()), bakery()) == expected
