"""Questions to be scored: so many gold items each, and four options."""

from __future__ import annotations

import pyarrow as pa

# The right option of each of some questions: none of one without options.
KEYS = {"a": 0, "b": 1, "c": 1, "open": None, "free": 0}


def questions(**gold: int) -> pa.Table:
    """Questions by id, each with so many gold items and four options of its own."""
    return pa.table(
        {
            "question_id": list(gold),
            "options": [[f"{name}{letter}" for letter in "abcd"] for name in gold],
            "table_id": pa.nulls(len(gold), pa.string()),
            "gold_evidence": [
                [{"title": "", "text": f"{n}"} for n in range(count)] for count in gold.values()
            ],
            "answer_index": pa.array([0] * len(gold), pa.int32()),
        }
    )


def keyed(keys: dict[str, int | None] = KEYS) -> pa.Table:
    question_rows = questions(a=2, b=1, c=1, open=1, free=0)
    key_column = pa.array([keys[name] for name in KEYS], pa.int32())
    return question_rows.set_column(
        question_rows.schema.get_field_index("answer_index"), "answer_index", key_column
    )
