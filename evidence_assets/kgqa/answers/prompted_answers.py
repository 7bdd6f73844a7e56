"""Answers from facts by a language model: `(subject, relation, object)` lines, a short answer, or N/A."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import (
    Answer,
    Chain,
    Experiment,
    Generation,
    RankedAnswer,
    Selected,
)
from evidence_assets.kgqa.answers.fact_cases import GENERATED, Case, units_of
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import SHORT_ANSWER, prompt_hash
from evidence_assets.reading.prompting.replies import PARSED, names_schema
from evidence_assets.reading.prompting.requests import fitted, request
from evidence_assets.reading.prompting.structured import ParsedReply, ask_objects
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import words_of

NOT_AVAILABLE = "n/a"
MOST_ANSWERS = 20
_SAMPLING = Sampling(max_tokens=256)
_SCHEMA = names_schema("answer", MOST_ANSWERS)
TOO_LONG = "context too long"


def read_short_answers(
    experiment: Experiment,
    cases: Sequence[Case],
    base: KnowledgeBase,
    generator: RecordedGenerator,
    progress: Progress | None = None,
    with_facts: bool = True,
) -> None:
    """Add what a language model answers to each question to an experiment. `with_facts`: it is shown facts.

    Facts that do not fit into the model's context are left out, the lowest-ranked first. An answer of N/A, or
    an empty one, is an abstention; a reply that cannot be parsed is neither an abstention nor an answer.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    requests: list[Request] = []
    places: list[int | None] = []
    shown: list[Case] = []
    for case in cases:

        def make(count: int, case: Case = case) -> Request:
            return _request(case, base, count, with_facts)

        asking, count = fitted(make, len(case.facts), generator.generator)
        shown.append(Case(case.question, case.facts[:count], case.readings, case.generated))
        places.append(None if asking is None else len(requests))
        requests += [] if asking is None else [asking]
    replies = ask_objects(requests, generator, progress)
    for case, place in zip(shown, places, strict=True):
        reply = ParsedReply(None, TOO_LONG, None) if place is None else replies[place]
        _add_answer(experiment, case, base, generator, reply)


def _request(case: Case, base: KnowledgeBase, count: int, with_facts: bool) -> Request:
    facts, recalled = lines(case, case.facts[:count], base)
    return request(
        SHORT_ANSWER,
        _SAMPLING,
        _SCHEMA,
        question=case.question["question"],
        facts=facts if with_facts else None,
        recalled=recalled,
    )


def lines(case: Case, facts: Sequence[Mapping[str, Any]], base: KnowledgeBase) -> tuple[list[str], list[str]]:
    """Return the graph's facts and a model's own as lines, each once; contradicted ones are marked."""
    rows = case.generated or {}
    graph: dict[str, None] = {}
    recalled: dict[str, None] = {}
    for fact in facts:
        if fact["kind"] == GENERATED:
            row = rows.get(fact["fact_id"])
            triple_text = (
                fact["text"] if row is None else ", ".join(row[end] for end in ("head", "relation", "tail"))
            )
            doubt = " - the graph says otherwise" if case.is_contradicted(fact) else ""
            recalled.setdefault(f"({_one_line(triple_text)}){doubt}")
        for triple_id in fact["triple_ids"]:
            head, relation, tail = base.graph.triple(base.edges[triple_id])
            graph.setdefault(f"({_one_line(head)}, {words_of(relation)}, {_one_line(tail)})")
    return list(graph), list(recalled)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _add_answer(
    experiment: Experiment, case: Case, base: KnowledgeBase, generator: RecordedGenerator, reply: ParsedReply
) -> None:
    question_id, name = case.question["question_id"], generator.generator.name
    generation = Generation(reply.request_hash, prompt_hash(SHORT_ANSWER), generator.generator.generator_id)
    evidence = units_of(case, base)
    experiment.select(question_id, NO_OPTION, evidence)
    answers = [] if reply.value is None else [" ".join(text.split()) for text in reply.value["answer"]]
    ranked = _ranked([text for text in answers if text.lower() not in ("", NOT_AVAILABLE)], case, base)
    experiment.rank(question_id, ranked)
    best = ranked[0] if ranked else None
    answer = Answer(
        None,
        None,
        name,
        "; ".join(answers),
        parse_status=reply.status,
        abstained=best is None and reply.status == PARSED,
        generation=generation,
        text=None if best is None else best.answer,
        node=None if best is None else best.node,
    )
    chains = [_chain(best, evidence, generation)] if best is not None and best.evidence else []
    experiment.answer(case.question, {NO_OPTION: evidence}, chains, answer)


def _ranked(answers: Sequence[str], case: Case, base: KnowledgeBase) -> list[RankedAnswer]:
    """Return the model's answers in its order, each backed by the facts that end with it."""
    ranked: dict[str, RankedAnswer] = {}
    for answer in answers:
        form = normal_form(answer)
        if form in ranked:
            continue
        backing = [
            (fact, node)
            for fact in case.facts
            if fact["triple_ids"]
            for node in fact["answers"]
            if normal_form(base.label(node)) == form
        ]
        node = backing[0][1] if backing else None
        units = {
            unit.evidence_id: unit for fact, _ in backing for unit in map(base.unit_of, fact["triple_ids"])
        }
        kg = base.graph.name if backing else ""
        score = round(1 / (len(ranked) + 1), 6)
        ranked[form] = RankedAnswer(answer, score, node, kg, bool(backing), True, list(units.values()))
    return list(ranked.values())


def _chain(best: RankedAnswer, evidence: Sequence[Selected], generation: Generation) -> Chain:
    """Return the argument for an answer: the facts given that end with it."""
    parts = {"facts_given": float(len(evidence))}
    text = argument(best.answer, (unit.text for unit in best.evidence))
    return Chain(NO_OPTION, text, best.evidence, best.score, parts, generation)
