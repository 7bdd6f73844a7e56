"""The tables the project starts with, and what is asked of them: usable, and consistent with the articles."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question

STARTER = Path(__file__).resolve().parents[2] / "evidence_assets" / "starter"


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    records = list(BENCHMARKS["questions_jsonl"].reader(str(STARTER / "tables" / "tables.jsonl"), "test"))
    assert [record for record in records if not isinstance(record, Question)] == []
    return [record for record in records if isinstance(record, Question)]


def test_every_table_is_asked_for_claims_and_for_values(questions: list[Question]) -> None:
    tables = {path.name for path in (STARTER / "tables").glob("*.csv")}
    for has_options in (True, False):
        of_kind = (question.table for question in questions if bool(question.options) == has_options)
        assert {table.key for table in of_kind if table} == tables
    assert len({question.question for question in questions}) == len(questions) >= 28


def test_no_verdict_is_right_for_most_claims(questions: list[Question]) -> None:
    verdicts = Counter(question.answers[0] for question in questions if question.options)
    assert len(verdicts) == 3
    assert max(verdicts.values()) <= verdicts.total() / 2


def test_values_that_are_asked_for_stand_in_the_table_or_count_its_rows(questions: list[Question]) -> None:
    for question in questions:
        assert question.table is not None
        cells = {cell for row in question.table.rows for cell in row}
        if not question.options:
            assert question.answers[0] in cells or question.question.startswith("How many")


def test_the_tables_agree_with_the_articles(questions: list[Question]) -> None:
    hardness = (STARTER / "articles" / "mohs-hardness-scale.md").read_text(encoding="utf-8")
    tables = (question.table for question in questions)
    minerals = next(table for table in tables if table and table.key == "minerals.csv")
    for name, value, _ in minerals.rows:
        for sentence in hardness.split("."):
            if sentence.split()[:1] == [name] and "hardness of" in sentence:
                assert sentence.split("hardness of")[1].split()[0] == value
