"""Language models as readers: all options of a question are read after the texts nearest to any of them.

What such a reader measures differs (`weighed_likelihoods`, `tuned_likelihoods`); what is read, how it is
weighed and what a chain cites does not.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import MOST_TEXTS, Asked, fits_alone, fitting_texts
from evidence_assets.reading.weighing.combination import Weights, combined
from evidence_assets.reading.weighing.trained import Encoded, OptionReader, TrainedReading, Values


class SharedTextsReader(OptionReader):
    """Reads a question's options after the same texts, by likelihoods of a causal language model."""

    def __init__(self, model: LikelihoodModel, texts: int, weights: Weights) -> None:
        super().__init__(texts, weights)
        self._model = model

    @abstractmethod
    def measured(
        self, questions: Sequence[Encoded], progress: Progress | None
    ) -> list[tuple[Values, Sequence[str]]]:
        """Return each question's cues, (n, cues), and the texts that were read. `progress` counts prefixes.

        Raises:
            ValueError: an option is empty, or a question alone is longer than the model's context.
        """

    @property
    def alone(self) -> Weights:
        """The weights of a reading without cheap cues."""
        return self.own_weights

    def rows(self, questions: Sequence[Encoded], progress: Progress | None = None) -> list[Values]:
        """Return (n, cues) of each question's options, centred over them. `progress` counts prefixes.

        Raises:
            ValueError: as `measured`.
        """
        return [rows for rows, _ in self.measured(questions, progress)]

    def read(
        self, questions: Sequence[Encoded], with_cues: bool = False, progress: Progress | None = None
    ) -> list[TrainedReading]:
        """Return the reading of every question, by the reader alone or weighed with the cheap cues.

        An option's chain cites, of its own texts, those that the model read; its parts are the cues that
        count. `progress` counts prefixes.

        Raises:
            ValueError: as `measured`.
        """
        weights = self.weights if with_cues else self.alone
        names = self.cues() if with_cues else self.own_cues
        readings = []
        for question, (rows, read) in zip(questions, self.measured(questions, progress), strict=True):
            parts = [dict(zip(names, row.tolist(), strict=False)) for row in rows]
            scores = combined(rows, weights, question.nearness)
            cited = [
                [place for place, text in enumerate(texts) if text in read] for texts in question.evidence
            ]
            readings.append(TrainedReading(scores, parts, cited))
        return readings

    def fits(self, question: str, options: Sequence[str]) -> bool:
        """Tell whether a question without evidence fits into the model's context."""
        return fits_alone(Asked(question, options, ()), self._model)

    def fitting(self, question: Encoded, options: Sequence[str]) -> Sequence[str]:
        """Return the texts that a question's options, as they continue it, are read after."""
        return fitting_shared_texts(question, options, self.texts, self._model)


def shared_texts(question: Encoded, most: int) -> list[str]:
    """Return the first texts of a question's options, each once: of all the nearest, then of all the second.

    Of as near a place, those of the option whose nearest text is nearer come first. `most`: of an option.
    """
    order = np.argsort(
        -np.nan_to_num(np.asarray(question.nearest, dtype=np.float64), nan=-np.inf), kind="stable"
    )
    ranked = [
        (place, rank, text)
        for rank, option in enumerate(order.tolist())
        for place, text in enumerate(question.evidence[option][:most])
    ]
    return list(dict.fromkeys(text for _, _, text in sorted(ranked, key=lambda entry: entry[:2])))


def fitting_shared_texts(
    question: Encoded, options: Sequence[str], most: int, model: LikelihoodModel
) -> Sequence[str]:
    """Return the texts that all options are read after, without the last that do not fit into the context.

    `options`: as they continue the question. `most`: of an option.
    """
    texts = shared_texts(question, most)[:MOST_TEXTS]
    longest = max(options, key=model.count_tokens)
    return texts[: fitting_texts(question.question, texts, longest, model)]
