"""Two-step retrieval beside one step, a whole corpus beside a pool: gold passages of one hop and of two.

One corpus: HotpotQA's and XQuAD's passages and 2WikiMultiHop's, under their titles. The weights were chosen
on HotpotQA's first half beside every other of XQuAD's first thousand questions. HotpotQA's second half and
XQuAD's last 190 questions are told apart; they were in view while the form of the score was worked out.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.estimates import estimate_row
from benchmarks.real_texts import cached_encoder, real_data, xquad_paragraphs
from evidence_assets.corpus.search import bm25_top
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.retrieval.titles import Titles, vocabulary_of
from evidence_assets.retrieval.transport.cascade import Candidates, rank
from evidence_assets.retrieval.transport.corpus_scan import rank_corpus
from evidence_assets.retrieval.transport.device_bounds import best_bounds
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.retrieval.transport.sources import EncodedSource
from evidence_assets.retrieval.two_step import Passage, TwoStep
from evidence_assets.text.queries import NO_OPTION, Query
from evidence_assets.text.term_statistics import count_terms, from_table

POOL, LEXICAL_POOL, DEPTH = 200, 100, 100
DEPTHS = (1, 2, 5, 15)
HELD_OUT_FROM = {"hotpotqa": 50, "xquad": 1000}
BASELINE = "coverage"

Rankings = list[list[int]]


@dataclass(frozen=True, slots=True)
class Titled:
    """Passages under titles, and questions with their gold passages by place, some of them held out."""

    titles: list[str]
    texts: list[str]
    questions: dict[str, list[str]]
    gold: dict[str, list[list[int]]]


def _titled(folder: Path) -> Titled:
    def read(name: str) -> Any:
        return json.loads((folder / "text" / name).read_text(encoding="utf-8"))

    passages, hotpot = read("hotpotqa_passages.json"), read("hotpotqa_questions.json")
    pairs = [(title, "".join(sentences)) for title, sentences in passages.items()]
    place = {title: number for number, (title, _) in enumerate(pairs)}
    gold = [sorted({place[title] for title, _ in row["supporting_facts"]}) for row in hotpot]
    pairs += [(row["title"], row["text"]) for row in read("2wiki_passages.json")]
    questions: list[str] = []
    holders: list[list[int]] = []
    for title, part in xquad_paragraphs():
        questions += [row["question"] for row in part["qas"]]
        holders += [[len(pairs)] for _ in part["qas"]]
        pairs.append((title.replace("_", " "), part["context"]))
    first = HELD_OUT_FROM["xquad"]
    return Titled(
        [title for title, _ in pairs],
        [text for _, text in pairs],
        {"hotpotqa": [row["question"] for row in hotpot], "xquad": questions[first:]},
        {"hotpotqa": gold, "xquad": holders[first:]},
    )


def _rankings(
    data: Titled, name: str, encoder: CachedEncoder
) -> tuple[dict[str, Rankings], dict[str, float]]:
    """Return every arm's rankings of a set's questions, and the processor seconds of some."""
    question_texts, method = data.questions[name], METHODS["coverage"]
    statistics = from_table(count_terms(data.texts, "titled"))
    vectors = encoder.encode(data.texts)
    near = np.argsort(-(encoder.encode(question_texts) @ vectors.T), axis=1, kind="stable")[:, :POOL]
    lexical = [rows.tolist() for _, rows in bm25_top(question_texts, [data.texts], statistics, LEXICAL_POOL)]
    by_arm: dict[str, Rankings] = {"cosine": near[:, :DEPTH].tolist(), "bm25": lexical}
    names = [f"passage {number}" for number in range(len(data.texts))]
    source = EncodedSource(data.texts, names, encoder, lambda text: method.token_set(text, statistics))
    questions = [method.token_set(text, statistics) for text in encoder.encode_words(question_texts)]
    seconds: dict[str, float] = {}

    started = time.process_time()
    pairs = Candidates(
        np.repeat(np.arange(len(question_texts)), POOL),
        near.ravel(),
        np.tile(np.arange(POOL), len(question_texts)),
    )
    pooled = rank(questions, pairs, source, method.ground, method.objective, DEPTH, best_bounds())
    seconds["coverage"] = time.process_time() - started
    by_arm["coverage"] = [ranking.chunks.tolist() for ranking in pooled]

    started = time.process_time()
    of_corpus = rank_corpus(questions, source, method.objective, [DEPTH] * len(question_texts))  # type: ignore[arg-type]
    seconds["coverage_corpus"] = time.process_time() - started
    by_arm["coverage_corpus"] = [ranking.chunks.tolist() for ranking in of_corpus]

    ids = [f"{number:06}" for number in range(len(data.texts))]
    passages = {
        key: Passage(key, title, title, text)
        for key, title, text in zip(ids, data.titles, data.texts, strict=True)
    }
    articles: dict[str, list[str]] = {}
    for passage in passages.values():
        articles.setdefault(passage.article_id, []).append(passage.chunk_id)
    named = [(title, title) for title in articles]
    titles = Titles(named, vocabulary_of([*data.texts, *question_texts]), statistics)
    queries = [
        (Query(f"{number:06}", NO_OPTION, text), sorted({ids[row] for row in (*dense.tolist(), *words)}))
        for number, (text, dense, words) in enumerate(zip(question_texts, near, lexical, strict=True))
    ]
    for arm, leads in (("fused", None), ("two_step", articles)):
        started = time.process_time()
        rows = TwoStep(passages, leads, titles, encoder, statistics, method).rank(queries, name, arm).ranked
        seconds[arm] = time.process_time() - started
        rankings: Rankings = [[] for _ in question_texts]
        for row in rows.select(["question_id", "chunk_id"]).to_pylist():
            rankings[int(row["question_id"])].append(int(row["chunk_id"]))
        by_arm[arm] = rankings
    return by_arm, {arm: round(1000 * spent / len(question_texts), 1) for arm, spent in seconds.items()}


def _values(rankings: Rankings, gold: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    values: dict[str, np.ndarray] = {}
    for depth in DEPTHS:
        hits = [
            [place in ranking[:depth] for place in held] for ranking, held in zip(rankings, gold, strict=True)
        ]
        values[f"recall@{depth}"] = np.array([np.mean(hit) for hit in hits])
        values[f"all_gold@{depth}"] = np.array([float(all(hit)) for hit in hits])
    return values


def run() -> dict[str, Any]:
    """Return recall and the share of questions whose every gold passage is ranked, by arm and set."""
    data, encoder = _titled(real_data()), cached_encoder()
    result: dict[str, Any] = {
        "passages": len(data.texts),
        "scores": [],
        "differences": [],
        "milliseconds": {},
    }
    for name, gold in data.gold.items():
        by_arm, result["milliseconds"][name] = _rankings(data, name, encoder)
        parts = {name: slice(None)}
        if name == "hotpotqa":
            parts[f"{name}_held_out"] = slice(HELD_OUT_FROM[name], None)
        for part, chosen in parts.items():
            values = {arm: _values(rankings[chosen], gold[chosen]) for arm, rankings in by_arm.items()}
            for arm, metrics in values.items():
                for metric, per_question in metrics.items():
                    key = {"set": part, "arm": arm, "metric": metric}
                    result["scores"].append(key | estimate_row(mean(per_question)))
                    if arm != BASELINE:
                        difference = paired_difference(per_question, values[BASELINE][metric])
                        result["differences"].append(key | estimate_row(difference))
        print(f"{name}: {result['milliseconds'][name]} ms a question", flush=True)
    return result
