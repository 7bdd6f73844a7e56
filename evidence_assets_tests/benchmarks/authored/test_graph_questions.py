"""The authored questions about twenty graphs: they hold together, and errors name what does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.authored import graph_questions
from benchmarks.authored.graph_questions import (
    EDGES,
    FOLDER,
    NODES,
    QUESTIONS,
    GraphQuestion,
    GraphQuestionError,
    Node,
    check,
    counts,
    graph_folders,
    load,
    write_jsonl,
)
from evidence_assets.config.configuration import load as load_configuration
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import ConceptRecord, Question, Triple

TABLES = {
    NODES: ("id\tname\ttype", "a\tAda\tperson", "b\tBo\tperson", 'c\t"Ada\tboat', "n-7\t7\tnumber"),
    EDGES: ("head\trelation\ttail", "a\tsails\tc", "b\tsails\tc", "a\tage in years\tn-7"),
}
SAILORS = {
    "id": "sea-1",
    "question": "Who sails?",
    "kind": "one_hop",
    "query": "SELECT head FROM triples WHERE relation = 'sails'",
}
UNTOLD = {
    "id": "sea-2",
    "question": "Who swims?",
    "kind": "unknown_relation",
    "query": None,
    "why": "no swimming",
}


@pytest.fixture(scope="module")
def questions() -> dict[str, list[GraphQuestion]]:
    return check()


@pytest.fixture(scope="module")
def counted(questions: dict[str, list[GraphQuestion]]) -> str:
    return counts(questions)


def written(folder: Path, entries: Any, **tables: tuple[str, ...]) -> Path:
    folder.mkdir()
    for name, lines in TABLES.items():
        content = "\n".join(tables.get(Path(name).stem, lines))
        (folder / name).write_text(content + "\n", encoding="utf-8")
    (folder / QUESTIONS).write_text(yaml.safe_dump(entries), encoding="utf-8")
    return folder


def error_of(folder: Path, entries: Any, **tables: tuple[str, ...]) -> str:
    with pytest.raises(GraphQuestionError) as caught:
        load(written(folder, entries, **tables))
    return str(caught.value)


def test_every_graph_has_fifty_questions_and_a_third_that_it_cannot_tell(
    questions: dict[str, list[GraphQuestion]],
) -> None:
    assert len(questions) == 20
    for entries in questions.values():
        assert len(entries) == 50
        assert sum(not entry.answerable for entry in entries) == 17
        assert sum(entry.kind == "three_hops" for entry in entries) >= 5
        assert all(bool(entry.answers) == entry.answerable == (entry.why is None) for entry in entries)


def test_the_readme_tells_the_counts(counted: str) -> None:
    assert counted in (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", graph_folders(), ids=lambda folder: folder.name)
def test_the_projects_reader_takes_each_graph_whole(folder: Path) -> None:
    records = list(reader("node_edge_tables")(str(folder), {}))
    concepts = {record.key: record for record in records if isinstance(record, ConceptRecord)}
    triples = [record for record in records if isinstance(record, Triple)]
    assert len(concepts) + len(triples) == len(records)
    assert 120 <= len(triples) <= 300
    assert 5 <= len({triple.relation for triple in triples}) <= 14
    assert 3 <= len({concept.kind for concept in concepts.values()}) <= 11
    assert {end for triple in triples for end in (triple.head, triple.tail)} == set(concepts)
    assert len({concept.label for concept in concepts.values()}) < len(concepts)


def test_the_fragment_configures_graphs_and_benchmarks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, questions: dict[str, list[GraphQuestion]]
) -> None:
    monkeypatch.setenv("GRAPH_QUESTIONS", str(tmp_path))
    sources = load_configuration(FOLDER / "sources.yaml")
    assert list(sources.graphs) == list(questions)
    assert [benchmark.graph for benchmark in sources.benchmarks.values()] == list(questions)
    write_jsonl(questions, tmp_path)
    for name, entries in questions.items():
        read = list(BENCHMARKS["questions_jsonl"].reader(str(tmp_path / f"{name}.jsonl"), "test"))
        assert [(entry.answers, entry.answerable) for entry in read if isinstance(entry, Question)] == [
            (tuple(dict.fromkeys(entry.answers)), None) if entry.answerable else ((), False)
            for entry in entries
        ]


def test_answers_are_nodes_numbers_booleans_or_nothing(tmp_path: Path) -> None:
    queries = {
        "one_hop": SAILORS["query"],
        "count": "SELECT count(*) FROM triples",
        "yes_no": "SELECT count(*) > 9 FROM triples",
        "unnamed": "SELECT tail FROM triples WHERE relation = 'sails'",
    }
    entries = [
        {"id": kind, "question": kind, "kind": kind, "query": query} for kind, query in queries.items()
    ]
    sailors, count, truth, boats, untold = load(written(tmp_path / "sea", [*entries, UNTOLD]))
    assert sailors.nodes == (Node("a", "Ada", "person"), Node("b", "Bo", "person"))
    assert (sailors.value, sailors.answers) == (None, ["Ada", "Bo"])
    assert (count.value, count.answers) == (3, ["3"])
    assert (truth.value, truth.answers) == (False, ["no"])
    assert boats.nodes == (Node("c", '"Ada', "boat"),)
    assert (untold.nodes, untold.value, untold.answers, untold.why) == ((), None, [], "no swimming")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": "SELECT nothing FROM triples"}, "the query fails"),
        ({"query": "SELECT head FROM triples WHERE relation = 'rows'"}, "the query returns nothing"),
        ({"query": "SELECT head, tail FROM triples"}, "several columns, or null"),
        ({"query": "SELECT NULL"}, "several columns, or null"),
        ({"query": "SELECT label FROM nodes WHERE id = 'b'"}, "returns Bo, no node's id"),
        ({"query": "SELECT [head] FROM triples"}, "no node's id"),
        ({"query": None}, "neither query nor why"),
        ({"why": "because"}, "both a query and why"),
        ({"query": 3}, "query or why is no text"),
        ({"kind": "nonsense"}, "kind is 'nonsense'"),
        ({"question": " "}, "no question"),
        ({"answer": "Ada"}, "unknown keys answer"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    error = error_of(tmp_path / "sea", [{**SAILORS, **change}])
    assert error.startswith("sea/questions.yaml, sea-1: ")
    assert message in error
    assert "; remedy: " in error


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([SAILORS, {**UNTOLD, "id": "sea-1"}], "sea-1: this id was used before"),
        ([SAILORS, {**UNTOLD, "question": " who  sails"}], "sea-2: worded as sea-1"),
        ([{"question": "Who sails?"}], "entry 1: no id"),
        ([{"id": "sea-1", "question": "Who sails?", "kind": "one_hop"}], "sea-1: no query"),
        ({}, "as a whole: not a list of questions"),
    ],
)
def test_a_wrong_list_is_named(tmp_path: Path, entries: Any, message: str) -> None:
    assert message in error_of(tmp_path / "sea", entries)


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"nodes": ("id\ttype", "a\tperson")}, "sea/nodes.tsv, line 1: lacks a column of id, name, type"),
        ({"nodes": (*TABLES[NODES], "a\tAnn\tperson")}, "sea/nodes.tsv, a: two nodes of this id"),
        ({"edges": (*TABLES[EDGES], "a\tsails\tc")}, "sea/edges.tsv, a | sails | c: stated twice"),
        ({"edges": (*TABLES[EDGES], "a\tsails\td")}, "sea/edges.tsv, d: no node of this id"),
    ],
)
def test_a_wrong_table_is_named(tmp_path: Path, tables: dict[str, tuple[str, ...]], message: str) -> None:
    assert message in error_of(tmp_path / "sea", [SAILORS], **tables)


def test_an_id_of_two_graphs_is_named(tmp_path: Path) -> None:
    first = written(tmp_path / "lake", [SAILORS])
    shutil.copytree(first, tmp_path / "sea")
    with pytest.raises(
        GraphQuestionError, match=r"sea/questions\.yaml, sea-1: lake has a question of this id"
    ):
        check(tmp_path)


def test_the_command_prints_counts_and_writes_questions(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    questions: dict[str, list[GraphQuestion]],
    counted: str,
) -> None:
    assert graph_questions.main(["--jsonl", str(tmp_path)]) == 0
    assert capsys.readouterr().out == counted + "\n"
    for name, entries in questions.items():
        lines = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["id"] for line in lines] == [entry.id for entry in entries]
