"""Scores of a pair: transport of its sentence to the seeds' sentences, and fluency (thesis 5.3.5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.extraction.arms import COSINE
from evidence_assets.extraction.probing import masked_in_turn
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.retrieval.transport.brute_force import evaluate
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost
from evidence_assets.retrieval.transport.marginals import Marginal, bm25_marginal, printed_bm25_marginal
from evidence_assets.retrieval.transport.objectives import Balanced
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.text.term_statistics import TermStatistics, count_terms, from_table
from evidence_assets.text.words import words

FloatArray = NDArray[np.float64]


def statistics_of(sentences: Sequence[str]) -> TermStatistics:
    """Return the term statistics of a relation's filled prompts (the corpus of eq. 5.16)."""
    return from_table(count_terms(sentences, "candidates"))


def transport_distances(
    sentences: Sequence[EncodedWords],
    seeds: Sequence[EncodedWords],
    statistics: TermStatistics,
    cost: str,
    printed: bool = False,
) -> FloatArray:
    """Return (n, p) exact transport costs of each sentence to each seed's (eq. 5.7, 5.12 to 5.15).

    Words weigh their BM25 in their own sentence, with Lucene's IDF, which is never negative. `printed`: with
    that of eq. 5.16, at least 0, since no word has less than no mass: one that stands in half of the
    sentences or more weighs nothing. Both sentences' masses are scaled to 1, without which eq. 5.7 has no
    solution. The cost between words is 1 - cosine, or the Euclidean distance of their vectors.
    """
    weigh = printed_bm25_marginal if printed else bm25_marginal
    ground: GroundCost = Cosine() if cost == COSINE else Euclidean()
    scale = ground.scale if cost == COSINE else 1.0
    tokens = [_tokens(sentence, statistics, weigh) for sentence in sentences]
    columns = [
        [
            solution.cost / scale
            for solution in evaluate(_tokens(seed, statistics, weigh), tokens, ground, Balanced())
        ]
        for seed in seeds
    ]
    return np.array(columns, dtype=np.float64).reshape(len(seeds), len(sentences)).T


def _tokens(encoded: EncodedWords, statistics: TermStatistics, weigh: Marginal) -> TokenSet:
    return TokenSet(encoded.vectors, weigh(encoded.words, statistics), words=encoded.words)


def perplexities(model: MaskedLanguageModel, sentences: Sequence[str]) -> FloatArray:
    """Return (n,) exp(- mean log p) of a sentence's tokens, each masked in turn (eq. 5.18 with its minus)."""
    rows, places, tokens, owners = masked_in_turn(model, sentences)
    likely = model.token_log_probabilities(rows, places, tokens)
    sums = np.bincount(owners, weights=likely, minlength=len(sentences))
    counts = np.bincount(owners, minlength=len(sentences))
    result: FloatArray = np.exp(-sums / np.maximum(counts, 1))
    return result


def fluencies(
    sentences: Sequence[str], perplexity: FloatArray, statistics: TermStatistics, printed: bool = False
) -> FloatArray:
    """Return (n,) the sum of the words' IDF over the perplexity (eq. 5.19).

    IDF in Lucene's form; `printed`: that of eq. 5.16, negative for what more than half of the sentences hold.
    """
    idf = statistics.printed_idf if printed else statistics.idf
    sums: FloatArray = np.array([idf(words(sentence)).sum() for sentence in sentences])
    return sums / perplexity


def final_scores(distances: FloatArray, fluency: FloatArray, printed: bool) -> FloatArray:
    """Return (n,) the sigmoid-weighted sum of both scores (eq. 5.20).

    `distances`: (n, p). As printed, the semantic score is a sum of distances (eq. 5.17): less is better.
    Else it is the mean of 1 - distance, a similarity.
    """
    semantic = distances.sum(axis=1) if printed else (1.0 - distances).mean(axis=1)
    result: FloatArray = _sigmoid(semantic) * semantic + _sigmoid(fluency) * fluency
    return result


def _sigmoid(values: FloatArray) -> FloatArray:
    result: FloatArray = 1.0 / (1.0 + np.exp(-values))
    return result
