"""The answer to a question without options, of what was ranked for one reading of it."""

from __future__ import annotations

from evidence_assets.evidence.experiment import Answer, RankedAnswer
from evidence_assets.kgqa.queries.serialization import QueryRecord


def answer_of_reading(
    reading: QueryRecord | None,
    best: RankedAnswer | None,
    generator: str,
    why_none: str,
    tie_break: str = "none",
    raw_output: str = "",
) -> Answer:
    """Return the best of the ranked answers as the answer, or `why_none` where none is given.

    Either is as sure as the `reading`, and accounts for as much of the question; without one, nobody knows.
    """
    accounting = reading.accounting if reading is not None else None
    confidence = reading.confidence if reading is not None else None
    if best is None:
        return Answer.abstention(generator, why_none, confidence=confidence, accounting=accounting)
    return Answer(
        None,
        confidence,
        generator,
        raw_output or f"Answer: {best.answer}",
        tie_break=tie_break,
        text=best.answer,
        accounting=accounting,
        node=best.node,
    )
