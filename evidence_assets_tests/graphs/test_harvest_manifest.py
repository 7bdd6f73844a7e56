"""What a harvested graph consists of, states and reads out; and what is retired of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.graphs.harvest_manifest import (
    harvested_statements,
    harvested_templates,
    manifest_rows,
    retired_partitions,
)
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    HARVESTED_TRIPLES,
    HARVESTS,
    PROMPT_CAPTURES,
    RELATION_PROMPTS,
    RELATION_SEEDS,
)
from evidence_assets.sources.records import Triple, TripleSource
from evidence_assets_tests.testing.table_rows import table_of


def mined(arm: str, relation: str, head: str) -> pa.Table:
    prompts = [{"prompt": "a fox is here", "log_probability": -1.0, "found": True}]
    row: dict[str, Any] = {"kg": arm, "relation": relation, "triple_id": f"{arm} {relation} {head}"}
    row |= {"head": head, "tail": "animal", "confidence": 0.25, "prompts": prompts, "model_id": "model"}
    return table_of(HARVESTED_TRIPLES, row)


def seeds(relation: str) -> pa.Table:
    template, seed_hash = f"{{head}} {relation} {{tail}}", f"seed of {relation}"
    return table_of(RELATION_SEEDS, {"relation": relation, "template": template, "seed_hash": seed_hash})


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    lake = Lake(str(tmp_path / "lake"))
    for relation in ("IsA", "PartOf"):
        place = {"relation": relation}
        lake.write(RELATION_SEEDS, place, seeds(relation))
        lake.write(RELATION_PROMPTS, place, RELATION_PROMPTS.schema.empty_table())
        for table in (CANDIDATE_PAIRS, PROMPT_CAPTURES):
            lake.write(table, {"search": "both", **place}, table.schema.empty_table())
        for arm in ("first", "second"):
            lake.write(HARVESTED_TRIPLES, {"kg": arm, **place}, mined(arm, relation, "fox"))
    return lake


def test_a_manifest_holds_the_current_relations_with_what_each_was_made_from(lake: Lake) -> None:
    [row] = manifest_rows(lake, "first", "both", ["IsA", "Orbits"]).to_pylist()
    place = {"kg": "first", "relation": "IsA"}
    assert row == {
        **place,
        "triples": 1,
        "triples_hash": lake.version(HARVESTED_TRIPLES, place).content_hash,
        "captures_hash": lake.version(PROMPT_CAPTURES, {"search": "both", "relation": "IsA"}).content_hash,
        "seed_hash": "seed of IsA",
        "model_id": "model",
    }


def test_a_relation_without_a_seed_file_is_retired_everywhere_but_in_other_harvests(lake: Lake) -> None:
    gone = [(removed.table, removed.place) for removed in retired_partitions(lake, "first", ["IsA"])]
    place = {"relation": "PartOf"}
    assert gone == [
        (RELATION_SEEDS, place),
        (RELATION_PROMPTS, place),
        (CANDIDATE_PAIRS, {"search": "both", **place}),
        (PROMPT_CAPTURES, {"search": "both", **place}),
        (HARVESTED_TRIPLES, {"kg": "first", **place}),
    ]
    assert retired_partitions(lake, "first", ["IsA", "PartOf"]) == []


def test_what_a_harvest_states_and_how_it_is_read_out(lake: Lake) -> None:
    lake.write(HARVESTS, {"kg": "first"}, manifest_rows(lake, "first", "both", ["IsA", "PartOf"]))
    source = TripleSource("first", "a fox is here", "mined from model")
    assert list(harvested_statements(lake, "first")) == [
        Triple("fox", relation, "animal", 0.25, (source,)) for relation in ("IsA", "PartOf")
    ]
    assert harvested_templates(lake, "first") == {
        "IsA": "{head} IsA {tail}",
        "PartOf": "{head} PartOf {tail}",
    }
