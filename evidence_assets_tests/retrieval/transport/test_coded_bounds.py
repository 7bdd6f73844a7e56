"""Closed forms of the cosine cost from words as integers: the true costs lie within what is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport import brute_force
from evidence_assets.retrieval.transport.coded_bounds import coded_costs, coded_texts
from evidence_assets.retrieval.transport.ground_costs import COSINE_SCALE, Cosine, JensenShannon
from evidence_assets.retrieval.transport.objectives import (
    COVERAGE,
    ClosedForm,
)
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import CLOSED_FORMS, LENGTHS, pool, text


@examples(60)
@given(
    form=st.sampled_from(CLOSED_FORMS),
    length=st.sampled_from(LENGTHS),
    width=st.sampled_from([2, 6, 40]),
    seed=st.integers(0, 9999),
)
def test_true_costs_lie_within_the_errors(form: ClosedForm, length: float, width: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    texts = pool(random, 12, 9, width, length)
    questions, chunks = texts[:4], texts[4:]
    costs, errors = coded_costs(form, *(coded_texts(pack(side, Cosine())) for side in (questions, chunks)))
    true = np.array(
        [
            [
                solution.cost / COSINE_SCALE
                for solution in brute_force.evaluate(question, chunks, Cosine(), form)
            ]
            for question in questions
        ]
    )
    assert (np.abs(true - costs) <= errors + 1e-12).all()
    assert errors.max() < 0.05


def test_texts_of_some_are_those_of_all() -> None:
    texts = pool(np.random.default_rng(3), 9, 7)
    whole = coded_texts(pack(texts, Cosine()))
    alone = coded_texts(pack(texts[2:5], Cosine()))
    bounds = coded_costs(COVERAGE, whole.between(2, 5), whole), coded_costs(COVERAGE, alone, whole)
    for left, right in zip(*bounds, strict=True):
        np.testing.assert_allclose(left, right, atol=1e-15)


@pytest.mark.parametrize("chosen", [[2, 3, 4], [7, 0, 3], []])
def test_words_of_some_texts_are_those_of_all(chosen: list[int]) -> None:
    texts = pool(np.random.default_rng(3), 9, 7)
    whole = coded_texts(pack(texts, Cosine())).words
    part = whole.take(np.array(chosen, np.int64))
    assert part.lengths.tolist() == [len(texts[number].weights) for number in chosen]
    for place, number in enumerate(chosen):
        left, right = part.between(place, place + 1), whole.between(number, number + 1)
        np.testing.assert_array_equal(left.codes.values, right.codes.values)
        np.testing.assert_array_equal(left.codes.steps, right.codes.steps)
        np.testing.assert_array_equal(left.marginals, right.marginals)


def test_only_texts_for_the_cosine_cost_are_kept_as_integers() -> None:
    random = np.random.default_rng(0)
    with pytest.raises(ValueError, match="packed for the cosine cost"):
        coded_texts(pack([text(random, 3)], JensenShannon()))
    bare = coded_texts(pack([replace(text(random, 3), sentence=None)], Cosine()))
    with pytest.raises(ValueError, match="coverage compares sentence vectors"):
        coded_costs(COVERAGE, bare, bare)
