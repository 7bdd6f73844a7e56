"""Judgements of harvested triples by people or models: one file a judge."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import nan
from pathlib import Path

from evidence_assets.extraction.quality import cohens_kappa, judged_precision
from evidence_assets.sources.allowed_places import INSTEAD, why_not_opened
from evidence_assets.text.normal_forms import normal_form

COLUMNS = ("relation", "head", "tail", "correct")
_ANSWERS = {"1": True, "0": False, "true": True, "false": False, "yes": True, "no": False}

Key = tuple[str, str, str]
Labels = Mapping[Key, bool]


class JudgementError(Exception):
    """A file of judgements cannot be used: the message names file, row and remedy."""


def read_judgements(folder: Path) -> dict[str, Labels]:
    """Return each judge's labels, by the file's name: `<judge>.tsv`, columns relation, head, tail, correct.

    Raises:
        JudgementError: there is no such folder, a file may not be read, a column is missing, an answer is
            none, or two rows of one judge contradict each other.
    """
    if not folder.is_dir():
        raise JudgementError(f"{folder}: no such folder; remedy: create it, or leave harvest.judgements out")
    return {path.stem: _read(path) for path in sorted(folder.glob("*.tsv"))}


def _read(path: Path) -> Labels:
    if reason := why_not_opened(str(path)):
        raise JudgementError(f"{path}: {reason}; remedy: {INSTEAD}")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise JudgementError(f"{path}: not UTF-8 at byte {error.start}; remedy: save it as UTF-8") from error
    rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    try:
        names, listed = rows.fieldnames or [], list(rows)
    except csv.Error as error:
        raise JudgementError(f"{path}, behind line {rows.line_num}: {error}; remedy: correct it") from error
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise JudgementError(
            f"{path}: no column {', '.join(missing)}; remedy: begin with the columns {', '.join(COLUMNS)}"
        )
    labels: dict[Key, bool] = {}
    for number, row in enumerate(listed, start=2):
        answer = (row["correct"] or "").strip().lower()
        if answer not in _ANSWERS:
            raise JudgementError(
                f"{path}, line {number}, correct: {answer!r:.40} is no answer; remedy: write 1 or 0"
            )
        key = key_of(row["relation"] or "", row["head"] or "", row["tail"] or "")
        if labels.setdefault(key, _ANSWERS[answer]) != _ANSWERS[answer]:
            raise JudgementError(
                f"{path}, line {number}: contradicts an earlier line; remedy: keep one of them"
            )
    return labels


def key_of(relation: str, head: str, tail: str) -> Key:
    """Return the key of a judged triple."""
    return relation, normal_form(head), normal_form(tail)


def judged(
    judges: Mapping[str, Labels], keys: Iterable[Key]
) -> Iterator[tuple[str, float, float, float, int]]:
    """Yield (metric, value, low, high, n): each judge's precision and noise, each two judges' kappa.

    Only triples that were judged count. Noise is what is judged wrong; kappa's bounds are not a number.
    """
    distinct = list(dict.fromkeys(keys))
    for name, labels in judges.items():
        judged_labels = [labels[key] for key in distinct if key in labels]
        if judged_labels:
            for metric, share in zip(("precision", "noisy"), judged_precision(judged_labels), strict=True):
                yield f"judged_{metric}:{name}", share.value, share.low, share.high, share.n
    for first, second in combinations(judges, 2):
        both = [key for key in distinct if key in judges[first] and key in judges[second]]
        if both:
            kappa = cohens_kappa(*([judges[judge][key] for key in both] for judge in (first, second)))
            yield f"cohens_kappa:{first}:{second}", kappa, nan, nan, len(both)
