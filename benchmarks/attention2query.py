"""Attention2Query: options on CommonsenseQA beside the cosine, open questions on MetaQA, time against K.

Needs the data sets (EVIDENCE_REAL_DATA): CommonsenseQA's development questions, ConceptNet100k, MetaQA.
Vectors are kept under build/bench_cache: the first run encodes some 200,000 texts. Of the options the default
arm answers every question, the others the `SAMPLED` questions whose ids have the least hashes. What attention
counts for beside relevance, and the weights of the options' measures, are chosen together on half of the
questions by the hash of their ids, and told on the other half. Baselines in the same run: chance, the longest
option, the cosine of question and option. `coverage` is the paper's equation 3, over all facts of a question.
`python -m benchmarks.attention2query options` measures options alone.

Open questions are MetaQA's development questions by the hash of their lines: those after the first 2,000 a
hop, on which the parser's constants were chosen. `OPEN` are answered, the `TRAINED` after them, of the same
number of hops, teach `tuned`. `python -m benchmarks.attention2query` measures open questions alone.
"""

from __future__ import annotations

import json
import sys
import time
import tracemalloc
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks import film_questions, graph_parsing
from benchmarks.medical_cases import Opened
from benchmarks.real_texts import CACHE, cached_encoder, real_data
from benchmarks.result_files import RESULTS, save
from evidence_assets.config.configuration import load
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evaluation.ranked_answers import hits_at, ties_of
from evidence_assets.evaluation.retrieved_facts import coverage
from evidence_assets.evidence.estimates import Estimate
from evidence_assets.graphs.embeddings import GraphEmbeddings, blend, spectral
from evidence_assets.graphs.paths import PathFinder, step_costs
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.node_types import node_types
from evidence_assets.kgqa.schema import load_schema
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.reading.baselines import chance, expected_accuracy, longest_option
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.systems.attention2query.arms import ARMS, RETRIEVALS, Retrieval
from evidence_assets.systems.attention2query.as_printed.pairs import open_pairs
from evidence_assets.systems.attention2query.as_printed.training import opened as opened_classifier
from evidence_assets.systems.attention2query.as_printed.training import trained
from evidence_assets.systems.attention2query.attention_retrieval import (
    LINKING_STEPS,
    RATED,
    AttentionRetriever,
)
from evidence_assets.systems.attention2query.facts import Fact, QuestionFacts, QuestionLinks
from evidence_assets.systems.attention2query.linked_questions import question_links
from evidence_assets.systems.attention2query.options import (
    GRAPH_WEIGHTS,
    MEASURES,
    Scores,
    Support,
    measures_of,
    option_scores,
    support_of,
)
from evidence_assets.systems.attention2query.path_rating import (
    PathRating,
    by_attention,
    by_classifier,
    by_shared_score,
)
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla
from evidence_assets.systems.attention2query.whole_paths import WholePaths
from evidence_assets.text.negation import is_negated
from evidence_assets.text.verbalisation import FILMS, schema_text, templates

HERE = Path(__file__).parent
OPTION_ARMS = ("full", "paper", "no_classifier", "no_mcq_subgraph", "graph_only")
# What attention counts for, of 1: at 0 relevance alone ranks facts, at 1 attention.
SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
# Of `direct` and `own`.
WEIGHTS = tuple((direct, own) for direct in (0.25, 0.5, 0.75) for own in (0.25, 0.5, 0.75))
SAMPLED = 200
OPEN_ARMS = ("full", "tuned", "no_classifier", "vanilla")
OPEN, TRAINED = 500, 750
_TIMED, _DEPTHS = 60, (2, 5, 10, 20, 50)

Values = NDArray[np.float64]
Keys = NDArray[np.int64]


@dataclass(frozen=True)
class Case:
    """A question with options and the place of the right one."""

    question_id: str
    question: str
    options: Sequence[str]
    key: int


class Asked:
    """Questions linked to a graph, and facts found for them in any way."""

    def __init__(self, opened: Opened, encoder: CachedEncoder, vectors: GraphEmbeddings) -> None:
        self.opened, self.encoder, self.vectors = opened, encoder, vectors
        source = load(HERE / "real_data_sources.yaml").graphs[opened.name]
        self.templates = templates(source.templates)

    def ask(self, cases: Sequence[Case], every_word: bool = False) -> list[QuestionLinks]:
        """Return the cases, linked."""
        options = [list(case.options) for case in cases]
        return self._linked(
            [case.question_id for case in cases], [case.question for case in cases], options, [], every_word
        )

    def ask_open(self, about: Sequence[LinkedQuestion]) -> list[QuestionLinks]:
        """Return questions without options, linked; of each it is known what it is about."""
        ids, texts = [question.question_id for question in about], [question.question for question in about]
        return self._linked(ids, texts, [[] for _ in about], about, False)

    def _linked(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        options: Sequence[list[str]],
        about: Sequence[LinkedQuestion],
        every_word: bool,
    ) -> list[QuestionLinks]:
        rows = pa.table(
            {
                "question_id": pa.array(ids, pa.string()),
                "question": pa.array(texts, pa.string()),
                "options": pa.array(options, pa.list_(pa.string())),
            }
        )
        linked = link_questions(rows, self.opened.linker, self.encoder)
        concepts = link_rows(linked, self.opened.embedded.graph, "b", 300)
        return question_links(rows, concepts, about, every_word)

    def finder(self, way: Retrieval, whole: WholePaths | None = None) -> AttentionRetriever:
        """Return what finds facts in one way; `whole` answers questions without options."""
        graph = self.opened.embedded
        costs = step_costs(graph.adjacency, way.bridge) if way.bridge else None
        return AttentionRetriever(
            graph,
            blend(graph.vectors, self.vectors, way.graph_share),
            self.templates,
            self.encoder.encode,
            Vanilla(EncoderSimilarity(self.encoder)),
            PathFinder(graph.adjacency, costs, LINKING_STEPS) if costs is not None else None,
            way,
            whole,
        )


def run() -> dict[str, Any]:
    """Measure options, open questions and time.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    data = real_data()
    encoder = cached_encoder()
    concepts, spent = _opened("conceptnet100k", encoder)
    cases = commonsense(data)
    result: dict[str, Any] = {"embedding_seconds": spent, "time": timed(concepts, cases[:_TIMED])}
    print(json.dumps(result["time"]), flush=True)
    result["options"], result["weights"] = options_measured(concepts, cases)
    result["open"] = open_measured(encoder)
    result["within_bound"] = result["time"]["ratio"] <= result["time"]["linear_ratio"]
    return result


def _opened(name: str, encoder: CachedEncoder) -> tuple[Asked, float]:
    opened = Opened(name, encoder)
    started = time.perf_counter()
    vectors = spectral(opened.embedded.adjacency)
    return Asked(opened, encoder, vectors), round(time.perf_counter() - started, 1)


def commonsense(data: Path) -> list[Case]:
    """Return CommonsenseQA's development questions."""
    lines = (data / "mcqa" / "commonsenseqa_dev.jsonl").read_text(encoding="utf-8").splitlines()
    found = []
    for row in map(json.loads, lines):
        choices = row["question"]["choices"]
        key = [choice["label"] for choice in choices].index(row["answerKey"])
        found.append(Case(row["id"], row["question"]["stem"], [choice["text"] for choice in choices], key))
    return found


def options_measured(asked: Asked, cases: Sequence[Case]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return every arm's accuracy beside the cosine's, and what weights chosen on a half are worth."""
    by_hash = sorted(cases, key=lambda case: text_hash(case.question_id))
    rows: list[dict[str, Any]] = []
    chosen: dict[str, Any] = {}
    full: Values = np.empty(0)
    for arm in OPTION_ARMS:
        taken = by_hash if arm == "full" else by_hash[:SAMPLED]
        keys = np.array([case.key for case in taken])
        # Of the default all rated triples are kept: what attention counts for decides which are best.
        way = replace(RETRIEVALS[arm], facts=RATED) if arm == "full" else RETRIEVALS[arm]
        questions = asked.ask(taken, way.by_token)
        started = time.perf_counter()
        found = list(asked.finder(way).find(questions))
        spent = time.perf_counter() - started
        measures = _measures(asked, questions, found)
        right = _right(measures, taken, keys, GRAPH_WEIGHTS, ARMS[f"{arm}@extractive"].text)
        cosine = np.array(
            [float(measure[:, 0].argmax() == key) for measure, key in zip(measures, keys, strict=True)]
        )
        row = {"arm": arm, "questions": len(taken), "seconds_a_question": round(spent / len(taken), 4)}
        row |= {**_told("accuracy", mean(right)), **_told("minus_cosine", paired_difference(right, cosine))}
        row |= {"cosine": round(float(cosine.mean()), 4), **_baselines(taken, keys)}
        row |= _told("coverage", mean(_coverage(questions, found)))
        if arm == "full":
            full = right
            by_share = {share: _measures(asked, questions, found, share) for share in SHARES}
            chosen = _chosen(by_share, taken, keys, cosine)
        else:
            row |= _told("minus_full", paired_difference(right, full[: len(taken)]))
        rows.append(row)
        print(json.dumps(row), flush=True)
    return rows, chosen


def _baselines(cases: Sequence[Case], keys: Keys) -> dict[str, float]:
    """Return what is right by chance, and by taking the option of most characters."""
    longest = [expected_accuracy(longest_option(case.options), case.key) for case in cases]
    by_chance = [chance(list(case.options), case.key) for case in cases]
    return {
        "chance": round(float(np.mean(by_chance)), 4),
        "longest_option": round(float(np.mean(longest)), 4),
    }


def _coverage(questions: Sequence[QuestionLinks], found: Sequence[QuestionFacts]) -> Values:
    return np.array(
        [
            coverage(question.question, [fact.text for facts in of_question.facts.values() for fact in facts])
            for question, of_question in zip(questions, found, strict=True)
        ]
    )


def _measures(
    asked: Asked,
    questions: Sequence[QuestionLinks],
    found: Sequence[QuestionFacts],
    share: float | None = None,
) -> list[Scores]:
    """Return the measures of every question's options; `share`: as if attention counted for so much."""
    texts = list(
        dict.fromkeys(text for question in questions for text in (question.question, *question.options))
    )
    place = {text: number for number, text in enumerate(texts)}
    vectors = asked.encoder.encode(texts)
    return [
        measures_of(
            vectors[place[question.question]],
            vectors[[place[option] for option in question.options]],
            [_support(question, facts, candidate, share) for candidate in range(len(question.options))],
        )
        for question, facts in zip(questions, found, strict=True)
    ]


def _support(question: QuestionLinks, found: QuestionFacts, candidate: int, share: float | None) -> Support:
    own = found.facts.get(candidate)
    if own is None:
        nodes = {node for token in question.tokens_of(candidate) for node in token.nodes}
        own = [fact for fact in found.facts[-1] if nodes.intersection(fact.answers)]
        return support_of([fact.score for fact in own], [True] * len(own))
    scored = [(_weighed(fact, share), fact.parts.get("joins", 0.0) > 0) for fact in own]
    kept = sorted(scored, key=lambda pair: -pair[0])[: RETRIEVALS["full"].facts]
    return support_of([score for score, _ in kept], [joins for _, joins in kept])


def _weighed(fact: Fact, share: float | None) -> float:
    if share is None or "relevance" not in fact.parts:
        return fact.score
    return (1 - share) * fact.parts["relevance"] + share * fact.parts["attention"]


def _right(
    measures: Sequence[Scores],
    cases: Sequence[Case],
    keys: Keys,
    weights: tuple[float, float],
    text: bool = True,
) -> Values:
    return np.array(
        [
            float(option_scores(measures, weights, text, is_negated(case.question)).argmax() == key)
            for measures, case, key in zip(measures, cases, keys, strict=True)
        ]
    )


def _chosen(
    by_share: Mapping[float, Sequence[Scores]], cases: Sequence[Case], keys: Keys, cosine: Values
) -> dict[str, Any]:
    """Return what is best on one half by the hash of ids, and what it is worth on the other.

    Chosen are what attention counts for, and the weights of the measures. Of equal ones the lightest.
    """
    half = np.array([int(text_hash(case.question_id), 16) % 2 == 0 for case in cases])
    every = {
        (share, weights): _right(measures, cases, keys, weights)
        for share, measures in by_share.items()
        for weights in WEIGHTS
    }
    chosen = max(every, key=lambda key: (every[key][half].mean(), -key[0], -sum(key[1])))
    measures = by_share[chosen[0]]
    right = {weights: every[chosen[0], weights] for weights in WEIGHTS}
    best = chosen[1]
    worth = {
        name: {
            "questions": int(places.sum()),
            "cosine": round(float(cosine[places].mean()), 4),
            **_told("accuracy", mean(right[best][places])),
            **_told("minus_cosine", paired_difference(right[best][places], cosine[places])),
        }
        for name, places in (("chosen_on", half), ("other", ~half), ("whole", half | ~half))
    }
    best_measure = np.stack([measure.argmax(axis=0) for measure in measures]) == keys[:, None]
    alone = dict(zip(MEASURES, best_measure.mean(axis=0).round(4).tolist(), strict=True))
    return {
        "attention_share": chosen[0],
        "direct_and_own": best,
        "is_the_default": chosen == (RETRIEVALS["full"].attention_share, GRAPH_WEIGHTS),
        **worth,
        "measures_alone": alone,
        "minus_cosine_by_weights": {
            f"{direct}, {own}": [
                round(float((values - cosine)[places].mean()), 4) for places in (half, ~half, half | ~half)
            ]
            for (direct, own), values in right.items()
        },
        "minus_cosine_by_attention_share": {
            f"{share}": [
                round(float((every[share, best] - cosine)[places].mean()), 4)
                for places in (half, ~half, half | ~half)
            ]
            for share in by_share
        },
    }


def open_measured(encoder: CachedEncoder) -> dict[str, Any]:
    """Return hits and F1 of every arm on MetaQA's questions of one hop and of two."""
    asked, _ = _opened(FILMS, encoder)
    graph = asked.opened.embedded.graph
    authored = schema_text(FILMS)
    assert authored is not None
    schema = load_schema(*authored)
    asked_graph = KnowledgeBase(graph, schema, node_types(graph, None, schema), asked.templates)
    first = graph_parsing.DEVELOPMENT
    rows, reports = [], {}
    for hops in (1, 2):
        own = film_questions.cases(hops, graph)[first : first + OPEN + TRAINED]
        classifier, reports[hops] = _classifier(asked_graph, encoder, own[OPEN:])
        ratings = {
            "full": by_shared_score(EncoderSimilarity(encoder), asked_graph.wording),
            "tuned": by_classifier(classifier, asked_graph.wording),
            "no_classifier": by_attention(),
            "vanilla": None,
        }
        full: Values = np.empty(0)
        for arm in OPEN_ARMS:
            row, hits = _open_row(asked, asked_graph, own[:OPEN], arm, ratings[arm])
            if arm == "full":
                full = hits
            else:
                row |= _told("hits@1_minus_full", paired_difference(hits, full))
            rows.append({"hops": hops, **row})
            print(json.dumps(rows[-1]), flush=True)
    return {"arms": rows, "trained": reports}


def _classifier(
    graph: KnowledgeBase, encoder: CachedEncoder, cases: Sequence[film_questions.Case]
) -> tuple[Rater, dict[str, Any]]:
    """Return a classifier trained on questions, and what became of the training."""
    asked, gold = [case.asked for case in cases], [case.gold for case in cases]
    pairs = list(open_pairs(asked, gold, graph, graph.parser(encoder)))
    name, report = trained(pairs, encoder.encode, encoder.encoder_id, CACHE)
    return opened_classifier(name, CACHE, encoder.encode), asdict(report)


def _open_row(
    asked: Asked,
    graph: KnowledgeBase,
    cases: Sequence[film_questions.Case],
    arm: str,
    rating: PathRating | None,
) -> tuple[dict[str, Any], Values]:
    """Return an arm's figures, and the hits of every question. `rating` None: single triples answer."""
    way = RETRIEVALS[arm]
    whole = None if rating is None else WholePaths(graph, asked.encoder, rating, way.facts)
    finder = asked.finder(way, whole)
    questions = asked.ask_open([case.asked for case in cases])
    started = time.perf_counter()
    found = list(finder.find(questions))
    spent = time.perf_counter() - started
    values = np.array([_of_open(answer, case.gold) for answer, case in zip(found, cases, strict=True)])
    row: dict[str, Any] = {"arm": arm, "questions": len(cases)}
    for column, name in enumerate(("hits@1", "hits@10", "f1")):
        row |= _told(name, mean(values[:, column]))
    return {**row, "milliseconds_a_question": round(1000 * spent / len(cases), 1)}, values[:, 0]


def _of_open(found: QuestionFacts, gold: frozenset[int]) -> tuple[float, float, float]:
    """Return expected hits at 1 and 10, and the F1 of the answers of the best score."""
    scores: dict[int, float] = {}
    for fact in found.facts[-1]:
        for node in fact.answers:
            scores[node] = max(fact.score, scores.get(node, fact.score))
    ties = ties_of(list(scores.values()), [node in gold for node in scores])
    best = {node for node, score in scores.items() if score == max(scores.values())}
    return hits_at(ties, 1)[0], hits_at(ties, 10)[0], 2 * len(best & gold) / max(len(best) + len(gold), 1)


def timed(asked: Asked, cases: Sequence[Case]) -> dict[str, Any]:
    """Return seconds a question against K, and the most memory that one block takes beside the graph."""
    questions = asked.ask(cases)
    list(asked.finder(RETRIEVALS["full"]).find(questions))
    seconds = {}
    for depth in _DEPTHS:
        finder = asked.finder(replace(RETRIEVALS["full"], facts=depth))
        started = time.perf_counter()
        list(finder.find(questions))
        seconds[depth] = (time.perf_counter() - started) / len(questions)
    finder = asked.finder(RETRIEVALS["full"])
    tracemalloc.start()
    list(finder.find(questions))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    space = blend(asked.opened.embedded.vectors, asked.vectors, RETRIEVALS["full"].graph_share)
    return {
        "questions": len(questions),
        "seconds_a_question": {str(depth): round(value, 4) for depth, value in seconds.items()},
        "ratio": round(seconds[_DEPTHS[-1]] / seconds[_DEPTHS[0]], 2),
        "linear_ratio": _DEPTHS[-1] / _DEPTHS[0],
        "megabytes_a_block": round(most / 1e6, 1),
        "megabytes_of_vectors": round(space.vectors.nbytes / 1e6, 1),
    }


def _told(name: str, estimate: Estimate) -> Mapping[str, float]:
    return {
        name: round(estimate.value, 4),
        f"{name}_low": round(estimate.low, 4),
        f"{name}_high": round(estimate.high, 4),
    }


def renew_options() -> None:
    """Measure options alone, and keep the other parts of the last result."""
    data = real_data()
    concepts, _ = _opened("conceptnet100k", cached_encoder())
    result = json.loads((RESULTS / "attention2query.json").read_text(encoding="utf-8"))
    result["options"], result["weights"] = options_measured(concepts, commonsense(data))
    result["options_command"] = "python -m benchmarks.attention2query options"
    save("attention2query", result)


if __name__ == "__main__":
    real_data()
    if sys.argv[1:] == ["options"]:
        renew_options()
    else:
        open_measured(cached_encoder())
