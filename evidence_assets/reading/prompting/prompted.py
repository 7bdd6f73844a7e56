"""Prompted reader: a language model argues for each option from its evidence, then chooses (7.3.3-4).

Two rounds of requests over all questions of a benchmark: an argument for every option, then a choice among a
question's arguments. A failure is an outcome of its own and never read as an answer. An option whose argument
was refused or came without text has none. After a technical failure the question stays undecided, and is
repeated in the next run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from evidence_assets.evidence.citations import renumbered
from evidence_assets.evidence.experiment import (
    Answer,
    Chain,
    Experiment,
    Generation,
    Selected,
    question_itself,
)
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.models.generation.protocol import Form, Generator, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.recorded import Recorded, RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import CHOOSE, EXPLAIN_OPTION, prompt_hash
from evidence_assets.reading.prompting.replies import PARSED, Decision, choice_schema, letter, read_choice
from evidence_assets.reading.prompting.requests import fitted, request
from evidence_assets.text.negation import is_negated
from evidence_assets.text.queries import NO_OPTION

# Thesis table 3.1: explanations of at most 1,024 tokens, answers of at most 32, greedily.
ARGUMENT = Sampling(max_tokens=1_024)
DECISION = Sampling(max_tokens=32)
NO_ARGUMENT = "(no argument was found)"
INSUFFICIENT_EVIDENCE = "insufficient evidence"
NO_ARGUMENTS = "no argument for any option"


class Material(Protocol):
    """How evidence is presented in a prompt, and how citations in the reply are parsed."""

    @property
    def task(self) -> str:
        """The prompt that asks for an argument."""

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return the prompt's values other than question and candidate."""

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return the argument with marks [E1]…, the cited units, and a citation status if one is known."""

    def argued(self, chain: Chain) -> str:
        """Return an argument as the decision is shown it."""


class NumberedEvidence:
    """Evidence as numbered texts."""

    task = EXPLAIN_OPTION

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return the texts."""
        return {"evidence": [selected.unit.text for selected in evidence]}

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return the argument with its marks renumbered, and the cited units."""
        argument, cited = renumbered(text, len(evidence))
        return argument, [evidence[place].unit for place in cited], None

    def argued(self, chain: Chain) -> str:
        """Return the argument with its marks."""
        return chain.text


NUMBERED = NumberedEvidence()


class Choice(Protocol):
    """How a decision among arguments is requested, and how the reply is read."""

    @property
    def task(self) -> str:
        """The prompt that asks for a decision."""

    def schema(self, options: int, may_abstain: bool) -> Mapping[str, Any] | None:
        """Return the JSON schema of a reply; None where the reply is words."""

    def form(self, options: int) -> Form | None:
        """Return the form of a reply in words; None where it has a schema."""

    def read(self, text: str, options: Sequence[str], may_abstain: bool) -> Decision:
        """Return the decision of a reply."""


class JsonChoice:
    """A decision as one JSON object."""

    task = CHOOSE

    def schema(self, options: int, may_abstain: bool) -> Mapping[str, Any] | None:
        """Return the schema of an option's letter."""
        return choice_schema(options, may_abstain)

    def form(self, options: int) -> Form | None:
        """Return None: it has a schema."""
        return None

    def read(self, text: str, options: Sequence[str], may_abstain: bool) -> Decision:
        """Return the option of the letter."""
        return read_choice(text, len(options), may_abstain)


JSON_CHOICE = JsonChoice()


@dataclass(frozen=True, slots=True)
class PromptedQuestion:
    """A multiple-choice question and each option's evidence, best first; options without any are absent."""

    question: str
    options: Sequence[str]
    given: Mapping[int, Sequence[Selected]]
    material: Material = NUMBERED


@dataclass(frozen=True, slots=True)
class PromptedOutcome:
    """A question's outcome. `given`: the evidence that was sent, by option."""

    given: Mapping[int, Sequence[Selected]]
    chains: Sequence[Chain]
    answer: Answer


@dataclass(frozen=True, slots=True)
class Settings:
    """How arguments and decisions are requested.

    `may_abstain`: "insufficient" is an answer (thesis 6.4.6). `argues_without_evidence`: options without
    evidence are argued for as well; else they have no argument. `shares_evidence`: evidence retrieved for the
    question alone is every option's. `verdicts`: the options are verdicts on a claim, so a negated
    claim does not ask for the exception. `decides_by`: a prompt that decides on the evidence of the first
    option that has any, without arguments. `chooses_by`: a prompt that compares the arguments beside the
    evidence that most was sent of; default: that of `choice`, the arguments alone. `material`, `choice`: the
    forms of arguments and of decisions.
    """

    may_abstain: bool = False
    verdicts: bool = False
    decides_by: str | None = None
    chooses_by: str | None = None
    argues_without_evidence: bool = False
    shares_evidence: bool = False
    decision: Sampling = DECISION
    material: Material = NUMBERED
    choice: Choice = JSON_CHOICE


def read_questions(
    experiment: Experiment,
    questions: Sequence[tuple[Mapping[str, Any], Mapping[int, Sequence[Selected]]]],
    generator: RecordedGenerator,
    settings: Settings,
    progress: Progress | None = None,
) -> None:
    """Add a language model's arguments and answers to an experiment.

    `questions`: rows of `questions`, each with the evidence selected for its candidates. For questions
    without options only the selected evidence is recorded. Where options are argued for without evidence, the
    question itself is recorded as the given evidence.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    with_options = []
    for question, evidence in questions:
        experiment.select_each(question["question_id"], evidence)
        if question["options"]:
            with_options.append((question, evidence))
    prompted = [
        PromptedQuestion(
            question["question"],
            question["options"],
            _evidence(question, evidence, settings),
            settings.material,
        )
        for question, evidence in with_options
    ]
    for (question, _), argued in zip(
        with_options, argue(prompted, generator, settings, progress), strict=True
    ):
        sent = dict(argued.given)
        if settings.argues_without_evidence:
            sent |= question_itself(question)
        experiment.answer(question, sent, argued.chains, argued.answer)


def _evidence(
    question: Mapping[str, Any], evidence: Mapping[int, Sequence[Selected]], settings: Settings
) -> Mapping[int, Sequence[Selected]]:
    if not settings.shares_evidence:
        return evidence
    return {candidate: evidence.get(NO_OPTION, ()) for candidate in range(len(question["options"]))}


def argue(
    questions: Sequence[PromptedQuestion],
    generator: RecordedGenerator,
    settings: Settings,
    progress: Progress | None = None,
) -> list[PromptedOutcome]:
    """Return every question's arguments and answer.

    Evidence that does not fit into the model's context is left out, the lowest-ranked first. It is not among
    `given`, and its number is a part of the chain's score (`evidence_left_out`, of the decision
    `decision_evidence_left_out`). An option none of whose evidence fits is treated as one without evidence.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    arguments = _Arguments(questions, generator.generator, settings)
    total = len(arguments.requests) + len(questions)

    def report(done: int, _: int) -> None:
        if progress is not None:
            progress(done, total)

    arguments.take(generator.replies(arguments.requests, report))
    decisions = _Decisions(questions, arguments, generator.generator, settings)
    replies = generator.replies(
        decisions.requests, lambda done, _: report(len(arguments.requests) + done, total)
    )
    return list(decisions.read(replies))


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why an option has no argument although one was requested."""

    reply: Reply
    generation: Generation


class _Arguments:
    """The first round: the requests for arguments, and their replies."""

    def __init__(
        self, questions: Sequence[PromptedQuestion], generator: Generator, settings: Settings
    ) -> None:
        self.requests: list[Request] = []
        self.given: list[dict[int, Sequence[Selected]]] = []
        self.chains: list[dict[int, Chain]] = [{} for _ in questions]
        self.failures: list[list[_Failure]] = [[] for _ in questions]
        self._generator_id, self._questions = generator.generator_id, questions
        self._places: list[tuple[int, int, int]] = []
        for number, question in enumerate(questions):
            self.given.append({})
            for candidate in range(len(question.options)) if settings.decides_by is None else ():
                evidence = question.given.get(candidate, ())
                if not evidence and not settings.argues_without_evidence:
                    continue
                self._ask(number, candidate, question, evidence, generator, settings)

    def _ask(
        self,
        number: int,
        candidate: int,
        question: PromptedQuestion,
        evidence: Sequence[Selected],
        generator: Generator,
        settings: Settings,
    ) -> None:
        def make(kept: int) -> Request:
            return request(
                question.material.task,
                ARGUMENT,
                question=question.question,
                candidate=question.options[candidate],
                **question.material.values(evidence[:kept]),
            )

        fitted_request, kept = fitted(make, len(evidence), generator)
        if fitted_request is None or (evidence and not kept and not settings.argues_without_evidence):
            too_long = Reply(Outcome.CONTEXT_TOO_LONG)
            self.failures[number].append(_Failure(too_long, self._generation(None, question)))
            return
        if kept:
            self.given[number][candidate] = evidence[:kept]
        self.requests.append(fitted_request)
        self._places.append((number, candidate, len(evidence) - kept))

    def _generation(self, request_hash: str | None, question: PromptedQuestion) -> Generation:
        return Generation(request_hash, prompt_hash(question.material.task), self._generator_id)

    def take(self, replies: Sequence[Recorded]) -> None:
        """Parse the replies: a chain for each that has text, else a failure."""
        for (number, candidate, left_out), recorded in zip(self._places, replies, strict=True):
            question = self._questions[number]
            generation = self._generation(recorded.request_hash, question)
            if not recorded.reply.outcome.is_text:
                self.failures[number].append(_Failure(recorded.reply, generation))
                continue
            text, cited, status = question.material.read(
                recorded.reply.text, self.given[number].get(candidate, ())
            )
            likelihood = recorded.reply.log_probability
            parts = {"evidence_left_out": float(left_out)} if left_out else {}
            if likelihood is not None:
                parts["log_probability"] = likelihood
            self.chains[number][candidate] = Chain(
                candidate,
                text,
                cited,
                likelihood if likelihood is not None else 0.0,
                parts,
                generation,
                status,
            )

    def failure(self, number: int) -> _Failure | None:
        """Return what prevents a decision: a technical failure, or a failure that left no argument."""
        failures = self.failures[number]
        set_up_failures = (failure for failure in failures if not failure.reply.outcome.is_reply)
        return next(set_up_failures, None if self.chains[number] else next(iter(failures), None))


class _Decisions:
    """The second round: the requests for decisions, and the answers of questions that need none."""

    def __init__(
        self,
        questions: Sequence[PromptedQuestion],
        arguments: _Arguments,
        generator: Generator,
        settings: Settings,
    ) -> None:
        self.requests: list[Request] = []
        self._arguments, self._questions = arguments, questions
        self._generator, self._settings = generator, settings
        # For each question its request's place, or an answer without a request.
        self._places: list[int | Answer] = []
        for number, question in enumerate(questions):
            failure, chains = arguments.failure(number), arguments.chains[number]
            if settings.decides_by is not None:
                self._decide(number, question, settings.decides_by)
                continue
            if failure is not None:
                self._places.append(self._undecided(failure.reply, failure.generation))
                continue
            if not chains:
                self._places.append(self._nothing())
                continue
            self._choose(number, question, chains)

    def _choose(self, number: int, question: PromptedQuestion, chains: dict[int, Chain]) -> None:
        """Add a request to compare arguments, beside as much of the evidence as fits where it is shown."""
        given = self._arguments.given[number].values() if self._settings.chooses_by else ()
        evidence = max(given, key=len, default=())
        choice_request, kept = fitted(
            lambda first: self._request(question, chains, evidence[:first]), len(evidence), self._generator
        )
        if choice_request is None or (evidence and not kept):
            too_long = Reply(Outcome.CONTEXT_TOO_LONG)
            self._places.append(self._undecided(too_long, self._generation(None)))
            return
        if kept < len(evidence):
            left_out = {"decision_evidence_left_out": float(len(evidence) - kept)}
            for candidate, chain in chains.items():
                chains[candidate] = replace(chain, score_parts={**chain.score_parts, **left_out})
        self._places.append(len(self.requests))
        self.requests.append(choice_request)

    def _decide(self, number: int, question: PromptedQuestion, task: str) -> None:
        """Add a request to decide on as much of the evidence as fits, without arguments."""
        evidence = next(iter(question.given.values()), ())
        options = [{"letter": letter(place), "text": text} for place, text in enumerate(question.options)]
        schema = choice_schema(len(question.options), self._settings.may_abstain)

        def make(kept: int) -> Request:
            values = question.material.values(evidence[:kept])
            return request(
                task, self._settings.decision, schema, question=question.question, options=options, **values
            )

        fitted_request, kept = fitted(make, len(evidence), self._generator)
        if not evidence:
            self._places.append(self._nothing())
        elif fitted_request is None or not kept:
            self._places.append(self._undecided(Reply(Outcome.CONTEXT_TOO_LONG), self._generation(None)))
        else:
            self._arguments.given[number] = dict.fromkeys(range(len(question.options)), evidence[:kept])
            self._places.append(len(self.requests))
            self.requests.append(fitted_request)

    def _nothing(self) -> Answer:
        """Return the abstention from a question without any argument."""
        generation = self._generation(None)
        return Answer.abstention(self._generator.name, NO_ARGUMENTS, generation=generation)

    def _generation(self, request_hash: str | None) -> Generation:
        task = self._settings.decides_by or self._settings.chooses_by or self._settings.choice.task
        return Generation(request_hash, prompt_hash(task), self._generator.generator_id)

    def _undecided(self, reply: Reply, generation: Generation) -> Answer:
        """Return the empty answer of a reply without text."""
        status = str(reply.outcome)
        name = self._generator.name
        return Answer(None, None, name, reply.text, parse_status=status, generation=generation)

    def _request(
        self, question: PromptedQuestion, chains: Mapping[int, Chain], evidence: Sequence[Selected]
    ) -> Request:
        options = [
            {
                "letter": letter(candidate),
                "text": text,
                "argument": question.material.argued(chains[candidate])
                if candidate in chains
                else NO_ARGUMENT,
            }
            for candidate, text in enumerate(question.options)
        ]
        choice, may_abstain = self._settings.choice, self._settings.may_abstain
        shown = question.material.values(evidence) if self._settings.chooses_by else {}
        return request(
            self._settings.chooses_by or choice.task,
            self._settings.decision,
            choice.schema(len(question.options), may_abstain),
            choice.form(len(question.options)),
            question=question.question,
            options=options,
            negated=not self._settings.verdicts and is_negated(question.question),
            may_abstain=may_abstain,
            **shown,
        )

    def read(self, replies: Sequence[Recorded]) -> Iterator[PromptedOutcome]:
        """Yield every question's outcome, in order."""
        for number, (question, place) in enumerate(zip(self._questions, self._places, strict=True)):
            chains = list(self._arguments.chains[number].values())
            answer = place if isinstance(place, Answer) else self._answer(question, replies[place])
            yield PromptedOutcome(self._arguments.given[number], chains, answer)

    def _answer(self, question: PromptedQuestion, recorded: Recorded) -> Answer:
        generation = self._generation(recorded.request_hash)
        if not recorded.reply.outcome.is_text:
            return self._undecided(recorded.reply, generation)
        choice, may_abstain = self._settings.choice, self._settings.may_abstain
        decision = choice.read(recorded.reply.text, question.options, may_abstain)
        if decision.status != PARSED and recorded.reply.outcome is Outcome.CUT_OFF:
            return self._undecided(recorded.reply, generation)
        return Answer(
            decision.index,
            None,
            self._generator.name,
            recorded.reply.text,
            parse_status=INSUFFICIENT_EVIDENCE if decision.abstains else decision.status,
            abstained=decision.abstains,
            generation=generation,
        )
