"""Readers of options whose score is weighed with cheap cues, by weights fitted on published questions.

A reader measures the options of a question by cues of its own and by two cheap ones, the nearest text and the
cosine of question and option. The cross-encoder's own cue is its score of question, option and the option's
evidence; what a text did to that score is measured by leaving it out, and a chain cites the texts without
which its option would score lower. A language model's are likelihoods (`reading.likelihoods`).

What a cue is worth depends on whether the texts speak of what is asked: a mixture has weights for evidence
that comes near, and for such that does not, blended between (`reading.weighing.combination`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.progress import Progress
from evidence_assets.reading.weighing.combination import Weights, combined, softmax
from evidence_assets.reading.weighing.conditional_logit import fitted_weights
from evidence_assets.text.queries import with_option

CHEAP_CUES = ("nearest", "plausibility")
# The cosine of the nearest text at which evidence is far from what is asked, and near it: between them the
# weights are blended. The bounds are the extractive reader's general weights'.
FAR, NEAR = 0.4, 0.8
_PENALTY = 1.0
_DECIMALS = 6

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Encoded:
    """A question, its options and the texts of each option's evidence, nearest first; and their vectors.

    `question_vector` (d,), `option_vectors` (n, d): unit vectors. `nearest` (n,): the cosine of each option's
    first text to question and option; nan where it was given none.
    """

    question: str
    options: Sequence[str]
    evidence: Sequence[Sequence[str]]
    question_vector: FloatArray
    option_vectors: FloatArray
    nearest: Sequence[float]

    @property
    def nearness(self) -> float:
        """How near the nearest text comes to the question with any of its options; 0 where there is none."""
        return max((cosine for cosine in self.nearest if not np.isnan(cosine)), default=0.0)


@dataclass(frozen=True, slots=True)
class TrainedReading:
    """What a reader makes of a question's options.

    `scores`: (n,), of which the softmax is the probability. `parts`: of each option, the score with its
    evidence and without, and by how much each text that was read moved it, or the cues. `cited`: of each
    option, the places of the texts that its chain cites: those that raised its score, the one that raised it
    most first, or all that were read.
    """

    scores: NDArray[np.float64]
    parts: Sequence[Mapping[str, float]]
    cited: Sequence[Sequence[int]]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """(n,) the options' probabilities."""
        return softmax(self.scores)


class OptionReader(ABC):
    """Reads options by cues of its own and cheap ones.

    `texts`: how many texts it reads an option with. `weights`: of its cues, in the order of `cues`.
    `own_cues`: the names of its own cues.
    """

    own_cues: ClassVar[tuple[str, ...]]

    def __init__(self, texts: int, weights: Weights) -> None:
        self.texts, self.weights = texts, weights

    @classmethod
    def cues(cls) -> tuple[str, ...]:
        """Return the names of all cues."""
        return (*cls.own_cues, *CHEAP_CUES)

    @property
    def own_weights(self) -> Weights:
        """The weights under which its own cues alone decide; one each where a mixture has none."""
        return self._only(self.own_cues)

    @property
    def cheap_weights(self) -> Weights:
        """The mixture's weights without its own cues'; one each where it has none."""
        return self._only(CHEAP_CUES)

    def _only(self, names: Sequence[str]) -> Weights:
        kept = np.array([float(name in names) for name in self.cues()])
        near, far = (
            weights * kept if (weights * kept).any() else kept
            for weights in (self.weights.near, self.weights.far)
        )
        return replace(self.weights, near=near, far=far)

    def fits(self, question: str, options: Sequence[str]) -> bool:
        """Tell whether a question can be read at all; what is cut to fit always can."""
        return True

    @abstractmethod
    def rows(self, questions: Sequence[Encoded], progress: Progress | None = None) -> list[Values]:
        """Return (n, cues) of each question's options, centred over them."""

    @abstractmethod
    def read(
        self, questions: Sequence[Encoded], with_cues: bool = False, progress: Progress | None = None
    ) -> list[TrainedReading]:
        """Return the reading of every question, by the reader alone or weighed with the cheap cues."""


class TrainedReader(OptionReader):
    """A cross-encoder that was trained to read."""

    own_cues = ("reader",)

    def __init__(self, scorer: PairScorer, texts: int, weights: Weights) -> None:
        super().__init__(texts, weights)
        self._scorer = scorer

    def rows(self, questions: Sequence[Encoded], progress: Progress | None = None) -> list[Values]:
        """Return (n, cues) of each question's options, centred over them."""
        queries = [
            with_option(question.question, option) for question in questions for option in question.options
        ]
        texts = [
            evidence_text(evidence[: self.texts]) for question in questions for evidence in question.evidence
        ]
        ends = np.cumsum([len(question.options) for question in questions])
        scores = np.split(self._scorer.score(queries, texts), ends)[: len(questions)]
        return [
            cue_rows(of_options[:, None], question)
            for of_options, question in zip(scores, questions, strict=True)
        ]

    def read(
        self, questions: Sequence[Encoded], with_cues: bool = False, progress: Progress | None = None
    ) -> list[TrainedReading]:
        """Return the reading of every question, by the reader alone or weighed with the cheap cues."""
        queries: list[str] = []
        texts: list[str] = []
        for question in questions:
            for option, evidence in zip(question.options, question.evidence, strict=True):
                read = evidence[: self.texts]
                shown = [read, *(_without(read, place) for place in range(len(read))), ()]
                queries += [with_option(question.question, option)] * len(shown)
                texts += [evidence_text(part) for part in shown]
        scores = iter(self._scorer.score(queries, texts).tolist())
        readings = []
        for question in questions:
            parts, cited = [], []
            for evidence in question.evidence:
                full_score = next(scores)
                moved = [round(full_score - next(scores), _DECIMALS) for _ in evidence[: self.texts]]
                part = {"with_evidence": full_score, "without_evidence": next(scores)}
                parts.append(part | {f"moved_{place}": by for place, by in enumerate(moved, 1)})
                raised = [place for place, by in enumerate(moved) if by > 0]
                cited.append(sorted(raised, key=lambda place: -moved[place]))
            reading = TrainedReading(np.array([part["with_evidence"] for part in parts]), parts, cited)
            readings.append(self._mixed(reading, question) if with_cues else reading)
        return readings

    def _mixed(self, reading: TrainedReading, question: Encoded) -> TrainedReading:
        """Return a reading whose scores are a mixture's, with the cues among its parts."""
        rows = cue_rows(reading.scores[:, None], question)
        parts = [
            {**part, **dict(zip(self.cues(), row.tolist(), strict=True))}
            for part, row in zip(reading.parts, rows, strict=True)
        ]
        return TrainedReading(combined(rows, self.weights, question.nearness), parts, reading.cited)


def evidence_text(texts: Sequence[str]) -> str:
    """Return the texts of an option's evidence as they are read: one after the other."""
    return " ".join(f"{text.rstrip(' .')}." for text in texts)


def cue_rows(own_values: NDArray[np.floating], question: Encoded) -> Values:
    """Return (n, cues) of a question's options, centred: a reader's own, (n, k), then the cheap ones.

    An option without evidence has the mean of the others' nearest texts.
    """
    given = np.asarray(question.nearest, dtype=np.float64)
    known = given[~np.isnan(given)]
    nearest = np.where(np.isnan(given), known.mean() if len(known) else 0.0, given)
    plausibility = (question.option_vectors @ question.question_vector).astype(np.float64)
    rows = np.column_stack([own_values.astype(np.float64), nearest, plausibility])
    centred: Values = (rows - rows.mean(axis=0)).round(_DECIMALS)
    return centred


def even_weights(weights: Sequence[float]) -> Weights:
    """Return weights that hold whether evidence comes near or not."""
    values = np.asarray(weights, dtype=np.float64)
    return Weights(values, values, FAR, NEAR)


def fitted_mixture(rows: Sequence[Values], nearness: Sequence[float], right: Sequence[int]) -> Weights:
    """Return a mixture's weights, none negative, fitted on questions: the softmax of scores is calibrated.

    `rows`, `nearness`, `right`: of each question its `cue_rows`, how near its evidence comes, and the place
    of its right option. The penalty holds cues in units of their spread: nats and cosines alike.
    """
    spread = np.sqrt(np.mean(np.concatenate(rows) ** 2, axis=0))
    unit = np.where(spread > 0, spread, 1.0)
    blend = Weights(np.ones(1), np.zeros(1), FAR, NEAR)
    shares = [float(blend.at(near)[0]) for near in nearness]
    doubled = [
        np.hstack([share * of_options, (1 - share) * of_options]) / np.tile(unit, 2)
        for of_options, share in zip(rows, shares, strict=True)
    ]
    scaled = fitted_weights(doubled, right, _PENALTY, negative=False)
    near_weights, far_weights = (scaled.reshape(2, -1) / unit).round(4)
    return Weights(near_weights, far_weights, FAR, NEAR)


def _without(texts: Sequence[str], place: int) -> Sequence[str]:
    return [*texts[:place], *texts[place + 1 :]]
