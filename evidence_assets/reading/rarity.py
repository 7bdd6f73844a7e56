"""How rare words are among a question's sentences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Rarity:
    """Inverse document frequency of words in a pool of sentences."""

    def __init__(self, sentences: Sequence[frozenset[str]]) -> None:
        self._count = len(sentences)
        self._frequency: dict[str, int] = {}
        for sentence in sentences:
            for word in sentence:
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def share(self, stems: frozenset[str], sentence: frozenset[str]) -> float:
        """Return the share of the wanted words that the sentence has, rare words counting more."""
        # Sorted: a sum of floats in a set's order would differ between runs.
        total = sum(map(self._weight, sorted(stems)))
        return sum(map(self._weight, sorted(stems & sentence))) / total if total else 0.0

    def _weight(self, word: str) -> float:
        frequency = self._frequency.get(word, 0)
        return float(np.log1p((self._count - frequency + 0.5) / (frequency + 0.5)))
