"""UGAT-MedQA through Dagster on a graph of two sources: what it leaves, and where it came from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
import pytest

from evidence_assets.lake import catalogue, schemas
from evidence_assets.reading.baselines import CHANCE, MAJORITY
from evidence_assets.systems.ugat_medqa.arms import SYSTEM
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.text.verbalisation import BIOMEDICAL, templates, verbalise
from evidence_assets_tests.testing.small_project import (
    SmallProject,
    checks_of,
    failure_of,
    metadata_of,
    run_assets,
    run_job,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("ugat_project")]

KG, QUIZ, BARE = "renal", "renal_quiz", "bare_quiz"
SHORTEST_PATH = "shortest_path@nearest"
ARMS = ("full@extractive", "no_retrieval@extractive", SHORTEST_PATH)
TERMS = {
    "X:1": ("hydronephrosis", "X:6"),
    "X:2": ("atrophy", "X:6"),
    "X:3": ("hyperplasia", "X:6"),
    "X:4": ("bladder hypertrophy", "X:3"),
    "X:5": ("urethral obstruction", "X:6"),
    "X:6": ("clinical finding", ""),
}
TRIPLES = (
    ("may_cause", "urethral obstruction", "hydronephrosis"),
    ("is_a_finding_in", "parenchymal thinning", "hydronephrosis"),
    ("is_a_risk_factor_of", "parenchymal thinning", "atrophy"),
    ("is_associated_with", "hydronephrosis", "increased pressure"),
    ("is_a_risk_factor_of", "increased pressure", "bladder hypertrophy"),
    ("is_a_subtype_of", "bladder hypertrophy", "hyperplasia"),  # the ontology says so too
    ("may_treat", "tamsulosin", "urethral obstruction"),
)
QUESTIONS = (
    ("Chronic urethral obstruction can lead to which change?", ["Hyperplasia", "Atrophy", "Dysplasia"], 1),
    ("Which drug may relieve a urethral obstruction?", ["Tamsulosin", "Warfarin"], 0),
    ("What is seen in hydronephrosis?", ["Gout", "Measles"], 0),
)
# As a first run takes them; the attention arm's subgraphs have no cap.
PLAN = (
    ("build_graph", KG),
    ("link_questions", QUIZ),
    ("find_subgraphs", f"hops3|{QUIZ}"),
    ("find_subgraphs", f"hops3_uncapped|{QUIZ}"),
    ("walk_graph", f"guided_walk|{QUIZ}"),
    ("walk_graph", f"attention|{QUIZ}"),
    ("walk_graph", f"pagerank|{QUIZ}"),
    ("run_ugat_medqa", f"full@extractive|{QUIZ}"),
    ("run_ugat_medqa", f"no_retrieval@extractive|{QUIZ}"),
    ("run_ugat_medqa", f"{SHORTEST_PATH}|{QUIZ}"),
    ("compare_ugat_medqa", QUIZ),
)
Results = dict[tuple[str, str], dg.ExecuteInProcessResult]


@dataclass(frozen=True)
class Built:
    project: SmallProject
    instance: dg.DagsterInstance
    results: Results


def write_project(folder: Path) -> SmallProject:
    (folder / "articles").mkdir(parents=True)
    (folder / "articles" / "kidney.md").write_text("# Kidney\n\nThe kidney makes urine.\n", encoding="utf-8")
    stanzas = [
        f"[Term]\nid: {key}\nname: {name}\n" + (f"is_a: {parent}\n" if parent else "")
        for key, (name, parent) in TERMS.items()
    ]
    ontology = "\n".join(["format-version: 1.2\n", *stanzas])
    (folder / "renal.obo").write_text(ontology, encoding="utf-8")
    table = "".join("\t".join(triple) + "\n" for triple in TRIPLES)
    (folder / "renal.tsv").write_text(table, encoding="utf-8")
    for benchmark in (QUIZ, BARE):
        lines = [
            {"id": f"r{number}", "question": question, "options": options, "answer_index": answer}
            for number, (question, options, answer) in enumerate(QUESTIONS)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"{benchmark}.jsonl").write_text(text, encoding="utf-8")
    source = {"name": "kidney", "uri": "articles", "format": "text_folder", "licence": "CC0-1.0"}
    settings = {"reader": "questions_jsonl", "split": "test", "licence": "CC0-1.0", "systems": [SYSTEM]}
    configuration = {
        "corpora": {"kidney": {"sources": [source]}},
        "graphs": {
            KG: {
                "templates": BIOMEDICAL,
                "sources": [
                    {"name": "terms", "uri": "renal.obo", "format": "obo", "licence": "CC-BY-4.0"},
                    {
                        "name": "facts",
                        "uri": "renal.tsv",
                        "format": "relation_head_tail",
                        "licence": "CC0-1.0",
                    },
                ],
            }
        },
        "benchmarks": {
            QUIZ: {"uri": f"{QUIZ}.jsonl", "graph": KG, **settings},
            BARE: {"uri": f"{BARE}.jsonl", "corpus": "kidney", **settings},
        },
    }
    write_yaml(folder / "sources.yaml", configuration)
    return SmallProject(folder)


def run_plan(project: SmallProject, instance: dg.DagsterInstance, **options: Any) -> Results:
    definitions = project.definitions()
    return {(job, key): run_job(definitions, job, key, instance, **options) for job, key in PLAN}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    project = write_project(tmp_path_factory.mktemp("ugat") / "project")
    with dg.DagsterInstance.ephemeral() as instance:
        yield Built(project, instance, run_plan(project, instance))


def rows(built: Built, table: schemas.Table, **place: str) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = built.project.lake.read(table, place).to_pylist()
    return made


def of_arm(built: Built, table: schemas.Table, arm: str) -> list[dict[str, Any]]:
    return rows(built, table, system=SYSTEM, arm=arm, benchmark=QUIZ)


def lines_of(project: SmallProject) -> dict[str, list[str]]:
    """The files' lines, as triples name them."""
    return {
        f"{source}, line {number}": line.split("\t")
        for source, name in (("terms", "renal.obo"), ("facts", "renal.tsv"))
        for number, line in enumerate(
            (project.folder / name).read_text(encoding="utf-8").splitlines(), start=1
        )
    }


def test_every_job_succeeds_and_every_check_passes(built: Built) -> None:
    assert all(result.success for result in built.results.values())
    checks = [check for result in built.results.values() for check in checks_of(result)]
    assert [check for check in checks if not check[2]] == []
    checked = {asset for asset, name, _ in checks if name == "rows_fit_declaration"}
    experiment_tables = ("chains", "evidence", "predictions", "prediction_evidence", "selected_evidence")
    scores = ("benchmark_scores", "question_scores", "score_differences")
    assert checked == {
        "triples",
        "graph_concepts",
        "graph_conflicts",
        "graph_nodes",
        "graph_aliases",
        "questions",
        "question_concepts",
        "question_subgraphs",
        "node_relevance",
        "relevance_diagnostics",
        "reasoning_paths",
        *(f"{SYSTEM}/{name}" for name in (*experiment_tables, *scores)),
    }


def test_two_sources_of_one_triple_are_one_triple(built: Built) -> None:
    stated = rows(built, schemas.TRIPLES, kg=KG, relation="is_a_subtype_of")
    [twice] = [row for row in stated if len(row["sources"]) == 2]
    assert (twice["head"], twice["tail"]) == ("bladder hypertrophy", "hyperplasia")
    assert {source["source"] for source in twice["sources"]} == {"terms", "facts"}
    assert len(stated) == 5


def test_concepts_subgraphs_and_relevance(built: Built) -> None:
    concepts = {
        (row["question_id"], row["candidate"], row["label"])
        for row in rows(built, schemas.QUESTION_CONCEPTS, benchmark=QUIZ)
    }
    assert {
        ("r0", -1, "urethral obstruction"),
        ("r0", 0, "hyperplasia"),
        ("r0", 1, "atrophy"),
        ("r1", 0, "tamsulosin"),
        ("r2", -1, "hydronephrosis"),
    } <= concepts
    assert not {label for question, candidate, label in concepts if question == "r2" and candidate >= 0}
    for neighbourhood in ("hops3", "hops3_uncapped"):
        subgraphs = rows(built, schemas.QUESTION_SUBGRAPHS, benchmark=QUIZ, neighbourhood=neighbourhood)
        assert [row["question_id"] for row in subgraphs] == ["r0", "r1", "r2"]
        assert all(sum(seed["weight"] for seed in row["seeds"]) == pytest.approx(1) for row in subgraphs)
    for route in ("guided_walk", "attention"):
        measured = rows(built, schemas.RELEVANCE_DIAGNOSTICS, benchmark=QUIZ, route=route)
        assert [row["question_id"] for row in measured] == ["r0", "r1", "r2"]
        assert (measured[0]["seed_correlation"] is None) == (route == "guided_walk")
        relevance = rows(built, schemas.NODE_RELEVANCE, benchmark=QUIZ, route=route)
        assert all(row["lift"] is None for row in relevance) == (route == "attention")
        assert {row["question_id"] for row in relevance if row["kept"]} == {"r0", "r1", "r2"}


@pytest.mark.parametrize("route", ["guided_walk", "attention"])
def test_paths_are_read_out_of_their_triples(built: Built, route: str) -> None:
    wording = templates(BIOMEDICAL)
    triples = {
        row["triple_id"]: row
        for place in built.project.lake.partitions(schemas.TRIPLES)
        for row in rows(built, schemas.TRIPLES, **place)
    }
    labels = [row["label"] for row in rows(built, schemas.GRAPH_NODES, kg=KG)]
    paths = rows(built, schemas.REASONING_PATHS, benchmark=QUIZ, route=route)
    assert {(row["question_id"], row["candidate"]) for row in paths} == {("r0", 0), ("r0", 1), ("r1", 0)}
    for row in paths:
        sentences = []
        for triple_id in row["triple_ids"]:
            triple = triples[triple_id]
            text = verbalise(wording[triple["relation"]], triple["head"], triple["tail"])
            sentences.append(f"{text[0].upper()}{text[1:]}.")
        assert row["text"] == " ".join(sentences)
        assert len(row["backwards"]) == len(row["triple_ids"])
        assert 1 <= row["length"] == len(row["nodes"]) - 1 <= 4
        stations = [labels[node] for node in row["nodes"]]
        for triple_id, backwards in zip(row["triple_ids"], row["backwards"], strict=True):
            head, tail = triples[triple_id]["head"], triples[triple_id]["tail"]
            assert stations.index(head) - stations.index(tail) == (1 if backwards else -1)


def test_an_arm_answers_or_abstains(built: Built) -> None:
    full = {row["question_id"]: row for row in of_arm(built, schemas.PREDICTIONS, "full@extractive")}
    assert not full["r0"]["abstained"]
    assert full["r0"]["predicted"] in QUESTIONS[0][1]
    for question_id in ("r1", "r2"):
        assert full[question_id]["abstained"], "paths to one option at most"
        assert full[question_id]["parse_status"] == "insufficient evidence"
        assert not full[question_id]["correct"]
    assert {row["question_id"] for row in of_arm(built, schemas.CHAINS, "full@extractive")} == {"r0"}
    assert {row["citation_status"] for row in of_arm(built, schemas.CHAINS, "full@extractive")} == {"valid"}
    alone = of_arm(built, schemas.PREDICTIONS, "no_retrieval@extractive")
    assert not any(row["abstained"] for row in alone)
    shown = metadata_of(built.results["run_ugat_medqa", f"full@extractive|{QUIZ}"], f"{SYSTEM}/predictions")
    assert shown[f"full@extractive|{QUIZ}"]["abstained"] == 2
    [sample] = shown[f"full@extractive|{QUIZ}"]["sample_chains"].splitlines()[2:]
    question, answer, *_, sources = (cell.strip() for cell in sample.strip("|").split(" | "))
    assert (question, answer) == (QUESTIONS[0][0], full["r0"]["predicted"])
    assert sources.startswith("graph ")


def test_arms_are_compared(built: Built) -> None:
    differences = rows(built, schemas.SCORE_DIFFERENCES, system=SYSTEM, benchmark=QUIZ)
    compared = {row["arm"] for row in differences} | {row["baseline_arm"] for row in differences}
    assert compared == {*ARMS, CHANCE, MAJORITY}
    assert "accuracy" in {row["metric"] for row in differences}


def test_a_baseline_whose_options_tie_is_compared_as_if_it_drew_one(built: Built) -> None:
    """Of the last question no option is in the graph: the first is right, and no better than the other."""
    predictions = {row["question_id"]: row for row in of_arm(built, schemas.PREDICTIONS, SHORTEST_PATH)}
    assert (predictions["r2"]["correct"], predictions["r2"]["tie_break"]) == (True, "first of 2 equal scores")
    scores = of_arm(built, schemas.QUESTION_SCORES, SHORTEST_PATH)
    values = {(row["metric"], row["question_id"]): row["value"] for row in scores}
    assert (values["accuracy", "r2"], values["accuracy_over_ties", "r2"]) == (1.0, 0.5)
    over_ties = [value for (metric, _), value in values.items() if metric == "accuracy_over_ties"]
    differences = rows(built, schemas.SCORE_DIFFERENCES, system=SYSTEM, benchmark=QUIZ)
    [baseline] = {
        row["baseline_value"]
        for row in differences
        if (row["baseline_arm"], row["metric"]) == (SHORTEST_PATH, "accuracy")
    }
    assert baseline == pytest.approx(sum(over_ties) / len(over_ties))
    assert not [row for row in differences if row["metric"].endswith("_over_ties")]


def test_a_prediction_is_traced_to_the_sources_of_its_triples(built: Built) -> None:
    lines = lines_of(built.project)
    stated: set[str] = set()
    with catalogue.connect(built.project.lake) as connection:
        wanted = connection.execute(
            "SELECT prediction_id, question_id, arm FROM predictions WHERE NOT abstained"
        ).fetchall()
        assert len(wanted) == 7
        for prediction_id, question_id, arm in wanted:
            traced = connection.execute(
                "SELECT role, kind, evidence_text, source_title, source_text, source_record, licence, "
                "source_unchanged FROM trace(?)",
                [prediction_id],
            ).fetchall()
            assert traced
            assert all(row[-1] for row in traced)
            if arm != "full@extractive":
                [row] = traced
                assert row[:2] == ("given", "document")
                assert row[4] == QUESTIONS[int(question_id[1])][0]
                continue
            assert {row[0] for row in traced} == {"given", "cited"}
            for _, kind, text, title, source_text, uris, licence, _ in traced:
                assert (kind, title) == ("path", KG)
                assert set(licence.split("; ")) <= {"CC0-1.0", "CC-BY-4.0"}
                assert len(text.split(". ")) == len(source_text.split("; "))
                for record in uris.split("; "):
                    stated.add(record.partition(",")[0])
                    if record.startswith("facts"):
                        relation, head, tail = lines[record]
                        assert f"{head} {relation} {tail}" in source_text.split("; ")
                    else:
                        [line] = lines[record]
                        assert line.startswith("is_a: ")
    assert stated == {"terms", "facts"}


def test_impact_of_a_concept_is_what_rests_on_it(built: Built) -> None:
    with catalogue.connect(built.project.lake) as connection:
        questions = connection.execute("SELECT DISTINCT question_id FROM impact(?)", ["atrophy"]).fetchall()
        assert questions == [("r0",)]
        with pytest.raises(duckdb.InvalidInputException, match="no source nothing in this lake"):
            connection.execute("SELECT count(*) FROM impact('nothing')").fetchone()


def training_of(built: Built, route: str) -> set[str | None]:
    diagnostics = rows(built, schemas.RELEVANCE_DIAGNOSTICS, benchmark=QUIZ, route=route)
    return {row["training"] for row in diagnostics}


def test_rows_and_metadata_say_what_networks_were_trained_with(built: Built) -> None:
    default = AttentionConfig().as_json()
    assert training_of(built, "attention") == {default}
    assert training_of(built, "guided_walk") == {None}
    for asset in ("node_relevance", "relevance_diagnostics"):
        for route, expected in (("attention", default), ("guided_walk", None)):
            key = f"{route}|{QUIZ}"
            shown = metadata_of(built.results["walk_graph", key], asset)[key]
            assert shown.get("training") == expected


def run_convolution(built: Built, **training: float) -> dg.ExecuteInProcessResult:
    return run_job(
        built.project.definitions(),
        "walk_graph",
        f"convolution|{QUIZ}",
        built.instance,
        run_config={"ops": {"node_relevance": {"config": training}}},
        raise_on_error=False,
    )


def test_another_seed_is_told_from_the_first(built: Built) -> None:
    for seed in (0, 7):
        result = run_convolution(built, seed=seed, steps=2)
        assert result.success
        expected = AttentionConfig(seed=seed, steps=2).as_json()
        assert training_of(built, "convolution") == {expected}
        key = f"convolution|{QUIZ}"
        assert metadata_of(result, "relevance_diagnostics")[key]["training"] == expected


def test_a_training_that_cannot_be_fails_with_the_remedy_and_writes_nothing(built: Built) -> None:
    files = built.project.files()
    result = run_convolution(built, heads=3)
    assert not result.success
    failures = [event for event in result.all_events if event.is_step_failure]
    message = str(failures[0].step_failure_data.error)
    assert "heads is 3; remedy: set heads in the run configuration of node_relevance to a divisor" in message
    assert built.project.files() == files


def test_a_second_run_changes_no_byte(built: Built) -> None:
    files = built.project.files()
    assert any("node_relevance" in name for name in files)
    again = run_plan(built.project, built.instance, run_config=built.project.again)
    assert all(result.success for result in again.values())
    assert built.project.files() == files


def test_a_benchmark_without_a_graph_fails_with_the_remedy(built: Built) -> None:
    definitions = built.project.definitions()
    assert run_job(definitions, "link_questions", BARE, built.instance).success
    result = run_assets(definitions, ["question_subgraphs"], built.instance, f"hops3|{BARE}")
    message = failure_of(result)
    assert f"names none for {BARE}" in message
    assert f"remedy: name one there (benchmarks.{BARE}.graph)" in message
