"""What ranks a topic's own triples for a question without reading it: by cosine, by words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import shown
from benchmarks.graphs.film_questions import Case, Films
from benchmarks.result_files import Row
from evidence_assets.evaluation.metrics import mean
from evidence_assets.evaluation.ranked_answers import hits_at, ties_of
from evidence_assets.text.verbalisation import verbalise
from evidence_assets.text.words import words

Rank = Callable[[Case], tuple[list[int], list[float]]]


def ranked(cases: Sequence[Case], rank: Rank) -> Row:
    """Return hits of single triples at the topic: their other ends, by the triple's score."""
    values = []
    for case in cases:
        ends, scores = rank(case)
        best: dict[int, float] = {}
        for end, score in zip(ends, scores, strict=True):
            best[end] = max(score, best.get(end, -np.inf))
        order = sorted(best, key=lambda end: (-best[end], end))
        ties = ties_of([best[end] for end in order], [end in case.gold for end in order])
        values.append((hits_at(ties, 1)[0], hits_at(ties, 10)[0]))
    data = np.array(values)
    return {"n": len(cases), "hits@1": shown(mean(data[:, 0])), "hits@10": shown(mean(data[:, 1]))}


def _around(opened: Films, case: Case) -> tuple[NDArray[np.int32], list[int]]:
    graph = opened.graph
    nodes = case.question.topics[0].nodes
    edges = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *map(graph.edges_of, nodes)]))
    heads, tails = graph.heads[edges], graph.tails[edges]
    return edges, np.where(np.isin(heads, nodes), tails, heads).tolist()


def by_cosine(opened: Films) -> Rank:
    """Return a ranking of triples by their cosine to the question, the topic called "that" in both."""
    graph, kept = opened.graph, dict[str, NDArray[np.float32]]()

    def rank(case: Case) -> tuple[list[int], list[float]]:
        nodes = case.question.topics[0].nodes
        edges, ends = _around(opened, case)
        texts = []
        for edge in edges.tolist():
            head, relation, tail = graph.triple(edge)
            head = "that" if int(graph.heads[edge]) in nodes else head
            tail = "that" if int(graph.tails[edge]) in nodes else tail
            texts.append(verbalise(opened.schema.relations[relation].sentences[0], head, tail))
        question = case.wording.replace("[ ]", "that")
        new = sorted({text for text in (*texts, question) if text not in kept})
        if new:
            kept.update(zip(new, opened.encoder.encode(new), strict=True))
        return ends, [round(float(kept[text] @ kept[question]), 6) for text in texts]

    return rank


def by_words(opened: Films) -> Rank:
    """Return a ranking of triples by BM25 over all triples' words."""
    import bm25s

    graph = opened.graph
    texts = [words(" ".join(graph.triple(edge)).replace("_", " ")) for edge in range(len(graph.heads))]
    known: dict[str, int] = {}
    ids = [[known.setdefault(word, len(known)) for word in text] for text in texts]
    index = bm25s.BM25()
    index.index((ids, known), show_progress=False)

    def rank(case: Case) -> tuple[list[int], list[float]]:
        edges, ends = _around(opened, case)
        query = [word for word in words(case.question.question) if word in known]
        scores = index.get_scores(query)[edges] if query else np.zeros(len(edges))
        return ends, [round(float(score), 6) for score in scores]

    return rank
