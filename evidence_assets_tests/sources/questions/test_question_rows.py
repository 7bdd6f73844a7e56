"""Records of a benchmark's reader as rows of `questions`."""

from __future__ import annotations

from pathlib import Path

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import no_questions, question_files, question_rows
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord
from evidence_assets.sources.rejections import MOST_LISTED, how_many
from evidence_assets.sources.specifications import BenchmarkSource

SOURCE = BenchmarkSource(reader="questions_jsonl", uri="${PLACE}/*.jsonl", split="dev", corpus="small")


def test_question_files_are_those_of_a_glob(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl"):
        (tmp_path / name).touch()
    assert question_files(f"{tmp_path}/*.jsonl") == [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]
    # A folder or a file goes to the reader as it is: some readers take their siblings too.
    assert question_files(str(tmp_path)) == [str(tmp_path)]
    assert question_files("zip://a.csv::/x/y.zip") == ["zip://a.csv::/x/y.zip"]


def test_questions_become_rows_with_everything_they_hold() -> None:
    question = Question(
        "q1",
        "Why?",
        ("a", "b"),
        1,
        ("b",),
        (GoldEvidence("Because.", "Title"), GoldEvidence("So.")),
        context="given",
        subject="logic",
        topics=("y", "x"),
    )
    rows, rejected = question_rows([question], "quiz", SOURCE)
    assert rejected == []
    assert conform(rows, QUESTIONS).to_pylist() == [
        {
            "benchmark": "quiz",
            "question_id": "q1",
            "question": "Why?",
            "options": ["a", "b"],
            "answer_index": 1,
            "answers": ["b"],
            "answer_keys": [],
            "table_id": None,
            "topics": ["y", "x"],
            "answerable": None,
            "gold_evidence": [{"title": "Title", "text": "Because."}, {"title": "", "text": "So."}],
            "gold_cells": [],
            "split": "dev",
            "context": "given",
            "subject": "logic",
            "source_uri": "${PLACE}/*.jsonl",
            "licence": BENCHMARKS["questions_jsonl"].licence,
        }
    ]


def test_the_configured_licence_goes_before_the_readers() -> None:
    source = SOURCE.model_copy(update={"licence": "CC-BY-4.0"})
    rows, _ = question_rows([Question("q", "Why?", answers=("x",))], "quiz", source)
    assert rows.column("licence").to_pylist() == ["CC-BY-4.0"]
    assert rows.column("answer_index").to_pylist() == [None]


def test_an_id_used_in_another_file_is_rejected_and_the_first_kept() -> None:
    wrong = RejectedRecord("line 3", "no key", "give one")
    records: list[Question | RejectedRecord] = [
        Question("q", "First?", answers=("x",)),
        wrong,
        Question("q", "Second?", answers=("y",)),
    ]
    rows, rejected = question_rows(records, "quiz", SOURCE)
    assert rows.column("question").to_pylist() == ["First?"]
    assert rejected[0] is wrong
    assert rejected[1].record == "question 'q'"
    assert "another file" in rejected[1].reason


def test_however_many_are_rejected_they_are_counted() -> None:
    wrong = RejectedRecord("line 3", "no key", "give one")
    question = Question("q", "First?", answers=("x",))
    rows, rejected = question_rows([question, *[wrong] * MOST_LISTED, question, question], "quiz", SOURCE)
    assert rows.num_rows == 1
    assert len(rejected) == MOST_LISTED + 1
    assert how_many(rejected) == MOST_LISTED + 2
    assert f"none of {MOST_LISTED + 2:,} records" in no_questions("q", SOURCE, rejected)


def test_no_question_at_all_is_an_empty_table() -> None:
    rows, rejected = question_rows([], "quiz", SOURCE)
    assert (rows.num_rows, rejected) == (0, [])
    assert rows.schema.equals(QUESTIONS.schema)
