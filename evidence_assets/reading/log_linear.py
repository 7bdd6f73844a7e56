"""A log-linear model of candidates: which is right, with the probability that none is.

A candidate is a set of named features. The weights maximise the marginal likelihood of right candidates:
several may be right, and which of them was meant is not known (Liang, Jordan and Klein 2011; Pasupat and
Liang 2015).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.reading.accounting import MEASURED
from evidence_assets.reading.combination import softmax

Features = Mapping[str, float]
Candidates = Sequence[tuple[Features, bool]]
_DECIMALS = 3
_MOST_STEPS = 300


def probabilities(candidates: Sequence[Features], weights: Mapping[str, float]) -> list[float]:
    """Return the probability of each candidate that it is the right one; they sum to one."""
    scores = np.array(
        [sum(weights.get(name, 0.0) * value for name, value in candidate.items()) for candidate in candidates]
    )
    shares: list[float] = softmax(scores).tolist() if len(scores) else []
    return shares


def fitted(groups: Sequence[Candidates], penalty: float) -> dict[str, float]:
    """Return the weights of features under which the right candidates are likeliest.

    Parameters
    ----------
    groups
        Of each question its candidates, each with whether it is right. A group without a right candidate, or
        without a wrong one, is uninformative and left out.
    penalty
        Of the squared weights (ridge).
    """
    from scipy.optimize import minimize

    telling = [group for group in groups if 0 < sum(right for _, right in group) < len(group)]
    if not telling:
        return {}
    feature_names = {name for group in telling for features, _ in group for name in features}
    names = {name: place for place, name in enumerate(sorted(feature_names))}
    matrix, right, starts = _stacked(telling, names)
    sizes = np.diff(np.append(starts, len(right)))
    transposed = matrix.T.tocsr()

    def objective(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = matrix @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        powers = np.exp(np.maximum(scores, -500.0))
        sums, right_sums = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts)
        loss = float(np.log(sums).sum() - np.log(right_sums).sum()) + penalty / 2 * float(weights @ weights)
        drawn = powers / np.repeat(sums, sizes) - powers * right / np.repeat(right_sums, sizes)
        return loss, transposed @ drawn + penalty * weights

    optimum = minimize(
        objective, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}
    )
    return {name: float(optimum.x[place]) for name, place in names.items()}


def _stacked(groups: Sequence[Candidates], names: Mapping[str, int]) -> tuple[Any, Any, Any]:
    """Return the features of all candidates, (n, f) and sparse, which are right, and where groups start."""
    from scipy.sparse import csr_matrix

    values: list[float] = []
    right: list[float] = []
    columns: list[int] = []
    ends, starts = [0], []
    for group in groups:
        starts.append(len(right))
        for features, is_right in group:
            columns += [names[name] for name in features]
            values += features.values()
            ends.append(len(columns))
            right.append(float(is_right))
    shape = len(right), len(names)
    return csr_matrix((values, columns, ends), shape=shape), np.array(right), np.array(starts)


@cache
def weights_of(name: str) -> Mapping[str, float]:
    """Return weights that were fitted: `measured/ranking_NAME.json`."""
    text = files(MEASURED).joinpath(f"ranking_{name}.json").read_text(encoding="utf-8")
    weights: dict[str, float] = json.loads(text)["weights"]
    return weights


def keep_weights(path: Path, weights: Mapping[str, float], fitted_on: str) -> None:
    """Write weights as `weights_of` reads them, with what they were fitted on; those of zero are left out."""
    kept = {name: round(weight, _DECIMALS) for name, weight in sorted(weights.items())}
    content = {"fitted_on": fitted_on, "weights": {name: weight for name, weight in kept.items() if weight}}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
