"""Likelihood reader: how much likelier its evidence makes each option (pointwise mutual information).

A causal language model scores every option as the continuation of its question, once after the option's
evidence and once without. What the evidence adds is the option's score: what the model holds likely anyway,
and what is short or common, weighs on both sides and falls away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.likelihood import Likelihood, LikelihoodModel
from evidence_assets.progress import Progress

# Texts of an option's evidence that are read, best first: more cost more and tell a small model less.
MOST_TEXTS = 5


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its options, and the texts of each option's evidence, best first; none: none was given."""

    question: str
    options: Sequence[str]
    evidence: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class LikelihoodReading:
    """What the model makes of a question's options.

    `scores`: (n,) nats a token that evidence adds, or, where no option has any, the nats a token of the
    option itself. `parts`: of each option, the figures behind its score. `read`: how many of its texts were
    read.
    """

    scores: NDArray[np.float64]
    parts: Sequence[Mapping[str, float]]
    read: Sequence[int]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """(n,) the scores as probabilities of the options: of their exponentials."""
        powers: NDArray[np.float64] = np.exp(self.scores - self.scores.max())
        probabilities: NDArray[np.float64] = powers / powers.sum()
        return probabilities


def prefix(question: str, evidence: Sequence[str] = ()) -> str:
    """Return what an option is the continuation of."""
    facts = "".join(f"- {text}\n" for text in evidence)
    return f"{'Facts:' if facts else ''}\n{facts}\nQuestion: {question}\nAnswer:".lstrip()


def read_options(
    asked: Sequence[Asked], model: LikelihoodModel, progress: Progress | None = None
) -> list[LikelihoodReading]:
    """Return the likelihood reading of every question.

    Evidence that does not fit into the model's context is left out, the lowest-ranked first.

    Raises:
        ValueError: an option is empty, or a question alone is longer than the model's context.
    """
    prefixes: list[str] = []
    continuations: list[list[str]] = []
    # Of each question: its place without evidence, and of each option its place with it and what is read.
    places: list[tuple[int, list[tuple[int, int, int]]]] = []
    for each in asked:
        options = [f" {option.strip()}" for option in each.options]
        alone = len(prefixes)
        prefixes.append(prefix(each.question))
        continuations.append(options)
        with_evidence = []
        by_prefix: dict[str, int] = {}
        for option, evidence in zip(options, each.evidence, strict=True):
            read = _fitting(each.question, evidence, option, model)
            text = prefix(each.question, evidence[:read])
            place = by_prefix.get(text, alone if not read else len(prefixes))
            if place == len(prefixes):
                by_prefix[text] = place
                prefixes.append(text)
                continuations.append([])
            if place != alone:
                continuations[place].append(option)
            with_evidence.append((place, len(continuations[place]) - 1, read))
        places.append((alone, with_evidence))
    scored = model.likelihoods(prefixes, continuations, progress)
    return [_reading(scored, alone, with_evidence) for alone, with_evidence in places]


def _fitting(question: str, evidence: Sequence[str], option: str, model: LikelihoodModel) -> int:
    """Return how many of the first texts fit before an option."""
    room = model.context_tokens - model.count_tokens(option)
    read = min(len(evidence), MOST_TEXTS)
    while read and model.count_tokens(prefix(question, evidence[:read])) > room:
        read -= 1
    return read


def _reading(
    scored: Sequence[Sequence[Likelihood]], alone: int, with_evidence: Sequence[tuple[int, int, int]]
) -> LikelihoodReading:
    parts = []
    for option, (place, within, read) in enumerate(with_evidence):
        without = scored[alone][option]
        given = scored[place][within] if read else without
        parts.append(
            {
                "with_evidence": given.per_token,
                "without_evidence": without.per_token,
                "information_per_token": given.per_token - without.per_token,
                "information_per_character": given.per_character - without.per_character,
            }
        )
    any_evidence = any(read for _, _, read in with_evidence)
    name = "information_per_token" if any_evidence else "without_evidence"
    scores = np.array([part[name] for part in parts], dtype=np.float64)
    return LikelihoodReading(scores, parts, [read for _, _, read in with_evidence])
