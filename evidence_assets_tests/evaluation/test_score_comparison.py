"""Printed figures beside ours: one row a pair, what differs named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.evaluation.published import published_rows, setup_rows
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    HARVEST_SCORES,
    PUBLISHED_SCORES,
    PUBLISHED_SETUPS,
    QUESTION_CONCEPTS,
    TRIPLES,
)
from evidence_assets_tests.testing.lake_queries import query_rows
from evidence_assets_tests.testing.table_rows import table_of


def score(system: str, arm: str, benchmark: str, value: float, n: int, **more: Any) -> dict[str, Any]:
    keys = {"system": system, "arm": arm, "benchmark": benchmark, "metric": "accuracy"}
    return {**keys, "value": value, "low": value - 0.01, "high": value + 0.01, "n": n, **more}


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = Lake(str(tmp_path_factory.mktemp("comparison") / "lake"))
    lake.write(PUBLISHED_SCORES, {}, published_rows())
    lake.write(PUBLISHED_SETUPS, {}, setup_rows())
    concepts = table_of(QUESTION_CONCEPTS, {"benchmark": "medqa", "question_id": "q", "kg": "small"})
    lake.write(QUESTION_CONCEPTS, {"benchmark": "medqa"}, concepts)
    triples = table_of(TRIPLES, *({"triple_id": f"t{n}", "kg": "small", "relation": "is"} for n in range(3)))
    lake.write(TRIPLES, {"kg": "small", "relation": "is"}, triples)
    for row in (
        score("ugat_medqa", "paper@extractive", "medqa", 0.3, 200, complete=False),
        score("ugat_medqa", "paper@qwen2.5-72b", "medqa", 0.8, 1273, complete=True),
        score("ugat_medqa", "full@extractive", "medqa", 0.4, 1273, complete=True),
    ):
        place = {name: row[name] for name in ("system", "arm", "benchmark")}
        lake.write(BENCHMARK_SCORES, place, pa.Table.from_pylist([row], schema=BENCHMARK_SCORES.schema))
    mined = {"kg": "kbloom_paper", "relation": "", "metric": "tuples", "value": 12.0, "n": 12}
    lake.write(HARVEST_SCORES, {"kg": "kbloom_paper"}, table_of(HARVEST_SCORES, mined))
    return lake


def compared(lake: Lake, where: str) -> list[dict[str, Any]]:
    return query_rows(lake, f"SELECT * FROM score_comparison WHERE {where} ORDER BY ALL")


def test_each_figure_of_ours_of_the_variant_stands_beside_the_printed_one(lake: Lake) -> None:
    rows = compared(
        lake, "system = 'ugat_medqa' AND variant = 'paper' AND benchmark = 'medqa' AND table_number = '6.2'"
    )
    pairs = {(row["published_model"], row["our_model"]): row for row in rows}
    assert set(pairs) == {
        (printed, ours)
        for printed in ("qwen2.5-72b", "qwen2.5-14b", "llama3.3-70b")
        for ours in ("extractive", "qwen2.5-72b")
    }
    same = pairs["qwen2.5-72b", "qwen2.5-72b"]
    assert (same["published_value"], same["our_value"], same["our_n"]) == (0.8671, 0.8, 1273)
    assert same["differs"] == [
        "graph: printed Disease Database and DrugBank of 178147 triples, ours small of 3"
    ]
    smaller = pairs["qwen2.5-14b", "extractive"]
    assert smaller["differs"][:2] == [
        "model: printed qwen2.5-14b, ours extractive",
        "questions: printed 1273, ours 200",
    ]
    assert smaller["differs"][-1] == "ours is incomplete"


def test_what_was_never_measured_says_so_and_no_printed_figure_is_lost(lake: Lake) -> None:
    [row] = compared(
        lake,
        "system = 'tart' AND variant = 'published' AND published_model = 'gpt-4' AND benchmark = 'scitab'",
    )
    assert (row["our_value"], row["differs"]) == (None, ["not measured here"])
    keys = {
        tuple(row[name] for name in ("system", "benchmark", "metric", "table_number", "published_value"))
        for row in compared(lake, "true")
    }
    printed = published_rows().select(["system", "benchmark", "metric", "table_number", "value"]).to_pylist()
    assert keys == {tuple(row.values()) for row in printed}


def test_a_harvest_stands_beside_the_printed_one_of_its_arm(lake: Lake) -> None:
    rows = compared(lake, "variant = 'kbloom_paper' AND metric = 'tuples' AND table_number = '5.1'")
    assert {row["our_value"] for row in rows} == {12.0}
    assert {row["our_arm"] for row in rows} == {"kbloom_paper"}


def test_an_arm_that_is_not_printed_stands_beside_nothing(lake: Lake) -> None:
    assert compared(lake, "our_arm = 'full@extractive'") == []


def test_setups_belong_to_benchmarks_that_have_printed_figures() -> None:
    columns = ["system", "benchmark", "source"]
    printed = {tuple(row.values()) for row in published_rows().select(columns).to_pylist()}
    setups = [tuple(row.values()) for row in setup_rows().select(columns).to_pylist()]
    assert set(setups) <= printed
    assert len(set(setups)) == len(setups)


def test_the_catalogue_of_an_empty_lake_has_an_empty_comparison(tmp_path: Path) -> None:
    assert compared(Lake(str(tmp_path / "lake")), "true") == []
