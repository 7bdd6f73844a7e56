"""Many texts' words side by side, as the features of a ground cost, without padding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.ground_costs import Cosine, GroundCost
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet, check_token_set
from evidence_assets.retrieval.transport.word_codes import WordCodes, coded, together

# Storage errors are measured in double precision and rounded up when kept in single.
_UP = 1.0 + 1e-6
# Words whose features are computed at a time: their double precision stays in a core's cache.
_TOGETHER = 512


@dataclass(frozen=True, slots=True)
class Rows:
    """Feature rows, (n, D), that need not lie together: views of what is stored."""

    pieces: tuple[NDArray[np.floating], ...]

    def __len__(self) -> int:
        return sum(len(piece) for piece in self.pieces)

    @property
    def width(self) -> int:
        """Return D."""
        return int(self.pieces[0].shape[1])

    def take(self, runs: Sequence[slice]) -> Rows:
        """Return some runs of rows, as views."""
        if len(self.pieces) == 1:
            return Rows(tuple(self.pieces[0][run] for run in runs))
        return Rows(tuple(piece for run in runs for piece in self.between(run.start, run.stop)))

    def between(self, first: int, last: int) -> tuple[NDArray[np.floating], ...]:
        """Return the pieces of rows first to last."""
        parts, start = [], 0
        for piece in self.pieces:
            left, right = max(first - start, 0), min(last - start, len(piece))
            if left < right:
                parts.append(piece[left:right])
            start += len(piece)
        return tuple(parts)

    def joined(self) -> NDArray[np.floating]:
        """Return (n, D) in the precision that they are stored in."""
        return self.pieces[0] if len(self.pieces) == 1 else np.concatenate(self.pieces)

    def stacked(self) -> NDArray[np.float32]:
        """Return (n, D) in single precision."""
        if len(self.pieces) == 1:
            return np.asarray(self.pieces[0], np.float32)
        return np.concatenate(self.pieces, dtype=np.float32, casting="same_kind")


@dataclass(frozen=True, slots=True)
class Packed:
    """The n words of c texts, in single or half precision, with what their rounding cost.

    Args:
        features: (n, D) points of the ground cost's feature map.
        squared_norms, errors: (n,) of the features as stored, and their distance from the true ones.
        offsets: (c + 1,) text t's words are rows offsets[t] to offsets[t + 1].
        marginals, masses: (n,) normalised weights; (c,) what they summed to.
        centroids, centroid_errors: (c, D) marginal-weighted mean features, and (c,) their distance from the
            true ones.
        sentences: (c, d), or None if any text has none.
        codes: The words as integers, for the cosine cost alone.
    """

    features: Rows
    squared_norms: NDArray[np.float32]
    errors: NDArray[np.float32]
    offsets: NDArray[np.int64]
    marginals: NDArray[np.float64]
    masses: NDArray[np.float64]
    centroids: NDArray[np.float32]
    centroid_errors: NDArray[np.float32]
    sentences: NDArray[np.floating] | None
    codes: WordCodes | None

    def __len__(self) -> int:
        return len(self.masses)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return (c,) words of each text."""
        return np.diff(self.offsets)

    def runs(self, texts: NDArray[np.int64]) -> list[slice]:
        """Return the rows of some texts as few slices: neighbours share one."""
        breaks = np.flatnonzero(np.diff(texts) != 1) + 1
        firsts = texts[np.concatenate([[0], breaks])] if len(texts) else texts
        lasts = texts[np.concatenate([breaks - 1, [len(texts) - 1]])] if len(texts) else texts
        bounds = zip(self.offsets[firsts].tolist(), self.offsets[lasts + 1].tolist(), strict=True)
        return [slice(first, last) for first, last in bounds]

    def rows(self, texts: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows of some texts, one text after the other."""
        lengths = self.lengths[texts]
        ends = np.cumsum(lengths)
        starts = np.repeat(self.offsets[texts] - (ends - lengths), lengths)
        result: NDArray[np.int64] = np.arange(len(starts)) + starts
        return result

    def take(self, texts: NDArray[np.int64]) -> Packed:
        """Return some texts, in the order given; their features are views."""
        if len(texts) and (np.diff(texts) == 1).all():
            first, last = int(texts[0]), int(texts[-1]) + 1
            rows: slice | NDArray[np.int64] = slice(int(self.offsets[first]), int(self.offsets[last]))
            chosen: slice | NDArray[np.int64] = slice(first, last)
        else:
            rows, chosen = self.rows(texts), texts
        return Packed(
            self.features.take(self.runs(texts)),
            self.squared_norms[rows],
            self.errors[rows],
            np.concatenate([[0], np.cumsum(self.lengths[texts])]),
            self.marginals[rows],
            self.masses[chosen],
            self.centroids[chosen],
            self.centroid_errors[chosen],
            None if self.sentences is None else self.sentences[chosen],
            None if self.codes is None else self.codes.take(rows),
        )


def pack(texts: Sequence[TokenSet], ground: GroundCost, storage: type[np.floating] = np.float32) -> Packed:
    """Pack one or more sound texts. Features are computed in double precision, some texts at a time."""
    lengths = [len(tokens.weights) for tokens in texts]
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    total, width = int(offsets[-1]), ground.width(texts[0].vectors.shape[1])
    features, limit = np.empty((total, width), storage), float(np.finfo(storage).max)
    norms, errors = np.empty(total, np.float32), np.empty(total, np.float32)
    centroids, centroid_errors = np.empty((len(texts), width), np.float32), np.empty(len(texts), np.float32)
    marginals = np.concatenate([tokens.marginal for tokens in texts])
    codes: list[WordCodes] = []
    for first, last in ranges_within(offsets[1:], _TOGETHER):
        rows = slice(int(offsets[first]), int(offsets[last]))
        true = ground.features(np.concatenate([tokens.vectors for tokens in texts[first:last]]))
        features[rows] = np.clip(true, -limit, limit)
        stored = features[rows].astype(np.float64)
        norms[rows] = np.einsum("nd,nd->n", stored, stored)
        errors[rows] = np.linalg.norm(true - stored, axis=1) * _UP
        for place in range(first, last):
            text_rows = slice(int(offsets[place]), int(offsets[place + 1]))
            centroid = marginals[text_rows] @ true[text_rows.start - rows.start : text_rows.stop - rows.start]
            centroids[place] = centroid
            centroid_errors[place] = np.linalg.norm(centroid - centroids[place]) * _UP
        if isinstance(ground, Cosine):
            codes.append(coded(true))
    sentences = [tokens.sentence for tokens in texts if tokens.sentence is not None]
    return Packed(
        Rows((features,)),
        norms,
        errors,
        offsets,
        marginals,
        np.array([tokens.mass for tokens in texts]),
        centroids,
        centroid_errors,
        np.stack(sentences) if len(sentences) == len(texts) else None,
        together(codes) if codes else None,
    )


@dataclass(frozen=True, slots=True)
class Pack:
    """Some texts of a source: `numbers` (c,) of those packed, and why the others were refused."""

    packed: Packed | None
    numbers: NDArray[np.int64]
    refused: Mapping[int, str]


def pack_sound(
    numbers: NDArray[np.int64],
    texts: Sequence[TokenSet],
    names: Sequence[str],
    ground: GroundCost,
    dimension: int | None = None,
    storage: type[np.floating] = np.float32,
) -> Pack:
    """Pack the texts that can be compared, and say of each of the others why it cannot.

    Without a `dimension` the first sound text sets it.
    """
    kept: list[int] = []
    refused: dict[int, str] = {}
    for place, (tokens, name) in enumerate(zip(texts, names, strict=True)):
        try:
            check_token_set(tokens, name, dimension)
            ground.check(tokens.vectors, name)
        except InvalidTokenSetError as error:
            refused[int(numbers[place])] = str(error)
            continue
        dimension = tokens.vectors.shape[1]
        kept.append(place)
    packed = pack([texts[place] for place in kept], ground, storage) if kept else None
    return Pack(packed, numbers[kept], refused)


def ranges_within(totals: NDArray[np.integer], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of things whose sizes sum to at most `most`, or of one that is larger.

    `totals`: (n,) cumulative sizes.
    """
    first = 0
    while first < len(totals):
        seen = totals[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(totals, seen + most, side="right")))
        yield first, last
        first = last
