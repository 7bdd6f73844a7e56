"""What options give away of themselves, and the conditional logit behind it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.weighing.conditional_logit import fitted_weights
from evidence_assets.reading.weighing.option_bias import option_biases

RNG = np.random.default_rng(5)


def encode(texts: Sequence[str]) -> FloatArray:
    """One direction says whether a text begins with `all`; the rest is noise of the text's own."""
    vectors = [
        [float(text.startswith("all")), *np.random.default_rng(len(text)).normal(size=3)] for text in texts
    ]
    return np.array(vectors, dtype=np.float32).reshape(-1, 4)


def test_habits_of_a_set_are_found_and_questions_without_them_have_none() -> None:
    options = [[f"all of {n}", f"some of {n}", f"none of {n}"] for n in range(200)]
    habit = option_biases(options, [0] * 150 + [1] * 50, encode)
    assert np.mean([bias.argmax() == 0 for bias in habit]) > 0.9
    assert np.mean([bias[0] - bias[1] for bias in habit]) > 0.5
    blind = option_biases(options, RNG.integers(3, size=200).tolist(), encode)
    assert np.mean([np.ptp(bias) for bias in blind]) < 0.6


def test_a_half_is_scored_with_what_the_other_half_teaches() -> None:
    """A question changes no bias of its own half."""
    options = [[f"all of {n}", f"some of {n}"] for n in range(60)]
    right = [0] * 60
    before = option_biases(options, right, encode)
    changed = option_biases(options, [1, *right[1:]], encode)
    same = [np.array_equal(bias, changed_bias) for bias, changed_bias in zip(before, changed, strict=True)]
    assert same[0] and 10 < sum(same) < 50
    assert option_biases([["a", "b"]], [1], encode)[0].tolist() == [0.0, 0.0]


def test_weights_are_those_that_the_answers_were_drawn_with() -> None:
    wanted = np.array([1.5, -0.7])
    rows = [RNG.normal(size=(4, 2)) for _ in range(4_000)]
    rows = [row - row.mean(axis=0) for row in rows]
    right = [int((row @ wanted + RNG.gumbel(size=4)).argmax()) for row in rows]
    assert fitted_weights(rows, right, 0.01) == pytest.approx(wanted, abs=0.1)
    assert fitted_weights(rows, right, 0.01, negative=False)[1] == 0.0
    assert np.abs(fitted_weights(rows, right, 1e6)).max() < 0.01


def test_questions_may_offer_different_numbers_of_options() -> None:
    rows = [np.array([[1.0], [-1.0]]), np.array([[2.0], [-1.0], [-1.0]])] * 20
    [weight] = fitted_weights(rows, [0, 0] * 20, 1.0)

    def loss(weights: np.ndarray) -> float:
        shares = [np.exp(row @ weights)[0] / np.exp(row @ weights).sum() for row in rows]
        return float(-np.log(shares).sum() + weights @ weights / 2)

    numeric = (loss(np.array([weight + 1e-5])) - loss(np.array([weight - 1e-5]))) / 2e-5
    assert abs(numeric) < 1e-3, "the gradient vanishes at the minimum"
