"""PubMedQA's expert-labelled set: one JSON object of questions by PubMed id."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.sources.questions.reading import Entry, json_members, read_questions, sibling
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    multiple_choice,
    required_list,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import GoldEvidence, Question, RejectedRecord, UnusableSourceError

OPTIONS = ("yes", "no", "maybe")
TEST_LABELS_FILE = "test_ground_truth.json"


def read_pubmedqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `ori_pqal.json`: `{id: {QUESTION, CONTEXTS, final_decision}}`.

    The split `all` takes every question; `test` takes those that `test_ground_truth.json`, in the same
    folder, lists. The sections of the abstract are the context, joined by line breaks, and the gold evidence.

    Raises:
        UnusableSourceError: a file is absent or not JSON, or the split is another one.
    """
    if split not in {"all", "test"}:
        raise UnusableSourceError(
            uri, "the whole file", f"there is no split '{split}'", "use 'test' or 'all'"
        )
    entries = _all_entries(uri) if split == "all" else _test_entries(uri)
    yield from read_questions(entries, _question)


def _all_entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    for number, (identifier, value) in enumerate(json_members(uri, ""), start=1):
        place = f"record {number}, id {identifier}"
        try:
            yield Entry(number, place, {**required_mapping(value, "the record"), "id": identifier})
        except RecordRejectedError as rejected:
            yield rejected.at(place)


def _test_entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    missing = {identifier for identifier, _ in json_members(sibling(uri, TEST_LABELS_FILE), "")}
    selected = frozenset(missing)
    for entry in _all_entries(uri):
        if isinstance(entry, RejectedRecord):
            yield entry
        elif entry.fields["id"] in selected:
            missing.discard(str(entry.fields["id"]))
            yield entry
    for identifier in sorted(missing):
        yield RejectedRecord(
            f"id {identifier}",
            f"{TEST_LABELS_FILE} lists it, but the questions do not hold it",
            "take both files from the same download",
        )


def _question(entry: Entry) -> Question:
    fields = entry.fields
    sections = [
        required_text(section, f"section {number} of 'CONTEXTS'")
        for number, section in enumerate(required_list(fields.get("CONTEXTS"), "'CONTEXTS'"), start=1)
    ]
    return multiple_choice(
        question_id=required_text(fields["id"], "the id"),
        question=fields.get("QUESTION"),
        options=OPTIONS,
        labels=OPTIONS,
        key=fields.get("final_decision"),
        key_name="'final_decision'",
        gold_evidence=[GoldEvidence(section) for section in sections],
        context="\n".join(sections),
    )
