"""What Dagster shows of an experiment: a few answers, as people read them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.lake.schemas import CHAINS, EVIDENCE, PREDICTIONS
from evidence_assets.stages.layout import BenchmarkLinks, Layout
from evidence_assets.stages.previews import sample_chains
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    SHARD,
    TinyLake,
    build_tiny_lake,
    experiment_partition,
)

LAYOUT = Layout(
    shards={SHARD["shard"]: SHARD["corpus"]},
    corpora=(SHARD["corpus"],),
    benchmarks={BENCHMARK: BenchmarkLinks(corpus=SHARD["corpus"], graph="body")},
)


@pytest.fixture
def tiny(tmp_path: Path) -> TinyLake:
    return build_tiny_lake(str(tmp_path))


def sampled(lake: TinyLake, arm: str) -> list[list[str]]:
    """The cells of each line that is shown of an arm."""
    shown = sample_chains(lake.lake, experiment_partition(arm), LAYOUT)
    header, _, *lines = shown.splitlines()
    assert header == "| question | answer | chain | citations | sources |"
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_an_answer_is_shown_with_its_question_and_the_articles_that_it_cites(tiny: TinyLake) -> None:
    of_heart = ["What pumps blood?", "The heart", r"It pumps \[E1] and beats \[E2].", "valid", "Heart"]
    of_liver = ["What makes bile?", "The heart", r"Bile \[E1].", "valid", "Liver"]
    assert sampled(tiny, ARMS[0]) == [of_heart, of_liver]
    # The second abstained.
    assert sampled(tiny, ARMS[1]) == [of_heart]


def test_evidence_of_a_graph_is_shown_with_its_name(tiny: TinyLake) -> None:
    place = experiment_partition(ARMS[1])
    rows = tiny.lake.read(EVIDENCE, place).to_pylist()
    nowhere = dict.fromkeys(rows[0]["locator"])
    stated = [row | {"source_table": "triples", "source_key": "t1", "locator": nowhere} for row in rows]
    tiny.lake.write(EVIDENCE, place, pa.Table.from_pylist(stated, schema=EVIDENCE.schema))
    assert [cells[-1] for cells in sampled(tiny, ARMS[1])] == ["graph body"]


def test_where_all_abstained_nothing_is_shown(tiny: TinyLake) -> None:
    place = experiment_partition(ARMS[0])
    for table in (PREDICTIONS, CHAINS):
        tiny.lake.write(table, place, table.schema.empty_table())
    assert sample_chains(tiny.lake, place, LAYOUT) == ""
