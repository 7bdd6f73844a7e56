"""Readings as rows, and read again as queries."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.queries.conjunctive import typed
from evidence_assets.kgqa.queries.serialization import ABSENT, PARSED, deserialize_queries
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.rows import NO_TOPIC, query_rows
from evidence_assets.kgqa.understanding.understanding import Understander, Understood
from evidence_assets.lake.schemas import QUESTION_QUERIES
from evidence_assets_tests.testing.parsing_samples import encoder, linked_question, museum, museum_schema

QUESTIONS = [
    linked_question("When was Winter Orchard completed?", "Winter Orchard"),
    linked_question("In which museum is Two Herons kept?", "Two Herons"),
    LinkedQuestion("nothing", "Why?", ()),
    LinkedQuestion("unknown", "Who is Nobody?", (Topic("Nobody", 7, 13, ()),)),
]


@cache
def understander() -> Understander:
    graph, schema = museum(), museum_schema()
    base = KnowledgeBase(graph, schema, node_types(graph, None, schema), {})
    return base.understander(encoder())


def understood() -> list[Understood]:
    return understander().understand(QUESTIONS)


def test_rows_tell_what_was_read() -> None:
    table = query_rows("museum", "kb", QUESTIONS, understood(), museum_schema())
    assert table.schema == QUESTION_QUERIES.schema
    rows = table.to_pylist()
    firsts = [row for row in rows if row["rank"] == 1]
    assert [row["status"] for row in firsts] == [PARSED, ABSENT, NO_TOPIC, NO_TOPIC]
    assert [row["answers"] for row in firsts] == [1, 0, 0, 0]
    assert firsts[0]["target"] == "?answer"
    assert firsts[1]["detail"].startswith("the graph lacks what is asked: (Two Herons, kept_in")
    assert "no part of the question names anything of the graph" in firsts[2]["detail"]
    assert "Nobody" in firsts[3]["detail"]
    assert [[word["text"] for word in row["bindings"]] for row in firsts[:1]] == [
        ["When", "was", "Winter Orchard", "completed"]
    ]
    ranks = [row["rank"] for row in rows if row["question_id"] == QUESTIONS[0].question_id]
    assert ranks == list(range(1, len(ranks) + 1))


def test_stored_readings_come_back() -> None:
    each_understood = understood()
    stored = deserialize_queries(query_rows("museum", "kb", QUESTIONS, each_understood, museum_schema()))
    for question, understanding in zip(QUESTIONS[:2], each_understood[:2], strict=True):
        records = stored[question.question_id]
        expected = [typed(parse.query, museum_schema()) for parse in understanding.parses]
        assert [record.query for record in records] == expected
        assert records[0].accounting == understanding.reading.accounting
        assert (records[0].abstains, records[0].confidence) == (
            understanding.reading.abstains,
            understanding.reading.confidence,
        )


def test_every_variable_that_is_stored_has_a_type() -> None:
    """Where edges are taken as any edge, as the paper does, types alone tell a museum from a painter."""
    questions = [
        *QUESTIONS,
        linked_question("Who painted Winter Orchard and Two Herons?", "Winter Orchard", "Two Herons"),
    ]
    readings = understander().understand(questions)
    rows = query_rows("museum", "kb", questions, readings, museum_schema()).to_pylist()
    ends = [(row, end) for parse in rows for row in parse["triplets"] for end in ("head", "tail")]
    variables = [row[f"{end}_type"] for row, end in ends if row[end].startswith("?")]
    assert variables
    assert all(variables)


def test_questions_and_readings_pair() -> None:
    with pytest.raises(ValueError, match="zip"):
        query_rows("museum", "kb", QUESTIONS, [], museum_schema())
