"""Which relations a question is likely to speak of, as a whole and by a word of it.

The question, with the nouns of their types in place of names, is compared with each relation said of the
types at its ends: what joins the types that a question names is likely meant, and its words tell the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

# How much nearer a likelier relation is: fitted, with the weight of a word, on which relations the queries of
# development questions walk that no word of them names.
SHARPNESS, OF_A_WORD = 12.0, 0.5


class Likelihoods:
    """The relations of one question by how likely they are.

    Parameters
    ----------
    names, sentences
        The relations, and (r,) the cosine of the question to each.
    cosines
        Of each word its cosines to (r,) relations and (t,) types.
    types
        The types, in the order of `cosines`.
    """

    def __init__(
        self,
        names: Sequence[str],
        sentences: np.ndarray,
        cosines: Mapping[str, tuple[np.ndarray, np.ndarray]],
        types: Sequence[str],
    ) -> None:
        self._place = {name: place for place, name in enumerate(names)}
        self._sentences, self._cosines, self._types = sentences, cosines, types

    def of(self, relation: str) -> float:
        """Return the cosine of the question to a relation."""
        return float(self._sentences[self._place[relation]])

    def among(self, relation: str, options: Collection[str]) -> float:
        """Return how likely a relation is meant, if one of several is."""
        scores = self._sentences[[self._place[name] for name in options]]
        weights = np.exp(SHARPNESS * (scores - scores.max()))
        return round(float(weights[list(options).index(relation)] / weights.sum()), 6)

    def relations_of(self, words: Sequence[str]) -> dict[str, float]:
        """Return how likely words that name no relation stand for each."""
        known = [self._cosines[word][0] for word in words if word in self._cosines]
        if not known or not self._place:
            return {}
        return dict(
            zip(self._place, _shares(self._sentences + OF_A_WORD * np.max(known, axis=0)), strict=True)
        )

    def types_of(self, word: str) -> dict[str, float]:
        """Return how likely a word that names no type stands for each."""
        if word not in self._cosines or not self._types:
            return {}
        return dict(zip(self._types, _shares(self._cosines[word][1]), strict=True))


def _shares(scores: np.ndarray) -> list[float]:
    weights = np.exp(SHARPNESS * (scores - scores.max()))
    shares: list[float] = np.round(weights / weights.sum(), 6).tolist()
    return shares
