"""Sources that fall: what rests on them is shown, what depends on them is what a full rebuild would make."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from evidence_assets.cli.main import main
from evidence_assets.lake import catalogue
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import HARVESTED_TRIPLES
from evidence_assets.orchestration.retracting import (
    RetractionError,
    carry_out,
    edit_plan,
    retraction_plan,
)
from evidence_assets.orchestration.retraction_outcomes import GivenAnswer
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.retractions import FILE_NAME, TABLE, TRIPLE, change_retractions, retractions_of
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets_tests.testing.direct_runs import enter, make, partition_states, workspace
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    FOX_DEN,
    LAND,
    NATURE,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration

CASES = "cases"
ARM, VERIFIER = "full@extractive", "full@extractive"
FOX = content_id("article", LAND, "fox.md")
OTTER_EATS = content_id("triple", NATURE, "sea otter", "CapableOf", "eat sea urchins")
CLAIMS = (
    ("c1", "The Rhine is longer than the Elbe.", "rivers.csv"),
    ("c2", "Quartz has a hardness of 7.", "stones.csv"),
)
TABLES = {
    "rivers.csv": "river,length\nElbe,1094\nRhine,1233\n",
    "stones.csv": "mineral,hardness\nQuartz,7\nTalc,1\n",
}


def written(folder: Path) -> SmallProject:
    """The small project with claims about two tables beside it."""
    project = write_small_project(folder)
    for name, text in TABLES.items():
        (folder / name).write_text(text, encoding="utf-8")
    options = ["SUPPORTS", "REFUTES"]
    claims = [
        {"id": name, "question": text, "options": options, "answer_index": 0, "table": table}
        for name, text, table in CLAIMS
    ]
    lines = "".join(f"{json.dumps(claim)}\n" for claim in claims)
    (folder / f"{CASES}.jsonl").write_text(lines, encoding="utf-8")
    configuration = small_configuration()
    configuration["benchmarks"][CASES] = {
        "reader": "questions_jsonl",
        "uri": f"{CASES}.jsonl",
        "split": "test",
        "systems": ["ucret"],
    }
    write_yaml(project.configuration, configuration)
    return project


def make_all(project: SmallProject) -> None:
    """Make one experiment over text and a graph and one over tables, with all that they read."""
    at_work = workspace(project)
    experiments = (("uscrake", Key(ANIMAL_QUIZ, ARM)), ("ucret", Key(CASES, VERIFIER)))
    make(at_work, [(at_work.graph.by_name[f"{name}/benchmark_scores"], key) for name, key in experiments])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    project = written(tmp_path_factory.mktemp("retractions") / "project")
    with pytest.MonkeyPatch.context() as patched:
        make_all(enter(project, patched))
    return project


@pytest.fixture
def project(made: SmallProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    return enter(made.copy(tmp_path / "project"), monkeypatch)


def rebuilt(project: SmallProject) -> dict[str, tuple[str, Any, str]]:
    """The state of a lake that is made from nothing, with what was retracted."""
    listed = project.lake_folder / FILE_NAME
    retractions = listed.read_bytes() if listed.exists() else None
    shutil.rmtree(project.lake_folder)
    project.lake_folder.mkdir()
    if retractions is not None:
        listed.write_bytes(retractions)
    make_all(project)
    return partition_states(project.lake)


def table_id(project: SmallProject, key: str) -> str:
    with catalogue.connect(project.lake) as connection:
        [(identifier,)] = connection.execute("SELECT table_id FROM tables WHERE key = ?", [key]).fetchall()
    return str(identifier)


def edit_article(project: SmallProject) -> None:
    article = project.article("land", "fox.md")
    text = article.read_text(encoding="utf-8")
    article.write_text(text.replace(FOX_DEN, "A red fox raises its cubs in a tree."), encoding="utf-8")


def edit_triples(project: SmallProject) -> None:
    project.triples("facts").write_text("IsA\tkelp\tseaweed\nHasA\tsea otter\tdense fur\n", encoding="utf-8")


def edit_table(project: SmallProject) -> None:
    table = project.folder / "rivers.csv"
    table.write_text("river,length\nElbe,1094\nRhine,933\n", encoding="utf-8")


@pytest.mark.parametrize("key", ["fox.md", OTTER_EATS, "rivers.csv"], ids=["article", "triple", "table"])
def test_what_is_retracted_leaves_what_a_full_rebuild_makes(key: str, project: SmallProject) -> None:
    at_work = workspace(project)
    before = partition_states(project.lake)
    plan = retraction_plan(at_work, [key])
    assert partition_states(project.lake) == before
    assert plan.resting
    carry_out(at_work, plan)
    incremental = partition_states(project.lake)
    assert incremental != before
    assert rebuilt(project) == incremental
    unknown = pytest.raises(duckdb.InvalidInputException, match=f"no source {key} in this lake")
    with catalogue.connect(project.lake) as connection, unknown:
        connection.execute("SELECT * FROM impact(?)", [key])


@pytest.mark.parametrize("edit", [edit_article, edit_triples, edit_table])
def test_what_was_edited_leaves_what_a_full_rebuild_makes(
    edit: Callable[[SmallProject], None], project: SmallProject
) -> None:
    edit(project)
    at_work = workspace(project)
    before = partition_states(project.lake)
    carry_out(at_work, edit_plan(at_work))
    incremental = partition_states(project.lake)
    assert incremental != before
    assert rebuilt(project) == incremental


@pytest.mark.parametrize("edit", [edit_article, edit_table])
def test_what_a_stopped_run_left_is_told_and_made_by_the_next(
    edit: Callable[[SmallProject], None], project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(project)
    at_work = workspace(project)
    plan = edit_plan(at_work)
    made: list[str] = []

    def stop_after_two(stage: str, _: str) -> None:
        made.append(stage)
        if len(made) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        carry_out(at_work, plan, stop_after_two)
    left = edit_plan(workspace(project))
    assert not left.read_anew
    assert 0 < len(left.partitions) < len(plan.partitions)
    system, benchmark = ("uscrake", ANIMAL_QUIZ) if edit is edit_article else ("ucret", CASES)
    assert main(["scores", benchmark]) == 0
    assert "note: the inputs are stale: " in capsys.readouterr().out
    gate = {"system": system, "arm": ARM, "benchmark": benchmark, "least": {"lineage": 0.0}}
    write_yaml(project.folder / "gates.yaml", {"gates": [gate]})
    assert main(["gate", str(project.folder / "gates.yaml")]) == 1
    assert "lineage is stale: " in capsys.readouterr().out
    assert main(["retract", "--edited", "--apply"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("no file was edited since it was read, but not all was made anew since")
    assert rebuilt(project) == partition_states(project.lake)
    assert main(["retract", "--edited"]) == 0
    assert capsys.readouterr().out == "no file was edited since it was read\n"


def test_a_retraction_that_was_killed_is_told_and_goes_on(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    """A killed process undoes nothing: what it listed stays, and nothing was read without it."""
    at_work = workspace(project)
    plan = retraction_plan(at_work, ["fox.md"])
    change_retractions(project.lake, plan.retracted, ())
    assert main(["scores", ANIMAL_QUIZ]) == 0
    assert "note: the inputs are stale: what is read of animals.land changed" in capsys.readouterr().out
    assert main(["retract", "--edited", "--apply"]) == 0
    assert "edited: articles animals.land" in capsys.readouterr().out
    assert rebuilt(project) == partition_states(project.lake)


def test_a_retraction_beside_another_keeps_what_that_lists(project: SmallProject) -> None:
    at_work = workspace(project)
    plan = retraction_plan(at_work, ["rivers.csv"])
    other = retraction_plan(at_work, [OTTER_EATS])
    carry_out(at_work, plan)
    carry_out(at_work, other)
    listed = retractions_of(str(project.lake_folder)).every
    assert {retraction.kind for retraction in listed} == {TABLE, TRIPLE}


def test_what_was_retracted_by_its_name_is_restored_by_it(project: SmallProject) -> None:
    before = partition_states(project.lake)
    assert main(["retract", "fox.md", "--apply"]) == 0
    assert main(["retract", "--restore", "fox.md", "--apply"]) == 0
    assert partition_states(project.lake) == before


def _of_type(type_: pa.DataType) -> object:
    return [] if pa.types.is_list(type_) else pa.scalar(0).cast(type_).as_py()


def test_what_was_mined_is_no_source_that_can_be_retracted(project: SmallProject) -> None:
    values = {field.name: _of_type(field.type) for field in HARVESTED_TRIPLES.schema}
    values |= {"kg": "kbloom", "relation": "IsA", "triple_id": "t" * 32}
    rows = pa.Table.from_pylist([values], schema=HARVESTED_TRIPLES.schema)
    project.lake.write(HARVESTED_TRIPLES, {"kg": "kbloom", "relation": "IsA"}, rows)
    with pytest.raises(RetractionError, match="names no graph kbloom; remedy: of what was mined"):
        retraction_plan(workspace(project), ["t" * 32])
    assert not retractions_of(str(project.lake_folder)).every


def test_only_what_depends_on_it_is_made_and_changed_answers_are_told(project: SmallProject) -> None:
    at_work = workspace(project)
    made: list[tuple[str, str]] = []
    plan = retraction_plan(at_work, ["rivers.csv"])
    outcome = carry_out(at_work, plan, lambda *part: made.append(part))
    assert (outcome.left_out, outcome.taken_in) == ((), ())
    assert {name for name, _ in made} == {"tables", "collapsed_tables", "ucret", "ucret/benchmark_scores"}
    assert {partition for _, partition in made} == {CASES, f"full|{CASES}", f"{VERIFIER}|{CASES}"}
    assert len(set(made)) == len(made), "a partition whose tables are made one by one is told once"
    [changed] = outcome.answers
    assert (changed.question_id, changed.before) == ("c1", GivenAnswer("SUPPORTS", is_right=True))
    assert changed.after is not None
    assert not changed.after.is_right
    again = workspace(project)
    restored = carry_out(again, retraction_plan(again, [table_id_of_retracted(again)], restores=True))
    assert restored.answers == (replace(changed, before=changed.after, after=changed.before),)


def table_id_of_retracted(at_work: Workspace) -> str:
    [retracted] = at_work.project.retractions.every
    return retracted.key


def test_what_was_restored_leaves_the_lake_as_it_was(project: SmallProject) -> None:
    before = partition_states(project.lake)
    at_work = workspace(project)
    carry_out(at_work, retraction_plan(at_work, [FOX]))
    again = workspace(project)
    carry_out(again, retraction_plan(again, [FOX], restores=True))
    assert partition_states(project.lake) == before


def test_nothing_was_edited_and_nothing_is_to_be_done(project: SmallProject) -> None:
    plan = edit_plan(workspace(project))
    assert (plan.resting, plan.partitions) == ((), ())


def test_what_names_nothing_is_told(project: SmallProject) -> None:
    with pytest.raises(RetractionError, match="no article, triple or table 'nobody'"):
        retraction_plan(workspace(project), ["nobody"])
    with pytest.raises(RetractionError, match="\nretracted are none"):
        retraction_plan(workspace(project), [FOX], restores=True)


def test_an_article_is_told_by_its_title_and_by_what_it_went_by(project: SmallProject) -> None:
    at_work = workspace(project)
    with pytest.raises(RetractionError, match=r"by 'red Fox'\nof that title there is fox\.md; remedy: "):
        retraction_plan(at_work, ["red Fox"])
    resting = len({row.prediction_id for row in retraction_plan(at_work, ["fox.md"]).resting})
    project.article("land", "fox.md").rename(project.article("land", "vulpes.md"))
    # A run was stopped when it had read the folder.
    articles = at_work.graph.by_name["articles"]
    make_partition(articles, Key(LAND), Run(at_work.lake, at_work.graph, at_work.models))
    with pytest.raises(
        RetractionError, match=f"no article 'fox.md'\n.* {resting} predictions rest on what it"
    ):
        retraction_plan(at_work, ["fox.md"])
    assert edit_plan(at_work).partitions


def test_the_command_says_what_it_concerns_and_changes_nothing_unless_it_is_to(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    before = partition_states(project.lake)
    assert main(["retract", "rivers.csv"]) == 0
    text = capsys.readouterr().out
    assert f"cites  {CASES} c1  ucret/{VERIFIER}  SUPPORTS" in text
    assert text.endswith("nothing was changed; next: evidence-assets retract rivers.csv --apply\n")
    assert partition_states(project.lake) == before
    assert main(["retract", "rivers.csv", "--apply"]) == 0
    text = capsys.readouterr().out
    assert f"{CASES} c1  ucret/{VERIFIER}  SUPPORTS -> " in text
    restoring = f"retract --restore {table_id_of_retracted(workspace(project))} --apply"
    assert text.splitlines()[-1] == f"next: evidence-assets {restoring} reads it again"
    assert main(restoring.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("it is left out now, and nothing rests on it")
    assert "predictions rest on it" not in "".join(lines)
    assert lines[-1] == f"next: evidence-assets scores {CASES}"
    assert partition_states(project.lake) == before
    assert main(["retract"]) == 2
    assert "name what is to be retracted" in capsys.readouterr().err


def test_what_was_retracted_before_is_told_and_nothing_is_changed(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retract", "fox.md", "--apply"]) == 0
    capsys.readouterr()
    before = partition_states(project.lake)
    for key in ("fox.md", FOX):
        for command in (["retract", key], ["retract", key, "--apply"]):
            assert main(command) == 0
            assert capsys.readouterr().out == (
                f"{key} was retracted before, and is left out already\n"
                "nothing was changed; a run that was stopped goes on by: evidence-assets retract --edited "
                "--apply\n"
            )
    assert partition_states(project.lake) == before
    assert main(["retract", "fox.md", "vole.md"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("fox.md was retracted before, and is left out already\n")
    assert "nothing was changed; next: evidence-assets retract fox.md vole.md --apply" in shown


def test_a_prediction_without_an_answer_is_listed_as_one(
    project: SmallProject, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = retraction_plan(workspace(project), ["rivers.csv"])
    silent = replace(plan, resting=tuple(replace(row, predicted=None) for row in plan.resting))
    monkeypatch.setattr("evidence_assets.orchestration.retracting.retraction_plan", lambda *_: silent)
    assert main(["retract", "rivers.csv"]) == 0
    listed = capsys.readouterr().out
    assert f"cites  {CASES} c1  ucret/{VERIFIER}  (none)\n" in listed
    assert "None" not in listed


def test_records_that_fell_out_of_a_source_are_told(
    project: SmallProject, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    fox, vole = (project.article("land", f"{name}.md") for name in ("fox", "vole"))
    before = fox.read_bytes()
    fox.write_bytes(b"# Red fox\n\nA red fox is no caf\xe9.\n")
    vole.write_text("", encoding="utf-8")
    project.article("land", "lynx.md").write_text("# Lynx\n\nA lynx hunts at dusk.\n", encoding="utf-8")
    assert main(["retract", "--edited", "--apply"]) == 0
    lines = capsys.readouterr().out.splitlines()
    left_out = [line for line in lines if line.startswith("left out")]
    assert len(left_out) == 2
    assert left_out[1].startswith(f"left out now: {LAND}, fox.md: byte 30, 0xe9, is not UTF-8; remedy: save ")
    assert "'vole.md': the article has no text" in left_out[0]
    changed = next(line for line in lines if re.match(r"\d+ answers? changed", line))
    assert lines.index(left_out[1]) < lines.index(changed)
    assert f"shard {LAND}: 2 records left out (see rejected_records): " in caplog.text
    assert "fox.md: byte 30, 0xe9, is not UTF-8" in caplog.text
    fox.write_bytes(before)
    assert main(["retract", "--edited", "--apply"]) == 0
    text = capsys.readouterr().out
    assert f"left out no longer: {LAND}, fox.md: byte 30" in text
    assert "left out now" not in text


def test_changed_keys_and_questions_that_came_or_went_are_told_apart(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    file = project.questions(CASES)
    first, second = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    added = {**second, "id": "c3"}
    first["answer_index"] = 1
    file.write_text(f"{json.dumps(first)}\n{json.dumps(added)}\n", encoding="utf-8")
    assert main(["retract", "--edited", "--apply"]) == 0
    text = capsys.readouterr().out
    assert "2 predictions rest on it, " in text
    assert "with 2 predictions\n" in text
    assert f"question removed: {CASES} c2  1 prediction, 1 of them right\n" in text
    assert f"new question: {CASES} c3  1 prediction, 1 of them right\n" in text
    assert "0 answers changed, 1 judged otherwise\n" in text
    assert f"  {CASES} c1  ucret/{VERIFIER}  SUPPORTS  right -> wrong\n" in text


def moved(path: Path) -> None:
    path.rename(path.with_name(f"{path.name}.bak"))


@pytest.mark.parametrize(
    ("lost", "named"),
    [
        (f"{ANIMAL_QUIZ}.jsonl", f"benchmarks.{ANIMAL_QUIZ}"),
        ("articles/land", "corpora.animals.sources.land"),
    ],
)
def test_a_file_that_is_gone_is_told_before_anything_is_made_from_it(
    project: SmallProject, capsys: pytest.CaptureFixture[str], lost: str, named: str
) -> None:
    before = partition_states(project.lake)
    moved(project.folder / lost)
    for arguments in (["--edited"], ["--edited", "--apply"], ["fox.md", "--apply"]):
        assert main(["retract", *arguments]) == 1
        output = capsys.readouterr()
        assert f"{named}: {project.folder / lost}" in output.err
        assert ": no such file; remedy: correct the path or the glob, or fetch the file" in output.err
        assert "Traceback" not in output.err
        assert "next:" not in output.out
    assert not (project.lake_folder / FILE_NAME).exists()
    assert partition_states(project.lake) == before


def test_what_could_not_be_read_without_it_is_not_listed_as_retracted(project: SmallProject) -> None:
    moved(project.article("land", "fox.md").parent)
    at_work = workspace(project)
    plan = retraction_plan(at_work, [FOX])
    with pytest.raises(UnusableSourceError, match="no such file"):
        carry_out(at_work, plan)
    assert not retractions_of(str(project.lake_folder)).every


def test_a_retraction_that_could_not_be_taken_back_can_be_once_its_file_is_there(
    project: SmallProject,
) -> None:
    before = partition_states(project.lake)
    carry_out(workspace(project), retraction_plan(workspace(project), [FOX]))
    land = project.article("land", "fox.md").parent
    moved(land)
    with pytest.raises(UnusableSourceError):
        carry_out(workspace(project), retraction_plan(workspace(project), [FOX], restores=True))
    land.with_name("land.bak").rename(land)
    carry_out(workspace(project), retraction_plan(workspace(project), [FOX], restores=True))
    assert partition_states(project.lake) == before


def test_the_command_says_which_files_were_edited_or_that_none_was(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retract", "--edited"]) == 0
    assert capsys.readouterr().out == "no file was edited since it was read\n"
    edit_table(project)
    assert main(["retract", "--edited"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"edited: questions {CASES}, tables {CASES}\n        file rivers.csv changed\n")
    assert f"\n  cites  {CASES} c1  ucret/{VERIFIER}  SUPPORTS\n" in shown
    assert f"\n  given  {CASES} c2  " in shown
    for name in ("facts", "more"):
        project.triples(name).write_text("IsA\tkelp\tseaweed\n", encoding="utf-8")
    assert main(["retract", "--edited"]) == 0
    edits = [
        line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("        file ")
    ]
    assert sorted(edits) == [f"file {name} changed" for name in ("facts.tsv", "more.tsv", "rivers.csv")]
