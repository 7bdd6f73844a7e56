"""What the default reader reaches with frozen weights, through Dagster, beside every cheap baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.estimates import difference_row
from benchmarks.real_lake import materialized, prepare, rows_of
from benchmarks.text.fit_extractive import BASELINES as BASELINE_MEASURES
from benchmarks.text.fit_extractive import READ, baseline, measured, own_fit, reader, right, spread
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.systems.uscrake.arms import BASELINES, DEFAULT_ARM

COSINE = "chunks_only_cosine@extractive"
# The default ranking takes long over passages of Wikipedia: there, the same reader over chunks by cosine.
ARMS: Mapping[str, Sequence[str]] = {
    "openbookqa": (DEFAULT_ARM, COSINE, *BASELINES),
    "commonsenseqa": (COSINE, *BASELINES),
    "mmlu_medical": (COSINE, *BASELINES),
}
METRICS = ("accuracy", "calibration_error", "chance_accuracy", "majority_accuracy", "answered")


def run() -> dict[str, Any]:
    """Materialise the arms; return their scores and what each differs by from the others and constants."""
    prepare()
    seconds = materialized({name: [f"uscrake/{arm}" for arm in arms] for name, arms in ARMS.items()})
    arms = sorted({arm for of_benchmark in ARMS.values() for arm in of_benchmark})
    queries = {
        "scores": "SELECT * FROM benchmark_scores WHERE system = 'uscrake' AND list_contains(?, benchmark) "
        f"AND arm IN {tuple(arms)} AND metric IN {METRICS} ORDER BY ALL",
        "differences": "SELECT * FROM score_differences WHERE system = 'uscrake' "
        f"AND list_contains(?, benchmark) AND arm IN {tuple(arms)} AND metric = 'accuracy' ORDER BY ALL",
    }
    return {**rows_of(queries, list(ARMS)), "own_weights": own_weights(), "seconds_a_run": seconds}


def own_weights() -> dict[str, Any]:
    """Return what weights of OpenBookQA's own training questions reach on its test, from text by cosine.

    They are fitted anew and not kept: on other sets they are worse than any baseline.
    """
    lake = Lake(default_root())
    shown, tested = (measured(name, lake, triples=False) for name in ("openbookqa_train", "openbookqa"))
    unit = spread({"openbookqa_train": shown})
    correct = right(tested, reader(own_fit(shown, unit, "text"), unit), READ["text"])
    estimate = proportion(round(float(correct.sum())), len(correct))
    cheap = {title: baseline(tested, name) for title, name in BASELINE_MEASURES.items()}
    strongest = max(cheap, key=lambda title: cheap[title].mean())
    return {
        "benchmark": "openbookqa",
        "fitted_on": len(shown),
        "value": float(correct.mean()),
        "low": estimate.low,
        "high": estimate.high,
        "n": len(correct),
        "strongest_baseline": strongest,
        "minus_baseline": difference_row(correct, cheap[strongest]),
    }
