"""WikiTableQuestions: questions over Wikipedia tables, answered by a value or several."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from evidence_assets.sources.questions.reading import Entry, in_folder, read_questions
from evidence_assets.sources.questions.table_questions import about, tab_separated, table_file
from evidence_assets.sources.questions.validation import open_question, required_text
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord
from evidence_assets.sources.tables.delimited import csv_rows

COLUMNS = ("id", "utterance", "context", "targetValue")
_ESCAPE = re.compile(r"\\([np\\])")
_ESCAPED_ANY = re.compile(r"\\([\s\S])")
_ESCAPED = {"n": "\n", "p": "|", "\\": "\\"}


def read_wikitablequestions(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
    """Yields the questions of a TSV file such as `data/training.tsv`, each with its table.

    `context` names the table's CSV file from the folder above that of the questions, as the release is
    packed. A question that asks for several values has one accepted answer, the values split by `|`.

    Raises:
        UnusableSourceError: the file is absent, or its first line lacks a column.
    """
    root = in_folder(uri, "../..")

    @lru_cache(maxsize=512)
    def table(name: str) -> TableRecord:
        return table_file(in_folder(root, name), name, "", table_rows)

    def build(entry: Entry) -> Question:
        fields = entry.fields
        # The escapes are undone last, so that a bar inside a value is not taken for one between values.
        values = str(fields["targetValue"]).split("|")
        question = open_question(
            question_id=required_text(fields["id"], "'id'"),
            question=_plain(str(fields["utterance"])),
            answers=["|".join(_plain(value).strip() for value in values)],
            answers_name="'targetValue'",
        )
        return about(question, table(required_text(fields["context"], "'context'")))

    yield from read_questions(tab_separated(uri, COLUMNS, identifier="id"), build)


def table_rows(text: str) -> list[list[str]]:
    """The rows of a table of the release: quoted CSV, quotes inside a cell behind a backslash."""
    # A break of a cell's line is written as an n behind a backslash, which the reader would take for an n.
    broken = _ESCAPED_ANY.sub(lambda found: "\n" if found[1] == "n" else found[0], text)
    return csv_rows(broken, doublequote=False, escapechar="\\", strict=True)


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda found: _ESCAPED[found[1]], text)
