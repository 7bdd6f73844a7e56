"""A first schema of a graph at the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.cli.draft_schema import hint_of_schema
from evidence_assets.cli.main import main
from evidence_assets.config.configuration import load_project
from evidence_assets.kgqa.graph.schema import load_schema
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GRAPH_NODES, TRIPLES
from evidence_assets_tests.testing.commands import failed
from evidence_assets_tests.testing.configuration_samples import configuration, written
from evidence_assets_tests.testing.table_rows import table_of


@pytest.fixture
def made(folder: Path) -> Path:
    """A project whose graph has a triple."""
    lake, ends = Lake(str(folder / "lake")), ("rodent", "vole")
    nodes = [
        {"kg": "facts", "node": node, "label": label, "degree": 1, "kind": "animal"}
        for node, label in enumerate(ends)
    ]
    triple = {"triple_id": "t", "kg": "facts", "head": "vole", "relation": "eaten_by", "tail": "rodent"}
    lake.write(GRAPH_NODES, {"kg": "facts"}, table_of(GRAPH_NODES, *nodes))
    lake.write(TRIPLES, {"kg": "facts", "relation": "eaten_by"}, table_of(TRIPLES, {**triple, "weight": 1.0}))
    return folder


def test_the_draft_is_a_schema_that_says_what_to_do_with_it(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["draft-schema", "facts"]) == 0
    text = capsys.readouterr().out
    assert "graphs: facts: templates: this file" in text
    schema = load_schema(text, "draft")
    assert schema.types == {"animal": ("animal",)}
    assert schema.relations["eaten_by"].sentences == ("{head} was eaten by {tail}",)
    assert "draft-schema facts" in hint_of_schema(load_project(), "facts")


def test_types_are_inferred_where_no_node_has_a_kind(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = Lake(str(folder / "lake"))
    labels = ("hawk", "heron", "shrew", "vole", "pond", "wood")
    nodes = [{"kg": "facts", "node": n, "label": label, "degree": 1} for n, label in enumerate(labels)]
    lake.write(GRAPH_NODES, {"kg": "facts"}, table_of(GRAPH_NODES, *nodes))
    rows = {
        "eaten_by": [("vole", "hawk"), ("shrew", "heron")],
        "home": [("vole", "wood"), ("shrew", "pond")],
    }
    for relation, pairs in rows.items():
        triples = [
            {
                "triple_id": head + tail,
                "kg": "facts",
                "head": head,
                "relation": relation,
                "tail": tail,
                "weight": 1.0,
            }
            for head, tail in pairs
        ]
        lake.write(TRIPLES, {"kg": "facts", "relation": relation}, table_of(TRIPLES, *triples))
    assert main(["draft-schema", "facts"]) == 0
    schema = load_schema(capsys.readouterr().out, "draft")
    relations = schema.relations
    assert relations["home"].tail_type == "home"
    assert relations["eaten_by"].head_type == relations["home"].head_type != "thing"
    assert set(schema.types) == {"home", relations["home"].head_type, relations["eaten_by"].tail_type}


def test_a_graph_with_a_schema_has_no_draft(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = configuration()
    content["graphs"]["facts"]["templates"] = "facts.yaml"
    text = "types: {}\nrelations: {eaten_by: {head: thing, tail: thing, sentences: ['{head} by {tail}']}}"
    (made / "facts.yaml").write_text(text, encoding="utf-8")
    written(made, content)
    assert not hint_of_schema(load_project(), "facts")
    assert failed(capsys, "draft-schema", "facts") == (
        1,
        f"graph facts has a schema, {made}/facts.yaml; remedy: reword that one\n",
    )


def test_a_graph_that_is_unknown_or_was_never_made_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed(capsys, "draft-schema", "fact") == (
        2,
        f"no graph 'fact'; the nearest: facts\n{folder}/sources.yaml names facts\n",
    )
    assert failed(capsys, "draft-schema", "facts") == (
        1,
        "graph facts is not made yet; remedy: evidence-assets prepare --graph facts\n",
    )
