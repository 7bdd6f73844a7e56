"""Likelihood reader: how much likelier its evidence makes each option (pointwise mutual information).

A causal language model scores every option as the continuation of its question, once after the option's
evidence and once without. What the evidence adds is the option's score: what the model holds likely anyway,
and what is short or common, weighs on both sides and falls away.

Whatever may be answered is an option to it: an offered one, a verdict, a node of a graph, a relation, true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected, question_itself
from evidence_assets.models.generation.likelihood import Likelihood, LikelihoodModel
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.progress import Progress
from evidence_assets.reading.extractive import choose, option_answer
from evidence_assets.reading.weighing.combination import softmax

# Part of the version of what this reader answers.
VERSION = "3"
# Texts of an option's evidence that are read, best first: more cost more, and distract a small model.
MOST_TEXTS = 5


@dataclass(frozen=True, slots=True)
class Wording:
    """What stands before evidence (`heading`), before the question (`asks`) and before an option."""

    heading: str = "Facts"
    asks: str = "Question"
    closing: str = "Answer"


PLAIN = Wording()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, its options, and the texts of each option's evidence, best first; none: none was given."""

    question: str
    options: Sequence[str]
    evidence: Sequence[Sequence[str]]
    wording: Wording = PLAIN
    most_texts: int = MOST_TEXTS


@dataclass(frozen=True, slots=True)
class LikelihoodReading:
    """What the model makes of a question's options.

    `scores`: (n,) nats a token that evidence adds, or, where no option has any, the nats a token of the
    option itself. `parts`: of each option, the figures behind its score, with the number of its texts that
    did not fit into the model's context (`evidence_left_out`), if any did not. `read`: how many of its texts
    were read.
    """

    scores: NDArray[np.float64]
    parts: Sequence[Mapping[str, float]]
    read: Sequence[int]

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """(n,) the scores as probabilities of the options: of their exponentials."""
        return softmax(self.scores)


def prefix(question: str, evidence: Sequence[str] = (), wording: Wording = PLAIN) -> str:
    """Return what an option is the continuation of. A text is a line: none can pose as the question."""
    texts = "".join(f"- {' '.join(text.split())}\n" for text in evidence)
    heading = f"{wording.heading}:" if texts else ""
    return f"{heading}\n{texts}\n{wording.asks}: {question}\n{wording.closing}:".lstrip()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an option is scored: its prefix, its place among that prefix's continuations, what is read."""

    prefix: int
    within: int
    read: int
    left_out: int


def read_options(
    questions: Sequence[Asked], model: LikelihoodModel, progress: Progress | None = None
) -> list[LikelihoodReading]:
    """Return the likelihood reading of every question.

    Evidence that does not fit into the model's context is left out, the lowest-ranked first.

    Raises:
        ValueError: an option is empty, or a question alone is longer than the model's context.
    """
    prefixes: list[str] = []
    continuations: list[list[str]] = []
    # Of each question its place without evidence, and each option's place with it.
    places: list[tuple[int, list[_Place]]] = []
    for question in questions:
        options = [continuation(option) for option in question.options]
        alone = len(prefixes)
        prefixes.append(prefix(question.question, wording=question.wording))
        continuations.append(options)
        with_evidence = []
        by_prefix: dict[str, int] = {}
        for option, evidence in zip(options, question.evidence, strict=True):
            offered = min(len(evidence), question.most_texts)
            read = fitting_texts(question.question, evidence[:offered], option, model, question.wording)
            text = prefix(question.question, evidence[:read], question.wording)
            place = by_prefix.get(text, alone if not read else len(prefixes))
            if place == len(prefixes):
                by_prefix[text] = place
                prefixes.append(text)
                continuations.append([])
            if place != alone:
                continuations[place].append(option)
            with_evidence.append(_Place(place, len(continuations[place]) - 1, read, offered - read))
        places.append((alone, with_evidence))
    scored = model.likelihoods(prefixes, continuations, progress)
    return [_reading(scored, alone, with_evidence) for alone, with_evidence in places]


def continuation(option: str) -> str:
    """Return an option as what follows a prefix.

    Raises:
        ValueError: it is empty.
    """
    if not option.strip():
        raise ValueError("an option without a character has no likelihood; remedy: leave it out")
    return f" {option.strip()}"


def fits_alone(asked: Asked, model: LikelihoodModel) -> bool:
    """Tell whether a question without evidence fits into a model's context before its longest option."""
    longest = max(map(model.count_tokens, asked.options), default=0)
    before = model.count_tokens(prefix(asked.question, wording=asked.wording))
    return before + longest <= model.context_tokens


def fitting_texts(
    question: str, evidence: Sequence[str], option: str, model: LikelihoodModel, wording: Wording = PLAIN
) -> int:
    """Return how many of the first texts fit into a model's context before an option."""
    room = model.context_tokens - model.count_tokens(option)
    read = len(evidence)
    while read and model.count_tokens(prefix(question, evidence[:read], wording)) > room:
        read -= 1
    return read


def _reading(
    scored: Sequence[Sequence[Likelihood]], alone: int, with_evidence: Sequence[_Place]
) -> LikelihoodReading:
    parts = []
    for option, place in enumerate(with_evidence):
        without = scored[alone][option]
        given = scored[place.prefix][place.within] if place.read else without
        parts.append(
            {
                "with_evidence": given.per_token,
                "without_evidence": without.per_token,
                "information_per_token": given.per_token - without.per_token,
                "information_per_character": given.per_character - without.per_character,
                **({"evidence_left_out": float(place.left_out)} if place.left_out else {}),
            }
        )
    any_evidence = any(place.read for place in with_evidence)
    name = "information_per_token" if any_evidence else "without_evidence"
    scores = np.array([part[name] for part in parts], dtype=np.float64)
    return LikelihoodReading(scores, parts, [place.read for place in with_evidence])


@dataclass(frozen=True, slots=True)
class OfferedOptions:
    """A row of `questions` that offers options, and each option's evidence, best first.

    `continuations`: what stands for each option after its prefix; empty: the option itself. `texts`: the
    texts that are read of each option's evidence; empty: those of its units.
    """

    question: Mapping[str, Any]
    given: Mapping[int, Sequence[Selected]]
    continuations: Sequence[str] = ()
    texts: Mapping[int, Sequence[str]] | None = None
    wording: Wording = PLAIN
    most_texts: int = MOST_TEXTS

    def asked(self) -> Asked:
        """Return it as the model reads it."""
        options = self.continuations or self.question["options"]
        texts = self.texts
        if texts is None:
            texts = {
                option: [selected.unit.text for selected in ranking] for option, ranking in self.given.items()
            }
        evidence = [texts.get(option, ()) for option in range(len(options))]
        return Asked(self.question["question"], options, evidence, self.wording, self.most_texts)


@dataclass(frozen=True, slots=True)
class Abstention:
    """When a question is abstained on: with evidence for fewer options than `least`. `status`: why."""

    status: str
    least: int = 1


def read_questions(
    experiment: Experiment,
    questions: Sequence[OfferedOptions],
    model: LikelihoodModel,
    reader: str,
    abstention: Abstention | None,
    progress: Progress | None = None,
) -> None:
    """Add the option of each question that its evidence makes likeliest to an experiment, a chain an option.

    `reader`: what rows name it. `abstention`: None where a question without evidence is answered all the
    same, from itself. What is given to an answer, and what its chains cite, is what was read. A question that
    is longer than the model's context is abstained on.
    """
    shown_questions = [offered.asked() for offered in questions]
    fit = [fits_alone(shown, model) for shown in shown_questions]
    readings = iter(read_options([*compress(shown_questions, fit)], model, progress))
    for offered, is_read in zip(questions, fit, strict=True):
        question = offered.question
        if not is_read:
            experiment.answer(question, {}, [], Answer.abstention(reader, Outcome.CONTEXT_TOO_LONG))
            continue
        reading = next(readings)
        given = {
            option: offered.given[option][:read]
            for option, read in enumerate(reading.read)
            if read and option in offered.given
        }
        if abstention is not None and len(given) < abstention.least:
            experiment.answer(question, given, [], Answer.abstention(reader, abstention.status))
            continue
        chains = [
            _chain(option, text, given.get(option, ()), reading)
            for option, text in enumerate(question["options"])
        ]
        choice = choose(reading.scores)
        answer = option_answer(choice, float(reading.probabilities[choice.index]), reader)
        if abstention is None:
            given |= question_itself(question)
        experiment.answer(question, given, chains, answer)


def _chain(option: int, text: str, given: Sequence[Selected], reading: LikelihoodReading) -> Chain:
    cited = [selected.unit for selected in given]
    quotation = argument(text, (unit.text for unit in cited)).strip()
    return Chain(option, quotation, cited, float(reading.scores[option]), reading.parts[option])
