"""What is told of files that are there, and of which nothing can be used as the configuration says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.config.files import file_problems
from evidence_assets.config.notes import notes
from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.sources.articles.registry import reader
from evidence_assets.sources.retractions import ARTICLE, Retraction, change_retractions
from evidence_assets_tests.testing.configuration_samples import configuration, facts_of, source_of, written

QUESTION = {"id": "q", "question": "What eats grass?", "options": ["a vole", "a kite"], "answer_index": 0}

MAPPING = """title: A quiz
licence: CC0
format: jsonl
id: id
question: question
options: options
key: answer_index
key_is: [number from 0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "vole.md").write_text("# Vole\n\nA vole eats grass.", encoding="utf-8")
    (tmp_path / "facts.tsv").write_text("IsA\tvole\trodent\n", encoding="utf-8")
    (tmp_path / "quiz.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    return tmp_path


def problems(folder: Path, content: dict[str, Any]) -> list[str]:
    return [
        problem.replace(f"{folder}/", "") for problem in file_problems(load_project(written(folder, content)))
    ]


def test_files_that_are_read_as_they_are_named_have_no_problem(folder: Path) -> None:
    (folder / "notes" / "picture.png").write_bytes(b"\x89PNG")
    (folder / "facts.tsv").write_text("vole is a rodent\nIsA\tvole\trodent\n", encoding="utf-8")
    assert problems(folder, configuration()) == []


def test_triples_between_commas_are_named_with_the_remedy(folder: Path) -> None:
    (folder / "facts.tsv").write_text("IsA,vole,rodent\nIsA,kite,bird\n", encoding="utf-8")
    assert problems(folder, configuration()) == [
        "graphs.facts.sources.own: facts.tsv, read as relation_head_tail: none of 2 records is a triple; the "
        "first, line 1: no column 2 for head: the line has 1; remedy: separate the columns by one tab each, "
        "or name them with `fields`"
    ]


def test_tables_of_nodes_whose_columns_have_other_names(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "nodes.csv").write_text("key,label\n1,gear\n", encoding="utf-8")
    (folder / "parts" / "edges.csv").write_text("head,relation,tail\n1,IsA,1\n", encoding="utf-8")
    content = configuration()
    facts_of(content).update(uri="parts", format="node_edge_tables")
    assert problems(folder, content) == [
        "graphs.facts.sources.own: parts/nodes.csv, before the first record: no column id, name in the "
        "header; it has key, label. Remedy: map our names to the file's columns with `fields`"
    ]
    facts_of(content)["fields"] = {"id": "key", "name": "label"}
    assert problems(folder, content) == []


@pytest.mark.parametrize(
    ("written_lines", "reason"),
    [
        (
            [{"heading": "Vole", "body": "It eats grass."}],
            "line 1: no field 'text' for text; it has heading, body",
        ),
        ([{"title": "Vole", "text": " "}, {"title": "Kite", "text": ""}], "Vole: it has no text"),
    ],
)
def test_articles_without_a_text(folder: Path, written_lines: list[dict[str, str]], reason: str) -> None:
    (folder / "notes.jsonl").write_text("\n".join(map(json.dumps, written_lines)), encoding="utf-8")
    [problem] = problems(folder, configuration("notes.jsonl", "jsonl"))
    assert problem.startswith("corpora.small.sources.notes: notes.jsonl, read as jsonl: ")
    assert f"the first, {reason}; remedy: " in problem


def test_one_file_of_a_pattern_is_enough(folder: Path) -> None:
    """Each is a shard, and a shard may be empty."""
    for name, text in (("a", ""), ("b", json.dumps({"title": "Vole", "text": "It eats grass."}))):
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    content = configuration("*.jsonl", "jsonl")
    (folder / "quiz.jsonl").rename(folder / "quiz.json")
    content["benchmarks"]["quiz"]["uri"] = "quiz.json"
    assert problems(folder, content) == []
    (folder / "b.jsonl").write_text("{}", encoding="utf-8")
    assert "its only record is no article" in problems(folder, content)[0]


def test_no_more_is_read_than_tells_whether_there_is_anything(folder: Path) -> None:
    """A file of a thousand lines that cannot be used may go on with lines that can."""
    (folder / "facts.tsv").write_text("no triple\n" * 1_000, encoding="utf-8")
    assert problems(folder, configuration()) == []
    (folder / "facts.tsv").write_text("no triple\n" * 999, encoding="utf-8")
    assert "none of 999 records is a triple" in problems(folder, configuration())[0]


def test_a_folder_of_other_files(folder: Path) -> None:
    (folder / "papers").mkdir()
    (folder / "papers" / "vole.pdf").write_bytes(b"%PDF")
    content = configuration()
    source_of(content)["uri"] = "papers"
    assert problems(folder, content) == [
        "corpora.small.sources.notes: papers, the whole folder: no .txt or .md file. Remedy: name a folder "
        "that has any"
    ]


@pytest.mark.parametrize("format", ["jsonl", "lines"])
def test_an_empty_file_of_articles(folder: Path, format: str) -> None:
    (folder / "notes.txt").touch()
    assert problems(folder, configuration("notes.txt", format)) == [
        f"corpora.small.sources.notes: notes.txt, read as {format}: it holds no article; remedy: name the "
        "file that holds some"
    ]


def noted(folder: Path, questions: list[dict[str, Any]]) -> list[str]:
    (folder / "quiz.jsonl").write_text("\n".join(map(json.dumps, questions)), encoding="utf-8")
    return list(notes(load_project(written(folder, configuration()))))


def test_questions_that_are_used_and_scored_are_not_noted(folder: Path) -> None:
    assert noted(folder, [QUESTION, {"id": "a", "question": "Who?", "answers": ["a vole"]}]) == []
    assert noted(folder, [{"id": "a", "question": "Who?", "answers": [], "answerable": False}]) == []


def test_questions_that_are_left_out_are_noted_with_the_first(folder: Path) -> None:
    others = [dict(QUESTION, id="r", answer_index="A"), QUESTION]
    first, other = noted(folder, [QUESTION, *others])
    assert first.startswith(
        "benchmarks.quiz: 2 of 3 records left out; the first, line 2, id r: answer key 'A'"
    )
    assert other.startswith("benchmarks.quiz: for another reason, line 3, ")


def test_questions_of_which_none_has_a_key_are_noted(folder: Path) -> None:
    misnamed = {**QUESTION, "right": 0}
    del misnamed["answer_index"]
    [note] = noted(folder, [misnamed])
    assert note.startswith("benchmarks.quiz: no question has a key, and what is answered is not scored; ")


def test_questions_of_which_some_have_no_key_are_counted(folder: Path) -> None:
    misnamed = {**QUESTION, "id": "r", "answer_idx": 0}
    del misnamed["answer_index"]
    unanswerable = {"id": "u", "question": "Who?", "answerable": False}
    [note] = noted(folder, [QUESTION, misnamed, unanswerable, {"id": "b", "question": "Why?"}])
    assert note.startswith(
        "benchmarks.quiz: 2 of 4 questions have no key, and are not scored; the first, r; remedy: give keys"
    )


def test_questions_of_a_mapping_with_options_alike_are_counted(folder: Path) -> None:
    (folder / "quiz.yaml").write_text(MAPPING, encoding="utf-8")
    content = configuration()
    content["benchmarks"]["quiz"]["reader"] = "quiz.yaml"
    alike = {**QUESTION, "id": "r", "options": ["a vole", "a  vole"]}
    (folder / "quiz.jsonl").write_text("\n".join(map(json.dumps, [QUESTION, alike])), encoding="utf-8")
    [note] = notes(load_project(written(folder, content)))
    assert note.startswith("benchmarks.quiz: 1 of 2 questions have two options that are alike, ")
    assert "the first, r; remedy: " in note
    (folder / "quiz.yaml").write_text(f"{MAPPING}alike_options: rejected\n", encoding="utf-8")
    [note] = notes(load_project(written(folder, content)))
    assert "1 of 2 records left out; the first, line 2, id r: options 1 and 2 are alike; remedy: " in note


def test_articles_that_the_lake_leaves_out_are_counted_with_a_few_reasons(folder: Path) -> None:
    records = [{"title": "Vole", "text": "It eats grass."}, {"title": "Owl", "text": "It hoots."}]
    records += [records[0], {"title": "Elk", "text": " "}, {"title": "Roe", "text": ""}, {"title": "Kite"}]
    records.append({"title": "Bat", "text": "It \ud800 hangs."})
    (folder / "notes.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (folder / "quiz.jsonl").write_text(json.dumps(QUESTION), encoding="utf-8")
    project = load_project(written(folder, configuration("notes.jsonl", "jsonl")))
    [shard] = project.shards.values()
    rows = ArticleRows(reader("jsonl")(shard.uri, shard.source.fields), shard)
    read = sum(batch.num_rows for batch in rows)
    first, *others, further = notes(project)
    left_out = len(records) - read
    assert (read, len(rows.rejected)) == (2, left_out)
    place = "corpora.small.sources.notes: "
    assert first.startswith(f"{place}{left_out} of {len(records)} records left out; the first, ")
    assert len(others) == 2
    assert all(note.startswith(f"{place}for another reason, ") for note in others)
    assert further == f"{place}other reasons: 1"


def test_a_retracted_article_is_counted_as_left_out(folder: Path) -> None:
    (folder / "notes" / "owl.md").write_text("# Owl\n\nAn owl hoots.", encoding="utf-8")
    content, lake = configuration(), str(folder / "lake")
    project = load_project(written(folder, content), lake_root=lake)
    [shard] = project.shards.values()
    key = content_id("article", shard.key, "owl.md")
    change_retractions(Lake(lake), [Retraction(ARTICLE, shard.key, key)], ())
    [note] = notes(load_project(written(folder, content), lake_root=lake))
    assert "1 of 2 records left out; the first, article 'owl.md'" in note
    assert "it was retracted" in note


def test_articles_and_triples_that_are_left_out_are_noted(folder: Path) -> None:
    (folder / "notes" / "owl.md").write_bytes("# Owl\n\nDüne".encode("latin-1"))
    (folder / "facts.tsv").write_text("IsA\tvole\trodent\nIsA,kite,bird\n", encoding="utf-8")
    assert [note.partition("; remedy")[0] for note in noted(folder, [QUESTION])] == [
        "corpora.small.sources.notes: 1 of 2 records left out; the first, owl.md: byte 8, 0xfc, is not UTF-8",
        "graphs.facts.sources.own: 1 of 2 records left out; the first, line 2: no column 2 for head: the "
        "line has 1",
    ]


def test_what_is_on_another_machine_is_said_not_to_be_looked_at(folder: Path) -> None:
    """A sound file is no promise for addresses that nobody asked; they are told as they are written."""
    content = configuration()
    content["corpora"]["small"]["sources"][0]["uri"] = "s3://${BUCKET}/notes"
    content["benchmarks"]["quiz"]["uri"] = "https://example.org/quiz.jsonl"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("BUCKET", "secret")
        noted_of_both = list(notes(load_project(written(folder, content))))
    assert [note.partition("; remedy: none needed")[0] for note in noted_of_both] == [
        "corpora.small.sources.notes: s3://${BUCKET}/notes is on another machine, and was not looked at",
        "benchmarks.quiz: https://example.org/quiz.jsonl is on another machine, and was not looked at",
    ]


def test_questions_without_tables_for_a_system_that_reads_tables(folder: Path) -> None:
    content = configuration()
    content["benchmarks"]["quiz"]["systems"] = ["uscrake", "ucret"]
    (folder / "cases.csv").write_text("region,cases\nQuebec,94\n", encoding="utf-8")
    [note] = notes(load_project(written(folder, content)))
    assert note.startswith("benchmarks.quiz: no question is about a table, and ucret reads tables; remedy: ")
    (folder / "quiz.jsonl").write_text(json.dumps({**QUESTION, "table": "cases.csv"}), encoding="utf-8")
    assert list(notes(load_project(written(folder, content)))) == []
