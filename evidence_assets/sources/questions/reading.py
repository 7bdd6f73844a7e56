"""Questions built from the entries of a file; of equal question ids the first is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from evidence_assets.sources.reading import Entry, records_of
from evidence_assets.sources.records import Question, RejectedRecord
from evidence_assets.sources.validation import RecordRejectedError

Reader: TypeAlias = Callable[[str, str], Iterator[Question | RejectedRecord]]


def read_questions(
    entries: Iterable[Entry | RejectedRecord], build: Callable[[Entry], Question]
) -> Iterator[Question | RejectedRecord]:
    """Yields a question or a rejection for each entry; the first of equal question ids is kept.

    Raises:
        UnusableSourceError: passed on from `entries` and `build`.
    """
    places: dict[str, str] = {}

    def question(entry: Entry) -> Iterator[Question]:
        built = build(entry)
        if first := places.get(built.question_id):
            reason = f"question id {built.question_id!r} was already used by {first}"
            raise RecordRejectedError(reason, "give every question an id of its own")
        places[built.question_id] = entry.place
        yield built

    return records_of(entries, question)
