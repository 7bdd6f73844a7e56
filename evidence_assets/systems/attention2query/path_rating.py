"""How well a relation path says what is asked: by the shared score, a cross-encoder too, or a classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.paths.parses import PathParse, Rate
from evidence_assets.kgqa.paths.path_scoring import (
    COSINE,
    COVERAGE,
    DIRECTION,
    LENGTH,
    PARTS,
    POSITION,
    TYPE,
    UNSAID,
    ParsingOptions,
)
from evidence_assets.kgqa.paths.relation_paths import RelationPath
from evidence_assets.models.pair_scorer import CROSS_ENCODER, PairScorer
from evidence_assets.systems.attention2query.relevance import LEAST, MOST, Rater, scaled

Wording = Callable[[RelationPath], str]

# Paths at each topic that a cross-encoder reads: those that the shared score puts first.
CROSSED = 64
# What the parts of a score of at most two steps can be; a cosine below 0 counts as 0.
_RANGES = {
    COSINE: (0.0, 1.0),
    TYPE: (-1.0, 1.0),
    COVERAGE: (0.0, 1.0),
    POSITION: (-1.0, 1.0),
    LENGTH: (0.0, 1.0),
    UNSAID: (0.0, 2.0),
    DIRECTION: (-1.0, 1.0),
}
_FLAT = 1e-9


@dataclass(frozen=True)
class PathRating:
    """How paths are rated: `weights` of the shared score's parts, and what scores anew after it, if anything.

    `worst` and `best` are the scores of which the relevance is 1 and 10.
    """

    weights: Mapping[str, float]
    rate: Rate | None
    worst: float
    best: float

    def relevance(self, score: float) -> float:
        """Return a score as a relevance of 1 to 10, rounded."""
        share = (score - self.worst) / (self.best - self.worst)
        return float(scaled(np.clip(np.array([share]), 0.0, 1.0))[0])


def by_attention() -> PathRating:
    """Rate by the cosine of question and path alone."""
    return _shared({**dict.fromkeys(PARTS, 0.0), COSINE: 1.0}, None)


def by_shared_score(scorer: PairScorer, wording: Wording) -> PathRating:
    """Rate as the parser does; a cross-encoder, where `scorer` is one, counts as much as the cosine."""
    rate = with_cross_encoder(scorer, wording) if scorer.measure == CROSS_ENCODER else None
    return _shared(ParsingOptions().weights, rate)


def by_classifier(rater: Rater, wording: Wording) -> PathRating:
    """Rate by the trained classifier alone, over pairs of a masked question and a path."""

    def rate(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
        relevances = iter(
            rater.rate(*_texts((parse for group in groups for parse in group), wording)).tolist()
        )
        return [[next(relevances) for _ in group] for group in groups]

    return PathRating(ParsingOptions().weights, rate, LEAST, MOST)


def with_cross_encoder(scorer: PairScorer, wording: Wording) -> Rate:
    """Return a rating that adds a cross-encoder's score of (masked question, path) to the shared score.

    Of the paths at a topic the first `CROSSED` are rated. Outputs of cross-encoders have no common scale:
    they are standardised over these paths, and spread as their cosines are, so that the two count alike and
    the mean score stays. A path that is not rated gets the lowest part of those that are.
    """

    def rate(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
        firsts = [group[:CROSSED] for group in groups]
        outputs = scorer.score(*_texts((parse for group in firsts for parse in group), wording))
        pieces = np.split(outputs.astype(np.float64), np.cumsum([len(group) for group in firsts])[:-1])
        return [_joined(group, piece) for group, piece in zip(groups, pieces, strict=True)]

    return rate


def _joined(readings: Sequence[PathParse], outputs: NDArray[np.float64]) -> list[float]:
    cosines = np.array([parse.parts[PARTS.index(COSINE)] for parse in readings[: len(outputs)]])
    spread = outputs.std()
    apart = (outputs - outputs.mean()) / spread if spread > _FLAT else np.zeros(len(outputs))
    added = apart * cosines.std()
    unrated = [float(added.min())] * (len(readings) - len(added))
    return [parse.score + part for parse, part in zip(readings, [*added.tolist(), *unrated], strict=True)]


def _texts(readings: Iterable[PathParse], wording: Wording) -> tuple[list[str], list[str]]:
    pairs = [(parse.question, wording(parse.path)) for parse in readings]
    return [question for question, _ in pairs], [path for _, path in pairs]


def _shared(weights: Mapping[str, float], rate: Rate | None) -> PathRating:
    ends = [sorted(weights[name] * bound for bound in _RANGES[name]) for name in PARTS]
    return PathRating(weights, rate, sum(low for low, _ in ends), sum(high for _, high in ends))
