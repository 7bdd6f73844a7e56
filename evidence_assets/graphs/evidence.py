"""The triples around a benchmark's questions and options: linked, read out, the nearest to each kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.corpus.queries import QUESTION_ALONE
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.linking import Concept, Link, Linker, choose_concepts, keywords
from evidence_assets.graphs.phrases import Phrase, phrases
from evidence_assets.graphs.verbalisation import verbalise
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, RANKED_TRIPLES
from evidence_assets.models.cached_encoder import Progress
from evidence_assets.models.encoder import Encoder, FloatArray
from evidence_assets.models.pair_scorer import CROSS_ENCODER, ENCODER_SIMILARITY, PairScorer

# Triples kept for each query: twice the thesis's s of 10, so that s can be swept to 20.
TRIPLE_DEPTH = 20
_QUESTION_CONCEPTS, _OPTION_CONCEPTS = 10, 6
_KEYWORDS = 3
# A cross-encoder scores so many of a query's triples: those that the encoder finds nearest.
_CROSS_ENCODED = 64
_QUESTIONS_AT_ONCE = 64
TOUCHES = ("question", "option", "both")


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """One question with the concepts of its text and of each option."""

    question_id: str
    question: str
    options: Sequence[str]
    concepts: Mapping[int, Sequence[Concept]]

    def query(self, candidate: int) -> str:
        """Return the text that triples are scored against."""
        alone = candidate == QUESTION_ALONE
        return self.question if alone else f"{self.question} {self.options[candidate]}"

    def nodes(self, candidate: int) -> list[int]:
        """Return the distinct nodes of the question's text, or of one option."""
        return list(dict.fromkeys(concept.link.node for concept in self.concepts[candidate]))


@dataclass(frozen=True, slots=True)
class Around:
    """The edges around one query's concepts, sorted, and whose concepts each stands at (into `TOUCHES`)."""

    edges: NDArray[np.int32]
    touches: NDArray[np.int8]


def link_questions(
    questions: pa.Table, linker: Linker, encoder: Encoder, progress: Progress | None = None
) -> list[LinkedQuestion]:
    """Find the concepts of every question and option, each by itself.

    Phrases are weighed by their cosine to the text they stand in, as KeyBERT does (thesis 6.4.1, 7.3.2.2).
    The ten most telling of a question and the six of an option are kept; of the three most telling that
    nothing is linked to by form, the name nearest in spelling is looked for, then that nearest in meaning.
    """
    rows = questions.select(["question_id", "question", "options"]).to_pylist()
    texts = list(dict.fromkeys(text for row in rows for text in (row["question"], *row["options"])))
    runs = {text: phrases(text) for text in texts}
    every = [phrase for of_text in runs.values() for phrase in of_text]
    links = {
        **linker.by_label(phrase.text for phrase in every if not phrase.plain),
        **linker.by_form(phrase.text for phrase in every if phrase.plain),
    }
    found = {
        text: [phrase for phrase in of_text if phrase.plain or phrase.text in links]
        for text, of_text in runs.items()
    }
    telling = _Relevance(found, encoder)
    keyed = {text: keywords(found[text], telling.of(text), links, _KEYWORDS) for text in texts}
    near = _near(keyed, linker, encoder)
    linked = []
    for number, row in enumerate(rows, start=1):
        concepts = {
            candidate: choose_concepts(
                found[text],
                telling.of(text),
                links,
                {phrase: near[phrase.text] for phrase in keyed[text]},
                _QUESTION_CONCEPTS if candidate == QUESTION_ALONE else _OPTION_CONCEPTS,
            )
            for candidate, text in enumerate([row["question"], *row["options"]], start=QUESTION_ALONE)
        }
        linked.append(LinkedQuestion(row["question_id"], row["question"], row["options"], concepts))
        if progress is not None:
            progress(number, len(rows))
    return linked


def _near(
    keyed: Mapping[str, Sequence[Phrase]], linker: Linker, encoder: Encoder
) -> Mapping[str, list[Link]]:
    """Return the links of every keyword by spelling, else by meaning, else none."""
    texts = list(dict.fromkeys(phrase.text for of_text in keyed.values() for phrase in of_text))
    spelt = {text: linker.by_spelling(text) for text in texts}
    meant = linker.by_meaning([text for text in texts if not spelt[text]], encoder)
    return {text: spelt[text] or meant.get(text, []) for text in texts}


class _Relevance:
    """Cosines of the phrases of texts to their texts, encoded in one call."""

    def __init__(self, found: Mapping[str, Sequence[Phrase]], encoder: Encoder) -> None:
        self._found = found
        wanted = [*found, *(phrase.text for runs in found.values() for phrase in runs)]
        distinct = list(dict.fromkeys(wanted))
        self._place = {text: number for number, text in enumerate(distinct)}
        self._vectors = encoder.encode(distinct) if distinct else np.empty((0, encoder.dimension), np.float32)

    def of(self, text: str) -> list[float]:
        """Return the cosine of each of the text's phrases to the text."""
        places = [self._place[phrase.text] for phrase in self._found[text]]
        cosines = self._vectors[places] @ self._vectors[self._place[text]]
        return [float(cosine) for cosine in cosines.round(6)]


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


def link_rows(linked: Sequence[LinkedQuestion], graph: Graph, benchmark: str, limit: int) -> pa.Table:
    """Return `question_concepts` rows, with how many of each node's triples the cap left out."""
    rows: dict[tuple[object, ...], dict[str, object]] = {}
    for question in linked:
        for candidate, concepts in question.concepts.items():
            for concept in concepts:
                phrase, link = concept.phrase, concept.link
                triples = graph.degree(link.node)
                key = (question.question_id, candidate, phrase.start, phrase.end, link.node)
                rows[key] = {
                    "benchmark": benchmark,
                    "question_id": question.question_id,
                    "candidate": candidate,
                    "char_start": phrase.start,
                    "char_end": phrase.end,
                    "phrase": phrase.text,
                    "relevance": concept.relevance,
                    "kg": graph.name,
                    "node": link.node,
                    "label": graph.labels[link.node].as_py(),
                    "method": link.method,
                    "score": link.score,
                    "triples": triples,
                    "dropped": max(0, triples - limit),
                }
    return pa.Table.from_pylist(list(rows.values()), schema=QUESTION_CONCEPTS.schema)


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
