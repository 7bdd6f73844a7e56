"""Texts as weighted words, and which of them cannot be compared."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet, check_token_set
from evidence_assets_tests.testing.transport_texts import text

WHOLE = text(np.random.default_rng(0), 3)


def test_the_marginal_is_the_weights_over_their_mass() -> None:
    tokens = TokenSet(np.eye(3), np.array([1.0, 0.0, 3.0]))
    assert tokens.mass == 4
    np.testing.assert_array_equal(tokens.marginal, [0.25, 0, 0.75])


def test_sound_texts_pass() -> None:
    check_token_set(WHOLE, "whole")
    check_token_set(WHOLE, "whole", 6)
    check_token_set(replace(WHOLE, sentence=None), "without a sentence")
    check_token_set(replace(WHOLE, weights=np.array([0.0, 0.0, 1e-9])), "weights of 0")
    check_token_set(replace(WHOLE, vectors=WHOLE.vectors.astype(np.float16)), "half precision")


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("part", ["vectors", "weights", "sentence"])
def test_what_is_not_finite_is_refused_by_name(part: str, value: float) -> None:
    array = np.array(getattr(WHOLE, part))
    array.flat[1] = value
    changed: dict[str, Any] = {part: array}
    with pytest.raises(InvalidTokenSetError, match=r"chunk c7: .*not finite"):
        check_token_set(replace(WHOLE, **changed), "chunk c7")


@pytest.mark.parametrize("vectors", [np.empty((0, 6)), np.empty((3, 0)), np.empty(0), np.ones(3)])
def test_no_words_are_refused_by_name(vectors: np.ndarray) -> None:
    with pytest.raises(InvalidTokenSetError, match="chunk c7: no words"):
        check_token_set(replace(WHOLE, vectors=vectors, weights=np.ones(len(vectors))), "chunk c7")


@pytest.mark.parametrize("weights", [np.ones(2), np.ones(4), np.ones((3, 1))])
def test_weights_that_do_not_fit_are_refused_by_name(weights: np.ndarray) -> None:
    with pytest.raises(InvalidTokenSetError, match="query q/0: 3 vectors but weights of shape"):
        check_token_set(replace(WHOLE, weights=weights), "query q/0")


@pytest.mark.parametrize("weights", [[0.0, 0.0, 0.0], [1.0, -1e-9, 1.0], [-1.0, -1.0, -1.0]])
def test_weights_without_mass_or_below_zero_are_refused_by_name(weights: list[float]) -> None:
    with pytest.raises(InvalidTokenSetError, match="chunk c7: weights must not be negative, nor all zero"):
        check_token_set(replace(WHOLE, weights=np.array(weights)), "chunk c7")


def test_what_leaves_single_precision_is_refused_by_name() -> None:
    check_token_set(replace(WHOLE, vectors=WHOLE.vectors * np.float32(1e15)), "long")
    with pytest.raises(InvalidTokenSetError, match=r"chunk c7: a vector reaches beyond 1e\+15"):
        check_token_set(replace(WHOLE, vectors=WHOLE.vectors * np.float32(1e17)), "chunk c7")
    with np.errstate(over="ignore"), pytest.raises(InvalidTokenSetError, match="chunk c7: "):
        check_token_set(replace(WHOLE, weights=np.full(3, 1e308)), "chunk c7")


def test_another_width_is_refused_by_name() -> None:
    with pytest.raises(InvalidTokenSetError, match="chunk c7: vectors have 6 dimensions, the others 8"):
        check_token_set(WHOLE, "chunk c7", 8)
    with pytest.raises(InvalidTokenSetError, match=r"chunk c7: the sentence vector has shape \(5,\)"):
        check_token_set(replace(WHOLE, sentence=np.ones(5)), "chunk c7")
