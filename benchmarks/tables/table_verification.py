"""Claims checked against tables by typed programs: TabFact and SciTab, beside baselines.

What ranks programs, and how far verdicts are trusted, is fitted by `fit_table_ranking`. Needs the data sets.
Programs were written, and weights fitted, on the TabFact tables whose file name hashes to an even number; the
figures of the other half are the ones to quote: of the small test, and of more tables, whose statements are
harder. A development table is judged by weights fitted on the other folds of them. A statement that no
program decides counts as false, a claim of SciTab as the commoner label of the half of its tables on which
the threshold for NEI is chosen. Intervals are of 95 %, by a bootstrap that draws tables.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from benchmarks.real_texts import cached_encoder, real_data
from benchmarks.tables.fit_table_ranking import claim_weights
from benchmarks.tables.table_sets import Claims, fold_of, in_development, scitab, tabfact
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.records import Question, table_id
from evidence_assets.tables.claim_only import THREE, TWO, classifiers
from evidence_assets.tables.programs import Verdict, row_coverage, verify
from evidence_assets.tables.programs.verdicts.meanings import meanings_of
from evidence_assets.tables.programs.wording.trigger_lexicon import negations
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table

# Confidence from which a verdict is called sure, chosen by cross-validation on the half with even hashes.
SURE = 0.80
# The share of statements that sure verdicts are asked for on.
SUREST = 0.55
CURVE = (0.0, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9)
VERDICTS: Mapping[bool | None, str] = {True: "SUPPORTS", False: "REFUTES", None: "NOT ENOUGH INFORMATION"}
DRAWS, SEED = 2_000, 2026
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
        """Whether the statement counts as true: of an undecided one whether the likelier verdict is so."""
        verdict = self.verdict
        return bool(verdict.leaning if verdict.supported is None else verdict.supported)


def run() -> dict[str, Any]:
    """Return the figures of TabFact's halves and whole, and of SciTab."""
    folder = real_data() / "tables"
    judged, milliseconds = judge(tabfact(folder), of_other_folds=True)
    held_out = [statement for statement in judged if not in_development(statement.table)]
    more, _ = judge(tabfact(folder, more=True), of_other_folds=True)
    result = {
        "tabfact_more_held_out": tabfact_figures(
            [statement for statement in more if not in_development(statement.table)]
        ),
        "tabfact_more_development": tabfact_figures(
            [statement for statement in more if in_development(statement.table)], fitted_on=True
        ),
        "tabfact_held_out": tabfact_figures(held_out),
        "tabfact_development": tabfact_figures(
            [statement for statement in judged if in_development(statement.table)]
        ),
        "tabfact_all": tabfact_figures(judged),
        "milliseconds_a_statement": milliseconds,
        "sure": SURE,
        "scitab": scitab_figures(judge(scitab(folder / "sci_tab.json"))[0]),
        "bound": {"milliseconds_a_statement": 5.0},
    }
    return {**result, "within_bound": milliseconds["mean"] <= 5.0}


def judge(claims: Claims, *, of_other_folds: bool = False) -> tuple[list[Judged], dict[str, float]]:
    """Return claims with their verdicts, and the milliseconds of CPU of one, its words' meanings known.

    `of_other_folds`: claims over a development table are judged by weights fitted on other tables.
    """
    weights = claim_weights() if of_other_folds else []
    verify("a", claims[0][0])
    meant = meanings_of([(statement, table) for table, statement, _ in claims], cached_encoder().encode)
    judged, spent = [], []
    for (table, statement, truth), meanings in zip(claims, meant, strict=True):
        unseen = weights and in_development(table.table_id)
        others = weights[fold_of(table.table_id)] if unseen else None
        started = time.process_time()
        verdict = verify(statement, table, meanings, others)
        spent.append(1000 * (time.process_time() - started))
        judged.append(Judged(table.table_id, statement, truth, verdict, _in_one_row(statement, table)))
    return judged, {
        "mean": round(float(np.mean(spent)), 2),
        "median": round(float(np.median(spent)), 2),
        "99th_percentile": round(float(np.percentile(spent, 99)), 2),
    }


def _in_one_row(statement: str, table: Table) -> bool:
    cells = {token.key for row in table.rows for cell in row for token in tokens(cell.text)}
    known = [token.text for token in tokens(statement) if token.key in cells and not token.stop]
    return row_coverage(" ".join(known), table)[0] == 1


def tabfact_figures(judged: Sequence[Judged], *, fitted_on: bool = False) -> dict[str, Any]:
    """Return accuracies beside baselines, by kind of program and by confidence.

    `fitted_on`: the claim-only classifier was fitted on these statements.
    """
    decided = [claim for claim in judged if claim.verdict.supported is not None]
    negated = [claim for claim in judged if [*negations(tokens(claim.statement))]]
    return {
        "statements": len(judged),
        "tables": len({claim.table for claim in judged}),
        "accuracy": _accuracy(judged, lambda claim: claim.answer == claim.truth),
        "decided": {
            "coverage": round(len(decided) / len(judged), 3),
            **_accuracy(decided, lambda claim: claim.verdict.supported == claim.truth),
        },
        "sure": _above(judged, SURE),
        "surest": {"share": SUREST, **_surest(judged, SUREST)},
        "coverage_curve": [{"confidence": least, **_above(judged, least)} for least in CURVE],
        "negated": {
            "statements": len(negated),
            **_accuracy(negated, lambda claim: claim.answer == claim.truth),
        },
        "said_true": _accuracy([claim for claim in judged if claim.answer], lambda claim: bool(claim.truth)),
        "said_false": _accuracy(
            [claim for claim in judged if not claim.answer], lambda claim: not claim.truth
        ),
        "kinds": _kinds(judged),
        "calibration_error": calibration_error(
            [(claim.verdict.confidence, claim.verdict.supported == claim.truth) for claim in decided]
        ),
        "baselines": _baselines(judged, seen=fitted_on),
    }


def _above(judged: Sequence[Judged], least: float) -> dict[str, Any]:
    kept = [
        claim for claim in judged if claim.verdict.supported is not None and claim.verdict.confidence >= least
    ]
    if not kept:
        return {"coverage": 0.0}
    return {
        "coverage": round(len(kept) / len(judged), 3),
        **_accuracy(kept, lambda claim: claim.verdict.supported == claim.truth),
    }


def _surest(judged: Sequence[Judged], share: float) -> dict[str, Any]:
    """Return how many of the surest verdicts are right, whatever confidence they have; none is undecided."""
    decided = [claim for claim in judged if claim.verdict.supported is not None]
    kept = sorted(decided, key=lambda claim: -claim.verdict.confidence)[: round(share * len(judged))]
    return _accuracy(kept, lambda claim: claim.verdict.supported == claim.truth)


def _kinds(judged: Sequence[Judged]) -> dict[str, Any]:
    by_kind: dict[str, list[bool]] = {}
    for claim in judged:
        by_kind.setdefault(claim.verdict.kind, []).append(claim.answer == claim.truth)
    ordered = sorted(by_kind.items(), key=lambda item: -len(item[1]))
    return {kind: {"n": len(right), "accuracy": round(float(np.mean(right)), 3)} for kind, right in ordered}


def calibration_error(decided: Sequence[tuple[float, bool]]) -> float:
    """Return how far confidence is from accuracy, over ten equal shares of verdicts, each with both."""
    ordered = sorted(decided, key=itemgetter(0))
    parts = np.array_split(np.arange(len(ordered)), 10)
    gaps = [
        len(part) * abs(np.mean([ordered[at][0] for at in part]) - np.mean([ordered[at][1] for at in part]))
        for part in parts
        if len(part)
    ]
    return round(float(sum(gaps)) / max(1, len(ordered)), 3)


def _accuracy(judged: Sequence[Judged], is_right: Callable[[Judged], bool]) -> dict[str, Any]:
    """Return the share that is right, and its interval by a bootstrap over tables."""
    if not judged:
        return {"accuracy": None, "interval": None}
    return interval_over_tables([claim.table for claim in judged], [is_right(claim) for claim in judged])


def interval_over_tables(names: Sequence[str], right: Sequence[bool]) -> dict[str, Any]:
    """Return the share that is right, and its interval by a bootstrap that draws tables."""
    low, high = _drawn(names, np.asarray(right, float))
    return {"accuracy": round(float(np.mean(right)), 3), "interval": [low, high]}


def difference_over_tables(
    names: Sequence[str], right: Sequence[bool], baseline: Sequence[bool]
) -> dict[str, Any]:
    """Return by how much more often one is right than another, and the interval, statements paired."""
    more = np.asarray(right, float) - np.asarray(baseline, float)
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
    names = [claim.table for claim in judged]
    commonest = Counter(claim.truth for claim in judged).most_common(1)[0][0]
    right = {
        "commonest label": [claim.truth is commonest for claim in judged],
        "one row holds all words": [claim.in_one_row is claim.truth for claim in judged],
    }
    if not seen:
        guessed = claim_only_labels(judged, TWO)
        right["claim only"] = [label is claim.truth for label, claim in zip(guessed, judged, strict=True)]
    strongest = max(right, key=lambda name: sum(right[name]))
    ours = [claim.answer is claim.truth for claim in judged]
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
    decided = claim_only_labels(judged, labels)
    right = [label is claim.truth for label, claim in zip(decided, judged, strict=True)]
    return {
        **interval_over_tables([claim.table for claim in judged], right),
        "macro_f1": _macro_f1(
            np.array([str(claim.truth) for claim in judged]),
            np.array([str(label) for label in decided]),
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
    two = labels == TWO or all(claim.truth is not None for claim in judged)
    wanted = (True, False) if two else tuple(VERDICTS)
    decided = []
    for claim in judged:
        shares = kept.of_table(ids.get(claim.table)).probabilities(claim.statement)
        decided.append(max(wanted, key=lambda label: shares[VERDICTS[label]]))
    return decided


@cache
def scitab_ids() -> dict[str, str]:
    """Return the lake's id of each of SciTab's tables, by its name."""
    questions = BENCHMARKS["scitab"].reader(str(real_data() / "tables" / "sci_tab.json"), "test")
    return {
        question.table.key: table_id(question.table)
        for question in questions
        if isinstance(question, Question) and question.table is not None
    }


def _macro_f1(truth: np.ndarray[Any, Any], predicted: np.ndarray[Any, Any]) -> float:
    from sklearn.metrics import f1_score

    return round(float(f1_score(truth, predicted, average="macro")), 3)


def scitab_figures(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return three-label and two-label figures, the threshold for NEI chosen on half of the tables."""
    first = [claim for claim in judged if in_development(claim.table)]
    second = [claim for claim in judged if not in_development(claim.table)]
    default = bool(np.mean([claim.truth for claim in first if claim.truth is not None]) >= 0.5)
    threshold = max(
        THRESHOLDS,
        key=lambda least: np.mean([_three(claim, least, default) == claim.truth for claim in first]),
    )
    truth = np.array([str(claim.truth) for claim in second])
    predicted = np.array([str(_three(claim, threshold, default)) for claim in second])
    labelled = [claim for claim in second if claim.truth is not None]
    return {
        "claims": len(judged),
        "tables": len({claim.table for claim in judged}),
        "undecided_count_as": default,
        "three_labels": {
            "claims": len(second),
            "nei_below_coverage": threshold,
            **_accuracy(second, lambda claim: _three(claim, threshold, default) == claim.truth),
            "macro_f1": _macro_f1(truth, predicted),
            "majority": _majority(second),
            "claim_only": claim_only(second, THREE),
        },
        "two_labels": {
            "claims": len(labelled),
            **_accuracy(labelled, lambda claim: _two(claim, default) == claim.truth),
            "decided": _above(labelled, 0.0),
            "sure": _above(labelled, SURE),
            "majority": _majority(labelled),
            "claim_only": claim_only(labelled, THREE),
            "kinds": _kinds([claim for claim in labelled if claim.verdict.supported is not None]),
        },
    }


def _two(claim: Judged, default: bool) -> bool:
    return default if claim.verdict.supported is None else claim.verdict.supported


def _three(claim: Judged, least: float, default: bool) -> bool | None:
    return None if claim.verdict.coverage < least else _two(claim, default)


def _majority(judged: Sequence[Judged]) -> float:
    return round(Counter(claim.truth for claim in judged).most_common(1)[0][1] / len(judged), 3)
