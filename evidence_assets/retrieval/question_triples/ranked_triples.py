"""The triples around a benchmark's questions and options: read out, the nearest to each kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.lake.schemas import RANKED_TRIPLES
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.models.pair_scorer import CROSS_ENCODER, ENCODER_SIMILARITY, PairScorer
from evidence_assets.progress import Progress
from evidence_assets.retrieval.question_triples.question_linking import LinkedQuestion
from evidence_assets.text.queries import QUESTION_ALONE
from evidence_assets.text.verbalisation import verbalise

# Triples kept for each query: twice the thesis's s of 10, so that s can be swept to 20.
TRIPLE_DEPTH = 20
# A cross-encoder scores so many of a query's triples: those that the encoder finds nearest.
_CROSS_ENCODED = 64
_QUESTIONS_AT_ONCE = 64
TOUCHES = ("question", "option", "both")


@dataclass(frozen=True, slots=True)
class Around:
    """The edges around one query's concepts, sorted, and whose concepts each stands at (into `TOUCHES`)."""

    edges: NDArray[np.int32]
    touches: NDArray[np.int8]


def edges_around(graph: Graph, asked: Sequence[int], offered: Sequence[int], limit: int) -> Around:
    """Return the one-hop edges of a question's nodes and an option's (thesis 7.3.2.2).

    Of each node at most the `limit` heaviest, and beside them every edge between the two sides, however
    light: what joins question and option is never capped away.
    """
    own = {node: graph.edges_of(node, limit) for node in (*asked, *offered)}
    between = [
        np.intersect1d(graph.edges_of(one), graph.edges_of(other))
        for one in asked
        for other in offered
        if one != other and graph.degree(one) > limit and graph.degree(other) > limit
    ]
    none = np.empty(0, dtype=np.int32)
    edges = np.unique(np.concatenate([none, *own.values(), *between]))
    ends = np.stack([graph.heads[edges], graph.tails[edges]])
    at_question = np.isin(ends, list(asked)).any(axis=0)
    at_option = np.isin(ends, list(offered)).any(axis=0)
    return Around(edges, np.where(at_question & at_option, 2, at_option).astype(np.int8))


def rank_triples(
    linked: Sequence[LinkedQuestion],
    graph: Graph,
    templates: Mapping[str, str],
    encoder: Encoder,
    scorer: PairScorer,
    benchmark: str,
    limit: int,
    progress: Progress | None = None,
) -> Iterator[pa.Table]:
    """Yield `ranked_triples` rows, block by block of questions: the best 20 of each query.

    Triples are scored by the encoder's cosine to question + option. Where the scorer is a cross-encoder, it
    rescores the 64 nearest; what it scores equally stays in the order of the cosine.
    """
    for start in range(0, len(linked), _QUESTIONS_AT_ONCE):
        block = linked[start : start + _QUESTIONS_AT_ONCE]
        yield _ranked_block(block, graph, templates, encoder, scorer, benchmark, limit)
        if progress is not None:
            progress(start + len(block), len(linked))


@dataclass(frozen=True, slots=True)
class _Query:
    question: LinkedQuestion
    candidate: int
    around: Around


def _ranked_block(
    block: Sequence[LinkedQuestion],
    graph: Graph,
    templates: Mapping[str, str],
    encoder: Encoder,
    scorer: PairScorer,
    benchmark: str,
    limit: int,
) -> pa.Table:
    asked = [
        _Query(question, candidate, _around(question, candidate, graph, limit))
        for question in block
        for candidate in question.concepts
    ]
    edges = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *(one.around.edges for one in asked)]))
    sentences = [_sentence(graph, templates, edge) for edge in edges.tolist()]
    vectors = _encoded(encoder, sentences)
    queries = _encoded(encoder, [one.question.query(one.candidate) for one in asked])
    rows: list[dict[str, object]] = []
    for one, query in zip(asked, queries, strict=True):
        places = np.searchsorted(edges, one.around.edges)
        cosines = (vectors[places] @ query).round(6)
        best = np.lexsort((one.around.edges, -cosines))
        text = one.question.query(one.candidate)
        ranked = _rescored(best, cosines, [sentences[place] for place in places.tolist()], text, scorer)
        for rank, (found, score, parts) in enumerate(ranked, start=1):
            rows.append(
                {
                    "benchmark": benchmark,
                    "question_id": one.question.question_id,
                    "candidate": one.candidate,
                    "rank": rank,
                    "triple_id": graph.triple_ids[int(one.around.edges[found])].as_py(),
                    "text": sentences[int(places[found])],
                    "touches": TOUCHES[int(one.around.touches[found])],
                    "score": score,
                    "score_parts": parts,
                    "scorer": scorer.scorer_id,
                }
            )
    return pa.Table.from_pylist(rows, schema=RANKED_TRIPLES.schema)


def _around(question: LinkedQuestion, candidate: int, graph: Graph, limit: int) -> Around:
    offered = [] if candidate == QUESTION_ALONE else question.nodes(candidate)
    return edges_around(graph, question.nodes(QUESTION_ALONE), offered, limit)


def _sentence(graph: Graph, templates: Mapping[str, str], edge: int) -> str:
    head, relation, tail = graph.triple(edge)
    return verbalise(templates[relation], head, tail)


def _encoded(encoder: Encoder, texts: Sequence[str]) -> FloatArray:
    return encoder.encode(texts) if texts else np.empty((0, encoder.dimension), dtype=np.float32)


def _rescored(
    best: NDArray[np.int64], cosines: FloatArray, sentences: Sequence[str], query: str, scorer: PairScorer
) -> list[tuple[int, float, list[dict[str, object]]]]:
    """Return (place, score, score_parts) of the best 20, by cosine or by the cross-encoder."""
    if scorer.measure != CROSS_ENCODER:
        return [
            (place, float(cosines[place]), [{"name": ENCODER_SIMILARITY, "value": float(cosines[place])}])
            for place in best[:TRIPLE_DEPTH].tolist()
        ]
    near = best[:_CROSS_ENCODED].tolist()
    scores = scorer.score([query] * len(near), [sentences[place] for place in near])
    order = np.argsort(-scores, kind="stable")[:TRIPLE_DEPTH].tolist()
    return [
        (
            near[number],
            float(scores[number]),
            [
                {"name": CROSS_ENCODER, "value": float(scores[number])},
                {"name": ENCODER_SIMILARITY, "value": float(cosines[near[number]])},
            ],
        )
        for number in order
    ]
