"""What a phrase says between two types: the relations that it may be another wording of.

A phrase is compared with a relation in the relation's own frame: "drug is used for disease" with "drug
treats disease". How near two sentences of the same nouns are depends on the nouns, so a likeness counts by
how far it stands out among those of common verbs in the same place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import simplemma
from numpy.typing import NDArray

from evidence_assets.models.encoder import Encoder
from evidence_assets.text.function_words import common_verbs

Vectors = NDArray[np.float32]
# A graph of more pairs of types has too many frames to encode for a question.
MOST_FRAMES = 60
# How far a phrase must stand out to be read as a relation; how far below the nearest relation of the same
# types another one is no rival of it.
LEAST, LEAD = 2.5, 1.5
# Where a likeness is as often right as not, and how fast that changes: set by hand, it only orders readings.
EVEN, STEEPNESS = 2.2, 0.9


class Wording(NamedTuple):
    """A relation's sentence between two types, the number of their pair, and which of them stands first."""

    relation: str
    pair: int
    first: int
    sentence: str


class Frames:
    """The pairs of types that relations join, and what phrases say between them.

    Parameters
    ----------
    ends
        Of each relation the nouns of its head and its tail, in the order of its name.
    names
        Of each relation its name as words.
    """

    def __init__(
        self, ends: Mapping[str, tuple[str, str]], names: Mapping[str, Sequence[str]], encoder: Encoder
    ) -> None:
        self._encoder = encoder
        pairs = list(dict.fromkeys(_unordered(each) for each in ends.values()))
        self._pairs = pairs if len(pairs) <= MOST_FRAMES else []
        number = {pair: place for place, pair in enumerate(self._pairs)}
        self._wordings = [
            Wording(name, number[pair], int(subject != pair[0]), sentence)
            for name, nouns in ends.items()
            if (pair := _unordered(nouns)) in number
            for subject, sentence in _sentences(nouns, names[name])
        ]
        self._of = [wording.pair for wording in self._wordings]
        self._known: dict[str, list[tuple[str, float]]] = {}

    @cached_property
    def _vectors(self) -> tuple[Vectors, Vectors, Vectors]:
        """Return (p, 2, d) what nouns say alone, and each wording's sentence and what it adds, (w, d)."""
        texts = [f"{a} {b}" for pair in self._pairs for a, b in (pair, pair[::-1])]
        texts += [wording.sentence for wording in self._wordings]
        vectors = self._encoder.encode(texts)
        alone = vectors[: 2 * len(self._pairs)].reshape(len(self._pairs), 2, -1)
        said = vectors[2 * len(self._pairs) :]
        first = [wording.first for wording in self._wordings]
        return alone, said, _unit(said - alone[self._of, first])

    @cached_property
    def _common(self) -> tuple[Vectors, Vectors]:
        """Return (4, w) means and spreads of common verbs' likenesses to each wording."""
        alike = self._alike(common_verbs())
        return alike.mean(axis=0), alike.std(axis=0) + np.float32(1e-6)

    def likely(self, phrase: str) -> list[tuple[str, float]]:
        """Return the relations that a phrase may be another wording of, each with how likely it is."""
        if phrase not in self._known:
            self._known[phrase] = self._likely(phrase) if self._wordings else []
        return self._known[phrase]

    def _likely(self, phrase: str) -> list[tuple[str, float]]:
        mean, spread = self._common
        standing = (self._alike([phrase])[0] - mean) / spread
        # Either order of the nouns: likeness of sentences, and of what the phrase adds to the nouns.
        scores = np.maximum(standing[0] + standing[2], standing[1] + standing[3])
        of_relation: dict[str, float] = {}
        best = [-np.inf] * len(self._pairs)
        for wording, score in zip(self._wordings, scores.tolist(), strict=True):
            of_relation[wording.relation] = max(score, of_relation.get(wording.relation, -np.inf))
            best[wording.pair] = max(score, best[wording.pair])
        pair = {wording.relation: wording.pair for wording in self._wordings}
        return [
            (name, likelihood(best[pair[name]]))
            for name, score in of_relation.items()
            if score >= best[pair[name]] - LEAD and best[pair[name]] >= LEAST
        ]

    def _alike(self, phrases: Sequence[str]) -> Vectors:
        """Return (n, 4, w) likenesses: of sentences either way around, and of what is added to the nouns."""
        alone, said, added = self._vectors
        texts = [
            f"{a} {phrase} {b}" for phrase in phrases for pair in self._pairs for a, b in (pair, pair[::-1])
        ]
        vectors = self._encoder.encode(texts).reshape(len(phrases), len(self._pairs), 2, -1)
        adds = _unit(vectors - alone)
        sentences = [(vectors[:, self._of, way] * said).sum(axis=-1) for way in (0, 1)]
        differences = [(adds[:, self._of, way] * added).sum(axis=-1) for way in (0, 1)]
        # Rounded: equal in every batch and on every machine.
        return np.round(np.stack([*sentences, *differences], axis=1), 6)


def likelihood(score: float) -> float:
    """Return how likely a phrase that stands out so far says a relation."""
    return round(float(1 / (1 + np.exp(-STEEPNESS * (score - EVEN)))), 4)


def _unordered(nouns: tuple[str, str]) -> tuple[str, str]:
    first, second = sorted(nouns)
    return first, second


def _sentences(nouns: tuple[str, str], name: Sequence[str]) -> list[tuple[str, str]]:
    """Return a relation between its nouns, also in the active voice, each with its subject."""
    head, tail = nouns
    sentences = [(head, f"{head} {' '.join(name)} {tail}")]
    verb = [word for word in name[:-1] if word not in ("is", "are", "was", "were")]
    if name[-1:] == ("by",) and verb:
        active = " ".join([f"{simplemma.lemmatize(verb[0], lang='en')}s", *verb[1:]])
        sentences.append((tail, f"{tail} {active} {head}"))
    return sentences


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return unit
