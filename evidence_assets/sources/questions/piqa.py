"""PIQA: JSON lines of a goal and two solutions, with the labels beside them or in a file of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.sources.files import open_binary
from evidence_assets.sources.questions.reading import Entry, file_name, json_lines, read_questions, sibling
from evidence_assets.sources.questions.validation import multiple_choice, required_identifier
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError

LABELS = ("0", "1")


def read_piqa(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of a PIQA file: `{goal, sol1, sol2}` and, where given, `id` and `label`.

    Labels come from the field `label`, or else from the file beside it (`dev.jsonl` and
    `dev-labels.lst`), line by line. A record without `id` is named by its split and line.

    Raises:
        UnusableSourceError: the file is absent or of another form, or the labels file has another length.
    """
    labels = () if _has_own_labels(uri) else _labels_beside(uri)
    entries = json_lines(uri, needed=("goal", "sol1", "sol2"))
    yield from read_questions(entries, lambda entry: _question(entry, split, labels))


def _question(entry: Entry, split: str, labels: Sequence[str]) -> Question:
    fields = entry.fields
    beside = labels[entry.number - 1] if labels else None
    return multiple_choice(
        question_id=required_identifier(fields.get("id", f"{split}-{entry.number}"), "'id'"),
        question=fields.get("goal"),
        options=[fields.get("sol1"), fields.get("sol2")],
        labels=LABELS,
        key=fields.get("label", beside),
        key_name="'label' (or its line in the labels file beside the questions)",
    )


def _has_own_labels(uri: str) -> bool:
    with open_binary(uri) as handle:
        first_record = next((line for line in handle if line.strip()), b"")
    return b'"label"' in first_record


def _labels_beside(uri: str) -> list[str]:
    stem = file_name(uri).partition(".jsonl")[0]
    labels_uri = sibling(uri, f"{stem}-labels.lst")
    try:
        with open_binary(labels_uri) as handle:
            labels = [line.strip().decode("utf-8", "replace") for line in handle.read().rstrip().split(b"\n")]
    except UnusableSourceError as error:
        # The public test set has no labels file: its records are then rejected one by one, by name.
        if isinstance(error.__cause__, FileNotFoundError):
            return []
        raise
    with open_binary(uri) as handle:
        lines = handle.read().rstrip().count(b"\n") + 1
    if lines != len(labels):
        raise UnusableSourceError(
            labels_uri,
            "the whole file",
            f"{len(labels)} labels stand beside {lines} questions, so no label can be trusted",
            "take both files from the same download",
        )
    return labels
