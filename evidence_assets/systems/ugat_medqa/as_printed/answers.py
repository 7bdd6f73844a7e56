"""Stage 6 as printed: one request over all of a question's passages, an answer with its explanation (6.4.6).

Where the thesis is silent or this departs from it:

- A passage is a path, read out; the thesis's example shows a triple each. Options' best passages stand first,
  so that those that do not fit into the model's context are the last ranked.
- Passages are numbered [E1] and not [Passage 1], as everywhere here, and the prompt asks for these marks: so
  citations can be checked.
- Without knowledge retrieval the prompt is the same without its words on passages: none is printed.
- The length of a reply is not stated: that of an explanation in table 3.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evidence_assets.evidence.citations import renumbered
from evidence_assets.evidence.experiment import (
    Answer,
    Chain,
    Experiment,
    Generation,
    Selected,
    question_itself,
)
from evidence_assets.models.generation.protocol import Form, Outcome, Request
from evidence_assets.models.generation.recorded import Recorded, RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import ANSWER_PASSAGES, prompt_hash
from evidence_assets.reading.prompting.prompted import ARGUMENT, INSUFFICIENT_EVIDENCE
from evidence_assets.reading.prompting.replies import PARSED, UNPARSEABLE, Decision, letter
from evidence_assets.reading.prompting.requests import fitted, request
from evidence_assets.text.sentences import sentence_spans

# As the prompt asks for it; models set its two words in bold.
_REPLY = re.compile(
    r"\s*(?:\*\*)?Answer:(?:\*\*)?[ \t]*([^\n]+?)[ \t]*\n\s*(?:\*\*)?Explanation:(?:\*\*)?\s*(\S.*?)\s*\Z",
    re.DOTALL,
)
# An option's letter, and its text after it or not: C, (C), C) Atrophy, C. Atrophy.
_CHOICE = re.compile(r"\(?([A-Za-z]{1,2})(?:\)|\.|:|\Z)\s*(.*)\Z", re.DOTALL)

Evidence = Mapping[int, Sequence[Selected]]
Passage = tuple[int, Selected]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, the passages that were sent, each with its option, and the request; None: too long."""

    question: Mapping[str, Any]
    passages: Sequence[Passage]
    request: Request | None

    @property
    def given(self) -> dict[int, list[Selected]]:
        """The passages by option."""
        given: dict[int, list[Selected]] = {}
        for candidate, selected in self.passages:
            given.setdefault(candidate, []).append(selected)
        return given


def answer_questions(
    experiment: Experiment,
    questions: Sequence[tuple[Mapping[str, Any], Evidence]],
    generator: RecordedGenerator,
    retrieves: bool,
    progress: Progress | None = None,
) -> None:
    """Add a language model's answers to an experiment: a request a question, whether it has passages or not.

    `questions`: rows of `questions`, each with the paths to its options. `retrieves`: the arm looks for
    evidence; one that does not is asked without a word on passages, and may not find them insufficient.

    Raises:
        BudgetSpentError: the generator's budget is spent.
    """
    requests = []
    for question, evidence in questions:
        experiment.select_each(question["question_id"], evidence)
        if question["options"]:
            requests.append(_ask(question, evidence, generator, retrieves))
    replies = iter(
        generator.replies([case.request for case in requests if case.request is not None], progress)
    )
    for case in requests:
        recorded = None if case.request is None else next(replies)
        chains, answer = _read(case, recorded, generator, retrieves)
        given = case.given
        if not retrieves:
            given |= question_itself(case.question)
        experiment.answer(case.question, given, chains, answer)


def passages_of(evidence: Evidence) -> list[Passage]:
    """Return options' evidence with the option it is of: every option's best, then every second best, …"""
    ranked = [
        (rank, candidate, selected)
        for candidate, of_option in evidence.items()
        for rank, selected in enumerate(of_option)
    ]
    return [(candidate, selected) for _, candidate, selected in sorted(ranked, key=lambda item: item[:2])]


def _ask(
    question: Mapping[str, Any], evidence: Evidence, generator: RecordedGenerator, retrieves: bool
) -> _Asked:
    passages = passages_of(evidence)
    options = [{"letter": letter(place), "text": text} for place, text in enumerate(question["options"])]
    choices = [option["letter"] for option in options] + ["insufficient evidence"] * retrieves
    form = Form(f"Answer: ({'|'.join(choices)})\nExplanation: \\w", after=True)

    def make(kept: int) -> Request:
        return request(
            ANSWER_PASSAGES,
            ARGUMENT,
            None,
            form,
            question=question["question"],
            options=options,
            evidence=[selected.unit.text for _, selected in passages[:kept]] if retrieves else None,
            may_abstain=retrieves,
        )

    fitted_request, kept = fitted(make, len(passages), generator.generator)
    return _Asked(question, passages[:kept], fitted_request)


def _read(
    case: _Asked, recorded: Recorded | None, generator: RecordedGenerator, retrieves: bool
) -> tuple[list[Chain], Answer]:
    """Return the answer, and its explanation as the chain of the option chosen."""
    name, prompt = generator.generator.name, prompt_hash(ANSWER_PASSAGES)
    request_hash = None if recorded is None else recorded.request_hash
    generation = Generation(request_hash, prompt, generator.generator.generator_id)
    outcome = Outcome.CONTEXT_TOO_LONG if recorded is None else recorded.reply.outcome
    raw = "" if recorded is None else recorded.reply.text
    if not outcome.is_text:
        return [], Answer(None, None, name, raw, parse_status=str(outcome), generation=generation)
    decision, explanation = read_answer(raw, case.question["options"], may_abstain=retrieves)
    if decision.status != PARSED and outcome is Outcome.CUT_OFF:
        return [], Answer(None, None, name, raw, parse_status=str(outcome), generation=generation)
    status = INSUFFICIENT_EVIDENCE if decision.abstains else decision.status
    answer = Answer(
        decision.index, None, name, raw, status, abstained=decision.abstains, generation=generation
    )
    if decision.index is None:
        return [], answer
    text, cited = renumbered(explanation, len(case.passages))
    units = [case.passages[place][1].unit for place in cited]
    parts = {"sentences": float(len(list(sentence_spans(text))))}
    return [Chain(decision.index, text, units, 0.0, parts, generation)], answer


def read_answer(text: str, options: Sequence[str], may_abstain: bool) -> tuple[Decision, str]:
    """Return the option that a reply in the printed format chooses, and its explanation.

    The choice is an option's letter, with the option's text after it or not, or the text alone, or says that
    the evidence is insufficient. Anything else is unparseable, and so is a letter with another option's text.
    """
    reply = _REPLY.match(text)
    if reply is None:
        return Decision(None, UNPARSEABLE), ""
    choice, explanation = reply[1].strip(" *"), reply[2]
    if may_abstain and "insufficient" in choice.lower():
        return Decision(None, PARSED, abstains=True), explanation
    forms = [_form(option) for option in options]
    by_letter = _CHOICE.match(choice)
    letters = [letter(place) for place in range(len(options))]
    if by_letter is not None and by_letter[1].upper() in letters:
        index = letters.index(by_letter[1].upper())
        if not by_letter[2] or _form(by_letter[2]) == forms[index]:
            return Decision(index, PARSED), explanation
    if forms.count(_form(choice)) == 1:
        return Decision(forms.index(_form(choice)), PARSED), explanation
    return Decision(None, UNPARSEABLE), explanation


def _form(option: str) -> str:
    return " ".join(option.lower().split()).rstrip(".")
