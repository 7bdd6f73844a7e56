"""The exact best k of a whole corpus by a closed form of the cosine cost: every question, every chunk.

Products of words as integers bound each pair from both sides (`coded_bounds`). Kept are the pairs whose
lower bound is within the k-th best upper bound; these are evaluated exactly in double precision, lowest
first, until the next bound exceeds the k-th cost. The k that come back are those of `brute_force`, in its
order, with its costs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.progress import Progress
from evidence_assets.retrieval.transport.cascade import (
    ANYTIME,
    PROVED,
    UNANSWERED,
    UNLIMITED,
    Budget,
    Certificate,
    Ranking,
)
from evidence_assets.retrieval.transport.coded_bounds import (
    TILE_CHUNK_WORDS,
    TILE_QUESTION_WORDS,
    CodedTexts,
    coded_costs,
    coded_texts,
)
from evidence_assets.retrieval.transport.evaluations import QuestionState, SideCache
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.objectives import ClosedForm, prepare_side
from evidence_assets.retrieval.transport.packing import Packed, pack_sound, ranges_within
from evidence_assets.retrieval.transport.sources import TokenSource
from evidence_assets.retrieval.transport.token_sets import TokenSet

_QUESTION_WORDS, _CHUNK_WORDS = TILE_QUESTION_WORDS, TILE_CHUNK_WORDS
# Exact costs are rounded too.
_ROUNDING = 1e-12
# Exact evaluations between two looks at the threshold, and open pairs between two looks at all thresholds.
_TOGETHER, _MOST_OPEN = 8, 1 << 22

_GROUND = Cosine()
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Group:
    """Some questions, first to last of the pack."""

    first: int
    texts: CodedTexts


class _Scan:
    """One call of `rank_corpus`: bounds of every pair, and those that are still open."""

    def __init__(self, packed: Packed, depths: NDArray[np.int64], form: ClosedForm) -> None:
        self._form, self._depths = form, depths
        texts, ends = coded_texts(packed), ranges_within(np.cumsum(packed.lengths), _QUESTION_WORDS)
        self._groups = [_Group(first, texts.between(first, last)) for first, last in ends]
        deepest = int(depths.max())
        self._uppers = np.full((len(packed), deepest), np.inf, np.float32)
        self._places = np.unique(depths - 1)
        self._open: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]] = []
        self._held = 0
        self.margins = np.zeros(len(packed))

    @property
    def thresholds(self) -> NDArray[np.float32]:
        """Return (q,) the k-th best upper bound of each question, infinite while fewer are known."""
        rows = np.arange(len(self._depths))
        result: NDArray[np.float32] = self._uppers[rows, self._depths - 1]
        return result

    def block(self, chunks: Packed, numbers: NDArray[np.int64]) -> None:
        """Bound some chunks' pairs with every question, and keep what is open."""
        texts = coded_texts(chunks)
        for group in self._groups:
            costs, slack = coded_costs(self._form, group.texts, texts)
            slack += _ROUNDING
            rows = slice(group.first, group.first + len(group.texts))
            self.margins[rows] = np.maximum(self.margins[rows], slack.max(axis=1))
            uppers = np.concatenate([self._uppers[rows], _up(costs + slack)], axis=1)
            uppers.partition(self._places, axis=1)
            self._uppers[rows] = uppers[:, : self._uppers.shape[1]]
            lower = _down(costs - slack)
            question, chunk = np.nonzero(lower <= self.thresholds[rows][:, None])
            self._open.append((question + group.first, numbers[chunk], lower[question, chunk]))
            self._held += len(question)
        if self._held > _MOST_OPEN:
            self._prune()

    def _prune(self) -> None:
        question, chunk, lower = (np.concatenate(part) for part in zip(*self._open, strict=True))
        kept = lower <= self.thresholds[question]
        self._open = [(question[kept], chunk[kept], lower[kept])]
        self._held = int(kept.sum())

    def open_pairs(self) -> Iterator[tuple[NDArray[np.int64], Values]]:
        """Yield each question's open chunks, lowest bound first, with their bounds as costs."""
        self._open.append((np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)))
        self._prune()
        question, chunk, lower = self._open[0]
        order = np.lexsort((chunk, lower, question))
        question, chunk, lower = question[order], chunk[order], lower[order]
        starts = np.searchsorted(question, np.arange(len(self._depths) + 1))
        for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            yield (
                chunk[first:last],
                np.asarray(lower[first:last] * _GROUND.scale - _ROUNDING, dtype=np.float64),
            )


def rank_corpus(
    questions: Sequence[TokenSet],
    source: TokenSource,
    form: ClosedForm,
    depths: Sequence[int],
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
    names: Sequence[str] = (),
) -> list[Ranking]:
    """Return each question's exact cheapest chunks of the whole source, by a closed form of the cosine cost.

    Args:
        questions: The questions; one that cannot be compared gets an empty ranking with the reason.
        source: The chunks, each read once and, where it is among a question's best, once more.
        depths: k of each question.
        budget: Of its memory a quarter is for prepared chunks; blocks are small. Past its seconds what was
            not scanned stays open.
        progress: Progress callback: (chunks scanned, chunks in all).
        names: Names of the questions in refusals.
    """
    started = time.monotonic()
    labels = names or [f"question {number}" for number in range(len(questions))]
    pack = pack_sound(np.arange(len(questions)), questions, labels, _GROUND)
    total = len(source.lengths())
    if pack.packed is None:
        return [_refused(pack.refused[number], total) for number in range(len(questions))]
    wanted = np.asarray(depths, np.int64)[pack.numbers]
    scan = _Scan(pack.packed, wanted, form)
    dimension = questions[int(pack.numbers[0])].vectors.shape[1]
    done, refused = 0, 0
    for first, last in ranges_within(np.cumsum(source.lengths()), _CHUNK_WORDS):
        if budget.seconds is not None and time.monotonic() - started > budget.seconds:
            break
        chunks = source.pack(np.arange(first, last), _GROUND, dimension)
        refused += len(chunks.refused)
        if chunks.packed is not None:
            scan.block(chunks.packed, chunks.numbers)
        done = last
        if progress is not None:
            progress(done, total)
    sides = SideCache(source, _GROUND, budget.memory_bytes // 4)
    rankings = {number: _refused(reason, total) for number, reason in pack.refused.items()}
    for place, (number, (chunk, lower)) in enumerate(
        zip(pack.numbers.tolist(), scan.open_pairs(), strict=True)
    ):
        state = QuestionState(prepare_side(questions[number], _GROUND), int(wanted[place]))
        _finish(state, chunk, lower, sides, form)
        margin = _GROUND.scale * float(scan.margins[place])
        rankings[number] = _ranking(state, total, refused, total - done, margin)
    return [rankings[number] for number in range(len(questions))]


def _finish(
    state: QuestionState, chunk: NDArray[np.int64], lower: Values, sides: SideCache, form: ClosedForm
) -> None:
    """Solve open chunks, lowest bound first, until a bound exceeds the threshold."""
    for first in range(0, len(chunk), _TOGETHER):
        numbers = chunk[first : first + _TOGETHER][lower[first : first + _TOGETHER] <= state.threshold]
        if not len(numbers):
            return
        for number, side in zip(numbers.tolist(), sides.get(numbers.tolist(), map, sound=True), strict=True):
            if side is not None:
                state.keep(number, form.solve(_GROUND, state.side, side))


def _ranking(state: QuestionState, total: int, refused: int, unread: int, margin: float) -> Ranking:
    certificate = Certificate(
        status=ANYTIME if unread else PROVED,
        pool=total,
        solved=state.solved,
        centroid=0,
        bound=total - state.solved - refused - unread,
        ascent=0,
        open=unread,
        refused=refused,
        threshold=state.best[-1][0] if state.best else float("nan"),
        margin=margin,
    )
    solutions = [state.solutions[chunk] for _, chunk in state.best]
    return Ranking(np.array([chunk for _, chunk in state.best], np.int64), solutions, certificate)


def _refused(reason: str, total: int) -> Ranking:
    certificate = Certificate(UNANSWERED, total, 0, 0, 0, 0, total, 0, float("nan"), 0.0)
    return Ranking(np.empty(0, np.int64), [], certificate, reason)


def _down(values: Values) -> NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(-np.inf))


def _up(values: Values) -> NDArray[np.float32]:
    return np.nextafter(values.astype(np.float32), np.float32(np.inf))
