"""Exact search over streamed blocks, FAISS's results in portions, and BM25."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.corpus import search
from evidence_assets.corpus.search import Bm25, bm25_top, exact_top, index_top
from evidence_assets.text.term_statistics import count_terms, from_table
from evidence_assets.text.words import words
from evidence_assets_tests.testing.profiles import examples

_TEXTS = st.lists(st.sampled_from(["cat", "dog", "the", "mat", "rare"]), max_size=9).map(" ".join)


@examples(80)
@given(
    rows=st.integers(0, 40),
    queries=st.integers(0, 4),
    depth=st.integers(1, 50),
    cuts=st.lists(st.integers(0, 40), max_size=6),
    seed=st.integers(0, 10_000),
)
def test_exact_top_is_the_full_sort_over_any_blocking(
    rows: int, queries: int, depth: int, cuts: list[int], seed: int
) -> None:
    # Small whole numbers: products are exact whatever the blocking, and ties abound.
    random = np.random.default_rng(seed)
    vectors = random.integers(-2, 3, size=(rows, 3)).astype(np.float32)
    query_vectors = random.integers(-2, 3, size=(queries, 3)).astype(np.float32)
    blocks = np.split(vectors, sorted(min(cut, rows) for cut in cuts))
    scores, numbers = exact_top(iter(blocks), query_vectors, depth)
    similarity = query_vectors @ vectors.T
    expected = np.argsort(-similarity, axis=1, kind="stable")[:, :depth]
    assert scores.shape == numbers.shape == (queries, min(depth, rows))
    np.testing.assert_array_equal(numbers, expected)
    np.testing.assert_array_equal(scores, np.take_along_axis(similarity, expected, axis=1))


def test_exact_top_takes_views_that_are_not_contiguous() -> None:
    vectors = np.arange(24, dtype=np.float32).reshape(6, 4)[::2, ::2]
    scores, numbers = exact_top([vectors], np.array([[1, 0]], dtype=np.float32)[:, :], 2)
    assert numbers.tolist() == [[2, 1]]
    assert scores.tolist() == [[16.0, 8.0]]


class FewFound:
    """An index of five vectors that finds only two of them, and pads as FAISS does."""

    ntotal = 5

    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    def search(self, queries: np.ndarray, depth: int) -> tuple[np.ndarray, np.ndarray]:
        self.calls.append((len(queries), depth))
        rows = np.full((len(queries), depth), -1, dtype=np.int64)
        rows[:, :2] = [3, 1]
        scores = np.full((len(queries), depth), -3.4e38, dtype=np.float32)
        scores[:, :2] = queries[:, :1]
        return scores, rows


def test_index_top_asks_in_portions_no_deeper_than_the_index(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "_QUERIES_AT_ONCE", 3)
    index: Any = FewFound()
    query_vectors = np.arange(14, dtype=np.float32).reshape(7, 2)
    portions = list(index_top(index, query_vectors, 100))
    assert index.calls == [(3, 5), (3, 5), (1, 5)]
    scores = np.concatenate([scores for scores, _ in portions])
    rows = np.concatenate([rows for _, rows in portions])
    assert rows.tolist() == [[3, 1, -1, -1, -1]] * 7
    assert scores[:, 0].tolist() == query_vectors[:, 0].tolist()
    assert list(index_top(index, query_vectors[:0], 100)) == []


def brute_bm25(texts: list[str], query: str) -> list[float]:
    tokens = [text.lower().split() for text in texts]
    average = sum(map(len, tokens)) / len(tokens)
    scores = []
    for text in tokens:
        score = 0.0
        for term in query.lower().split():
            holding = sum(term in text_tokens for text_tokens in tokens)
            if not holding:
                continue
            idf = math.log(1 + (len(tokens) - holding + 0.5) / (holding + 0.5))
            frequency = text.count(term)
            score += idf * frequency / (frequency + 1.2 * (1 - 0.75 + 0.75 * len(text) / average))
        scores.append(score)
    return scores


_VOCABULARY = ["the", "Cat", "sat", "dog", "mat", "of", "ß1"]


@examples(40)
@given(
    texts=st.lists(
        st.lists(st.sampled_from(_VOCABULARY), max_size=8).map(" ".join), min_size=1, max_size=8
    ).filter(any),
    query=st.lists(st.sampled_from([*_VOCABULARY, "unknown"]), max_size=5).map(" ".join),
    depth=st.integers(1, 10),
)
def test_bm25_is_the_formula(texts: list[str], query: str, depth: int) -> None:
    scores, rows = Bm25(texts).top(query, depth)
    expected = brute_bm25(texts, query)
    matching = [row for row, score in enumerate(expected) if score > 0]
    assert len(rows) == len(scores) == min(depth, len(matching))
    np.testing.assert_allclose(scores, [expected[row] for row in rows], rtol=1e-5)
    np.testing.assert_allclose(
        scores, sorted((expected[row] for row in matching), reverse=True)[:depth], rtol=1e-5
    )
    for place in range(1, len(rows)):
        assert scores[place] < scores[place - 1] or rows[place] > rows[place - 1]


def test_bm25_ties_go_to_the_earlier_text() -> None:
    _, rows = Bm25(["a b", "c d", "a b", "a b"]).top("A", 10)
    assert rows.tolist() == [0, 2, 3]


@pytest.mark.parametrize("query", ["", "...", "unknown words"])
def test_bm25_finds_nothing_for_what_it_does_not_know(query: str) -> None:
    scores, rows = Bm25(["a cat", ""]).top(query, 10)
    assert scores.shape == rows.shape == (0,)


@pytest.mark.parametrize("texts", [[], [""], ["...", " "]])
def test_bm25_needs_a_word(texts: list[str]) -> None:
    with pytest.raises(ValueError, match="has a word"):
        Bm25(texts)


@examples(80)
@given(
    texts=st.lists(_TEXTS, min_size=1, max_size=30),
    queries=st.lists(_TEXTS, min_size=1, max_size=4),
    cut=st.integers(1, 30),
    depth=st.integers(1, 12),
)
def test_streamed_bm25_is_bm25_of_the_whole_corpus(
    texts: list[str], queries: list[str], cut: int, depth: int
) -> None:
    if not any(words(text) for text in texts):
        texts = [*texts, "cat"]
    statistics = from_table(count_terms(texts, "c"))
    blocks = [texts[start : start + cut] for start in range(0, len(texts), cut)]
    index = Bm25(texts)
    for query, (scores, rows) in zip(queries, bm25_top(queries, blocks, statistics, depth), strict=True):
        expected_scores, expected_rows = index.top(query, len(texts))
        every = dict(zip(expected_rows.tolist(), expected_scores.tolist(), strict=True))
        assert len(rows) == min(depth, len(every))
        np.testing.assert_allclose(scores, expected_scores[: len(rows)], rtol=1e-5)
        np.testing.assert_allclose(scores, [every[row] for row in rows.tolist()], rtol=1e-5)
        for place in range(len(rows) - 1):
            assert (scores[place], -rows[place]) > (scores[place + 1], -rows[place + 1])
