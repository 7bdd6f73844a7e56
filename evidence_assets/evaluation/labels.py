"""Metrics of questions that share their options: verdicts, yes and no."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evidence_assets.evidence.estimates import Estimate, proportion


def shared_labels(options: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that all questions share as options; empty if they differ."""
    distinct = {tuple(labels) for labels in options}
    return next(iter(distinct)) if len(distinct) == 1 and len(options) > 1 else ()


def label_estimates(
    gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> dict[str, Estimate]:
    """Return each label's precision, recall and F1, the mean F1, and the majority-class accuracy.

    `predicted` is None where a question was not answered. A label that is never predicted has no precision,
    and an F1 of 0; one that is never gold has no recall, and does not count towards the mean.

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
    for label in labels:
        if predicted_counts[label]:
            estimates[f"precision:{label}"] = proportion(correct[label], predicted_counts[label])
        if gold_counts[label]:
            estimates[f"recall:{label}"] = proportion(correct[label], gold_counts[label])
            score = 2 * correct[label] / (gold_counts[label] + predicted_counts[label])
            scores.append(score)
            estimates[f"f1:{label}"] = Estimate(score, nothing, nothing, gold_counts[label])
    if scores:
        estimates["macro_f1"] = Estimate(math.fsum(scores) / len(scores), nothing, nothing, len(gold))
    return estimates
