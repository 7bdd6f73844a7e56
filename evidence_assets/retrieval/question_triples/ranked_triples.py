"""The triples around a benchmark's questions and options: verbalised, and ranked by similarity."""

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
from evidence_assets.progress import Progress, blocks
from evidence_assets.retrieval.question_triples.question_linking import LinkedQuestion
from evidence_assets.text.queries import NO_OPTION, WHOLE, ShortenedQuestions
from evidence_assets.text.verbalisation import verbalise

# Triples kept for each query: twice the thesis's s of 10, so that s can be varied up to 20.
TRIPLE_DEPTH = 20
# Triples of a query that a cross-encoder scores: the nearest by the encoder.
_CROSS_ENCODED = 64
_QUESTIONS_AT_ONCE = 64
TOUCHES = ("question", "option", "both")


@dataclass(frozen=True, slots=True)
class NearbyEdges:
    """The edges at a query's concepts, sorted, and whose concepts each touches (indices into `TOUCHES`)."""

    edges: NDArray[np.int32]
    touches: NDArray[np.int8]


def edges_around(graph: Graph, question: Sequence[int], option: Sequence[int], limit: int) -> NearbyEdges:
    """Return the edges at a question's nodes and an option's (thesis 7.3.2.2).

    Of each node at most the `limit` heaviest, and every edge between the two sides, however
    light: what connects question and option is never dropped.
    """
    heaviest = {node: graph.edges_of(node, limit) for node in (*question, *option)}
    between = [
        np.intersect1d(graph.edges_of(start), graph.edges_of(end))
        for start in question
        for end in option
        if start != end and graph.degree(start) > limit and graph.degree(end) > limit
    ]
    empty = np.empty(0, dtype=np.int32)
    edges = np.unique(np.concatenate([empty, *heaviest.values(), *between]))
    ends = np.stack([graph.heads[edges], graph.tails[edges]])
    at_question = np.isin(ends, list(question)).any(axis=0)
    at_option = np.isin(ends, list(option)).any(axis=0)
    return NearbyEdges(edges, np.where(at_question & at_option, 2, at_option).astype(np.int8))


def rank_triples(
    linked: Sequence[LinkedQuestion],
    graph: Graph,
    templates: Mapping[str, str],
    encoder: Encoder,
    scorer: PairScorer,
    benchmark: str,
    limit: int,
    progress: Progress | None = None,
    shortened: ShortenedQuestions = WHOLE,
) -> Iterator[pa.Table]:
    """Yield `ranked_triples` rows, block by block of questions: the best 20 of each query.

    `shortened`: what the encoder is given of queries that are longer than it takes.

    Triples are scored by the encoder's cosine to question + option. Where the scorer is a cross-encoder, it
    rescores the 64 nearest; what it scores equally stays in the order of the cosine.
    """
    for block in blocks(linked, _QUESTIONS_AT_ONCE, progress):
        queries = [
            _Query(question, candidate, _edges_of(question, candidate, graph, limit))
            for question in block
            for candidate in question.concepts
        ]
        rows = [
            {"benchmark": benchmark, **row}
            for row in _ranked(queries, graph, templates, encoder, scorer, shortened)
        ]
        yield pa.Table.from_pylist(rows, schema=RANKED_TRIPLES.schema)


@dataclass(frozen=True, slots=True)
class _Query:
    question: LinkedQuestion
    candidate: int
    nearby: NearbyEdges


def _ranked(
    queries: Sequence[_Query],
    graph: Graph,
    templates: Mapping[str, str],
    encoder: Encoder,
    scorer: PairScorer,
    shortened: ShortenedQuestions,
) -> Iterator[dict[str, object]]:
    """Yield the rows of some queries, all their triples encoded in one call."""
    all_edges = (query.nearby.edges for query in queries)
    edges = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *all_edges]))
    sentences = [_sentence(graph, templates, edge) for edge in edges.tolist()]
    vectors = _encoded(encoder, sentences)
    texts = [shortened.of(query.question.query(query.candidate)) for query in queries]
    for query, text, vector in zip(queries, texts, _encoded(encoder, texts), strict=True):
        nearby = query.nearby
        places = np.searchsorted(edges, nearby.edges)
        cosines = (vectors[places] @ vector).round(6)
        best = np.lexsort((nearby.edges, -cosines))
        ranked = _rescored(best, cosines, [sentences[place] for place in places.tolist()], text, scorer)
        for rank, (position, score, parts) in enumerate(ranked, start=1):
            yield {
                "question_id": query.question.question_id,
                "candidate": query.candidate,
                "rank": rank,
                "triple_id": graph.triple_ids[int(nearby.edges[position])].as_py(),
                "text": sentences[int(places[position])],
                "touches": TOUCHES[int(nearby.touches[position])],
                "score": score,
                "score_parts": parts,
                "scorer": scorer.scorer_id,
            }


def _edges_of(question: LinkedQuestion, candidate: int, graph: Graph, limit: int) -> NearbyEdges:
    option = [] if candidate == NO_OPTION else question.nodes(candidate)
    return edges_around(graph, question.nodes(NO_OPTION), option, limit)


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
