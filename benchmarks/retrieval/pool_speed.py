"""Coverage over many small pools, and over a whole corpus, in pairs a second of one thread.

XQuAD's questions and paragraphs, and passages of 2WikiMultiHopQA beside them; a question's pool are the
passages nearest to it by sentence cosine. Vectors are encoded before; packing them is told apart. In the same
run the baseline bounds nothing and proves nothing: a product in single precision for each question, with its
pool's words side by side or with the whole corpus's, and the largest of each word's cosines.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from benchmarks.real_texts import cached_encoder, real_data, xquad_paragraphs
from evidence_assets.models.option_training import one_thread
from evidence_assets.retrieval.transport.cascade import Candidates, Ranking, rank
from evidence_assets.retrieval.transport.corpus_scan import rank_corpus
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.retrieval.transport.objectives import COVERAGE
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.retrieval.transport.word_codes import multiplies_bytes
from evidence_assets.text.term_statistics import count_terms, from_table

POOL, DEPTH, WIKI_PASSAGES, EACH = 500, 15, 1_300, 6
ASKED = 150_000
_REPEATS = 5
_METHOD = METHODS["coverage"]

Near = NDArray[np.int64]


def run() -> dict[str, Any]:
    """Return pairs a second over pools and over the corpus, beside the baseline's; whether ranks agree."""
    # NumPy's library has threads of its own, which wait busily: their seconds would count.
    with one_thread(), threadpool_limits(limits=1):
        return _measured()


def _measured() -> dict[str, Any]:
    questions, chunks, near = _encoded()
    started = time.process_time()
    source = PackedSource(chunks, _METHOD.ground)
    packing = time.process_time() - started
    count, corpus = len(questions), len(chunks)
    pairs = Candidates(np.repeat(np.arange(count), POOL), near.ravel(), np.tile(np.arange(POOL), count))

    def pooled() -> list[Ranking]:
        return rank(questions, pairs, source, _METHOD.ground, COVERAGE, DEPTH, CpuBounds())

    def scanned() -> list[Ranking]:
        return rank_corpus(questions, source, COVERAGE, [DEPTH] * count)

    words = _Words(chunks)
    everything = np.tile(np.arange(corpus), (count, 1))
    result: dict[str, Any] = {"questions": count, "passages": corpus, "pool": POOL, "depth": DEPTH}
    for name, ranked, product, size in (
        ("pools", pooled, lambda: words.best(questions, near), count * POOL),
        ("corpus", scanned, lambda: words.best(questions, everything), count * corpus),
    ):
        seconds, rankings = _fastest(ranked)
        baseline_seconds, best = _fastest(product)
        ranked_best = [ranking.chunks.tolist() for ranking in rankings]
        result[name] = {
            "pairs_a_second": round(size / seconds),
            "baseline_pairs_a_second": round(size / baseline_seconds),
            "ratio": round(baseline_seconds / seconds, 2),
            "solved_a_question": round(float(np.mean([r.certificate.solved for r in rankings])), 1),
            "same_best": sum(left == right for left, right in zip(ranked_best, best, strict=True)),
        }
    return result | {
        "packed_passages_a_second": round(corpus / packing),
        "bytes_multiplied": multiplies_bytes(chunks[0].vectors.shape[1]),
        "asked_pairs_a_second": ASKED,
        "within_bound": result["pools"]["pairs_a_second"] >= ASKED,
    }


def _encoded() -> tuple[list[TokenSet], list[TokenSet], Near]:
    """Return questions, passages, and each question's pool, nearest first."""
    encoder = cached_encoder()
    paragraphs = [part for _, part in xquad_paragraphs()]
    passages = json.loads((real_data() / "text" / "2wiki_passages.json").read_text(encoding="utf-8"))
    texts = [part["context"] for part in paragraphs] + [row["text"] for row in passages[:WIKI_PASSAGES]]
    question_texts = [row["question"] for part in paragraphs for row in part["qas"]][::EACH]
    statistics = from_table(count_terms(texts, "passages"))
    questions, chunks = (
        [_METHOD.token_set(text, statistics) for text in encoder.encode_words(side)]
        for side in (question_texts, texts)
    )
    cosines = encoder.encode(question_texts) @ encoder.encode(texts).T
    return questions, chunks, np.argsort(-cosines, axis=1, kind="stable")[:, :POOL]


class _Words:
    """All passages' words in single precision, for a product a question."""

    def __init__(self, chunks: Sequence[TokenSet]) -> None:
        vectors = np.concatenate([chunk.vectors for chunk in chunks]).astype(np.float32)
        self._vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        self._marginals = np.concatenate([chunk.marginal for chunk in chunks])
        self._lengths = np.array([len(chunk.weights) for chunk in chunks])
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._sentences = np.stack([chunk.sentence for chunk in chunks if chunk.sentence is not None])

    def best(self, questions: Sequence[TokenSet], pools: Near) -> list[list[int]]:
        """Return each question's best passages of its pool."""
        return [self._best(question, pool) for question, pool in zip(questions, pools, strict=True)]

    def _best(self, question: TokenSet, pool: NDArray[np.int64]) -> list[int]:
        import torch

        lengths = self._lengths[pool]
        starts = np.cumsum(lengths) - lengths
        rows = np.arange(lengths.sum()) + np.repeat(self._starts[pool] - starts, lengths)
        unit = question.vectors / np.linalg.norm(question.vectors, axis=1, keepdims=True)
        products = torch.mm(
            torch.from_numpy(unit.astype(np.float32)), torch.from_numpy(self._vectors[rows]).T
        ).numpy()
        covering = question.marginal @ np.maximum.reduceat(products, starts, axis=1)
        saying = np.add.reduceat(products.max(axis=0) * self._marginals[rows], starts)
        costs = COVERAGE.covering * (1.0 - covering) + COVERAGE.saying * (1.0 - saying)
        costs += COVERAGE.sentence * (1.0 - self._sentences[pool] @ question.sentence)
        order = np.lexsort((pool, costs))[:DEPTH]
        return [int(number) for number in pool[order]]


def _fastest(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the fewest processor seconds of several runs, the first unmeasured, and what came of it."""
    result, best = work(), float("inf")
    for _ in range(_REPEATS):
        started = time.process_time()
        result = work()
        best = min(best, time.process_time() - started)
    return best, result
