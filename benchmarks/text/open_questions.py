"""Questions without options, answered by a sentence: the default beside the nearest chunk's."""

from __future__ import annotations

from typing import Any

from benchmarks.real_lake import materialized, prepare, rows_of
from evidence_assets.systems.uscrake.arms import BASELINE_ARM, DEFAULT_ARM, SYSTEM

BENCHMARKS = ("xquad", "hotpotqa")
ARMS = (DEFAULT_ARM, BASELINE_ARM)


def run() -> dict[str, Any]:
    """Materialise both arms on every benchmark; return their scores and how far they are apart."""
    prepare()
    seconds = materialized({name: [f"{SYSTEM}/{arm}" for arm in ARMS] for name in BENCHMARKS})
    of_arms = f"WHERE list_contains(?, benchmark) AND arm IN {ARMS} AND metric"
    queries = {
        "benchmark_scores": f"SELECT * FROM benchmark_scores {of_arms} = 'accuracy' ORDER BY ALL",
        "answered": f"SELECT * FROM benchmark_scores {of_arms} = 'answered' ORDER BY ALL",
        "score_differences": f"SELECT * FROM score_differences {of_arms} = 'accuracy' ORDER BY ALL",
    }
    return {**rows_of(queries, BENCHMARKS), "seconds_a_run": seconds}
