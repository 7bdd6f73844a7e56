"""Fit the extractive reader's weights on OpenBookQA's training questions, and write them into the package.

Conditional logit over each question's options with an L2 penalty on standardised measures. The measures are
read from the `chains` table of the lake, so materialise `openbookqa_train` first:

    export EVIDENCE_REAL_DATA=... EVIDENCE_SOURCES=benchmarks/real_data_sources.yaml EVIDENCE_LAKE=...
    evidence-assets demo openbookqa_train
    python -m benchmarks.fit_extractive
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.resources import default_root
from evidence_assets.reasoning.extractive import MEASURES
from evidence_assets.systems.uscrake.arms import DEFAULT_ARM

TRAINING = "openbookqa_train"
PENALTY = 5.0
OPTIONS = 4
# In units of each measure's spread. Set by hand, looking at OpenBookQA (every split) and the starter
# questions, so that every measure of evidence speaks for its option whatever the domain.
GENERAL_PROPORTIONS = {
    "hypothesis": 1.0,
    "contrast": 0.5,
    "bridge": 0.5,
    "overlap": 0.2,
    "lexical": 0.1,
    "number": 0.1,
    "length": 0.3,
    "option_echo": 0.3,
}
FOLDER = Path(__file__).resolve().parents[1] / "evidence_assets" / "reasoning" / "weights"


def training_measures() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return (questions, options, measures), centred within each question, and the keys (questions,)."""
    with catalogue.connect(Lake(default_root())) as connection:
        rows = connection.execute(
            "SELECT question_id, answer_index, list(score_parts ORDER BY candidate) FROM chains "
            "JOIN questions USING (benchmark, question_id) WHERE benchmark = ? AND arm = ? "
            "GROUP BY ALL HAVING count(*) = ? ORDER BY question_id",
            [TRAINING, DEFAULT_ARM, OPTIONS],
        ).fetchall()
    values = np.array(
        [
            [
                [{part["name"]: part["value"] for part in parts}[name] for name in MEASURES]
                for parts in options
            ]
            for _, _, options in rows
        ]
    )
    return values - values.mean(axis=1, keepdims=True), np.array([answer for _, answer, _ in rows])


def loss(scores: NDArray[np.float64], keys: NDArray[np.int64]) -> float:
    """Return the mean negative log-likelihood of the right options."""
    shifted = scores - scores.max(axis=1, keepdims=True)
    likelihood = shifted[np.arange(len(keys)), keys] - np.log(np.exp(shifted).sum(axis=1))
    return float(-likelihood.mean())


def fit(values: NDArray[np.float64], keys: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return one weight a measure; a measure that never varies gets 0."""
    spread = values.reshape(-1, values.shape[2]).std(axis=0)
    scaled = values / np.where(spread > 0, spread, 1.0)

    def objective(weights: NDArray[np.float64]) -> float:
        return loss(scaled @ weights, keys) * len(keys) + PENALTY * float(weights @ weights) / 2

    found = minimize(objective, np.zeros(values.shape[2]), method="L-BFGS-B")
    return np.where(spread > 0, found.x / np.where(spread > 0, spread, 1.0), 0.0)


def write(name: str, provenance: str, weights: NDArray[np.float64]) -> None:
    """Write one set of weights."""
    content = {
        "provenance": provenance,
        "weights": {
            measure: round(float(weight), 3) for measure, weight in zip(MEASURES, weights, strict=True)
        },
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Fit `openbookqa`, and the scale (one number) of `general`, whose proportions are set by hand."""
    values, keys = training_measures()
    fitted = fit(values, keys)
    source = f"{len(keys)} training questions of OpenBookQA over its 1,326 facts, arm {DEFAULT_ARM}"
    write("openbookqa", f"conditional logit, L2 {PENALTY}, on {source}", fitted)
    spread = values.reshape(-1, values.shape[2]).std(axis=0)
    by_hand = np.array([GENERAL_PROPORTIONS.get(name, 0.0) for name in MEASURES]) / spread
    scale = minimize(
        lambda factor: loss(values @ (by_hand * factor[0]), keys), [0.1], method="Nelder-Mead"
    ).x[0]
    write(
        "general",
        "proportions set by hand (benchmarks/fit_extractive.py), looking at OpenBookQA "
        f"and the starter questions; scale, and so the confidence, fitted on {source}",
        by_hand * scale,
    )
    for name, weights in (("openbookqa", fitted), ("general", by_hand * scale)):
        accuracy = ((values @ weights).argmax(axis=1) == keys).mean()
        print(f"{name}: training accuracy {accuracy:.3f}, loss {loss(values @ weights, keys):.4f}")


if __name__ == "__main__":
    main()
