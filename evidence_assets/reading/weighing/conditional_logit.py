"""Conditional logit: weights of options' features under which the right options are likeliest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def fitted_weights(
    rows: Sequence[Values], right: Sequence[int], penalty: float, negative: bool = True
) -> Values:
    """Return (f,) weights that maximise the log-likelihood of the right options, less a ridge penalty.

    Args:
        rows: Of each question (n, f), centred over its options.
        negative: Whether a weight may be negative: a cue that speaks for its option may not.
    """
    from scipy.optimize import minimize

    stacked = np.concatenate(rows)
    sizes = [len(row) for row in rows]
    starts = np.cumsum([0, *sizes[:-1]])
    keys = starts + np.asarray(right)

    def objective(weights: Values) -> tuple[float, Values]:
        scores = stacked @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        powers = np.exp(scores)
        shares = powers / np.repeat(np.add.reduceat(powers, starts), sizes)
        loss = -float(np.log(shares[keys]).sum()) + penalty / 2 * float(weights @ weights)
        shares[keys] -= 1.0
        return loss, stacked.T @ shares + penalty * weights

    width = stacked.shape[1]
    bounds = None if negative else [(0.0, None)] * width
    fitted = minimize(objective, np.zeros(width), jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Values = fitted.x
    return weights
