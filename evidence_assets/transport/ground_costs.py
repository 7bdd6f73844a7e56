"""Ground costs between word vectors: what it costs to explain one word by another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatMatrix = NDArray[np.floating]


def default_sharpness(dimension: int) -> float:
    """Return s = sqrt(d) / 2, the softmax sharpness that ranked best."""
    return float(np.sqrt(dimension) / 2)


def cosine_cost(left: FloatMatrix, right: FloatMatrix) -> FloatMatrix:
    """Return (m, n) costs (s^2 / 4d)(1 - cos) of unit vectors (m, d), (n, d); s = sqrt(d)/2 gives 1/16.

    The scale is that of `jensen_shannon_cost` at its default sharpness, whose second-order expansion this
    is, so that weights and thresholds carry over between the two.
    """
    return (1.0 - left @ right.T) / 16.0


def jensen_shannon_cost(left: FloatMatrix, right: FloatMatrix, sharpness: float | None = None) -> FloatMatrix:
    """Return (m, n) Jensen-Shannon divergences, in nats, of softmax(s x) over the vectors' dimensions.

    Thesis eq. 7.4 to 7.6 with unit vectors unscaled; s defaults to sqrt(d)/2. Memory: m x n x d.
    """
    from scipy.special import entr

    scale = default_sharpness(left.shape[1]) if sharpness is None else sharpness
    first, second = _softmax(left * scale), _softmax(right * scale)
    mean = 0.5 * (first[:, None, :] + second[None, :, :])
    own = 0.5 * (entr(first).sum(axis=1)[:, None] + entr(second).sum(axis=1)[None, :])
    divergence = entr(mean).sum(axis=2) - own
    result: FloatMatrix = np.maximum(divergence, 0.0)
    return result


def _softmax(values: FloatMatrix) -> FloatMatrix:
    exponentials = np.exp(values - values.max(axis=1, keepdims=True))
    result: FloatMatrix = exponentials / exponentials.sum(axis=1, keepdims=True)
    return result
