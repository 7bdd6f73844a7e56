"""4StepFocus's reading: queries solved, answers in the order of their documents, with what backs them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import (
    Chain,
    Experiment,
    Generation,
    RankedAnswer,
    Selected,
    given_or_question,
    tie_rule,
)
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.kgqa.answers.document_pools import POOL_DEPTH
from evidence_assets.kgqa.answers.document_search import DocumentedGraph, Pool, Search
from evidence_assets.kgqa.answers.reading_answers import answer_of_reading
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term
from evidence_assets.kgqa.queries.executing import MOST_CITED
from evidence_assets.kgqa.queries.serialization import PARSED, PROPOSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting.prompt_files import PROPOSE_QUERY, RERANK, TRIPLETS, prompt_hash
from evidence_assets.stages.withholding import Source
from evidence_assets.systems.four_step_focus.arms import MOST_ANSWERS, Arm
from evidence_assets.systems.four_step_focus.ranking import (
    Candidate,
    RankedCandidate,
    candidates,
    rank_candidates,
)
from evidence_assets.text.queries import NO_OPTION

# Answers of a question whose documents are kept as evidence (documents are long), and triples of each.
DOCUMENTS_PER_QUESTION, TRIPLES_PER_ANSWER = 3, 4
NO_ANSWER = "the graph has no nodes"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, its candidate answers, and the triples that back each by the likeliest reading it meets.

    `request_hash`: the row of generations that its readings were taken from, if a language model wrote them.
    `reading`: the likeliest, which says what of the question is accounted for. `value`: an answer that is no
    node, a number, yes or no, with the triples that show it.
    """

    question: Mapping[str, Any]
    candidates: Sequence[Candidate]
    backing: Mapping[int, Sequence[EvidenceUnit]]

    request_hash: str | None = None
    reading: QueryRecord | None = None
    value: tuple[str, Sequence[EvidenceUnit]] = ("", ())


def cases(
    questions: Sequence[Mapping[str, Any]],
    readings: Mapping[str, Sequence[QueryRecord]],
    base: KnowledgeBase,
    search: Search,
    arm: Arm,
    progress: Progress | None = None,
    levels: Mapping[str, Sequence[NDArray[np.int32]]] | None = None,
    withheld: Callable[[str], Collection[Source]] = lambda _: (),
) -> Iterator[Case]:
    """Yield every question with its candidate answers (steps 2 and 3).

    An arm without triplets has no readings. A reading for which the graph has no path is skipped. What fills
    the list up is of the type that is asked for, where the reading has one and the graph has such nodes.
    `levels`: of each question, the nodes that stand before what search finds, and are not supported.
    `withheld`: question id to the sources that the graph, `base`, is read without.
    """
    for place, question in enumerate(questions):
        question_id = question["question_id"]
        visible = base.without(withheld(question_id))
        stored = readings.get(question_id, ())
        parsed = [query for query in stored if query.status == PARSED][: arm.readings]
        solved = [visible.nodes_of(query, arm.strict_edges) for query in parsed]
        solved += list((levels or {}).get(question_id, ()))
        pool = _of_type(search, place, question_id, _type_asked(stored), visible)
        case_candidates = candidates(solved, search.nearness(place), pool, MOST_ANSWERS)
        backing: dict[int, list[EvidenceUnit]] = {}
        for number, reading in enumerate(parsed):
            nodes = [
                candidate.node for candidate in case_candidates[:MOST_ANSWERS] if candidate.reading == number
            ]
            support = visible.support_of(reading, nodes, _triples_cited(reading), arm.strict_edges)
            for node, edges in zip(nodes, support, strict=True):
                backing[node] = [visible.unit(edge) for edge in edges]
        likeliest = stored[0] if stored else None
        value: tuple[str, Sequence[EvidenceUnit]] = ("", ())
        if likeliest is not None and likeliest.status == PARSED and arm.strict_edges:
            value = visible.value_of(likeliest)
        request_hash = likeliest.request_hash if likeliest is not None else None
        yield Case(question, case_candidates, backing, request_hash, likeliest, value)
        if progress is not None:
            progress(place + 1, len(questions))


def _type_asked(readings: Sequence[QueryRecord]) -> str:
    """Return the type that the likeliest reading asks for; "" without a reading, or a type."""
    if not readings:
        return ""
    query = readings[0].query
    return readings[0].answer_type or next(iter(query.variables().get(query.target, ())), "")


def _of_type(search: Search, place: int, question_id: str, type_: str, base: KnowledgeBase) -> Pool:
    """Return a question's pool, of the type that is asked for: of other nodes none can answer.

    The pool holds what is nearest of all nodes: where too few of the type are among these, all of the type
    are searched. Everything where no type is asked for, or no node is of it.
    """
    pool, left_out = search.pools.get(question_id, ()), search.left_out.get(question_id, frozenset())
    members = base.types.members(type_)
    if type_ in ("", THING) or not len(members):
        return pool
    fits = base.types.are(np.array([node for node, _ in pool], dtype=np.int32), type_)
    typed = [pair for pair, fit in zip(pool, fits, strict=True) if fit]
    if len(typed) >= MOST_ANSWERS:
        return typed
    members_left = np.setdiff1d(members, np.array(sorted(left_out), dtype=np.int32)).astype(np.int32)
    return search.nearest(place, members_left, POOL_DEPTH)


def _triples_cited(reading: QueryRecord) -> int:
    """Return how many triples back an answer: a comparison or a superlative cites what it compared."""
    return TRIPLES_PER_ANSWER if reading.operation is None else MOST_CITED


def read_case(
    experiment: Experiment,
    case: Case,
    graph: DocumentedGraph,
    arm: Arm,
    rerank_scores: Mapping[int, float] | None,
    generator_id: str = "",
) -> None:
    """Add a question's ranked answers, what backs them, and its prediction, to an experiment (step 4).

    `rerank_scores`: of nodes, as `reranking` gives them; None where nothing was reranked. `generator_id`: the
    language model that wrote the conditions, if one did.
    """
    if case.value[0]:
        _add_value(experiment, case, graph, arm)
        return
    abstains = case.reading.abstains if case.reading is not None else ""
    ranked = rank_candidates(case.candidates, rerank_scores)
    question_id = case.question["question_id"]
    units = {
        answer.candidate.node: _units(case, graph, answer.candidate.node, rank)
        for rank, answer in enumerate(ranked)
    }
    selected = [
        Selected(unit, answer.score, [])
        for answer in ranked[:MOST_ANSWERS]
        for unit in units[answer.candidate.node]
    ]
    distinct = list({evidence.unit.evidence_id: evidence for evidence in reversed(selected)}.values())[::-1]
    experiment.select(question_id, NO_OPTION, distinct)
    ranked_answers = [
        RankedAnswer(
            graph.base.label(answer.candidate.node),
            answer.score,
            answer.candidate.node,
            graph.base.graph.name,
            bool(arm.parser) and answer.candidate.reading is not None and not abstains,
            answer.returned and not abstains,
            units[answer.candidate.node],
        )
        for answer in ranked
    ]
    experiment.rank(question_id, ranked_answers)
    best = ranked_answers[0] if ranked_answers and not abstains else None
    ties = sum(answer.score == ranked[0].score for answer in ranked)
    prediction = answer_of_reading(
        case.reading, best, arm.generator, abstains or NO_ANSWER, tie_rule(ties, "by node")
    )
    if generator_id:
        request_hash, prompt = case.request_hash, TRIPLETS if arm.parser else RERANK
        if arm.parser.startswith(f"{PROPOSED}@"):
            prompt = PROPOSE_QUERY
        prediction = replace(
            prediction, generation=Generation(request_hash, prompt_hash(prompt), generator_id)
        )
    chains = [] if abstains else _chains(graph, ranked, units)
    experiment.answer(case.question, {NO_OPTION: distinct}, chains, prediction)


def _add_value(experiment: Experiment, case: Case, graph: DocumentedGraph, arm: Arm) -> None:
    """Add an answer that is no node, with the triples that it counts or rests on."""
    value, units = case.value
    question_id = case.question["question_id"]
    selected = [Selected(unit, 1.0, []) for unit in units]
    experiment.select(question_id, NO_OPTION, selected)
    kg = graph.base.graph.name
    ranked = RankedAnswer(value, 1.0, None, kg, True, True, list(units))
    experiment.rank(question_id, [ranked])
    chain = Chain(NO_OPTION, argument(value, (unit.text for unit in units)), list(units), 1.0, {})
    answer = answer_of_reading(case.reading, ranked, arm.generator, NO_ANSWER)
    experiment.answer(case.question, given_or_question(case.question, selected), [chain], answer)


def _units(case: Case, graph: DocumentedGraph, node: int, rank: int) -> list[EvidenceUnit]:
    documents = [graph.document(node)] if rank < DOCUMENTS_PER_QUESTION else []
    return [*case.backing.get(node, ()), *documents]


def _chains(
    graph: DocumentedGraph, ranked: Sequence[RankedCandidate], units: Mapping[int, Sequence[EvidenceUnit]]
) -> list[Chain]:
    """Return the argument for the first answer: the triples that back it, else its document."""
    if not ranked:
        return []
    best = ranked[0]
    label = graph.base.label(best.candidate.node)
    cited = [unit for unit in units[best.candidate.node] if unit.kind == "triple"]
    cited = cited or list(units[best.candidate.node][:1])
    text = argument(label, (unit.text for unit in cited))
    return [Chain(NO_OPTION, text, cited, best.score, {})]


def by_meaning(
    readings: Mapping[str, Sequence[QueryRecord]], labels: FloatArray, encoder: Encoder
) -> dict[str, list[QueryRecord]]:
    """Return the readings with every name resolved to the one node whose label is nearest in meaning.

    `labels`: (n, d) unit vectors. Of equally near labels the first counts.
    """
    names = sorted(
        {
            term.text
            for records in readings.values()
            for record in records
            for triplet in record.query.triplets
            for term in (triplet.head, triplet.tail)
            if isinstance(term, Constant)
        }
    )
    nearest: dict[str, int] = {}
    vectors = encoder.encode(names) if names else np.empty((0, labels.shape[1]), dtype=np.float32)
    for name, vector in zip(names, vectors, strict=True):
        nearest[name] = int((labels @ vector).round(6).argmax())

    def term(original: Term) -> Term:
        return (
            Constant(original.text, (nearest[original.text],)) if isinstance(original, Constant) else original
        )

    def moved(query: ConjunctiveQuery) -> ConjunctiveQuery:
        triplets = tuple(
            replace(triplet, head=term(triplet.head), tail=term(triplet.tail)) for triplet in query.triplets
        )
        return ConjunctiveQuery(triplets, query.target)

    return {
        question_id: [replace(record, query=moved(record.query), operation=None) for record in records]
        for question_id, records in readings.items()
    }
