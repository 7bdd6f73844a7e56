"""Which relations a question is likely to speak of, as a whole and by a word of it.

The question, with the nouns of their types in place of names, is compared with each relation in words
between the types at its ends: what joins the types that a question names is likely meant, and its words
decide the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from evidence_assets.kgqa.slots.senses import RelationSense
from evidence_assets.reading.weighing.combination import softmax

# How much nearer a likelier relation is: fitted, with the weight of a word, on which relations the queries of
# development questions walk that no word of them names.
SHARPNESS, OF_A_WORD = 12.0, 0.5
# How much less likely a relation is, in cosines, to be meant again that is named already.
SAID = 0.15


class Likelihoods:
    """The relations of one question by how likely they are.

    Args:
        names, sentences: The relations, and (r,) the cosine of the question to each.
        cosines: Of each word its cosines to (r,) relations and (t,) types.
        types: The types, in the order of `cosines`.
        named: The relations that words of the question name: others are likelier where no word does.
        near: Of words that no relation has, those whose words are used as they are in the question.
    """

    def __init__(
        self,
        names: Sequence[str],
        sentences: np.ndarray,
        cosines: Mapping[str, tuple[np.ndarray, np.ndarray]],
        types: Sequence[str],
        named: Collection[str] = (),
        near: Mapping[str, Sequence[RelationSense]] | None = None,
    ) -> None:
        self.near = near or {}
        self._place = {name: place for place, name in enumerate(names)}
        self._cosines, self._types = cosines, types
        self._sentences = sentences - SAID * np.array([name in named for name in names])

    def among(self, relation: str, options: Collection[str]) -> float:
        """Return how likely a relation is meant, if one of several is."""
        scores = self._sentences[[self._place[name] for name in options]]
        shares = softmax(SHARPNESS * (scores - scores.max()))
        return round(float(shares[list(options).index(relation)]), 6)

    def relations_of(self, words: Sequence[str]) -> dict[str, float]:
        """Return how likely words that name no relation stand for each."""
        if not self._place:
            return {}
        of_relations = [self._cosines[word][0] for word in words if word in self._cosines]
        of_words = OF_A_WORD * np.max(of_relations, axis=0) if of_relations else 0.0
        return dict(zip(self._place, _shares(self._sentences + of_words), strict=True))

    def types_of(self, words: Sequence[str]) -> dict[str, float]:
        """Return how likely words that name no type stand for each."""
        of_types = [self._cosines[word][1] for word in words if word in self._cosines]
        if not of_types or not self._types:
            return {}
        return dict(zip(self._types, _shares(np.max(of_types, axis=0)), strict=True))


def _shares(scores: np.ndarray) -> list[float]:
    # The greatest is taken away before it is sharpened: afterwards the others would be rounded otherwise.
    shares: list[float] = np.round(softmax(SHARPNESS * (scores - scores.max())), 6).tolist()
    return shares
