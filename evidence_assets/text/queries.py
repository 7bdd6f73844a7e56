"""Retrieval queries: each question alone, and each question followed by each of its options."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

NO_OPTION = -1


@dataclass(frozen=True, slots=True)
class Query:
    """One query text. `candidate` is the option's index, or -1 for the question alone."""

    question_id: str
    candidate: int
    text: str


def queries(questions: pa.Table) -> list[Query]:
    """Return the queries of `questions` rows: thesis 7.3.2 asks with `question + " " + option`."""
    result = []
    for row in questions.select(["question_id", "question", "options"]).to_pylist():
        result.append(Query(row["question_id"], NO_OPTION, row["question"]))
        result += [
            Query(row["question_id"], index, f"{row['question']} {option}")
            for index, option in enumerate(row["options"])
        ]
    return result
