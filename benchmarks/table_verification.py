"""Claims checked against tables by typed programs: TabFact and SciTab, beside baselines.

What ranks programs, and how far verdicts are trusted, is measured by `table_reliability`. Needs the data
sets. Programs were written, and measured, on the TabFact tables whose file name hashes to an even number; the
figures of the other half are the ones to quote: of the small test, and of more tables, whose statements are
harder. A statement that no program decides counts as false, a claim of SciTab as the commoner label of the
half of its tables on which the threshold for NEI is chosen. Intervals are of 95 %, by a bootstrap that draws
tables.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, table_id
from evidence_assets.tables.claim_only import THREE, TWO, classifiers
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import Verdict, row_coverage, verify
from evidence_assets.tables.programs.meanings import meanings_of
from evidence_assets.tables.programs.trigger_lexicon import is_negated
from evidence_assets.tables.programs.words import tokens
from evidence_assets.tables.table import Table

# Confidence from which a verdict is called sure, chosen by cross-validation on the half with even hashes.
SURE = 0.80
CURVE = (0.0, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
VERDICTS: Mapping[bool | None, str] = {True: "SUPPORTS", False: "REFUTES", None: "NOT ENOUGH INFORMATION"}
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
    judged, milliseconds = judge(tabfact(folder))
    held_out = [one for one in judged if not in_development(one.table)]
    more, _ = judge(tabfact(folder, more=True))
    result = {
        "tabfact_more_held_out": tabfact_figures([one for one in more if not in_development(one.table)]),
        "tabfact_more_development": tabfact_figures(
            [one for one in more if in_development(one.table)], fitted_on=True
        ),
        "tabfact_held_out": tabfact_figures(held_out),
        "tabfact_development": tabfact_figures([one for one in judged if in_development(one.table)]),
        "tabfact_all": tabfact_figures(judged),
        "milliseconds_a_statement": milliseconds,
        "sure": SURE,
        "scitab": scitab_figures(judge(scitab(folder / "sci_tab.json"))[0]),
        "bound": {"milliseconds_a_statement": 5.0},
    }
    return {**result, "within_bound": milliseconds["mean"] <= 5.0}


def in_development(name: str) -> bool:
    """Return whether rules may be made on a table: the hash of its name is even."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


Claims = list[tuple[Table, str, bool | None]]


def tabfact(folder: Path, *, more: bool = False) -> Claims:
    """Return the small test's statements with their tables; or those of more of the test's tables."""
    small = folder / "tabfact_small"
    place, listing = (folder / "tabfact_more", "ids.json") if more else (small, "small_test_id.json")
    examples = json.loads((small / "test_examples.json").read_text(encoding="utf-8"))
    made: Claims = []
    for name in sorted(json.loads((place / listing).read_text(encoding="utf-8"))):
        rows = [line.split("#") for line in (place / "csv" / name).read_text(encoding="utf-8").splitlines()]
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


def judge(claims: Claims) -> tuple[list[Judged], dict[str, float]]:
    """Return claims with their verdicts, and the milliseconds that one takes, its words' meanings known."""
    verify("a", claims[0][0])
    meant = meanings_of([(said, table) for table, said, _ in claims], cached_encoder().encode)
    judged, spent = [], []
    for (table, said, truth), meanings in zip(claims, meant, strict=True):
        started = time.perf_counter()
        verdict = verify(said, table, meanings)
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


def tabfact_figures(judged: Sequence[Judged], *, fitted_on: bool = False) -> dict[str, Any]:
    """Return accuracies beside baselines, by kind of program and by confidence.

    `fitted_on`: the claim-only classifier was fitted on these statements.
    """
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
        "negated": {
            "statements": sum(is_negated(tokens(one.statement)) for one in judged),
            **_accuracy(
                [one for one in judged if is_negated(tokens(one.statement))],
                lambda one: one.answer == one.truth,
            ),
        },
        "said_true": _accuracy([one for one in judged if one.answer], lambda one: bool(one.truth)),
        "said_false": _accuracy([one for one in judged if not one.answer], lambda one: not one.truth),
        "kinds": _kinds(judged),
        "calibration_error": _calibration_error(decided),
        "baselines": _baselines(judged, seen=fitted_on),
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
    return interval_over_tables([one.table for one in judged], [is_right(one) for one in judged])


def interval_over_tables(names: Sequence[str], right: Sequence[bool]) -> dict[str, Any]:
    """Return the share that is right, and its interval by a bootstrap that draws tables."""
    low, high = _drawn(names, np.asarray(right, float))
    return {"accuracy": round(float(np.mean(right)), 3), "interval": [low, high]}


def difference_over_tables(
    names: Sequence[str], right: Sequence[bool], other: Sequence[bool]
) -> dict[str, Any]:
    """Return by how much more often one is right than another, and the interval, statements paired."""
    more = np.asarray(right, float) - np.asarray(other, float)
    low, high = _drawn(names, more)
    return {"accuracy": round(float(more.mean()), 3), "interval": [low, high]}


def _drawn(names: Sequence[str], values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """Return the interval of a mean by a bootstrap that draws tables."""
    places = {name: at for at, name in enumerate(sorted(set(names)))}
    owners = [places[name] for name in names]
    sizes = np.bincount(owners, minlength=len(places))
    sums = np.bincount(owners, weights=values, minlength=len(places))
    draws = np.random.default_rng(SEED).integers(len(places), size=(DRAWS, len(places)))
    shares = sums[draws].sum(axis=1) / sizes[draws].sum(axis=1)
    low, high = np.percentile(shares, [2.5, 97.5])
    return round(float(low), 3), round(float(high), 3)


def _baselines(judged: Sequence[Judged], *, seen: bool) -> dict[str, Any]:
    """Return what sees less than ours, the strongest of them, and how much better ours is than it.

    `seen`: the claim-only classifier was fitted on these statements, so it is left out.
    """
    names = [one.table for one in judged]
    commonest = Counter(one.truth for one in judged).most_common(1)[0][0]
    right = {
        "commonest label": [one.truth is commonest for one in judged],
        "one row holds all words": [one.in_one_row is one.truth for one in judged],
    }
    if not seen:
        guessed = claim_only_labels(judged, TWO)
        right["claim only"] = [label is one.truth for label, one in zip(guessed, judged, strict=True)]
    strongest = max(right, key=lambda name: sum(right[name]))
    ours = [one.answer is one.truth for one in judged]
    return {
        "chance": 0.5,
        "majority": _majority(judged),
        "row_holds_all_words": interval_over_tables(names, right["one row holds all words"]),
        "claim_only": None if seen else claim_only(judged, TWO),
        "strongest": {"name": strongest, **interval_over_tables(names, right[strongest])},
        "over_strongest": difference_over_tables(names, ours, right[strongest]),
    }


def claim_only(judged: Sequence[Judged], labels: str) -> dict[str, Any]:
    """Return the accuracy of the classifier that sees a claim's words of form, never its table."""
    found = claim_only_labels(judged, labels)
    right = [label is one.truth for label, one in zip(found, judged, strict=True)]
    return {
        **interval_over_tables([one.table for one in judged], right),
        "macro_f1": _macro_f1(
            np.array([str(one.truth) for one in judged]), np.array([str(label) for label in found])
        ),
    }


def claim_only_labels(judged: Sequence[Judged], labels: str) -> list[bool | None]:
    """Return the label of each claim by the kept classifier.

    It was fitted on development claims; one about a table it was fitted on is judged by the part of it that
    was not (`benchmarks.fit_claim_only`). Of claims without "not enough information" it judges between the
    other two labels.
    """
    kept = classifiers(labels)
    ids = scitab_ids() if labels == THREE else {}
    two = labels == TWO or all(one.truth is not None for one in judged)
    wanted = (True, False) if two else tuple(VERDICTS)
    found = []
    for one in judged:
        shares = kept.of_table(ids.get(one.table)).probabilities(one.statement)
        found.append(max(wanted, key=lambda label: shares[VERDICTS[label]]))
    return found


@cache
def scitab_ids() -> dict[str, str]:
    """Return the lake's id of each of SciTab's tables, by its name."""
    questions = BENCHMARKS["scitab"].reader(str(real_data() / "tables" / "sci_tab.json"), "test")
    return {
        question.table.key: table_id(question.table)
        for question in questions
        if isinstance(question, Question) and question.table is not None
    }


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
            "claim_only": claim_only(second, THREE),
        },
        "two_labels": {
            "claims": len(told),
            **_accuracy(told, lambda one: _two(one, default) == one.truth),
            "decided": _above(told, 0.0),
            "sure": _above(told, SURE),
            "majority": _majority(told),
            "claim_only": claim_only(told, THREE),
            "kinds": _kinds([one for one in told if one.verdict.supported is not None]),
        },
    }


def _two(one: Judged, default: bool) -> bool:
    return default if one.verdict.supported is None else one.verdict.supported


def _three(one: Judged, least: float, default: bool) -> bool | None:
    return None if one.verdict.coverage < least else _two(one, default)


def _majority(judged: Sequence[Judged]) -> float:
    return round(Counter(one.truth for one in judged).most_common(1)[0][1] / len(judged), 3)
