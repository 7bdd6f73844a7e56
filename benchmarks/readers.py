"""What the default reader reaches with frozen weights, through Dagster, beside every cheap baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.real_lake import materialized, prepare, rows_of
from evidence_assets.systems.uscrake.arms import BASELINES, DEFAULT_ARM

COSINE, NO_EVIDENCE = "chunks_only_cosine@extractive", "no_evidence@extractive"
# The default ranking takes long over passages of Wikipedia: there, the same reader over chunks by cosine.
ARMS: Mapping[str, Sequence[str]] = {
    "openbookqa_dev": (DEFAULT_ARM, COSINE, NO_EVIDENCE, *BASELINES),
    "openbookqa": (DEFAULT_ARM, COSINE, NO_EVIDENCE, *BASELINES),
    "commonsenseqa": (COSINE, NO_EVIDENCE, *BASELINES),
    "mmlu_medical": (COSINE, NO_EVIDENCE, *BASELINES),
}
METRICS = ("accuracy", "calibration_error", "chance_accuracy", "majority_accuracy", "answered")


def run() -> dict[str, Any]:
    """Materialise the arms; return their scores and what each differs by from every other and from constants.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    prepare()
    seconds = materialized({name: [f"uscrake/{arm}" for arm in arms] for name, arms in ARMS.items()})
    arms = sorted({arm for of_benchmark in ARMS.values() for arm in of_benchmark})
    queries = {
        "scores": "SELECT * FROM benchmark_scores WHERE system = 'uscrake' AND list_contains(?, benchmark) "
        f"AND arm IN {tuple(arms)} AND metric IN {METRICS} ORDER BY ALL",
        "differences": "SELECT * FROM score_differences WHERE system = 'uscrake' "
        f"AND list_contains(?, benchmark) AND arm IN {tuple(arms)} AND metric = 'accuracy' ORDER BY ALL",
    }
    return {**rows_of(queries, list(ARMS)), "seconds_a_run": seconds}
