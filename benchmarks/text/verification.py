"""Does the verification signal know gold evidence, and evidence that leads to the right option?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import duckdb

QUANTILES = (0.0, 0.25, 0.5, 0.75, 0.9)


def area_under_curve(gold: np.ndarray, rest: np.ndarray) -> float:
    """Return how often a gold unit's value exceeds another unit's, ties counting half."""
    from scipy.stats import mannwhitneyu

    return float(mannwhitneyu(gold, rest).statistic / (len(gold) * len(rest)))


def verification_rows(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, Any]:
    """Return, over the chunks found by coverage, what tells gold from other units, and what leads aright.

    `area`: of each signal, for gold against other units. `quantiles`: of the units whose separation is at
    least a quantile's, the share of gold units kept, and how often the option that a unit prefers is right.
    """
    units = connection.execute(
        "SELECT gold, separation, best, alone, prefers = answer_index AS right FROM ("
        " SELECT question_id, source_key, any_value(separation) AS separation,"
        "  max(score) FILTER (candidate >= 0) AS best, max(score) FILTER (candidate = -1) AS alone,"
        "  arg_max(candidate, score) FILTER (candidate >= 0) AS prefers,"
        "  (question_id, source_key) IN (SELECT (question_id, chunk_id) FROM gold_chunks WHERE benchmark = ?)"
        "  AS gold"
        " FROM reranked_evidence WHERE benchmark = ? AND retrieval = 'coverage' AND source_table = 'chunks'"
        " GROUP BY ALL) JOIN questions USING (question_id) WHERE questions.benchmark = ?",
        [benchmark, benchmark, benchmark],
    ).fetchnumpy()
    gold = units["gold"].astype(bool)
    right = units["right"].astype(bool)
    area = {
        name: area_under_curve(units[name][gold], units[name][~gold])
        for name in ("separation", "best", "alone")
    }
    rows = []
    for quantile in QUANTILES:
        threshold = float(np.quantile(units["separation"], quantile))
        kept = units["separation"] >= threshold
        rows.append(
            {
                "quantile": quantile,
                "separation": threshold,
                "gold_kept": float(kept[gold].mean()),
                "gold_prefers_right": float(right[kept & gold].mean()),
                "any_prefers_right": float(right[kept].mean()),
            }
        )
    return {
        "benchmark": benchmark,
        "units": len(gold),
        "gold": int(gold.sum()),
        "area": area,
        "quantiles": rows,
    }
