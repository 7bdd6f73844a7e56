"""Gates on a lake whose scores are known, and on one whose evidence has changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from evidence_assets.audit import gates
from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import BENCHMARK_SCORES, CHUNKS, QUESTION_SCORES
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    SHARD,
    SYSTEM,
    TinyLake,
    build_tiny_lake,
    experiment_partition,
    score_row,
)

ARM = ARMS[0]
PLACE = experiment_partition(ARM)
QUESTIONS = [f"q{number}" for number in range(40)]


@pytest.fixture
def tiny(tmp_path: Path) -> TinyLake:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    counts = {"n_asked": 4, "n_answered": 3, "complete": False}
    scores = [score_row(ARM, "accuracy", 0.5, **counts), score_row(ARM, "calibration_error", 0.2, **counts)]
    tiny.lake.write(BENCHMARK_SCORES, PLACE, table_of(BENCHMARK_SCORES, *scores))
    write_values(tiny.lake, right=30)
    return tiny


def write_values(lake: Lake, right: int, questions: list[str] = QUESTIONS) -> None:
    rows = [
        {**PLACE, "metric": metric, "question_id": key, "value": float(place < right)}
        for metric in ("accuracy", "hits@1")
        for place, key in enumerate(questions)
    ]
    lake.write(QUESTION_SCORES, PLACE, table_of(QUESTION_SCORES, *rows))


def declared(**fields: Any) -> gates.Gates:
    gate = {"system": SYSTEM, "arm": ARM, "benchmark": BENCHMARK, **fields}
    return gates.Gates.model_validate({"gates": [gate], "baseline": "kept.json"})


def gate_lines(lake: Lake, baseline: gates.Baseline | None = None, **fields: Any) -> list[tuple[bool, str]]:
    return [(line.passed, line.text) for line in gates.lines(lake, declared(**fields), baseline)]


def test_bounds_are_held_against_scores_coverage_and_lineage(tiny: TinyLake) -> None:
    name = f"{SYSTEM}/{ARM} on {BENCHMARK}"
    bounds = {"accuracy": 0.5, "coverage": 0.8, "lineage": 1.0}
    assert gate_lines(tiny.lake, least=bounds, most={"calibration_error": 0.1}) == [
        (True, f"{name}: accuracy is 0.5000, at least 0.5 is asked"),
        (False, f"{name}: coverage is 0.7500, at least 0.8 is asked"),
        (True, f"{name}: lineage is 1.0000, at least 1 is asked"),
        (False, f"{name}: calibration_error is 0.2000, at most 0.1 is asked"),
    ]


def test_an_answer_whose_source_has_changed_has_no_complete_lineage(tiny: TinyLake) -> None:
    chunks = tiny.lake.read(CHUNKS, SHARD).to_pylist()
    changed = [{**row, "text_hash": "changed"} if "liver" in row["text"] else row for row in chunks]
    tiny.lake.write(CHUNKS, SHARD, table_of(CHUNKS, *changed))
    # Both answers name the liver's sentence: one rests on it, the other argues against it.
    assert gate_lines(tiny.lake, least={"lineage": 0.5})[0][0] is False
    assert gates.lineage_completeness(tiny.lake, PLACE) == 0.0


def test_an_answer_whose_source_file_has_changed_has_no_lineage_to_be_sure_of(tiny: TinyLake) -> None:
    bounds, changes = declared(least={"accuracy": 0.5, "lineage": 0.5}), ["file notes is gone"]
    name = f"{SYSTEM}/{ARM} on {BENCHMARK}"
    held = [(line.passed, line.text) for line in gates.lines(tiny.lake, bounds, None, {name: changes})]
    assert held == [
        (True, f"{name}: accuracy is 0.5000, at least 0.5 is asked"),
        (False, f"{name}: lineage is stale: file notes is gone since it was read"),
    ]
    assert all(line.passed for line in gates.lines(tiny.lake, bounds, None, {"another": changes}))


def test_what_was_never_scored_fails_and_says_so(tiny: TinyLake) -> None:
    [(passed, text)] = gate_lines(tiny.lake, arm="nobody@none", least={"accuracy": 0.1})
    assert not passed
    assert "never scored" in text
    [(passed, text)] = gate_lines(tiny.lake, arm=f"{ARM}s", least={"accuracy": 0.1})
    assert not passed
    assert f"never scored; remedy: is it {SYSTEM}/{ARM} on {BENCHMARK}? Else materialise" in text
    [(passed, text)] = gate_lines(tiny.lake, least={"acuracy": 0.1})
    assert not passed
    assert "is it accuracy? Else name one of accuracy, " in text


@pytest.mark.parametrize(("right", "passed"), [(30, True), (28, True), (40, True), (20, False)])
def test_a_fall_fails_only_beyond_chance(tiny: TinyLake, tmp_path: Path, right: int, passed: bool) -> None:
    file = tmp_path / "kept.json"
    assert gates.write_baseline(tiny.lake, declared(against_baseline=["accuracy"]), file) == len(QUESTIONS)
    write_values(tiny.lake, right)
    [(held, text)] = gate_lines(tiny.lake, gates.read_baseline(file), against_baseline=["accuracy"])
    assert held is passed
    assert f"{(right - 30) / 40:+.4f}" in text
    assert "mcnemar" in text


def test_many_comparisons_are_corrected(tiny: TinyLake, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    both = declared(against_baseline=["accuracy", "hits@1"])
    gates.write_baseline(tiny.lake, both, file)
    # Six questions fewer: p .031 by itself, .0625 as one of two.
    write_values(tiny.lake, 24)
    assert [line.passed for line in gates.lines(tiny.lake, both, gates.read_baseline(file))] == [True, True]
    [(passed, _)] = gate_lines(tiny.lake, gates.read_baseline(file), against_baseline=["accuracy"])
    assert not passed


def test_questions_that_vanish_and_metrics_without_a_baseline_fail(tiny: TinyLake, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    gates.write_baseline(tiny.lake, declared(against_baseline=["accuracy"]), file)
    baseline = gates.read_baseline(file)
    assert "not in the baseline" in gate_lines(tiny.lake, baseline, against_baseline=["hits@1"])[0][1]
    write_values(tiny.lake, 30, QUESTIONS[:35])
    [(passed, text)] = gate_lines(tiny.lake, baseline, against_baseline=["accuracy"])
    assert not passed
    assert "5 questions of the baseline have no value now" in text


def test_a_baseline_that_cannot_be_written_whole_leaves_the_one_before(
    tiny: TinyLake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was killed in the middle left half of a file, which no gate could be held to."""
    file, compared = tmp_path / "kept" / "baseline.json", declared(against_baseline=["accuracy"])
    gates.write_baseline(tiny.lake, compared, file)
    before = file.read_bytes()
    write_values(tiny.lake, 20)

    def killed(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("evidence_assets.lake.filesystem._sync", killed)
        gates.write_baseline(tiny.lake, compared, file)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    assert file.read_bytes() == before
    gates.write_baseline(tiny.lake, compared, file)
    assert file.read_bytes() != before


def test_a_baseline_that_somebody_changed_is_refused(tiny: TinyLake, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    gates.write_baseline(tiny.lake, declared(against_baseline=["accuracy"]), file)
    data = json.loads(file.read_text())
    [values] = [metrics["accuracy"] for metrics in data["experiments"].values()]
    values["q0"] = 0.0
    file.write_text(json.dumps(data))
    with pytest.raises(gates.GateFileError, match="changed after it was written"):
        gates.read_baseline(file)
    file.write_text("{}")
    with pytest.raises(gates.GateFileError, match="no baseline of this version"):
        gates.read_baseline(file)
    file.write_text("not JSON")
    with pytest.raises(gates.GateFileError, match="no JSON"):
        gates.read_baseline(file)
    with pytest.raises(gates.GateFileError, match="write it with"):
        gates.read_baseline(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("gates: []", "gates"),
        ("gates: [{system: s, arm: a, benchmark: b, lesat: {}}]", "gates.0.lesat"),
        ("gates: [{system: s, arm: a, benchmark: b, least: {accuracy: high}}]", "gates.0.least.accuracy"),
        ("gates: [{system: s, arm: a, benchmark: b, against_baseline: [accuracy]}]", "baseline"),
        ("gates: [", "not YAML, line 2"),
        ("level: 0.1\ngates: []\nlevel: 0.2", "line 3, column 1: level stands twice, first in line 1"),
        ("level: 2\ngates: [{system: s, arm: a, benchmark: b, least: {accuracy: 0}}]", "level"),
        ("gates: [{system: s, arm: a, benchmark: b}]", "the gate of s/a on b asks nothing"),
        ("gates: [{system: s, arm: a, benchmark: b, least: {}}]", "the gate of s/a on b asks nothing"),
        (
            "gates: [{system: s, arm: a, benchmark: b, least: {accuracy: .nan}}]",
            "gates.0.least.accuracy: nan where a finite number is expected",
        ),
        (
            "gates: [{system: s, arm: a, benchmark: b, most: {calibration_error: .inf}}]",
            "gates.0.most.calibration_error: inf where a finite number is expected",
        ),
    ],
)
def test_a_gate_file_that_cannot_be_used_names_the_field(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "gates.yaml"
    path.write_text(text)
    with pytest.raises(gates.GateFileError, match=named) as caught:
        gates.read_gates(path)
    assert str(path) in str(caught.value)
    assert "remedy" in str(caught.value)


def test_a_gate_s_name_changes_nothing_at_the_terminal(
    tiny: TinyLake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", str(tmp_path / "lake"))
    path = tmp_path / "gates.yaml"
    gate = {"system": SYSTEM, "arm": "a\x1b[31mb", "benchmark": BENCHMARK, "least": {"accuracy": 0.4}}
    path.write_text(yaml.safe_dump({"gates": [gate]}))
    assert main(["gate", str(path)]) == 1
    printed = capsys.readouterr().out
    assert r"a\x1b[31mb" in printed
    assert "\x1b" not in printed


def test_the_command_fails_with_the_lines_that_say_why(
    tiny: TinyLake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", str(tmp_path / "lake"))
    path = tmp_path / "gates.yaml"
    gate = {"system": SYSTEM, "arm": ARM, "benchmark": BENCHMARK, "least": {"accuracy": 0.4}}
    gate["against_baseline"] = ["accuracy"]
    path.write_text(yaml.safe_dump({"gates": [gate], "baseline": "kept.json"}))
    assert main(["gate", str(path)]) == 1
    assert "--write-baseline" in capsys.readouterr().err
    assert main(["gate", str(path), "--write-baseline"]) == 0
    written_line, following = capsys.readouterr().out.splitlines()
    assert written_line == f"40 values written to {tmp_path}/kept.json"
    assert following == f"next: evidence-assets gate {path} holds what is scored from now on against them"
    assert main(["gate", str(path)]) == 0
    passed = ["all 2 gates passed", f"next: evidence-assets scores {BENCHMARK}"]
    assert capsys.readouterr().out.splitlines()[-2:] == passed
    write_values(tiny.lake, 10)
    assert main(["gate", str(path)]) == 1
    printed = capsys.readouterr().out
    assert printed.startswith("ok  ")
    assert f"FAIL  {SYSTEM}/{ARM} on {BENCHMARK}: accuracy -0.5000" in printed
    assert "1 of 2 gates failed" in printed
