"""Rows of `question_queries`: parses of the extractive parser, and of language models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.queries.algebra import Matched, positive_part, serialize
from evidence_assets.kgqa.queries.conjunctive import TARGET, ConjunctiveQuery, typed
from evidence_assets.kgqa.queries.serialization import (
    ABSENT,
    EXTRACTIVE,
    PARSED,
    UNACCOUNTED,
    serialize_triplets,
)
from evidence_assets.kgqa.queries.solving import Solver
from evidence_assets.kgqa.understanding.prompted import PromptedQuery
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets.kgqa.understanding.understanding import Understood
from evidence_assets.lake.schemas import QUESTION_QUERIES

NO_TOPIC = "no topic"
# A row of a question of which nothing was read, without its key.
UNREAD: Mapping[str, Any] = {
    "rank": 1,
    "triplets": [],
    "target": f"?{TARGET}",
    "answer_type": "",
    "answers": 0,
    "score": 0.0,
    "score_parts": [],
    "request_hash": None,
}


def query_rows(
    benchmark: str,
    kg: str,
    questions: Sequence[LinkedQuestion],
    understood: Sequence[Understood],
    schema: Schema,
) -> pa.Table:
    """Return the rows of every question's reading and of its other parses, ranked from 1.

    Every variable is typed, by the parse or by `schema`.

    A question that names nothing of the graph has one row without conditions, which says so.

    Raises:
        ValueError: questions and parses do not pair.
    """
    rows: list[dict[str, Any]] = []
    for question, understanding in zip(questions, understood, strict=True):
        base = {"benchmark": benchmark, "parser": EXTRACTIVE, "question_id": question.question_id, "kg": kg}
        reading, parses = understanding.reading, understanding.parses
        matched = reading.query is not None and isinstance(reading.query.of, Matched)
        fields = _fields(parses[0], schema) if matched else _no_topic(question)
        rows.append({**base, **UNREAD, **fields, **_of_reading(reading, schema)})
        rows += [
            {**base, **UNREAD, "rank": rank, **_fields(parse, schema)}
            for rank, parse in enumerate(parses[matched:], start=2)
        ]
    return pa.Table.from_pylist(rows, QUESTION_QUERIES.schema)


def _fields(parsed: ParsedQuery, schema: Schema) -> dict[str, Any]:
    return {
        "triplets": serialize_triplets(typed(parsed.query, schema)),
        "target": f"?{parsed.query.target}",
        "answer_type": parsed.answer_type,
        "status": PARSED if parsed.exists else ABSENT,
        "answers": len(parsed.answers),
        "score": parsed.score,
        "score_parts": [{"name": name, "value": value} for name, value in parsed.score_parts.items()],
        "detail": parsed.detail,
    }


def _of_reading(reading: QuestionReading, schema: Schema) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "bindings": reading.accounting.rows(),
        "confidence": reading.confidence,
        "answers": len(reading.nodes),
        "detail": reading.abstains,
    }
    if reading.query is not None:
        fields["status"] = ABSENT if reading.lacks else UNACCOUNTED if reading.abstains else PARSED
        if not isinstance(reading.query.of, Matched):
            fields["triplets"] = serialize_triplets(typed(positive_part(reading.query), schema))
            fields["operation"] = serialize(reading.query)
            fields["score"] = -reading.cost
    return fields


def _no_topic(question: LinkedQuestion) -> dict[str, Any]:
    phrases = ", ".join(topic.phrase for topic in question.topics)
    lacking = f"the graph holds nothing of {phrases}" if phrases else "nothing in it is linked to the graph"
    return {"status": NO_TOPIC, "detail": lacking}


def prompted_rows(
    benchmark: str,
    kg: str,
    parser: str,
    question_ids: Sequence[str],
    queries: Sequence[PromptedQuery],
    solver: Solver,
) -> pa.Table:
    """Return the row of every question that a language model, `parser`, read.

    Raises:
        ValueError: ids and parses do not pair.
    """
    rows = []
    for question_id, prompted in zip(question_ids, queries, strict=True):
        query = prompted.query or ConjunctiveQuery((), TARGET)
        solution = solver.solve(query, without_constants=True)
        dropped = [f"{triplet} was dropped: {reason}" for triplet, reason in solution.dropped]
        rows.append(
            {
                **UNREAD,
                "benchmark": benchmark,
                "parser": parser,
                "question_id": question_id,
                "kg": kg,
                "triplets": serialize_triplets(query),
                "target": f"?{query.target}",
                "answer_type": prompted.answer_type,
                "status": prompted.status,
                "answers": len(solution.candidates),
                "detail": "; ".join(dropped) or solution.detail,
                "request_hash": prompted.request_hash,
            }
        )
    return pa.Table.from_pylist(rows, QUESTION_QUERIES.schema)
