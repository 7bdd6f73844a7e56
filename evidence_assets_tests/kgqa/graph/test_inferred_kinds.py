"""Kinds of nodes that a graph does not tell: inferred from the ends of its relations."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.inferred_kinds import inferred_kinds
from evidence_assets.kgqa.queries.algebra import Typed
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.stages.withholding import Source
from evidence_assets_tests.testing.query_samples import typed_graph
from evidence_assets_tests.testing.railway_questions import outcome, railway, railway_of, read

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


def kinds_of(rows: list[tuple[str, str, str]]) -> dict[str, str | None]:
    graph = typed_graph(rows)
    return dict(zip(graph.labels.to_pylist(), inferred_kinds(graph) or [], strict=True))


@cache
def bakery() -> KnowledgeBase:
    return railway_of(ROWS, typed=False)


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


def test_types_that_a_graph_tells_stay() -> None:
    assert len(railway().executor.nodes(Typed("company"))) == 4


@pytest.mark.parametrize("rows", [[], [("a", "knows", "b"), ("b", "knows", "a")]])
def test_where_all_ends_are_alike_nothing_is_of_a_kind(rows: list[tuple[str, str, str]]) -> None:
    assert inferred_kinds(typed_graph(rows)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was baked by Ines?", ["Rye Loaf", "Sunday Bun"]),
        ("Which category is the Plait of?", ["bread"]),
        ("Who baked the Plait?", ["Omar"]),
    ],
)
def test_graphs_without_types_are_asked_with_nouns_and_either_way(text: str, expected: list[str]) -> None:
    assert outcome(read(text, bakery()), bakery()) == expected


def test_a_query_of_an_inferred_kind_is_evaluated_by_the_base_and_told_types_stay_none() -> None:
    reading = read("Which category is the Plait of?", bakery())
    assert reading.query is not None
    assert bakery().executor.nodes(reading.query.of).tolist() == reading.nodes.tolist()
    assert bakery().types.names == ("thing",)


def test_an_inferred_kind_is_the_same_where_triples_are_withheld() -> None:
    reading = read("Who baked the Plait?", bakery())
    assert reading.query is not None
    ids, heads = bakery().graph.triple_ids.to_pylist(), bakery().graph.heads.tolist()
    label = bakery().graph.labels.to_pylist()
    of_rye = [key for key, head in zip(ids, heads, strict=True) if label[head] == "Rye Loaf"]
    fewer = bakery().without([Source("triples", key) for key in of_rye])
    kinds = inferred_kinds(bakery().graph) or []
    kind = Typed(kinds[label.index("Ines")] or "")
    assert fewer.executor.nodes(kind).tolist() == bakery().executor.nodes(kind).tolist()
    assert fewer.executor.nodes(reading.query.of).tolist() == reading.nodes.tolist()
