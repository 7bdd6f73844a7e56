"""The prompted family: a language model argues for each option from its evidence, then compares (7.3.3-4).

Two rounds of requests over all questions of a benchmark. In the first, every option's argument; in the
second, a choice among a question's arguments. Whatever fails is an outcome of its own: it is never read as an
answer. An option whose argument the model refused, or gave no text for, has none. Where the set-up failed for
one, the question is not decided, and is asked again in the next run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evidence_assets.evidence.citations import renumbered
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Generation, Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_question
from evidence_assets.models.generation.protocol import Generator, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.recorded import Recorded, RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompt_files import CHOOSE, EXPLAIN_OPTION, prompt_hash
from evidence_assets.reading.prompting import fitted, request
from evidence_assets.reading.replies import PARSED, choice_schema, letter, read_choice
from evidence_assets.text.negation import is_negated
from evidence_assets.text.queries import QUESTION_ALONE

# Thesis table 3.1: explanations of at most 1,024 tokens, answers of at most 32, greedily.
ARGUMENT = Sampling(max_tokens=1_024)
DECISION = Sampling(max_tokens=32)
NO_ARGUMENT = "(no argument was found)"
INSUFFICIENT_EVIDENCE = "insufficient evidence"
NO_ARGUMENTS = "no argument for any option"


class Material(Protocol):
    """How evidence is put to a language model, and how what it cites is read."""

    @property
    def task(self) -> str:
        """The prompt that asks for an argument."""

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return what the prompt is filled with, beside question and candidate."""

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return an argument with marks [E1]…, the units they stand for, and what else is known of them."""


class NumberedEvidence:
    """Pieces of text, numbered."""

    task = EXPLAIN_OPTION

    def values(self, evidence: Sequence[Selected]) -> dict[str, Any]:
        """Return the texts."""
        return {"evidence": [selected.unit.text for selected in evidence]}

    def read(self, text: str, evidence: Sequence[Selected]) -> tuple[str, list[EvidenceUnit], str | None]:
        """Return the argument with its marks numbered anew, and what they stand for."""
        told, cited = renumbered(text, len(evidence))
        return told, [evidence[place].unit for place in cited], None


NUMBERED = NumberedEvidence()


@dataclass(frozen=True, slots=True)
class Asked:
    """One multiple-choice question, and each option's evidence, best first; those without any are absent."""

    question: str
    options: Sequence[str]
    given: Mapping[int, Sequence[Selected]]
    material: Material = NUMBERED


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
    question alone found is every option's evidence. `verdicts`: the options are verdicts on a claim, which is
    never the exception that is asked for. `decides_by`: a prompt that decides on the evidence of the first
    option that has any, without arguments.
    """

    may_abstain: bool = False
    verdicts: bool = False
    decides_by: str | None = None
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
    (`evidence_left_out`). An option none of whose evidence fits is argued for where those without evidence
    are.

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


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why an option that was to be argued for has no argument."""

    reply: Reply
    generation: Generation


class _Arguments:
    """The first round: a request for every option that is argued for."""

    def __init__(self, asked: Sequence[Asked], generator: Generator, settings: Settings) -> None:
        self.requests: list[Request] = []
        self.given: list[dict[int, Sequence[Selected]]] = []
        self.chains: list[dict[int, Chain]] = [{} for _ in asked]
        self.failures: list[list[_Failure]] = [[] for _ in asked]
        self._generator_id, self._asked = generator.generator_id, asked
        self._places: list[tuple[int, int, int]] = []
        for number, one in enumerate(asked):
            self.given.append({})
            for candidate in range(len(one.options)) if settings.decides_by is None else ():
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
                one.material.task,
                settings.argument,
                question=one.question,
                candidate=one.options[candidate],
                **one.material.values(evidence[:kept]),
            )

        asking, kept = fitted(make, len(evidence), generator)
        if asking is None or (evidence and not kept and not settings.argues_without_evidence):
            too_long = Reply(Outcome.CONTEXT_TOO_LONG)
            self.failures[number].append(_Failure(too_long, self._generation(None, one)))
            return
        if kept:
            self.given[number][candidate] = evidence[:kept]
        self.requests.append(asking)
        self._places.append((number, candidate, len(evidence) - kept))

    def _generation(self, request_hash: str | None, one: Asked) -> Generation:
        return Generation(request_hash, prompt_hash(one.material.task), self._generator_id)

    def take(self, replies: Sequence[Recorded]) -> None:
        """Read the arguments: a chain for each reply that has text."""
        for (number, candidate, left_out), found in zip(self._places, replies, strict=True):
            one = self._asked[number]
            generation = self._generation(found.request_hash, one)
            if not found.reply.outcome.is_text:
                self.failures[number].append(_Failure(found.reply, generation))
                continue
            text, cited, status = one.material.read(found.reply.text, self.given[number].get(candidate, ()))
            likelihood = found.reply.log_probability
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
        """Return what keeps a question from being decided: a failed set-up, or that it has no argument."""
        failures = self.failures[number]
        of_set_up = (one for one in failures if not one.reply.outcome.is_reply)
        return next(of_set_up, None if self.chains[number] else next(iter(failures), None))


class _Decisions:
    """The second round: a request for every question that has an argument."""

    def __init__(
        self, asked: Sequence[Asked], arguments: _Arguments, generator: Generator, settings: Settings
    ) -> None:
        self.requests: list[Request] = []
        self._arguments, self._asked = arguments, asked
        self._generator, self._settings = generator, settings
        # Either a place among the requests, or what stands for a reply.
        self._places: list[int | Answer] = []
        for number, one in enumerate(asked):
            failure, chains = arguments.failure(number), arguments.chains[number]
            if settings.decides_by is not None:
                self._decide(number, one, settings.decides_by)
                continue
            if failure is not None:
                self._places.append(self._undecided(failure.reply, failure.generation))
                continue
            if not chains:
                self._places.append(self._nothing())
                continue
            asking = self._request(one, chains)
            if generator.count_tokens(asking) + asking.sampling.max_tokens > generator.context_tokens:
                too_long = Reply(Outcome.CONTEXT_TOO_LONG)
                self._places.append(self._undecided(too_long, self._generation(None)))
                continue
            self._places.append(len(self.requests))
            self.requests.append(asking)

    def _decide(self, number: int, one: Asked, task: str) -> None:
        """Ask for a decision on the evidence alone, as much of it as fits."""
        evidence = next(iter(one.given.values()), ())
        options = [{"letter": letter(place), "text": text} for place, text in enumerate(one.options)]
        schema = choice_schema(len(one.options), self._settings.may_abstain)

        def make(kept: int) -> Request:
            values = one.material.values(evidence[:kept])
            return request(
                task, self._settings.decision, schema, question=one.question, options=options, **values
            )

        asking, kept = fitted(make, len(evidence), self._generator)
        if not evidence:
            self._places.append(self._nothing())
        elif asking is None or not kept:
            self._places.append(self._undecided(Reply(Outcome.CONTEXT_TOO_LONG), self._generation(None)))
        else:
            self._arguments.given[number] = dict.fromkeys(range(len(one.options)), evidence[:kept])
            self._places.append(len(self.requests))
            self.requests.append(asking)

    def _nothing(self) -> Answer:
        """Return the answer to a question that nothing can be argued for: none."""
        return Answer(
            None,
            None,
            self._generator.name,
            "",
            parse_status=NO_ARGUMENTS,
            abstained=True,
            generation=self._generation(None),
        )

    def _generation(self, request_hash: str | None) -> Generation:
        task = self._settings.decides_by or CHOOSE
        return Generation(request_hash, prompt_hash(task), self._generator.generator_id)

    def _undecided(self, reply: Reply, generation: Generation) -> Answer:
        """Return the answer that a reply without text is: none."""
        status = str(reply.outcome)
        name = self._generator.name
        return Answer(None, None, name, reply.text, parse_status=status, generation=generation)

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
            negated=not self._settings.verdicts and is_negated(one.question),
            may_abstain=may_abstain,
        )

    def read(self, replies: Sequence[Recorded]) -> Iterator[Argued]:
        """Yield every question's outcome, in order."""
        for number, (one, place) in enumerate(zip(self._asked, self._places, strict=True)):
            chains = list(self._arguments.chains[number].values())
            answer = place if isinstance(place, Answer) else self._answer(one, replies[place])
            yield Argued(self._arguments.given[number], chains, answer)

    def _answer(self, one: Asked, found: Recorded) -> Answer:
        generation = self._generation(found.request_hash)
        if not found.reply.outcome.is_text:
            return self._undecided(found.reply, generation)
        decision = read_choice(found.reply.text, len(one.options), self._settings.may_abstain)
        if decision.status != PARSED and found.reply.outcome is Outcome.CUT_OFF:
            return self._undecided(found.reply, generation)
        return Answer(
            decision.index,
            None,
            self._generator.name,
            found.reply.text,
            parse_status=INSUFFICIENT_EVIDENCE if decision.abstains else decision.status,
            abstained=decision.abstains,
            generation=generation,
        )
