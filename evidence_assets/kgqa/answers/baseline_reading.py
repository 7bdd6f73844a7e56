"""Answers of the baselines: what search or steps from the topics put first, with its document as evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evidence_assets.evidence.citations import argument
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, RankedAnswer, Selected, tie_rule
from evidence_assets.kgqa.answers.document_search import DocumentedGraph, Nodes, Search
from evidence_assets.text.queries import NO_OPTION

MOST_RANKED, DOCUMENTS_KEPT = 20, 3
NO_DOCUMENT = "search finds nothing"
_DECIMALS = 6
# Cosines are within 1: no nearness makes up for a hop.
_HOP = 3.0


def read_baseline(
    experiment: Experiment,
    questions: Sequence[Mapping[str, Any]],
    graph: DocumentedGraph,
    search: Search,
    generator: str,
    levels: Mapping[str, Sequence[Nodes]] | None = None,
) -> None:
    """Add what a baseline answers to questions without options to an experiment.

    `questions`: `questions` rows, in the order of the search's vectors. `levels`: of each question, the
    nodes by hops; without it the pools of `search` answer. The answer is the first node, of hops all the
    nearest. Nothing that it ranks is supported.
    """
    for place, question in enumerate(questions):
        if levels is None:
            scored = list(search.pools.get(question["question_id"], ()))[:MOST_RANKED]
            returned = 1
        else:
            around = levels.get(question["question_id"], ())
            scored = _by_hops(search, place, around)
            returned = len(around[0]) if around else 0
        _answer(experiment, question, graph, scored, returned, generator)


def _by_hops(search: Search, place: int, levels: Sequence[Nodes]) -> list[tuple[int, float]]:
    """Return the nodes of levels, the first whole, by hops and then by how near their documents are."""
    scored: list[tuple[int, float]] = []
    for hops, nodes in enumerate(levels):
        near = search.nearness(place)(nodes)
        order = np.lexsort((nodes, -near))
        scored += [(int(nodes[at]), round(float(near[at]) - _HOP * hops, _DECIMALS)) for at in order]
        if len(scored) >= MOST_RANKED:
            break
    return scored[: max(MOST_RANKED, len(levels[0]) if levels else 0)]


def _answer(
    experiment: Experiment,
    question: Mapping[str, Any],
    graph: DocumentedGraph,
    scored: Sequence[tuple[int, float]],
    returned: int,
    generator: str,
) -> None:
    question_id, base = question["question_id"], graph.base
    selected = [Selected(graph.document(node), score, []) for node, score in scored[:DOCUMENTS_KEPT]]
    experiment.select(question_id, NO_OPTION, selected)
    experiment.rank(
        question_id,
        [
            RankedAnswer(
                base.label(node),
                score,
                node,
                base.graph.name,
                returned=rank < returned,
                evidence=[selected[rank].unit] if rank < len(selected) else [],
            )
            for rank, (node, score) in enumerate(scored)
        ],
    )
    if not scored:
        experiment.answer(question, {NO_OPTION: selected}, [], Answer.abstention(generator, NO_DOCUMENT))
        return
    node, score = scored[0]
    label, cited = base.label(node), [selected[0].unit]
    chain = Chain(NO_OPTION, argument(label, (unit.text for unit in cited)), cited, score, {})
    ties = sum(candidate_score == score for _, candidate_score in scored)
    rule = tie_rule(ties, "by node")
    answer = Answer(None, None, generator, f"Answer: {label}", tie_break=rule, text=label, node=node)
    experiment.answer(question, {NO_OPTION: selected}, [chain], answer)
