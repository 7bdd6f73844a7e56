"""The exact best k of large pools, for many questions at once, from few exact evaluations.

1. Prime: for transport objectives, solve the k most promising chunks of each question exactly. They give the
   first threshold (the k-th cost) and shared potentials (the mean over the best k).
2. Scan: read the chunks a block at a time, each once, whatever the number of questions that hold it, and
   bound each pair from below: centroids, closed forms or shared potentials, Polyak ascent. Blocks come most
   promising first, and what they leave open is solved early while it still moves the threshold.
3. Finish: solve what no bound ruled out, lowest bound first, until the next bound exceeds the threshold.

A chunk is left out only if a lower bound of its cost exceeds the k-th best exact cost, so the k returned are
those of brute force, in its order; ties go to the lower number.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.progress import Progress
from evidence_assets.retrieval.transport.bounds import (
    Bounds,
    Tile,
    Values,
    centroid_costs,
    squared_distance_margin,
)
from evidence_assets.retrieval.transport.coded_bounds import (
    TILE_CHUNK_WORDS,
    TILE_QUESTION_WORDS,
    CodedTexts,
    best_products,
    coded_texts,
    costs_of_pairs,
)
from evidence_assets.retrieval.transport.evaluations import ParallelMap, QuestionState, SideCache
from evidence_assets.retrieval.transport.ground_costs import Cosine, GroundCost
from evidence_assets.retrieval.transport.objectives import (
    ClosedForm,
    Objective,
    Partial,
    Side,
    Solution,
    prepare_side,
)
from evidence_assets.retrieval.transport.packing import Packed, pack_sound
from evidence_assets.retrieval.transport.scan_order import blocks, by_chunk, promising
from evidence_assets.retrieval.transport.sources import TokenSource
from evidence_assets.retrieval.transport.tiles import cuts, tiles_of
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet

PROVED, ANYTIME, UNANSWERED = "proved", "anytime", "refused"
# Stages of a pair, in the order a certificate lists them.
OPEN, SOLVED, CENTROID, BOUND, ASCENT, REFUSED = range(6)
# Multiple of k solved during the scan, beyond the first k: after that the threshold hardly moves.
_EARLY = 2
_BLOCK_WORDS = 16_384
# Pairs bounded together: their costs stay far below what is multiplied.
_BLOCK_PAIRS = 1 << 20
# From this share of wanted pairs on a product of bytes is not cut: that would cost more than what is wasted.
_DENSE_ENOUGH = 0.7
# Exact costs are rounded too: at distance 0 a sound bound may stand above them by as much.
_ROUNDING = 1e-12
# Exact evaluations between two looks at the threshold and the clock.
_TOGETHER = 8


@dataclass(frozen=True, slots=True)
class Candidates:
    """Pairs to rank: chunk `chunk[p]` in the pool of question `question[p]`; low `prior[p]` is promising."""

    question: NDArray[np.int64]
    chunk: NDArray[np.int64]
    prior: NDArray[np.floating] | NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Budget:
    """What a ranking may use.

    `memory_bytes` bounds the working arrays of `rank` (not the caller's candidates or source); it costs time,
    never proof. Past `seconds` the best so far comes back, marked with what is not yet proved; the k most
    promising chunks of each question are evaluated whatever the time.
    """

    memory_bytes: int = 1 << 30
    seconds: float | None = None


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Certificate:
    """Proof of a ranking: the outcome of each chunk of the pool.

    `solved` exactly; ruled out by `centroid`, `bound` (closed form or shared potentials) or `ascent`; `open`
    neither; `refused` as broken. `status` is proved where nothing is open, refused where the question is
    broken, else anytime. `threshold` is the k-th best cost, `margin` what bounds gave up to single precision
    (of the cost at distance 0, or of its square).
    """

    status: str
    pool: int
    solved: int
    centroid: int
    bound: int
    ascent: int
    open: int
    refused: int
    threshold: float
    margin: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """A question's best chunks, best first, and the certificate; `refusal`: why there is none."""

    chunks: NDArray[np.int64]
    solutions: list[Solution]
    certificate: Certificate
    refusal: str = ""

    @property
    def costs(self) -> Values:
        """Return (k,) exact costs, ascending."""
        return np.array([solution.cost for solution in self.solutions])


def rank(
    questions: Sequence[TokenSet],
    candidates: Candidates,
    source: TokenSource,
    ground: GroundCost,
    objective: Objective,
    depth: int | Sequence[int],
    bounds: Bounds,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    names: Sequence[str] = (),
) -> list[Ranking]:
    """Return each question's exact `depth` cheapest chunks.

    Args:
        questions: The questions; one that cannot be compared gets an empty ranking with the reason.
        candidates: The pools. A pair stands there once.
        source: The chunks; broken ones are refused and counted, the others ranked.
        depth: k, or one a question.
        bounds: Where lower bounds are computed: `cpu_bounds.CpuBounds` or `device_bounds.DeviceBounds`.
        progress: Progress callback: (chunks bounded, chunks in all).
        names: Names of the questions in refusals.

    Raises:
        ValueError: a depth is below 1, question and chunks differ in width, or a candidate names a question
            that is not there.
    """
    labels = names or [f"question {number}" for number in range(len(questions))]
    pack = pack_sound(np.arange(len(questions)), questions, labels, ground)
    depths = np.broadcast_to(np.asarray(depth, np.int64), len(questions))
    if (depths < 1).any():
        raise ValueError(f"depth must be 1 or more, not {depths.min()}")
    if len(candidates.question) and int(candidates.question.max()) >= len(questions):
        raise ValueError(f"a candidate names question {candidates.question.max()} of {len(questions)}")
    run = _Run(questions, candidates, source, ground, objective, depths, bounds, budget, progress)
    if pack.packed is not None:
        run.work(pack.packed, pack.numbers)
    return run.rankings(pack.refused)


@dataclass(frozen=True, slots=True)
class _CodedForm:
    """A closed form of the cosine cost, and the questions as it bounds them by."""

    form: ClosedForm
    questions: CodedTexts


class _Run:
    """One call of `rank`."""

    def __init__(
        self,
        questions: Sequence[TokenSet],
        candidates: Candidates,
        source: TokenSource,
        ground: GroundCost,
        objective: Objective,
        depths: NDArray[np.int64],
        bounds: Bounds,
        budget: Budget,
        progress: Progress | None,
    ) -> None:
        self._started = time.monotonic()
        self._questions, self._source, self._ground = questions, source, ground
        self._objective, self._depths, self._bounds = objective, depths, bounds
        self._budget, self._progress = budget, progress
        self._sides = SideCache(source, ground, budget.memory_bytes // 4)
        self._question, self._chunk, self._prior = candidates.question, candidates.chunk, candidates.prior
        self._lower = np.full(len(self._question), -np.inf, np.float32)
        self._stage = np.full(len(self._question), OPEN, np.int8)
        self._states: dict[int, QuestionState] = {}
        self._threads: Executor
        self._margin = 0.0
        self._coded: _CodedForm | None = None
        # Of each question by itself: what else is asked with it changes nothing that is told of it.
        self._errors = np.zeros(len(questions))
        self._of_question = np.argsort(self._question, kind="stable")
        self._starts = np.searchsorted(self._question[self._of_question], np.arange(len(questions) + 1))

    def work(self, packed: Packed, numbers: NDArray[np.int64]) -> None:
        """Prime, scan, finish; stop when the time is up."""
        for number in numbers.tolist():
            side = prepare_side(self._questions[number], self._ground)
            self._states[number] = QuestionState(side, int(self._depths[number]))
        if isinstance(self._objective, ClosedForm) and self._ground == Cosine():
            self._coded = _CodedForm(self._objective, coded_texts(packed))
        place = np.full(len(self._questions), -1)
        place[numbers] = np.arange(len(numbers))
        with ThreadPoolExecutor(os.cpu_count()) as self._threads:
            if not isinstance(self._objective, ClosedForm) or self._budget.seconds is not None:
                for number in numbers.tolist():
                    self._prime(number)
            self._scan(packed, place)
            for number in numbers.tolist():
                self._finish(number)

    def _out_of_time(self) -> bool:
        limit = self._budget.seconds
        return limit is not None and time.monotonic() - self._started > limit

    def _pairs_of(self, number: int) -> NDArray[np.int64]:
        return self._of_question[self._starts[number] : self._starts[number + 1]]

    def _solve(self, number: int, pairs: Sequence[int]) -> None:
        """Solve some pairs of one question, on as many threads as pay."""
        state = self._states[number]
        parallel_map: ParallelMap = self._threads.map if self._ground.is_slow else map
        # What was bounded was packed, and checked.
        bounded = bool(np.isfinite(self._lower[list(pairs)]).all())
        sides = self._sides.get([int(self._chunk[pair]) for pair in pairs], parallel_map, sound=bounded)
        sound: list[tuple[int, Side]] = []
        for pair, side in zip(pairs, sides, strict=True):
            if side is None or side.dimension != state.side.dimension:
                self._stage[pair] = REFUSED
            else:
                sound.append((pair, side))

        def solve(chosen: tuple[int, Side]) -> Solution:
            return self._objective.solve(self._ground, state.side, chosen[1])

        for (pair, _), solution in zip(sound, parallel_map(solve, sound), strict=True):
            state.keep(int(self._chunk[pair]), solution)
            self._stage[pair] = SOLVED

    def _prime(self, number: int) -> None:
        """Solve the first k by prior: whatever the time, there is something to return."""
        state, pairs = self._states[number], self._pairs_of(number)
        order = pairs[np.argsort(self._prior[pairs], kind="stable")].tolist()
        while order and state.solved < state.depth:
            wanted = min(_TOGETHER, state.depth - state.solved)
            self._solve(number, order[:wanted])
            del order[:wanted]

    def _scan(self, packed: Packed, place: NDArray[np.int64]) -> None:
        live = np.flatnonzero((place[self._question] >= 0) & (self._stage == OPEN))
        order, starts, chunks = by_chunk(
            self._question[live], self._chunk[live], self._prior[live], self._first_read(live)
        )
        order = live[order]
        dimension = next(iter(self._states.values())).side.dimension if self._states else 0
        done = 0
        for first, last in self._blocks(chunks, self._ground.width(dimension)):
            if self._out_of_time():
                return
            pack = self._source.pack(chunks[first:last], self._ground, dimension)
            pairs = order[starts[first] : starts[last]]
            if pack.refused:
                broken = np.isin(self._chunk[pairs], list(pack.refused))
                self._stage[pairs[broken]] = REFUSED
                pairs = pairs[~broken]
            if pack.packed is not None and len(pairs):
                where = np.searchsorted(np.sort(pack.numbers), self._chunk[pairs])
                chunk = np.argsort(pack.numbers, kind="stable")[where]
                self._bound(packed, pack.packed, pairs, place[self._question[pairs]], chunk)
            done += last - first
            if self._progress is not None:
                self._progress(done, len(chunks))

    def _first_read(self, live: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the places of the pairs to look at first: all in a hurry, none where nothing is gained."""
        if self._budget.seconds is not None:
            return np.arange(len(live))
        if isinstance(self._objective, ClosedForm):
            return np.empty(0, np.int64)
        return promising(self._question[live], self._prior[live], self._depths)

    def _blocks(self, chunks: NDArray[np.int64], width: int) -> Iterator[tuple[int, int]]:
        """Return ranges of chunks that are bounded together."""
        memory = self._budget.memory_bytes
        # A word's features in single and double precision, and its row of costs.
        few = max(1, min(_BLOCK_WORDS, memory // (64 * width)))
        # Coded words are multiplied on a CPU, and the clock is looked at between blocks.
        is_large = self._coded is None and self._budget.seconds is None
        many = self._bounds.words_at_once(few, width, memory) if is_large else few
        return blocks(self._source.lengths()[chunks], few, many)

    def _bound(
        self,
        questions: Packed,
        chunks: Packed,
        pairs: NDArray[np.int64],
        question: NDArray[np.int64],
        chunk: NDArray[np.int64],
    ) -> None:
        """Bound a block's pairs, and solve early what is still open."""
        words = max(64, self._budget.memory_bytes // (16 * len(chunks.marginals)))
        if self._coded is not None:
            self._bound_coded(self._coded, coded_texts(chunks), pairs, question, chunk, words)
            return
        for chosen, tile in tiles_of(questions, chunks, question, chunk, words):
            self._margin = max(
                self._margin, squared_distance_margin(questions.features.width, tile.questions, tile.chunks)
            )
            if isinstance(self._objective, ClosedForm):
                self._lower[pairs[chosen]] = self._closed_forms(self._objective, tile)
                self._stage[pairs[chosen]] = BOUND
            else:
                self._dual(tile, pairs[chosen])
        if not isinstance(self._objective, ClosedForm):
            by_question = pairs[np.argsort(self._question[pairs], kind="stable")]
            numbers, firsts = np.unique(self._question[by_question], return_index=True)
            for number, open_pairs in zip(numbers.tolist(), np.split(by_question, firsts[1:]), strict=True):
                self._solve_early(number, open_pairs)

    def _bound_coded(
        self,
        coded: _CodedForm,
        chunks: CodedTexts,
        pairs: NDArray[np.int64],
        question: NDArray[np.int64],
        chunk: NDArray[np.int64],
        words: int,
    ) -> None:
        """Bound a block's pairs by a closed form of the cosine cost."""
        # A cost, its errors and what they are made of take some eight numbers a pair.
        most = min(_BLOCK_PAIRS, self._budget.memory_bytes // 256)
        step = max(1, most // len(chunks))
        for first in range(0, len(coded.questions), step):
            some = coded.questions.between(first, min(first + step, len(coded.questions)))
            inside = np.flatnonzero((question >= first) & (question < first + step))
            places = question[inside] - first, chunk[inside]
            self._bound_pairs(_CodedForm(coded.form, some), chunks, pairs[inside], places, words)

    def _bound_pairs(
        self,
        coded: _CodedForm,
        chunks: CodedTexts,
        pairs: NDArray[np.int64],
        places: tuple[NDArray[np.int64], NDArray[np.int64]],
        words: int,
    ) -> None:
        """Bound pairs of some questions, told by their places among these and the chunks."""
        form, questions, scale = coded.form, coded.questions, self._ground.scale
        lengths = questions.words.lengths, chunks.words.lengths
        covering, saying = np.empty(len(pairs)), np.empty(len(pairs))
        words = min(words, TILE_QUESTION_WORDS)
        for cut in cuts(*lengths, *places, words, TILE_CHUNK_WORDS, _DENSE_ENOUGH):
            best = best_products(questions.words.take(cut.group), chunks.words.between(cut.first, cut.last))
            for parts, result in zip(best, (covering, saying), strict=True):
                result[cut.pairs] = parts[cut.question, cut.chunk]
        costs, errors = costs_of_pairs(form, questions, chunks, places, (covering, saying))
        np.maximum.at(self._errors, self._question[pairs], scale * errors)
        self._lower[pairs] = _down(scale * (costs - errors))
        self._stage[pairs] = BOUND

    def _closed_forms(self, form: ClosedForm, tile: Tile) -> NDArray[np.float32]:
        costs = self._bounds.costs(tile, self._ground)
        covering, saying = self._bounds.closed_forms(costs, tile)
        lower = form.covering * covering + form.saying * saying
        if form.sentence:
            if tile.questions.sentences is None or tile.chunks.sentences is None:
                raise InvalidTokenSetError(f"{form.name} compares sentence vectors, and a text has none")
            left = np.asarray(tile.questions.sentences, np.float64)
            near = (left @ np.asarray(tile.chunks.sentences, np.float64).T)[tile.question, tile.chunk]
            lower += form.sentence * self._ground.sentence_scale(left.shape[1]) * (1.0 - near)
        return _down(lower)

    def _dual(self, tile: Tile, pairs: NDArray[np.int64]) -> None:
        numbers = self._question[pairs]
        threshold = np.array([self._states[number].threshold for number in numbers.tolist()]) + _ROUNDING
        is_partial = isinstance(self._objective, Partial)
        stage = np.full(len(pairs), CENTROID, np.int8)
        lower = np.full(len(pairs), -np.inf) if is_partial else centroid_costs(tile, self._ground)
        alive = np.flatnonzero(lower <= threshold)
        if len(alive):
            tile_numbers = np.empty(len(tile.questions), np.int64)
            tile_numbers[tile.question] = numbers
            potentials = np.concatenate([self._states[number].potentials for number in tile_numbers.tolist()])
            capacity = np.ones(len(pairs))
            if is_partial:
                masses = tile.chunks.masses[tile.chunk] / tile.questions.masses[tile.question]
                capacity = np.maximum(1.0, masses)
            costs = self._bounds.costs(tile, self._ground)
            dual = self._bounds.duals(costs, tile.only(alive), potentials, capacity[alive], is_partial)
            lower[alive] = np.maximum(lower[alive], dual)
            stage[alive] = BOUND
            alive = alive[(lower[alive] <= threshold[alive]) & np.isfinite(threshold[alive])]
            if len(alive):
                ascended = self._bounds.ascents(
                    costs, tile.only(alive), potentials, capacity[alive], is_partial, threshold[alive]
                )
                lower[alive] = np.maximum(lower[alive], ascended)
                stage[alive] = ASCENT
        self._lower[pairs], self._stage[pairs] = _down(lower), stage

    def _solve_early(self, number: int, pairs: NDArray[np.int64]) -> None:
        state = self._states[number]
        order = pairs[np.argsort(self._lower[pairs], kind="stable")]
        while len(order) and state.solved < (1 + _EARLY) * state.depth:
            chosen = order[:_TOGETHER][self._lower[order[:_TOGETHER]] <= state.threshold]
            if not len(chosen):
                return
            self._solve(number, chosen.tolist())
            order = order[_TOGETHER:]

    def _finish(self, number: int) -> None:
        """Solve the rest, lowest bound first, until a bound exceeds the threshold.

        What was never bounded (the time was up) has no bound but minus infinity, and stays open.
        """
        state, pairs = self._states[number], self._pairs_of(number)
        bounded = pairs[(self._stage[pairs] != SOLVED) & (self._stage[pairs] != REFUSED)]
        bounded = bounded[np.isfinite(self._lower[bounded])]
        order = bounded[np.argsort(self._lower[bounded], kind="stable")]
        while len(order):
            order = order[self._lower[order] <= state.threshold]
            if len(state.best) == state.depth and self._out_of_time():
                self._stage[order] = OPEN
                return
            self._solve(number, order[:_TOGETHER].tolist())
            order = order[_TOGETHER:]

    def rankings(self, refused: Mapping[int, str]) -> list[Ranking]:
        """Return the rankings, question by question."""
        return [self._ranking(number, refused.get(number, "")) for number in range(len(self._questions))]

    def _ranking(self, number: int, refusal: str) -> Ranking:
        stages = np.bincount(self._stage[self._pairs_of(number)], minlength=REFUSED + 1).tolist()
        state = self._states.get(number)
        best = [] if state is None else state.best
        status = UNANSWERED if refusal else ANYTIME if stages[OPEN] else PROVED
        certificate = Certificate(
            status=status,
            pool=sum(stages),
            solved=stages[SOLVED],
            centroid=stages[CENTROID],
            bound=stages[BOUND],
            ascent=stages[ASCENT],
            open=stages[OPEN],
            refused=stages[REFUSED],
            threshold=best[-1][0] if best else float("nan"),
            margin=self._given_up(number),
        )
        solutions = [] if state is None else [state.solutions[chunk] for _, chunk in best]
        return Ranking(np.array([chunk for _, chunk in best], np.int64), solutions, certificate, refusal)

    def _given_up(self, number: int) -> float:
        """Return what bounds gave up to rounding, of the cost."""
        if self._coded is not None:
            return float(self._errors[number])
        return self._ground.scale * (self._margin**0.5 if self._ground.is_root else 0.5 * self._margin)


def _down(values: Values) -> NDArray[np.float32]:
    """Round to single precision, never up, and allow for what exact costs are rounded by."""
    return np.nextafter((values - _ROUNDING).astype(np.float32), np.float32(-np.inf))
