"""What the command says of names that it does not know, and of those that several things have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evidence_assets.api
from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.systems.registry import systems_by_name
from evidence_assets_tests.testing.commands import failed
from evidence_assets_tests.testing.configuration_samples import configuration, written
from evidence_assets_tests.testing.table_rows import table_of


@pytest.mark.parametrize("command", [["check"], ["demo", "quiz"], ["status"], ["ui"]])
def test_an_unknown_profile_is_named_with_the_nearest(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("EVIDENCE_PROFILE", "laptp")
    assert failed(capsys, *command) == (
        2,
        "no profile 'laptp'; the nearest: laptop\n"
        "there are starter, laptop, paper; remedy: set EVIDENCE_PROFILE to one of them\n",
    )


def test_unknown_benchmarks_and_arms_are_told_with_the_nearest(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failed(capsys, "demo", "quizz") == (
        2,
        f"no benchmark 'quizz'; the nearest: quiz\n{folder}/sources.yaml names quiz\n",
    )
    status, message = failed(capsys, "demo", "quiz", "--arms", "full@extractiv")
    assert (status, message.splitlines()[1:]) == (2, ["`evidence-assets arms` lists all of them"])
    assert message.startswith("no arm 'full@extractiv'; the nearest: ")
    assert "/full@extractive" in message
    assert failed(capsys, "status", "artikles")[1].startswith(
        "no stage, table or partition 'artikles'; the nearest: articles"
    )


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("benchmark", ["demo", "nope"]),
        ("arm", ["demo", "quiz", "--arms", "nope"]),
        ("benchmark", ["ablate", "nope", "uscrake/full@extractive"]),
        ("arm", ["ablate", "quiz", "nope"]),
        ("benchmark", ["export", "nope", "uscrake/full@extractive", "crate"]),
        ("arm", ["export", "quiz", "nope", "crate"]),
        ("benchmark", ["pages", "--benchmark", "nope"]),
        ("arm", ["pages", "--arm", "nope"]),
        ("benchmark", ["scores", "nope"]),
        ("stage, table or partition", ["status", "nope"]),
        ("prediction", ["trace", "nope"]),
        ("prediction", ["show", "nope"]),
        ("article, triple or table", ["retract", "nope"]),
        ("retracted source", ["retract", "--restore", "nope"]),
        ("corpus", ["ask", "Who?", "--corpus", "nope"]),
        ("graph", ["ask", "Who?", "--graph", "nope"]),
        ("system", ["ask", "Who?", "--system", "nope"]),
        ("arm", ["ask", "Who?", "--arm", "nope"]),
        ("graph", ["prepare", "--graph", "nope"]),
    ],
)
def test_an_unknown_name_is_status_2_with_every_command(
    folder: Path, capsys: pytest.CaptureFixture[str], kind: str, arguments: list[str]
) -> None:
    status, message = failed(capsys, *arguments)
    assert (status, re.split("[;\n]", message)[0]) == (2, f"no {kind} 'nope'")


@pytest.mark.parametrize("command", ["trace", "show"])
def test_a_lake_without_a_prediction_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert failed(capsys, command, "abc") == (
        2,
        "no prediction 'abc'\nthis lake holds none; remedy: evidence-assets demo makes some, or "
        "EVIDENCE_LAKE names another lake\n",
    )


def test_scores_of_a_benchmark_that_was_not_run_say_how_to_run_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scores", "quiz"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "quiz: 0 questions",
        "no arm was run on it; remedy: evidence-assets demo quiz",
    ]
    assert failed(capsys, "scores", "quizz") == (
        2,
        f"no benchmark 'quizz'; the nearest: quiz\nthe lake at {folder}/lake holds none; "
        "remedy: evidence-assets demo\n",
    )


def test_scores_of_a_benchmark_that_there_is_not_are_refused_in_python_too(folder: Path) -> None:
    lake = evidence_assets.api.open()
    assert lake.scores("quiz").is_empty()
    with pytest.raises(LookupError, match="no benchmark 'quizz'; the nearest: quiz"):
        lake.scores("quizz")


def test_pages_of_a_benchmark_that_was_renamed_since_say_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = {"system": "uscrake", "arm": "full@extractive", "benchmark": "old"}
    Lake(str(folder / "lake")).write(PREDICTIONS, place, table_of(PREDICTIONS))
    assert failed(capsys, "pages", "--benchmark", "old") == (
        1,
        f"old: it was answered, but {folder}/sources.yaml names it no more, and pages are made of what that "
        "names; remedy: name it there again, or read its answers with evidence-assets trace\n",
    )


def test_an_arm_of_several_systems_is_that_of_those_that_answered(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = Lake(str(folder / "lake"))
    for system, message in (
        ("ugat_medqa", "ugat_medqa/full@extractive on quiz has no pages yet"),
        (
            "kaping",
            "ugat_medqa, kaping have an arm full@extractive; remedy: name the system, ugat_medqa/full",
        ),
    ):
        place = {"system": system, "arm": "full@extractive", "benchmark": "quiz"}
        lake.write(PREDICTIONS, place, table_of(PREDICTIONS))
        status, printed = failed(capsys, "export", "quiz", "full@extractive", "crate")
        assert status == 1
        assert message in printed


@pytest.mark.parametrize("command", [["ablate"], ["export"]])
def test_an_arm_of_several_systems_is_told_to_be_named_with_its_system(
    folder: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    folders = ["crate"] if command == ["export"] else []
    status, message = failed(capsys, *command, "quiz", "full@extractive", *folders)
    assert status == 1
    assert "have an arm full@extractive; remedy: name the system, uscrake/full@extractive" in message


def test_a_system_without_what_it_asks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = configuration()
    quiz = content["benchmarks"]["quiz"]
    content["benchmarks"]["other"] = {**quiz, "systems": ["uscrake", "kaping", "four_step_focus"]}
    del content["benchmarks"]["other"]["graph"]
    written(folder, content)
    status, message = failed(capsys, "check")
    assert (status, message) == (
        1,
        f"{folder}/sources.yaml: benchmarks.other: it names no graph for kaping, four_step_focus; "
        "remedy: name one (graph: …), or leave kaping, four_step_focus out of its systems\n",
    )
    # Of a run it stops those alone that need it.
    assert failed(capsys, "demo", "other") == (status, message)
    assert "benchmarks.other" not in failed(capsys, "demo", "quiz", "--arms", "nothing@like")[1]


def test_a_misspelt_system_is_the_only_problem(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = configuration()
    content["benchmarks"]["quiz"] = {
        "reader": "questions_jsonl",
        "uri": "quiz.jsonl",
        "split": "test",
        "systems": ["ucrett"],
    }
    written(folder, content)
    known = ", ".join(systems_by_name())
    assert failed(capsys, "check") == (
        1,
        f"{folder}/sources.yaml: benchmarks.quiz.systems: ucrett is none of {known}; remedy: "
        "name one of them\n",
    )


def test_all_problems_of_names_are_told_with_remedies(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = configuration(format="pdf")
    content["benchmarks"]["quiz"] |= {"reader": "trivia", "graph": "fact"}
    content["graphs"]["facts"]["templates"] = "${UNSET_HERE}/own.yaml"
    written(folder, content)
    readers = ", ".join(sorted(BENCHMARKS))
    assert failed(capsys, "check") == (
        1,
        f"{folder}/sources.yaml: 4 problems\n"
        "- graphs.facts.templates: ${UNSET_HERE} in '${UNSET_HERE}/own.yaml' is not set; remedy: export "
        "UNSET_HERE\n"
        "- corpora.small.sources.notes.format: 'pdf' is none of json, jsonl, lines, mediawiki_xml, "
        "paraphrased_facts, squad, text_folder, wikipedia_parquet, worldtree_tables; "
        "remedy: name one of them\n"
        f"- benchmarks.quiz.reader: 'trivia' is none of {readers}, nor a file ending in .yaml; "
        "remedy: name one; `evidence-assets benchmarks` tells what each reads\n"
        "- benchmarks.quiz.graph: 'fact' is none of the graphs facts; remedy: add it to graphs, or name "
        "another\n",
    )
