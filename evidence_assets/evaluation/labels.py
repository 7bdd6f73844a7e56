"""Metrics of questions that all have the same answers to choose from: verdicts, yes and no."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from evidence_assets.evidence.estimates import Estimate, proportion


def shared_labels(options: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the labels that every question chooses among; none where the questions differ in them."""
    distinct = {tuple(one) for one in options}
    return next(iter(distinct)) if len(distinct) == 1 and len(options) > 1 else ()


def label_estimates(
    gold: Sequence[str], predicted: Sequence[str | None], labels: Sequence[str]
) -> dict[str, Estimate]:
    """Return each label's precision, recall and F1, the mean F1, and what the commonest label would score.

    `predicted` is None where a question was not answered. A label that is never predicted has no precision,
    and an F1 of 0; one that is never right has no recall, and does not count towards the mean.

    Raises:
        ValueError: there is no question, or the two do not pair.
    """
    if not gold or len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold labels do not pair with {len(predicted)} predictions")
    nothing = float("nan")
    right = Counter(label for label, said in zip(gold, predicted, strict=True) if label == said)
    wanted, said = Counter(gold), Counter(predicted)
    found = {"majority_accuracy": Estimate(max(wanted.values()) / len(gold), nothing, nothing, len(gold))}
    scores = []
    for label in labels:
        if said[label]:
            found[f"precision:{label}"] = proportion(right[label], said[label])
        if wanted[label]:
            found[f"recall:{label}"] = proportion(right[label], wanted[label])
            score = 2 * right[label] / (wanted[label] + said[label])
            scores.append(score)
            found[f"f1:{label}"] = Estimate(score, nothing, nothing, wanted[label])
    if scores:
        found["macro_f1"] = Estimate(math.fsum(scores) / len(scores), nothing, nothing, len(gold))
    return found
