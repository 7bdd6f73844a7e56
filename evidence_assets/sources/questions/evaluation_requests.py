"""Evaluation requests: how evaluations of language models keep questions, a line for each option."""

from __future__ import annotations

from evidence_assets.sources.questions.formats import Entries, Layout, jsonl_entries
from evidence_assets.sources.records import RejectedRecord


def entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields the first request of each question: each holds the whole question, its options and its key."""
    questions = set()
    for entry in jsonl_entries(uri, split, layout):
        if isinstance(entry, RejectedRecord):
            yield entry
            continue
        question = tuple(str(entry.fields.get(field)) for field in ("task_name", "native_id", "doc"))
        if question not in questions:
            questions.add(question)
            yield entry
