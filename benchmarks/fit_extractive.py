"""Fit the extractive reader's weights, write them into the package, and say what they reach when held out.

Conditional logit over each question's options with an L2 penalty on standardised measures. The measures are
read from the `chains` table of the lake, so materialise the whole system on the fitted questions first; an
arm of text alone has the same measures of text, and none of triples:

    export EVIDENCE_REAL_DATA=... EVIDENCE_SOURCES=benchmarks/real_data_sources.yaml EVIDENCE_LAKE=...
    evidence-assets demo openbookqa_train commonsenseqa --arms full@extractive
    python -m benchmarks.fit_extractive

CommonsenseQA's test key is not public and its training questions are not at hand, so its weights are fitted
on its development questions. What such weights reach on the same questions flatters them; the honest figure
is the cross-fitted one, each half answered with weights fitted on the other.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks.result_files import save
from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.lake import catalogue
from evidence_assets.lake.catalogue import default_root
from evidence_assets.lake.lake import Lake
from evidence_assets.reading.extractive import MEASURES, OPTION_MEASURES, TEXT_MEASURES, TRIPLE_MEASURES

PENALTY = 5.0
ARM = "full@extractive"
# What each kind of evidence adds, cross-fitted.
SUBSETS = {
    "plausibility alone": ("plausibility",),
    "option alone": OPTION_MEASURES,
    "option and text": OPTION_MEASURES + TEXT_MEASURES,
    "option and triples": OPTION_MEASURES + TRIPLE_MEASURES,
    "option, text and triples": OPTION_MEASURES + TEXT_MEASURES + TRIPLE_MEASURES,
}
# Weights: the benchmark they are fitted on, and what they weigh.
FITTED = {
    "openbookqa_chunks": ("openbookqa_train", "option and text"),
    "openbookqa_full": ("openbookqa_train", "option, text and triples"),
    "commonsenseqa_chunks": ("commonsenseqa", "option and text"),
    "commonsenseqa_full": ("commonsenseqa", "option, text and triples"),
    "commonsenseqa_triples": ("commonsenseqa", "option and triples"),
}
# In units of each measure's spread. Set by hand, looking at OpenBookQA (every split) and the starter
# questions, so that every measure of evidence speaks for its option whatever the domain,
# triples at a quarter.
GENERAL_PROPORTIONS = {
    "hypothesis": 1.0,
    "contrast": 0.5,
    "bridge": 0.5,
    "overlap": 0.2,
    "lexical": 0.1,
    "number": 0.1,
    "triple_hypothesis": 0.25,
    "triple_contrast": 0.25,
    "length": 0.3,
    "option_echo": 0.3,
}
# Weights, not proportions: what a walk and a path say is not measured on OpenBookQA. Set by hand, looking at
# MedMCQA's development questions and MMLU-medical.
GENERAL_PATHS = {"path_lift": 0.3, "path_nearness": 0.24}
FOLDER = Path(__file__).resolve().parents[1] / "evidence_assets" / "reasoning" / "weights"

Values = NDArray[np.float64]
Keys = NDArray[np.int64]


def measures_of(benchmark: str, chosen: Sequence[str] = MEASURES) -> tuple[Values, Keys]:
    """Return (questions, options, measures), centred within each question, and the keys (questions,).

    Measures that are not chosen are 0 throughout.
    """
    with catalogue.connect(Lake(default_root())) as connection:
        rows = connection.execute(
            "SELECT question_id, answer_index, list(score_parts ORDER BY candidate) FROM chains "
            "JOIN questions USING (benchmark, question_id) WHERE benchmark = ? AND arm = ? "
            "GROUP BY ALL ORDER BY question_id",
            [benchmark, ARM],
        ).fetchall()
    options = max(len(parts) for _, _, parts in rows)
    whole = [row for row in rows if len(row[2]) == options]
    values = np.array(
        [
            [[{part["name"]: part["value"] for part in one}[name] for name in MEASURES] for one in parts]
            for _, _, parts in whole
        ]
    )
    centred = values - values.mean(axis=1, keepdims=True)
    weighed = np.array([name in chosen for name in MEASURES])
    return centred * weighed, np.array([answer for _, answer, _ in whole])


def loss(scores: Values, keys: Keys) -> float:
    """Return the mean negative log-likelihood of the right options."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    likelihood = shifted[np.arange(len(keys)), keys] - np.log(np.exp(shifted).sum(axis=1))
    return float(-likelihood.mean())


def fit(values: Values, keys: Keys) -> Values:
    """Return one weight a measure; a measure that never varies gets 0."""
    spread = values.reshape(-1, values.shape[2]).std(axis=0)
    unit = np.where(spread > 0, spread, 1.0)
    scaled = values / unit

    def objective(weights: Values) -> float:
        return loss(scaled @ weights, keys) * len(keys) + PENALTY * float(weights @ weights) / 2

    found = minimize(objective, np.zeros(values.shape[2]), method="L-BFGS-B")
    return np.where(spread > 0, found.x / unit, 0.0)


def right(values: Values, keys: Keys, weights: Values) -> Values:
    """Return 1 for each question answered right, 0 for the others."""
    return ((values @ weights).argmax(axis=1) == keys).astype(np.float64)


def cross_fitted(values: Values, keys: Keys) -> Values:
    """Return 1 for each question answered right by weights fitted on the other half, 0 for the others."""
    found = np.empty(len(keys))
    for half in (0, 1):
        own = np.arange(len(keys)) % 2 == half
        found[own] = right(values[own], keys[own], fit(values[~own], keys[~own]))
    return found


def write(name: str, provenance: str, weights: Values) -> None:
    """Write one set of weights."""
    content = {
        "provenance": provenance,
        "weights": {
            measure: round(float(weight), 3) for measure, weight in zip(MEASURES, weights, strict=True)
        },
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def general() -> None:
    """Write the general weights: proportions set by hand, the scale (one number) fitted."""
    benchmark = "openbookqa_train"
    values, keys = measures_of(benchmark)
    spread = values.reshape(-1, values.shape[2]).std(axis=0)
    proportions = np.array([GENERAL_PROPORTIONS.get(name, 0.0) for name in MEASURES])
    by_hand = proportions / np.where(spread > 0, spread, 1.0)
    scale = minimize(
        lambda factor: loss(values @ (by_hand * factor[0]), keys), [0.1], method="Nelder-Mead"
    ).x[0]
    by_paths = np.array([GENERAL_PATHS.get(name, 0.0) for name in MEASURES])
    write(
        "general",
        "proportions set by hand (benchmarks/fit_extractive.py), looking at OpenBookQA and the starter "
        f"questions; scale, and so the confidence, fitted on {len(keys)} questions of {benchmark}, arm "
        f"{ARM}; of the path measures, weights by hand, looking at MedMCQA dev and MMLU-medical",
        by_hand * scale + by_paths,
    )


def subsets(benchmark: str) -> list[dict[str, Any]]:
    """Return what each kind of evidence reaches, cross-fitted, and what it adds to the option alone."""
    found = {}
    for name, chosen in SUBSETS.items():
        values, keys = measures_of(benchmark, chosen)
        found[name] = cross_fitted(values, keys)
    rows = []
    for name, correct in found.items():
        estimate = paired_difference(correct, found["option alone"])
        rows.append(
            {
                "benchmark": benchmark,
                "measures": name,
                "accuracy": float(correct.mean()),
                "n": len(correct),
                "minus_option_alone": {
                    "value": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                },
            }
        )
    return rows


def main() -> None:
    """Fit every set of weights, write them, and write what they reach to benchmarks/results."""
    general()
    rows = []
    for name, (benchmark, subset) in FITTED.items():
        values, keys = measures_of(benchmark, SUBSETS[subset])
        weights = fit(values, keys)
        write(
            name,
            f"conditional logit, L2 {PENALTY}, on {len(keys)} questions of {benchmark}: {subset}",
            weights,
        )
        row = {
            "weights": name,
            "benchmark": benchmark,
            "measures": subset,
            "n": len(keys),
            "accuracy_on_the_fitted": float(right(values, keys, weights).mean()),
            "accuracy_cross_fitted": float(cross_fitted(values, keys).mean()),
        }
        rows.append(row)
        print(json.dumps(row))
    evidence = [row for benchmark in ("openbookqa_train", "commonsenseqa") for row in subsets(benchmark)]
    for row in evidence:
        print(json.dumps(row))
    save("fit_extractive", {"weights": rows, "evidence": evidence})


if __name__ == "__main__":
    main()
