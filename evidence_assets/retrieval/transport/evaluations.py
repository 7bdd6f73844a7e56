"""State of exact evaluations: a cache of prepared chunks, and each question's best so far."""

from __future__ import annotations

from bisect import insort
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from evidence_assets.retrieval.transport.bounds import Values
from evidence_assets.retrieval.transport.ground_costs import GroundCost
from evidence_assets.retrieval.transport.objectives import Side, Solution, prepare_side, sound_side
from evidence_assets.retrieval.transport.sources import TokenSource
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet

# `map`, or that of a thread pool.
ParallelMap = Callable[..., Iterator[Any]]


@dataclass(slots=True)
class QuestionState:
    """A question being ranked: its exact solutions so far, the best `depth` of them in order."""

    side: Side
    depth: int
    best: list[tuple[float, int]] = field(default_factory=list)
    solutions: dict[int, Solution] = field(default_factory=dict)
    solved: int = 0
    _potentials: Values | None = None

    @property
    def threshold(self) -> float:
        """Return the k-th best cost, infinite while fewer are known."""
        return self.best[-1][0] if len(self.best) == self.depth else np.inf

    @property
    def potentials(self) -> Values:
        """Return (m,) the mean of the best solutions' dual potentials, zeros where none is known."""
        if self._potentials is None:
            held = [self.solutions[chunk].potentials for _, chunk in self.best]
            known = [potentials for potentials in held if potentials is not None]
            self._potentials = np.mean(known, axis=0) if known else np.zeros(len(self.side.marginal))
        return self._potentials

    def keep(self, chunk: int, solution: Solution) -> None:
        """Count a solution, and keep it if it is among the best."""
        self.solved += 1
        if len(self.best) == self.depth and (solution.cost, chunk) > self.best[-1]:
            return
        insort(self.best, (solution.cost, chunk))
        self.solutions[chunk] = solution
        for _, dropped in self.best[self.depth :]:
            del self.solutions[dropped]
        del self.best[self.depth :]
        self._potentials = None


class SideCache:
    """Chunks prepared in double precision: a least-recently-used cache of bounded size in bytes."""

    def __init__(self, source: TokenSource, ground: GroundCost, limit: int) -> None:
        self._source, self._ground, self._limit = source, ground, limit
        self._held: OrderedDict[int, Side] = OrderedDict()
        self._bytes = 0

    def get(
        self, numbers: Sequence[int], parallel_map: ParallelMap, *, sound: bool = False
    ) -> list[Side | None]:
        """Return some chunks, None for one that cannot be compared. `sound`: that none is such is known."""
        missing = [number for number in numbers if number not in self._held]
        fresh: dict[int, Side | None] = {}
        if missing:
            texts = self._source.token_sets(np.array(missing))
            prepare = self._sound if sound else self._checked
            fresh = dict(
                zip(missing, parallel_map(prepare, list(zip(missing, texts, strict=True))), strict=True)
            )
        sides = [fresh[number] if number in fresh else self._held[number] for number in numbers]
        for number, side in zip(numbers, sides, strict=True):
            self._hold(number, side)
        return sides

    def _sound(self, numbered: tuple[int, TokenSet]) -> Side:
        return sound_side(numbered[1], self._ground)

    def _checked(self, numbered: tuple[int, TokenSet]) -> Side | None:
        number, tokens = numbered
        try:
            return prepare_side(tokens, self._ground, self._source.name(number))
        except InvalidTokenSetError:
            return None

    def _hold(self, number: int, side: Side | None) -> None:
        if number in self._held:
            self._held.move_to_end(number)
        elif side is not None:
            self._held[number] = side
            self._bytes += side.prepared.points.nbytes
        while self._bytes > self._limit and len(self._held) > 1:
            self._bytes -= self._held.popitem(last=False)[1].prepared.points.nbytes
