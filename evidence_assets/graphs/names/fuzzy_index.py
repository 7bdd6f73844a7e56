"""Fuzzy search of aliases: every alias within an indel ratio of a phrase, filtered by shared trigrams."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

# Least indel ratio, of 100, of a phrase and an alias that match.
RATIO = 90.0
_BUCKETS = 1 << 20
_FIRST, _SECOND, _THIRD = (np.uint32(prime) for prime in (2654435761, 2246822519, 3266489917))


class FuzzyIndex:
    """Finds the aliases whose indel ratio to a phrase is at least 90, without comparing all of them.

    With s and t of lengths a and b, the ratio 100 (1 - D / (a + b)) is at least 90 only where at most
    D <= (a + b) / 10 insertions and deletions turn s into t. Each of them breaks at most three trigrams of s
    (with one boundary sign before and behind, s has a of them), so t shares at least a - 3 D trigrams with s.
    Only aliases of a fitting length that share as many are compared, by rapidfuzz; the answer is that of a
    comparison with all. Trigrams are hashed: a collision adds a comparison and loses nothing.

    `aliases`: Arrow strings, in any order; results are their positions.
    """

    def __init__(self, aliases: pa.Array) -> None:
        self._aliases = aliases
        texts = aliases.to_pylist()
        self._lengths = np.array([len(text) for text in texts], dtype=np.int32)
        grams, owner = _trigrams(texts)
        order = np.argsort(grams, kind="stable")
        self._owner = owner[order]
        self._offsets = np.searchsorted(grams[order], np.arange(_BUCKETS + 1, dtype=np.uint32))

    def nearest(self, phrase: str) -> list[tuple[int, float]]:
        """Return (position, ratio of 100) of the aliases within the ratio, the nearest first."""
        from rapidfuzz import fuzz

        near = []
        for position in self._candidates(phrase).tolist():
            ratio = fuzz.ratio(phrase, self._aliases[position].as_py(), score_cutoff=RATIO)
            if ratio >= RATIO:
                near.append((position, float(ratio)))
        return sorted(near, key=lambda item: (-item[1], item[0]))

    def _candidates(self, phrase: str) -> NDArray[np.int64]:
        length = len(phrase)
        slack = (100.0 - RATIO) / 100.0
        # |a - b| <= D <= slack (a + b)
        shortest = math.ceil(length * (1 - slack) / (1 + slack) - 1e-9)
        longest = math.floor(length * (1 + slack) / (1 - slack) + 1e-9)
        postings = [
            self._owner[self._offsets[gram] : self._offsets[gram + 1]]
            for gram in np.unique(_trigrams([phrase])[0]).tolist()
        ]
        shared = np.bincount(np.concatenate(postings), minlength=len(self._lengths)) if postings else None
        if shared is None:
            return np.empty(0, dtype=np.int64)
        edits = np.floor(slack * (length + self._lengths) + 1e-9)
        fits = (self._lengths >= shortest) & (self._lengths <= longest)
        return np.flatnonzero(fits & (shared >= length - 3 * edits) & (shared > 0))


def _trigrams(texts: list[str]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return the hashed trigrams of all texts, and the text of each. n characters have n trigrams."""
    joined = "".join(f"\n{text}\n" for text in texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if not len(codes):
        return np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.int32)
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths + 2)])[:-1]
    owner = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    begins = np.repeat(starts, lengths) + within
    mixed = codes[begins] * _FIRST ^ codes[begins + 1] * _SECOND ^ codes[begins + 2] * _THIRD
    return (mixed ^ (mixed >> np.uint32(15))) & np.uint32(_BUCKETS - 1), owner
