"""What the command says where it cannot go on: the whole text, on standard error, without a stack trace."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.cli.demo import next_steps
from evidence_assets.cli.main import main
from evidence_assets.config.configuration import load_project
from evidence_assets.sources.graphs.registry import READERS
from evidence_assets.sources.scratch_benchmarks import ScratchBenchmark
from evidence_assets.systems.registry import systems_by_name
from evidence_assets_tests.testing.commands import QUESTION, failed
from evidence_assets_tests.testing.configuration_samples import configuration, source_of, written

SEEDS = Path(__file__).resolve().parents[2] / "data_lake" / "seeds" / "relations"


def test_a_sound_configuration_is_told_with_what_to_do_next(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 0
    assert capsys.readouterr().out == (
        f"{folder}/sources.yaml: sound (1 corpus, 1 graph, 1 benchmark)\nnext: evidence-assets demo quiz\n"
    )
    assert not list((folder / "lake").glob("*/*"))


def test_what_was_asked_of_the_lake_is_no_benchmark_of_the_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scratch = ScratchBenchmark("small", None, ("uscrake/full@extractive",))
    scratch_folder = folder / "lake" / "scratch" / scratch.name
    scratch_folder.mkdir(parents=True)
    (scratch_folder / "benchmark.json").write_text(json.dumps(asdict(scratch)), encoding="utf-8")
    (scratch_folder / "one.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    assert len(load_project().sources.benchmarks) == 2
    assert main(["check"]) == 0
    assert capsys.readouterr().out.endswith(
        "sound (1 corpus, 1 graph, 1 benchmark)\nnext: evidence-assets demo quiz\n"
    )
    assert failed(capsys, "demo", "quizz")[1].endswith(f"{folder}/sources.yaml names quiz\n")


def test_a_demo_of_no_name_is_of_what_the_configuration_names(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "quiz.jsonl").write_text("{}", encoding="utf-8")
    assert "benchmarks.quiz: " in failed(capsys, "demo")[1]
    content = configuration()
    del content["benchmarks"]
    written(folder, content)
    assert failed(capsys, "demo") == (
        1,
        f"{folder}/sources.yaml names no benchmark; remedy: add one to benchmarks\n",
    )


def test_missing_files_are_told_all_at_once_before_the_first_step(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "facts.tsv").unlink()
    (folder / "quiz.jsonl").unlink()
    content = configuration()
    source_of(content)["uri"] = "nowhere"
    written(folder, content)
    remedy = "no such file; remedy: correct the path or the glob, or fetch the file"
    message = (
        f"{folder}/sources.yaml: 3 problems\n"
        f"- corpora.small.sources.notes: {folder}/nowhere: {remedy}\n"
        f"- graphs.facts.sources.own: {folder}/facts.tsv: {remedy}\n"
        f"- benchmarks.quiz: {folder}/quiz.jsonl: {remedy}\n"
    )
    assert failed(capsys, "demo", "quiz") == (1, message)
    assert failed(capsys, "check") == (1, message)
    assert not list((folder / "lake").glob("*/*"))


def test_a_folder_of_kept_models_that_is_not_there_is_not_passed_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(SEEDS, folder / "seeds")
    harvest = {"corpus": "small", "seeds": "seeds", "training": {"prepared": "models"}}
    written(folder, {**configuration(), "harvest": harvest})
    status, message = failed(capsys, "check")
    assert status == 1
    assert message == (
        f"{folder}/sources.yaml: harvest.training.prepared: {folder}/models: no such file; remedy: correct "
        "the path or the glob, or fetch the file\n"
    )


def test_no_server_is_started_on_a_configuration_that_cannot_be_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, configuration(format="pdf"))
    failure = failed(capsys, "check")
    assert "'pdf' is none of" in failure[1]
    assert failed(capsys, "ui") == failure


@pytest.mark.parametrize("home", ["runs", "/nowhere/at/all"])
def test_a_home_that_is_no_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("DAGSTER_HOME", home)
    message = (
        f"DAGSTER_HOME is {home}, which is no folder's whole path; remedy: name a folder that is there, "
        "from / on, or unset it to keep runs in the project\n"
    )
    for command in (["demo", "quiz"], ["ui"]):
        assert failed(capsys, *command) == (1, message)
    assert not (folder / "runs").exists()


def test_an_eager_asset_that_is_none_is_told_before_dagster_starts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(folder, {**configuration(), "automation": {"eager": ["ranked_chunk"]}})
    status, message = failed(capsys, "check")
    assert status == 1
    assert message.startswith(
        f"{folder}/sources.yaml: automation.eager names ranked_chunk; remedy: name assets that there are: "
    )
    assert " ranked_chunks, " in message


def test_what_another_benchmark_lacks_stops_no_run(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = configuration()
    content["benchmarks"]["other"] = dict(content["benchmarks"]["quiz"], uri="absent.jsonl")
    written(folder, content)
    _, message = failed(capsys, "demo", "quiz", "--arms", "nothing@like")
    assert "absent" not in message
    assert "benchmarks.other: " in failed(capsys, "check")[1]


def test_a_benchmark_of_which_every_question_is_rejected(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [dict(QUESTION, id=f"q{number}", answer_index=number) for number in (7, 8)]
    (folder / "quiz.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert failed(capsys, "demo", "quiz") == (
        1,
        f"{folder}/sources.yaml: benchmarks.quiz: quiz.jsonl, read as questions_jsonl: "
        "none of 2 records is a question; the first, line 1, id q7: answer key '7' is out of range: "
        "the labels are 0, 1; remedy: set 'answer_index' to one of the labels, "
        "or name the reader that fits\n",
    )
    (folder / "quiz.jsonl").write_text("", encoding="utf-8")
    assert failed(capsys, "demo", "quiz") == (
        1,
        f"{folder}/sources.yaml: benchmarks.quiz: {folder}/quiz.jsonl, the whole file: "
        "no line is a JSON object with the fields id, question; the file is empty. "
        "Remedy: write an object a line, with these fields, or name the reader that fits the file\n",
    )


def test_a_type_that_a_schema_does_not_name_is_told_at_the_start(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = configuration()
    content["graphs"]["facts"]["templates"] = "schema.yaml"
    relation = 'IsA: {head: anmal, tail: thing, sentences: ["{head} {tail}"]}'
    schema = f"types: {{animal: [animal]}}\nrelations:\n  {relation}"
    (folder / "schema.yaml").write_text(schema, encoding="utf-8")
    written(folder, content)
    message = (
        f"{folder}/sources.yaml: graphs.facts.templates: {folder}/schema.yaml: relations.IsA.head: "
        "'anmal' is no type; remedy: add it to types, or one of animal, thing\n"
    )
    for command in (["check"], ["demo", "quiz"], ["status"]):
        assert failed(capsys, *command) == (1, message)


def test_wrong_fields_names_and_missing_files_are_told_at_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a stand-in for a wrong field would be told of is no news, nor what is asked of a wrong section."""
    content = configuration()
    source_of(content)["licens"] = source_of(content).pop("licence")
    content["graphs"]["facts"]["embedding_threshold"] = 2
    content["graphs"]["facts"]["sources"][0] |= {"uri": "absent.tsv", "format": "rdf"}
    content["benchmarks"]["quiz"] |= {"sample": "many", "graph": "fact", "systems": ["uscrak"]}
    del content["benchmarks"]["quiz"]["split"]
    content["readers"] = []
    written(folder, content)
    remedy = "no such file; remedy: correct the path or the glob, or fetch the file"
    assert failed(capsys, "check") == (
        1,
        f"{folder}/sources.yaml: 10 problems\n"
        "- corpora.small.sources.0.licence: it is missing; remedy: add it\n"
        "- corpora.small.sources.0.licens: there is no such field; remedy: is it licence? Else remove it\n"
        "- graphs.facts.embedding_threshold: 2 where at most 1 is expected; remedy: correct the value\n"
        "- benchmarks.quiz.split: it is missing; remedy: add it\n"
        "- benchmarks.quiz.sample: 'many' where a whole number is expected; remedy: write a whole number\n"
        "- readers: a list where names with values are expected; remedy: write a name and a value a line: "
        "NAME: VALUE\n"
        f"- graphs.facts.sources.own.format: 'rdf' is none of {', '.join(sorted(READERS))}; "
        "remedy: name one of them\n"
        "- benchmarks.quiz.graph: 'fact' is none of the graphs facts; remedy: add it to graphs, or name "
        "another\n"
        f"- benchmarks.quiz.systems: uscrak is none of {', '.join(systems_by_name())}; "
        "remedy: name one of them\n"
        f"- graphs.facts.sources.own: {folder}/absent.tsv: {remedy}\n",
    )


@pytest.mark.parametrize(
    ("part", "value", "named_fields"),
    [
        ("generators", {"x": {"engine": "foo"}}, ["generators.x.engine", "generators.x.model"]),
        (
            "readers",
            {"r": {"corpora": "small"}},
            [f"readers.r.{field}" for field in ("corpora", "chosen_on", "evaluated_on")],
        ),
        ("benchmarks", {"quiz": []}, ["benchmarks.quiz"]),
        (
            "corpora",
            {"Small": {"sources": []}},
            ["corpora.Small", "corpora.Small.sources", "benchmarks.quiz.corpus"],
        ),
        ("corpora", {"small": {"sources": ["notes"]}}, ["corpora.small.sources.0"]),
        ("harvest", {"seeds": 3}, ["harvest.seeds", "harvest.corpus"]),
    ],
)
def test_what_is_wrong_as_a_whole_is_told_once(
    folder: Path, capsys: pytest.CaptureFixture[str], part: str, value: Any, named_fields: list[str]
) -> None:
    written(folder, {**configuration(), part: value})
    status, text = failed(capsys, "check")
    problems = re.findall(r"^(?:- |.*sources.yaml: (?!\d))([\w.]+): .*; remedy: ", text, re.MULTILINE)
    assert (status, problems) == (1, named_fields)


def test_nothing_is_required_that_is_not_used(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A graph and its questions need no corpus, and neither templates."""
    content = configuration()
    del content["corpora"], content["benchmarks"]["quiz"]["corpus"]
    content["benchmarks"]["quiz"]["systems"] = ["ugat_medqa"]
    written(folder, content)
    assert main(["check"]) == 0
    assert capsys.readouterr().out.startswith(f"{folder}/sources.yaml: sound (1 graph, 1 benchmark)")


@pytest.mark.parametrize("seeds", [[], ["HasA", "IsA"]])
def test_a_harvest_is_offered_where_there_are_seeds(folder: Path, seeds: list[str]) -> None:
    (folder / "seeds").mkdir()
    for relation in seeds:
        (folder / "seeds" / f"{relation}.yaml").touch()
    content = configuration()
    content["harvest"] = {"corpus": "small", "seeds": "seeds"}
    written(folder, content)
    *_, last = next_steps(["quiz"], "", "file:///pages", load_project(folder / "sources.yaml"))
    assert last.endswith("harvest HasA") is bool(seeds)
    assert ("harvest" in last) is bool(seeds)


@pytest.mark.integration
def test_a_run_that_fails_tells_the_file_and_the_remedy_before_the_cause(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = configuration()
    content["benchmarks"]["quiz"] = {
        "reader": "questions_jsonl",
        "uri": "floppy://quiz.jsonl",
        "split": "test",
        "systems": ["ucret"],
    }
    written(folder, content)
    assert main(["demo", "quiz"]) == 1
    assert capsys.readouterr().err == (
        "job read_tables, partition quiz: floppy://quiz.jsonl, before the first record: cannot be opened "
        "(ValueError: Protocol not known: floppy). Remedy: check the address, the access rights and the "
        f"connection\nthe log is in {folder}/logs/runs.log\n"
    )


def test_the_scores_of_all_that_was_shown_are_offered(folder: Path) -> None:
    project = load_project(folder / "sources.yaml")
    *_, last = next_steps(["quiz", "other", "third"], "", "file:///pages", project)
    assert " scores quiz other third; " in last


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        (
            "absent.xlsx#2015",
            "absent.xlsx: there is no such file; remedy: name a file of a table (.csv, .xlsx, …)",
        ),
        ("absent.csv", "absent.csv: there is no such file; remedy: name a file of a table (.csv, .xlsx, …)"),
        ("notes", "notes: it is a folder; remedy: name a file of a table in it (.csv, .xlsx, …)"),
        ("notes#2", "notes: it is a folder; remedy: name a file of a table in it (.csv, .xlsx, …)"),
        (
            "cases.csv#2",
            "'table' cases.csv is one table, without a name; remedy: leave 'name' out, or what stands "
            "behind #",
        ),
    ],
)
def test_a_table_that_cannot_be_asked(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    table: str,
    problem: str,
) -> None:
    monkeypatch.chdir(folder)
    (folder / "cases.csv").write_text("region,cases\nQuebec,94\n", encoding="utf-8")
    assert failed(capsys, "ask", "How many cases had Quebec?", "--table", table) == (1, f"{problem}\n")
