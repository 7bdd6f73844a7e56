"""MMLU: one CSV file without header for each subject."""

from __future__ import annotations

import csv
from collections.abc import Iterator

from evidence_assets.sources.files import list_files, open_binary
from evidence_assets.sources.questions.reading import Entry, Reader, file_name, read_questions
from evidence_assets.sources.questions.validation import RecordRejectedError, multiple_choice
from evidence_assets.sources.records import Question, RejectedRecord, UnusableSourceError

MEDICAL_SUBJECTS = (
    "anatomy",
    "clinical_knowledge",
    "college_biology",
    "college_medicine",
    "medical_genetics",
    "professional_medicine",
)
# The ending of a subject's file, by the names that its split goes by.
SPLIT_ENDINGS = {"test": "_test", "dev": "_dev", "val": "_val", "validation": "_val"}
LABELS = ("A", "B", "C", "D")
COLUMNS = ("question", *LABELS, "answer")


def mmlu_reader(subjects: tuple[str, ...]) -> Reader:
    """Returns a reader of MMLU files: a path, glob or folder, of which it takes the given subjects.

    A row is question, options A to D, letter of the answer. The subject is the file's name without
    `_test`, `_dev` or `_val`; files with another split's ending are passed over, files without an ending
    belong to whichever split is read. The files give no ids: a question is named by its subject and row.

    The reader raises UnusableSourceError if no file is a wanted one, or one of them has no row of six cells.
    """

    def read(uri: str, split: str) -> Iterator[Question | RejectedRecord]:
        files = [(file, _subject(file, split)) for file in list_files(uri)]
        wanted = [(file, subject) for file, subject in files if subject in subjects]
        if not wanted:
            raise UnusableSourceError(
                uri,
                "the whole folder",
                f"no CSV file of the split '{split}' for any of the subjects {', '.join(subjects)}",
                f"name the folder that holds files such as {subjects[0]}{SPLIT_ENDINGS.get(split, '')}.csv",
            )
        entries = (row for file, subject in wanted for row in _rows(file, subject))
        yield from read_questions(entries, _question)

    return read


def _subject(file: str, split: str) -> str:
    """The subject, or empty where the file is no CSV file or belongs to another split."""
    stem, dot, _ = file_name(file).partition(".csv")
    if not dot:
        return ""
    for ending in SPLIT_ENDINGS.values():
        if stem.endswith(ending):
            return stem.removesuffix(ending) if ending == SPLIT_ENDINGS.get(split) else ""
    return stem


def _rows(file: str, subject: str) -> Iterator[Entry]:
    has_columns = False
    with open_binary(file) as handle:
        # Bad bytes survive as surrogates, so that the row they stand in is rejected and no other.
        lines = (line.decode("utf-8-sig", "surrogateescape") for line in handle)
        try:
            for number, cells in enumerate(csv.reader(lines), start=1):
                if not cells:
                    continue
                has_columns = has_columns or len(cells) == len(COLUMNS)
                place = f"{file_name(file)}, row {number}"
                yield Entry(number, place, {"subject": subject, "cells": cells})
        except csv.Error as error:
            raise UnusableSourceError(
                file, "the whole file", f"not CSV ({error})", "give the public CSV file"
            ) from error
    if not has_columns:
        raise UnusableSourceError(
            file, "the whole file", "no row has six cells", f"give rows of {', '.join(COLUMNS)}"
        )


def _question(entry: Entry) -> Question:
    cells, subject = entry.fields["cells"], str(entry.fields["subject"])
    if not isinstance(cells, list) or len(cells) != len(COLUMNS):
        raise RecordRejectedError("the row does not have six cells", f"write {', '.join(COLUMNS)}")
    question, *options, key = cells
    return multiple_choice(
        question_id=f"{subject}-{entry.number}",
        question=question,
        options=options,
        labels=LABELS,
        key=key,
        key_name="the last cell",
        subject=subject,
    )
