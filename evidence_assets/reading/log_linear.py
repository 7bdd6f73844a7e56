"""A log-linear model of candidates: which is right, with the probability that none is.

A candidate is a set of named features. The weights are fitted by `benchmarks.fitting`, which maximises the
marginal likelihood of right candidates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from evidence_assets.reading.accounting import MEASURED
from evidence_assets.reading.combination import softmax

Features = Mapping[str, float]


def probabilities(candidates: Sequence[Features], weights: Mapping[str, float]) -> list[float]:
    """Return the probability of each candidate that it is the right one; they sum to one."""
    scores = np.array(
        [sum(weights.get(name, 0.0) * value for name, value in candidate.items()) for candidate in candidates]
    )
    shares: list[float] = softmax(scores).tolist() if len(scores) else []
    return shares


@cache
def weights_of(name: str) -> Mapping[str, float]:
    """Return weights that were fitted: `measured/ranking_NAME.json`."""
    text = files(MEASURED).joinpath(f"ranking_{name}.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights
