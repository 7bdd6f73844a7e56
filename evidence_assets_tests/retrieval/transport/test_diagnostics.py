"""Two measurements that decide which comparison of word vectors can work."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport.diagnostics import (
    associate,
    cost_against_weight,
    norm_against_length,
)
from evidence_assets.retrieval.transport.ground_costs import Cosine, JensenShannon
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets_tests.testing.transport_texts import unit


def encoded(random: np.random.Generator, words: int, length: float) -> EncodedWords:
    vectors = (unit(random, words, 5) * length).astype(np.float32) if words else np.empty((0, 5), np.float32)
    return EncodedWords(["w"] * words, vectors, unit(random, 1, 5)[0].astype(np.float32))


def test_association_is_spearmans() -> None:
    random = np.random.default_rng(0)
    left = random.normal(size=50)
    right = left + random.normal(size=50)
    association = associate(left, right.tolist())
    assert association.correlation == pytest.approx(spearmanr(left, right).statistic)
    np.testing.assert_array_equal(association.first, left)
    np.testing.assert_array_equal(association.second, right)


@pytest.mark.parametrize(("left", "right"), [([], []), ([1], [2]), ([1, 1], [1, 2]), ([1, 2], [3, 3])])
def test_what_does_not_vary_has_no_correlation(left: list[float], right: list[float]) -> None:
    assert np.isnan(associate(left, right).correlation)


def test_norms_that_grow_with_length_are_seen() -> None:
    random = np.random.default_rng(0)
    sizes = list(range(1, 21))
    growing = norm_against_length([encoded(random, size, size**0.5) for size in [0, *sizes]])
    assert growing.correlation == pytest.approx(1)
    assert growing.first.tolist() == sizes
    np.testing.assert_allclose(growing.second, np.sqrt(sizes), rtol=1e-6)
    assert norm_against_length([encoded(random, size, 21.0 - size) for size in sizes]).correlation < -0.99


def test_whether_costs_follow_weight_or_meaning_is_seen() -> None:
    random = np.random.default_rng(0)
    vectors, weights = unit(random, 30, 16), random.uniform(0.1, 10, size=30)
    plain = TokenSet(vectors, weights)
    scaled = TokenSet(vectors * weights[:, None], weights)
    meaning = cost_against_weight([plain], [plain], JensenShannon())
    weight = cost_against_weight([scaled], [scaled], JensenShannon(1.0))
    assert meaning.minus_cosine.correlation > 0.7 > 0.3 > abs(meaning.heavier_weight.correlation)
    assert weight.heavier_weight.correlation > 0.6 > 0.5 > weight.minus_cosine.correlation
    assert len(meaning.heavier_weight.first) == 900
    np.testing.assert_array_equal(meaning.heavier_weight.second, meaning.minus_cosine.second)
    expected = weights[:, None] / weights.mean()
    np.testing.assert_allclose(
        meaning.heavier_weight.first.reshape(30, 30), np.maximum(expected, expected.T), rtol=1e-12
    )


def test_a_word_scaled_to_nothing_is_orthogonal_to_all() -> None:
    vectors = np.array([[1.0, 0, 0], [0, 0, 0]])
    tokens = TokenSet(vectors, np.array([1.0, 0.0]))
    associations = cost_against_weight([tokens], [tokens], JensenShannon(1.0))
    np.testing.assert_allclose(16 * associations.minus_cosine.first, [0, 1, 1, 1])


def test_no_pairs_are_no_points() -> None:
    associations = cost_against_weight([], [], Cosine())
    assert len(associations.heavier_weight.first) == 0
    assert np.isnan(associations.minus_cosine.correlation)
