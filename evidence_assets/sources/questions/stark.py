"""STaRK: questions over semi-structured knowledge bases, answered by their nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from evidence_assets.sources.files import open_binary, text_lines
from evidence_assets.sources.graphs.stark_skb import node_labels
from evidence_assets.sources.questions.reading import (
    Entry,
    file_name,
    in_folder,
    named_place,
    read_questions,
)
from evidence_assets.sources.questions.table_questions import check_names
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    open_question,
    required_identifier,
    required_list,
    required_text,
)
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError
from evidence_assets.sources.tables.delimited import BrokenRowError, csv_rows
from evidence_assets.sources.tables.reading import decoded

COLUMNS = ("id", "query", "answer_ids")
PEOPLE = "human_generated_eval"
SPLIT_FILE, NODES = "../../split/{split}.index", "../../processed"


def read_stark(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of `stark_qa/stark_qa.csv` (id, query, answer_ids) that belong to a split.

    The split's question ids stand in `split/{train,val,test}.index` in the folder above, a number a line;
    the split `human_generated_eval` is all of its own file. `processed/`, in the folder above too, is the
    folder of the graph reader `stark_skb`: answers are the labels of its nodes.

    Raises:
        UnusableSourceError: a file is absent, is not UTF-8 or no CSV, or lacks a column.
    """
    labels = node_labels(in_folder(uri, NODES))
    own = split == PEOPLE or PEOPLE in file_name(uri)
    wanted = None if own else _split(in_folder(uri, SPLIT_FILE.format(split=split)))

    def build(entry: Entry) -> Question:
        identifier = required_identifier(entry.fields["id"], "'id'")
        return open_question(
            question_id=identifier,
            question=entry.fields["query"],
            answers=[_label(answer, labels) for answer in _answer_ids(entry.fields["answer_ids"])],
            answers_name="'answer_ids'",
        )

    entries = (
        entry
        for entry in _entries(uri)
        if wanted is None or isinstance(entry, RejectedRecord) or str(entry.fields["id"]).strip() in wanted
    )
    yield from read_questions(entries, build)


def _entries(uri: str) -> Iterator[Entry | RejectedRecord]:
    with open_binary(uri) as stream:
        content = stream.read()
    try:
        rows = csv_rows(decoded(content), strict=True)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnusableSourceError(uri, f"line {line}", "not UTF-8", "save the file as UTF-8") from error
    except BrokenRowError as error:
        raise UnusableSourceError(
            uri, f"after row {error.row}", f"not CSV ({error})", "fetch the file again"
        ) from error
    names = [name.strip() for name in rows[0]] if rows else []
    check_names(uri, names, COLUMNS)
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            reason = f"{len(row)} columns where {len(names)} are expected"
            yield RejectedRecord(f"row {number}", reason, "correct the row: the first one names the columns")
            continue
        fields: Mapping[str, object] = dict(zip(names, row, strict=True))
        yield Entry(number, named_place(f"row {number}", fields["id"]), fields)


def _split(uri: str) -> frozenset[str]:
    return frozenset(
        line[1].strip()
        for line in text_lines(uri)
        if not isinstance(line, RejectedRecord) and line[1].strip()
    )


def _answer_ids(value: object) -> list[object]:
    text = required_text(value, "'answer_ids'")
    try:
        return required_list(json.loads(text), "'answer_ids'")
    except ValueError as error:
        raise RecordRejectedError(
            f"'answer_ids' is no list of numbers: {text!a:.60}", "write it like [12, 34]"
        ) from error


def _label(answer: object, labels: Mapping[int, str]) -> str:
    if isinstance(answer, bool) or not isinstance(answer, int):
        raise RecordRejectedError(f"{answer!a:.60} in 'answer_ids' is no number", "write it like [12, 34]")
    if answer not in labels:
        raise RecordRejectedError(
            f"the answer {answer} is no node with a name", "export node_info from the same version"
        )
    return labels[answer]
