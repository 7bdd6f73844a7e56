"""Questions with labels, splits or names in side files: PIQA, PubMedQA, SimpleQuestions, STaRK."""

from __future__ import annotations

import json
from collections.abc import Mapping

from evidence_assets.sources.files import byte_lines, named_files, read_whole, text_lines
from evidence_assets.sources.graphs.stark_skb import node_keys, node_labels
from evidence_assets.sources.json_entries import json_members
from evidence_assets.sources.questions.formats import (
    Entries,
    Layout,
    csv_entries,
    json_entries,
    jsonl_entries,
    tsv_entries,
    with_fields,
)
from evidence_assets.sources.reading import Entry
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.uris import file_name, in_folder, sibling
from evidence_assets.sources.validation import RecordRejectedError, required_list, required_text

PUBMEDQA_TEST = "test_ground_truth.json"
NAMES = "names.tsv"
PEOPLE = "human_generated_eval"
SPLIT_FILE, NODES = "../../split/{split}.index", "../../processed"
_FREEBASE = "www.freebase.com/"


def piqa_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields PIQA's lines with their `label`, else with that of `dev-labels.lst` beside `dev.jsonl`."""
    first = next((line for _, line in byte_lines(uri) if line.strip()), b"")
    labels = [] if b'"label"' in first else _labels_beside(uri)
    # A label follows its line past one that cannot be used.
    yield from with_fields(
        jsonl_entries(uri, split, layout),
        lambda entry: {"label": labels[entry.number - 1]} if labels and "label" not in entry.fields else {},
    )


def _labels_beside(uri: str) -> list[str]:
    labels_uri = sibling(uri, f"{file_name(uri).partition('.jsonl')[0]}-labels.lst")
    try:
        written = read_whole(labels_uri).rstrip().split(b"\n")
        labels = [line.strip().decode("utf-8", "replace") for line in written]
    except UnusableSourceError as error:
        # The public test set has no labels file: its records are then rejected one by one, by name.
        if isinstance(error.__cause__, FileNotFoundError):
            return []
        raise
    lines = max((number for number, line in byte_lines(uri) if line.strip()), default=1)
    if lines != len(labels):
        raise UnusableSourceError(
            labels_uri,
            "the whole file",
            f"{len(labels)} labels stand beside {lines} questions, so no label can be trusted",
            "take both files from the same download",
        )
    return labels


def pubmedqa_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields PubMedQA's records: of the split `test` those that `test_ground_truth.json` beside lists."""
    require_split(uri, split, ("all", "test"))
    listed = None
    if split == "test":
        listed = {identifier for identifier, _ in json_members(sibling(uri, PUBMEDQA_TEST), "")}
    missing = set(listed or ())
    for entry in json_entries(uri, split, layout):
        identifier = "" if isinstance(entry, RejectedRecord) else str(entry.fields["_key"])
        if not identifier or listed is None or identifier in listed:
            missing.discard(identifier)
            yield entry
    for identifier in sorted(missing):
        reason = f"{PUBMEDQA_TEST} lists it, but the questions do not hold it"
        yield RejectedRecord(f"id {identifier}", reason, "take both files from the same download")


def simplequestions_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields SimpleQuestions' lines, `subject_name` and `answer` by `names.tsv` beside, where there is one.

    `www.freebase.com/m/04whkz5` is read as `m.04whkz5`. A question whose answer has no name is rejected.
    """
    names = _names(uri)

    def named(entry: Entry) -> Mapping[str, object]:
        subject, relation, answer = (
            _identifier(required_text(entry.fields[name], name)) for name in ("subject", "relation", "object")
        )
        if names is not None and answer not in names:
            raise RecordRejectedError(f"the answer {answer} has no name", f"give it a name in {NAMES}")
        ids = {"subject": subject, "relation": relation, "object": answer}
        entity_names = names or {}
        return {
            **ids,
            "subject_name": entity_names.get(subject, subject),
            "answer": entity_names.get(answer, answer),
        }

    yield from with_fields(tsv_entries(uri, split, layout), named)


def _identifier(text: str) -> str:
    return text.removeprefix(_FREEBASE).replace("/", ".") if text.startswith(_FREEBASE) else text


def _names(uri: str) -> Mapping[str, str] | None:
    beside = sibling(uri, NAMES)
    try:
        named_files(beside)
    except UnusableSourceError:
        return None
    lines = tsv_entries(beside, "", Layout(columns=("identifier", "name")))
    cells = [
        {name: str(cell).strip() for name, cell in line.fields.items()}
        for line in lines
        if not isinstance(line, RejectedRecord)
    ]
    return {_identifier(line["identifier"]): line["name"] for line in cells if line["name"]}


def stark_entries(uri: str, split: str, layout: Layout) -> Entries:
    """Yields STaRK's rows that belong to a split, with labels as `answer_ids`, identifiers as `answer_keys`.

    The split's question ids stand in `split/{train,val,test}.index` in the folder above, a number a line;
    the split `human_generated_eval` is all of its own file. `processed/`, in the folder above too, is the
    folder of the graph reader `stark_skb`.
    """
    labels, keys = node_labels(in_folder(uri, NODES)), node_keys(in_folder(uri, NODES))
    selected = None
    if split != PEOPLE and PEOPLE not in file_name(uri):
        lines = text_lines(in_folder(uri, SPLIT_FILE.format(split=split)))
        selected = {line[1].strip() for line in lines if not isinstance(line, RejectedRecord)}
    rows = (
        row
        for row in csv_entries(uri, split, layout)
        if selected is None or isinstance(row, RejectedRecord) or str(row.fields["id"]).strip() in selected
    )

    def named(row: Entry) -> dict[str, object]:
        numbers = _answer_numbers(row.fields["answer_ids"], labels)
        return {
            "answer_ids": [labels[number] for number in numbers],
            "answer_keys": [keys[number] for number in numbers],
        }

    yield from with_fields(rows, named)


def _answer_numbers(value: object, labels: Mapping[int, str]) -> list[int]:
    text = required_text(value, "'answer_ids'")
    remedy = "write it like [12, 34]"
    try:
        answers = required_list(json.loads(text), "'answer_ids'")
    except ValueError as error:
        raise RecordRejectedError(f"'answer_ids' is no list of numbers: {text!a:.60}", remedy) from error
    for answer in answers:
        if isinstance(answer, bool) or not isinstance(answer, int):
            raise RecordRejectedError(f"{answer!a:.60} in 'answer_ids' is no number", remedy)
        if answer not in labels:
            raise RecordRejectedError(
                f"the answer {answer} is no node with a name", "export node_info from the same version"
            )
    return [answer for answer in answers if isinstance(answer, int)]


def require_split(uri: str, split: str, splits: tuple[str, ...]) -> None:
    """Refuse a split that a benchmark has not.

    Raises:
        UnusableSourceError: it is not one of `splits`.
    """
    if split not in splits:
        remedy = f"use one of {', '.join(splits)}"
        raise UnusableSourceError(uri, "the whole file", f"there is no split '{split}'", remedy)
