"""How much of a text's mass each of its words carries."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.marginals import (
    Marginal,
    bm25_marginal,
    idf_marginal,
    printed_bm25_marginal,
    uniform_marginal,
)
from evidence_assets.text.term_statistics import TermStatistics, count_terms, from_table
from evidence_assets_tests.testing.profiles import examples

STATISTICS = from_table(count_terms(["the cat sat on the mat", "the dog", "the the bird", "a cat"], "k"))
HOLDING = {"the": 3, "cat": 2, "dog": 1, "a": 1}
NOTHING = TermStatistics({}, 0, 0.0)


def saturation(word: str, words: list[str]) -> float:
    frequency = words.count(word)
    return frequency * 2.2 / (frequency + 1.2 * (1 - 0.75 + 0.75 * len(words) / (13 / 4)))


def odds(word: str) -> float:
    holding = HOLDING.get(word, 0)
    return (4 - holding + 0.5) / (holding + 0.5)


@examples(100)
@given(st.lists(st.sampled_from(["the", "cat", "dog", "unknown", "a"]), min_size=1, max_size=20))
def test_weights_are_bm25_and_its_parts(words: list[str]) -> None:
    idf = np.array([math.log(1 + odds(word)) for word in words])
    printed = np.array([max(0.0, math.log(odds(word))) for word in words])
    saturated = np.array([saturation(word, words) for word in words])
    np.testing.assert_allclose(idf_marginal(words, STATISTICS), idf, rtol=1e-12)
    np.testing.assert_allclose(bm25_marginal(words, STATISTICS), idf * saturated, rtol=1e-12)
    expected = printed * saturated if printed.any() else np.ones(len(words))
    np.testing.assert_allclose(printed_bm25_marginal(words, STATISTICS), expected, rtol=1e-12)
    np.testing.assert_array_equal(uniform_marginal(words, STATISTICS), np.ones(len(words)))


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    the, dog = bm25_marginal(["the", "dog"], STATISTICS)
    assert dog > the > 0


def test_as_printed_a_word_of_most_texts_weighs_nothing() -> None:
    the, dog = printed_bm25_marginal(["the", "dog"], STATISTICS)
    assert dog > the == 0
    np.testing.assert_array_equal(printed_bm25_marginal(["the", "the"], STATISTICS), [1, 1])


def test_a_longer_text_has_more_mass() -> None:
    short, long = (bm25_marginal(["cat", "dog"] * times, STATISTICS).sum() for times in (1, 3))
    assert long > short


@pytest.mark.parametrize(
    "marginal",
    [uniform_marginal, idf_marginal, bm25_marginal, printed_bm25_marginal],
    ids=lambda m: m.__name__,
)
def test_no_token_has_no_weight_and_unknown_ones_weigh_equally(marginal: Marginal) -> None:
    assert marginal([], STATISTICS).shape == (0,)
    weights = marginal(["a", "b", "c"], NOTHING)
    assert weights.shape == (3,)
    assert (weights > 0).all()
    assert len(set(weights.tolist())) == 1
