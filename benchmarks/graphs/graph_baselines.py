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
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import rounded_row
from benchmarks.graphs.kaping import films, question_set
from benchmarks.real_texts import cached_encoder
from evidence_assets.corpus.search import Bm25
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evaluation.ranked_answers import (
    Tie,
    hits_at,
    recall_at,
    reciprocal_rank,
    set_scores,
    ties_of,
)
from evidence_assets.graphs.documents import document_rows
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.names.node_names import NodesByName
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.kgqa.answers.document_search import hop_levels
from evidence_assets.kgqa.answers.walk_retrieval import Around, EntityQuestion, WalkRetriever, Wording
from evidence_assets.systems.kaping.arms import TOP
from evidence_assets.text.normal_forms import normal_form

QUESTIONS, DEPTH, RETRIEVED = 2_000, 100, 200
WITH_TOPICS, WITHOUT = "BM25, topics among the answers", "BM25 without the topics"
BY_HOPS = "fewest hops from the topics"
Row = dict[str, Any]


def run() -> Row:
    """Return each baseline's scores by hops, and what leaving the topics out is worth."""
    graph, nodes_of, wordings, sentences = films()
    tables = document_rows(graph, {}, sentences)
    documents = [text for table in tables for text in table.column("text").to_pylist()]
    words, around = Bm25(documents), adjacency(graph)

    # MetaQA names its answers as the graph does: a genre and a tag may differ in a capital alone.
    node_of = {label: node for node, label in enumerate(graph.labels.to_pylist())}
    scores: list[Row] = []
    differences: list[Row] = []
    for hops in (1, 2):
        questions, linked = question_set(hops, nodes_of, QUESTIONS)
        values: dict[str, dict[str, list[float]]] = {}
        for question, answers in zip(linked, questions.column("answers").to_pylist(), strict=True):
            gold = [node_of.get(answer, -1) for answer in dict.fromkeys(answers)]
            topics = [node for _, node in question.topics]
            matches, nodes = words.top(question.question, DEPTH)
            pairs = list(zip(nodes.tolist(), matches.tolist(), strict=True))
            levels = hop_levels(around, [topics])
            for name, ties in (
                (WITH_TOPICS, _ties(pairs, gold)),
                (WITHOUT, _ties([pair for pair in pairs if pair[0] not in topics], gold)),
                (BY_HOPS, _level_ties(levels, gold)),
            ):
                for metric, value in _measured(ties, len(gold)).items():
                    values.setdefault(name, {}).setdefault(metric, []).append(value)
        for name, measured in values.items():
            row = {"benchmark": f"metaqa_{hops}hop", "baseline": name, "n": questions.num_rows}
            scores.append(
                row | {metric: rounded_row(mean(per_question)) for metric, per_question in measured.items()}
            )
            print(scores[-1], flush=True)
        gain = paired_difference(*(np.array(values[name]["hits@1"]) for name in (WITHOUT, WITH_TOPICS)))
        differences.append({"benchmark": f"metaqa_{hops}hop", "hits@1_without_topics": rounded_row(gain)})
    retrieved = retrieval(graph, nodes_of, wordings)
    return {"nodes": len(documents), "scores": scores, "differences": differences, "retrieval": retrieved}


def _ties(pairs: Sequence[tuple[int, float]], gold: Sequence[int]) -> list[Tie]:
    """Return the ties of nodes with their scores, best first. `gold`: right nodes, -1 for what is none."""
    return ties_of([score for _, score in pairs], [node in gold for node, _ in pairs])


def _level_ties(levels: Sequence[NDArray[np.int32]], gold: Sequence[int]) -> list[Tie]:
    right = np.array(gold, dtype=np.int32)
    before = np.cumsum([0, *map(len, levels)])
    return [
        Tie(len(level), int(np.isin(level, right).sum()), int(start))
        for level, start in zip(levels, before, strict=False)
    ]


def _measured(ties: Sequence[Tie], right: int) -> dict[str, float]:
    """Return the expected metrics of a ranking; its first tie is the answer as a set."""
    first = ties[0] if ties else Tie(0, 0, 0)
    return {
        "hits@1": hits_at(ties, 1)[0],
        "hits@10": hits_at(ties, 10)[0],
        "answer_recall@20": recall_at(ties, right, 20)[0],
        "answer_mrr": reciprocal_rank(ties)[0],
        "answer_f1": 2 * first.right / (first.size + right),
    }


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
        questions, linked = question_set(hops, nodes_of, RETRIEVED)
        finder.prepare(linked, singly=True)
        finder.prepare(linked, named=True)
        gold = [
            {normal_form(answer) for answer in answers} for answers in questions.column("answers").to_pylist()
        ]
        first: NDArray[np.float64] = np.empty(0)
        for name, find in ways.items():
            both = list(zip([_ends(graph, find(question)) for question in linked], gold, strict=True))
            measured = {
                "retrieval_hits@1": [float(ends[:1] != [] and ends[0] in right) for ends, right in both],
                "retrieval_hits@10": [float(not right.isdisjoint(ends)) for ends, right in both],
                "retrieval_f1": [set_scores(set(ends), right)[0] for ends, right in both],
            }
            row = {"benchmark": f"metaqa_{hops}hop", "retrieval": name, "n": len(linked)}
            row |= {metric: rounded_row(mean(values)) for metric, values in measured.items()}
            hits = np.array(measured["retrieval_hits@1"])
            first = hits if not len(first) else first
            rows.append({**row, "hits@1_minus_printed": rounded_row(paired_difference(hits, first))})
            print(rows[-1], flush=True)
    return rows


def _ends(graph: Graph, around: Around) -> list[str]:
    return [normal_form(graph.labels[fact.answer].as_py()) for fact in around.facts]
