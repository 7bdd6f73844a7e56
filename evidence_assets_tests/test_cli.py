"""The command on the small project."""

from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from evidence_assets import cli
from evidence_assets.lake import catalogue
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.systems.attention2query import arms as attention2query
from evidence_assets.systems.four_step_focus import arms as four_step_focus
from evidence_assets.systems.kaping import arms as kaping
from evidence_assets.systems.ucret import arms as ucret
from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake.arms import ARMS, BASELINE_ARM, FIRST_ARMS
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    ARMS_MADE,
    MINERAL_QUIZ,
    Built,
    arms_made,
    built_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

# Of the minerals, which no graph helps.
CHUNKS_ARM = next(arm for arm in arms_made(MINERAL_QUIZ) if arm in FIRST_ARMS and ARMS[arm].weights)
TRIPLES_ARM = next(arm for arm in ARMS_MADE if ARMS[arm].selection.triples and not ARMS[arm].selection.chunks)
EVERY_ARM = [
    *(f"uscrake/{arm}" for arm in ARMS),
    *(f"ugat_medqa/{arm}" for arm in ugat_medqa.ARMS),
    *(f"ucret/{arm}" for arm in ucret.ARMS),
    *(f"four_step_focus/{arm}" for arm in four_step_focus.ARMS),
    *(f"attention2query/{arm}" for arm in attention2query.ARMS),
    *(f"kaping/{arm}" for arm in kaping.ARMS),
]


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
    assert [line["arm"] for line in found] == sorted(arms_made(MINERAL_QUIZ))
    assert {(line["benchmark"], line["n"]) for line in found} == {(MINERAL_QUIZ, "2")}
    assert all(float(line["chance_accuracy"]) == 50 for line in found)


def test_trace_prints_the_cited_sentences_and_their_sources(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    with catalogue.connect(built.project.lake) as connection:
        [(prediction_id, predicted)] = connection.execute(
            "SELECT prediction_id, predicted FROM predictions WHERE question_id = 'm1' AND arm = ?",
            [CHUNKS_ARM],
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


def test_trace_prints_the_cited_triples_and_who_states_them(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    with catalogue.connect(built.project.lake) as connection:
        [(prediction_id,)] = connection.execute(
            "SELECT prediction_id FROM predictions WHERE question_id = 'a1' AND arm = ?", [TRIPLES_ARM]
        ).fetchall()
    assert cli.main(["trace", prediction_id]) == 0
    lines = capsys.readouterr().out.splitlines()
    cited = [line.split("] ", 1)[1] for line in lines if line.startswith("  cited")]
    read = [line.removeprefix("  reads    ") for line in lines if line.startswith("  reads")]
    [source] = [line for line in lines if line.startswith("  source")]
    assert (cited, read) in (
        (["kelp is a seaweed"], ["kelp IsA seaweed"]),
        (["sea otter can eat sea urchins"], ["sea otter CapableOf eat sea urchins"]),
    )
    assert source.startswith("  source   nature, triples ")
    assert "facts, line " in source
    assert source.endswith(" (CC0-1.0)")
    assert "None" not in source


def test_arms_lists_every_arm_with_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["arms"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines] == [
        *((f"uscrake/{arm.name}", arm.description) for arm in ARMS.values()),
        *((f"ugat_medqa/{arm.name}", arm.description) for arm in ugat_medqa.ARMS.values()),
        *((f"ucret/{arm.name}", arm.description) for arm in ucret.ARMS.values()),
        *((f"four_step_focus/{arm.name}", arm.description) for arm in four_step_focus.ARMS.values()),
        *((f"attention2query/{arm.name}", arm.description) for arm in attention2query.ARMS.values()),
        *((f"kaping/{arm.name}", arm.description) for arm in kaping.ARMS.values()),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], None),
        (["--arms", "all"], EVERY_ARM),
        (["--arms", BASELINE_ARM], [BASELINE_ARM]),
        (["--arms", f"uscrake/{BASELINE_ARM}"], [f"uscrake/{BASELINE_ARM}"]),
        (["--arms", f"{BASELINE_ARM},{CHUNKS_ARM}"], [BASELINE_ARM, CHUNKS_ARM]),
    ],
)
def test_demo_runs_the_arms_that_are_asked_for(
    given: list[str], expected: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[list[str], list[str] | None]] = []

    def materialize(benchmarks: list[str], arms: list[str] | None) -> list[tuple[str, str, float]]:
        asked.append((benchmarks, arms))
        raise LookupError("enough")

    monkeypatch.setattr("evidence_assets.orchestration.runs.materialize_benchmarks", materialize)
    assert cli.main(["demo", MINERAL_QUIZ, *given]) == 1
    assert asked == [([MINERAL_QUIZ], expected)]


def test_demo_without_names_runs_what_the_project_starts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def materialize(benchmarks: list[str], arms: list[str] | None) -> list[tuple[str, str, float]]:
        asked.append(benchmarks)
        raise LookupError("enough")

    monkeypatch.setattr("evidence_assets.orchestration.runs.materialize_benchmarks", materialize)
    assert cli.main(["demo"]) == 1
    assert asked == [["starter", "starter_medicine", "starter_space"]]


def test_demo_traces_an_answer_of_an_arm_that_it_ran(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "evidence_assets.orchestration.runs.materialize_benchmarks", lambda benchmarks, arms: iter(())
    )
    assert cli.main(["demo", ANIMAL_QUIZ, MINERAL_QUIZ, "--arms", TRIPLES_ARM]) == 0
    text = capsys.readouterr().out
    assert f"(uscrake, {TRIPLES_ARM}, {ANIMAL_QUIZ})" in text
    assert f"{MINERAL_QUIZ}: uscrake/{TRIPLES_ARM} has no answer to trace" in text


def test_demo_of_an_unknown_arm_names_it_and_what_there_is(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    assert cli.main(["demo", MINERAL_QUIZ, "--arms", f"{CHUNKS_ARM},nobody@nothing"]) == 1
    shown = capsys.readouterr()
    assert shown.err.startswith("no arm nobody@nothing; there are ")
    named = shown.err.strip().removeprefix("no arm nobody@nothing; there are ").split(", ")
    assert named == EVERY_ARM
    assert shown.out == ""


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
        "rank_triples",
        "rank_chunks",
        "run_uscrake",
        "compare_uscrake",
        "record_published",
    ]
    ran = [line.split()[2] for line in text.splitlines() if " s  " in line]
    # No graph helps with minerals: none is built, nothing is reranked, and arms that read triples stay away.
    assert [job for job in dict.fromkeys(ran) if job != "in"] == made
    assert ANIMAL_QUIZ not in text
    first = [arm for arm in ARMS if arm in FIRST_ARMS and not ARMS[arm].selection.triples]
    assert len(first) < len(FIRST_ARMS)
    assert [line.split()[3] for line in text.splitlines() if " run_uscrake " in line] == [
        f"{arm}|{MINERAL_QUIZ}" for arm in first
    ]
    assert "In percent, 95 % intervals in brackets." in text
    assert "\nprediction " in text


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as raised:
        cli.main([])
    assert raised.value.code == 2
    assert "usage: evidence-assets" in capsys.readouterr().err
