"""Clusters of vectors by cosine (spherical k-means) or by the divergence of their softmaxes.

Thesis algorithm 3.1, lines 8 to 22, and its Jensen-Shannon form (equations 4.2 to 4.4). A similarity is the
cosine, or the Jensen-Shannon divergence in nats with its sign turned: more is nearer in either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.ground_costs import JensenShannon, Prepared
from evidence_assets.tables.column_filters import COSINE, MEASURES, FilterSettings

# Similarities are rounded so that equal vectors are equally near, whatever row of a product they stood in.
_DECIMALS = 9
_LONGEST_RUN = 100
_TINY = np.finfo(np.float64).tiny

Matrix = NDArray[np.float64]


def sharp_temperature(dimension: int) -> float:
    """Return 2 / sqrt(d), the temperature of the transport's costs: .102 at d = 384.

    Components of unit vectors deviate by 1 / sqrt(d), so the softmax's logits by a half, in any dimension.
    Temperature 1 leaves a softmax over d dimensions almost uniform, and every divergence below 0.01.
    """
    return 1.0 / JensenShannon().sharpness_at(dimension)


@dataclass(frozen=True, slots=True)
class Points:
    """Vectors ready to be compared. `units`: (n, d) of length 1, a zero vector stays zero.

    `distributions`: their softmaxes with each one's negative entropy, where divergences are asked for.
    """

    units: Matrix
    distributions: Prepared | None = None

    def __len__(self) -> int:
        return len(self.units)

    def take(self, places: Sequence[int] | NDArray[np.int64]) -> Points:
        """Return some of the points."""
        chosen = np.asarray(places, np.int64)
        distributions = self.distributions
        return Points(
            self.units[chosen],
            distributions and Prepared(distributions.points[chosen], distributions.entropy[chosen]),
        )


@dataclass(frozen=True, slots=True)
class Geometry:
    """How near vectors are: by cosine, or by the divergence of softmaxes of unit vectors at a temperature.

    Chapter 4 changes the similarity alone (4.3.1): the middle of several vectors is in either case their sum,
    brought to length 1.

    Raises:
        ValueError: there is no such measure, or the temperature is not positive.
    """

    measure: str = COSINE
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise ValueError(f"no measure {self.measure!r}: choose one of {', '.join(MEASURES)}")
        JensenShannon.at_temperature(self.temperature)

    @property
    def nearest(self) -> float:
        """The similarity of a vector to itself."""
        return 1.0 if self.measure == COSINE else 0.0

    def points(self, vectors: NDArray[np.floating]) -> Points:
        """Return the points of (n, d) vectors."""
        values = np.asarray(vectors, np.float64)
        units = values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), _TINY)
        if self.measure == COSINE:
            return Points(units)
        return Points(units, JensenShannon.at_temperature(self.temperature).prepare(units))

    def similarities(self, points: Points, others: Points) -> Matrix:
        """Return (n, m) cosines, or divergences in nats (equation 4.4) with their sign turned."""
        if points.distributions is None or others.distributions is None:
            near = points.units @ others.units.T
        else:
            cost = JensenShannon.at_temperature(self.temperature)
            near = -cost.matrix(others.distributions, points.distributions).T
        result: Matrix = np.round(near, _DECIMALS)
        return result


def geometry_of(settings: FilterSettings, dimension: int) -> Geometry:
    """Return the geometry in which a filter compares (n, d) vectors of so many dimensions."""
    temperature = sharp_temperature(dimension) if settings.temperature is None else settings.temperature
    return Geometry(settings.measure, temperature)


@dataclass(frozen=True, slots=True)
class Clusters:
    """`assignment`: (n,) each point's cluster. `centres`: k of them. `passes`: assignments that were made."""

    assignment: NDArray[np.int64]
    centres: Points
    passes: int


def cluster(points: Points, clusters: int, space: Geometry, seed: int) -> Clusters:
    """Return k-means clusters of n points, at least 1 (algorithm 3.1, lines 10 to 22).

    There are min(k, n) of them. An empty one is seeded anew. It ends when no assignment changes, at the
    latest after 100 passes. Of centres equally near the first is taken.
    """
    count = min(clusters, len(points))
    generator = np.random.default_rng(seed)
    seeds = [int(generator.integers(len(points)))]
    while len(seeds) < count:
        seeds.append(_drawn(points, points.take(seeds), space, generator))
    centroids = points.units[seeds]
    centres = points.take(seeds)
    assignment, passes = np.full(len(points), -1, np.int64), 0
    settled = False
    while not settled and passes < _LONGEST_RUN:
        before, passes = assignment, passes + 1
        assignment = space.similarities(points, centres).argmax(axis=1)
        for number in range(count):
            members = points.units[assignment == number]
            if len(members):
                centroids[number] = members.sum(axis=0)
            else:
                other_centres = space.points(np.delete(centroids, number, axis=0))
                centroids[number] = points.units[_drawn(points, other_centres, space, generator)]
        centres = space.points(centroids)
        settled = np.array_equal(assignment, before)
    return Clusters(assignment, centres, passes)


def _drawn(points: Points, centres: Points, space: Geometry, generator: np.random.Generator) -> int:
    """Return a point drawn by how far it is from its nearest centre (k-means++, Arthur and Vassilvitskii).

    Half the squared distance of unit vectors is 1 - cos; the squared Jensen-Shannon distance the divergence.
    Where all points are centres, each is as likely.
    """
    similarity = space.similarities(points, centres).max(axis=1)
    distance = np.maximum(space.nearest - similarity, 0.0)
    cumulative = np.cumsum(distance if distance.any() else np.ones(len(points)))
    place = np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right")
    return int(min(place, len(points) - 1))
