"""What the sensor requests, on a small project of which files were read and no model was loaded."""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.audit import integrity
from evidence_assets.lake.store_failures import AWAY, StoreError
from evidence_assets.orchestration import attempts, workers
from evidence_assets.orchestration.follow_sensor import BECAUSE_TAG, in_one_line
from evidence_assets.orchestration.resources import LakeResource
from evidence_assets.stages import execution
from evidence_assets.stages.declaration import Key, Stage, StageError
from evidence_assets_tests.testing.direct_runs import workspace
from evidence_assets_tests.testing.follower import Follower, parts_of
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    SEA,
    STONES,
    SmallProject,
    failure_of,
    observe,
    run_assets,
    run_range,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

GRAPH = ("triples", "graph_concepts", "graph_conflicts")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """The small project with two shards, a benchmark and a graph read: to be copied, never changed."""
    project = write_small_project(tmp_path_factory.mktemp("read") / "project")
    definitions = project.definitions()
    with dg.DagsterInstance.ephemeral() as instance:
        for names, key in (
            (["articles"], SEA),
            (["articles"], ROCKS),
            (["questions"], ANIMAL_QUIZ),
            ([*GRAPH], NATURE),
        ):
            assert run_assets(definitions, names, instance, key).success
    return project


@pytest.fixture
def project(read: SmallProject, tmp_path: Path) -> SmallProject:
    return read.copy(tmp_path / "project")


@pytest.fixture
def follower(project: SmallProject) -> Iterator[Follower]:
    """A daemon that begins anew: it remembers no event."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield Follower(project.definitions(), instance)


def edit(project: SmallProject, source: str = "sea", name: str = "urchin.md") -> None:
    path = project.article(source, name)
    path.write_text(path.read_text(encoding="utf-8") + "\nUrchins have tube feet.\n", encoding="utf-8")


def configured(project: SmallProject, configuration: dict[str, Any]) -> dg.Definitions:
    """The definitions of another configuration: a file is read once a process."""
    write_yaml(project.folder / "changed.yaml", configuration)
    return project.definitions("changed.yaml")


def passes(follower: Follower, asset: str, check: str) -> bool:
    """Whether a check of an asset passed when it was last evaluated."""
    key = dg.AssetCheckKey(dg.AssetKey(asset), check)
    record = follower.instance.get_latest_asset_check_evaluation_record(key)
    assert record is not None and record.evaluation is not None
    return record.evaluation.passed


def runs_of(instance: dg.DagsterInstance) -> int:
    return instance.get_runs_count(dg.RunsFilter(job_name="bring_up_to_date"))


def test_a_first_look_at_an_unchanged_lake_records_it_and_requests_nothing(
    follower: Follower, project: SmallProject
) -> None:
    assert follower.requested() == {}
    assert follower.message == "nothing is due"
    instance = follower.instance
    assert instance.get_materialized_partitions(dg.AssetKey("articles")) == {SEA, ROCKS}
    assert instance.get_materialized_partitions(dg.AssetKey("triples")) == {NATURE}
    assert instance.get_materialized_partitions(dg.AssetKey("chunks")) == set()
    assert instance.get_runs_count() == 0
    assert follower.requested() == {}
    assert follower.message == "nothing has changed"


def test_an_observation_is_a_baseline_and_requests_nothing(follower: Follower) -> None:
    observe(follower.definitions, follower.instance)
    assert follower.requested() == {}
    observe(follower.definitions, follower.instance)
    assert follower.requested() == {}


def test_an_edit_requests_what_read_it_and_exists_in_one_run(
    follower: Follower, project: SmallProject
) -> None:
    assert follower.requested() == {}
    edit(project)
    edit(project, "land", "vole.md")
    edit(project, "rocks", "salt.md")
    [request] = follower.look()
    # Whoever looks at the run reads which file it is launched for.
    assert request.tags[BECAUSE_TAG] == (
        "file articles/sea changed (urchin.md changed); file articles/rocks changed (salt.md changed)"
    )
    # The articles of the land were never made, nor was anything below.
    assert follower.follow() == {"articles": {SEA, ROCKS}}
    assert follower.requested() == {}
    assert runs_of(follower.instance) == 1


def test_a_cause_that_is_told_with_more_is_told_once() -> None:
    """Pages keep no record of a folder's files, and tell of the folder alone that it changed."""
    reasons = ["file a changed (x.md changed)", "b is made again", "file a changed", "file ab changed"]
    assert in_one_line(reasons) == "file a changed (x.md changed); file ab changed"
    assert in_one_line(f"file {name} changed" for name in "abcde") == (
        "file a changed; file b changed; file c changed and 2 more"
    )


def test_a_file_that_was_only_written_again_requests_nothing(
    follower: Follower, project: SmallProject
) -> None:
    assert follower.requested() == {}
    for path in (project.article("sea", "urchin.md"), project.questions(ANIMAL_QUIZ)):
        path.write_bytes(path.read_bytes())
    assert follower.requested() == {}


@pytest.mark.parametrize(
    ("file", "old", "new", "made"),
    [
        (f"{ANIMAL_QUIZ}.jsonl", "raise its cubs", "bring up its cubs", {"questions": {ANIMAL_QUIZ}}),
        ("facts.tsv", "IsA\tkelp\tseaweed\n", "", {name: {NATURE} for name in GRAPH}),
        ("stones.tsv", "white", "grey", {}),
        (f"{MINERAL_QUIZ}.jsonl", "roads", "streets", {}),
    ],
)
def test_a_changed_file_makes_what_read_it_alone(
    follower: Follower, project: SmallProject, file: str, old: str, new: str, made: dict[str, set[str]]
) -> None:
    path = project.folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert follower.follow() == made


def test_a_changed_configuration_makes_what_it_reads_otherwise(
    follower: Follower, project: SmallProject
) -> None:
    configuration = small_configuration()
    configuration["benchmarks"][ANIMAL_QUIZ]["sample"] = 2
    follower.definitions = configured(project, configuration)
    made = follower.follow()
    assert made == {"questions": {ANIMAL_QUIZ}}, follower.message
    assert follower.requested() == {}


def test_a_benchmark_pointed_at_another_file_is_read_again(follower: Follower, project: SmallProject) -> None:
    assert follower.requested() == {}
    other_file = project.questions("other")
    other_file.write_text(project.questions(ANIMAL_QUIZ).read_text(encoding="utf-8"), encoding="utf-8")
    configuration = small_configuration()
    configuration["benchmarks"][ANIMAL_QUIZ]["uri"] = other_file.name
    follower.definitions = configured(project, configuration)
    assert follower.follow() == {"questions": {ANIMAL_QUIZ}}, follower.message
    assert follower.requested() == {}


def test_an_edited_table_beside_its_questions_is_followed(follower: Follower, project: SmallProject) -> None:
    quiz, table = project.folder / "data" / "quiz.tsv", project.folder / "csv" / "1.csv"
    for path, text in (
        (quiz, "id\tutterance\tcontext\ttargetValue\nnt-0\twho won?\tcsv/1.csv\tAnn\n"),
        (table, '"Name","Year"\n"Ann","1940"\n'),
    ):
        path.parent.mkdir()
        path.write_text(text, encoding="utf-8")
    configuration: dict[str, Any] = small_configuration()
    configuration["benchmarks"]["table_quiz"] = {
        "reader": "wikitablequestions",
        "uri": "data/quiz.tsv",
        "split": "test",
        "systems": ["ucret"],
    }
    follower.definitions = configured(project, configuration)
    assert run_assets(follower.definitions, ["questions"], follower.instance, "table_quiz").success
    assert follower.requested() == {}
    assert follower.requested() == {}
    assert follower.message == "nothing has changed"
    table.write_text('"Name","Year"\n"Ann","1950"\n', encoding="utf-8")
    assert follower.follow() == {"questions": {"table_quiz"}}, follower.message
    assert follower.requested() == {}


def test_what_the_configuration_names_as_eager_is_made_unasked(
    follower: Follower, project: SmallProject
) -> None:
    configuration: dict[str, Any] = small_configuration()
    configuration["automation"] = {"eager": ["articles", "triples"]}
    follower.definitions = configured(project, configuration)
    assert follower.follow() == {"articles": {LAND}} | {name: {STONES} for name in GRAPH}
    assert follower.requested() == {}


def test_an_unknown_eager_asset_is_told_with_those_that_there_are(project: SmallProject) -> None:
    configuration: dict[str, Any] = small_configuration()
    configuration["automation"] = {"eager": ["article"]}
    with pytest.raises(
        StageError, match=r"automation\.eager names article; remedy: name assets that.*articles"
    ):
        configured(project, configuration)


def test_nothing_is_requested_while_a_run_is_in_progress(follower: Follower, project: SmallProject) -> None:
    @dg.job
    def other() -> None:
        pass

    edit(project)
    run = follower.instance.create_run_for_job(other, status=dg.DagsterRunStatus.STARTED)
    workers.note_worker(follower.instance, run.run_id)
    assert follower.requested() == {}
    assert follower.message == "runs are in progress; they are waited for"
    follower.instance.report_run_failed(run)
    assert follower.requested() == {"articles": {SEA}}


def died(follower: Follower, request: dg.RunRequest, making: str = "") -> None:
    """A run of a request that came to nothing: its worker was killed at a partition."""
    job = follower.definitions.resolve_job_def(str(request.job_name))
    instance = follower.instance
    run = instance.create_run_for_job(job, run_config=request.run_config, status=dg.DagsterRunStatus.STARTED)
    if making:
        workers.note_making(instance, run.run_id, making, basis_of(follower))
    gone = json.dumps({"host": socket.gethostname(), "pid": 2**22 + 1, "created": 0.0})
    instance.add_run_tags(run.run_id, {workers.WORKER_TAG: gone})


def basis_of(follower: Follower) -> str:
    """The basis of the one partition of the test, as a run of it tells it."""
    bases: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "evidence_assets.orchestration.refreshing.note_making", lambda *args: bases.append(args[-1])
        )
        patch.setattr(
            "evidence_assets.stages.execution.make_partition", lambda *_: pytest.fail("only the basis")
        )
        [request] = [dg.RunRequest(job_name="bring_up_to_date", run_config={})]
        with dg.DagsterInstance.ephemeral() as scratch:
            job = follower.definitions.resolve_job_def(str(request.job_name))
            job.execute_in_process(instance=scratch, raise_on_error=False)
    return bases[0]


def test_what_a_killed_run_lost_is_requested_once_more_and_then_told(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    assert follower.requested() == {}
    edit(project)
    for turn in range(attempts.MOST_FAILURES):
        [request] = follower.look()
        assert parts_of(request) == [f"articles:{SEA}:"], turn
        died(follower, request, making=f"articles:{SEA}:")
        assert follower.look() == []
        if turn == 0:
            assert follower.message == "what failed is requested again in a moment"
        now[0] += attempts.SECONDS_BETWEEN
    assert follower.look() == []
    key = dg.AssetCheckKey(dg.AssetKey("articles"), "keeps_up")
    record = follower.instance.get_latest_asset_check_evaluation_record(key)
    assert record is not None
    assert record.evaluation is not None
    assert not record.evaluation.passed
    assert str(record.evaluation.description).startswith("Failed twice: requested no more until what it is")
    shown = {name: value.value for name, value in record.evaluation.metadata.items()}
    assert shown == {f"articles:{SEA}:": "its run's worker died"}
    edit(project)
    assert follower.follow() == {"articles": {SEA}}, "it is made from something else now"
    assert follower.requested() == {}
    record = follower.instance.get_latest_asset_check_evaluation_record(key)
    assert record is not None
    assert record.evaluation is not None
    assert record.evaluation.passed


def test_a_killed_run_of_ones_asking_is_made_good(follower: Follower, project: SmallProject) -> None:
    """Nothing of it ever existed: that it was asked for is told by the run alone."""
    assert follower.requested() == {}
    job = follower.definitions.resolve_job_def("ingest_corpus")
    run = follower.instance.create_run_for_job(
        job,
        status=dg.DagsterRunStatus.STARTED,
        tags={"dagster/partition": LAND},
        asset_selection=frozenset({dg.AssetKey("articles")}),
    )
    gone = json.dumps({"host": socket.gethostname(), "pid": 2**22 + 1, "created": 0.0})
    follower.instance.add_run_tags(run.run_id, {workers.WORKER_TAG: gone})
    assert follower.follow() == {"articles": {LAND}}
    assert follower.requested() == {}


def test_a_partition_that_cannot_be_made_is_tried_twice_and_holds_nobody_up(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    project.questions(ANIMAL_QUIZ).write_text("no JSON", encoding="utf-8")
    edit(project)
    assert follower.follow(success=False) == {"articles": {SEA}}
    assert follower.look() == []
    now[0] += attempts.SECONDS_BETWEEN
    assert follower.follow(success=False) == {}
    assert follower.look() == []
    assert follower.message == "nothing is due; 1 stopped"
    now[0] += attempts.SECONDS_BETWEEN
    assert follower.look() == []


def test_what_is_stopped_is_told_again_once_another_partition_was_made(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    assert run_assets(follower.definitions, ["questions"], follower.instance, MINERAL_QUIZ).success
    project.questions(ANIMAL_QUIZ).write_text("no JSON", encoding="utf-8")
    for _ in range(2):
        assert follower.follow(success=False) == {}
        now[0] += attempts.SECONDS_BETWEEN
    assert follower.look() == [] and not passes(follower, "questions", "keeps_up")
    path = project.questions(MINERAL_QUIZ)
    path.write_text(path.read_text(encoding="utf-8").replace("ice", "the ice"), encoding="utf-8")
    assert follower.follow() == {"questions": {MINERAL_QUIZ}}
    assert follower.look() == [] and follower.message == "nothing is due; 1 stopped"
    assert not passes(follower, "questions", "keeps_up")


def test_what_a_store_that_was_away_has_failed_is_requested_until_it_answers(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = StoreError("s3://bucket/lake", AWAY, "SlowDown")

    def fail(*_: object, **__: object) -> object:
        raise away

    edit(project)
    with monkeypatch.context() as outage:
        outage.setattr(execution, "make_partition", fail)
        for _ in range(attempts.MOST_FAILURES + 1):
            [request] = follower.look()
            result = follower.run(request)
            assert "Remedy: see that it runs" in failure_of(result)
        outage.setattr(LakeResource, "open", fail)
        assert follower.look() == []
        assert follower.message == str(away)
    assert follower.follow()["articles"] == {SEA}


def test_each_partition_of_a_run_is_an_event_as_soon_as_it_is_written(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a run that dies at the second, the first is known."""
    seen: list[set[str]] = []
    make = execution.make_partition

    def noted(stage: Stage, key: Key, *rest: Any) -> Any:
        seen.append(follower.instance.get_materialized_partitions(dg.AssetKey("articles")))
        return make(stage, key, *rest)

    monkeypatch.setattr(execution, "make_partition", noted)
    reading = dg.Definitions(
        assets=follower.definitions.assets,
        jobs=[dg.define_asset_job("read", dg.AssetSelection.assets("articles"))],
        resources=follower.definitions.resources,
        executor=dg.in_process_executor,
    )
    assert run_range(reading, "read", LAND, ROCKS, follower.instance).success
    assert seen == [set(), {LAND}, {LAND, SEA}]


def test_dagster_takes_what_a_run_followed_for_up_to_date(follower: Follower, project: SmallProject) -> None:
    """An event tells of what was read as Dagster's own do, so that its interface tells stale from fresh."""
    assert run_assets(follower.definitions, ["questions"], follower.instance, ANIMAL_QUIZ).success
    assert follower.requested() == {}
    edit(project)
    assert follower.follow() == {"articles": {SEA}}
    [record] = follower.instance.fetch_materializations(dg.AssetKey("articles"), limit=1).records
    event = record.asset_materialization
    assert event is not None
    tags = event.tags or {}
    assert tags["dagster/code_version"] == workspace(project).graph.by_name["articles"].version
    assert tags["dagster/input_event_pointer/corpus_files"] == "NULL"
    observe(follower.definitions, follower.instance)
    edit(project)
    assert follower.follow() == {"articles": {SEA}}
    observed = follower.instance.fetch_observations(dg.AssetKey("corpus_files"), limit=1).records
    [record] = follower.instance.fetch_materializations(dg.AssetKey("articles"), limit=1).records
    event = record.asset_materialization
    assert event is not None
    pointer = (event.tags or {})["dagster/input_event_pointer/corpus_files"]
    assert pointer == str(observed[0].storage_id)


def test_refused_rows_spread_no_further(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> Iterator[str]:
        yield "wrong on purpose"

    assert run_assets(follower.definitions, ["gold_chunks"], follower.instance, ANIMAL_QUIZ).success is False
    edit(project)
    with monkeypatch.context() as patched:
        patched.setitem(integrity.OF_ANY_TABLE, "rows_fit_declaration", wrong)
        made = follower.follow(success=False)
    assert made == {"articles": {SEA}}
    assert not passes(follower, "articles", "rows_fit_declaration")


def test_refused_rows_spread_no_further_once_another_partition_of_their_asset_was_made(
    follower: Follower, project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(lake: object, table: Any, place: Any) -> Iterator[str]:
        if table.name == "articles" and place.get("shard") == SEA:
            yield "wrong on purpose"

    now = [time.time()]
    monkeypatch.setattr(time, "time", lambda: now[0])
    for shard in (SEA, LAND):
        assert run_assets(follower.definitions, ["articles", "chunks"], follower.instance, shard).success
    with monkeypatch.context() as patched:
        patched.setitem(integrity.OF_ANY_TABLE, "rows_fit_declaration", wrong)
        edit(project)
        assert follower.follow(success=False) == {"articles": {SEA}}
        assert follower.look() == []
        now[0] += attempts.SECONDS_BETWEEN
        edit(project, "land", "fox.md")
        assert follower.follow() == {"articles": {LAND}, "chunks": {LAND}}
    assert passes(follower, "articles", "rows_fit_declaration"), "it was of another partition"
    edit(project, "sea", "otter.md")
    assert follower.follow() == {"articles": {SEA}, "chunks": {SEA}}


def test_what_is_gone_from_the_lake_is_missing_and_not_requested(
    follower: Follower, project: SmallProject
) -> None:
    assert follower.requested() == {}
    shutil.rmtree(project.lake_folder / "articles")
    follower.cursor = None
    assert follower.requested() == {}
    assert follower.instance.get_materialized_partitions(dg.AssetKey("articles")) == set()
    assert follower.instance.get_materialized_partitions(dg.AssetKey("questions")) == {ANIMAL_QUIZ}


def test_a_lake_that_is_not_there_is_no_reason_to_forget(follower: Follower, project: SmallProject) -> None:
    assert follower.requested() == {}
    project.lake_folder.rename(project.folder / "elsewhere")
    assert follower.requested() == {}
    assert follower.instance.get_materialized_partitions(dg.AssetKey("questions")) == {ANIMAL_QUIZ}
