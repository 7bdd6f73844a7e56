"""Ready ways to compare a question with a chunk."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, JensenShannon
from evidence_assets.retrieval.transport.marginals import (
    bm25_marginal,
    idf_marginal,
    printed_bm25_marginal,
    uniform_marginal,
)
from evidence_assets.retrieval.transport.methods import METHODS, Method, Scaling
from evidence_assets.retrieval.transport.objectives import COVERAGE, COVERAGE_OF_WORDS, Balanced, Partial
from evidence_assets.retrieval.transport.token_sets import check_token_set
from evidence_assets.text.term_statistics import count_terms, from_table
from evidence_assets_tests.testing.transport_texts import WordEncoder

STATISTICS = from_table(count_terms(["the cat sat", "the dog ran", "the mat", "a cat"], "k"))


@pytest.mark.parametrize(
    ("name", "expected"),
    {
        "coverage": Method(Cosine(), COVERAGE, bm25_marginal, Scaling.UNIT),
        "coverage_words": Method(Cosine(), COVERAGE_OF_WORDS, bm25_marginal, Scaling.UNIT),
        "coverage_jensen_shannon": Method(JensenShannon(), COVERAGE, bm25_marginal, Scaling.UNIT),
        "balanced": Method(JensenShannon(), Balanced(), bm25_marginal, Scaling.UNIT),
        "partial": Method(JensenShannon(), Partial(), bm25_marginal, Scaling.UNIT),
        "paper": Method(JensenShannon(1.0, far=True), Balanced(), printed_bm25_marginal, Scaling.WEIGHTED),
        "moverscore": Method(Euclidean(), Balanced(), idf_marginal, Scaling.UNIT),
        "word_movers_distance": Method(Euclidean(), Balanced(), uniform_marginal, Scaling.RAW),
    }.items(),
)
def test_a_name_means_one_method(name: str, expected: Method) -> None:
    assert METHODS[name] == expected
    assert METHODS[name].solves == (expected.objective.name in ("balanced", "partial"))


@pytest.mark.parametrize("name", METHODS)
def test_a_methods_texts_can_be_compared(name: str) -> None:
    for encoded in WordEncoder().encode_words(["the cat sat", "the the", "unknown words", "cat"]):
        tokens = METHODS[name].token_set(encoded, STATISTICS)
        check_token_set(tokens, "text", 7)
        assert list(tokens.words) == encoded.words
        np.testing.assert_array_equal(tokens.sentence, encoded.sentence)
        np.testing.assert_array_equal(tokens.weights, METHODS[name].marginal(encoded.words, STATISTICS))


def test_scalings() -> None:
    (encoded,) = WordEncoder().encode_words(["the cat sat on the mat"])
    unit, raw, weighted = (
        Method(Cosine(), COVERAGE, scaling=scaling).token_set(encoded, STATISTICS)
        for scaling in (Scaling.UNIT, Scaling.RAW, Scaling.WEIGHTED)
    )
    np.testing.assert_allclose(np.linalg.norm(unit.vectors, axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(raw.vectors, encoded.vectors)
    np.testing.assert_allclose(weighted.vectors, encoded.vectors * weighted.weights[:, None], rtol=1e-6)
    assert {tokens.vectors.dtype for tokens in (unit, raw, weighted)} == {np.dtype(np.float32)}


def test_a_text_without_words_has_none() -> None:
    (encoded,) = WordEncoder().encode_words([""])
    for method in METHODS.values():
        tokens = method.token_set(encoded, STATISTICS)
        assert tokens.vectors.shape == (0, 7)
        assert tokens.weights.shape == (0,)
