"""Options read by a language model that was trained to answer: the likelihood of each after its evidence.

All options of a question are read after the same texts, as in training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import continuation, prefix
from evidence_assets.reading.likelihoods.shared_texts import SharedTextsReader
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weighing.trained import Encoded, Values, cue_rows, even_weights


class TunedLikelihoods(SharedTextsReader):
    """A causal language model with an adapter that was trained on options.

    Its own cue, `reader`: nats a token of the option after evidence and question.
    """

    own_cues = ("reader",)

    @property
    def alone(self) -> Weights:
        """As in training: the softmax of its own cue is the probability."""
        return even_weights([float(name in self.own_cues) for name in self.cues()])

    def measured(
        self, questions: Sequence[Encoded], progress: Progress | None
    ) -> list[tuple[Values, Sequence[str]]]:
        """Return each question's cues and the texts that were read; see `SharedTextsReader`."""
        options = [[continuation(option) for option in question.options] for question in questions]
        texts = [
            self.fitting(question, of_question)
            for question, of_question in zip(questions, options, strict=True)
        ]
        prefixes = [prefix(question.question, read) for question, read in zip(questions, texts, strict=True)]
        scored = self._model.likelihoods(prefixes, options, progress)
        return [
            (cue_rows(np.array([[likelihood.per_token] for likelihood in of_question]), question), read)
            for of_question, question, read in zip(scored, questions, texts, strict=True)
        ]
