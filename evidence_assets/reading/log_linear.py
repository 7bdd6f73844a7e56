"""A log-linear model of candidates: which is right, with the probability that none is.

A candidate is a set of named features. The weights are fitted by `benchmarks.fitting`, which maximises the
marginal likelihood of right candidates.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from evidence_assets.reading.accounting import MEASURED

Features = Mapping[str, float]


def probabilities(candidates: Sequence[Features], weights: Mapping[str, float]) -> list[float]:
    """Return the probability of each candidate that it is the right one; they sum to one."""
    # Of a few candidates arrays would cost more than what they hold.
    scores = [
        sum([weights.get(name, 0.0) * value for name, value in candidate.items()]) for candidate in candidates
    ]
    highest = max(scores, default=0.0)
    odds = [math.exp(score - highest) for score in scores]
    total = math.fsum(odds)
    return [odd / total for odd in odds]


@cache
def weights_of(name: str) -> Mapping[str, float]:
    """Return weights that were fitted: `measured/ranking_NAME.json`."""
    text = files(MEASURED).joinpath(f"ranking_{name}.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights
