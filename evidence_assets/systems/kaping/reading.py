"""Answers from facts, without a language model: the ends of the likeliest walk that the facts bear out.

A fact's rank answers nothing: the nearest triple of two hops is nearly always one that names the topic. Whole
walks are scored as readings of the question (`question_queries`); the facts say which of them was retrieved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import (
    Answer,
    Chain,
    Experiment,
    RankedAnswer,
    given_or_question,
    tie_rule,
)
from evidence_assets.evidence.units import unit_of_generated_triple
from evidence_assets.kgqa.answers.fact_cases import GENERATED, Case, units_of, with_cited
from evidence_assets.kgqa.answers.reading_answers import answer_of_reading
from evidence_assets.kgqa.queries.conjunctive import branches
from evidence_assets.kgqa.queries.executing import MOST_CITED
from evidence_assets.kgqa.queries.serialization import PARSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.systems.kaping.arms import CLOZE, Arm
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION

# The most readings used, answers ranked, answers with backing triples, and triples that back one answer.
READINGS, MOST_RANKED, MOST_BACKED, TRIPLES_PER_ANSWER = 3, 1_000, 20, 4
NO_TOPIC, NO_FACTS = "no topic in the graph", "nothing was retrieved"
ABSENT, NOT_BORNE_OUT = "the graph lacks what is asked", "what is asked was not retrieved"


def read_case(experiment: Experiment, case: Case, base: KnowledgeBase, arm: Arm) -> None:
    """Add a question's facts, ranked answers and prediction to an experiment.

    The answers of the likeliest reading are returned if the facts bear it out; where they do not, or the
    graph lacks what it asks, nothing is, and the prediction says why. What a model states alone is ranked
    after what the graph backs, and never returned but by the masked language model's own arm.
    """
    question_id = case.question["question_id"]
    evidence = units_of(case, base)
    experiment.select(question_id, NO_OPTION, evidence)
    if arm.generator == CLOZE:
        ranked, status = _generated(case, returned=True), "" if case.facts else NO_FACTS
    else:
        likeliest = case.readings[0] if case.readings else None
        if likeliest is not None and likeliest.status == PARSED and likeliest.operates:
            ranked, status = _operated(likeliest, base), ""
        else:
            ranked, status = _walked(case, base)
        ranked_forms = {normal_form(answer.answer) for answer in ranked}
        lowest = ranked[-1].score if ranked else 0.0
        for place, generated in enumerate(_generated(case, returned=False), start=1):
            if normal_form(generated.answer) not in ranked_forms:
                ranked.append(replace(generated, score=round(lowest - place, 6)))
    experiment.rank(question_id, ranked)
    answer = _answer(ranked, status, arm, case.readings[0] if case.readings else None)
    chains = [] if answer.abstained else [_chain(ranked[0])]
    evidence = evidence if answer.abstained else with_cited(evidence, ranked[0].evidence, ranked[0].score)
    given = {NO_OPTION: evidence} if answer.abstained else given_or_question(case.question, evidence)
    experiment.answer(case.question, given, chains, answer)


def _walked(case: Case, base: KnowledgeBase) -> tuple[list[RankedAnswer], str]:
    """Return the answers of the readings that the facts bear out, and why the first has none, if so."""
    retrieved = {
        (base.relations(fact["triple_ids"]), node)
        for fact in case.facts
        if fact["kind"] != GENERATED
        for node in fact["answers"]
    }
    ranked: list[RankedAnswer] = []
    answered: set[int] = set()
    status = "" if case.readings else NO_TOPIC
    abstains = case.readings[0].abstains if case.readings else ""
    for place, reading in enumerate(case.readings[:READINGS]):
        nodes = _solved(reading, base)
        # Of several topics the facts must say of one node what is asked of it from each.
        ways = branches(reading.query)
        borne_out = any(all((way, node) in retrieved for way in ways) for node in nodes if ways)
        if place == 0 and not borne_out:
            status = NO_FACTS if not case.facts else ABSENT if reading.status != PARSED else NOT_BORNE_OUT
        if borne_out:
            fresh = [node for node in nodes if node not in answered][: MOST_RANKED - len(ranked)]
            answered.update(fresh)
            ranked += _ranked(reading, fresh, base, place == 0, max(0, MOST_BACKED - len(ranked)))
    if abstains:
        # What is ranked is of weaker readings: the graph does not support it as an answer.
        ranked = [replace(answer, supported=False, returned=False) for answer in ranked]
    return ranked, abstains or status


def _operated(reading: QueryRecord, base: KnowledgeBase) -> list[RankedAnswer]:
    """Return the answers of a reading that no walk expresses: facts near the question bear none of it out."""
    value, units = base.value_of(reading)
    if value:
        return [RankedAnswer(value, round(reading.score, 6), None, base.graph.name, True, True, units)]
    nodes = [int(node) for node in base.nodes_of(reading)[:MOST_RANKED]]
    return _ranked(reading, nodes, base, True, MOST_BACKED)


def _solved(reading: QueryRecord, base: KnowledgeBase) -> list[int]:
    """Return the nodes that answer a reading, without those that the question names."""
    if reading.status != PARSED:
        return []
    nodes: list[int] = base.nodes_of(reading).tolist()
    return nodes


def _ranked(
    reading: QueryRecord, nodes: Sequence[int], base: KnowledgeBase, returned: bool, backed: int
) -> list[RankedAnswer]:
    """Return nodes as answers of one reading, the first `backed` with the triples behind them."""
    limit = TRIPLES_PER_ANSWER if reading.operation is None else MOST_CITED
    support = base.support_of(reading, nodes[:backed], limit)
    score = round(reading.score, 6)
    return [
        RankedAnswer(
            base.label(node),
            score,
            node,
            base.graph.name,
            True,
            returned,
            [base.unit(edge) for edge in support[place]] if place < backed else [],
        )
        for place, node in enumerate(nodes)
    ]


def _generated(case: Case, returned: bool) -> list[RankedAnswer]:
    """Return the answers of a model's triples: by nearness of the relation, then by likelihood.

    `returned`: the first is the answer. A triple that the graph contradicts gives no answer.
    """
    rows = case.generated or {}
    question_form = normal_form(case.question["question"])
    nearest: dict[str, float] = {}
    usable = []
    for fact in case.facts:
        if fact["kind"] == GENERATED and fact["fact_id"] in rows and not case.is_contradicted(fact):
            row = rows[fact["fact_id"]]
            nearest[row["relation"]] = max(fact["score"], nearest.get(row["relation"], -1.0))
            usable.append((fact, row))
    usable.sort(key=lambda pair: (-nearest[pair[1]["relation"]], -pair[1]["score"], pair[0]["rank"]))
    answers: dict[str, RankedAnswer] = {}
    for fact, row in usable:
        answer = row["head"] if f" {normal_form(row['tail'])} " in f" {question_form} " else row["tail"]
        unit = unit_of_generated_triple(fact["fact_id"], fact["text"])
        place = len(answers) + 1
        ranked_answer = RankedAnswer(
            answer, round(1 / place, 6), returned=returned and place == 1, evidence=[unit]
        )
        answers.setdefault(normal_form(answer), ranked_answer)
    return list(answers.values())


def _answer(ranked: Sequence[RankedAnswer], status: str, arm: Arm, reading: QueryRecord | None) -> Answer:
    # A masked language model's own answers rest on no reading.
    reading = None if arm.generator == CLOZE else reading
    returned = [answer for answer in ranked if answer.returned]
    best = returned[0] if returned else None
    ties = sum(answer.score == returned[0].score for answer in returned)
    return answer_of_reading(reading, best, arm.generator, status or NO_FACTS, tie_rule(ties, "by node"))


def _chain(best: RankedAnswer) -> Chain:
    text = argument(best.answer, (unit.text for unit in best.evidence))
    return Chain(NO_OPTION, text, best.evidence, best.score, {})
