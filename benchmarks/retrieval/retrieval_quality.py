"""Which comparison of words ranks gold evidence best: every ready method beside BM25 and sentence cosine.

Needs the data sets (see real_texts). Every ranking is exact over its pool. The first run encodes for some
minutes; vectors are kept under build/bench_cache.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import estimate_row
from benchmarks.real_texts import cached_encoder, real_data
from benchmarks.retrieval.gold_sets import GoldSet, gold_sets
from evidence_assets.corpus.search import Bm25
from evidence_assets.evaluation.metrics import (
    RECALL_DEPTHS,
    mean,
    paired_difference,
)
from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.retrieval.transport.cascade import PROVED, Budget, Candidates, Ranking, rank
from evidence_assets.retrieval.transport.device_bounds import best_bounds
from evidence_assets.retrieval.transport.diagnostics import (
    associate,
    cost_against_weight,
    norm_against_length,
)
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, JensenShannon
from evidence_assets.retrieval.transport.marginals import bm25_marginal, idf_marginal, uniform_marginal
from evidence_assets.retrieval.transport.methods import METHODS, Method, Scaling
from evidence_assets.retrieval.transport.objectives import CHUNK_RELAXED, COVERAGE, QUESTION_RELAXED, Balanced
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.text.term_statistics import TermStatistics, count_terms, from_table

ARMS = (
    "paper",
    "word_movers_distance",
    "moverscore",
    "balanced",
    "partial",
    "coverage_words",
    "coverage",
    "coverage_jensen_shannon",
)
HELD_OUT_ARMS = ("coverage_words", "coverage")
ABLATED = ("openbookqa", "xquad_sentences")
DEPTH, SOLVED_DEPTH = 100, 30
SHARPNESSES = (1.0, 5.0, None, 20.0, 40.0, 80.0)
# From this sharpness on, the bound for words far apart is the tighter one.
_FAR = 20.0
_PAIRS = 200
_RECIPROCAL_RANK_CONSTANT = 60
_BUDGET = Budget(memory_bytes=4 << 30)

Numbers = NDArray[np.int64]
PerQuestion = dict[str, NDArray[np.float64]]
Row = dict[str, Any]
Represent = Callable[[EncodedWords], EncodedWords]


@dataclass(frozen=True, slots=True)
class Variant:
    """A method that differs from an arm in one thing; temperatures are tried on OpenBookQA alone."""

    method: Method
    only: str = ""


def _paper(temperature: float, scaling: Scaling = Scaling.WEIGHTED) -> Method:
    return replace(METHODS["paper"], ground=JensenShannon(1.0 / temperature, far=True), scaling=scaling)


VARIANTS = {
    "paper, T = 1/10": Variant(_paper(0.1), "openbookqa"),
    "paper, T = 3": Variant(_paper(3.0), "openbookqa"),
    "paper, T = 10": Variant(_paper(10.0), "openbookqa"),
    "paper, vectors not scaled by BM25": Variant(_paper(1.0, Scaling.RAW)),
    "paper, unit vectors not scaled by BM25": Variant(_paper(1.0, Scaling.UNIT)),
    "balanced, cosine cost": Variant(Method(Cosine(), Balanced())),
    "coverage, question's half alone": Variant(Method(Cosine(), CHUNK_RELAXED)),
    "coverage, chunk's half alone": Variant(Method(Cosine(), QUESTION_RELAXED)),
    "word_movers_distance, IDF weights": Variant(Method(Euclidean(), Balanced(), idf_marginal, Scaling.RAW)),
    "word_movers_distance, BM25 weights": Variant(
        Method(Euclidean(), Balanced(), bm25_marginal, Scaling.RAW)
    ),
    "moverscore, uniform weights": Variant(Method(Euclidean(), Balanced(), uniform_marginal)),
    "moverscore, BM25 weights": Variant(Method(Euclidean(), Balanced(), bm25_marginal)),
}


@dataclass(frozen=True, slots=True)
class Encoded:
    """A gold set with its words' vectors, its own term statistics and its pools, nearest by cosine first."""

    data: GoldSet
    texts: list[EncodedWords]
    questions: list[EncodedWords]
    statistics: TermStatistics
    nearest: Numbers

    @property
    def candidates(self) -> Candidates:
        """Return the pools, in the order of sentence cosine."""
        count, pool = self.nearest.shape
        place = np.tile(np.arange(pool), count)
        return Candidates(np.repeat(np.arange(count), pool), self.nearest.ravel(), place)


def run() -> dict[str, Any]:
    """Return scores, paired differences to sentence cosine, solver statistics, diagnostics and ablations."""
    encoder = cached_encoder()
    result: dict[str, Any] = {
        name: []
        for name in (
            "sets",
            "scores",
            "differences",
            "solver",
            "diagnostics",
            "ablation_scores",
            "ablation_differences",
            "sharpness",
        )
    }
    for data in gold_sets(real_data()):
        _measure(encode_set(data, encoder), result)
    return result | {"all_proved": all(row["all_proved"] for row in result["solver"])}


def encode_set(data: GoldSet, encoder: Encoder) -> Encoded:
    started = time.perf_counter()
    texts, questions = encoder.encode_words(data.texts), encoder.encode_words(data.questions)
    similarity = _sentences(questions) @ _sentences(texts).T
    nearest = np.argsort(-similarity, axis=1, kind="stable")[:, : data.pool]
    statistics = from_table(count_terms(data.texts, data.name))
    _tell(data, "encoded", time.perf_counter() - started)
    return Encoded(data, texts, questions, statistics, nearest)


def _sentences(texts: Sequence[EncodedWords]) -> NDArray[np.float32]:
    return np.stack([text.sentence for text in texts])


def _measure(encoded: Encoded, result: dict[str, Any]) -> None:
    """Add a set's rows to the result."""
    data = encoded.data
    is_held_out = data.name.endswith("_held_out")
    result["sets"].append(_size(encoded))
    by_arm = {} if is_held_out else {"bm25": _bm25(data)}
    by_arm["cosine"] = list(encoded.nearest[:, :DEPTH])
    for arm in HELD_OUT_ARMS if is_held_out else ARMS:
        by_arm[arm], statistics = _solved(encoded, METHODS[arm])
        result["solver"].append({"set": data.name, "arm": arm, **statistics})
        _tell(data, arm, statistics["seconds"])
    _score(data, by_arm, result["scores"], result["differences"])
    if not is_held_out:
        result["diagnostics"].append(_diagnostics(encoded))
    if data.name in ABLATED:
        varied = _variants(encoded, by_arm)
        _score(data, varied, result["ablation_scores"], result["ablation_differences"])
        result["sharpness"] += _sharpness(encoded)


def _size(encoded: Encoded) -> Row:
    data = encoded.data
    return {
        "set": data.name,
        "questions": len(data.questions),
        "texts": len(data.texts),
        "pool": encoded.nearest.shape[1],
        "words_a_question": float(np.mean([len(text.words) for text in encoded.questions])),
        "words_a_text": float(np.mean([len(text.words) for text in encoded.texts])),
    }


def _bm25(data: GoldSet) -> list[Numbers]:
    index = Bm25(data.texts)
    return [index.top(question, DEPTH)[1] for question in data.questions]


def rank_set(encoded: Encoded, method: Method, represent: Represent = lambda text: text) -> list[Ranking]:
    texts, questions = (
        [method.token_set(represent(text), encoded.statistics) for text in side]
        for side in (encoded.texts, encoded.questions)
    )
    source = PackedSource(texts, method.ground)
    depth = SOLVED_DEPTH if method.solves else DEPTH
    return rank(
        questions, encoded.candidates, source, method.ground, method.objective, depth, best_bounds(), _BUDGET
    )


def _solved(encoded: Encoded, method: Method) -> tuple[list[Numbers], Row]:
    """Return every question's ranking, and what became of the pools' texts."""
    started = time.perf_counter()
    rankings = rank_set(encoded, method)
    seconds = time.perf_counter() - started
    certificates = [ranking.certificate for ranking in rankings]
    pooled = sum(certificate.pool for certificate in certificates)
    shares = {
        f"{stage}_share": sum(getattr(certificate, stage) for certificate in certificates) / pooled
        for stage in ("solved", "centroid", "bound", "ascent", "open", "refused")
    }
    statistics = {
        "solved_a_question": float(np.mean([certificate.solved for certificate in certificates])),
        **shares,
        "all_proved": all(certificate.status == PROVED for certificate in certificates),
        "largest_margin": max(certificate.margin for certificate in certificates),
        "seconds": round(seconds, 1),
    }
    return [ranking.chunks for ranking in rankings], statistics


def _score(
    data: GoldSet, by_arm: dict[str, list[Numbers]], scores: list[Row], differences: list[Row]
) -> None:
    """Add each arm's metrics, and its paired differences to sentence cosine."""
    values = {arm: metrics_of(rankings, data) for arm, rankings in by_arm.items()}
    for arm, metrics in values.items():
        for metric, per_question in metrics.items():
            key = {"set": data.name, "arm": arm, "metric": metric}
            scores.append(key | estimate_row(_estimate(per_question)))
            if arm != "cosine":
                differences.append(
                    key | estimate_row(paired_difference(per_question, values["cosine"][metric]))
                )


def metrics_of(rankings: Sequence[Numbers], data: GoldSet) -> PerQuestion:
    """Return recall and reciprocal rank of every question."""
    ranked = [list(map(str, ranking.tolist())) for ranking in rankings]
    gold = [[{str(number)} for number in golds] for golds in data.gold]
    pairs = list(zip(ranked, gold, strict=True))
    values = {
        f"recall@{depth}": np.array([recall_at(*pair, depth) for pair in pairs]) for depth in RECALL_DEPTHS
    }
    return values | {"mrr": np.array([reciprocal_rank(*pair) for pair in pairs])}


def recall_at(ranked: Sequence[str], gold: Sequence[Collection[str]], depth: int) -> float:
    """Return the share of gold items of which any chunk is among the first `depth` ranked.

    `gold` holds, for each gold item, the chunks that hold it; an item found in no chunk counts as missed.
    """
    top = set(ranked[:depth])
    return sum(bool(top.intersection(item)) for item in gold) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[Collection[str]]) -> float:
    """Return 1 / rank of the first chunk that holds any gold item; 0 where none is ranked."""
    gold_chunks = set().union(*gold)
    return next((1.0 / rank for rank, chunk in enumerate(ranked, start=1) if chunk in gold_chunks), 0.0)


def _estimate(values: NDArray[np.float64]) -> Estimate:
    is_share = set(values.tolist()) <= {0.0, 1.0}
    return proportion(int(values.sum()), len(values)) if is_share else mean(values)


def _variants(encoded: Encoded, by_arm: dict[str, list[Numbers]]) -> dict[str, list[Numbers]]:
    """Return the rankings of the ablations, beside that of sentence cosine."""
    data = encoded.data
    result = {"cosine": by_arm["cosine"]}
    for name, variant in VARIANTS.items():
        if variant.only in ("", data.name):
            result[name], statistics = _solved(encoded, variant.method)
            _tell(data, name, statistics["seconds"])
    for count, stop_words in _stop_words().items():
        rankings = rank_set(encoded, METHODS["coverage"], partial(_without, left_out=stop_words))
        result[f"coverage, {count} stop words removed"] = [ranking.chunks for ranking in rankings]
    result["coverage_words and cosine, reciprocal-rank fusion"] = [
        _fused(pair) for pair in zip(by_arm["coverage_words"], by_arm["cosine"], strict=True)
    ]
    return result


def _stop_words() -> dict[int, frozenset[str]]:
    from bm25s.stopwords import STOPWORDS_EN, STOPWORDS_EN_PLUS

    return {len(stop_words): frozenset(stop_words) for stop_words in (STOPWORDS_EN, STOPWORDS_EN_PLUS)}


def _without(text: EncodedWords, left_out: frozenset[str]) -> EncodedWords:
    """Return a text without some words; one that has no others stays as it is."""
    kept = [place for place, word in enumerate(text.words) if word not in left_out]
    if not kept:
        return text
    return EncodedWords([text.words[place] for place in kept], text.vectors[kept], text.sentence)


def _fused(rankings: Sequence[Numbers]) -> Numbers:
    """Return reciprocal-rank fusion (Cormack et al. 2009) of rankings of the same texts."""
    score: dict[int, float] = {}
    for ranking in rankings:
        for place, number in enumerate(ranking.tolist(), start=1):
            score[number] = score.get(number, 0.0) + 1.0 / (_RECIPROCAL_RANK_CONSTANT + place)
    return np.array(sorted(score, key=lambda number: (-score[number], number)), np.int64)


def _gold_pairs(encoded: Encoded) -> tuple[list[EncodedWords], list[EncodedWords]]:
    """Return some questions, and each one's first gold text."""
    golds = [encoded.texts[gold[0]] for gold in encoded.data.gold[:_PAIRS]]
    return encoded.questions[:_PAIRS], golds


def _diagnostics(encoded: Encoded) -> Row:
    """Return the encoder's two diagnostics."""
    sides = _gold_pairs(encoded)
    row: Row = {
        "set": encoded.data.name,
        "pairs": len(sides[0]),
        "norm_against_length": norm_against_length([*encoded.questions, *encoded.texts]).correlation,
        "question_norm": _norm(encoded.questions),
        "text_norm": _norm(encoded.texts),
    }
    for arm in ("paper", "balanced"):
        method = METHODS[arm]
        tokens = [[method.token_set(text, encoded.statistics) for text in side] for side in sides]
        association = cost_against_weight(tokens[0], tokens[1], method.ground)
        row[f"{arm}_cost_against_weight"] = association.heavier_weight.correlation
        row[f"{arm}_cost_against_minus_cosine"] = association.minus_cosine.correlation
    return row


def _norm(texts: Sequence[EncodedWords]) -> float:
    return float(np.mean([np.linalg.norm(text.vectors, axis=1).mean() for text in texts if text.words]))


def _sharpness(encoded: Encoded) -> list[Row]:
    """Return, for each sharpness of the softmax, how far JSD departs from cosine, and how coverage ranks."""
    started = time.perf_counter()
    pairs = [(question.unit, gold.unit) for question, gold in zip(*_gold_pairs(encoded), strict=True)]
    distances = np.concatenate([Cosine().between(*pair).ravel() for pair in pairs])
    rows = []
    for sharpness in SHARPNESSES:
        ground = JensenShannon(sharpness, far=sharpness is not None and sharpness >= _FAR)
        costs = np.concatenate([ground.between(*pair).ravel() for pair in pairs])
        rankings = [ranking.chunks for ranking in rank_set(encoded, Method(ground, COVERAGE))]
        values = metrics_of(rankings, encoded.data)
        rows.append(
            {
                "set": encoded.data.name,
                "sharpness": ground.sharpness_at(pairs[0][0].shape[1]),
                "rank_correlation": associate(distances, costs).correlation,
                "correlation": float(np.corrcoef(distances, costs)[0, 1]),
                **{metric: float(values[metric].mean()) for metric in ("recall@1", "mrr")},
            }
        )
    _tell(encoded.data, "sharpness", time.perf_counter() - started)
    return rows


def _tell(data: GoldSet, what: str, seconds: float) -> None:
    print(f"{seconds:7.1f} s  {data.name:24} {what}", flush=True)
