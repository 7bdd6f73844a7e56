"""What `trace` says to do next, where sources and benchmarks are gone since the answer was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.cli.main import main
from evidence_assets.lake.schemas import ARTICLES, CHUNKS
from evidence_assets_tests.testing.configuration_samples import configuration, written
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import ARMS, BENCHMARK, SHARD, SYSTEM, TinyLake, build_tiny_lake


@pytest.fixture
def tiny(folder: Path) -> TinyLake:
    return build_tiny_lake(str(folder / "lake"))


def traced(capsys: pytest.CaptureFixture[str], tiny: TinyLake) -> str:
    assert main(["trace", tiny.predictions[ARMS[0], "heart"]]) == 0
    return capsys.readouterr().out


def test_a_source_that_is_gone_is_not_offered_to_be_retracted(
    tiny: TinyLake, capsys: pytest.CaptureFixture[str]
) -> None:
    heart = tiny.articles["Heart"]
    offered = f"evidence-assets retract {heart} tells what else rests on its first source"
    assert offered in traced(capsys, tiny)
    for table in (ARTICLES, CHUNKS):
        tiny.lake.write(table, SHARD, table_of(table))
        printed = traced(capsys, tiny)
        assert f"source   article {heart}, characters 0 to 24" in printed
        assert "evidence-assets show " in printed
        assert "retract" not in printed


def test_answering_anew_is_offered_where_the_configuration_names_the_benchmark(
    folder: Path, tiny: TinyLake, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny.lake.write(CHUNKS, SHARD, table_of(CHUNKS))
    printed = " ".join(traced(capsys, tiny).split())
    assert "STALE: 4 of the 4 units of evidence do not stand in their sources as they did next: " in printed
    assert "evidence-assets demo" not in printed
    content = configuration()
    content["benchmarks"][BENCHMARK] = content["benchmarks"]["quiz"]
    written(folder, content)
    printed = " ".join(traced(capsys, tiny).split())
    assert (
        f"as they did; remedy: evidence-assets demo {BENCHMARK} --arms {SYSTEM}/{ARMS[0]} answers anew"
        in printed
    )
