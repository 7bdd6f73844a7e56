"""Closed forms of many chunks at once are those of each alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.closed_forms import exact_costs
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.objectives import (
    COVERAGE,
    COVERAGE_OF_WORDS,
    ClosedForm,
    prepare_side,
)
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets_tests.testing.profiles import examples


def text(random: np.random.Generator) -> TokenSet:
    words = int(random.integers(1, 9))
    sentence = random.normal(size=6)
    vectors = random.normal(size=(words, 6)).astype(np.float32)
    return TokenSet(vectors, random.random(words) + 1e-3, sentence / np.linalg.norm(sentence))


@examples(40)
@given(
    seed=st.integers(0, 10_000), count=st.integers(0, 12), form=st.sampled_from([COVERAGE, COVERAGE_OF_WORDS])
)
def test_costs_are_those_of_each_alone(seed: int, count: int, form: ClosedForm) -> None:
    random = np.random.default_rng(seed)
    question, chunks = prepare_side(text(random), Cosine()), [text(random) for _ in range(count)]
    alone = [form.solve(Cosine(), question, prepare_side(chunk, Cosine())).cost for chunk in chunks]
    np.testing.assert_allclose(exact_costs(form, question, chunks), alone, atol=1e-14)


def test_a_sentence_term_needs_sentences() -> None:
    random = np.random.default_rng(0)
    sound = text(random)
    with pytest.raises(ValueError, match="a text has none"):
        exact_costs(COVERAGE, prepare_side(sound, Cosine()), [TokenSet(sound.vectors, sound.weights)])
