"""Coverage's closed forms against a linear program and a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from evidence_assets.transport.coverage import (
    InvalidTokenSetError,
    TokenSet,
    check_token_set,
    coverage_costs,
)


def tokens(count: int, random: np.random.Generator, width: int = 5) -> TokenSet:
    drawn = random.normal(size=(count + 1, width))
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    weights = random.uniform(0.01, 1, size=count)
    return TokenSet(
        drawn[1:].astype(np.float32), weights / max(weights.sum(), 1e-9), drawn[0].astype(np.float32)
    )


def released_transport(cost: np.ndarray, marginal: np.ndarray, axis: int) -> float:
    """The least cost of moving `marginal` (rows for axis 1, columns for axis 0), the other side free."""
    rows, columns = cost.shape
    constraints = []
    for index in range(len(marginal)):
        plan = np.zeros((rows, columns))
        plan[(index, slice(None)) if axis == 1 else (slice(None), index)] = 1
        constraints.append(plan.ravel())
    result = linprog(
        cost.ravel(), A_eq=np.array(constraints), b_eq=marginal, bounds=(0, None), method="highs"
    )
    assert result.status == 0
    return float(result.fun)


@settings(max_examples=60, deadline=None)
@given(
    lengths=st.lists(st.integers(1, 6), min_size=1, max_size=4),
    words=st.integers(1, 7),
    seed=st.integers(0, 10_000),
)
def test_costs_are_the_optima_of_transport_with_one_marginal_released(
    lengths: list[int], words: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    questions, chunk = [tokens(length, random) for length in lengths], tokens(words, random)
    found = coverage_costs(questions, chunk)
    for place, question in enumerate(questions):
        cost = (1 - question.vectors.astype(np.float64) @ chunk.vectors.T.astype(np.float64)) / 16
        question_cost = released_transport(cost, question.weights, axis=1)
        chunk_cost = released_transport(cost, chunk.weights, axis=0)
        sentence_cost = (1 - float(question.sentence @ chunk.sentence)) / 16
        assert found.question[place] == pytest.approx(question_cost, abs=1e-6)
        assert found.chunk[place] == pytest.approx(chunk_cost, abs=1e-6)
        assert found.sentence[place] == pytest.approx(sentence_cost, abs=1e-6)
        total = 0.75 * question_cost + 0.25 * chunk_cost + 0.5 * sentence_cost
        assert found.total[place] == pytest.approx(total, abs=1e-6)


@settings(max_examples=100, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 5), min_size=1, max_size=8),
    words=st.integers(0, 6),
    seed=st.integers(0, 10_000),
)
def test_many_questions_at_once_are_each_alone(lengths: list[int], words: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    questions, chunk = [tokens(length, random) for length in lengths], tokens(words, random)
    together = coverage_costs(questions, chunk)
    for place, question in enumerate(questions):
        alone = coverage_costs([question], chunk)
        for name in ("question", "chunk", "sentence", "total"):
            assert getattr(together, name)[place] == pytest.approx(getattr(alone, name)[0], abs=1e-7)
        if len(question.weights) and words:
            cost = [[(1 - float(a @ b)) / 16 for b in chunk.vectors] for a in question.vectors]
            covered = sum(w * min(row) for w, row in zip(question.weights, cost, strict=True))
            explained = sum(
                w * min(column) for w, column in zip(chunk.weights, zip(*cost, strict=True), strict=True)
            )
        else:
            covered = explained = 1 / 16
        assert together.question[place] == pytest.approx(covered, abs=1e-6)
        assert together.chunk[place] == pytest.approx(explained, abs=1e-6)


def test_a_chunk_that_says_the_question_costs_nothing() -> None:
    random = np.random.default_rng(0)
    question = tokens(4, random)
    other = tokens(5, random)
    longer = TokenSet(np.vstack([question.vectors, other.vectors]), np.full(9, 1 / 9), question.sentence)
    same = coverage_costs([question], question)
    np.testing.assert_allclose(same.total, 0, atol=1e-7)
    more = coverage_costs([question], longer)
    np.testing.assert_allclose(more.question, 0, atol=1e-7)  # all is covered
    assert more.chunk[0] > 0.01  # but much else is said


def broken(part: str, value: float) -> TokenSet:
    whole = tokens(3, np.random.default_rng(0))
    parts = {name: np.array(getattr(whole, name)) for name in ("vectors", "weights", "sentence")}
    parts[part].flat[1] = value
    return TokenSet(**parts)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("part", ["vectors", "weights", "sentence"])
def test_what_is_not_finite_is_refused_by_name(part: str, value: float) -> None:
    with pytest.raises(InvalidTokenSetError, match="chunk c7"):
        check_token_set(broken(part, value), "chunk c7")


def test_weights_that_do_not_fit_are_refused_by_name() -> None:
    whole = tokens(3, np.random.default_rng(0))
    with pytest.raises(InvalidTokenSetError, match="query q/0: 3 vectors but 2 weights"):
        check_token_set(TokenSet(whole.vectors, whole.weights[:2], whole.sentence), "query q/0")
    check_token_set(whole, "whole")
    check_token_set(tokens(0, np.random.default_rng(0)), "no words")
