"""A graph out of the lake."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.concepts.triples import TripleCollector
from evidence_assets.graphs.graph import BrokenGraphError
from evidence_assets.graphs.loaders import check_numbers, open_graph, open_linker, triples_of
from evidence_assets.lake.lake import Lake, MissingPartitionError
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, TRIPLES
from evidence_assets.sources.records import Triple, TripleSource

STATED = {
    "pets": [("cat", "IsA", "pet"), ("dog", "IsA", "pet"), ("dog", "HasA", "fur")],
    "stones": [("lead", "IsA", "metal")],
}


def write_triples(lake: Lake, kg: str, triples: list[tuple[str, str, str]]) -> pa.Table:
    collector = TripleCollector(kg, {"IsA": "", "HasA": ""})
    collector.add(
        (
            Triple(*triple, sources=(TripleSource("", f"line {line}", ""),))
            for line, triple in enumerate(triples)
        ),
        "s",
        "CC0",
    )
    pieces = []
    for relation, rows in collector.tables():
        lake.write(TRIPLES, {"kg": kg, "relation": relation}, rows)
        pieces.append(rows)
    return pa.concat_tables(pieces)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(str(tmp_path))
    for kg, triples in STATED.items():
        nodes = node_rows(kg, write_triples(lake, kg, triples))
        lake.write(GRAPH_NODES, {"kg": kg}, nodes)
        lake.write(GRAPH_ALIASES, {"kg": kg}, alias_rows(nodes))
    return lake


@pytest.mark.parametrize("kg", STATED)
def test_a_graph_is_its_own_triples_of_every_relation(lake: Lake, kg: str) -> None:
    graph = open_graph(lake, kg)
    assert graph.name == kg
    assert {graph.triple(edge) for edge in range(len(graph.triple_ids))} == set(STATED[kg])
    rows = triples_of(lake, kg, ["triple_id", "head"])
    assert rows.column_names == ["triple_id", "head"]
    assert rows.column("triple_id").to_pylist() == graph.triple_ids.to_pylist()


def test_a_linker_finds_a_graphs_own_names_but_for_those_that_are_not_to_be_linked(lake: Lake) -> None:
    pets = open_linker(lake, "pets")
    assert [link.node for link in pets.by_form(["dog", "lead"])["dog"]] == [1]
    assert "lead" not in pets.by_form(["lead"])
    assert "lead" in open_linker(lake, "stones").by_form(["lead"])
    assert "lead" not in open_linker(lake, "stones", unlinked=["LEAD"]).by_form(["lead"])


def test_what_was_never_built_is_named(lake: Lake) -> None:
    for opened in (open_graph, open_linker):
        with pytest.raises(MissingPartitionError, match="kg=birds"):
            opened(lake, "birds")


def test_nodes_older_than_the_triples_are_refused(lake: Lake) -> None:
    write_triples(lake, "pets", [*STATED["pets"], ("emu", "IsA", "bird")])
    with pytest.raises(BrokenGraphError, match="graph pets: 1 triples name a concept that is no node"):
        open_graph(lake, "pets")


def numbered(*nodes: tuple[int, str]) -> pa.Table:
    schema = pa.schema({"node": pa.int32(), "label": pa.string()})
    return pa.Table.from_pylist([{"node": node, "label": label} for node, label in nodes], schema=schema)


def test_rows_of_a_graph_that_stands_belong_to_it_and_so_do_no_rows(lake: Lake) -> None:
    pets = open_graph(lake, "pets")
    check_numbers(pets, numbered((0, "cat"), (1, "dog")), "question_concepts")
    check_numbers(pets, numbered(), "question_concepts")


@pytest.mark.parametrize("row", [(0, "dog"), (99, "cat")])
def test_a_row_of_a_graph_rebuilt_since_is_named_with_its_remedy(lake: Lake, row: tuple[int, str]) -> None:
    with pytest.raises(BrokenGraphError, match="materialise question_concepts"):
        check_numbers(open_graph(lake, "pets"), numbered((1, "dog"), row), "question_concepts")
