"""Attention2Query through Dagster: facts, a trained classifier, answers to options and open questions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.lake import catalogue, schemas
from evidence_assets.systems.attention2query.arms import NEAREST_FACT, SYSTEM
from evidence_assets.text.verbalisation import BIOMEDICAL
from evidence_assets_tests.testing.small_project import (
    SmallProject,
    failure_of,
    run_assets,
    run_job,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("attention2query_project")]

KG, QUIZ, PRACTICE, OPEN = "renal", "renal_quiz", "renal_practice", "renal_open"
TRIPLES = (
    ("may_cause", "urethral obstruction", "hydronephrosis"),
    ("may_cause", "dehydration", "kidney stone"),
    ("is_a_risk_factor_of", "parenchymal thinning", "atrophy"),
    ("is_associated_with", "hydronephrosis", "increased pressure"),
    ("is_a_risk_factor_of", "increased pressure", "bladder hypertrophy"),
    ("may_treat", "tamsulosin", "urethral obstruction"),
    ("may_treat", "potassium citrate", "kidney stone"),
)
QUESTIONS = (
    ("Chronic urethral obstruction can lead to which change?", ["Hydronephrosis", "Atrophy"], 0),
    ("Which drug may relieve a urethral obstruction?", ["Warfarin", "Tamsulosin"], 1),
    ("What is the opposite of green?", ["Nobody", "Nothing"], 0),
)
PRACTISED = (
    *(
        (f"Exercise {number}: what may treat a kidney stone?", ["Potassium citrate", "Atrophy"], 0)
        for number in range(12)
    ),
    QUESTIONS[0],
)
PRACTISED_OPEN = (("What can dehydration cause?", ["dehydration"], ["kidney stone"]),)
ASKED = (
    ("What may treat a kidney stone?", ["kidney stone"], ["potassium citrate"]),
    ("Which tune does a stranger hum?", ["a stranger"], ["none"]),
)
ARMS = ("full", "paper", "tuned", "no_mcq_subgraph")
PLAN = (
    ("build_graph", KG),
    ("embed_graph", KG),
    *(("link_questions", name) for name in (QUIZ, PRACTICE, OPEN)),
    ("train_relevance", QUIZ),
    *(("attend_graph", f"{arm}|{QUIZ}") for arm in ARMS),
    *(("run_attention2query", f"{arm}@extractive|{QUIZ}") for arm in ARMS),
    ("attend_graph", f"no_classifier|{QUIZ}"),
    ("run_attention2query", f"{NEAREST_FACT}|{QUIZ}"),
    ("compare_attention2query", QUIZ),
    ("attend_graph", f"full|{OPEN}"),
    ("parse_questions", f"extractive|{OPEN}"),
    ("run_attention2query", f"full@extractive|{OPEN}"),
)


@dataclass(frozen=True)
class Built:
    project: SmallProject
    instance: dg.DagsterInstance
    results: dict[tuple[str, str], dg.ExecuteInProcessResult]


def write_project(folder: Path) -> SmallProject:
    folder.mkdir(parents=True)
    (folder / "articles").mkdir()
    (folder / "articles" / "kidney.md").write_text("# Kidney\n\nThe kidney makes urine.\n", encoding="utf-8")
    (folder / "renal.tsv").write_text("".join("\t".join(row) + "\n" for row in TRIPLES), encoding="utf-8")
    lines: dict[str, list[dict[str, Any]]] = {
        name: [
            {"id": f"{name}{number}", "question": text, "options": options, "answer_index": answer}
            for number, (text, options, answer) in enumerate(rows)
        ]
        for name, rows in ((QUIZ, QUESTIONS), (PRACTICE, PRACTISED))
    }
    lines[PRACTICE] += [
        {"id": f"p{number}", "question": text, "topics": topics, "answers": answers}
        for number, (text, topics, answers) in enumerate(PRACTISED_OPEN)
    ]
    lines[OPEN] = [
        {"id": f"o{number}", "question": text, "topics": topics, "answers": answers}
        for number, (text, topics, answers) in enumerate(ASKED)
    ]
    for name, rows in lines.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    settings = {
        "split": "test",
        "licence": "CC0-1.0",
        "systems": [SYSTEM],
        "graph": KG,
        "reader": "questions_jsonl",
    }
    facts = {"name": "facts", "uri": "renal.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
    source = {"name": "kidney", "uri": "articles", "format": "text_folder", "licence": "CC0-1.0"}
    configuration = {
        "corpora": {"kidney": {"sources": [source]}},
        "graphs": {KG: {"templates": BIOMEDICAL, "sources": [facts]}},
        "benchmarks": {
            QUIZ: {"uri": f"{QUIZ}.jsonl", "training": PRACTICE, **settings},
            PRACTICE: {"uri": f"{PRACTICE}.jsonl", **settings},
            OPEN: {"uri": f"{OPEN}.jsonl", **settings},
        },
    }
    write_yaml(folder / "sources.yaml", configuration)
    return SmallProject(folder)


def run_plan(
    project: SmallProject, instance: dg.DagsterInstance, **options: Any
) -> dict[tuple[str, str], Any]:
    definitions = project.definitions()
    return {(job, key): run_job(definitions, job, key, instance, **options) for job, key in PLAN}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    project = write_project(tmp_path_factory.mktemp("attention2query") / "project")
    with dg.DagsterInstance.ephemeral() as instance:
        yield Built(project, instance, run_plan(project, instance))


def rows(built: Built, table: schemas.Table, **place: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = built.project.lake.read(table, place).to_pylist()
    return made


def predictions(built: Built, arm: str, benchmark: str) -> dict[str, dict[str, Any]]:
    prediction_rows = rows(
        built, schemas.PREDICTIONS, system=SYSTEM, arm=f"{arm}@extractive", benchmark=benchmark
    )
    return {row["question_id"]: row for row in prediction_rows}


def test_every_run_succeeds(built: Built) -> None:
    assert {key: result.success for key, result in built.results.items()} == dict.fromkeys(PLAN, True)


def test_every_node_has_a_unit_vector(built: Built) -> None:
    embeddings = rows(built, schemas.GRAPH_EMBEDDINGS, kg=KG)
    nodes = rows(built, schemas.GRAPH_NODES, kg=KG)
    assert [(row["node"], row["label"]) for row in embeddings] == [
        (row["node"], row["label"]) for row in nodes
    ]
    assert all(abs(sum(value**2 for value in row["vector"]) - 1) < 1e-4 for row in embeddings)


def test_questions_that_are_evaluated_are_not_trained_on(built: Built) -> None:
    pairs = rows(built, schemas.RELEVANCE_PAIRS, benchmark=QUIZ)
    assert pairs
    assert QUESTIONS[0][0] not in {row["question"] for row in pairs}
    assert {row["training"] for row in pairs} == {PRACTICE}
    assert all(1 <= row["relevance"] <= 10 for row in pairs)
    [classifier] = rows(built, schemas.RELEVANCE_CLASSIFIERS, benchmark=QUIZ)
    assert classifier["pairs"] == len(pairs)
    assert classifier["questions"] == 13


def test_open_questions_teach_every_path_with_no_name_in_it(built: Built) -> None:
    pairs = rows(built, schemas.RELEVANCE_PAIRS, benchmark=QUIZ)
    learnt = {row["fact"]: row["relevance"] for row in pairs if row["question_id"] == "p0"}
    assert len(learnt) > 1
    assert [fact for fact, relevance in learnt.items() if relevance == 10] == [
        "that thing may cause which thing"
    ]
    masked = {row["question"] for row in pairs if row["question_id"] == "p0"}
    assert masked == {"What can that thing cause?"}


def test_facts_name_their_triples_and_stand_in_order(built: Built) -> None:
    triples = {
        row["triple_id"]
        for table in [schemas.TRIPLES]
        for place in built.project.lake.partitions(table)
        for row in rows(built, table, **place)
    }
    for benchmark, way in ((QUIZ, "full"), (QUIZ, "paper"), (OPEN, "full")):
        facts = rows(built, schemas.RETRIEVED_FACTS, system=SYSTEM, benchmark=benchmark, retrieval=way)
        assert facts
        for row in facts:
            assert set(row["triple_ids"]) <= triples
            assert len(row["triple_ids"]) == 1 or row["kind"] == "path"
        keys = [(row["question_id"], row["candidate"], row["rank"]) for row in facts]
        assert keys == sorted(keys)


def test_options_are_answered_and_what_joins_them_is_cited(built: Built) -> None:
    answers = predictions(built, "full", QUIZ)
    assert answers[f"{QUIZ}0"]["predicted"] == "Hydronephrosis"
    assert answers[f"{QUIZ}1"]["predicted"] == "Tamsulosin"
    assert not any(row["abstained"] for row in answers.values())
    with catalogue.connect(built.project.lake) as connection:
        traced = connection.execute(
            "SELECT source_text, source_unchanged FROM trace(?) WHERE role = 'cited' AND kind = 'triple'",
            [answers[f"{QUIZ}1"]["prediction_id"]],
        ).fetchall()
    assert ("tamsulosin may_treat urethral obstruction", True) in traced


def test_the_nearest_fact_at_an_option_answers(built: Built) -> None:
    place = {"system": SYSTEM, "arm": NEAREST_FACT, "benchmark": QUIZ}
    answers = {row["question_id"]: row for row in rows(built, schemas.PREDICTIONS, **place)}
    # Only one drug has a fact; of the last question no option has any.
    assert answers[f"{QUIZ}1"]["predicted"] == "Tamsulosin"
    assert answers[f"{QUIZ}2"]["abstained"]
    differences = rows(built, schemas.SCORE_DIFFERENCES, system=SYSTEM, benchmark=QUIZ)
    assert NEAREST_FACT in {row["baseline_arm"] for row in differences}


def test_an_open_question_is_answered_by_ranked_nodes(built: Built) -> None:
    place = {"system": SYSTEM, "arm": "full@extractive", "benchmark": OPEN}
    ranked = [row for row in rows(built, schemas.RANKED_ANSWERS, **place) if row["question_id"] == "o0"]
    labels = {row["node"]: row["label"] for row in rows(built, schemas.GRAPH_NODES, kg=KG)}
    assert [row["rank"] for row in ranked] == list(range(1, len(ranked) + 1))
    assert [row["answer"] for row in ranked if row["returned"]] == ["potassium citrate"]
    assert "dehydration" in {row["answer"] for row in ranked}
    assert "kidney stone" not in {row["answer"] for row in ranked}
    assert all(labels[row["node"]] == row["answer"] for row in ranked)


def test_options_without_facts_of_their_own_read_the_questions(built: Built) -> None:
    place = {"system": SYSTEM, "benchmark": QUIZ, "retrieval": "no_mcq_subgraph"}
    assert {row["candidate"] for row in rows(built, schemas.RETRIEVED_FACTS, **place)} == {-1}
    assert predictions(built, "no_mcq_subgraph", QUIZ)[f"{QUIZ}1"]["predicted"] == "Tamsulosin"


def test_a_second_run_changes_no_byte(built: Built) -> None:
    files = built.project.files()
    again = run_plan(built.project, built.instance, run_config=built.project.again)
    assert all(result.success for result in again.values())
    assert built.project.files() == files


def test_without_training_questions_the_tuned_arm_says_what_to_do(built: Built) -> None:
    result = run_assets(
        built.project.definitions(), ["relevance_pairs", "relevance_classifiers"], built.instance, OPEN
    )
    assert f"benchmarks.{OPEN}.training is empty" in failure_of(result)
