"""Measures of options to scores and probabilities: few weights, blended by how near the evidence comes.

A pure function of an array, for any system that measures options. The measures are centred over a question's
options, so that what all options share decides nothing, and weighed by two sets of weights: `near`, where
evidence speaks of the question, and `far`, where it does not and what the options say of themselves counts.
Between the two the weights are blended in proportion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
# Scores are rounded so that equal options score equally, whatever row of a product they stood in.
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of f measures: `near` and `far`, (f,), and the nearness at which each holds alone.

    `low`, `high`: at a nearness of `low` or less the weights are `far`, from `high` on `near`. The weights'
    scale was fitted with them: the softmax of the scores is calibrated on questions like those.
    """

    near: Scores
    far: Scores
    low: float = 0.0
    high: float = 1.0

    def at(self, nearness: float) -> Scores:
        """Return the weights, (f,), that hold at this nearness of the evidence."""
        share = min(1.0, max(0.0, (nearness - self.low) / (self.high - self.low)))
        blended: Scores = share * self.near + (1.0 - share) * self.far
        return blended


def combined(measures: Scores, weights: Weights, nearness: float) -> Scores:
    """Return one score an option, (n,), of which the softmax is the probability.

    Args:
        measures: (n, f) finite, at least one option; those that speak for an option are the greater.
        nearness: How near the nearest evidence comes to the question with any of its options: a cosine, 0
            without evidence.

    Raises:
        ValueError: there is no option, a measure is no number, or there are not as many weights as measures.
    """
    if measures.ndim != 2 or not len(measures):
        raise ValueError(f"measures of shape {measures.shape}: there must be a row for each of some options")
    if measures.shape[1] != len(weights.near) or measures.shape[1] != len(weights.far):
        raise ValueError(
            f"{measures.shape[1]} measures, and {len(weights.near)} and {len(weights.far)} weights; remedy: "
            "give a weight for each measure"
        )
    if not np.isfinite(measures).all():
        raise ValueError("a measure is no finite number; remedy: give what was not measured the others' mean")
    scores: Scores = ((measures - measures.mean(axis=0)) @ weights.at(nearness)).round(_DECIMALS)
    return scores


def softmax(scores: NDArray[np.floating]) -> Scores:
    """Return probabilities, (n,), of scores (n,)."""
    exponentials = np.exp(scores - scores.max())
    result: Scores = exponentials / exponentials.sum()
    return result
