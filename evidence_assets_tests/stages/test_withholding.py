from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.lake.schemas import QUESTIONS, RANKED_CHUNKS, REASONING_PATHS, RETRIEVED_FACTS, TRIPLES
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.inputs import Inputs, RunCache
from evidence_assets.stages.withholding import Source, Variant, Variants
from evidence_assets_tests.testing.stage_samples import World
from evidence_assets_tests.testing.table_rows import table_of


def variants(*withheld: Source) -> Variants:
    return Variants([Variant("q1", "q1#1", frozenset()), Variant("q1", "q1#2", frozenset(withheld))])


def row_pairs(table: pa.Table, column: str) -> list[tuple[str, str]]:
    return list(zip(table.column("question_id").to_pylist(), table.column(column).to_pylist(), strict=True))


def test_rows_of_a_question_are_those_of_each_of_its_variants_in_their_order() -> None:
    rows = table_of(
        RANKED_CHUNKS,
        *(
            {"question_id": key, "chunk_id": chunk, "rank": 1}
            for key, chunk in (("q0", "x"), ("q1", "b"), ("q1", "a"))
        ),
    )
    variant_rows = variants(Source("articles", "whatever")).rows(RANKED_CHUNKS, rows)
    assert row_pairs(variant_rows, "chunk_id") == [("q1#1", "b"), ("q1#1", "a"), ("q1#2", "b"), ("q1#2", "a")]


def test_a_path_that_is_withheld_goes_and_its_triples_stay() -> None:
    rows = table_of(
        REASONING_PATHS,
        {"question_id": "q1", "path_id": "p1", "triple_ids": ["t1"]},
        {"question_id": "q1", "path_id": "p2", "triple_ids": ["t1"]},
    )
    variant_rows = variants(Source("reasoning_paths", "p1")).rows(REASONING_PATHS, rows)
    assert row_pairs(variant_rows, "path_id") == [("q1#1", "p1"), ("q1#1", "p2"), ("q1#2", "p2")]


def test_a_triple_that_is_withheld_goes_with_every_fact_that_holds_it() -> None:
    rows = table_of(
        RETRIEVED_FACTS,
        {"question_id": "q1", "fact_id": "t1", "triple_ids": ["t1"]},
        {"question_id": "q1", "fact_id": "p1", "triple_ids": ["t2", "t1"]},
        {"question_id": "q1", "fact_id": "t2", "triple_ids": ["t2"]},
    )
    variant_rows = variants(Source("triples", "t1")).rows(RETRIEVED_FACTS, rows)
    assert row_pairs(variant_rows, "fact_id")[3:] == [("q1#2", "t2")]


def test_a_table_that_names_no_question_is_handed_as_it_is() -> None:
    rows = table_of(TRIPLES, {"triple_id": "t1"})
    assert variants(Source("triples", "t1")).rows(TRIPLES, rows) is rows


def test_two_variants_of_one_id_are_refused() -> None:
    with pytest.raises(ValueError, match="one id"):
        Variants([Variant("q1", "v", frozenset()), Variant("q2", "v", frozenset())])


def test_inputs_of_variants_read_the_variants_and_note_what_was_read(tmp_path: Path) -> None:
    from evidence_assets.lake.lake import Lake

    world = World(Lake(str(tmp_path / "lake")), tmp_path)
    world.make("questions")
    place = {"benchmark": "first"}
    stage = world.stage("question_concepts")
    inputs = Inputs(world.lake, world.graph, stage, Key("first"), RunCache())
    [question_id] = inputs.read(QUESTIONS, place, ["question_id"]).column("question_id").to_pylist()
    gone = Source("articles", "a1")
    variant_inputs = inputs.of_variants(
        Variants([Variant(question_id, "v1", frozenset()), Variant(question_id, "v2", frozenset([gone]))])
    )
    assert variant_inputs.read(QUESTIONS, place, ["question_id"]).column("question_id").to_pylist() == [
        "v1",
        "v2",
    ]
    # A column that tells the variants apart is read though nobody asks for it.
    assert variant_inputs.read(QUESTIONS, place, ["question"]).column_names == ["question"]
    assert variant_inputs.read(QUESTIONS, place, ["question"]).num_rows == 2
    assert variant_inputs.withheld("v1") == frozenset()
    assert variant_inputs.withheld("v2") == {gone}
    assert inputs.withheld(question_id) == frozenset()
    assert variant_inputs.versions == inputs.versions
    # What is cached belongs to all variants alike.
    assert variant_inputs.cached("all", lambda of_all: of_all.read(QUESTIONS, place).num_rows) == 1
