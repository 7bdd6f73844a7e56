"""Features of a program that was run for a claim, by which it is ranked.

They are kinds, shares and counts, each told with the verdict; none is a word of the claim or of the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evidence_assets.tables.programs.grammar.outcomes import outcome_features
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import is_weak
from evidence_assets.tables.programs.verdicts.asked_operations import asked_operation, asked_operations
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import ALL_BOUND, Left
from evidence_assets.tables.programs.verdicts.runs import Run

Features = dict[str, float]
_MANY, _MANY_BOUND = 3, 8


def claim_features(claim: GroundedClaim, runs: Sequence[Run], carrying: int) -> list[Features]:
    """Return the features of each program of a claim. `carrying`: how many of its words carry something."""
    agreeing = Counter(bool(run.result.truth) for run in runs)
    least = min((_weight(run) for run in runs), default=0)
    common, operations = _of_claim(claim), asked_operations(claim)
    features = []
    for run in runs:
        agree = agreeing[bool(run.result.truth)]
        run_features = _of_run(claim, run, carrying, common, agree, len(runs))
        run_features |= _of_operations(claim, run, operations)
        more = _weight(run) - least
        if more:
            run_features["leaves more than another"] = 1.0
            run_features["leaves more than another, by"] = _few(more)
        if run.left is Left.DECISIVE and any(rival.left is not Left.DECISIVE for rival in runs):
            run_features["leaves something decisive, another does not"] = 1.0
        features.append(run_features)
    return features


def _weight(run: Run) -> int:
    """Return how many words a program leaves, decisive ones counted twice."""
    return len(run.rest) + sum(grade is Left.DECISIVE for grade in run.rest.values())


def none_features(claim: GroundedClaim, runs: Sequence[Run]) -> Features:
    """Return the features of no program being right."""
    verdicts = len({run.result.truth for run in runs})
    return {
        "none": 1.0,
        f"none, of {min(len(runs), _MANY)} programs": 1.0,
        f"none, of {verdicts} verdicts": 1.0,
        "none, coverage": claim.linked.coverage,
        "none, words unknown": _few(len(claim.linked.unknown)),
        "none, in a table of measures": float(claim.index.is_measured),
    }


def _few(count: int) -> float:
    return min(count, _MANY) / _MANY


def _of_claim(claim: GroundedClaim) -> Features:
    return {
        "superlatives": float(bool(claim.superlatives)),
        "rows": math.log1p(len(claim.index.rows)) / _MANY,
        "coverage": claim.linked.coverage,
        "words unknown": _few(len(claim.linked.unknown)),
        "a header of several columns": float(any(len(head.columns) > 1 for head in claim.linked.headers)),
    }


def _of_operations(claim: GroundedClaim, run: Run, operations: frozenset[str]) -> Features:
    """Return what the claim asks for, what of it is left undone, and how what was done came out."""
    verdict, decisive = _verdict(run), [n for n, grade in run.rest.items() if grade is Left.DECISIVE]
    undone = {
        asked_operation(claim, position) or ("name" if claim.tokens[position].capital else "other")
        for position in decisive
    }
    indicators = [f"left a {operation}" for operation in undone]
    indicators += [f"claim of {operation}, kind {run.proposal.kind}" for operation in operations]
    outcomes = outcome_features(run.proposal.program, claim.index)
    # Of a program that accounts for the whole claim it is no doubt of its meaning that it came far off.
    bound = "all bound" if run.left in ALL_BOUND else "some left"
    return {f"{name}, {verdict}": 1.0 for name in indicators} | {
        f"{name}, {bound}, {verdict}": value for name, value in outcomes.items()
    }


def _verdict(run: Run) -> str:
    return "supported" if run.result.truth else "refuted"


def _of_run(
    claim: GroundedClaim, run: Run, carrying: int, common: Features, agreeing: int, runs: int
) -> Features:
    verdict = _verdict(run)
    kind, grades = run.proposal.kind, Counter(run.rest.values())
    links = [link for link in claim.links if link.start in run.proposal.bound]
    against = runs - agreeing
    indicators = [
        "verdict",
        f"kind {kind}",
        f"left {run.left}",
        f"kind {kind}, left {run.left}",
        f"{min(len(links), _MANY)} values",
        f"{min(agreeing, _MANY)} agree, {min(against, _MANY)} do not",
    ]
    if claim.index.is_measured:
        indicators += ["measures", f"measures, left {run.left}", f"measures, kind {kind}"]
    if run.lacks_predicate:
        indicators.append("lacks its predicate")
    quantities = {
        **{f"left: {grade}": _few(count) for grade, count in grades.items()},
        "left, share": grades.total() / max(1, carrying),
        "values of a single word": _few(sum(map(is_weak, links))),
        "values in part": _few(sum(not link.full and not link.bound for link in links)),
        "values of several columns": _few(sum(len(link.places) > 1 for link in links)),
        "values that are numbers": _few(sum(link.number is not None for link in links)),
        "values that are bounds": _few(sum(bool(link.bound) for link in links)),
        "cells": math.log1p(len(run.result.cells)) / _MANY,
        "no cells": float(not run.result.cells),
        **{
            f"bound as {role}": min(count, _MANY_BOUND) / _MANY_BOUND
            for role, count in Counter(role for role, _ in run.proposal.bound.values()).items()
        },
        **common,
    }
    features = {f"{name}, {verdict}": 1.0 for name in indicators}
    features |= {f"{name}, {verdict}": value for name, value in quantities.items() if value}
    return features | {f"kind {kind}": 1.0, f"left {run.left}": 1.0, "left, share": quantities["left, share"]}
