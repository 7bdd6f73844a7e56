"""Ground costs between word vectors: what it costs to explain one word by another.

Every cost has two faces. `matrix` is its value in double precision. `features` maps each word to a point
such that half the squared distance F = |phi(x) - phi(y)|^2 / 2 bounds the cost from below, so that the costs
of a whole pool follow from one matrix product:

    cost >= scale * F            or, where `is_root`,   cost >= scale * sqrt(2 F)

with equality for cosine and Euclidean.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError

FloatMatrix = NDArray[np.floating]
Matrix = NDArray[np.float64]
# A softmax of unit vectors at this sharpness ranked best (retrieval by coverage, 384 dimensions).
COSINE_SCALE = 1.0 / 16.0
# L = 0.4942 h^2 + 0.1989 h_lambda^2 <= JSD <= L / 0.9756: fitted by linear programming, shrunk by 1e-5.
FAR_FREQUENCY, FAR_STILL, FAR_TURNED = 0.6, 0.494205, 0.198935
_TINY = np.finfo(np.float64).tiny
# Torch shares elementwise operations on more than this among threads.
_ONE_THREAD_ELEMENTS = 32_768


@dataclass(frozen=True, slots=True)
class Prepared:
    """One text's words as a cost's `matrix` wants them: `points` (w, d) and a number a word, `entropy`."""

    points: Matrix
    entropy: NDArray[np.float64]


class GroundCost(ABC):
    """What it costs to explain one word by another."""

    is_root: bool = False
    # Whether `matrix` outweighs the linear program, and leaves the interpreter free: threads then pay.
    is_slow: bool = False

    @property
    def scale(self) -> float:
        """Return the factor from F to the lower bound."""
        return 1.0

    def width(self, dimension: int) -> int:
        """Return the number of features of a d-dimensional word: d."""
        return dimension

    def check(self, vectors: FloatMatrix, name: str) -> None:
        """Raise InvalidTokenSetError, naming the text, if a finite vector has no features."""
        return

    @abstractmethod
    def features(self, vectors: FloatMatrix) -> Matrix:
        """Return (w, width) points whose half squared distances bound the cost from below."""

    def prepare(self, vectors: FloatMatrix) -> Prepared:
        """Return what `matrix` needs of one text, so that it is computed once a text: its features."""
        points = self.features(vectors)
        return Prepared(points, np.zeros(len(points)))

    @abstractmethod
    def matrix(self, left: Prepared, right: Prepared) -> Matrix:
        """Return (m, n) costs in double precision, none negative."""

    def cheapest(self, left: Prepared, right: Prepared) -> tuple[Matrix, Matrix]:
        """Return the smallest costs of each row (m,) and of each column (n,) of `matrix`."""
        costs = self.matrix(left, right)
        return costs.min(axis=1), costs.min(axis=0)

    def sentence_scale(self, dimension: int) -> float:
        """Return the factor that makes 1 - cos of two texts comparable to this cost of two words."""
        return self.scale

    def between(self, left: FloatMatrix, right: FloatMatrix) -> Matrix:
        """Return (m, n) costs between two sets of vectors (m, d), (n, d)."""
        return self.matrix(self.prepare(left), self.prepare(right))


@dataclass(frozen=True, slots=True)
class Cosine(GroundCost):
    """(1 - cos) / 16: the second-order expansion of `JensenShannon` at its default sharpness.

    With phi(x) = x / |x|, F = 1 - cos exactly. The scale lets weights and thresholds carry over.
    """

    @property
    def scale(self) -> float:
        """Return 1/16."""
        return COSINE_SCALE

    def check(self, vectors: FloatMatrix, name: str) -> None:
        """Raise InvalidTokenSetError, naming the text, if a vector is zero: it has no direction."""
        points = np.asarray(vectors, np.float64)
        if not np.einsum("wd,wd->w", points, points).all():
            raise InvalidTokenSetError(f"{name}: a zero vector has no direction; leave the word out")

    def features(self, vectors: FloatMatrix) -> Matrix:
        """Return unit vectors."""
        points = np.asarray(vectors, np.float64)
        result: Matrix = points / np.linalg.norm(points, axis=1, keepdims=True)
        return result

    def matrix(self, left: Prepared, right: Prepared) -> Matrix:
        """Return (m, n) costs in [0, 1/8]."""
        return self._cost(left.points @ right.points.T)

    def cheapest(self, left: Prepared, right: Prepared) -> tuple[Matrix, Matrix]:
        """Return the smallest costs of each row (m,) and of each column (n,): those of `matrix`, bit by bit.

        Rounding never reverses an order, so the largest cosine has the smallest cost.
        """
        cosines = left.points @ right.points.T
        return self._cost(cosines.max(axis=1)), self._cost(cosines.max(axis=0))

    def _cost(self, cosines: Matrix) -> Matrix:
        return np.maximum(0.0, (1.0 - cosines) * self.scale)


@dataclass(frozen=True, slots=True)
class Euclidean(GroundCost):
    """|x - y|, of vectors as they are given: F = |x - y|^2 / 2 with phi the identity."""

    is_root = True

    def features(self, vectors: FloatMatrix) -> Matrix:
        """Return the vectors themselves."""
        return np.asarray(vectors, np.float64)

    def matrix(self, left: Prepared, right: Prepared) -> Matrix:
        """Return (m, n) distances, by differences: a Gram matrix would lose half the digits of small ones."""
        from scipy.spatial.distance import cdist

        return np.asarray(cdist(left.points, right.points), np.float64)


@dataclass(frozen=True, slots=True)
class JensenShannon(GroundCost):
    """Jensen-Shannon divergence, in nats, of softmax(s x) (thesis eq. 7.4 to 7.6).

    `sharpness` s = None stands for sqrt(d) / 2.

    Lower bound, by a map of 2d features phi = sqrt(p) (cos(ln p / 2), sin(ln p / 2)):

        JSD(p, q) >= F / 2 = (1 - sum_k sqrt(p_k q_k) cos(u_k / 2)) / 2,     u_k = ln(p_k / q_k).

    Proof. With x = u/2, JSD is the sum of sqrt(p_k q_k) J(x_k), J(x) = x sinh x - cosh x ln cosh x, and F/2
    that of sqrt(p_k q_k) L(x_k), L(x) = (cosh x - cos x) / 2 (expand the logarithms; sqrt(pq) cosh x is
    (p + q) / 2). Both are even. J'' = J + sech x and L'' = L + cos x, so E = J - L solves
    E'' = E + sech x - cos x with E(0) = E'(0) = 0, hence E(x) is the integral from 0 to x of
    sinh(x - t) (sech t - cos t) dt. On [0, pi/2] cosh t cos t <= 1, for its derivative
    cosh t cos t (tanh t - tan t) is not positive, and on [pi/2, 3pi/2] cos t <= 0; so E >= 0 up to 3pi/2.
    Beyond, ln cosh x <= x - ln 2 + e^(-2x) gives
    J >= (ln 2 - e^(-2x)) cosh x - x e^(-x) >= 0.693 cosh x - 0.05 > (cosh x + 1) / 2 >= L. QED.

    J = x^2/2 + x^6/144 + ... and L = x^2/2 + x^6/720 + ..., so the bound is tight where the words of a pool
    stand to each other (0.99 of J at u = 2); far out it falls to 1 / (2 ln 2) = 0.72.

    For words that stand far apart (sharp distributions) `far` chooses a map of 3d features, never below
    0.9756 of the divergence: sqrt(p) and sqrt(p) e^(0.6 i ln p), weighted such that

        JSD(p, q) >= F = 0.4942 h^2 + 0.1989 h_lambda^2,    h_lambda^2 = 1 - sum_k sqrt(p_k q_k) cos(0.6 u_k),

    with h^2, the squared Hellinger distance, the same of cos 0.

    Here E'' = E + g, g(x) = sech x - 0.4942 - 0.1989 (1 + 1.2^2) cos 1.2x, positive up to x = 0.3, so E is;
    from x = 4.5 on J >= (ln 2 - e^(-2x)) cosh x - x e^(-x) exceeds L; between, interval arithmetic shows
    E > 0 (the tests carry both out).
    """

    is_slow = True
    sharpness: float | None = None
    far: bool = False

    def __post_init__(self) -> None:
        if self.sharpness is not None and not 0.0 < self.sharpness < float("inf"):
            raise ValueError(f"sharpness must be positive and finite, not {self.sharpness}")

    def sharpness_at(self, dimension: int) -> float:
        """Return s for d-dimensional vectors."""
        return float(np.sqrt(dimension) / 2) if self.sharpness is None else self.sharpness

    def sentence_scale(self, dimension: int) -> float:
        """Return s^2 / 4d, the factor of the cost's second-order expansion in 1 - cos."""
        return self.sharpness_at(dimension) ** 2 / (4 * dimension)

    def log_distributions(self, vectors: FloatMatrix) -> Matrix:
        """Return (w, d) ln softmax(s x)."""
        import torch

        points = np.asarray(vectors, np.float64) * self.sharpness_at(vectors.shape[1])
        for rows in _pieces(points):
            points[rows] = torch.log_softmax(torch.from_numpy(points[rows]), dim=1).numpy()
        return points

    @property
    def scale(self) -> float:
        """Return 1/2, or 1 of the map for words far apart."""
        return 1.0 if self.far else 0.5

    @classmethod
    def at_temperature(cls, temperature: float) -> JensenShannon:
        """Return the cost of softmax(x / T).

        Raises:
            ValueError: the temperature is not positive.
        """
        if not temperature > 0.0:
            raise ValueError(f"temperature must be positive, not {temperature}")
        return cls(1.0 / temperature)

    def width(self, dimension: int) -> int:
        """Return 2d, or 3d of the map for words far apart."""
        return (3 if self.far else 2) * dimension

    def features(self, vectors: FloatMatrix) -> Matrix:
        """Return the map's points."""
        import torch

        # Torch's sine and cosine are vectorised in double precision: eight times NumPy's speed.
        logs = self.log_distributions(vectors)
        result = np.empty((len(logs), self.width(logs.shape[1])))
        for rows in _pieces(logs):
            log = torch.from_numpy(logs[rows])
            root, angle = (0.5 * log).exp(), (FAR_FREQUENCY if self.far else 0.5) * log
            turned = [root * angle.cos(), root * angle.sin()]
            if self.far:
                turned = [FAR_STILL**0.5 * root, *(FAR_TURNED**0.5 * part for part in turned)]
            torch.cat(turned, dim=1, out=torch.from_numpy(result[rows]))
        return result

    def prepare(self, vectors: FloatMatrix) -> Prepared:
        """Return p and sum p ln p."""
        logs = self.log_distributions(vectors)
        points = np.exp(logs)
        return Prepared(points, (points * logs).sum(axis=1))

    def matrix(self, left: Prepared, right: Prepared) -> Matrix:
        """Return (m, n) divergences in [0, ln 2]. Memory beside the result: two (n, d) arrays."""
        mixed = np.empty((len(left.points), len(right.points)))
        total, logs = np.empty_like(right.points), np.empty_like(right.points)
        for row, point in enumerate(left.points):
            np.add(right.points, point, out=total)
            np.log(np.maximum(total, _TINY, out=logs), out=logs)
            np.einsum("jk,jk->j", total, logs, out=mixed[row])
        both = left.entropy[:, None] + right.entropy[None, :]
        result: Matrix = np.maximum(0.0, np.log(2.0) + 0.5 * (both - mixed))
        return result


def _pieces(points: Matrix) -> Iterator[slice]:
    """Yield rows a few at a time: so few that torch does them in one thread.

    Sharing out what takes microseconds costs more than it saves, and very much more on a busy machine.
    """
    step = max(1, _ONE_THREAD_ELEMENTS // max(points.shape[1], 1))
    for first in range(0, len(points), step):
        yield slice(first, first + step)
