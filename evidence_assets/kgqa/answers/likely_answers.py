"""Answers from facts by likelihoods: which relation answers the question, then which of its ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, RankedAnswer, tie_rule
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.kgqa.answers.fact_cases import GENERATED, Case, units_of
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import (
    Asked,
    LikelihoodReading,
    Wording,
    fits_alone,
    read_options,
)
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.verbalisation import words_of

# Ends of facts that are scored, those of the nearest facts first; others of their relations follow unscored.
MOST_SCORED = 20
NO_ENDS = "no fact that was retrieved ends with an answer"
# The question itself is what makes a relation likelier.
_RELATIONS = Wording("Asked")
_WHICH = "Which relation answers it?"

Relation = tuple[str, ...]


@dataclass(slots=True)
class _End:
    """A node that facts end with: the relations that lead to it, the nearest first, and those facts."""

    node: int
    label: str
    relations: dict[Relation, None] = field(default_factory=dict)
    facts: list[Mapping[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Scored:
    """A question's relations and ends as the model reads them; ends beyond `MOST_SCORED` are unscored."""

    ends: Sequence[_End]
    relations: Mapping[Relation, float]
    confidence: Mapping[Relation, float]
    answers: LikelihoodReading


def read_likely_answers(
    experiment: Experiment,
    cases: Sequence[Case],
    base: KnowledgeBase,
    model: LikelihoodModel,
    reader: str,
    progress: Progress | None = None,
) -> None:
    """Add what each question's facts end with to an experiment, ranked by likelihoods.

    The relations of the facts are options: the likeliest given the question, against without it, answers it,
    and what it leads to is the answer as a set. Within a relation the ends are ordered by how much likelier
    their own facts make them. `reader`: what rows name it. What a model states itself gives no answer. A
    question that is longer than the model's context is abstained on.
    """
    ends = [_ends(case, base) for case in cases]
    inquiries = [
        [*_inquiries(case, of_case)] if of_case else [] for case, of_case in zip(cases, ends, strict=True)
    ]
    fit = [all(fits_alone(asked, model) for asked in of_case) for of_case in inquiries]
    shown = [asked for of_case in compress(inquiries, fit) for asked in of_case]
    readings = iter(read_options(shown, model, progress))
    for case, of_case, is_read in zip(cases, ends, fit, strict=True):
        if of_case and is_read:
            _add(experiment, case, base, reader, _scored(of_case, readings))
        else:
            status = Outcome.CONTEXT_TOO_LONG if of_case else NO_ENDS
            _abstain(experiment, case, base, Answer.abstention(reader, status))


def _ends(case: Case, base: KnowledgeBase) -> list[_End]:
    """Return the nodes that a question's facts end with, those of the nearest facts first."""
    ends: dict[int, _End] = {}
    for fact in case.facts:
        if fact["kind"] == GENERATED or not fact["triple_ids"]:
            continue
        for node in fact["answers"]:
            end = ends.setdefault(node, _End(node, base.label(node)))
            end.relations.setdefault(_relation(fact, node, base))
            end.facts.append(fact)
    return list(ends.values())


def _relation(fact: Mapping[str, Any], node: int, base: KnowledgeBase) -> Relation:
    """Return the words of a fact's relations, the last one's direction among them."""
    *others, last = (words_of(name) for name in base.relations(fact["triple_ids"]))
    edge = base.edges[fact["triple_ids"][-1]]
    forwards = int(base.graph.tails[edge]) == node
    return (*others, last if forwards else f"whose {last} it is")


def _relations_of(ends: Sequence[_End]) -> list[Relation]:
    return list(dict.fromkeys(relation for end in ends for relation in end.relations))


def _inquiries(case: Case, ends: Sequence[_End]) -> Iterator[Asked]:
    question = case.question["question"]
    relations = [", ".join(relation) for relation in _relations_of(ends)]
    yield Asked(_WHICH, relations, [[question]] * len(relations), _RELATIONS)
    scored = ends[:MOST_SCORED]
    yield Asked(question, [end.label for end in scored], [_texts(end) for end in scored])


def _texts(end: _End) -> list[str]:
    return list(dict.fromkeys(fact["text"] for fact in end.facts))


def _scored(ends: Sequence[_End], readings: Iterator[LikelihoodReading]) -> _Scored:
    relations, by_relation = _relations_of(ends), next(readings)
    return _Scored(
        ends,
        dict(zip(relations, by_relation.scores.tolist(), strict=True)),
        dict(zip(relations, by_relation.probabilities.tolist(), strict=True)),
        next(readings),
    )


def _abstain(experiment: Experiment, case: Case, base: KnowledgeBase, abstention: Answer) -> None:
    question_id, evidence = case.question["question_id"], units_of(case, base)
    experiment.select(question_id, NO_OPTION, evidence)
    experiment.rank(question_id, [])
    experiment.answer(case.question, {NO_OPTION: evidence}, [], abstention)


def _add(experiment: Experiment, case: Case, base: KnowledgeBase, reader: str, scored: _Scored) -> None:
    question_id, evidence = case.question["question_id"], units_of(case, base)
    experiment.select(question_id, NO_OPTION, evidence)
    likeliest = max(scored.relations, key=lambda relation: scored.relations[relation])
    ranked = _ranked(scored, likeliest, base)
    experiment.rank(question_id, ranked)
    best = ranked[0]
    ties = sum(answer.score == best.score for answer in ranked)
    answer = Answer(
        None,
        scored.confidence[likeliest],
        reader,
        f"Answer: {best.answer}",
        tie_break=tie_rule(ties, "by the nearness of facts"),
        text=best.answer,
        node=best.node,
    )
    place = next(place for place, end in enumerate(scored.ends) if end.node == best.node)
    parts = {"relation": scored.relations[likeliest]}
    if place < MOST_SCORED:
        parts |= scored.answers.parts[place]
    text = argument(best.answer, (unit.text for unit in best.evidence))
    chain = Chain(NO_OPTION, text, best.evidence, best.score, parts)
    experiment.answer(case.question, {NO_OPTION: evidence}, [chain], answer)


def _ranked(scored: _Scored, likeliest: Relation, base: KnowledgeBase) -> list[RankedAnswer]:
    """Return the ends: those of likelier relations first, then the likelier; the first's are returned."""
    order = sorted(scored.relations, key=lambda relation: scored.relations[relation])
    level = {relation: place for place, relation in enumerate(order)}
    answers = []
    for place, end in enumerate(scored.ends):
        within = _share(float(scored.answers.scores[place])) if place < MOST_SCORED else 0.0
        score = max(level[relation] for relation in end.relations) + within
        units: dict[str, EvidenceUnit] = {}
        for fact in end.facts:
            for unit in map(base.unit_of, fact["triple_ids"]):
                units.setdefault(unit.evidence_id, unit)
        answers.append(
            RankedAnswer(
                end.label,
                round(score, 6),
                end.node,
                base.graph.name,
                True,
                likeliest in end.relations,
                list(units.values()),
            )
        )
    return sorted(answers, key=lambda answer: -answer.score)


def _share(nats: float) -> float:
    """Map nats into (0, 1), in their order."""
    return 0.5 + math.atan(nats) / math.pi
