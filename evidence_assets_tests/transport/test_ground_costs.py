"""What it costs to explain one word by another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.special import softmax

from evidence_assets.transport.ground_costs import cosine_cost, default_sharpness, jensen_shannon_cost


def unit(count: int, width: int, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(count, width))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def scipys(left: np.ndarray, right: np.ndarray, sharpness: float) -> np.ndarray:
    first, second = softmax(left * sharpness, axis=1), softmax(right * sharpness, axis=1)
    return np.array([[jensenshannon(p, q) ** 2 for q in second] for p in first])


@settings(max_examples=60, deadline=None)
@given(
    left=st.integers(1, 4),
    right=st.integers(1, 5),
    width=st.integers(2, 50),
    sharpness=st.one_of(st.none(), st.floats(0.1, 30)),
    seed=st.integers(0, 999),
)
def test_jensen_shannon_is_scipys(
    left: int, right: int, width: int, sharpness: float | None, seed: int
) -> None:
    one, other = unit(left, width, seed), unit(right, width, seed + 1)
    found = jensen_shannon_cost(one, other, sharpness)
    expected = scipys(one, other, np.sqrt(width) / 2 if sharpness is None else sharpness)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    assert (found >= 0).all()
    assert (found <= np.log(2) + 1e-9).all()


@pytest.mark.parametrize(
    ("kind", "sharpness"),
    [(np.float32, 20.0), (np.float32, 200.0), (np.float64, 1000.0), (np.float64, 10_000.0)],
)
def test_jensen_shannon_stays_finite_however_sharp(sharpness: float, kind: type) -> None:
    vectors = unit(4, 64, 0).astype(kind)
    found = jensen_shannon_cost(vectors, vectors, sharpness)
    np.testing.assert_allclose(
        found, scipys(vectors.astype(np.float64), vectors.astype(np.float64), sharpness), atol=1e-4
    )


def test_equal_words_cost_nothing_and_opposite_ones_most() -> None:
    vectors = unit(5, 32, 1)
    np.testing.assert_allclose(np.diag(cosine_cost(vectors, vectors)), 0, atol=1e-12)
    np.testing.assert_allclose(np.diag(jensen_shannon_cost(vectors, vectors)), 0, atol=1e-12)
    np.testing.assert_allclose(np.diag(cosine_cost(vectors, -vectors)), 1 / 8)


@pytest.mark.parametrize("width", [64, 384, 1024])
def test_cosine_is_the_expansion_of_jensen_shannon(width: int) -> None:
    sharpness = default_sharpness(width)
    assert sharpness == pytest.approx(np.sqrt(width) / 2)
    left, right = unit(20, width, 2), unit(30, width, 3)
    cosine = cosine_cost(left, right)
    np.testing.assert_allclose(cosine, sharpness**2 / (4 * width) * (1 - left @ right.T), rtol=1e-12)
    # At the default sharpness alike; exactly so as the softmax flattens.
    divergence = jensen_shannon_cost(left, right)
    assert np.abs(divergence / cosine - 1).max() < (0.4 if width < 100 else 0.25)
    assert np.corrcoef(divergence.ravel(), cosine.ravel())[0, 1] > 0.7
    flat = jensen_shannon_cost(left, right, 0.05)
    centred_left, centred_right = (v - v.mean(axis=1, keepdims=True) for v in (left, right))
    distance = ((centred_left[:, None] - centred_right[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(flat, 0.05**2 / (8 * width) * distance, rtol=0.02)
