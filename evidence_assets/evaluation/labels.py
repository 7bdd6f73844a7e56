"""Metrics of questions that share their options: verdicts, yes and no."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from evidence_assets.evidence.estimates import Estimate, proportion

# The name under which the bounds of the mean F1 stand: no label is empty.
MEAN = ""
_RESAMPLES = 2_000
_SEED = 20_261_122


def shared_labels(options: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that all questions share as options; empty if they differ."""
    distinct = {tuple(labels) for labels in options}
    return next(iter(distinct)) if len(distinct) == 1 and len(options) > 1 else ()


def label_estimates(
    gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> dict[str, Estimate]:
    """Return each label's precision, recall and F1, the mean F1, and the majority-class accuracy.

    `predicted` is None where a question was not answered. A label that is never predicted has no precision,
    and an F1 of 0; one that is never gold has no recall, and does not count towards the mean. Intervals of
    F1: bootstrap over questions, 2,000 resamples, fixed seed.

    Raises:
        ValueError: there is no question, or the two do not pair.
    """
    if not gold or len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold labels do not pair with {len(predicted)} predictions")
    nothing = float("nan")
    correct = Counter(label for label, answer in zip(gold, predicted, strict=True) if label == answer)
    gold_counts, predicted_counts = Counter(gold), Counter(predicted)
    estimates = {
        "majority_accuracy": Estimate(max(gold_counts.values()) / len(gold), nothing, nothing, len(gold))
    }
    scores = []
    bounds = f1_bounds(gold, predicted, labels)
    for label in labels:
        if predicted_counts[label]:
            estimates[f"precision:{label}"] = proportion(correct[label], predicted_counts[label])
        if gold_counts[label]:
            estimates[f"recall:{label}"] = proportion(correct[label], gold_counts[label])
            score = 2 * correct[label] / (gold_counts[label] + predicted_counts[label])
            scores.append(score)
            estimates[f"f1:{label}"] = Estimate(score, *bounds[label], gold_counts[label])
    if scores:
        estimates["macro_f1"] = Estimate(math.fsum(scores) / len(scores), *bounds[MEAN], len(gold))
    return estimates


def f1_bounds(
    gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> dict[str, tuple[float, float]]:
    """Return the ends of the 95 % interval of each gold label's F1, and of their mean, by label and `MEAN`.

    A resample of questions is a draw of their pairs of gold and predicted label. A label that a resample does
    not hold does not count towards its mean.
    """
    pairs = dict(sorted(Counter(zip(gold, predicted, strict=True)).items(), key=repr))
    counts = np.array(list(pairs.values()), dtype=np.float64)
    drawn = np.random.default_rng(_SEED).multinomial(len(gold), counts / counts.sum(), _RESAMPLES)
    scores = {}
    gold_labels = set(gold)
    for label in dict.fromkeys(label for label in labels if label in gold_labels):
        is_gold = np.array([truth == label for truth, _ in pairs])
        is_predicted = np.array([answer == label for _, answer in pairs])
        golden, answered = drawn[:, is_gold].sum(axis=1), drawn[:, is_predicted].sum(axis=1)
        right = drawn[:, is_gold & is_predicted].sum(axis=1)
        total = golden + answered
        scores[label] = np.where(golden > 0, 2 * right / np.maximum(total, 1), np.nan)
    if not scores:
        return {}
    stacked = np.stack(list(scores.values()))
    kept = ~np.isnan(stacked)
    scores[MEAN] = np.where(kept, stacked, 0.0).sum(axis=0) / np.maximum(kept.sum(axis=0), 1)
    return {
        label: (float(low), float(high))
        for label, values in scores.items()
        for low, high in [np.nanquantile(values, [0.025, 0.975])]
    }
