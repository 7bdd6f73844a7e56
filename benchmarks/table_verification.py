"""Claims checked against tables by typed programs: TabFact's small test and SciTab, beside baselines.

Needs the data sets. The rules were made, and the reliability of their kinds measured, on the TabFact tables
whose file name hashes to an even number; the figures of the other half are the ones to quote. A statement
that no program decides counts as false, a claim of SciTab as the commoner label of the half of its tables on
which the threshold for NEI is chosen. Intervals are of 95 %, by a bootstrap that draws tables.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.real_texts import real_data
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import Verdict, row_coverage, verify
from evidence_assets.tables.programs.reliability import grade
from evidence_assets.tables.programs.words import STOP_WORDS, tokens
from evidence_assets.tables.table import Table

# Confidence from which a verdict is called sure, chosen by cross-validation on the half with even hashes.
SURE = 0.80
CURVE = (0.0, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
DRAWS, SEED, FOLDS = 2_000, 2026, 5
THRESHOLDS = tuple(step / 20 for step in range(4, 21))


@dataclass(frozen=True)
class Judged:
    """A statement with what was found of it.

    `truth`: its label, None for not enough information. `in_one_row`: whether one row holds all of its words
    that stand in any.
    """

    table: str
    statement: str
    truth: bool | None
    verdict: Verdict
    in_one_row: bool

    @property
    def answer(self) -> bool:
        """Whether the statement counts as true: not where it is undecided."""
        return bool(self.verdict.supported)


def run() -> dict[str, Any]:
    """Return the figures of TabFact's halves and whole, and of SciTab.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    folder = real_data() / "tables"
    judged, milliseconds = _judge(tabfact(folder / "tabfact_small"))
    held_out = [one for one in judged if not in_development(one.table)]
    result = {
        "tabfact_held_out": tabfact_figures(held_out),
        "tabfact_development": tabfact_figures([one for one in judged if in_development(one.table)]),
        "tabfact_all": tabfact_figures(judged),
        "milliseconds_a_statement": milliseconds,
        "sure": SURE,
        "scitab": scitab_figures(_judge(scitab(folder / "sci_tab.json"))[0]),
        "bound": {"milliseconds_a_statement": 5.0},
    }
    return {**result, "within_bound": milliseconds["mean"] <= 5.0}


def in_development(name: str) -> bool:
    """Return whether rules may be made on a table: the hash of its name is even."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


Claims = list[tuple[Table, str, bool | None]]


def tabfact(folder: Path) -> Claims:
    """Return the small test's statements with their tables."""
    examples = json.loads((folder / "test_examples.json").read_text(encoding="utf-8"))
    made: Claims = []
    for name in sorted(json.loads((folder / "small_test_id.json").read_text(encoding="utf-8"))):
        rows = [line.split("#") for line in (folder / "csv" / name).read_text(encoding="utf-8").splitlines()]
        statements, labels, caption = examples[name]
        table = make_table(name, caption, rows[:1], rows[1:])
        made += [(table, said, bool(label)) for said, label in zip(statements, labels, strict=True)]
    return made


def scitab(file: Path) -> Claims:
    """Return SciTab's claims with their tables."""
    labels = {"supports": True, "refutes": False, "not enough info": None}
    made: Claims = []
    tables: dict[str, Table] = {}
    for one in json.loads(file.read_text(encoding="utf-8")):
        name = one["table_id"]
        if name not in tables:
            header = [one["table_column_names"]]
            tables[name] = make_table(name, one["table_caption"], header, one["table_content_values"])
        made.append((tables[name], one["claim"], labels[one["label"]]))
    return made


def _judge(claims: Claims) -> tuple[list[Judged], dict[str, float]]:
    verify("a", claims[0][0])
    judged, spent = [], []
    for table, said, truth in claims:
        started = time.perf_counter()
        verdict = verify(said, table)
        spent.append(1000 * (time.perf_counter() - started))
        judged.append(Judged(table.table_id, said, truth, verdict, _in_one_row(said, table)))
    return judged, {
        "mean": round(float(np.mean(spent)), 2),
        "median": round(float(np.median(spent)), 2),
        "99th_percentile": round(float(np.percentile(spent, 99)), 2),
    }


def _in_one_row(said: str, table: Table) -> bool:
    cells = {token.key for row in table.rows for cell in row for token in tokens(cell.text)}
    known = [token.text for token in tokens(said) if token.key in cells and not token.stop]
    return row_coverage(" ".join(known), table)[0] == 1


def tabfact_figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return accuracies beside baselines, by kind of program and by confidence."""
    decided = [one for one in judged if one.verdict.supported is not None]
    return {
        "statements": len(judged),
        "tables": len({one.table for one in judged}),
        "accuracy": _accuracy(judged, lambda one: one.answer == one.truth),
        "decided": {
            "coverage": round(len(decided) / len(judged), 3),
            **_accuracy(decided, lambda one: one.verdict.supported == one.truth),
        },
        "sure": _above(judged, SURE),
        "coverage_curve": [{"confidence": least, **_above(judged, least)} for least in CURVE],
        "said_true": _accuracy([one for one in judged if one.answer], lambda one: bool(one.truth)),
        "said_false": _accuracy([one for one in judged if not one.answer], lambda one: not one.truth),
        "kinds": _kinds(judged),
        "calibration_error": _calibration_error(decided),
        "baselines": {
            "majority": _majority(judged),
            "row_holds_all_words": _accuracy(judged, lambda one: one.in_one_row == one.truth),
            "claim_only": claim_only(judged),
        },
    }


def _above(judged: Sequence[Judged], least: float) -> dict[str, Any]:
    kept = [one for one in judged if one.verdict.supported is not None and one.verdict.confidence >= least]
    if not kept:
        return {"coverage": 0.0}
    return {
        "coverage": round(len(kept) / len(judged), 3),
        **_accuracy(kept, lambda one: one.verdict.supported == one.truth),
    }


def _kinds(judged: Sequence[Judged]) -> dict[str, Any]:
    by_kind: dict[str, list[bool]] = {}
    for one in judged:
        by_kind.setdefault(one.verdict.kind, []).append(one.answer == one.truth)
    ordered = sorted(by_kind.items(), key=lambda item: -len(item[1]))
    return {kind: {"n": len(right), "accuracy": round(float(np.mean(right)), 3)} for kind, right in ordered}


def _calibration_error(decided: Sequence[Judged]) -> float:
    """Return how far confidence is from accuracy, over ten equal shares of the statements."""
    ordered = sorted(decided, key=lambda one: one.verdict.confidence)
    parts = np.array_split(np.arange(len(ordered)), 10)
    gaps = [
        len(part)
        * abs(
            np.mean([ordered[at].verdict.confidence for at in part])
            - np.mean([ordered[at].verdict.supported == ordered[at].truth for at in part])
        )
        for part in parts
        if len(part)
    ]
    return round(float(sum(gaps)) / max(1, len(ordered)), 3)


def _accuracy(judged: Sequence[Judged], is_right: Callable[[Judged], bool]) -> dict[str, Any]:
    """Return the share that is right, and its interval by a bootstrap over tables."""
    if not judged:
        return {"accuracy": None, "interval": None}
    return _interval([one.table for one in judged], [is_right(one) for one in judged])


def _interval(names: Sequence[str], right: Sequence[bool]) -> dict[str, Any]:
    places = {name: at for at, name in enumerate(sorted(set(names)))}
    sizes, hits = np.zeros(len(places)), np.zeros(len(places))
    for name, value in zip(names, right, strict=True):
        sizes[places[name]] += 1
        hits[places[name]] += value
    draws = np.random.default_rng(SEED).integers(len(places), size=(DRAWS, len(places)))
    shares = hits[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.percentile(shares, [2.5, 97.5])
    return {
        "accuracy": round(float(np.mean(right)), 3),
        "interval": [round(float(low), 3), round(float(high), 3)],
    }


def claim_only(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the accuracy of a classifier that sees a claim's function words and bigrams, never its table."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline

    vectorizer = CountVectorizer(analyzer=_function_words, min_df=2, binary=True)
    model = make_pipeline(vectorizer, LogisticRegression(C=0.3, max_iter=2_000))
    names = [one.table for one in judged]
    labels = np.array([str(one.truth) for one in judged])
    said = [one.statement for one in judged]
    found = cross_val_predict(model, said, labels, groups=names, cv=GroupKFold(FOLDS))
    return {**_interval(names, list(found == labels)), "macro_f1": _macro_f1(labels, found)}


def _function_words(said: str) -> list[str]:
    """Return a claim's words with those of content, and numbers, made one, and the pairs of neighbours."""
    kept = [
        token.text if token.stop else "#" if token.number is not None else _ending(token.text)
        for token in tokens(said)
    ]
    return [*kept, *(" ".join(pair) for pair in pairwise(kept))]


def _ending(word: str) -> str:
    """Return a comparative or superlative as it is, any other word of content as a blank."""
    return word if word.endswith(("er", "est", "ly", "ing", "ed")) or word in STOP_WORDS else "_"


def _macro_f1(truth: np.ndarray[Any, Any], found: np.ndarray[Any, Any]) -> float:
    from sklearn.metrics import f1_score

    return round(float(f1_score(truth, found, average="macro")), 3)


def scitab_figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return three-label and two-label figures, the threshold for NEI chosen on half of the tables."""
    first = [one for one in judged if in_development(one.table)]
    second = [one for one in judged if not in_development(one.table)]
    default = bool(np.mean([one.truth for one in first if one.truth is not None]) >= 0.5)
    threshold = max(
        THRESHOLDS, key=lambda least: np.mean([_three(one, least, default) == one.truth for one in first])
    )
    truth = np.array([str(one.truth) for one in second])
    found = np.array([str(_three(one, threshold, default)) for one in second])
    told = [one for one in second if one.truth is not None]
    return {
        "claims": len(judged),
        "tables": len({one.table for one in judged}),
        "undecided_count_as": default,
        "three_labels": {
            "claims": len(second),
            "nei_below_coverage": threshold,
            **_accuracy(second, lambda one: _three(one, threshold, default) == one.truth),
            "macro_f1": _macro_f1(truth, found),
            "majority": _majority(second),
            "claim_only": claim_only(second),
        },
        "two_labels": {
            "claims": len(told),
            **_accuracy(told, lambda one: _two(one, default) == one.truth),
            "decided": _above(told, 0.0),
            "sure": _above(told, SURE),
            "majority": _majority(told),
            "claim_only": claim_only(told),
            "kinds": _kinds([one for one in told if one.verdict.supported is not None]),
        },
    }


def _two(one: Judged, default: bool) -> bool:
    return default if one.verdict.supported is None else one.verdict.supported


def _three(one: Judged, least: float, default: bool) -> bool | None:
    return None if one.verdict.coverage < least else _two(one, default)


def _majority(judged: Sequence[Judged]) -> float:
    return round(Counter(one.truth for one in judged).most_common(1)[0][1] / len(judged), 3)


def measure_reliability(judged: Sequence[Judged]) -> dict[tuple[str, bool], list[list[int]]]:
    """Return the counts that `reliability.MEASURED` holds: of each kind and verdict, by grade of coverage.

    Of each grade: how many statements, and how many of them were right.
    """
    found: dict[tuple[str, bool], list[list[int]]] = {}
    for one in judged:
        supported = one.verdict.supported
        if supported is not None:
            counts = found.setdefault((one.verdict.kind, supported), [[0, 0], [0, 0], [0, 0]])
            at = counts[grade(one.verdict.coverage)]
            at[0] += 1
            at[1] += supported == one.truth
    return dict(sorted(found.items()))
