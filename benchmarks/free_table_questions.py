"""Free questions over tables, answered by typed programs: WikiTableQuestions, by denotation.

    python -m benchmarks.free_table_questions --measure

measures anew how reliable each kind of program is, on development questions alone.

Needs the data set. Programs were written, and measured, on the tables whose path's SHA-256 is even; the
figures of the other half are the ones to quote. An answer is right if its values are the key's, as a set, in
normal form or as equal numbers. An abstention counts as wrong among all. Intervals are of 95 %, by a
bootstrap that draws tables.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.real_texts import real_data
from benchmarks.table_reliability import MEASURED
from benchmarks.table_verification import in_development, interval_over_tables
from evidence_assets.reading import reliability
from evidence_assets.reading.reliability import Outcome, keep_reliability
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.answering import (
    ANSWERED,
    QUESTIONS,
    TableAnswer,
    answer,
    rank_answers,
)
from evidence_assets.tables.table import Table
from evidence_assets.text.normal_forms import normal_form

# Confidence from which an answer is called sure, chosen on the development half.
SURE = 0.6
CURVE = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7)
MEASURED_ON = "WikiTableQuestions, 300 tables of its training set: those whose path's SHA-256 is even"


@dataclass(frozen=True)
class Answered:
    """A question with its key and its answer."""

    table: str
    question: str
    key: tuple[str, ...]
    answer: TableAnswer

    @property
    def right(self) -> bool:
        """Whether the answer is the key's."""
        return self.answer.accounts and same_denotation(self.answer.values, self.key)


def same_denotation(values: Sequence[str], key: Sequence[str]) -> bool:
    """Return whether two sets of values are equal, as numbers or in normal form."""
    return {_value(text) for text in values} == {_value(text) for text in key}


def _value(text: str) -> str | float:
    try:
        return float(text.replace(",", "").strip("$%€£ "))
    except ValueError:
        return normal_form(text)


def questions(*, development: bool) -> Iterator[tuple[Table, str, tuple[str, ...]]]:
    """Yield a half's questions with their tables and keys.

    Raises:
        FileNotFoundError: the data set is not there.
    """
    folder = real_data() / "tables" / "wikitablequestions"
    text = (folder / "data" / "training_300_tables.tsv").read_text(encoding="utf-8")
    tables: dict[str, Table] = {}
    for line in text.splitlines()[1:]:
        _, question, name, key = line.split("\t")
        if in_development(name) is not development:
            continue
        if name not in tables:
            with (folder / name).open(encoding="utf-8", newline="") as lines:
                rows = list(csv.reader(lines, doublequote=False, escapechar="\\"))
            tables[name] = make_table(name, "", rows[:1], rows[1:])
        yield tables[name], question, tuple(part.strip() for part in key.split("|"))


def figures(*, development: bool) -> dict[str, Any]:
    """Return a half's accuracy of all, and of answers by confidence and kind."""
    answered, spent = [], []
    for table, question, key in questions(development=development):
        started = time.perf_counter()
        table_answer = answer(question, table)
        spent.append(1000 * (time.perf_counter() - started))
        answered.append(Answered(table.table_id, question, key, table_answer))
    kinds = Counter(each.answer.kind for each in answered if each.answer.accounts)
    right = Counter(each.answer.kind for each in answered if each.right)
    return {
        "questions": len(answered),
        "tables": len({each.table for each in answered}),
        "all": interval_over_tables([each.table for each in answered], [each.right for each in answered]),
        "sure": _above(answered, SURE),
        "curve": [{"confidence": least, **_above(answered, least)} for least in CURVE],
        "kinds": {kind: {"n": n, "accuracy": round(right[kind] / n, 3)} for kind, n in kinds.most_common()},
        "median_milliseconds": round(float(np.median(spent)), 2),
    }


def _above(answered: Sequence[Answered], least: float) -> dict[str, Any]:
    kept = [each for each in answered if each.answer.accounts and each.answer.confidence >= least]
    if not kept:
        return {"coverage": 0.0}
    return {
        "coverage": round(len(kept) / len(answered), 3),
        **interval_over_tables([each.table for each in kept], [each.right for each in kept]),
    }


def run() -> dict[str, Any]:
    """Return the figures of both halves.

    Raises:
        FileNotFoundError: the data set is not there.
    """
    return {"held_out": figures(development=False), "development": figures(development=True), "sure": SURE}


def measure() -> None:
    """Measure how often each kind of program was right, on the development half."""
    outcomes = [
        Outcome(
            ranked_answer.kind, ANSWERED, str(ranked_answer.left), same_denotation(ranked_answer.values, key)
        )
        for table, question, key in questions(development=True)
        for ranked_answer in rank_answers(question, table)
        if ranked_answer.values
    ]
    path = MEASURED / f"reliability_{QUESTIONS}.json"
    keep_reliability(path, reliability.measure(outcomes), MEASURED_ON)
    reliability.reliability.cache_clear()


def main() -> int:
    """Measure anew, or print the development half's figures, or those of both."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="measure on development questions and keep it")
    parser.add_argument(
        "--development", action="store_true", help="print the development half's figures alone"
    )
    chosen = parser.parse_args()
    if chosen.measure:
        measure()
    else:
        print(json.dumps(figures(development=True) if chosen.development else run(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
