"""Rows of the lake's tables, for tests that care about some columns of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from evidence_assets.lake.schemas import RANKED_CHUNKS, REJECTED_RECORDS, Table


def table_of(table: Table, *rows: Mapping[str, Any]) -> pa.Table:
    """Return rows of a table; columns that a row leaves out are empty, zero or null."""
    blank = {column.name: _blank(column) for column in table.schema}
    return pa.Table.from_pylist([blank | dict(row) for row in rows], schema=table.schema)


def _blank(column: pa.Field) -> Any:
    if column.nullable:
        return None
    if pa.types.is_string(column.type):
        return ""
    return [] if pa.types.is_nested(column.type) else column.type.to_pandas_dtype()(0).item()


def rejections(source: str, *records: str) -> pa.Table:
    """Return rows of `rejected_records`, all of one source."""
    shared = {"source": source, "reason": "r", "remedy": "m", "source_uri": "u"}
    return table_of(REJECTED_RECORDS, *({**shared, "record": record} for record in records))


def ranked_chunks(*listed: tuple[str, int, int, str, float]) -> pa.Table:
    """Return rows of `ranked_chunks`, each told by question, candidate, rank, chunk and score."""
    names = ("question_id", "candidate", "rank", "chunk_id", "score")
    rows = (dict(zip(names, row, strict=True)) for row in listed)
    return table_of(RANKED_CHUNKS, *({"benchmark": "b", "retrieval": "r", **row} for row in rows))


def retrieved_fact(candidate: int, rank: int, text: str, **changes: Any) -> dict[str, Any]:
    """Return a row of `retrieved_facts`: a triple, whose id names its candidate and its rank."""
    fact_id = f"t{candidate}-{rank}"
    return {
        "system": "attention2query",
        "benchmark": "b",
        "retrieval": "full",
        "question_id": "q1",
        "candidate": candidate,
        "rank": rank,
        "fact_id": fact_id,
        "kind": "triple",
        "kg": "kg",
        "text": text,
        "triple_ids": [fact_id],
        "answers": [],
        "score": 10.0 - rank,
        "score_parts": [],
        **changes,
    }
