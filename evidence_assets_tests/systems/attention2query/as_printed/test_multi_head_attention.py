"""Untrained multi-head attention: distributions, the same draw every time, the order of the cosines."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from evidence_assets.systems.attention2query.as_printed.multi_head_attention import (
    attend,
    two_passes,
    untrained,
)
from evidence_assets.systems.attention2query.subgraphs import cosine_attention


def units(n: int, width: int = 6, seed: int = 0) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(n, width)).astype(np.float32)
    normed: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return normed


def test_attention_weights_are_distributions_and_the_draw_is_fixed() -> None:
    queries, keys = units(3, 8), units(5, 8, 1)
    weights, mixed = attend(queries, keys, untrained(8))
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert mixed.shape == (3, 8 * 48)
    again = two_passes(queries, keys, untrained(8))
    np.testing.assert_array_equal(again, two_passes(queries, keys, untrained(8)))
    assert again.mean() == pytest.approx(1, abs=1e-5)
    assert len(two_passes(queries, keys[:0], untrained(8))) == 0


def test_an_untrained_attention_follows_the_cosine() -> None:
    nodes = units(400, 32)
    question = nodes[:1]
    scores, cosines = two_passes(question, nodes, untrained(32)), cosine_attention(question, nodes)
    assert np.corrcoef(np.log(scores), cosines)[0, 1] > 0.9
