"""The command on the small project."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from evidence_assets.cli.main import main
from evidence_assets.lake import catalogue
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.uscrake.arms import ARMS, BASELINE_ARM, FIRST_ARMS
from evidence_assets_tests.testing.direct_runs import enter
from evidence_assets_tests.testing.lake_queries import query
from evidence_assets_tests.testing.old_lake import make_old
from evidence_assets_tests.testing.run_events import without_memory
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    ARMS_MADE,
    MINERAL_QUIZ,
    ROCKS,
    Built,
    SmallProject,
    arms_made,
    built_project,
    write_small_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

# Of the minerals, which no graph helps.
CHUNKS_ARM = next(arm for arm in arms_made(MINERAL_QUIZ) if arm in FIRST_ARMS and ARMS[arm].weights)
TRIPLES_ARM = next(arm for arm in ARMS_MADE if ARMS[arm].selection.triples and not ARMS[arm].selection.chunks)
# What no language model reads.
EVERY_ARM = [f"{system.name}/{arm}" for system in SYSTEMS for arm in system.arms(())]


@pytest.fixture
def built(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Built:
    built = built_project(tmp_path_factory)
    enter(built.project, monkeypatch)
    return built


def test_benchmarks_lists_every_reader_with_licence_and_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmarks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 * len(BENCHMARKS)
    for (name, benchmark), first, second in zip(BENCHMARKS.items(), lines[::2], lines[1::2], strict=True):
        assert first.split() == [name, *benchmark.title.split()]
        confirmed = "" if benchmark.licence_source else " (not confirmed)"
        assert second.strip() == f"{benchmark.licence}{confirmed}; {benchmark.where}"


def test_catalogue_is_written_where_it_says(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalogue"]) == 0
    path = Path(capsys.readouterr().out.strip())
    assert path == built.project.lake_folder / "evidence.duckdb"
    assert path.is_file()


def test_scores_print_a_line_an_arm(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", MINERAL_QUIZ]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{MINERAL_QUIZ}: 2 questions"
    header = next(place for place, line in enumerate(lines) if line.startswith("answers  "))
    # Columns stand two blanks apart; a cell may hold one.
    names = re.split(r" {2,}", lines[header].strip())
    assert names[1:4] == ["n", "accuracy", "chance"]
    arms = arms_made(MINERAL_QUIZ)
    shown = [re.split(r" {2,}", line.strip()) for line in lines[header + 1 : header + 1 + len(arms)]]
    assert len({cells[0] for cells in shown}) == len(arms), "no two are cut to the same"
    assert {(cells[1], cells[3]) for cells in shown} == {("2", "50.0")}
    assert "gold evidence: 1 text of 1 question; the corpus holds 1" in lines
    assert lines[-1] == "next: evidence-assets trace PREDICTION_ID, an id of the view predictions"
    assert all(len(line) <= 100 for line in lines)


def test_trace_prints_the_cited_sentences_and_their_sources(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    [(prediction_id, predicted)] = query(
        built.project.lake,
        "SELECT prediction_id, predicted FROM predictions WHERE question_id = 'm1' AND arm = ?",
        CHUNKS_ARM,
    )
    assert main(["trace", prediction_id]) == 0
    text = capsys.readouterr().out
    assert "question   What is quartz made of?" in text
    assert f"answer     {predicted} (" in text
    cited = [line.split("] ", 1)[1] for line in text.splitlines() if line.startswith("  cited")]
    read = [line.removeprefix("  reads    ") for line in text.splitlines() if line.startswith("  reads")]
    assert cited
    assert cited == read
    *_, showing, retracting = text.splitlines()
    assert showing == f"next: evidence-assets show {prediction_id}"
    command = re.fullmatch(
        r" +evidence-assets (retract \w+) tells what else rests on its first source", retracting
    )
    assert command is not None
    assert main(command[1].split()) == 0
    assert f"m1  uscrake/{CHUNKS_ARM}  {predicted}" in capsys.readouterr().out
    assert re.search(r"  source   .*, articles/rocks, .*\.md, characters \d+ to \d+ \(CC0-1\.0\)", text)


def test_trace_prints_the_cited_triples_and_who_states_them(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    [(prediction_id,)] = query(
        built.project.lake,
        "SELECT prediction_id FROM predictions WHERE question_id = 'a1' AND arm = ?",
        TRIPLES_ARM,
    )
    assert main(["trace", prediction_id]) == 0
    lines = capsys.readouterr().out.splitlines()
    cited = [line.split("] ", 1)[1] for line in lines if line.startswith("  cited")]
    read = [line.removeprefix("  reads    ") for line in lines if line.startswith("  reads")]
    [place] = [place for place, line in enumerate(lines) if line.startswith("  source")]
    source = " ".join(line.strip() for line in lines[place : lines.index(f"  reads    {read[0]}")])
    assert (cited, read) in (
        (["kelp is a seaweed"], ["kelp IsA seaweed"]),
        (["sea otter can eat sea urchins"], ["sea otter CapableOf eat sea urchins"]),
    )
    assert source.startswith("source   nature, triples ")
    assert "facts.tsv, facts, line " in source
    assert source.endswith(" (CC0-1.0)")
    assert "None" not in source


def test_arms_lists_every_arm_with_what_it_does(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arms"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [tuple(line.split(maxsplit=1)) for line in lines] == [
        (f"{system.name}/{arm.name}", arm.description)
        for system in SYSTEMS
        for arm in system.arms_of(built.project.project).values()
    ]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], None),
        (["--arms", "all"], EVERY_ARM),
        (["--arms", BASELINE_ARM], [BASELINE_ARM]),
        (["--arms", f"uscrake/{BASELINE_ARM}"], [f"uscrake/{BASELINE_ARM}"]),
        (["--arms", f"{BASELINE_ARM},{CHUNKS_ARM}"], [BASELINE_ARM, CHUNKS_ARM]),
    ],
)
def test_demo_runs_the_arms_that_are_asked_for(
    built: Built, arguments: list[str], expected: list[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[list[str], list[str] | None]] = []

    def materialize(
        workspace: Workspace, benchmarks: list[str], arms: list[str] | None, again: bool, pages: bool
    ) -> list[tuple[str, str, float]]:
        calls.append((benchmarks, arms))
        raise LookupError("enough")

    monkeypatch.setattr("evidence_assets.orchestration.runs.materialize_benchmarks", materialize)
    assert main(["demo", MINERAL_QUIZ, *arguments]) == 1
    assert calls == [([MINERAL_QUIZ], expected)]


def test_demo_without_names_runs_what_the_project_starts_with(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def materialize(
        workspace: Workspace, benchmarks: list[str], arms: list[str] | None, again: bool, pages: bool
    ) -> list[tuple[str, str, float]]:
        calls.append(benchmarks)
        return []

    def harvest(workspace: Workspace, relations: list[str], again: bool, merged: bool) -> None:
        calls.append(relations)
        raise LookupError("enough")

    runs = "evidence_assets.orchestration.runs"
    monkeypatch.setattr(f"{runs}.materialize_benchmarks", materialize)
    monkeypatch.setattr(f"{runs}.materialize_harvest", harvest)
    assert main(["demo"]) == 1
    assert calls == [["starter", "starter_medicine", "starter_space", "starter_tables"], ["IsA"]]


def test_demo_traces_an_answer_of_an_arm_that_it_ran(
    copied: SmallProject, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = "evidence_assets.orchestration.runs.materialize_benchmarks"
    monkeypatch.setattr(runs, lambda *_, **__: iter(()))
    assert main(["demo", ANIMAL_QUIZ, MINERAL_QUIZ, "--arms", TRIPLES_ARM]) == 0
    text = capsys.readouterr().out
    assert f"(uscrake, {TRIPLES_ARM}, {ANIMAL_QUIZ})" in text
    assert f"{MINERAL_QUIZ}: uscrake/{TRIPLES_ARM} has no answer to trace" in text


def test_demo_of_an_unknown_benchmark_names_it_and_the_file(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    assert main(["demo", "nothing_like_it", MINERAL_QUIZ]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("no benchmark 'nothing_like_it'")
    assert f"{built.project.configuration} names " in shown.err
    assert "ingest_corpus" not in shown.out
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def copied(built: Built, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SmallProject:
    """A copy that the command works on; its runs are remembered nowhere."""
    return without_memory(built.project.copy(tmp_path / "copy"), monkeypatch)


def ran(text: str) -> list[tuple[str, str]]:
    """The jobs that the command says it ran, each with its partition."""
    lines = [line.split(maxsplit=3) for line in text.splitlines() if " s  " in line]
    return [(job, partition) for _, _, job, partition in lines if job != "in"]


def test_demo_runs_nothing_where_all_is_up_to_date(
    copied: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    # The demo makes pages, and the project has none.
    assert main(["demo", MINERAL_QUIZ]) == 0
    capsys.readouterr()
    files, modified = copied.files(), copied.modified()
    assert main(["demo", MINERAL_QUIZ]) == 0
    text = capsys.readouterr().out
    assert ran(text) == []
    assert "nothing to do, all is up to date" in text
    assert "\nprediction " in text, "it reports all the same"
    for before, now in ((files, copied.files()), (modified, copied.modified())):
        assert {name: now[name] for name in before if name != "evidence.duckdb"} == {
            name: value for name, value in before.items() if name != "evidence.duckdb"
        }


def test_demo_again_runs_what_the_benchmark_needs_and_reports(
    copied: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", MINERAL_QUIZ, "--again"]) == 0
    text = capsys.readouterr().out
    # No graph helps with minerals: nothing is ranked by one, and arms that read triples stay away.
    # Each answer's page is made with it.
    jobs = [
        (job.replace("run_and_show_", "run_"), key) for job, key in ran(text) if not job.startswith("show_")
    ]
    assert list(dict.fromkeys(job for job, _ in jobs)) == [
        "ingest_corpus",
        "add_up_terms",
        "prepare_benchmark",
        "rank_chunks",
        "run_uscrake",
        "compare_uscrake",
        "record_published",
    ]
    assert ANIMAL_QUIZ not in text
    first = [arm for arm in ARMS if arm in FIRST_ARMS and not ARMS[arm].selection.triples]
    assert len(first) < len(FIRST_ARMS)
    assert [key for job, key in jobs if job == "run_uscrake"] == [f"{arm}|{MINERAL_QUIZ}" for arm in first]
    assert "in percent, 95 % intervals in brackets" in text
    assert "\nprediction " in text


def statuses(capsys: pytest.CaptureFixture[str], *names: str) -> dict[tuple[str, str], tuple[str, str]]:
    """State and reason of each partition that `status` lists, by stage and key."""
    assert main(["status", *names]) == 0
    lines = capsys.readouterr().out.partition("\n\n")[0].splitlines()
    parts = [[*line.split(maxsplit=3), "", ""] for line in lines]
    return {(name, key): (state, reason) for state, name, key, reason, *_ in parts}


def test_status_tells_what_an_edited_article_makes_stale_and_demo_makes_that(
    copied: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    # What nobody asked for is missing, and of benchmarks that ask of no table their tables are impossible.
    assert {state for state, _ in statuses(capsys).values()} == {"fresh"}
    assert {state for state, _ in statuses(capsys, "--all").values()} == {"fresh", "impossible", "missing"}
    path = copied.article("rocks", "salt.md")
    path.write_text(path.read_text(encoding="utf-8") + "\nSalt keeps food.\n", encoding="utf-8")
    assert main(["status"]) == 0
    assert "next: evidence-assets retract --edited shows what rests on" in capsys.readouterr().out
    states = statuses(capsys, "articles", "chunks")
    assert states["articles", ROCKS] == ("stale", "file articles/rocks changed (salt.md changed)")
    assert states["chunks", ROCKS] == ("stale", f"articles, {ROCKS}, is to be made anew")
    assert {state for (_, key), (state, _) in states.items() if key != ROCKS} == {"fresh"}
    stale = {place for place, (state, _) in statuses(capsys).items() if state == "stale"}
    assert ("questions", MINERAL_QUIZ) not in stale
    assert {key for _, key in stale if "animal" in key} == set()
    assert main(["demo", MINERAL_QUIZ]) == 0
    jobs = ran(capsys.readouterr().out)
    assert jobs[:2] == [("ingest_corpus", ROCKS), ("add_up_terms", "minerals")]
    assert "record_published" not in dict(jobs)
    now = statuses(capsys)
    # Arms that nobody asked for now are left as they are, and their comparison and scoreboard with them.
    assert {name for (name, _), (state, _) in now.items() if state == "stale"} <= {
        "scoreboard_pages",
        *(name for name, key in stale if key.endswith(MINERAL_QUIZ)),
    }
    assert main(["demo", MINERAL_QUIZ]) == 0
    assert ran(capsys.readouterr().out) == []


def test_status_of_a_fresh_project_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    enter(write_small_project(tmp_path / "project"), monkeypatch)
    states = statuses(capsys, "questions")
    assert {key: state for (_, key), (state, _) in states.items()} == dict.fromkeys(
        (ANIMAL_QUIZ, MINERAL_QUIZ), "missing"
    )
    # What is made on demand is counted, and listed where that is asked for.
    assert main(["status", "uscrake"]) == 0
    assert "never asked for, made on demand: " in capsys.readouterr().out
    assert main(["status", "uscrake", "--all"]) == 0
    assert f"|{MINERAL_QUIZ}" in capsys.readouterr().out


def test_status_of_a_benchmark_lists_what_is_made_of_it(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", MINERAL_QUIZ]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("fresh ")]
    assert {"questions", "uscrake"} <= {stage for _, stage, *_ in rows}
    assert all(key.split("|")[-1] == MINERAL_QUIZ for _, _, key, *_ in rows)


def test_status_of_an_unknown_stage_says_what_lists_those_that_there_are(
    built: Built, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "nothing_like_it"]) == 2
    shown = capsys.readouterr()
    assert shown.err.startswith("no stage, table or partition 'nothing_like_it'")
    assert shown.err.splitlines()[1:] == [
        "`evidence-assets status --all` lists every stage with its partitions"
    ]
    assert shown.out == ""


def test_a_lake_of_the_version_before_is_migrated_and_is_as_fresh_as_it_was(
    copied: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    before = statuses(capsys)
    make_old(copied.lake)
    assert main(["scores", MINERAL_QUIZ]) == 1
    assert "migrate" in capsys.readouterr().err
    assert main(["migrate"]) == 0
    assert " files rewritten, 0 left as they are" in capsys.readouterr().out
    assert statuses(capsys) == before
    assert main(["migrate"]) == 0
    assert "0 files rewritten" in capsys.readouterr().out


def test_ablate_questions_an_arms_evidence_and_prints_what_citations_are_worth(
    copied: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ablate", MINERAL_QUIZ, f"uscrake/{CHUNKS_ARM}", "--each", "2"]) == 0
    printed = capsys.readouterr().out
    assert re.search(r"comprehensiveness +[\d.]+ % \[", printed)
    assert "random" in printed
    following = re.search(
        r"next: evidence-assets (trace \w+), whose answer (is another|stays the same)", printed
    )
    assert following is not None
    assert main(following[1].split()) == 0
    with catalogue.connect(copied.lake) as connection:
        read = connection.execute(
            "SELECT count(*), count(DISTINCT a.prediction_id), count(p.prediction_id) "
            "FROM evidence_ablations AS a LEFT JOIN predictions AS p USING (prediction_id)"
        ).fetchone()
    assert read is not None
    assert read[0] == read[2] > read[1] > 0


def test_ablate_refuses_a_number_of_no_sources(built: Built, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ablate", MINERAL_QUIZ, f"uscrake/{CHUNKS_ARM}", "--each", "0"]) == 1
    assert "--each" in capsys.readouterr().err


def test_the_command_is_there_before_dagster_is() -> None:
    """It lists and traces without loading what only runs need."""
    program = "import sys, evidence_assets.cli.main; print('dagster' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout
    assert shown.strip() == "False"


def test_a_command_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Usage: evidence-assets" in capsys.readouterr().err
