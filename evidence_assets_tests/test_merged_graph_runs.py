"""One graph of several sources that describe concepts, through Dagster's runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.lake import schemas
from evidence_assets.lake.ids import content_id
from evidence_assets.sources.rejections import source_of_graph
from evidence_assets_tests.testing.small_project import (
    NATURE,
    SmallProject,
    checks_of,
    failure_of,
    metadata_of,
    run_assets,
    run_job,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration

MEDICINE, CLINIC = "medicine", "clinic"
READ = ["triples", "graph_concepts", "graph_conflicts"]

DISEASES = """format-version: 1.2

[Term]
id: D:1
name: Malaria
def: "A fever that mosquitoes carry." []
synonym: "Plasmodium infection" EXACT []
synonym: "PM" EXACT []
xref: UMLS:C1

[Term]
id: D:2
name: Falciparum malaria
is_a: D:1 ! Malaria

[Term]
id: D:3
name: Cramps
is_a: D:404 ! a term that there is not

[Term]
id: D:4
name: Lead

[Term]
id: D:5
"""

# Calls the first by another name, and has the second above it.
OTHERS = """format-version: 1.2

[Term]
id: X:1
name: Paludism
synonym: "Plasmodium infection" EXACT []
xref: UMLS:C1
is_a: X:2 ! falciparum malaria

[Term]
id: X:2
name: falciparum malaria
"""

DRUGS = """format-version: 1.2

[Term]
id: R:1
name: Quinine

[Term]
id: R:2
name: lead
"""

# By labels alone: relation, head, tail.
FACTS = (
    ("may_treat", "quinine", "plasmodium infection"),
    ("may_treat", "quinine", "cramps"),
    ("is_not_indicated_for", "Quinine", "Cramps"),
    ("is_a_subtype_of", "Falciparum malaria", "Paludism"),
    ("is_a_subtype_of", "", "Malaria"),  # no triple
    ("Devours", "Malaria", "lead"),  # a relation that no template reads out
    ("may_cause", "lead", "Cramps"),  # two concepts bear the name
)
STATED = {
    ("may_treat", "Quinine", "Malaria"),
    ("may_treat", "Quinine", "Cramps"),
    ("is_not_indicated_for", "Quinine", "Cramps"),
    ("is_a_subtype_of", "Falciparum malaria", "Malaria"),
    ("is_a_subtype_of", "Malaria", "Falciparum malaria"),
    ("may_cause", "lead", "Cramps"),
}

QUESTIONS = [
    {
        "id": "c1",
        "question": "What helps against PM, and what against a plasmodium infection?",
        "options": ["Quinine", "cramps", "pm"],
        "answer_index": 0,
    },
    {"id": "c2", "question": "What is swamp fever?", "options": ["paludism", "lead"], "answer_index": 0},
]


def rows_of_facts(*facts: tuple[str, str, str]) -> str:
    return "".join("\t".join(fact) + "\n" for fact in facts)


@pytest.fixture
def project(tmp_path: Path) -> SmallProject:
    made = write_small_project(tmp_path / "project")
    files = {"diseases.obo": DISEASES, "others.obo": OTHERS, "drugs.obo": DRUGS}
    for name, text in files.items():
        (made.folder / name).write_text(text, encoding="utf-8")
    made.triples("medicine").write_text(rows_of_facts(*FACTS), encoding="utf-8")
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    made.questions(CLINIC).write_text(lines, encoding="utf-8")
    write_yaml(made.configuration, configuration())
    return made


def configuration(**graph: Any) -> dict[str, Any]:
    """The small project's, with the graph and a benchmark that it alone answers."""

    def ontology(name: str, kind: str) -> dict[str, Any]:
        settings = {"format": "obo", "licence": f"licence of {name}"}
        return {"name": name, "uri": f"{name}.obo", "fields": {"kind": kind} if kind else {}, **settings}

    content = small_configuration()
    content["graphs"][MEDICINE] = {
        "templates": "biomedical",
        "sources": [
            ontology("diseases", "disease"),
            ontology("others", ""),
            ontology("drugs", "drug"),
            {"name": "facts", "uri": "medicine.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"},
        ],
        **graph,
    }
    content["benchmarks"][CLINIC] = {
        "reader": "questions_jsonl",
        "uri": f"{CLINIC}.jsonl",
        "split": "test",
        "graph": MEDICINE,
        "systems": ["ugat_medqa"],
    }
    return content


def build(
    project: SmallProject, instance: dg.DagsterInstance, graph: str = MEDICINE
) -> dg.ExecuteInProcessResult:
    result = run_job(project.definitions(), "build_graph", graph, instance)
    assert all(passed for _, _, passed in checks_of(result))
    return result


def triples(project: SmallProject) -> dict[tuple[str, str, str], dict[str, Any]]:
    places = [place for place in project.lake.partitions(schemas.TRIPLES) if place["kg"] == MEDICINE]
    rows = project.lake.read_partitions(schemas.TRIPLES, places).to_pylist()
    return {(row["relation"], row["head"], row["tail"]): row for row in rows}


def read(project: SmallProject, table: schemas.Table, graph: str = MEDICINE) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = project.lake.read(table, {"kg": graph}).to_pylist()
    return rows


def id_of(relation: str, head: str, tail: str) -> str:
    return content_id("triple", MEDICINE, head, relation, tail)


def test_what_the_sources_describe_alike_is_one_concept(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = build(project, instance)
    concepts = {row["label"]: row for row in read(project, schemas.GRAPH_CONCEPTS)}
    assert {label: (row["keys"], row["kind"]) for label, row in concepts.items()} == {
        "Malaria": (["D:1", "X:1"], "disease"),
        "Falciparum malaria": (["D:2", "X:2"], "disease"),
        "Cramps": (["D:3"], "disease"),
        "Lead": (["D:4"], "disease"),
        "Quinine": (["R:1"], "drug"),
        "lead": (["R:2"], "drug"),
    }
    assert concepts["Malaria"]["definition"] == "A fever that mosquitoes carry."
    assert {name["name"]: name["sources"] for name in concepts["Malaria"]["names"]} == {
        "Malaria": ["diseases"],
        "Plasmodium infection": ["diseases", "others"],
        "PM": ["diseases"],
        "Paludism": ["others"],
    }
    [shown] = metadata_of(result, "graph_concepts").values()
    assert shown["concepts_by_source"] == {"diseases": 4, "drugs": 2, "others": 2}
    assert shown["concepts_of_several_sources"] == 2
    assert shown["joined_by"] == {
        "declared": 0,
        "identifier": 0,
        "label": 1,
        "cross-reference": 1,
        "synonym": 0,
    }


def test_every_fact_names_its_concepts_by_their_labels(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = build(project, instance)
    stated = triples(project)
    assert stated.keys() == STATED
    subtype = stated["is_a_subtype_of", "Falciparum malaria", "Malaria"]
    assert [(source["source"], source["licence"]) for source in subtype["sources"]] == [
        ("diseases", "licence of diseases"),
        ("facts", "CC0-1.0"),
    ]
    assert subtype["triple_id"] == id_of("is_a_subtype_of", "Falciparum malaria", "Malaria")
    [shown] = metadata_of(result, "triples").values()
    assert (shown["statements"], shown["triples_of_several_sources"]) == (7, 1)
    assert shown["triples_by_source"] == {"facts": 5, "diseases": 1, "others": 1}
    assert shown["licence"] == "licence of diseases, licence of others, licence of drugs, CC0-1.0"
    nodes = {row["label"]: (row["degree"], row["kind"]) for row in read(project, schemas.GRAPH_NODES)}
    assert nodes == {
        "Malaria": (3, "disease"),
        "Falciparum malaria": (2, "disease"),
        "Cramps": (3, "disease"),
        "Quinine": (3, "drug"),
        "lead": (1, "drug"),
    }


def test_conflicts_are_kept_and_marked(project: SmallProject, instance: dg.DagsterInstance) -> None:
    result = build(project, instance)
    rows = read(project, schemas.GRAPH_CONFLICTS)
    up, down = (
        id_of("is_a_subtype_of", *ends)
        for ends in (("Malaria", "Falciparum malaria"), ("Falciparum malaria", "Malaria"))
    )
    opposed = [id_of(name, "Quinine", "Cramps") for name in ("may_treat", "is_not_indicated_for")]
    apart = "kept apart: one is a disease, the other a drug"
    assert [
        (row["conflict"], row["first"], row["second"], row["triple_ids"], row["detail"]) for row in rows
    ] == [
        ("contradiction", "Quinine", "Cramps", opposed, "may_treat, is_not_indicated_for"),
        ("cycle", "Falciparum malaria", "Malaria", [down], "is_a_subtype_of"),
        ("cycle", "Malaria", "Falciparum malaria", [up], "is_a_subtype_of"),
        ("identity", "Lead", "lead", [], f"same label 'lead', {apart}"),
        ("identity", "Lead", "lead", [], f"same synonym 'lead', {apart}"),
    ]
    known = {row["triple_id"] for row in triples(project).values()}
    assert {triple_id for row in rows for triple_id in row["triple_ids"]} <= known, (
        "nothing is left out for a conflict"
    )
    [shown] = metadata_of(result, "graph_concepts").values()
    assert shown["conflicts"] == {"contradiction": 1, "cycle": 2, "identity": 2}
    assert "may_treat, is_not_indicated_for" in shown["first_conflicts"]


def test_bad_lines_are_rejected_and_the_rest_is_made(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = build(project, instance)
    rows = project.lake.read(schemas.REJECTED_RECORDS, {"source": source_of_graph(MEDICINE)}).to_pylist()
    assert {row["record"]: row["reason"] for row in rows} == {
        "diseases, line 25": "the term D:5 has no name",
        "diseases, concept D:404": "1 triple names it at line 19, and the source describes no such concept",
        "facts, line 5": "head is empty",
        "relation Devours": "the graph's templates have no sentence that reads it out: 1 triples left out",
    }
    uris = "diseases.obo, others.obo, drugs.obo, medicine.tsv"
    assert {row["source_uri"] for row in rows} == {uris}
    assert all(row["remedy"] for row in rows)
    assert metadata_of(result, "triples")[MEDICINE]["rejected"] == 4


def test_a_graph_of_bare_triples_has_no_concepts_and_no_conflicts(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    result = build(project, instance, NATURE)
    assert read(project, schemas.GRAPH_CONCEPTS, NATURE) == []
    assert read(project, schemas.GRAPH_CONFLICTS, NATURE) == []
    [shown] = metadata_of(result, "graph_concepts").values()
    assert (shown["concepts_by_source"], shown["concepts_of_several_sources"], shown["conflicts"]) == (
        {},
        0,
        {},
    )


def test_a_source_that_is_taken_away_takes_its_concepts_and_conflicts_along(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    fewer = configuration()
    fewer["graphs"][MEDICINE]["sources"].pop(1)
    write_yaml(project.folder / "fewer.yaml", fewer)
    result = run_job(project.definitions("fewer.yaml"), "build_graph", MEDICINE, instance)
    assert all(passed for _, _, passed in checks_of(result))
    keys = {key for row in read(project, schemas.GRAPH_CONCEPTS) for key in row["keys"]}
    assert not {"X:1", "X:2"} & keys
    assert {row["conflict"] for row in read(project, schemas.GRAPH_CONFLICTS)} == {
        "contradiction",
        "identity",
    }
    # What it alone called so is a name of nothing again.
    assert ("is_a_subtype_of", "Falciparum malaria", "Paludism") in triples(project)


def test_reading_the_same_files_again_changes_no_byte(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    first = build(project, instance)
    files = project.files()
    again = build(project, instance)
    assert project.files() == files
    for asset in READ:
        before, after = metadata_of(first, asset)[MEDICINE], metadata_of(again, asset)[MEDICINE]
        assert (before["changed"], after["changed"]) == (True, False)
        assert before["content_hash"] == after["content_hash"]


def test_a_file_that_is_not_there_leaves_the_graph_as_it_was(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    build(project, instance)
    files = project.files()
    (project.folder / "drugs.obo").unlink()
    result = run_assets(project.definitions(), READ, instance, partition=MEDICINE)
    assert "drugs.obo" in failure_of(result)
    assert project.files() == files


def links(
    project: SmallProject, instance: dg.DagsterInstance, **graph: Any
) -> set[tuple[str, int, str, str, str]]:
    """Question, candidate, phrase, label and method of every link, the graph being configured so."""
    # A configuration is read once a process: each needs a file of its own.
    name = f"linked{len(list(project.folder.glob('linked*.yaml')))}.yaml"
    write_yaml(project.folder / name, configuration(**graph))
    definitions = project.definitions(name)
    for job, key in (("build_graph", MEDICINE), ("link_questions", CLINIC)):
        assert all(passed for _, _, passed in checks_of(run_job(definitions, job, key, instance)))
    rows = project.lake.read(schemas.QUESTION_CONCEPTS, {"benchmark": CLINIC}).to_pylist()
    return {
        (row["question_id"], row["candidate"], row["phrase"], row["label"], row["method"]) for row in rows
    }


def test_questions_are_linked_by_every_name(project: SmallProject, instance: dg.DagsterInstance) -> None:
    by_form = {
        ("c1", -1, "PM", "Malaria", "exact"),
        ("c1", -1, "plasmodium infection", "Malaria", "exact"),
        ("c1", 0, "Quinine", "Quinine", "exact"),
        ("c1", 1, "cramps", "Cramps", "exact"),
        ("c2", 0, "paludism", "Malaria", "exact"),
        ("c2", 1, "lead", "lead", "exact"),
    }
    assert links(project, instance) == by_form
    unlinked = links(project, instance, unlinked=["Lead", "cramps", "plasmodium"])
    assert by_form - unlinked == {row for row in by_form if row[2] in ("cramps", "lead")}
    assert unlinked <= by_form


def test_a_graph_says_how_near_in_meaning_is_near_enough(
    project: SmallProject, instance: dg.DagsterInstance
) -> None:
    assert {row[-1] for row in links(project, instance, embedding_threshold=1.0)} == {"exact"}
    near = links(project, instance, embedding_threshold=0.3)
    assert {row[-1] for row in near} == {"exact", "embedding"}
    fevers = [row for row in near if row[-1] == "embedding" and "swamp fever" in row[2]]
    assert [row[0] for row in fevers] == ["c2"]
    assert fevers[0][3] == "Malaria"
