"""Objectives: the cost of transporting a question into a chunk, given the costs between their words.

With a (m,) and b (n,) the normalised masses of question and chunk, and C (m, n) their ground costs:

    balanced          min <C, T>,  T 1 = a, T' 1 = b
    partial           min <C, T>,  T 1 = a, T' 1 <= kappa b,  kappa = max(1, chunk mass / question mass)
    chunk_relaxed     min <C, T>,  T 1 = a                    = sum_i a_i min_j C_ij   (cover the question)
    question_relaxed  min <C, T>,  T' 1 = b                   = sum_j b_j min_i C_ij   (say little else)
    coverage          3/4 chunk_relaxed + 1/4 question_relaxed + gamma (1 - cos of the texts)

Two are linear programs, solved exactly by network simplex in double precision; three have closed forms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.ground_costs import GroundCost, Matrix, Prepared
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet, check_token_set

_PIVOTS = 2_000_000


class TransportSolverError(RuntimeError):
    """The network simplex gave no optimum."""


@dataclass(frozen=True, slots=True)
class Side:
    """One text, prepared for exact evaluation."""

    prepared: Prepared
    marginal: NDArray[np.float64]
    mass: float
    sentence: NDArray[np.float64] | None
    dimension: int


def prepare_side(tokens: TokenSet, ground: GroundCost, name: str = "text") -> Side:
    """Return a checked text in double precision.

    Raises:
        InvalidTokenSetError: its arrays cannot be compared.
    """
    check_token_set(tokens, name)
    ground.check(tokens.vectors, name)
    return sound_side(tokens, ground)


def sound_side(tokens: TokenSet, ground: GroundCost) -> Side:
    """Return a text, known to be sound, in double precision."""
    sentence = None if tokens.sentence is None else np.asarray(tokens.sentence, np.float64)
    return Side(
        ground.prepare(tokens.vectors), tokens.marginal, tokens.mass, sentence, tokens.vectors.shape[1]
    )


@dataclass(frozen=True, slots=True)
class Solution:
    """An exact cost, what it is made of, and for linear programs the question's dual potentials (m,)."""

    cost: float
    parts: dict[str, float]
    potentials: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """A transport plan: `masses` (m, n) moved from question words to chunk words, at `costs` (m, n)."""

    masses: Matrix
    costs: Matrix


class Objective(ABC):
    """How the costs between words become one cost between texts."""

    name: str

    @abstractmethod
    def solve(self, ground: GroundCost, question: Side, chunk: Side) -> Solution:
        """Return the exact cost of a chunk."""

    @abstractmethod
    def plan(self, ground: GroundCost, question: Side, chunk: Side) -> Plan:
        """Return an optimal plan."""


def _simplex(
    a: NDArray[np.float64], b: NDArray[np.float64], cost: Matrix
) -> tuple[Matrix, float, NDArray[np.float64]]:
    """Return plan, cost and the rows' potentials of balanced transport.

    Rows and columns without mass are left out; such a row's potential is the largest that is feasible.
    """
    import ot

    rows, columns = np.flatnonzero(a), np.flatnonzero(b)
    inner = np.ascontiguousarray(cost[np.ix_(rows, columns)])
    optimal, log = ot.emd(a[rows], b[columns], inner, numItermax=_PIVOTS, log=True)
    if log["warning"]:
        raise TransportSolverError(
            f"network simplex on {inner.shape[0]} x {inner.shape[1]}: {log['warning']}"
        )
    masses = np.zeros_like(cost)
    masses[np.ix_(rows, columns)] = optimal
    left: NDArray[np.float64] = (cost[:, columns] - log["v"]).min(axis=1)
    left[rows] = log["u"]
    return masses, float(log["cost"]), left


@dataclass(frozen=True, slots=True)
class Balanced(Objective):
    """Exact optimal transport: every word of either text must be explained by the other."""

    name: str = "balanced"

    def solve(self, ground: GroundCost, question: Side, chunk: Side) -> Solution:
        """Return the optimum; potentials are centred, sum_i a_i f_i = 0."""
        cost = ground.matrix(question.prepared, chunk.prepared)
        _, value, left = _simplex(question.marginal, chunk.marginal, cost)
        return Solution(value, {"transport_cost": value}, left - question.marginal @ left)

    def plan(self, ground: GroundCost, question: Side, chunk: Side) -> Plan:
        """Return an optimal plan; its masses sum to 1."""
        cost = ground.matrix(question.prepared, chunk.prepared)
        return Plan(_simplex(question.marginal, chunk.marginal, cost)[0], cost)


@dataclass(frozen=True, slots=True)
class Partial(Objective):
    """Transport with capacity: the whole question is explained, by as much of the chunk as it needs.

    A chunk word takes up to kappa b_j; a dummy question word takes the rest at no cost. With kappa = 1 it is
    `Balanced`.
    """

    name: str = "partial"

    @staticmethod
    def capacity(question_mass: float, chunk_mass: float) -> float:
        """Return kappa = max(1, chunk mass / question mass)."""
        return max(1.0, chunk_mass / question_mass)

    def solve(self, ground: GroundCost, question: Side, chunk: Side) -> Solution:
        """Return the optimum; potentials are those against which the dummy's is 0."""
        capacity = self.capacity(question.mass, chunk.mass)
        cost = ground.matrix(question.prepared, chunk.prepared)
        _, value, left = self._solve(question, chunk, cost, capacity)
        return Solution(value, {"transport_cost": value, "capacity": capacity}, left[1:] - left[0])

    def plan(self, ground: GroundCost, question: Side, chunk: Side) -> Plan:
        """Return an optimal plan; its masses sum to 1, what the dummy takes is left out."""
        cost = ground.matrix(question.prepared, chunk.prepared)
        capacity = self.capacity(question.mass, chunk.mass)
        return Plan(self._solve(question, chunk, cost, capacity)[0][1:], cost)

    def _solve(
        self, question: Side, chunk: Side, cost: Matrix, capacity: float
    ) -> tuple[Matrix, float, NDArray[np.float64]]:
        # No word takes more than 1: a limit of 2 never binds, and keeps masses of one order of magnitude.
        room = np.minimum(capacity * chunk.marginal, 2.0)
        spare = max(0.0, float(room.sum()) - 1.0) if capacity > 1.0 else 0.0
        widened = np.concatenate([np.zeros((1, cost.shape[1])), cost])
        return _simplex(np.concatenate([[spare], question.marginal]), room, widened)


@dataclass(frozen=True, slots=True)
class ClosedForm(Objective):
    """A weighted sum of the two relaxed optima and of the distance between the texts' own vectors."""

    name: str
    covering: float = 0.0
    saying: float = 0.0
    sentence: float = 0.0

    def solve(self, ground: GroundCost, question: Side, chunk: Side) -> Solution:
        """Return the weighted sum.

        Raises:
            InvalidTokenSetError: the objective has a sentence term and a text has no sentence vector.
        """
        of_question, of_chunk = ground.cheapest(question.prepared, chunk.prepared)
        parts = {
            "question_cost": float(question.marginal @ of_question),
            "chunk_cost": float(chunk.marginal @ of_chunk),
        }
        total = self.covering * parts["question_cost"] + self.saying * parts["chunk_cost"]
        if self.sentence:
            if question.sentence is None or chunk.sentence is None:
                raise InvalidTokenSetError(f"{self.name} compares sentence vectors, and a text has none")
            scale = ground.sentence_scale(question.dimension)
            parts["sentence_cost"] = scale * (1.0 - float(question.sentence @ chunk.sentence))
            total += self.sentence * parts["sentence_cost"]
        return Solution(total, parts)

    def plan(self, ground: GroundCost, question: Side, chunk: Side) -> Plan:
        """Return the two relaxed optima's plans, weighted: each word to its cheapest partner."""
        cost = ground.matrix(question.prepared, chunk.prepared)
        masses = np.zeros_like(cost)
        rows, columns = np.arange(cost.shape[0]), np.arange(cost.shape[1])
        masses[rows, cost.argmin(axis=1)] += self.covering * question.marginal
        masses[cost.argmin(axis=0), columns] += self.saying * chunk.marginal
        return Plan(masses, cost)


CHUNK_RELAXED = ClosedForm("chunk_relaxed", covering=1.0)
QUESTION_RELAXED = ClosedForm("question_relaxed", saying=1.0)
COVERAGE = ClosedForm("coverage", covering=0.75, saying=0.25, sentence=0.5)
# Long chunks against each other: the texts' own vectors blur, the words do not.
COVERAGE_OF_WORDS = ClosedForm("coverage_words", covering=0.75, saying=0.25)


@dataclass(frozen=True, slots=True)
class AlignedWords:
    """One entry of a plan: `mass` of a question word moved to a chunk word at unit cost `cost`."""

    question_word: str
    chunk_word: str
    mass: float
    cost: float


def word_alignment(
    plan: Plan, question: TokenSet, chunk: TokenSet, least: float = 1e-9
) -> list[AlignedWords]:
    """Return a plan's entries of more than `least`, the largest first, as words of the texts."""
    rows, columns = np.nonzero(plan.masses > least)
    aligned = [
        AlignedWords(
            question.words[row] if question.words else str(row),
            chunk.words[column] if chunk.words else str(column),
            float(plan.masses[row, column]),
            float(plan.costs[row, column]),
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    return sorted(aligned, key=lambda pair: (-pair.mass, pair.question_word, pair.chunk_word))
