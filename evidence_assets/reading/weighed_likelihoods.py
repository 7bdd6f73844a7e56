"""Options read by a language model's likelihoods, weighed with cheap cues.

How likely a model holds an option says what is true and what is merely common, short or well put. So an
option is measured four times: how likely each of its tokens is after the question, and after question and
evidence; and by how much either makes the whole option likelier than it is after no question at all
(pointwise mutual information; Holtzman et al. 2021, arXiv 2104.08315). What each is worth is fitted on
published questions; no weight of the model is trained.

All options of a question are read after the same texts, those nearest to any of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.generation.likelihood import Likelihood, LikelihoodModel
from evidence_assets.progress import Progress
from evidence_assets.reading.combination import Weights, combined
from evidence_assets.reading.likelihood import MOST_TEXTS, PLAIN, continuation, fitting_texts, prefix
from evidence_assets.reading.trained import (
    Encoded,
    OptionReader,
    TrainedReading,
    Values,
    cue_rows,
)

# What stands before an option where nothing was asked.
_BARE = f"{PLAIN.closing}:"


class WeighedLikelihoods(OptionReader):
    """A causal language model as a reader.

    Its own cues, in nats: `likelihood` and `likelihood_given`, a token of the option after the question,
    without and with evidence; `information` and `information_given`, what the question, or question and
    evidence, add to the whole option.
    """

    own_cues = ("likelihood", "likelihood_given", "information", "information_given")

    def __init__(self, model: LikelihoodModel, texts: int, weights: Weights) -> None:
        super().__init__(texts, weights)
        self._model = model

    def rows(self, questions: Sequence[Encoded], progress: Progress | None = None) -> list[Values]:
        """Return (n, cues) of each question's options, centred over them. `progress` counts prefixes.

        Raises:
            ValueError: an option is empty, or a question alone is longer than the model's context.
        """
        return [rows for rows, _ in self._measured(questions, progress)]

    def read(
        self, questions: Sequence[Encoded], with_cues: bool = False, progress: Progress | None = None
    ) -> list[TrainedReading]:
        """Return the reading of every question, by the reader alone or weighed with the cheap cues.

        An option's chain cites, of its own texts, those that the model read; its parts are the cues that
        count. `progress` counts prefixes.

        Raises:
            ValueError: an option is empty, or a question alone is longer than the model's context.
        """
        weights = self.weights if with_cues else self.own_weights
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
        prefixes, continuations, texts_read = [], [], []
        for question in questions:
            options = [continuation(option) for option in question.options]
            texts = fitting_shared_texts(question, options, self.texts, self._model)
            before = [
                _BARE,
                prefix(question.question),
                *([prefix(question.question, texts)] if texts else []),
            ]
            prefixes += before
            continuations += [options] * len(before)
            texts_read.append(texts)
        scored = iter(self._model.likelihoods(prefixes, continuations, progress))
        measured = []
        for question, texts in zip(questions, texts_read, strict=True):
            bare, without_evidence = next(scored), next(scored)
            with_evidence = next(scored) if texts else without_evidence
            own_values = _own_values(bare, without_evidence, with_evidence)
            measured.append((cue_rows(own_values, question), texts))
        return measured


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


def cited_places(question: Encoded, read: Sequence[str]) -> list[list[int]]:
    """Return of each option the places of those of its texts that were read."""
    return [[place for place, text in enumerate(texts) if text in read] for texts in question.evidence]


def _own_values(
    bare: Sequence[Likelihood], without_evidence: Sequence[Likelihood], with_evidence: Sequence[Likelihood]
) -> NDArray[np.float64]:
    """Return (n, 4) of options: their likelihoods after nothing, the question, and question and evidence."""
    return np.array(
        [
            [
                without.per_token,
                given.per_token,
                without.log_probability - before.log_probability,
                given.log_probability - before.log_probability,
            ]
            for before, without, given in zip(bare, without_evidence, with_evidence, strict=True)
        ]
    )
