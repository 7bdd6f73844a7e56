"""The pages that list an experiment's answers, to be filtered and searched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evidence_assets.audit.pages.answer_page import name_of
from evidence_assets.audit.pages.drawing import Curve, reliability_plot, risk_coverage_plot
from evidence_assets.audit.pages.experiment import ABSTAINED, NO_KEY, RIGHT, WRONG, AnswerRows, ExperimentRows
from evidence_assets.audit.pages.rendering import INDEX, LARGEST, page
from evidence_assets.evaluation.selective import Answered, reliability_bins, risk_coverage

SURE_AND_WRONG = "sure and wrong"
# The lists of an experiment that is too large for one: their file names, and what stands in each.
_LISTS = {"index": "all", RIGHT: RIGHT, WRONG: WRONG, ABSTAINED: ABSTAINED, "sure-and-wrong": SURE_AND_WRONG}
_MOST_ROWS = 400
_HEADLINES = ("accuracy", "hits@1", "answer_mrr", "answer_f1", "selective_accuracy", "calibration_error")


@dataclass(frozen=True, slots=True)
class Line:
    """One answer in the list."""

    page: str
    question_id: str
    question: str
    verdict: str
    sure_and_wrong: bool
    predicted: str | None
    key: str | None
    confidence: float | None
    unaccounted: int
    moved: bool


def index_pages(experiment: ExperimentRows) -> Iterator[tuple[str, bytes]]:
    """Yield an experiment's index, last; before it the further lists of one that is too large for a page."""
    lines = [_line(experiment, answer) for answer in experiment.answers]
    if len(lines) <= _MOST_ROWS and len(content := _page(experiment, lines, lines, {}, INDEX)) <= LARGEST:
        yield INDEX, content
        return
    rows = _MOST_ROWS
    while True:
        pages = list(_lists(experiment, lines, rows))
        if rows == 1 or max(len(content) for _, content in pages) <= LARGEST:
            yield from pages
            return
        rows //= 2


def _lists(experiment: ExperimentRows, lines: Sequence[Line], rows: int) -> Iterator[tuple[str, bytes]]:
    """Yield every list, page by page, the first page of all answers last."""
    lines_by_stem = {
        stem: [
            line
            for line in lines
            if shown in ("all", line.verdict) or (shown == SURE_AND_WRONG and line.sure_and_wrong)
        ]
        for stem, shown in _LISTS.items()
    }
    lists = {
        _LISTS[stem]: (f"{stem}.html", len(listed))
        for stem, listed in lines_by_stem.items()
        if listed or stem == "index"
    }
    first_page = None
    for stem, listed in lines_by_stem.items():
        parts = [listed[start : start + rows] for start in range(0, len(listed), rows)] or [[]]
        names = [f"{stem}.html", *(f"{stem}-{number}.html" for number in range(2, len(parts) + 1))]
        for number, (name, part) in enumerate(zip(names, parts, strict=True), start=1):
            more = {"lists": lists, "list": _LISTS[stem], "names": names, "number": number, "of": len(listed)}
            content = _page(experiment, lines, part, more, name)
            if name == INDEX:
                first_page = (name, content)
            elif listed:
                yield name, content
    if first_page is not None:
        yield first_page


def _page(
    experiment: ExperimentRows,
    lines: Sequence[Line],
    shown: Sequence[Line],
    more: Mapping[str, Any],
    name: str,
) -> bytes:
    counts = Counter(line.verdict for line in lines)
    counts[SURE_AND_WRONG] = sum(line.sure_and_wrong for line in lines)
    first = name == INDEX
    return page(
        "experiment",
        experiment=experiment,
        lines=shown,
        total=len(lines),
        counts=counts,
        verdicts=(RIGHT, WRONG, ABSTAINED, NO_KEY),
        sure_and_wrong=SURE_AND_WRONG,
        more=more,
        scores=[experiment.scores[metric] for metric in _HEADLINES if metric in experiment.scores],
        by_version=_by_version(experiment),
        changed_keys=sum(answer.key_changed for answer in experiment.answers),
        plots=_plots(experiment) if first else [],
        first=first,
        index=INDEX,
        name=name,
    )


def _line(experiment: ExperimentRows, answer: AnswerRows) -> Line:
    prediction, question = answer.prediction, answer.question
    return Line(
        name_of(answer),
        prediction["question_id"],
        question["question"] if question else "(the question is gone)",
        answer.verdict,
        experiment.sure_and_wrong(answer),
        prediction["predicted"],
        prediction["gold"],
        None if prediction["abstained"] else prediction["confidence"],
        len(prediction["unaccounted"] or ()),
        answer.key_changed,
    )


def _by_version(experiment: ExperimentRows) -> list[tuple[str, int, int, int]]:
    """Return each code version's answers, those with a key, and those right; nothing where there is one."""
    if len(experiment.code_versions) < 2:
        return []
    rows = []
    for version, count in experiment.code_versions.items():
        answers = [answer for answer in experiment.answers if answer.prediction["code_version"] == version]
        keyed = [answer for answer in answers if answer.verdict != NO_KEY]
        rows.append((version, count, len(keyed), sum(answer.verdict == RIGHT for answer in keyed)))
    return rows


def _plots(experiment: ExperimentRows) -> list[Any]:
    """Return risk over coverage, and reliability; nothing where no answer tells its confidence.

    Answers of several code versions are no one experiment: nothing is drawn over them.
    """
    keyed = [answer for answer in experiment.answers if answer.verdict != NO_KEY]
    sure = [
        answer
        for answer in keyed
        if answer.prediction["confidence"] is not None and not answer.prediction["abstained"]
    ]
    if not sure or len(experiment.code_versions) > 1:
        return []
    answered = Answered(
        np.array([answer.prediction["confidence"] for answer in sure], dtype=np.float64),
        np.array([answer.verdict == RIGHT for answer in sure], dtype=np.float64),
        len(keyed),
    )
    coverage, risk = risk_coverage(answered)
    confidence, accuracy, sizes = reliability_bins(answered)
    name = experiment.name
    return [
        risk_coverage_plot([Curve(name, coverage, risk)], f"Risk over coverage of {name}"),
        reliability_plot(
            [Curve(name, confidence, accuracy, sizes.astype(np.float64))],
            f"Accuracy over confidence of {name}",
        ),
    ]
