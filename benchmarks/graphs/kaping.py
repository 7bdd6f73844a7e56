"""KAPING on MetaQA's films: what facts of one to three hops hold the answer, what two hops need, conflicts.

Needs the data sets (see real_texts). 500 development questions of one hop and of two, drawn by their ids;
topics are those that the benchmark marks. `coverage`: a right answer is the end of one of the ten facts.
Baselines in the same run: the topic's own triples by BM25; by cosine with every name in them, as KAPING is
printed, and with the topic masked; triples of two hops by cosine, on the first 50 questions alone (each is
encoded). `nearest_kind`: the ends of the
nearest kind of walk as the answer, by cosine alone; the extractive arms answer by the parser's readings, and
are measured through the assets.

The adaptive rule sees both question sets mixed and no label. Conflicts: release years stated wrong, and
stated right, of films that the graph knows. The cloze background is stated by a masked language model made
here from the starter's articles, which knows nothing of films: it shows that the way works, and how much of
what it states the graph contradicts, nothing else. Intervals are of 95 %.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import pyarrow as pa

from benchmarks import PROJECT
from benchmarks.estimates import rounded_row
from benchmarks.graphs.film_questions import film_schema, film_triples
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.evaluation.metrics import mean
from evidence_assets.evaluation.ranked_answers import ranking_values, set_scores
from evidence_assets.evidence.estimates import proportion
from evidence_assets.extraction.cloze_facts import cloze_background
from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
from evidence_assets.graphs.functional_relations import Contradictions, functional_relations
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.graphs.names.node_names import NodesByName
from evidence_assets.kgqa.answers.walk_retrieval import Around, EntityQuestion, WalkRetriever, Wording
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.models.masked_lm_training import train
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_rows, sampled
from evidence_assets.sources.specifications import BenchmarkSource
from evidence_assets.systems.kaping.adaptive import learnt_rule
from evidence_assets.systems.kaping.arms import TOP
from evidence_assets.systems.kaping.retrieving import Retriever
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.verbalisation import FILMS, templates
from evidence_assets.text.words import words

QUESTIONS, OF_TRIPLES_2HOP, STATED = 500, 50, 1_000
HOPS = (1, 2, 3)
_STARTER = PROJECT / "evidence_assets" / "starter" / "articles"
_RECIPE = Recipe(steps=60, layers=2, vocabulary=3_000, held_out=50)
Find = Callable[[EntityQuestion], Around]
Row = dict[str, Any]


def films() -> tuple[Graph, NodesByName, dict[str, Wording], Mapping[str, str]]:
    """Return MetaQA's graph, its nodes by name, how its relations are read out, and their sentences."""
    sentences = templates(FILMS)
    triples = film_triples()
    nodes = node_rows("films", triples)
    graph = build_graph("films", triples, nodes)
    linker = Linker(alias_rows(nodes), nodes.column("degree").to_numpy())
    wordings = {
        name: Wording(relation.sentences[0], relation.head_type, relation.tail_type)
        for name, relation in film_schema().relations.items()
    }
    return graph, NodesByName(graph, linker), wordings, sentences


def question_set(
    hops: int, nodes_of: NodesByName, count: int = QUESTIONS
) -> tuple[pa.Table, list[EntityQuestion]]:
    """Return so many development questions of one or two hops, drawn by their ids, and what each is about."""
    uri = str(real_data() / "kgqa" / "metaqa" / f"{hops}hop_dev.txt")
    source = BenchmarkSource(reader="metaqa", uri=uri, split="dev", graph="films")
    rows, _ = question_rows(BENCHMARKS["metaqa"].reader(uri, "dev"), f"metaqa_{hops}hop", source)
    questions = sampled(rows, count)
    columns = (questions.column(name).to_pylist() for name in ("question_id", "question", "topics"))
    return questions, [
        EntityQuestion(question_id, text, tuple((name, node) for name in topics for node in nodes_of(name)))
        for question_id, text, topics in zip(*columns, strict=True)
    ]


def run() -> Row:
    """Return coverage and retrieval scores by hops, the adaptive rule's choices, and conflicts."""
    started = time.perf_counter()
    graph, nodes_of, wordings, sentences = films()
    encoder = cached_encoder()
    finder = WalkRetriever(graph, wordings, encoder.encode)
    sets = {hops: question_set(hops, nodes_of) for hops in (1, 2)}
    for _, linked in sets.values():
        finder.prepare(linked, singly=True)
        finder.prepare(linked, named=True)
    ranked = _Words(graph)
    retrieval: list[Row] = []
    answers: list[Row] = []
    for hops, (questions, linked) in sets.items():
        ways: dict[str, tuple[Find, int]] = {
            "bm25, triples of one hop": (ranked.around, QUESTIONS),
            "kaping, as printed": (lambda question: finder.printed_triples(question, TOP), QUESTIONS),
            "external_1hop": (lambda question: finder.triples(question, 1, TOP), QUESTIONS),
            **{
                f"walks of up to {far}": (partial(finder.find, hops=far, depth=TOP), QUESTIONS)
                for far in HOPS
            },
            "triples_2hop": (lambda question: finder.triples(question, 2, TOP), OF_TRIPLES_2HOP),
        }
        for name, (find, count) in ways.items():
            measured, retrieved = _retrieved(graph, questions, linked, find, count)
            retrieval.append({"benchmark": f"metaqa_{hops}hop", "retrieval": name, **measured})
            if name.startswith("walks"):
                answers += _kinds(graph, questions, linked, retrieved, f"metaqa_{hops}hop", name)
            print(f"{time.perf_counter() - started:6.0f} s  {hops} hops, {name}", flush=True)
    return {
        "questions": {f"metaqa_{hops}hop": len(linked) for hops, (_, linked) in sets.items()},
        "topics_not_in_graph": {
            f"metaqa_{hops}hop": sum(not question.topics for question in linked)
            for hops, (_, linked) in sets.items()
        },
        "retrieval": retrieval,
        "nearest_kind": answers,
        "adaptive": _adaptive(finder, {hops: linked for hops, (_, linked) in sets.items()}),
        "functional_relations": sorted(functional_relations(graph)),
        "conflicts": _conflicts(graph, nodes_of),
        "cloze": _cloze(graph, nodes_of, sentences, sets[1][1], encoder.encode),
        "seconds_with_cached_vectors": round(time.perf_counter() - started, 1),
    }


class _Words:
    """The topic's own triples ranked by BM25, over all triples' words."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        texts = [" ".join(graph.triple(edge)) for edge in range(len(graph.heads))]
        vocabulary: dict[str, int] = {}
        ids = [[vocabulary.setdefault(word, len(vocabulary)) for word in words(text)] for text in texts]
        self._vocabulary = vocabulary
        self._index = bm25s.BM25()
        self._index.index((ids, vocabulary), show_progress=False)

    def around(self, inquiry: EntityQuestion) -> Around:
        """Return the ten best triples, as facts that answer with their other end."""
        topics = sorted({node for _, node in inquiry.topics})
        edges = np.unique(np.concatenate([np.empty(0, np.int32), *map(self._graph.edges_of, topics)]))
        known = [word for word in words(inquiry.question) if word in self._vocabulary]
        if not len(edges) or not known:
            return Around([])
        scores = self._index.get_scores(known)[edges].round(6)
        best = edges[np.lexsort((edges, -scores))[:TOP]]
        return Around([_as_fact(self._graph, int(edge), topics) for edge in best])


def _as_fact(graph: Graph, edge: int, topics: Sequence[int]) -> Any:
    from evidence_assets.kgqa.answers.walk_retrieval import Fact

    head, tail = int(graph.heads[edge]), int(graph.tails[edge])
    backwards = head not in topics
    kind = ((int(graph.relations[edge]), backwards),)
    return Fact(tail if backwards else head, (edge,), kind, head if backwards else tail, "", 0.0)


def _labels(graph: Graph, nodes: Sequence[int]) -> list[str]:
    return [normal_form(graph.labels[int(node)].as_py()) for node in nodes]


def _retrieved(
    graph: Graph, questions: pa.Table, linked: Sequence[EntityQuestion], find: Find, count: int
) -> tuple[Row, list[Around]]:
    """Return coverage, retrieval Hits@1 and F1 of the facts' ends, milliseconds a question."""
    covered, first, f1 = [], [], []
    started = time.perf_counter()
    retrieved = [find(question) for question in linked[:count]]
    spent = time.perf_counter() - started
    for around, right in zip(retrieved, questions.column("answers").to_pylist(), strict=False):
        gold = set(map(normal_form, right))
        ends = _labels(graph, [fact.answer for fact in around.facts])
        covered.append(any(end in gold for end in ends))
        first.append(bool(ends) and ends[0] in gold)
        f1.append(set_scores(set(ends), gold)[0])
    return {
        "n": len(retrieved),
        "coverage": rounded_row(proportion(sum(covered), len(retrieved))),
        "hits@1": rounded_row(proportion(sum(first), len(retrieved))),
        "f1": rounded_row(mean(f1)),
        "milliseconds_a_question": round(1000 * spent / len(retrieved), 1),
    }, retrieved


def _kinds(
    graph: Graph,
    questions: pa.Table,
    linked: Sequence[EntityQuestion],
    retrieved: Sequence[Around],
    benchmark: str,
    retrieval: str,
) -> list[Row]:
    """Return what answering with the nearest kind's ends is worth: the three nearest are ranked."""
    rows = [
        {
            "question_id": question.question_id,
            "rank": 0,
            "answer": label,
            "node": None,
            "node_keys": None,
            "score": kind.score,
            "supported": True,
            "returned": place == 0,
        }
        for question, around in zip(linked, retrieved, strict=True)
        for place, kind in enumerate(around.kinds[:3])
        for label in _labels(graph, kind.answers.tolist())
    ]
    ranked = pa.Table.from_pylist([{**row, "rank": rank} for rank, row in enumerate(rows, start=1)])
    values = ranking_values(ranked, questions)
    wanted = ("hits@1", "hits@10", "answer_mrr", "answer_f1", "answer_exact_set")
    return [
        {
            "benchmark": benchmark,
            "retrieval": retrieval,
            "metric": metric,
            **rounded_row(mean(list(values[metric].values()))),
        }
        for metric in wanted
    ]


def _adaptive(finder: WalkRetriever, sets: Mapping[int, Sequence[EntityQuestion]]) -> Row:
    """Return the rule that both sets show together, and how often it walks as far as a question needs."""
    retriever = Retriever(finder, lambda _: (), {})
    near = {hops: [retriever.nearness(question) for question in linked] for hops, linked in sets.items()}
    rule = learnt_rule([question for nearnesses in near.values() for question in nearnesses])
    right = {
        f"{hops}_hop_questions": rounded_row(
            proportion(sum(rule.hops(question) == hops for question in nearnesses), len(nearnesses))
        )
        for hops, nearnesses in near.items()
    }
    return {**asdict(rule), "walks_as_far_as_needed": right}


def _conflicts(graph: Graph, nodes_of: NodesByName) -> Row:
    """Return how many years stated wrong are told as conflicts, and how many stated right."""
    against = Contradictions(graph, nodes_of)
    number = graph.relation_names.index("release_year")
    edges = np.flatnonzero(graph.relations == number)
    chosen = np.random.default_rng(20_261_121).choice(edges, STATED, replace=False)
    conflicts = {"stated_wrong": 0, "stated_right": 0}
    for edge in chosen.tolist():
        head, _, tail = graph.triple(edge)
        conflicts["stated_wrong"] += bool(against.edges(head, "release year", str(int(tail) + 30)))
        conflicts["stated_right"] += bool(against.edges(head, "release year", tail))
    return {name: rounded_row(proportion(count, STATED)) for name, count in conflicts.items()}


def _cloze(
    graph: Graph,
    nodes_of: NodesByName,
    sentences: Mapping[str, str],
    linked: Sequence[EntityQuestion],
    encode: Callable[[Sequence[str]], Any],
) -> Row:
    """Return what a small masked language model states of films that it knows nothing of."""
    articles = [path.read_text(encoding="utf-8") for path in sorted(_STARTER.glob("*.md"))]
    lines = [line for text in articles for line in text.split(". ") if len(line.split()) > 3]
    with tempfile.TemporaryDirectory() as folder:
        evaluations = train([lines], Path(folder), _RECIPE, packaged_minilm())
        model = MaskedLanguageModel("starter", folder)
    some = linked[:OF_TRIPLES_2HOP]
    names = [[name for name, _ in question.topics] for question in some]
    started = time.perf_counter()
    stated = cloze_background([question.question for question in some], names, dict(sentences), model, encode)
    spent = time.perf_counter() - started
    against = Contradictions(graph, nodes_of)
    triples = [
        (triple.head, triple.relation, triple.tail) for background in stated for triple in background.triples
    ]
    known = {tuple(map(normal_form, graph.triple(edge))) for edge in range(len(graph.heads))}
    return {
        "questions": len(some),
        "model": "MiniLM's two lowest layers, 60 steps on the starter's articles",
        "held_out_accuracy": round(evaluations[-1].accuracy, 4),
        "triples": len(triples),
        "contradicted": sum(bool(against.edges(*triple)) for triple in triples),
        "in_the_graph": sum(tuple(map(normal_form, triple)) in known for triple in triples),
        "milliseconds_a_question": round(1000 * spent / len(some), 1),
    }
