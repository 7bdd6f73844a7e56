"""Cheap baselines of questions asked of a graph, on MetaQA: BM25 over documents, and hops from the topic.

Needs the data sets (see real_texts). Development questions of one hop and of two, `QUESTIONS` of each drawn
by their ids, as `graph_data` has them; topics are those that the benchmark marks. BM25 ranks the documents of
nodes (label, then triples read out) for the question, with what it names among them and without: the document
of the topic is the nearest, and the topic is no answer. Hops: all nodes that are equally far from the topic
tie, and a metric is its mean over every order of them; nothing of the question is read. Vector search, and
the order of documents within a hop, need vectors of all documents: `graph_data` has them, through Dagster.

What KAPING retrieves of one hop as printed, every name in question and triples, stands beside the same with
the topic masked, and whole walks of up to two hops, on `RETRIEVED` questions: their triples are encoded.

Nothing is chosen on these questions. Intervals are of 95 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.kaping import asked, films
from benchmarks.real_texts import cached_encoder
from evidence_assets.corpus.search import Bm25
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evaluation.ranked_answers import ranking_values, set_scores
from evidence_assets.evidence.estimates import Estimate
from evidence_assets.graphs.adjacency import adjacency
from evidence_assets.graphs.documents import document_rows
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.node_names import NodesByName
from evidence_assets.kgqa.document_search import hop_levels
from evidence_assets.kgqa.walk_retrieval import Around, EntityQuestion, WalkRetriever, Wording
from evidence_assets.lake.schemas import RANKED_ANSWERS
from evidence_assets.systems.kaping.arms import TOP
from evidence_assets.text.normal_forms import normal_form

QUESTIONS, DEPTH, RETRIEVED = 2_000, 100, 200
METRICS = ("hits@1", "hits@10", "answer_recall@20", "answer_mrr", "answer_f1")
# Nodes best first, in ties: (node, score).
Ranking = Sequence[tuple[int, float]]
Row = dict[str, Any]


def run() -> Row:
    """Return each baseline's scores by hops, and what leaving the topics out is worth.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    graph, nodes_of, wordings, sentences = films()
    tables = document_rows(graph, {}, sentences)
    documents = [text for table in tables for text in table.column("text").to_pylist()]
    words, around = Bm25(documents), adjacency(graph)

    def by_words(question: EntityQuestion, keeps_topics: bool) -> Ranking:
        scores, nodes = words.top(question.question, DEPTH)
        topics = set() if keeps_topics else {node for _, node in question.topics}
        return [pair for pair in zip(nodes.tolist(), scores.tolist(), strict=True) if pair[0] not in topics]

    def by_hops(question: EntityQuestion) -> Ranking:
        levels = hop_levels(around, [[node for _, node in question.topics]])
        return [(node, -float(place)) for place, level in enumerate(levels) for node in level.tolist()]

    ways: dict[str, Callable[[EntityQuestion], Ranking]] = {
        "BM25, topics among the answers": lambda question: by_words(question, True),
        "BM25 without the topics": lambda question: by_words(question, False),
        "fewest hops from the topics": by_hops,
    }
    scores: list[Row] = []
    differences: list[Row] = []
    for hops in (1, 2):
        questions, linked = asked(hops, nodes_of, QUESTIONS)
        values = {}
        for name, rank in ways.items():
            values[name] = ranking_values(_ranked(graph, linked, rank), questions)
            row = {"benchmark": f"metaqa_{hops}hop", "baseline": name, "n": questions.num_rows}
            scores.append(row | {metric: _shown(_mean(values[name][metric])) for metric in METRICS})
            print(scores[-1], flush=True)
        with_topics, without = (values[name]["hits@1"] for name in list(ways)[:2])
        gain = paired_difference(np.array([*without.values()]), np.array([*with_topics.values()]))
        differences.append({"benchmark": f"metaqa_{hops}hop", "hits@1_without_topics": _shown(gain)})
    found = {"nodes": len(documents), "scores": scores, "differences": differences}
    return {**found, "retrieval": retrieval(graph, nodes_of, wordings)}


def retrieval(graph: Graph, nodes_of: NodesByName, wordings: Mapping[str, Wording]) -> list[Row]:
    """Return what KAPING retrieves as printed, and ours, with the paired difference of Hits@1 to it."""
    finder = WalkRetriever(graph, wordings, cached_encoder().encode)
    ways: dict[str, Callable[[EntityQuestion], Around]] = {
        "kaping, as printed": lambda question: finder.printed_triples(question, TOP),
        "external_1hop": lambda question: finder.triples(question, 1, TOP),
        "external_2hop": lambda question: finder.find(question, 2, TOP),
    }
    rows: list[Row] = []
    for hops in (1, 2):
        questions, linked = asked(hops, nodes_of, RETRIEVED)
        finder.prepare(linked, singly=True)
        finder.prepare(linked, named=True)
        gold = [
            {normal_form(answer) for answer in answers} for answers in questions.column("answers").to_pylist()
        ]
        first: NDArray[np.float64] = np.empty(0)
        for name, find in ways.items():
            both = list(zip([_ends(graph, find(question)) for question in linked], gold, strict=True))
            measured = {
                "retrieval_hits@1": [float(found[:1] != [] and found[0] in right) for found, right in both],
                "retrieval_hits@10": [float(not right.isdisjoint(found)) for found, right in both],
                "retrieval_f1": [set_scores(set(found), right)[0] for found, right in both],
            }
            row = {"benchmark": f"metaqa_{hops}hop", "retrieval": name, "n": len(linked)}
            row |= {metric: _shown(mean(values)) for metric, values in measured.items()}
            hits = np.array(measured["retrieval_hits@1"])
            first = hits if not len(first) else first
            rows.append({**row, "hits@1_minus_printed": _shown(paired_difference(hits, first))})
            print(rows[-1], flush=True)
    return rows


def _ends(graph: Graph, found: Around) -> list[str]:
    return [normal_form(graph.labels[fact.answer].as_py()) for fact in found.facts]


def _ranked(
    graph: Graph, questions: Sequence[EntityQuestion], rank: Callable[[EntityQuestion], Ranking]
) -> pa.Table:
    """Return `ranked_answers` rows; those of the best score are the answer as a set."""
    rows: list[Row] = []
    for question in questions:
        ranking = rank(question)
        best = ranking[0][1] if ranking else 0.0
        rows += [
            {
                "system": "",
                "arm": "",
                "benchmark": "",
                "question_id": question.question_id,
                "rank": place,
                "answer": graph.labels[node].as_py(),
                "kg": graph.name,
                "node": node,
                "score": score,
                "supported": False,
                "returned": score == best,
                "evidence": [],
            }
            for place, (node, score) in enumerate(ranking, start=1)
        ]
    return pa.Table.from_pylist(rows, schema=RANKED_ANSWERS.schema)


def _mean(values: dict[str, float]) -> Estimate:
    return mean(list(values.values()))


def _shown(estimate: Estimate) -> Row:
    return {name: round(value, 4) for name, value in asdict(estimate).items()}
