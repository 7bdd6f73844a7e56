"""What is told of a graph whose files can be read, and of which no triple is left, or not what is meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config import graphs
from evidence_assets.config import notes as notes_module
from evidence_assets.config.configuration import load_project
from evidence_assets.config.files import file_problems
from evidence_assets.config.notes import notes
from evidence_assets.sources.project import Project
from evidence_assets_tests.testing.configuration_samples import configuration, facts_of, written

QUESTION = {"id": "q", "question": "What eats grass?", "options": ["a vole", "a kite"], "answer_index": 0}
IS_A = 'IsA: {head: animal, tail: thing, sentences: ["{head} is a {tail}"]}'
EATZ = 'Eatz: {head: animal, tail: thing, sentences: ["{head} eats {tail}"]}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "vole.md").write_text("A vole eats grass.", encoding="utf-8")
    (tmp_path / "facts.tsv").write_text("IsA\tvole\trodent\nEats\tvole\tgrass\n", encoding="utf-8")
    (tmp_path / "quiz.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    (tmp_path / "parts").mkdir()
    return tmp_path


def problems(folder: Path, content: dict[str, Any]) -> list[str]:
    project = load_project(written(folder, content))
    return [problem.replace(f"{folder}/", "") for problem in file_problems(project)]


def noted(folder: Path, content: dict[str, Any]) -> list[str]:
    project = load_project(written(folder, content))
    return [note.replace(f"{folder}/", "") for note in notes(project)]


def with_tables(folder: Path, nodes: str, edges: str) -> dict[str, Any]:
    (folder / "parts" / "nodes.csv").write_text(nodes, encoding="utf-8")
    (folder / "parts" / "edges.csv").write_text(edges, encoding="utf-8")
    content = configuration()
    facts_of(content).update(uri="parts", format="node_edge_tables")
    return content


def with_templates(folder: Path, text: str) -> dict[str, Any]:
    (folder / "own.yaml").write_text(text, encoding="utf-8")
    content = configuration()
    content["graphs"]["facts"]["templates"] = "own.yaml"
    return content


@pytest.mark.parametrize(
    ("nodes", "edges", "first"),
    [
        (
            "id,name\n",
            "head,relation,tail\n1,IsA,2\n",
            "nodes.csv: it has no row below its header; remedy: write a node a row below it",
        ),
        (
            "id,name\n1,vole\n",
            "head,relation,tail\n",
            "edges.csv: it has no row below its header; remedy: write an edge a row below it",
        ),
        (
            "id,name\n1,vole\n",
            "head,relation,tail\nx1,IsA,1\n",
            "concept PARTS:x1: 1 triple names it at edges.csv:line 2, and the source describes no such "
            "concept; remedy: add the concept to the source, or correct the identifier",
        ),
    ],
)
def test_tables_of_which_no_triple_is_left(folder: Path, nodes: str, edges: str, first: str) -> None:
    assert problems(folder, with_tables(folder, nodes, edges)) == [
        f"graphs.facts: no triple is left of parts; the first that is left out, own, {first}"
    ]


def test_edges_to_nodes_that_there_are_not_are_noted(folder: Path) -> None:
    edges = "head,relation,tail\n1,IsA,2\n1,Eats,x1\nx2,Eats,x1\n"
    content = with_tables(folder, "id,name\n1,vole\n2,rodent\n", edges)
    assert problems(folder, content) == []
    assert [note for note in noted(folder, content) if note.startswith("graphs.facts: ")] == [
        "graphs.facts: 2 concepts that their sources do not describe are named as ends, and their triples "
        "are left out; the first, own, concept PARTS:x1: 2 triples name it, the first at edges.csv:line 3, "
        "and the source describes no such concept; remedy: add the concept to the source, or correct the "
        "identifier"
    ]


@pytest.mark.parametrize(
    ("edges", "remedy"),
    [
        ("", "Remedy: the file is empty: name the columns in its first line, head,relation,tail"),
        ("from,to\n1,1\n", "Remedy: map our names to the file's columns with `fields`"),
    ],
)
def test_edges_that_cannot_be_read_behind_nodes_that_can(folder: Path, edges: str, remedy: str) -> None:
    [problem] = problems(folder, with_tables(folder, "id,name\n1,vole\n", edges))
    assert problem.startswith("graphs.facts: ")
    assert "edges.csv, before the first record: no column head, relation" in problem
    assert problem.endswith(remedy)


def test_a_source_without_a_triple(folder: Path) -> None:
    (folder / "facts.tsv").write_text("", encoding="utf-8")
    assert problems(folder, configuration()) == [
        "graphs.facts.sources.own: facts.tsv, read as relation_head_tail: it holds no triple; remedy: name "
        "the file that holds some"
    ]


def test_templates_none_of_which_is_of_a_relation_of_the_graph(folder: Path) -> None:
    [problem] = problems(folder, with_templates(folder, f"types: {{animal: [animal]}}\nrelations:\n  {EATZ}"))
    assert problem.startswith("graphs.facts: no triple is left of facts.tsv; the first that is left out, ")
    assert "relation Eats: the graph's templates have no sentence that reads it out" in problem


@pytest.mark.parametrize(
    "text",
    [
        f"types: {{animal: [animal]}}\nrelations:\n  {IS_A}\n  {EATZ}",
        'IsA: "{head} is a {tail}"\nEatz: "{head} eats {tail}"',
    ],
)
def test_a_relation_that_the_graph_lacks_is_noted_with_the_nearest(folder: Path, text: str) -> None:
    content = with_templates(folder, text)
    assert problems(folder, content) == []
    assert noted(folder, content) == [
        "graphs.facts.templates: own.yaml names what no triple of the graph has: Eatz (is it Eats?); remedy: "
        "name relations as the graph's files do, or remove them",
        "graphs.facts.templates: own.yaml has no sentence for Eats (1), whose triples are left out; remedy: "
        "add a sentence for each, or leave `templates` out",
    ]


def test_templates_that_name_what_the_graph_has_are_not_noted(folder: Path) -> None:
    assert (
        noted(folder, with_templates(folder, 'IsA: "{head} is a {tail}"\nEats: "{head} eats {tail}"')) == []
    )


def test_sets_of_templates_are_for_many_graphs(folder: Path) -> None:
    """They name what one lacks; what they do not read out is noted, of them too."""
    content = configuration()
    content["graphs"]["facts"]["templates"] = "conceptnet"
    assert [note.partition(",")[0] for note in noted(folder, content)] == [
        "graphs.facts.templates: conceptnet has no sentence for Eats (1)"
    ]


def test_of_a_graph_that_is_not_read_to_its_end_nothing_is_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = with_templates(folder, 'IsA: "{head} is a {tail}"\nEatz: "{head} eats {tail}"')
    monkeypatch.setattr(graphs, "_MOST_NOTED", 2)
    assert noted(folder, content) == []
    monkeypatch.setattr(graphs, "_MOST_NOTED", 3)
    assert len(noted(folder, content)) == 2


def test_an_answer_that_is_no_node_is_noted_where_a_system_answers_by_nodes(folder: Path) -> None:
    questions = [
        {"id": "grass", "question": "What does a vole eat?", "answers": ["grass"]},
        {"id": "kite", "question": "What eats a vole?", "answers": ["a red kite"]},
    ]
    (folder / "quiz.jsonl").write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    content = configuration()
    assert noted(folder, content) == []
    content["benchmarks"]["quiz"]["systems"] = ["four_step_focus"]
    [note] = noted(folder, content)
    assert note.startswith("benchmarks.quiz: questions none of whose answers is a node's name in graph facts")
    assert ": 1, such as kite with 'a red kite';" in note
    assert "remedy: write answers as the graph's nodes are called" in note


def test_nothing_is_told_of_answers_where_the_graph_is_not_known_whole(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kite = {"id": "kite", "question": "What eats a vole?", "answers": ["a red kite"]}
    (folder / "quiz.jsonl").write_text(json.dumps(kite), encoding="utf-8")
    content = configuration()
    content["benchmarks"]["quiz"]["systems"] = ["four_step_focus"]
    assert len(noted(folder, content)) == 1
    monkeypatch.setattr(graphs, "_MOST_NOTED", 2)
    assert noted(folder, content) == []


def test_a_graph_is_read_for_its_names_once_and_only_where_a_key_needs_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def counted(project: Project, name: str) -> frozenset[str]:
        reads.append(name)
        return graphs.node_labels(project, name)

    monkeypatch.setattr(notes_module, "node_labels", counted)
    content = configuration()
    content["benchmarks"]["quiz"]["systems"] = ["four_step_focus"]
    assert noted(folder, content) == []
    assert reads == [], "its question offers options"
    kite = {"id": "kite", "question": "What eats a vole?", "answers": ["a red kite"]}
    (folder / "quiz.jsonl").write_text(json.dumps(kite), encoding="utf-8")
    content["benchmarks"]["again"] = content["benchmarks"]["quiz"]
    assert len(noted(folder, content)) == 2
    assert reads == ["facts"]
