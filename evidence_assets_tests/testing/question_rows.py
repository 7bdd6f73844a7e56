"""Rows of `questions`, for tests that care about little of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.lake.schemas import QUESTIONS


def question_row(
    question_id: str, text: str, options: Sequence[str] = (), answer: int | None = None, **changes: Any
) -> dict[str, Any]:
    """A row; `answer` is the place of the right option."""
    return {
        "benchmark": "b",
        "question_id": question_id,
        "question": text,
        "options": list(options),
        "answer_index": answer,
        "answers": [] if answer is None else [options[answer]],
        "table_id": None,
        "gold_evidence": [],
        "split": "test",
        "context": "",
        "subject": "",
        "source_uri": "b.jsonl",
        "licence": "CC0-1.0",
        **changes,
    }


def question_table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=QUESTIONS.schema)
