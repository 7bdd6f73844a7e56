"""Trained reader: options scored by a cross-encoder over question, option and the option's evidence.

What a text of the evidence did to a score is measured by leaving it out: a chain cites the texts without
which its option would score lower. The reader's score can be weighed with two cheap cues, the nearest text
and the cosine of question and option, by weights fitted on the questions that it was chosen on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.reading.combination import softmax
from evidence_assets.reading.conditional_logit import fitted_weights
from evidence_assets.text.queries import with_option

# What a mixture weighs, in its order.
CUES = ("reader", "nearest", "plausibility")
_PENALTY = 1.0
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class TrainedReader:
    """A cross-encoder that was trained to read: how many texts it reads an option with, and its mixture.

    `mixture`: a weight a cue, in the order of `CUES`.
    """

    scorer: PairScorer
    texts: int
    mixture: tuple[float, ...]


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


@dataclass(frozen=True, slots=True)
class TrainedReading:
    """What a reader makes of a question's options.

    `scores`: (n,), of which the softmax is the probability. `parts`: of each option, the score with its
    evidence and without, and by how much each text that was read moved it. `cited`: of each option, the
    places of the texts that raised its score, the one that raised it most first.
    """

    scores: NDArray[np.float64]
    parts: Sequence[Mapping[str, float]]
    cited: Sequence[Sequence[int]]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """(n,) the options' probabilities."""
        return softmax(self.scores)


def evidence_text(texts: Sequence[str]) -> str:
    """Return the texts of an option's evidence as they are read: one after the other."""
    return " ".join(f"{text.rstrip(' .')}." for text in texts)


def read_options(
    questions: Sequence[Encoded], reader: TrainedReader, with_cues: bool = False
) -> list[TrainedReading]:
    """Return the reading of every question, by the reader alone or by its mixture with the cues."""
    queries: list[str] = []
    texts: list[str] = []
    for question in questions:
        for option, evidence in zip(question.options, question.evidence, strict=True):
            read = evidence[: reader.texts]
            shown = [read, *(_without(read, place) for place in range(len(read))), ()]
            queries += [with_option(question.question, option)] * len(shown)
            texts += [evidence_text(part) for part in shown]
    scores = iter(reader.scorer.score(queries, texts).tolist())
    readings = []
    for question in questions:
        parts, cited = [], []
        for evidence in question.evidence:
            full_score = next(scores)
            moved = [round(full_score - next(scores), _DECIMALS) for _ in evidence[: reader.texts]]
            part = {"with_evidence": full_score, "without_evidence": next(scores)}
            parts.append(part | {f"moved_{place}": by for place, by in enumerate(moved, 1)})
            cited.append(sorted((place for place, by in enumerate(moved) if by > 0), key=lambda p: -moved[p]))
        reading = TrainedReading(np.array([part["with_evidence"] for part in parts]), parts, cited)
        readings.append(_mixed(reading, question, reader.mixture) if with_cues else reading)
    return readings


def cue_rows(
    scores: NDArray[np.floating], question: FloatArray, options: FloatArray, nearest: Sequence[float]
) -> NDArray[np.float64]:
    """Return (n, cues) of a question's options, centred over them.

    Args:
        scores: (n,) the reader's.
        question, options: (d,) and (n, d) unit vectors.
        nearest: Of each option, the cosine of its nearest text to question and option; of one without any,
            nan: it has the mean of the others.
    """
    given = np.asarray(nearest, dtype=np.float64)
    known = given[~np.isnan(given)]
    filled = np.where(np.isnan(given), known.mean() if len(known) else 0.0, given)
    rows = np.stack([scores.astype(np.float64), filled, (options @ question).astype(np.float64)], axis=1)
    centred: NDArray[np.float64] = (rows - rows.mean(axis=0)).round(_DECIMALS)
    return centred


def fitted_mixture(rows: Sequence[NDArray[np.float64]], right: Sequence[int]) -> tuple[float, ...]:
    """Return a weight a cue, none negative, fitted on questions' `cue_rows`: the softmax is calibrated."""
    return tuple(fitted_weights(rows, right, _PENALTY, negative=False).round(4).tolist())


def _mixed(reading: TrainedReading, question: Encoded, mixture: Sequence[float]) -> TrainedReading:
    """Return a reading whose scores are a mixture's, with the cues among its parts."""
    rows = cue_rows(reading.scores, question.question_vector, question.option_vectors, question.nearest)
    parts = [
        {**part, **dict(zip(CUES, row.tolist(), strict=True))}
        for part, row in zip(reading.parts, rows, strict=True)
    ]
    return TrainedReading((rows @ np.asarray(mixture)).round(_DECIMALS), parts, reading.cited)


def _without(texts: Sequence[str], place: int) -> Sequence[str]:
    return [*texts[:place], *texts[place + 1 :]]
