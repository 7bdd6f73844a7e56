"""Attention2Query's open questions on MetaQA: hits and F1 of its arms, question by question.

MetaQA's development questions by the hash of their lines: those after the first 2,000 a hop, on which the
parser's constants were chosen. `OPEN` are answered, the `TRAINED` after them, of the same number of hops,
teach `tuned`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.attention2query.cases import AskedGraph, bounded_value, tuned_classifier
from benchmarks.graphs import film_questions, graph_parsing
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evaluation.ranked_answers import hits_at, ties_of
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.systems.attention2query.arms import RETRIEVALS
from evidence_assets.systems.attention2query.as_printed.pairs import open_pairs
from evidence_assets.systems.attention2query.facts import QuestionFacts
from evidence_assets.systems.attention2query.path_rating import (
    PathRating,
    by_attention,
    by_classifier,
    by_shared_score,
)
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets.text.verbalisation import FILMS

OPEN_ARMS = ("full", "tuned", "no_classifier", "vanilla")
OPEN, TRAINED = 500, 750

Values = NDArray[np.float64]


def open_measured(encoder: CachedEncoder) -> dict[str, Any]:
    """Return hits and F1 of every arm on MetaQA's questions of one hop and of two."""
    films = AskedGraph(FILMS, encoder)
    graph = films.opened.embedded.graph
    schema = film_questions.film_schema()
    base = KnowledgeBase(graph, schema, node_types(graph, None, schema), films.templates)
    first = graph_parsing.DEVELOPMENT
    rows, reports = [], {}
    for hops in (1, 2):
        cases = film_questions.cases(hops, graph)[first : first + OPEN + TRAINED]
        learnt = cases[OPEN:]
        pairs = open_pairs(
            [case.question for case in learnt], [case.gold for case in learnt], base, base.parser(encoder)
        )
        classifier, reports[hops] = tuned_classifier(list(pairs), encoder)
        ratings = {
            "full": by_shared_score(EncoderSimilarity(encoder), base.wording),
            "tuned": by_classifier(classifier, base.wording),
            "no_classifier": by_attention(),
            "vanilla": None,
        }
        full: Values = np.empty(0)
        for arm in OPEN_ARMS:
            row, hits = _row(films, base, cases[:OPEN], arm, ratings[arm])
            if arm == "full":
                full = hits
            else:
                row |= bounded_value("hits@1_minus_full", paired_difference(hits, full))
            rows.append({"hops": hops, **row})
            print(json.dumps(rows[-1]), flush=True)
    return {"arms": rows, "trained": reports}


def _row(
    films: AskedGraph,
    base: KnowledgeBase,
    cases: Sequence[film_questions.Case],
    arm: str,
    rating: PathRating | None,
) -> tuple[dict[str, Any], Values]:
    """Return an arm's figures, and the hits of every question. `rating` None: single triples answer."""
    way = RETRIEVALS[arm]
    whole_paths = None if rating is None else WholePaths(base, films.encoder, rating, way.facts)
    finder = films.finder(way, whole_paths)
    questions = films.link_open([case.question for case in cases])
    started = time.perf_counter()
    retrieved = list(finder.find(questions))
    spent = time.perf_counter() - started
    values = np.array([_answered(facts, case.gold) for facts, case in zip(retrieved, cases, strict=True)])
    row: dict[str, Any] = {"arm": arm, "questions": len(cases)}
    for column, name in enumerate(("hits@1", "hits@10", "f1")):
        row |= bounded_value(name, mean(values[:, column]))
    return {**row, "milliseconds_a_question": round(1000 * spent / len(cases), 1)}, values[:, 0]


def _answered(retrieved: QuestionFacts, gold: frozenset[int]) -> tuple[float, float, float]:
    """Return expected hits at 1 and 10, and the F1 of the answers of the best score."""
    scores: dict[int, float] = {}
    for fact in retrieved.facts[-1]:
        for node in fact.answers:
            scores[node] = max(fact.score, scores.get(node, fact.score))
    ties = ties_of(list(scores.values()), [node in gold for node in scores])
    best = {node for node, score in scores.items() if score == max(scores.values())}
    return hits_at(ties, 1)[0], hits_at(ties, 10)[0], 2 * len(best & gold) / max(len(best) + len(gold), 1)
