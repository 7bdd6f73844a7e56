"""Step 4: scores that rerank the best answers, each read with the triples and the document that back it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress

from evidence_assets.kgqa.answers.document_search import DocumentedGraph
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.progress import Progress, blocks
from evidence_assets.reading.likelihoods.likelihood import Asked, fits_alone, read_options
from evidence_assets.reading.prompting.prompt_files import RERANK
from evidence_assets.reading.prompting.replies import SCORE_SCHEMA
from evidence_assets.reading.prompting.requests import fitted, request
from evidence_assets.reading.prompting.structured import ask_objects
from evidence_assets.systems.four_step_focus.arms import MOST_ANSWERS, Arm
from evidence_assets.systems.four_step_focus.ranking import Candidate
from evidence_assets.systems.four_step_focus.reading import Case

_SCORE = Sampling(max_tokens=16)
_CASES_AT_ONCE = 256


def _reranked(case: Case, arm: Arm) -> list[Candidate]:
    """Return the candidates that are reranked: those that meet a reading, all where the arm reranks all."""
    return [
        candidate
        for candidate in case.candidates[:MOST_ANSWERS]
        if arm.reranks_all or candidate.reading is not None
    ]


def scorer_scores(
    cases: Sequence[Case],
    graph: DocumentedGraph,
    scorer: PairScorer,
    arm: Arm,
    progress: Progress | None = None,
) -> list[Mapping[int, float]]:
    """Return, for each question, a pair scorer's scores of the nodes that are reranked.

    A node is read by the triples that back it, one without any by its document.
    """
    reranked: list[Mapping[int, float]] = []
    for block in blocks(cases, _CASES_AT_ONCE, progress):
        pairs = [
            (case.question["question"], _backed(case, graph, candidate.node))
            for case in block
            for candidate in _reranked(case, arm)
        ]
        scores = iter(scorer.score([query for query, _ in pairs], [text for _, text in pairs]).tolist())
        reranked += [{candidate.node: next(scores) for candidate in _reranked(case, arm)} for case in block]
    return reranked


def _backed(case: Case, graph: DocumentedGraph, node: int) -> str:
    """Return what backs a node, read out; its document where nothing does."""
    return " ".join(unit.text for unit in case.backing.get(node, ())) or graph.documents[node]


def generator_scores(
    cases: Sequence[Case],
    graph: DocumentedGraph,
    generator: RecordedGenerator,
    arm: Arm,
    progress: Progress | None = None,
) -> list[Mapping[int, float]]:
    """Return, for each question, a language model's scores of the nodes that are reranked.

    The model reads a node's triples that back it, and its document, as far as its context goes. A node whose
    score could not be read, or asked for, has none.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    requests, places = [], []
    for number, case in enumerate(cases):
        for candidate in _reranked(case, arm):
            parts = [unit.text for unit in case.backing.get(candidate.node, ())]
            parts.append(graph.documents[candidate.node])
            question = case.question["question"]

            def make(count: int, question: str = question, parts: list[str] = parts) -> Request:
                return request(
                    RERANK, _SCORE, SCORE_SCHEMA, question=question, document=" ".join(parts[:count])
                )

            prompt, count = fitted(make, len(parts), generator.generator)
            if prompt is not None and count:
                requests.append(prompt)
                places.append((number, candidate.node))
    reranked: list[dict[int, float]] = [{} for _ in cases]
    for (number, node), reply in zip(places, ask_objects(requests, generator, progress), strict=True):
        if reply.value is not None:
            reranked[number][node] = float(reply.value["score"])
    return list(reranked)


def likelihood_scores(
    cases: Sequence[Case],
    graph: DocumentedGraph,
    model: LikelihoodModel,
    arm: Arm,
    progress: Progress | None = None,
) -> list[Mapping[int, float]]:
    """Return, for each question, how much likelier what backs a node makes its label, of those reranked.

    A node is read by the triples that back it, one without any by its document, as far as that fits. A
    question that is longer than the model's context reranks nothing.
    """
    nodes = [[candidate.node for candidate in _reranked(case, arm)] for case in cases]
    questions = [
        Asked(
            case.question["question"],
            [graph.base.label(node) for node in of_case],
            [
                [unit.text for unit in case.backing.get(node, ())] or [graph.documents[node]]
                for node in of_case
            ],
        )
        for case, of_case in zip(cases, nodes, strict=True)
    ]
    read = [bool(question.options) and fits_alone(question, model) for question in questions]
    readings = iter(read_options([*compress(questions, read)], model, progress))
    return [
        dict(zip(of_case, next(readings).scores.tolist(), strict=True)) if is_read else {}
        for of_case, is_read in zip(nodes, read, strict=True)
    ]
