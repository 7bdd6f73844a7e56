"""Sources of a ranking's chunks: packed in memory, or encoded on demand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.retrieval.transport.ground_costs import GroundCost
from evidence_assets.retrieval.transport.packing import Pack, Packed, pack_sound
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.text.words import words


class TokenSource(Protocol):
    """Numbered chunks, as token sets."""

    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each chunk, or a guess: it only sizes blocks."""

    def name(self, number: int) -> str:
        """Return what an error calls a chunk."""

    def token_sets(self, numbers: NDArray[np.int64]) -> list[TokenSet]:
        """Return some chunks; the same vectors every time."""

    def pack(self, numbers: NDArray[np.int64], ground: GroundCost, dimension: int) -> Pack:
        """Return some chunks packed for a ground cost, without those that cannot be compared."""


class PackedSource:
    """Chunks in memory, packed once: for many questions, one at a time.

    `texts`: the chunks. Half-precision vectors stay so: the lower bounds know what the rounding cost.
    `ground`: the cost they are packed for. `names`: what errors call them. `storage`: precision of the
    features; half takes half the room, and its rounding is allowed for.
    """

    def __init__(
        self,
        texts: Sequence[TokenSet],
        ground: GroundCost,
        names: Sequence[str] = (),
        storage: type[np.floating] = np.float32,
    ) -> None:
        self._texts = texts
        self._ground = ground
        self._names = names
        numbers = np.arange(len(texts))
        labels = [self.name(number) for number in numbers.tolist()]
        # The most common width: one broken text must not make the others mismatch.
        widths = Counter(tokens.vectors.shape[1] for tokens in texts if tokens.vectors.ndim == 2)
        common = widths.most_common(1)[0][0] if widths else None
        pack = pack_sound(numbers, texts, labels, ground, common, storage)
        self._refused = dict(pack.refused)
        self._packed = pack.packed
        self._place = np.full(len(texts), -1)
        self._place[pack.numbers] = np.arange(len(pack.numbers))
        self._lengths = np.array([len(tokens.weights) for tokens in texts], dtype=np.int64)
        self._centroid_norms = np.empty(0)
        if self._packed is not None:
            centroids = self._packed.centroids
            self._centroid_norms = np.einsum("cd,cd->c", centroids, centroids, dtype=np.float64)

    @property
    def packed(self) -> Packed | None:
        """Return the sound chunks, or None if there is none."""
        return self._packed

    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each chunk."""
        return self._lengths

    def name(self, number: int) -> str:
        """Return the chunk's name, or its number."""
        return self._names[number] if self._names else f"chunk {number}"

    def token_sets(self, numbers: NDArray[np.int64]) -> list[TokenSet]:
        """Return some chunks."""
        return [self._texts[number] for number in numbers.tolist()]

    def pack(self, numbers: NDArray[np.int64], ground: GroundCost, dimension: int) -> Pack:
        """Return some chunks packed.

        Raises:
            ValueError: another ground cost or width is asked for than the chunks were packed for.
        """
        if ground != self._ground:
            raise ValueError(f"chunks were packed for {self._ground}, not {ground}: make a source for it")
        refused = {number: self._refused[number] for number in numbers.tolist() if number in self._refused}
        sound = numbers[self._place[numbers] >= 0]
        if self._packed is None or not len(sound):
            return Pack(None, np.empty(0, np.int64), refused)
        if self._packed.features.width != ground.width(dimension):
            raise ValueError(
                f"the question has {dimension} dimensions, the chunks others: encode both with one encoder"
            )
        return Pack(self._packed.take(self._place[sound]), sound, refused)

    def centroid_prior(self, question: Packed) -> NDArray[np.float64]:
        """Return (c,) how far all chunks' mean features are, but for a constant: low is promising."""
        prior = np.full(len(self._place), np.inf)
        if self._packed is not None:
            products = self._packed.centroids @ question.centroids[0]
            prior[self._place >= 0] = self._centroid_norms - 2.0 * products
        return prior


class EncodedSource:
    """Chunks encoded as they are needed; an encoder that remembers (`CachedEncoder`) encodes each once.

    `texts`, `names`: the chunks, and what errors call them. `encoder`: gives the same vectors every time,
    whatever the batch. `represent`: encoded words to a token set.
    """

    def __init__(
        self,
        texts: Sequence[str],
        names: Sequence[str],
        encoder: Encoder,
        represent: Callable[[EncodedWords], TokenSet],
    ) -> None:
        self._texts, self._names = texts, names
        self._encoder, self._represent = encoder, represent
        self._lengths = np.array([len(words(text)) for text in texts], dtype=np.int64)

    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each chunk, those beyond the encoder's limit counted."""
        return self._lengths

    def name(self, number: int) -> str:
        """Return the chunk's name."""
        return self._names[number]

    def token_sets(self, numbers: NDArray[np.int64]) -> list[TokenSet]:
        """Return some chunks."""
        encoded = self._encoder.encode_words([self._texts[number] for number in numbers.tolist()])
        return [self._represent(chunk) for chunk in encoded]

    def pack(self, numbers: NDArray[np.int64], ground: GroundCost, dimension: int) -> Pack:
        """Return some chunks packed."""
        names = [self._names[number] for number in numbers.tolist()]
        return pack_sound(numbers, self.token_sets(numbers), names, ground, dimension)
