"""Options read by a language model that was trained to answer: the likelihood of each after its evidence.

All options of a question are read after the same texts, as in training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.progress import Progress
from evidence_assets.reading.combination import Weights, combined
from evidence_assets.reading.likelihood import continuation, prefix
from evidence_assets.reading.trained import (
    Encoded,
    OptionReader,
    TrainedReading,
    Values,
    cue_rows,
    even_weights,
)
from evidence_assets.reading.weighed_likelihoods import cited_places, fitting_shared_texts


class TunedLikelihoods(OptionReader):
    """A causal language model with an adapter that was trained on options.

    Its own cue, `reader`: nats a token of the option after evidence and question.
    """

    own_cues = ("reader",)

    def __init__(self, model: LikelihoodModel, texts: int, weights: Weights) -> None:
        super().__init__(texts, weights)
        self._model = model

    def rows(self, questions: Sequence[Encoded], progress: Progress | None = None) -> list[Values]:
        """Return (n, cues) of each question's options, centred over them. `progress` counts questions.

        Raises:
            ValueError: an option is empty, or a question alone is longer than the model's context.
        """
        return [rows for rows, _ in self._measured(questions, progress)]

    def read(
        self, questions: Sequence[Encoded], with_cues: bool = False, progress: Progress | None = None
    ) -> list[TrainedReading]:
        """Return the reading of every question, by the reader alone or weighed with the cheap cues.

        An option's chain cites, of its own texts, those that the model read; its parts are the cues that
        count. `progress` counts questions.

        Raises:
            ValueError: an option is empty, or a question alone is longer than the model's context.
        """
        ones = even_weights([float(name in self.own_cues) for name in self.cues()])
        weights = self.weights if with_cues else ones
        names = self.cues() if with_cues else self.own_cues
        readings = []
        for question, (rows, read) in zip(questions, self._measured(questions, progress), strict=True):
            parts = [dict(zip(names, row.tolist(), strict=False)) for row in rows]
            scores = combined(rows, weights, question.nearness)
            readings.append(TrainedReading(scores, parts, cited_places(question, read)))
        return readings

    def _measured(
        self, questions: Sequence[Encoded], progress: Progress | None
    ) -> list[tuple[Values, Sequence[str]]]:
        """Return each question's cues, and the texts that were read."""
        options = [[continuation(option) for option in question.options] for question in questions]
        texts = [
            fitting_shared_texts(question, of_question, self.texts, self._model)
            for question, of_question in zip(questions, options, strict=True)
        ]
        prefixes = [prefix(question.question, read) for question, read in zip(questions, texts, strict=True)]
        scored = self._model.likelihoods(prefixes, options, progress)
        return [
            (cue_rows(np.array([[likelihood.per_token] for likelihood in of_question]), question), read)
            for of_question, question, read in zip(scored, questions, texts, strict=True)
        ]
