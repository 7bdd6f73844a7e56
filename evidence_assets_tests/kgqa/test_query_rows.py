"""Readings as rows, and read again as queries."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.rows import NO_TOPIC, query_rows
from evidence_assets.kgqa.serialization import ABSENT, PARSED, deserialize_queries
from evidence_assets.lake.schemas import QUESTION_QUERIES
from evidence_assets_tests.testing.parsing_samples import asked, museum_parser

QUESTIONS = [
    asked("When was Winter Orchard completed?", "Winter Orchard"),
    asked("In which museum is Two Herons kept?", "Two Herons"),
    LinkedQuestion("nothing", "Why?", ()),
    LinkedQuestion("unknown", "Who is Nobody?", (Topic("Nobody", 7, 13, ()),)),
]


def test_rows_tell_what_was_read() -> None:
    parsed = museum_parser().parse(QUESTIONS)
    table = query_rows("museum", "kb", QUESTIONS, parsed)
    assert table.schema == QUESTION_QUERIES.schema
    rows = table.to_pylist()
    firsts = [row for row in rows if row["rank"] == 1]
    assert [row["status"] for row in firsts] == [PARSED, ABSENT, NO_TOPIC, NO_TOPIC]
    assert [row["answers"] for row in firsts] == [1, 0, 0, 0]
    assert firsts[0]["target"] == "?answer"
    assert firsts[2]["detail"] == "nothing in it is linked to the graph"
    assert firsts[3]["detail"] == "the graph holds nothing of Nobody"
    ranks = [row["rank"] for row in rows if row["question_id"] == QUESTIONS[0].question_id]
    assert ranks == list(range(1, len(ranks) + 1))


def test_stored_readings_come_back() -> None:
    parsed = museum_parser().parse(QUESTIONS)
    stored = deserialize_queries(query_rows("museum", "kb", QUESTIONS, parsed))
    for question, beam in zip(QUESTIONS[:2], parsed[:2], strict=True):
        assert [one.query for one in stored[question.question_id]] == [one.query for one in beam]


def test_questions_and_readings_pair() -> None:
    with pytest.raises(ValueError, match="zip"):
        query_rows("museum", "kb", QUESTIONS, [])
