"""What commands say of answers whose sources were edited, or are gone, since they were read."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import yaml

from evidence_assets.api import EvidenceLake
from evidence_assets.cli.main import main
from evidence_assets.lake.schemas import BENCHMARK_SCORES, EVIDENCE, PREDICTION_EVIDENCE, PREDICTIONS, TRIPLES
from evidence_assets.stages.declaration import Key
from evidence_assets_tests.testing.direct_runs import enter, make, workspace
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    SmallProject,
    write_small_project,
)

pytestmark = pytest.mark.integration

ARM = "chunks_only_coverage@extractive"
FILE = "file articles/rocks changed (salt.md changed)"
CHANGED = f"note: the inputs are stale: {FILE} since it was read; remedy: "
GONE = CHANGED.replace(FILE, "file articles/rocks is gone")
QUESTION = ("ask", "What is quartz made of?", "--corpus", "minerals")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """The small project with the minerals' answers of one arm."""
    written = enter(write_small_project(tmp_path / "project"), monkeypatch)
    at_work = workspace(written)
    key = Key(MINERAL_QUIZ, ARM)
    make(
        at_work, [(at_work.graph.writer(table, "uscrake"), key) for table in (PREDICTIONS, BENCHMARK_SCORES)]
    )
    return written


def edit(project: SmallProject) -> None:
    path = project.article("rocks", "salt.md")
    path.write_text(path.read_text(encoding="utf-8") + "\nSalt keeps food.\n", encoding="utf-8")


def said(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    assert main(list(arguments)) == status
    return capsys.readouterr().out


def test_an_answer_and_its_trace_say_that_their_sources_changed(
    project: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = said(capsys, *QUESTION)
    [prediction] = re.findall("^prediction ([0-9a-f]+)", fresh, re.MULTILINE)
    assert "stale" not in fresh + said(capsys, "trace", prediction) + said(capsys, *QUESTION, "--brief")
    edit(project)
    assert CHANGED in said(capsys, *QUESTION)
    assert CHANGED in said(capsys, *QUESTION, "--brief")
    assert CHANGED in said(capsys, "ask", "What melts ice on roads?", "--corpus", "minerals")
    assert CHANGED in said(capsys, "trace", prediction)
    shutil.rmtree(project.folder / "articles" / "rocks")
    assert GONE in said(capsys, *QUESTION)
    assert GONE in said(capsys, "trace", prediction)
    assert f"articles  {ROCKS}  file articles/rocks is gone" in said(capsys, "status", "articles")
    monkeypatch.setenv("EVIDENCE_SOURCES", str(tmp_path / "none.yaml"))
    assert "stale" not in said(capsys, "trace", prediction)


def test_a_file_of_triples_that_was_removed_from_the_lake_is_named(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """The source states them still: the trace says that the lake has lost them."""
    at_work = workspace(project)
    make(
        at_work, [(at_work.graph.writer(PREDICTIONS, "uscrake"), Key(ANIMAL_QUIZ, "triples_only@extractive"))]
    )
    lake = at_work.lake
    lost = {"kg": NATURE, "relation": "AtLocation"}
    place = {"system": "uscrake", "arm": "triples_only@extractive", "benchmark": ANIMAL_QUIZ}
    triples = lake.read(TRIPLES, lost).column("triple_id").to_pylist()
    units = [
        row["evidence_id"] for row in lake.read(EVIDENCE, place).to_pylist() if row["source_key"] in triples
    ]
    used = lake.read(PREDICTION_EVIDENCE, place).to_pylist()
    [prediction, *_] = [row["prediction_id"] for row in used if row["evidence_id"] in units]
    lake.delete(TRIPLES, lost)
    removed = "triples kg=nature/relation=AtLocation was removed from the lake"
    traced = said(capsys, "trace", prediction)
    assert f"note: the inputs are stale: {removed}" in traced
    assert "`evidence-assets retract --edited` shows what rests on it" in traced
    assert "stale    triples  nature  " + removed in said(capsys, "status", "triples")
    said(capsys, "retract", "--edited", "--apply")
    assert "stale" not in said(capsys, "trace", prediction)


def test_an_answer_says_that_the_table_which_was_asked_changed(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(project.folder)
    for name in ("medals.csv", "other.csv"):
        Path(name).write_text("Country,Gold\nNorway,16\nChina,9\n", encoding="utf-8")
    predictions = []
    for name in ("medals.csv", "other.csv"):
        shown = said(capsys, "ask", "Which country has the most gold?", "--table", name)
        predictions += re.findall("^prediction ([0-9a-f]+)", shown, re.MULTILINE)
        assert f" {name}," in shown
        assert "note: " not in shown
    Path("medals.csv").unlink()
    first, second = (said(capsys, "trace", prediction) for prediction in predictions)
    assert (
        "note: the answer is from a copy: file medals.csv is gone since it was asked; remedy: ask again, and "
        "the file is read anew\n"
    ) in first
    assert "note: " not in second


def test_a_gate_fails_lineage_where_sources_changed_and_an_export_says_so(
    project: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gates = tmp_path / "gates.yaml"
    gate = {"system": "uscrake", "arm": ARM, "benchmark": MINERAL_QUIZ}
    gates.write_text(yaml.safe_dump({"gates": [{**gate, "least": {"coverage": 0, "lineage": 0}}]}))
    assert "stale" not in said(capsys, "gate", str(gates))
    edit(project)
    lines = said(capsys, "gate", str(gates), status=1).splitlines()
    name = f"uscrake/{ARM} on {MINERAL_QUIZ}"
    assert lines[0].startswith(f"ok    {name}: coverage is ")
    assert lines[1] == f"FAIL  {name}: lineage is stale: {FILE} since it was read"
    assert lines[2].startswith(CHANGED)
    assert lines[3] == "1 of 2 gates failed"
    # Its pages were not made here, and the line does not depend on them.
    monkeypatch.setattr(EvidenceLake, "export", lambda *_: None)
    assert CHANGED in said(capsys, "export", MINERAL_QUIZ, f"uscrake/{ARM}", str(tmp_path / "crate"))
    monkeypatch.setenv("EVIDENCE_SOURCES", str(tmp_path / "none.yaml"))
    lines = said(capsys, "gate", str(gates)).splitlines()
    assert lines[0].startswith("note: the configuration cannot be used, and whether sources changed is not")


def test_a_demo_of_another_arm_says_that_the_scores_beside_its_own_are_older(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project)
    shown = said(capsys, "demo", MINERAL_QUIZ, "--arms", "uscrake/chunks_only_bm25@nearest")
    notes = [line for line in shown.splitlines() if line.startswith("note: the inputs are stale: ")]
    assert len(notes) == 1
    assert "chunks" in notes[0]
    assert "note: " not in said(capsys, "demo", MINERAL_QUIZ, "--arms", f"uscrake/{ARM}")
