"""BM25 weights of a text's words."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_assets.corpus.term_statistics import TermStatistics, count_terms, from_table
from evidence_assets.transport.marginals import bm25_marginal

STATISTICS = from_table(count_terms(["the cat sat on the mat", "the dog", "the the bird", "a cat"], "k"))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(["the", "cat", "dog", "unknown", "a"]), min_size=1, max_size=20))
def test_weights_are_normalised_bm25(words: list[str]) -> None:
    found = bm25_marginal(words, STATISTICS)
    raw = []
    for word in words:
        holding = {"the": 3, "cat": 2, "dog": 1, "a": 1}.get(word, 0)
        idf = math.log(1 + (4 - holding + 0.5) / (holding + 0.5))
        frequency = words.count(word)
        length = 1.2 * (1 - 0.75 + 0.75 * len(words) / (13 / 4))
        raw.append(idf * frequency * 2.2 / (frequency + length))
    np.testing.assert_allclose(found, np.array(raw) / sum(raw), rtol=1e-12)
    assert found.shape == (len(words),)
    np.testing.assert_allclose(found.sum(), 1)
    assert (found > 0).all()


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    the, dog = bm25_marginal(["the", "dog"], STATISTICS)
    assert dog > the > 0


def test_edges() -> None:
    assert bm25_marginal([], STATISTICS).shape == (0,)
    np.testing.assert_array_equal(bm25_marginal(["x"], STATISTICS), [1.0])
    nothing = TermStatistics({}, 0, 0.0)
    np.testing.assert_allclose(bm25_marginal(["a", "b", "c"], nothing), [1 / 3] * 3)
