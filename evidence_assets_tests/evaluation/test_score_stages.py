"""The scores of a system that ranks answers, as its stages make them; of one that does not, nothing more."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import pyarrow as pa
import pytest
import yaml

from evidence_assets.config.configuration import load_project
from evidence_assets.evaluation.stages import score_stages
from evidence_assets.evidence.arms import Arm, by_name
from evidence_assets.evidence.experiment import (
    RANKED_EXPERIMENT_TABLES,
    Answer,
    Chain,
    Experiment,
    RankedAnswer,
    Selected,
)
from evidence_assets.evidence.units import unit_of_triple
from evidence_assets.lake import catalogue, previews
from evidence_assets.lake.lake import Lake, WrittenPartition
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    GRAPH_ALIASES,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    SCORE_DIFFERENCES,
    TABLES_BY_NAME,
)
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.models.provider import Models
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Key, Output, Scope, Stage, StageError
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.freshness import Freshness, State
from evidence_assets.stages.graph import StageGraph
from evidence_assets.systems.system import GRAPH, System, experiment_stage
from evidence_assets_tests.testing.question_rows import question_row
from evidence_assets_tests.testing.restored_lake import Restored

SYSTEM, ARMS = "asker", ("full", "plain", "never_made")
EXACT = ("hits@1", "answer_recall@20", "answer_mrr", "answer_f1", "answer_contained", "accuracy")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    content = {
        "corpora": {
            "pages": {
                "sources": [{"name": "pages", "uri": "p", "format": "text_folder", "licence": "CC0-1.0"}]
            }
        },
        "graphs": {
            "zoo": {
                "sources": [
                    {"name": "zoo", "uri": "t.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
                ]
            }
        },
        "benchmarks": {
            "open": {"reader": "questions_jsonl", "uri": "q.jsonl", "split": "test", "graph": "zoo"}
        },
    }
    path = tmp_path_factory.mktemp("project") / "sources.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return load_project(path)


def question(question_id: str, answers: list[str]) -> dict[str, Any]:
    return question_row(question_id, "?", benchmark="open", answers=answers)


QUESTION_ROWS = [question("one", ["cat", "lynx"]), question("two", ["dog"])]


def write_arm(lake: Lake, arm: str, ranks: bool, rankings: dict[str, list[RankedAnswer]]) -> None:
    experiment = Experiment(SYSTEM, arm, "open", "1", ranks=ranks)
    unit = unit_of_triple("t", "a cat is a mammal")
    for row in QUESTION_ROWS:
        ranked = rankings[row["question_id"]]
        answer = Answer(None, 0.5, "extractive", "", text=ranked[0].answer)
        chain = Chain(-1, "It is [E1].", [unit], 1.0, {})
        experiment.answer(row, {-1: [Selected(unit, 1.0, [])]}, [chain], answer)
        if ranks:
            experiment.rank(row["question_id"], ranked)
    for name, rows in experiment.tables().items():
        lake.write(TABLES_BY_NAME[name], {"system": SYSTEM, "arm": arm, "benchmark": "open"}, rows)


def nothing(*arguments: object) -> NoReturn:
    raise AssertionError("what scores read is written by this test")


def asker(ranks: bool) -> System:
    return System(
        SYSTEM,
        GRAPH,
        arms=lambda generators: by_name(Arm(name=name, description="") for name in ARMS),
        first_arms=(),
        default_arm="full",
        compared_with=("plain",),
        baselines=("plain",),
        inputs=lambda arms, project: (Input(QUESTIONS),),
        read=nothing,
        descriptions={table.name: "" for table in RANKED_EXPERIMENT_TABLES},
        version="1",
        ranks=ranks,
    )


def graph_of(project: Project, ranks: bool) -> tuple[StageGraph, list[Stage]]:
    def stub(table: Any, scope: Scope) -> Stage:
        return Stage(table.name, scope, (Output(table, ""),), (), nothing, "", "")

    upstream = [stub(QUESTIONS, Scope.BENCHMARK), stub(QUESTION_CONCEPTS, Scope.BENCHMARK)]
    upstream.append(stub(GRAPH_ALIASES, Scope.GRAPH))
    system = asker(ranks)
    scores = score_stages(project, system)
    stages = [*upstream, experiment_stage(system, project), *scores]
    return StageGraph(stages, project.layout), scores


def scored(project: Project, root: Path, ranks: bool) -> Lake:
    lake = Lake(str(root / "lake"))
    lake.write(QUESTIONS, {"benchmark": "open"}, pa.Table.from_pylist(QUESTION_ROWS, schema=QUESTIONS.schema))
    names = [("dog", "label"), ("hound", "synonym")]
    aliases = [{"kg": "zoo", "alias": alias, "kind": kind, "node": 1} for alias, kind in names]
    lake.write(GRAPH_ALIASES, {"kg": "zoo"}, pa.Table.from_pylist(aliases, schema=GRAPH_ALIASES.schema))
    right = [RankedAnswer("Cat", 1.0, 0, "zoo", True, True), RankedAnswer("Lynx", 0.5, 2, "zoo", True, True)]
    tied = [RankedAnswer("Hound", 0.5, returned=True), RankedAnswer("dog", 0.5)]
    write_arm(lake, "full", ranks, {"one": right, "two": tied})
    write_arm(lake, "plain", ranks, {"one": [RankedAnswer("cow", 1.0)], "two": [RankedAnswer("cow", 1.0)]})
    graph, [scores, differences] = graph_of(project, ranks)
    run = Run(lake, graph, Models(root / "cache"))
    for stage, key in (
        (scores, Key("open", "full")),
        (scores, Key("open", "plain")),
        (differences, Key("open")),
    ):
        make_partition(stage, key, run)
    return lake


@pytest.fixture(scope="module")
def restored(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Lake]:
    """A scored lake, of a system that ranks or of one that does not: each is scored once."""

    @cache
    def template(ranks: bool) -> Restored:
        return Restored(scored(project, tmp_path_factory.mktemp("scored"), ranks))

    return lambda ranks: template(ranks)()


def test_rankings_are_scored(restored: Callable[[bool], Lake]) -> None:
    lake = restored(True)
    rows = lake.read(BENCHMARK_SCORES, {"system": SYSTEM, "arm": "full", "benchmark": "open"}).to_pylist()
    values = {row["metric"]: row["value"] for row in rows}
    assert {row["n"] for row in rows} == {2}
    assert [values[metric] for metric in EXACT] == [0.75, 1.0, 0.875, 0.5, 1.0, 0.5]
    assert (values["hits@1_best"], values["hits@1_worst"]) == (1.0, 0.5)
    assert (values["answer_coverage"], values["answer_supported"], values["answer_exact_set"]) == (
        1,
        0.5,
        0.5,
    )
    assert "chance_accuracy" not in values
    differences = lake.read(SCORE_DIFFERENCES, {"system": SYSTEM, "benchmark": "open"}).to_pylist()
    minus = {row["metric"]: row["value"] for row in differences}
    assert (minus["hits@1"], minus["answer_mrr"], minus["accuracy"]) == (0.75, 0.875, 0.5)
    assert not any(metric.endswith(("_best", "_worst")) for metric in minus)
    assert all(row["is_strongest_baseline"] == (row["arm"] == "full") for row in differences)
    assert {row["metric"]: row["baseline_value"] for row in differences}["hits@1"] == 0.0


def test_a_system_that_does_not_rank_has_no_such_score(restored: Callable[[bool], Lake]) -> None:
    lake = restored(False)
    rows = lake.read(BENCHMARK_SCORES, {"system": SYSTEM, "arm": "full", "benchmark": "open"}).to_pylist()
    metrics = {row["metric"] for row in rows}
    selective = {"accuracy@50", "accuracy@80", "calibration_error", "risk_coverage_area"}
    assert metrics == {"accuracy", "answered", "citation_validity", "exact_match"} | selective


def test_scores_follow_the_rankings_of_a_system_that_ranks(project: Project) -> None:
    def upstream(ranks: bool) -> set[str]:
        graph, [scores, _] = graph_of(project, ranks)
        return {source.declared.table.name for source in graph.sources(scores) if not source.declared.via}

    assert upstream(True) - upstream(False) == {"ranked_answers", "question_concepts"}


@pytest.mark.parametrize("ranks", [False, True])
def test_differences_ask_for_no_arm_and_follow_one_that_comes(
    project: Project, tmp_path: Path, ranks: bool, restored: Callable[[bool], Lake]
) -> None:
    graph, [scores, differences] = graph_of(project, ranks)
    key = Key("open")
    assert not [needed for needed in graph.needed([(differences, key)]) if needed.key.variant]
    lake = restored(ranks)
    for table in (QUESTIONS, GRAPH_ALIASES, *experiment_stage(asker(ranks), project).tables):
        for place in lake.partitions(table):
            lake.record(WrittenPartition(lake.version(table, place), "", 1, 1, True), [], "", "")

    def state() -> State:
        return Freshness(lake, graph, Models(tmp_path / "cache")).status(differences, key).state

    assert state() == State.FRESH
    compared = graph.needed([(scores, Key("open", "plain")), (differences, key)])
    to_make = {
        status.stage.name
        for status in Freshness(lake, graph, Models(tmp_path)).statuses(compared)
        if status.state != State.FRESH
    }
    assert {scores.name, differences.name} <= to_make, "what an arm is compared with is to be made anew"
    cow = [RankedAnswer("cow", 1.0)]
    write_arm(lake, "never_made", ranks, {"one": cow, "two": cow})
    assert state() == State.FRESH
    make_partition(scores, Key("open", "never_made"), Run(lake, graph, Models(tmp_path / "cache")))
    assert state() == State.STALE


def test_all_arms_stand_side_by_side_in_a_picture(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restored: Callable[[bool], Lake]
) -> None:
    lake = restored(True)
    drawn = {}

    def draw(names: list[str], bounds: list[tuple[float, ...]], title: str, baselines: set[str]) -> str:
        drawn[title] = (dict(zip(names, bounds, strict=True)), baselines)
        return "picture"

    monkeypatch.setattr(previews, "intervals", draw)
    graph, [_, differences] = graph_of(project, ranks=True)
    made = make_partition(differences, Key("open"), Run(lake, graph, Models(tmp_path / "cache")))
    assert {"accuracy_of_arms", "hits@1_of_arms"} <= made.tables[SCORE_DIFFERENCES.name].metadata.keys()
    assert list(drawn) == ["accuracy of open, 95 % intervals", "hits@1 of open, 95 % intervals"]
    bounds, baselines = drawn["accuracy of open, 95 % intervals"]
    assert list(bounds) == ["full", "plain"], "the highest first, and none that was never made"
    assert baselines == {"plain"}
    for arm, picture in bounds.items():
        place = {"system": SYSTEM, "arm": arm, "benchmark": "open"}
        [row] = [row for row in lake.read(BENCHMARK_SCORES, place).to_pylist() if row["metric"] == "accuracy"]
        assert picture == (row["value"], row["low"], row["high"]), "as the arm's own scores say"


def test_scores_and_differences_are_one_query_over_the_values_of_questions(
    restored: Callable[[bool], Lake],
) -> None:
    lake = restored(True)
    lake.ensure_empty_files()
    with catalogue.connect(lake) as connection:
        scores = connection.execute(
            "SELECT s.metric, s.value, avg(q.value), s.n, count(*) FROM benchmark_scores AS s "
            "JOIN question_scores AS q USING (system, arm, benchmark, metric) WHERE arm = 'full' GROUP BY ALL"
        ).fetchall()
        differences = connection.execute(
            "SELECT d.metric, d.value, avg(a.value - b.value), d.n, count(*) FROM score_differences AS d "
            "JOIN question_scores AS a USING (system, arm, benchmark, metric) "
            "JOIN question_scores AS b ON (b.arm, b.metric, b.question_id) "
            "= (d.baseline_arm, d.metric, a.question_id) GROUP BY ALL"
        ).fetchall()
    assert {"accuracy", "answered", "hits@1", "answer_ndcg@10", "exact_match"} <= {row[0] for row in scores}
    assert {"accuracy", "hits@1"} <= {row[0] for row in differences}
    for _, value, mean, n, count in (*scores, *differences):
        assert (value, n) == (pytest.approx(mean), count)


def test_scores_tell_whether_every_question_was_answered(
    project: Project, tmp_path: Path, restored: Callable[[bool], Lake]
) -> None:
    lake = restored(False)
    place = {"system": SYSTEM, "arm": "full", "benchmark": "open"}
    rows = lake.read(BENCHMARK_SCORES, place).to_pylist()
    assert {(row["n_asked"], row["n_answered"], row["complete"]) for row in rows} == {(2, 2, True)}
    predictions = lake.read(PREDICTIONS, place).to_pylist()
    predictions[1]["parse_status"] = str(Outcome.UNAVAILABLE)
    lake.write(PREDICTIONS, place, pa.Table.from_pylist(predictions, schema=PREDICTIONS.schema))
    graph, [scores, _] = graph_of(project, ranks=False)
    make_partition(scores, Key("open", "full"), Run(lake, graph, Models(tmp_path / "cache")))
    rows = lake.read(BENCHMARK_SCORES, place).to_pylist()
    assert {(row["n_asked"], row["n_answered"], row["complete"]) for row in rows} == {(2, 1, False)}


def test_answers_of_two_code_versions_are_not_averaged(
    project: Project, tmp_path: Path, restored: Callable[[bool], Lake]
) -> None:
    lake = restored(False)
    place = {"system": SYSTEM, "arm": "full", "benchmark": "open"}
    predictions = lake.read(PREDICTIONS, place).to_pylist()
    predictions[1]["code_version"] = "2"
    lake.write(PREDICTIONS, place, pa.Table.from_pylist(predictions, schema=PREDICTIONS.schema))
    graph, [scores, _] = graph_of(project, ranks=False)
    with pytest.raises(StageError, match=r"2 code versions .*\(1 of 1, 1 of 2\); remedy: materialise"):
        make_partition(scores, Key("open", "full"), Run(lake, graph, Models(tmp_path / "cache")))
