"""Free questions over tables, answered by typed programs, by denotation: WikiTableQuestions, authored ones.

    python -m benchmarks free_table_questions

Needs the data set. Programs were written, and weights fitted, on the tables whose path's SHA-256 is even; the
figures of the other half are the ones to quote, and development tables are answered by weights fitted on the
other folds of them. An answer is right if its values are the key's, as a set, in normal form or as equal
numbers. An abstention counts as wrong among all. The cheap baseline always answers: with a cell of the row
that shares most words with the question, in the column whose name does. Intervals are of 95 %, by a bootstrap
that draws tables.

The authored questions (`benchmarks/authored/table_questions`) are worded plainly, and some ask what the table
does not tell: there an abstention alone is right.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.tables.fit_table_ranking import question_weights
from benchmarks.tables.table_sets import (
    KeyedQuestion,
    authored_questions,
    fold_of,
    questions,
    same_denotation,
)
from benchmarks.tables.table_verification import interval_over_tables
from evidence_assets.tables.programs import row_coverage
from evidence_assets.tables.programs.questions.answering import TableAnswer, Weights, answer
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table

# Confidence from which an answer is called sure, chosen on the development half.
SURE = 0.6
CURVE = (0.3, 0.4, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Answered:
    """A question with its key, its answer and the baseline's."""

    table: str
    question: str
    key: tuple[str, ...]
    answer: TableAnswer
    cell: str

    @property
    def right(self) -> bool:
        """Whether the answer is the key's; where there is no key, whether none is given."""
        if not self.key:
            return not self.answer.decides
        return self.answer.decides and same_denotation(self.answer.values, self.key)


def figures(*, development: bool, weights: Sequence[Weights]) -> dict[str, Any]:
    """Return a half's accuracy of all, and of answers by confidence and kind."""
    answered, spent = _answered(questions(development=development), weights)
    kinds = Counter(outcome.answer.kind for outcome in answered if outcome.answer.decides)
    right = Counter(outcome.answer.kind for outcome in answered if outcome.right)
    return {
        **_of_all(answered),
        "sure": _above(answered, SURE),
        "curve": [{"confidence": least, **_above(answered, least)} for least in CURVE],
        "kinds": {kind: {"n": n, "accuracy": round(right[kind] / n, 3)} for kind, n in kinds.most_common()},
        "median_milliseconds": round(float(np.median(spent)), 2),
    }


def authored_figures(*, development: bool, weights: Sequence[Weights]) -> dict[str, Any]:
    """Return how many authored questions are answered, and abstained on, rightly, by kind too."""
    authored = list(authored_questions(development=development))
    answered, _ = _answered(
        ((table, question.text, question.answers) for table, question in authored), weights
    )
    by_kind: dict[str, list[bool]] = {}
    for (_, question), outcome in zip(authored, answered, strict=True):
        by_kind.setdefault(question.kind, []).append(outcome.right)
    absent = [outcome for outcome in answered if not outcome.key]
    return {
        **_of_all(answered),
        "given": _above(answered, 0.0),
        "absent": {"questions": len(absent), **_accuracy(absent)},
        "kinds": {
            kind: {"n": len(right), "accuracy": round(sum(right) / len(right), 3)}
            for kind, right in sorted(by_kind.items())
        },
    }


def _of_all(answered: Sequence[Answered]) -> dict[str, Any]:
    """Return how many questions and tables there are, and the accuracy of answers and of the baseline."""
    tables = [outcome.table for outcome in answered]
    return {
        "questions": len(answered),
        "tables": len(set(tables)),
        "all": _accuracy(answered),
        "cell_of_the_nearest_row": interval_over_tables(
            tables, [same_denotation([outcome.cell], outcome.key) for outcome in answered]
        ),
    }


def _answered(
    keyed: Iterable[KeyedQuestion], weights: Sequence[Weights]
) -> tuple[list[Answered], list[float]]:
    """Return answers with their keys, and the milliseconds of each. `weights`: by fold, or the kept ones."""
    answered, spent = [], []
    for table, question, key in keyed:
        of_other_folds = weights[fold_of(table.table_id)] if weights else None
        started = time.perf_counter()
        table_answer = answer(question, table, of_other_folds)
        spent.append(1000 * (time.perf_counter() - started))
        cell = cell_of_the_nearest_row(question, table)
        answered.append(Answered(table.table_id, question, key, table_answer, cell))
    return answered, spent


def _accuracy(answered: Sequence[Answered]) -> dict[str, Any]:
    tables, right = [outcome.table for outcome in answered], [outcome.right for outcome in answered]
    return interval_over_tables(tables, right)


def cell_of_the_nearest_row(question: str, table: Table) -> str:
    """Return a cell of the row that shares most words with a question, the baseline's answer.

    Of its cells that say something, and not only what the question says already, the one whose column's name
    shares most words with the question. The first of equal rows and columns.
    """
    _, place = row_coverage(question, table)
    if not table.rows:
        return ""
    question_words = _words(question)
    row = table.rows[max(place, 0)]
    columns = [column for column, cell in enumerate(row) if not _words(cell.text) <= question_words]
    best = max(columns, key=lambda column: len(question_words & _words(table.header[column])), default=0)
    return row[best].text


def _words(text: str) -> set[str]:
    return {token.key for token in tokens(text) if not token.stop and not token.mark}


def _above(answered: Sequence[Answered], least: float) -> dict[str, Any]:
    kept = [outcome for outcome in answered if outcome.answer.decides and outcome.answer.confidence >= least]
    if not kept:
        return {"coverage": 0.0}
    return {
        "coverage": round(len(kept) / len(answered), 3),
        **_accuracy(kept),
    }


def run() -> dict[str, Any]:
    """Return the figures of both halves, and of authored questions over unseen and development tables."""
    of_folds = question_weights()
    return {
        "held_out": figures(development=False, weights=()),
        "development": figures(development=True, weights=of_folds),
        "authored_held_out": authored_figures(development=False, weights=()),
        "authored_development": authored_figures(development=True, weights=of_folds),
        "sure": SURE,
    }


def _development() -> dict[str, Any]:
    weights = question_weights()
    return {
        "development": figures(development=True, weights=weights),
        "authored_development": authored_figures(development=True, weights=weights),
    }


def main() -> int:
    """Print the development half's figures, or those of both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--development", action="store_true", help="print the development half's figures alone"
    )
    chosen = parser.parse_args()
    print(json.dumps(_development() if chosen.development else run(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
