"""What a level of a factor gains over another: controlled pairs of arms that differ in it alone, averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import duckdb
import numpy as np

from benchmarks.estimates import estimate_row
from benchmarks.real_lake import Rows
from evidence_assets.evaluation.metrics import mean
from evidence_assets.evidence.arms import Arm, controlled_pairs


def factor_effects(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str], arms: Mapping[str, Arm], system: str
) -> Rows:
    """Return the effect of each change of level on accuracy, with its bootstrap interval over questions.

    Of a pair that was answered on a benchmark each question counts the second's being right from the first's;
    a question's value is the mean over the pairs that make the same change.
    """
    rows: Rows = []
    for benchmark in benchmarks:
        answered = connection.execute(
            "SELECT arm, list(correct::DOUBLE ORDER BY question_id) FROM predictions "
            "WHERE system = ? AND benchmark = ? AND correct IS NOT NULL GROUP BY arm",
            [system, benchmark],
        ).fetchall()
        right = {arm: np.array(values) for arm, values in answered}
        changes: dict[tuple[str, str, str], list[Any]] = {}
        for changed, held_against in controlled_pairs(arms.values()):
            if changed in right and held_against in right:
                change = _change(arms[changed], arms[held_against])
                changes.setdefault(change, []).append(right[changed] - right[held_against])
        for (factor, level, held_level), differences in changes.items():
            effect = estimate_row(mean(np.mean(differences, axis=0)))
            of_change = {"benchmark": benchmark, "factor": factor, "level": level, "other": held_level}
            rows.append({**of_change, "pairs": len(differences), **effect})
    return rows


def _change(arm: Arm, baseline: Arm) -> tuple[str, str, str]:
    """Return the factor in which two arms differ, and the level that each has."""
    [change] = [
        (factor, level, before)
        for (factor, level), (_, before) in zip(arm.levels, baseline.levels, strict=True)
        if level != before
    ]
    return change
