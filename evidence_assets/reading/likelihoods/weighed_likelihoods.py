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

from evidence_assets.models.generation.likelihood import Likelihood
from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import PLAIN, continuation, prefix
from evidence_assets.reading.likelihoods.shared_texts import SharedTextsReader
from evidence_assets.reading.weighing.trained import Encoded, Values, cue_rows

# What stands before an option where nothing was asked.
_BARE = f"{PLAIN.closing}:"


class WeighedLikelihoods(SharedTextsReader):
    """A causal language model as a reader.

    Its own cues, in nats: `likelihood` and `likelihood_given`, a token of the option after the question,
    without and with evidence; `information` and `information_given`, what the question, or question and
    evidence, add to the whole option.
    """

    own_cues = ("likelihood", "likelihood_given", "information", "information_given")

    def measured(
        self, questions: Sequence[Encoded], progress: Progress | None
    ) -> list[tuple[Values, Sequence[str]]]:
        """Return each question's cues and the texts that were read; see `SharedTextsReader`."""
        prefixes, continuations, texts_read = [], [], []
        for question in questions:
            options = [continuation(option) for option in question.options]
            texts = self.fitting(question, options)
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
