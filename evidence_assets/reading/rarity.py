"""How rare words are among texts: a question's sentences, a table's rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


class Rarity:
    """Inverse document frequency of words over n texts: ln(1 + (n - f + .5) / (f + .5)), as in BM25."""

    def __init__(self, texts: Sequence[frozenset[str]]) -> None:
        self._count = len(texts)
        self._frequency: dict[str, int] = {}
        for text in texts:
            for word in text:
                self._frequency[word] = self._frequency.get(word, 0) + 1

    def __contains__(self, word: str) -> bool:
        return word in self._frequency

    def weight(self, word: str) -> float:
        """Return a word's weight; a word that no text has gets the greatest."""
        frequency = self._frequency.get(word, 0)
        return float(np.log1p((self._count - frequency + 0.5) / (frequency + 0.5)))

    def total(self, words: Iterable[str]) -> float:
        """Return the sum of the words' weights, added in sorted order so that it is reproducible."""
        return sum(map(self.weight, sorted(words)))

    def share(self, wanted: frozenset[str], text: frozenset[str]) -> float:
        """Return the share of the wanted words that a text has, rare words counting more; 0 of none."""
        total = self.total(wanted)
        return self.total(wanted & text) / total if total else 0.0
