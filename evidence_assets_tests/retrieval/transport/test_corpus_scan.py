"""A whole corpus ranked at once is a double loop over it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport import corpus_scan
from evidence_assets.retrieval.transport.cascade import Budget
from evidence_assets.retrieval.transport.corpus_scan import rank_corpus
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.objectives import (
    COVERAGE,
    ClosedForm,
)
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import CLOSED_FORMS, best


def text(random: np.random.Generator, words: int, width: int = 8) -> TokenSet:
    """Words drawn from few directions, so that texts tie and come near to it."""
    vectors = np.round(random.normal(size=(words, width)), 1).astype(np.float32) + np.float32(0.05)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sentence = vectors.sum(axis=0)
    return TokenSet(vectors, random.random(words) + 1e-3, sentence / np.linalg.norm(sentence))


def texts(random: np.random.Generator, count: int, longest: int) -> list[TokenSet]:
    drawn = [text(random, int(random.integers(1, longest + 1))) for _ in range(count)]
    # The same text twice: the lower number goes first.
    return [*drawn, *drawn[: count // 3]]


def source_of(chunks: list[TokenSet]) -> PackedSource:
    return PackedSource(chunks, Cosine())


@examples(60)
@given(form=st.sampled_from(CLOSED_FORMS), seed=st.integers(0, 10_000), depth=st.integers(1, 12))
def test_a_ranking_is_a_double_loop(form: ClosedForm, seed: int, depth: int) -> None:
    random = np.random.default_rng(seed)
    questions, chunks = texts(random, 4, 6), texts(random, 30, 9)
    depths = [depth + place % 2 for place in range(len(questions))]
    rankings = rank_corpus(questions, source_of(chunks), form, depths)
    for question, ranking, wanted in zip(questions, rankings, depths, strict=True):
        expected = best(question, chunks, Cosine(), form, wanted)
        assert ranking.chunks.tolist() == [number for number, _ in expected]
        assert ranking.costs.tolist() == [solution.cost for _, solution in expected]
        certificate = ranking.certificate
        assert certificate.status == "proved"
        assert certificate.pool == len(chunks) == certificate.solved + certificate.bound
        assert certificate.threshold == ranking.costs[-1]


def test_a_certificate_is_the_same_whatever_is_asked_beside_it() -> None:
    random = np.random.default_rng(8)
    questions, chunks = texts(random, 6, 6), texts(random, 30, 9)
    together = rank_corpus(questions, source_of(chunks), COVERAGE, [4] * len(questions))
    for question, ranking in zip(questions, together, strict=True):
        [alone] = rank_corpus([question], source_of(chunks), COVERAGE, [4])
        assert alone.certificate == ranking.certificate


def test_bounds_hold_where_words_almost_tie(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks that differ by less than words as bytes can tell are told apart all the same, block by block."""
    monkeypatch.setattr(corpus_scan, "_CHUNK_WORDS", 16)
    monkeypatch.setattr(corpus_scan, "_QUESTION_WORDS", 10)
    monkeypatch.setattr(corpus_scan, "_MOST_OPEN", 40)
    random = np.random.default_rng(5)
    base = text(random, 5, 32)
    chunks = []
    for _ in range(80):
        moved = base.vectors + random.normal(size=base.vectors.shape) * 1e-4
        moved /= np.linalg.norm(moved, axis=1, keepdims=True)
        chunks.append(TokenSet(moved.astype(np.float32), base.weights, base.sentence))
    questions = [text(random, 5, 32) for _ in range(6)]
    progress: list[tuple[int, int]] = []
    rankings = rank_corpus(
        questions,
        source_of(chunks),
        COVERAGE,
        [5] * 6,
        progress=lambda *done: progress.append(done),
    )
    assert progress[-1] == (80, 80)
    assert len(progress) > 20
    for question, ranking in zip(questions, rankings, strict=True):
        expected = best(question, chunks, Cosine(), COVERAGE, 5)
        assert ranking.chunks.tolist() == [number for number, _ in expected]


def test_texts_that_cannot_be_compared_are_refused_and_counted() -> None:
    random = np.random.default_rng(1)
    broken = TokenSet(np.full((2, 8), np.nan, np.float32), np.ones(2), np.ones(8))
    chunks = [text(random, 3), broken, text(random, 4)]
    empty = TokenSet(np.empty((0, 8), np.float32), np.empty(0))
    good, bad = rank_corpus([text(random, 3), empty], source_of(chunks), COVERAGE, [5, 5], names=["a", "b"])
    assert sorted(good.chunks.tolist()) == [0, 2]
    assert (good.certificate.refused, good.certificate.solved, good.certificate.pool) == (1, 2, 3)
    assert bad.certificate.status == "refused"
    assert bad.refusal.startswith("b: no words")
    (alone,) = rank_corpus([empty], source_of(chunks), COVERAGE, [5])
    assert (alone.certificate.open, alone.certificate.pool) == (3, 3)
    assert rank_corpus([], source_of(chunks), COVERAGE, []) == []


def test_past_its_time_a_scan_says_what_it_did_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus_scan, "_CHUNK_WORDS", 8)
    random = np.random.default_rng(2)
    chunks = [text(random, 4) for _ in range(20)]
    (ranking,) = rank_corpus([text(random, 3)], source_of(chunks), COVERAGE, [3], Budget(seconds=0.0))
    assert ranking.certificate.status == "anytime"
    assert ranking.certificate.open > 0
    assert len(ranking.chunks) == min(3, 20 - ranking.certificate.open)


def test_a_sentence_term_needs_sentences() -> None:
    random = np.random.default_rng(3)
    sound = text(random, 3)
    bare = TokenSet(sound.vectors, sound.weights)
    with pytest.raises(ValueError, match="coverage compares sentence vectors"):
        rank_corpus([bare], source_of([sound]), COVERAGE, [1])
