"""Texts as weighted words, the thing that transport compares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Beyond this, sums of squares leave single precision.
LONGEST = 1e15


class InvalidTokenSetError(ValueError):
    """A text cannot be compared: names it and says what is wrong with its vectors or weights."""


@dataclass(frozen=True, slots=True)
class TokenSet:
    """A text as weighted words.

    `vectors`: (w, d), one a word, as the ground cost is to see them. `weights`: (w,) masses, none negative,
    not all zero. Objectives normalise them; only a capacity (`Partial`) looks at their sum. `sentence`: (d,)
    unit vector of the whole text, for objectives with a sentence term. `words`: (w,) what the rows stand for,
    to show a plan.
    """

    vectors: NDArray[np.floating]
    weights: NDArray[np.float64]
    sentence: NDArray[np.floating] | None = None
    words: Sequence[str] = ()

    @property
    def mass(self) -> float:
        """Sum of the weights."""
        return float(self.weights.sum())

    @property
    def marginal(self) -> NDArray[np.float64]:
        """Return (w,) the weights over their sum."""
        result: NDArray[np.float64] = self.weights / self.weights.sum()
        return result


def check_token_set(tokens: TokenSet, name: str, dimension: int | None = None) -> None:
    """Raise InvalidTokenSetError, naming the text, if its arrays cannot be compared.

    `dimension` is the width its vectors must have, where one is asked for.
    """
    vectors, weights = tokens.vectors, tokens.weights
    if vectors.ndim != 2 or not vectors.size:
        raise InvalidTokenSetError(f"{name}: no words, so nothing to compare; remedy: leave the text out")
    if weights.shape != (len(vectors),):
        raise InvalidTokenSetError(f"{name}: {len(vectors)} vectors but weights of shape {weights.shape}")
    if dimension is not None and vectors.shape[1] != dimension:
        raise InvalidTokenSetError(
            f"{name}: vectors have {vectors.shape[1]} dimensions, the others {dimension}; remedy: encode "
            "all texts with one encoder"
        )
    if tokens.sentence is not None and tokens.sentence.shape != vectors.shape[1:]:
        raise InvalidTokenSetError(
            f"{name}: the sentence vector has shape {tokens.sentence.shape}, the words {vectors.shape[1]} "
            "dimensions"
        )
    # NaN and infinity come out of a maximum too: one pass over the vectors.
    largest = float(np.abs(vectors).max())
    others = weights if tokens.sentence is None else np.concatenate([weights, tokens.sentence])
    if not (math.isfinite(largest) and np.isfinite(others).all() and math.isfinite(tokens.mass)):
        raise InvalidTokenSetError(f"{name}: a vector or a weight is not finite; encode the text anew")
    if largest > LONGEST:
        raise InvalidTokenSetError(f"{name}: a vector reaches beyond {LONGEST:g}; scale the vectors down")
    if (weights < 0).any() or not weights.any():
        raise InvalidTokenSetError(f"{name}: weights must not be negative, nor all zero")
