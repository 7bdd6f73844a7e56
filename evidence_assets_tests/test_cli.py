"""The command on the small project."""

from __future__ import annotations

import sys
from pathlib import Path

import dagster as dg
import pytest

sys.path.append(str(Path(__file__).parent / "automation"))

from small_project import ANIMAL_QUIZ, MINERAL_QUIZ, Built, built_project

from evidence_assets import cli
from evidence_assets.lake import catalogue
from evidence_assets.sources.benchmarks.registry import BENCHMARKS
from evidence_assets.systems.uscrake.arms import ARMS, DEFAULT_ARM, FIRST_RETRIEVALS

pytestmark = pytest.mark.xdist_group("small_project")


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Built:
    built = built_project(tmp_path_factory)
    for name, value in built.project.environment().items():
        monkeypatch.setenv(name, value)
    return built


def test_benchmarks_lists_every_reader_with_licence_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["benchmarks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * len(BENCHMARKS)
    for (name, benchmark), first, second in zip(BENCHMARKS.items(), lines[::2], lines[1::2], strict=True):
        assert first.split() == [name, *benchmark.title.split()]
        assert second.strip() == f"{benchmark.licence}; {benchmark.where}"


def test_catalogue_is_written_where_it_says(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["catalogue"]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path == built.project.lake_folder / "evidence.duckdb"
    assert path.is_file()


def test_scores_print_a_line_an_arm(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scores", MINERAL_QUIZ]) == 0
    _, header, *lines = capsys.readouterr().out.splitlines()
    names = header.split()
    assert {"benchmark", "arm", "n", "accuracy", "mrr"} <= set(names)
    found = [
        dict(zip(names, line.replace(" [", "[").replace(", ", ",").split(), strict=True)) for line in lines
    ]
    assert [line["arm"] for line in found] == sorted(ARMS)
    assert {(line["benchmark"], line["n"]) for line in found} == {(MINERAL_QUIZ, "2")}
    assert all(float(line["chance_accuracy"]) == 50 for line in found)


def test_trace_prints_the_cited_sentences_and_their_sources(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    with catalogue.connect(built.project.lake) as connection:
        [(prediction_id, predicted)] = connection.execute(
            "SELECT prediction_id, predicted FROM predictions WHERE question_id = 'm1' AND arm = ?",
            [DEFAULT_ARM],
        ).fetchall()
    assert cli.main(["trace", prediction_id]) == 0
    text = capsys.readouterr().out
    assert "question   What is quartz made of?" in text
    assert f"answer     {predicted} (" in text
    cited = [line.split("] ", 1)[1] for line in text.splitlines() if line.startswith("  cited")]
    read = [line.removeprefix("  reads    ") for line in text.splitlines() if line.startswith("  reads")]
    assert cited
    assert cited == read
    assert "articles/rocks (CC0-1.0)" in text


def test_trace_of_an_unknown_prediction_fails_and_says_so(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["trace", "nobody"]) == 1
    shown = capsys.readouterr()
    assert "'nobody'" in shown.err
    assert shown.out == ""


def test_demo_of_an_unknown_benchmark_names_it_and_the_file(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    assert cli.main(["demo", "nothing_like_it", MINERAL_QUIZ]) == 1
    shown = capsys.readouterr()
    assert f"{built.project.configuration} names no benchmark nothing_like_it" in shown.err
    assert "ingest_corpus" not in shown.out
    assert list(tmp_path.iterdir()) == []


def test_demo_needs_a_dagster_home(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DAGSTER_HOME", raising=False)
    assert cli.main(["demo", MINERAL_QUIZ]) == 1
    assert "make demo" in capsys.readouterr().err


def test_demo_runs_what_the_benchmark_needs_and_reports(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    copied = built.project.copy(tmp_path / "copy")
    for name, value in copied.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setattr("evidence_assets.definitions.defs", copied.definitions())
    monkeypatch.setattr(dg.DagsterInstance, "get", dg.DagsterInstance.ephemeral)
    assert cli.main(["demo", MINERAL_QUIZ]) == 0
    text = capsys.readouterr().out
    made = [
        "ingest_corpus",
        "index_corpus",
        "prepare_benchmark",
        "rank_chunks",
        "run_uscrake",
        "compare_arms",
    ]
    ran = [line.split()[2] for line in text.splitlines() if " s  " in line]
    assert [job for job in dict.fromkeys(ran) if job in made] == made
    assert ANIMAL_QUIZ not in text
    first = [arm for arm in ARMS.values() if arm.retrieval in FIRST_RETRIEVALS]
    assert sum("run_uscrake" in line for line in text.splitlines()) == len(first)
    assert "In percent, 95 % intervals in brackets." in text
    assert "\nprediction " in text


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main([])
    assert raised.value.code == 2
    assert "usage: evidence-assets" in capsys.readouterr().err
