"""What two texts cost each other, against linear programs solved otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from evidence_assets.retrieval.transport import objectives
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, JensenShannon
from evidence_assets.retrieval.transport.objectives import (
    CHUNK_RELAXED,
    COVERAGE,
    COVERAGE_OF_WORDS,
    QUESTION_RELAXED,
    AlignedWords,
    Balanced,
    ClosedForm,
    Objective,
    Partial,
    Plan,
    Side,
    Solution,
    TransportSolverError,
    prepare_side,
    word_alignment,
)
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import GROUNDS, OBJECTIVES, text

GROUND = JensenShannon()

sizes = given(
    rows=st.integers(1, 6),
    columns=st.integers(1, 7),
    zeros=st.sampled_from([0.0, 0.4]),
    ratio=st.sampled_from([0.1, 1.0, 1.7, 30.0]),
    seed=st.integers(0, 10_000),
)


def two_sides(
    rows: int, columns: int, zeros: float = 0.0, ratio: float | None = None, seed: int = 0
) -> tuple[Side, Side, np.ndarray]:
    """Two random texts and their costs; the chunk's mass is `ratio` times the question's."""
    random = np.random.default_rng(seed)
    question, chunk = text(random, rows, zeros=zeros), text(random, columns, zeros=zeros)
    if ratio is not None:
        chunk = replace(chunk, weights=chunk.weights * ratio * question.mass / chunk.mass)
    sides = prepare_side(question, GROUND), prepare_side(chunk, GROUND)
    return *sides, GROUND.matrix(sides[0].prepared, sides[1].prepared)


def program(
    cost: np.ndarray,
    rows: np.ndarray | None = None,
    columns: np.ndarray | None = None,
    room: np.ndarray | None = None,
) -> float:
    """min <C, T> with T 1 = rows, T' 1 = columns, T' 1 <= room, whichever are given."""
    by_row = np.kron(np.eye(cost.shape[0]), np.ones(cost.shape[1]))
    by_column = np.kron(np.ones(cost.shape[0]), np.eye(cost.shape[1]))
    equal = [(by_row, rows), (by_column, columns)]
    held = [(matrix, side) for matrix, side in equal if side is not None]
    result = linprog(
        cost.ravel(),
        A_eq=np.vstack([matrix for matrix, _ in held]),
        b_eq=np.concatenate([side for _, side in held]),
        A_ub=None if room is None else by_column,
        b_ub=room,
        bounds=(0, None),
        method="highs",
    )
    assert result.status == 0
    assert result.fun is not None
    return float(result.fun)


def dual(solution: Solution, question: Side, chunk: Side, cost: np.ndarray) -> float:
    """D(f) of the solution's potentials, with capacity where the solution has one."""
    assert solution.potentials is not None
    least = (cost - solution.potentials[:, None]).min(axis=0)
    capacity = solution.parts.get("capacity")
    if capacity is not None:
        least = capacity * np.minimum(0, least)
    return float(question.marginal @ solution.potentials + chunk.marginal @ least)


@examples(80)
@sizes
def test_balanced_is_the_linear_program(
    rows: int, columns: int, zeros: float, ratio: float, seed: int
) -> None:
    question, chunk, cost = two_sides(rows, columns, zeros, ratio, seed)
    solution = Balanced().solve(GROUND, question, chunk)
    assert solution.cost == pytest.approx(program(cost, question.marginal, chunk.marginal), abs=1e-9)
    assert solution.cost == pytest.approx(ot.emd2(question.marginal, chunk.marginal, cost), abs=1e-12)
    assert solution.parts == {"transport_cost": solution.cost}


@examples(80)
@sizes
def test_partial_is_the_linear_program_with_capacities(
    rows: int, columns: int, zeros: float, ratio: float, seed: int
) -> None:
    question, chunk, cost = two_sides(rows, columns, zeros, ratio, seed)
    solution = Partial().solve(GROUND, question, chunk)
    capacity = max(1.0, ratio)
    assert solution.parts["capacity"] == pytest.approx(capacity)
    expected = program(cost, question.marginal, room=capacity * chunk.marginal + 1e-12)
    assert solution.cost == solution.parts["transport_cost"] == pytest.approx(expected, abs=1e-9)


@examples(60)
@sizes
def test_closed_forms_are_linear_programs_with_one_marginal_released(
    rows: int, columns: int, zeros: float, ratio: float, seed: int
) -> None:
    question, chunk, cost = two_sides(rows, columns, zeros, ratio, seed)
    covering = program(cost, rows=question.marginal)
    saying = program(cost, columns=chunk.marginal)
    assert question.sentence is not None and chunk.sentence is not None
    sentence = (1 - question.sentence @ chunk.sentence) / 16
    expected = {
        CHUNK_RELAXED: covering,
        QUESTION_RELAXED: saying,
        COVERAGE_OF_WORDS: 0.75 * covering + 0.25 * saying,
        COVERAGE: 0.75 * covering + 0.25 * saying + 0.5 * sentence,
        ClosedForm("own", 2.0, 3.0, 5.0): 2 * covering + 3 * saying + 5 * sentence,
    }
    for form, value in expected.items():
        solution = form.solve(GROUND, question, chunk)
        assert solution.cost == pytest.approx(value, abs=1e-9)
        assert solution.parts["question_cost"] == pytest.approx(covering, abs=1e-9)
        assert solution.parts["chunk_cost"] == pytest.approx(saying, abs=1e-9)
        assert solution.potentials is None
        if form.sentence:
            assert solution.parts["sentence_cost"] == pytest.approx(sentence, abs=1e-12)


@pytest.mark.parametrize("ratio", [0.2, 1.0])
def test_partial_without_spare_capacity_is_balanced(ratio: float) -> None:
    for seed in range(20):
        question, chunk, _ = two_sides(5, 7, 0.2, ratio, seed)
        partial = Partial().solve(GROUND, question, chunk)
        assert partial.cost == pytest.approx(Balanced().solve(GROUND, question, chunk).cost, abs=1e-12)
        assert partial.parts["capacity"] == pytest.approx(1.0)


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12])
def test_partial_with_all_the_capacity_it_wants_covers_the_question(ratio: float) -> None:
    for seed in range(20):
        question, chunk, _ = two_sides(5, 7, 0.0, ratio, seed)
        partial, relaxed = (form.solve(GROUND, question, chunk) for form in (Partial(), CHUNK_RELAXED))
        assert partial.cost == pytest.approx(relaxed.cost, abs=1e-12)


def test_capacity_is_the_ratio_of_masses_but_never_below_one() -> None:
    assert Partial.capacity(2.0, 5.0) == 2.5
    assert Partial.capacity(5.0, 2.0) == Partial.capacity(2.0, 2.0) == 1.0


def test_more_capacity_never_costs_more() -> None:
    for seed in range(10):
        costs = []
        for ratio in (0.5, 1.0, 1.0 + 1e-12, 1.2, 3.0, 50.0):
            question, chunk, _ = two_sides(5, 8, 0.0, ratio, seed)
            costs.append(Partial().solve(GROUND, question, chunk).cost)
        assert np.diff(costs).max() < 1e-12


@pytest.mark.parametrize("zeros", [0.0, 0.4])
@pytest.mark.parametrize("ratio", [0.3, 1.0, 1.0 + 1e-12, 2.0, 100.0])
@pytest.mark.parametrize("objective", [Balanced(), Partial()], ids=lambda objective: objective.name)
def test_potentials_are_feasible_and_reach_the_cost(objective: Objective, ratio: float, zeros: float) -> None:
    for seed in range(15):
        rows = 1 + seed % 9
        question, chunk, cost = two_sides(rows, 12, zeros, ratio, seed)
        solution = objective.solve(GROUND, question, chunk)
        assert solution.potentials is not None
        assert solution.potentials.shape == (rows,)
        assert dual(solution, question, chunk, cost) == pytest.approx(solution.cost, abs=1e-9)


def test_balanced_potentials_are_centred() -> None:
    question, chunk, _ = two_sides(6, 9)
    solution = Balanced().solve(GROUND, question, chunk)
    assert solution.potentials is not None
    assert question.marginal @ solution.potentials == pytest.approx(0, abs=1e-15)


@examples(60)
@sizes
def test_plans_have_the_marginals_and_the_cost(
    rows: int, columns: int, zeros: float, ratio: float, seed: int
) -> None:
    question, chunk, cost = two_sides(rows, columns, zeros, ratio, seed)
    for objective in OBJECTIVES.values():
        plan = objective.plan(GROUND, question, chunk)
        solution = objective.solve(GROUND, question, chunk)
        np.testing.assert_array_equal(plan.costs, cost)
        assert (plan.masses >= 0).all()
        words = solution.cost - getattr(objective, "sentence", 0.0) * solution.parts.get("sentence_cost", 0)
        assert (plan.masses * plan.costs).sum() == pytest.approx(words, abs=1e-12)
        rows_sum, columns_sum = plan.masses.sum(axis=1), plan.masses.sum(axis=0)
        if objective.name == "balanced":
            np.testing.assert_allclose(rows_sum, question.marginal, atol=1e-12)
            np.testing.assert_allclose(columns_sum, chunk.marginal, atol=1e-12)
        elif objective.name == "partial":
            np.testing.assert_allclose(rows_sum, question.marginal, atol=1e-12)
            assert (columns_sum <= max(1.0, ratio) * chunk.marginal + 1e-12).all()
        else:
            assert isinstance(objective, ClosedForm)
            assert plan.masses.sum() == pytest.approx(objective.covering + objective.saying)
            assert (rows_sum >= objective.covering * question.marginal - 1e-12).all()
            assert (columns_sum >= objective.saying * chunk.marginal - 1e-12).all()


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_text_costs_itself_nothing(name: str) -> None:
    side = prepare_side(text(np.random.default_rng(0), 6), GROUND)
    solution = OBJECTIVES[name].solve(GROUND, side, side)
    assert solution.cost == pytest.approx(0, abs=1e-7)
    assert OBJECTIVES[name].name == name


def test_a_chunk_that_says_more_covers_but_costs() -> None:
    random = np.random.default_rng(0)
    question, addition = text(random, 4), text(random, 5)
    longer = TokenSet(np.vstack([question.vectors, addition.vectors]), np.ones(9), question.sentence)
    sides = prepare_side(question, Cosine()), prepare_side(longer, Cosine())
    assert CHUNK_RELAXED.solve(Cosine(), *sides).cost == pytest.approx(0, abs=1e-12)
    assert QUESTION_RELAXED.solve(Cosine(), *sides).cost > 0.01
    assert Balanced().solve(Cosine(), *sides).cost > 0.01


def test_the_order_of_words_and_the_unit_of_weights_do_not_matter() -> None:
    random = np.random.default_rng(1)
    question, chunk = text(random, 5), text(random, 8)
    order = random.permutation(8)
    moved = TokenSet(chunk.vectors[order], 7 * chunk.weights[order], chunk.sentence)
    for objective in (Balanced(), COVERAGE, QUESTION_RELAXED):
        costs = [
            objective.solve(GROUND, prepare_side(question, GROUND), prepare_side(variant, GROUND)).cost
            for variant in (chunk, moved)
        ]
        assert costs[0] == pytest.approx(costs[1], abs=1e-12)


def test_a_text_without_a_sentence_vector() -> None:
    random = np.random.default_rng(0)
    with_one = prepare_side(text(random, 3), GROUND)
    without = prepare_side(replace(text(random, 3), sentence=None), GROUND)
    for sides in ((with_one, without), (without, with_one)):
        with pytest.raises(InvalidTokenSetError, match="coverage compares sentence vectors"):
            COVERAGE.solve(GROUND, *sides)
        assert COVERAGE_OF_WORDS.solve(GROUND, *sides).cost > 0


@pytest.mark.parametrize("name", GROUNDS)
def test_a_broken_text_is_refused_by_name(name: str) -> None:
    sound = text(np.random.default_rng(0), 3)
    with pytest.raises(InvalidTokenSetError, match="chunk c7"):
        prepare_side(replace(sound, weights=np.zeros(3)), GROUNDS[name], "chunk c7")
    zero = replace(sound, vectors=sound.vectors * np.array([[1], [0], [1]], np.float32))
    if name == "cosine":
        with pytest.raises(InvalidTokenSetError, match="chunk c7: a zero vector"):
            prepare_side(zero, GROUNDS[name], "chunk c7")
    else:
        assert prepare_side(zero, GROUNDS[name], "chunk c7").dimension == 6


def test_a_solver_that_gives_up_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objectives, "_PIVOTS", 1)
    random = np.random.default_rng(0)
    sides = [prepare_side(text(random, 40), Euclidean()) for _ in range(2)]
    with (
        pytest.warns(UserWarning, match="numItermax"),
        pytest.raises(TransportSolverError, match="network simplex on 40 x 40"),
    ):
        Balanced().solve(Euclidean(), *sides)


def test_matches_are_the_largest_movements_first_by_the_texts_words() -> None:
    plan = Plan(np.array([[0.2, 0.0, 0.5], [1e-12, 0.2, 0.1]]), np.arange(6.0).reshape(2, 3))
    question = TokenSet(np.eye(2), np.ones(2), words=("what", "cat"))
    chunk = TokenSet(np.eye(3), np.ones(3), words=("a", "tom", "mat"))
    assert word_alignment(plan, question, chunk) == [
        AlignedWords("what", "mat", 0.5, 2.0),
        AlignedWords("cat", "tom", 0.2, 4.0),
        AlignedWords("what", "a", 0.2, 0.0),
        AlignedWords("cat", "mat", 0.1, 5.0),
    ]
    assert [match.mass for match in word_alignment(plan, question, chunk, least=0.15)] == [0.5, 0.2, 0.2]
    assert len(word_alignment(plan, question, chunk, least=0.0)) == 5
    unnamed = word_alignment(plan, replace(question, words=()), replace(chunk, words=()))
    assert (unnamed[0].question_word, unnamed[0].chunk_word) == ("0", "2")
