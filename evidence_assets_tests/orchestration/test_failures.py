"""What a run shows of a partition that could not be made: the remedy first."""

from __future__ import annotations

import errno
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.parquet import DamagedFileError
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.lake.store_failures import AWAY, StoreError
from evidence_assets.orchestration.failures import failure_of, outages_told
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.graph import Needed, StageGraph

PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def graph() -> StageGraph:
    return stage_graph(load_project(PROJECT / "data_lake" / "sources.yaml"))


def shown(graph: StageGraph, stage: str, key: Key, error: Exception) -> str:
    [declared] = [candidate for candidate in graph.stages if candidate.name == stage]
    return str(failure_of(Needed(declared, key, declared.tables), error).description)


def missing(tmp_path: Path) -> Exception:
    with pytest.raises(Exception, match="has no partition") as caught:
        Lake(str(tmp_path)).read(QUESTIONS, {"benchmark": "starter"})
    return caught.value


def test_a_missing_input_of_an_arm_leads_to_the_job_that_makes_it(graph: StageGraph, tmp_path: Path) -> None:
    key = Key("starter", "full@extractive")
    assert shown(graph, "uscrake", key, missing(tmp_path)) == (
        "Remedy: launch the job run_uscrake_with_what_it_needs for partition full@extractive|starter: it "
        "makes what is missing too\n"
        "uscrake, full@extractive|starter: table questions has no partition benchmark=starter in "
        f"{tmp_path}"
    )
    assert shown(graph, "kaping/retrieved_facts", Key("starter_space", "x"), missing(tmp_path)) == (
        "Remedy: launch the job run_kaping_with_what_it_needs for an arm that reads this: it makes what is "
        "missing too\n"
        "kaping/retrieved_facts, x|starter_space: table questions has no partition benchmark=starter in "
        f"{tmp_path}"
    )


def test_a_missing_input_of_anything_else_is_to_be_made_first(graph: StageGraph, tmp_path: Path) -> None:
    assert shown(graph, "chunk_pools", Key("starter"), missing(tmp_path)) == (
        "Remedy: materialise the asset that writes it, for this partition, first\n"
        f"chunk_pools, starter: table questions has no partition benchmark=starter in {tmp_path}"
    )


def test_a_run_whose_lake_takes_no_file_shows_the_lake_and_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opened the lake of somebody else in Dagster was shown a stack trace of a file of its own."""
    refused = PermissionError(errno.EROFS, "Read-only file system", f"{tmp_path}/.evidence.duckdb.tmp")
    with pytest.raises(PermissionError), outages_told(str(tmp_path)):
        raise refused

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    with pytest.raises(dg.Failure) as caught, outages_told(str(tmp_path)):
        raise refused
    assert str(caught.value.description) == (
        "Remedy: give yourself the right to write there, or set EVIDENCE_LAKE to a folder of your own\n"
        f"{tmp_path}: the lake cannot be written: Read-only file system"
    )
    with pytest.raises(FileNotFoundError), outages_told(str(tmp_path)):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "notes.md")


def test_a_run_that_a_store_ends_shows_the_lake_and_the_remedy() -> None:
    away = StoreError("s3://bucket/lake", AWAY, "SlowDown")
    with pytest.raises(dg.Failure) as caught, outages_told("s3://bucket/lake"):
        raise OSError(errno.EBUSY, "Please reduce your request rate.") from away
    assert str(caught.value.description).endswith("\ns3://bucket/lake: the store does not answer (SlowDown)")
    assert str(caught.value.description).startswith("Remedy: see that it runs")
    assert caught.value.__cause__ is away
    with pytest.raises(LookupError), outages_told("s3://bucket/lake"):
        raise LookupError("another's")


def test_a_run_that_a_damaged_file_ends_shows_the_file_and_the_remedy() -> None:
    with pytest.raises(dg.Failure) as caught, outages_told("/lake"):
        raise DamagedFileError("/lake/triples/kg=k/relation=r/data.parquet", "no Parquet")
    assert str(caught.value.description) == (
        "Remedy: materialise the partition anew, in Dagster or by evidence-assets demo BENCHMARK --again\n"
        "/lake/triples/kg=k/relation=r/data.parquet: the file cannot be read: no Parquet"
    )


@pytest.mark.parametrize(
    ("message", "described"),
    [
        ("no file; remedy: make it", "Remedy: make it\nquestions, starter: no file"),
        ("No file. Remedy: make it", "Remedy: make it\nquestions, starter: No file"),
        ("no file", "questions, starter: no file"),
        ("", "questions, starter: LookupError"),
    ],
)
def test_a_remedy_that_is_told_leads(graph: StageGraph, message: str, described: str) -> None:
    assert shown(graph, "questions", Key("starter"), LookupError(message)) == described
