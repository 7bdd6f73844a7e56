"""The scores of a system that ranks answers, as its assets make them; of one that does not, nothing more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa
import pytest
import yaml
from evidence_assets.orchestration.lake_resource import LakeResource

from evidence_assets.evaluation.assets import score_assets
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, RankedAnswer, Selected
from evidence_assets.evidence.units import unit_of_triple
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    GRAPH_ALIASES,
    QUESTIONS,
    SCORE_DIFFERENCES,
    TABLES_BY_NAME,
)
from evidence_assets.orchestration.partitions import ProjectPartitions

SYSTEM, ARMS = "asker", ("full", "plain")
EXACT = ("hits@1", "answer_recall@20", "answer_mrr", "answer_f1", "answer_contained", "accuracy")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> ProjectPartitions:
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
    return ProjectPartitions.from_configuration(path)


def question(question_id: str, answers: list[str]) -> dict[str, Any]:
    texts = {
        "question": "?",
        "split": "test",
        "context": "",
        "subject": "",
        "source_uri": "u",
        "licence": "l",
    }
    own = {"benchmark": "open", "question_id": question_id, "options": [], "answers": answers}
    return {**own, **texts, "answer_index": None, "table_id": None, "gold_evidence": []}


ASKED = [question("one", ["cat", "lynx"]), question("two", ["dog"])]


def write_arm(lake: Lake, arm: str, ranks: bool, rankings: dict[str, list[RankedAnswer]]) -> None:
    experiment = Experiment(SYSTEM, arm, "open", "1", ranks=ranks)
    unit = unit_of_triple("t", "a cat is a mammal")
    for asked in ASKED:
        ranked = rankings[asked["question_id"]]
        answer = Answer(None, 0.5, "extractive", "", text=ranked[0].answer)
        chain = Chain(-1, "It is [E1].", [unit], 1.0, {})
        experiment.answer(asked, {-1: [Selected(unit, 1.0, [])]}, [chain], answer)
        if ranks:
            experiment.rank(asked["question_id"], ranked)
    for name, rows in experiment.tables().items():
        lake.write(TABLES_BY_NAME[name], {"system": SYSTEM, "arm": arm, "benchmark": "open"}, rows)


def scored(project: ProjectPartitions, root: Path, ranks: bool) -> Lake:
    lake = Lake(str(root / "lake"))
    lake.write(QUESTIONS, {"benchmark": "open"}, pa.Table.from_pylist(ASKED, schema=QUESTIONS.schema))
    names = [("dog", "label"), ("hound", "synonym")]
    aliases = [{"kg": "zoo", "alias": alias, "kind": kind, "node": 1} for alias, kind in names]
    lake.write(GRAPH_ALIASES, {"kg": "zoo"}, pa.Table.from_pylist(aliases, schema=GRAPH_ALIASES.schema))
    right = [RankedAnswer("Cat", 1.0, 0, "zoo", True, True), RankedAnswer("Lynx", 0.5, 2, "zoo", True, True)]
    tied = [RankedAnswer("Hound", 0.5, returned=True), RankedAnswer("dog", 0.5)]
    write_arm(lake, "full", ranks, {"one": right, "two": tied})
    write_arm(lake, "plain", ranks, {"one": [RankedAnswer("cow", 1.0)], "two": [RankedAnswer("cow", 1.0)]})
    assets = score_assets(project, SYSTEM, ARMS, ("plain",), ranks=ranks)
    resources = {"lake": LakeResource(root=str(root / "lake"), cache=str(root / "cache"))}
    for key, asset in (("full|open", 0), ("plain|open", 0), ("open", 1)):
        made = dg.materialize(assets, selection=[assets[asset]], partition_key=key, resources=resources)
        assert made.success
    return lake


def test_rankings_are_scored(project: ProjectPartitions, tmp_path: Path) -> None:
    lake = scored(project, tmp_path, ranks=True)
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


def test_a_system_that_does_not_rank_has_no_such_score(project: ProjectPartitions, tmp_path: Path) -> None:
    lake = scored(project, tmp_path, ranks=False)
    rows = lake.read(BENCHMARK_SCORES, {"system": SYSTEM, "arm": "full", "benchmark": "open"}).to_pylist()
    metrics = {row["metric"] for row in rows}
    assert metrics == {"accuracy", "answered", "calibration_error", "citation_validity"}


def test_scores_follow_the_rankings_of_a_system_that_ranks(project: ProjectPartitions) -> None:
    def upstream(ranks: bool) -> set[str]:
        [scores, _] = score_assets(project, SYSTEM, ARMS, ("plain",), ranks=ranks)
        return {key.to_user_string() for key in scores.dependency_keys}

    assert upstream(True) - upstream(False) == {f"{SYSTEM}/ranked_answers", "question_concepts"}
