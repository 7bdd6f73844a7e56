"""The prompted family: a language model argues for each option from its evidence, then compares (7.3.3-4).

Two rounds of requests over all questions of a benchmark. In the first, every option's argument; in the
second, a choice among a question's arguments. Whatever fails is an outcome of its own: it is never read as an
answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.corpus.queries import QUESTION_ALONE
from evidence_assets.models.generation.protocol import Generator, Outcome, Request, Sampling
from evidence_assets.models.generation.recorded import Progress, Recorded, RecordedGenerator
from evidence_assets.reasoning.evidence import unit_of_question
from evidence_assets.reasoning.experiment import Answer, Chain, Experiment, Generation, Selected
from evidence_assets.reasoning.negation import is_negated
from evidence_assets.reasoning.prompting import CHOOSE, EXPLAIN_OPTION, fitted, prompt_hash, request
from evidence_assets.reasoning.replies import choice_schema, letter, read_choice, read_citations

# Thesis table 3.1: explanations of at most 1,024 tokens, answers of at most 32, greedily.
ARGUMENT = Sampling(max_tokens=1_024)
DECISION = Sampling(max_tokens=32)
NO_ARGUMENT = "(no argument was found)"
INSUFFICIENT_EVIDENCE = "insufficient evidence"
NO_ARGUMENTS = "no argument for any option"


@dataclass(frozen=True, slots=True)
class Asked:
    """One multiple-choice question, and each option's evidence, best first; those without any are absent."""

    question: str
    options: Sequence[str]
    given: Mapping[int, Sequence[Selected]]


@dataclass(frozen=True, slots=True)
class Argued:
    """What came of a question. `given`: the evidence that was really sent, option by option."""

    given: Mapping[int, Sequence[Selected]]
    chains: Sequence[Chain]
    answer: Answer


@dataclass(frozen=True, slots=True)
class Settings:
    """How arguments and decisions are asked for.

    `may_abstain`: "insufficient" is an answer (thesis 6.4.6). `argues_without_evidence`: an option without
    evidence is argued for as well, and its argument says so; else it has none. `shares_evidence`: what the
    question alone found is every option's evidence.
    """

    may_abstain: bool = False
    argues_without_evidence: bool = False
    shares_evidence: bool = False
    argument: Sampling = ARGUMENT
    decision: Sampling = DECISION


def read_questions(
    experiment: Experiment,
    questions: Sequence[tuple[Mapping[str, Any], Mapping[int, Sequence[Selected]]]],
    generator: RecordedGenerator,
    settings: Settings,
    progress: Progress | None = None,
) -> None:
    """Add what a language model makes of each question and its evidence to an experiment.

    `questions`: rows of `questions`, each with what was selected for its candidates. Those without options
    get their selected evidence recorded and no prediction. Where options are argued for without evidence, the
    question itself is what the answer was given.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    with_options = []
    for question, given in questions:
        for candidate, selected in given.items():
            experiment.select(question["question_id"], candidate, selected)
        if question["options"]:
            with_options.append((question, given))
    asked = [
        Asked(question["question"], question["options"], _evidence(question, given, settings))
        for question, given in with_options
    ]
    for (question, _), argued in zip(with_options, argue(asked, generator, settings, progress), strict=True):
        sent = dict(argued.given)
        if settings.argues_without_evidence:
            unit = unit_of_question(question["question_id"], question["question"])
            sent[QUESTION_ALONE] = [Selected(unit, 0.0, [])]
        experiment.answer(question, sent, argued.chains, argued.answer)


def _evidence(
    question: Mapping[str, Any], given: Mapping[int, Sequence[Selected]], settings: Settings
) -> Mapping[int, Sequence[Selected]]:
    if not settings.shares_evidence:
        return given
    return {candidate: given.get(QUESTION_ALONE, ()) for candidate in range(len(question["options"]))}


def argue(
    asked: Sequence[Asked],
    generator: RecordedGenerator,
    settings: Settings,
    progress: Progress | None = None,
) -> list[Argued]:
    """Return every question's arguments and answer.

    Evidence that does not fit into the model's context is left out, the lowest-ranked first: never the
    question. What was left out is not among `given`, and its number is a part of the chain's score
    (`evidence_left_out`).

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    arguments = _Arguments(asked, generator.generator, settings)
    total = len(arguments.requests) + len(asked)

    def shown(done: int, _: int) -> None:
        if progress is not None:
            progress(done, total)

    arguments.take(generator.replies(arguments.requests, shown))
    decisions = _Decisions(asked, arguments, generator.generator, settings)
    replies = generator.replies(
        decisions.requests, lambda done, _: shown(len(arguments.requests) + done, total)
    )
    return list(decisions.read(replies))


class _Arguments:
    """The first round: a request for every option that is argued for."""

    def __init__(self, asked: Sequence[Asked], generator: Generator, settings: Settings) -> None:
        self.requests: list[Request] = []
        self.given: list[dict[int, Sequence[Selected]]] = []
        self.chains: list[dict[int, Chain]] = [{} for _ in asked]
        # Why an option that was to be argued for has no argument, by question.
        self.failures: list[list[Outcome]] = [[] for _ in asked]
        self._generator_id = generator.generator_id
        self._places: list[tuple[int, int, int]] = []
        for number, one in enumerate(asked):
            self.given.append({})
            for candidate in range(len(one.options)):
                evidence = one.given.get(candidate, ())
                if not evidence and not settings.argues_without_evidence:
                    continue
                self._ask(number, candidate, one, evidence, generator, settings)

    def _ask(
        self,
        number: int,
        candidate: int,
        one: Asked,
        evidence: Sequence[Selected],
        generator: Generator,
        settings: Settings,
    ) -> None:
        def make(kept: int) -> Request:
            return request(
                EXPLAIN_OPTION,
                settings.argument,
                question=one.question,
                candidate=one.options[candidate],
                evidence=[selected.unit.text for selected in evidence[:kept]],
            )

        asking, kept = fitted(make, len(evidence), generator)
        if asking is None:
            self.failures[number].append(Outcome.CONTEXT_TOO_LONG)
            return
        if kept:
            self.given[number][candidate] = evidence[:kept]
        self.requests.append(asking)
        self._places.append((number, candidate, len(evidence) - kept))

    def take(self, replies: Sequence[Recorded]) -> None:
        """Read the arguments: a chain for each reply that has text."""
        for (number, candidate, left_out), found in zip(self._places, replies, strict=True):
            if not found.reply.outcome.is_text:
                self.failures[number].append(found.reply.outcome)
                continue
            given = self.given[number].get(candidate, ())
            text, cited = read_citations(found.reply.text, len(given))
            likelihood = found.reply.log_probability
            parts = {"evidence_left_out": float(left_out)} if left_out else {}
            if likelihood is not None:
                parts["log_probability"] = likelihood
            self.chains[number][candidate] = Chain(
                candidate,
                text,
                [given[place].unit for place in cited],
                likelihood if likelihood is not None else 0.0,
                parts,
                Generation(found.request_hash, prompt_hash(EXPLAIN_OPTION), self._generator_id),
            )


class _Decisions:
    """The second round: a request for every question that has an argument."""

    def __init__(
        self, asked: Sequence[Asked], arguments: _Arguments, generator: Generator, settings: Settings
    ) -> None:
        self.requests: list[Request] = []
        self._arguments, self._asked = arguments, asked
        self._generator, self._settings = generator, settings
        # Either a place among the requests, or why there is none.
        self._places: list[int | str] = []
        for number, one in enumerate(asked):
            chains = arguments.chains[number]
            if not chains:
                failures = arguments.failures[number]
                self._places.append(str(failures[0]) if failures else NO_ARGUMENTS)
                continue
            asking = self._request(one, chains)
            room = generator.context_tokens - asking.sampling.max_tokens
            if generator.count_tokens(asking) > room:
                self._places.append(str(Outcome.CONTEXT_TOO_LONG))
                continue
            self._places.append(len(self.requests))
            self.requests.append(asking)

    def _request(self, one: Asked, chains: Mapping[int, Chain]) -> Request:
        options = [
            {
                "letter": letter(candidate),
                "text": text,
                "argument": chains[candidate].text if candidate in chains else NO_ARGUMENT,
            }
            for candidate, text in enumerate(one.options)
        ]
        may_abstain = self._settings.may_abstain
        return request(
            CHOOSE,
            self._settings.decision,
            choice_schema(len(one.options), may_abstain),
            question=one.question,
            options=options,
            negated=is_negated(one.question),
            may_abstain=may_abstain,
        )

    def read(self, replies: Sequence[Recorded]) -> Iterator[Argued]:
        """Yield every question's outcome, in order."""
        name = self._generator.name
        for number, (one, place) in enumerate(zip(self._asked, self._places, strict=True)):
            chains = list(self._arguments.chains[number].values())
            given = self._arguments.given[number]
            if isinstance(place, str):
                answer = Answer(None, None, name, "", parse_status=place, abstained=place == NO_ARGUMENTS)
            else:
                answer = self._answer(one, replies[place])
            yield Argued(given, chains, answer)

    def _answer(self, one: Asked, found: Recorded) -> Answer:
        generation = Generation(found.request_hash, prompt_hash(CHOOSE), self._generator.generator_id)
        name, text = self._generator.name, found.reply.text
        if not found.reply.outcome.is_text:
            status = str(found.reply.outcome)
            return Answer(None, None, name, text, parse_status=status, generation=generation)
        decision = read_choice(text, len(one.options), self._settings.may_abstain)
        return Answer(
            decision.index,
            None,
            name,
            text,
            parse_status=INSUFFICIENT_EVIDENCE if decision.abstains else decision.status,
            abstained=decision.abstains,
            generation=generation,
        )
