"""Lower bounds of many costs at once, wherever they are computed: each is below the exact cost."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.retrieval.transport import brute_force
from evidence_assets.retrieval.transport.bounds import Bounds, Tile, centroid_costs, squared_distance_margin
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.objectives import (
    CHUNK_RELAXED,
    QUESTION_RELAXED,
    Objective,
    Partial,
    prepare_side,
)
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import (
    GROUNDS,
    LENGTHS,
    LINEAR_PROGRAMS,
    OBJECTIVES,
    pool,
    text,
    whole_tile,
)

# What an exact cost's own rounding may put it below a sound bound.
ROUNDING = 1e-12
QUESTIONS, CHUNKS = 3, 14


def texts(length: float = 1.0, seed: int = 0, width: int = 6) -> tuple[list[TokenSet], list[TokenSet]]:
    """Questions and chunks of one vocabulary; the last chunk is the first question in another order."""
    drawn = pool(np.random.default_rng(seed), QUESTIONS + CHUNKS, 12, width, length)
    order = np.arange(len(drawn[0].weights))[::-1]
    drawn[-1] = replace(drawn[0], vectors=drawn[0].vectors[order], weights=drawn[0].weights[order])
    return drawn[:QUESTIONS], drawn[QUESTIONS:]


def exact(
    questions: list[TokenSet], chunks: list[TokenSet], ground: GroundCost, objective: Objective
) -> NDArray[np.float64]:
    """Each pair's exact cost, in the order of a whole tile."""
    return np.array(
        [
            solution.cost
            for question in questions
            for solution in brute_force.evaluate(question, chunks, ground, objective)
        ]
    )


@cache
def exact_of(length: float, seed: int, ground: str, objective: Objective) -> NDArray[np.float64]:
    """The exact costs of `texts`: what every bound and storage is held against."""
    return exact(*texts(length, seed), GROUNDS[ground], objective)


def capacities(tile: Tile, objective: Objective) -> np.ndarray:
    if not isinstance(objective, Partial):
        return np.ones(len(tile.question))
    pairs = zip(tile.questions.masses[tile.question], tile.chunks.masses[tile.chunk], strict=True)
    return np.array([Partial.capacity(question, chunk) for question, chunk in pairs])


def as_array(costs: object) -> np.ndarray:
    return np.asarray(costs.cpu() if hasattr(costs, "cpu") else costs, np.float64)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("storage", [np.float16, np.float32])
@pytest.mark.parametrize("name", GROUNDS)
def test_ground_costs_are_bounded_from_below(
    bounds: Bounds, name: str, storage: type[np.floating], length: float
) -> None:
    ground = GROUNDS[name]
    questions, chunks = texts(length)
    tile = whole_tile(questions, chunks, ground, storage)
    bounded = as_array(bounds.costs(tile, ground))[:, : len(tile.questions.features)]
    true = ground.between(
        np.concatenate([tokens.vectors for tokens in chunks]),
        np.concatenate([tokens.vectors for tokens in questions]),
    )
    assert bounded.shape == true.shape
    assert (bounded >= 0).all()
    assert (bounded <= true + ROUNDING).all()
    lost = true - bounded if not isinstance(ground, JensenShannon) else 0.71 * true - bounded
    assert lost.max() < 1e-2 * max(true.max(), 1e-3)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("storage", [np.float16, np.float32])
@pytest.mark.parametrize("name", GROUNDS)
def test_closed_forms_are_bounded_from_below(
    bounds: Bounds, name: str, storage: type[np.floating], length: float
) -> None:
    ground = GROUNDS[name]
    questions, chunks = texts(length, seed=1)
    tile = whole_tile(questions, chunks, ground, storage)
    bounded = bounds.closed_forms(bounds.costs(tile, ground), tile)
    for bound, objective in zip(bounded, (CHUNK_RELAXED, QUESTION_RELAXED), strict=True):
        true = exact_of(length, 1, name, objective)
        assert (bound <= true + ROUNDING).all()
        assert (bound >= 0.6 * true - 0.02 * max(true.max(), 1e-3)).all()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("storage", [np.float16, np.float32])
@pytest.mark.parametrize("name", GROUNDS)
def test_transport_is_bounded_from_below_whatever_the_potentials(
    bounds: Bounds, name: str, storage: type[np.floating], length: float
) -> None:
    ground = GROUNDS[name]
    random = np.random.default_rng(2)
    questions, chunks = texts(length, seed=2)
    tile = whole_tile(questions, chunks, ground, storage)
    costs = bounds.costs(tile, ground)
    centroids = centroid_costs(tile, ground)
    for objective in (OBJECTIVES[program] for program in LINEAR_PROGRAMS):
        true = exact_of(length, 2, name, objective)
        capacity, is_partial = capacities(tile, objective), isinstance(objective, Partial)
        for spread in (0.0, 0.1, 1.0, 30.0):
            potentials = spread * true.max() * random.normal(size=len(tile.questions.features))
            arguments = (costs, tile, potentials, capacity, is_partial)
            first = bounds.duals(*arguments)
            risen = bounds.ascents(*arguments, random.choice([0.3, 0.9, 3.0]) * true)
            for bound in (first, risen):
                assert (bound <= true + ROUNDING * max(1.0, spread)).all()
            assert (risen >= first - ROUNDING * max(1.0, spread)).all()
        if not is_partial:
            assert (centroids <= true + ROUNDING).all()


@pytest.mark.parametrize("name", LINEAR_PROGRAMS)
@pytest.mark.parametrize("zeros", [0.0, 0.3])
def test_a_questions_own_potentials_give_nearly_all_of_its_cost(
    bounds: Bounds, name: str, zeros: float
) -> None:
    random = np.random.default_rng(0)
    ground, objective = Cosine(), OBJECTIVES[name]
    question, chunks = text(random, 12, 16, zeros=zeros), [text(random, 30, 16) for _ in range(8)]
    tile = whole_tile([question], chunks, ground, np.float32)
    costs = bounds.costs(tile, ground)
    for number, chunk in enumerate(chunks):
        solution = objective.solve(ground, prepare_side(question, ground), prepare_side(chunk, ground))
        assert solution.potentials is not None
        single = tile.only(np.array([number]))
        capacity = capacities(single, objective)
        dual_bound = bounds.duals(costs, single, solution.potentials, capacity, name == "partial")
        assert 0.999 * solution.cost < dual_bound[0] <= solution.cost


@pytest.mark.parametrize("name", LINEAR_PROGRAMS)
def test_the_ascent_reaches_the_threshold_it_can_reach(bounds: Bounds, name: str) -> None:
    random = np.random.default_rng(0)
    ground, objective = Cosine(), OBJECTIVES[name]
    questions = [text(random, 8, 16) for _ in range(3)]
    chunks = [text(random, 20, 16) for _ in range(15)]
    tile = whole_tile(questions, chunks, ground, np.float32)
    true, start = exact(questions, chunks, ground, objective), np.zeros(24)
    arguments = (bounds.costs(tile, ground), tile, start, capacities(tile, objective), name == "partial")
    near, far = 0.9 * true, 1.5 * true
    assert (bounds.duals(*arguments) < near).mean() > 0.1
    assert (bounds.ascents(*arguments, near) > near).all()
    unreachable = bounds.ascents(*arguments, far)
    assert (unreachable <= true).all()


def test_a_tiles_pairs_may_be_any_in_any_order(bounds: Bounds) -> None:
    questions, chunks = texts(seed=3)
    ground, random = JensenShannon(), np.random.default_rng(0)
    tile = whole_tile(questions, chunks, ground, np.float32)
    costs = bounds.costs(tile, ground)
    potentials = 0.05 * random.normal(size=len(tile.questions.features))
    capacity, threshold = random.uniform(1, 2, size=len(tile.question)), np.full(len(tile.question), 0.02)
    of_all = [
        *bounds.closed_forms(costs, tile),
        bounds.duals(costs, tile, potentials, capacity, True),
        bounds.ascents(costs, tile, potentials, capacity, True, threshold),
    ]
    chosen = random.permutation(len(tile.question))[:17]
    part = tile.only(chosen)
    some = [
        *bounds.closed_forms(costs, part),
        bounds.duals(costs, part, potentials, capacity[chosen], True),
        bounds.ascents(costs, part, potentials, capacity[chosen], True, threshold[chosen]),
    ]
    for left, right in zip(of_all, some, strict=True):
        # Past its threshold an ascent may stop or go on.
        passed = (left[chosen] > 0.02) & (right > 0.02)
        np.testing.assert_allclose(left[chosen][~passed], right[~passed], atol=1e-9)


@examples(60)
@given(
    width=st.sampled_from([1, 3, 64, 700]),
    left=st.floats(1e-3, 1e3),
    right=st.floats(1e-3, 1e3),
    seed=st.integers(0, 999),
)
def test_the_margin_covers_single_precision(width: int, left: float, right: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    question, chunk = text(random, 20, width, left), text(random, 30, width, right)
    near = replace(question, vectors=question.vectors * np.float32(1 + 1e-3))
    questions, chunks = pack([question], Euclidean()), pack([chunk, near], Euclidean())
    first, second = questions.features.stacked(), chunks.features.stacked()
    distances = questions.squared_norms[:, None] + chunks.squared_norms - 2 * (first @ second.T)
    true = ((first[:, None].astype(np.float64) - second[None]) ** 2).sum(axis=2)
    margin = squared_distance_margin(width, questions, chunks)
    assert np.abs(distances - true).max() <= margin < 1e-3 * (left + right) ** 2


@pytest.mark.parametrize("name", GROUNDS)
def test_the_centroid_bound_of_single_words_is_their_cost(name: str) -> None:
    ground, random = GROUNDS[name], np.random.default_rng(0)
    questions, chunks = ([text(random, 1, 16) for _ in range(count)] for count in (3, 5))
    bound = centroid_costs(whole_tile(questions, chunks, ground, np.float32), ground)
    true = exact(questions, chunks, ground, OBJECTIVES["balanced"])
    assert (bound <= true + ROUNDING).all()
    assert (bound >= (0.71 if isinstance(ground, JensenShannon) else 0.99) * true - 1e-5).all()


def test_the_centroid_bound_orders_a_pool_as_transport_does() -> None:
    from scipy.stats import spearmanr

    random = np.random.default_rng(0)
    ground = JensenShannon()
    topics = random.normal(size=(20, 16))
    question = TokenSet(topics[0] + random.normal(size=(6, 16)), np.ones(6))
    chunks = [TokenSet(topic + random.normal(size=(15, 16)), np.ones(15)) for topic in topics]
    tile = whole_tile([question], chunks, ground, np.float32)
    true = exact([question], chunks, ground, OBJECTIVES["balanced"])
    assert spearmanr(centroid_costs(tile, ground), true).statistic > 0.8
