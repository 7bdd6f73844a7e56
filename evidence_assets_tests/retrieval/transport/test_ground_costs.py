"""What it costs to explain one word by another, and the features that bound it from below."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import iv, mp, mpf
from numpy.typing import NDArray
from scipy.spatial.distance import cdist, jensenshannon
from scipy.special import rel_entr, softmax

from evidence_assets.retrieval.transport.ground_costs import (
    FAR_FREQUENCY,
    FAR_STILL,
    FAR_TURNED,
    Cosine,
    Euclidean,
    GroundCost,
    JensenShannon,
)
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import GROUNDS, LENGTHS, unit

TEMPERATURES = [0.02, 0.05, 0.2, 1.0, 3.0, 10.0]


def drawn(count: int, width: int, seed: int) -> NDArray[np.float64]:
    return unit(np.random.default_rng(seed), count, width)


def scipys(left: np.ndarray, right: np.ndarray, sharpness: float) -> NDArray[np.float64]:
    first, second = softmax(left * sharpness, axis=1), softmax(right * sharpness, axis=1)
    # Of a divergence of 0 that rounding made negative, scipy takes the root.
    with np.errstate(invalid="ignore"):
        costs: NDArray[np.float64] = np.nan_to_num(
            [[jensenshannon(p, q) ** 2 for q in second] for p in first]
        )
        return costs


def bound_of(ground: GroundCost, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The cost's lower bound from its features, by differences in double precision."""
    squared = cdist(ground.features(left), ground.features(right), "sqeuclidean")
    return ground.scale * (np.sqrt(squared) if ground.is_root else 0.5 * squared)


@examples(60)
@given(
    left=st.integers(1, 4),
    right=st.integers(1, 5),
    width=st.integers(2, 50),
    sharpness=st.one_of(st.none(), st.floats(0.1, 30)),
    seed=st.integers(0, 999),
)
def test_jensen_shannon_is_scipys(
    left: int, right: int, width: int, sharpness: float | None, seed: int
) -> None:
    first, second = drawn(left, width, seed), drawn(right, width, seed + 1)
    costs = JensenShannon(sharpness).between(first, second)
    expected = scipys(first, second, np.sqrt(width) / 2 if sharpness is None else sharpness)
    np.testing.assert_allclose(costs, expected, atol=1e-9)
    assert (costs >= 0).all()
    assert (costs <= np.log(2) + 1e-12).all()


@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_jensen_shannon_is_half_of_two_relative_entropies(temperature: float) -> None:
    left, right = drawn(8, 64, 0), drawn(9, 64, 1)
    first, second = softmax(left / temperature, axis=1), softmax(right / temperature, axis=1)
    middle = (first[:, None] + second[None]) / 2
    expected = (rel_entr(first[:, None], middle).sum(axis=2) + rel_entr(second[None], middle).sum(axis=2)) / 2
    costs = JensenShannon.at_temperature(temperature).between(left, right)
    np.testing.assert_allclose(costs, expected, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(
    ("kind", "sharpness"),
    [(np.float16, 50.0), (np.float32, 20.0), (np.float32, 200.0), (np.float64, 1e3), (np.float64, 1e4)],
)
def test_jensen_shannon_stays_finite_however_sharp(sharpness: float, kind: type[np.floating]) -> None:
    vectors = drawn(4, 64, 0).astype(kind)
    costs = JensenShannon(sharpness).between(vectors, vectors)
    exact = vectors.astype(np.float64)
    np.testing.assert_allclose(costs, scipys(exact, exact, sharpness), atol=1e-9)


@pytest.mark.parametrize("length", LENGTHS)
def test_cosine_and_euclidean_are_scipys(length: float) -> None:
    left, right = drawn(7, 20, 0) * length, drawn(9, 20, 1) * length
    np.testing.assert_allclose(Cosine().between(left, right), cdist(left, right, "cosine") / 16, atol=1e-15)
    np.testing.assert_allclose(Euclidean().between(left, right), cdist(left, right), rtol=1e-12)


@pytest.mark.parametrize("name", GROUNDS)
def test_costs_are_symmetric_never_negative_and_nothing_between_equals(name: str) -> None:
    ground = GROUNDS[name]
    vectors = drawn(6, 16, 2)
    doubled = np.vstack([vectors, vectors])
    costs = ground.between(doubled, doubled)
    assert (costs >= 0).all()
    np.testing.assert_allclose(costs, costs.T, atol=1e-15)
    np.testing.assert_allclose(np.diag(costs[:6, 6:]), 0, atol=1e-14)
    assert costs[0, 1:6].min() > 0


def test_opposite_words_cost_most() -> None:
    vectors = drawn(5, 32, 1)
    np.testing.assert_allclose(np.diag(Cosine().between(vectors, -vectors)), 1 / 8)
    apart = np.diag([1.0, -1.0])[:, ::-1] * 1000.0
    np.testing.assert_allclose(JensenShannon(1.0).between(apart, -apart)[0, 0], np.log(2))


@pytest.mark.parametrize("width", [64, 384, 1024])
def test_cosine_is_the_expansion_of_jensen_shannon(width: int) -> None:
    left, right = drawn(20, width, 2), drawn(30, width, 3)
    cosine, divergence = Cosine().between(left, right), JensenShannon().between(left, right)
    np.testing.assert_array_equal(divergence, JensenShannon(np.sqrt(width) / 2).between(left, right))
    assert np.abs(divergence / cosine - 1).max() < (0.4 if width < 100 else 0.25)
    assert np.corrcoef(divergence.ravel(), cosine.ravel())[0, 1] > 0.7
    flat = JensenShannon(0.05)
    centred_left, centred_right = (v - v.mean(axis=1, keepdims=True) for v in (left, right))
    distance = cdist(centred_left, centred_right, "sqeuclidean")
    np.testing.assert_allclose(flat.between(left, right), 0.05**2 / (8 * width) * distance, rtol=0.02)
    assert Cosine().sentence_scale(width) == 1 / 16
    assert JensenShannon().sentence_scale(width) == pytest.approx(1 / 16)
    assert flat.sentence_scale(width) == pytest.approx(0.05**2 / (4 * width))


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", ["cosine", "euclidean"])
def test_features_give_these_costs_exactly(name: str, length: float) -> None:
    ground = GROUNDS[name]
    left, right = drawn(10, 24, 0) * length, drawn(12, 24, 1) * length
    assert ground.features(left).shape == (10, ground.width(24))
    np.testing.assert_allclose(bound_of(ground, left, right), ground.between(left, right), atol=1e-14)


def test_jensen_shannon_features_are_the_documented_map() -> None:
    left, right = drawn(5, 12, 0), drawn(6, 12, 1)
    ground = JensenShannon(3.0)
    first, second = softmax(3 * left, axis=1)[:, None], softmax(3 * right, axis=1)[None]
    expected = 1 - (np.sqrt(first * second) * np.cos(np.log(first / second) / 2)).sum(axis=2)
    assert ground.features(left).shape == (5, ground.width(12)) == (5, 24)
    np.testing.assert_allclose(2 * bound_of(ground, left, right), expected, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(ground.features(left), axis=1), 1)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_features_bound_jensen_shannon_from_below(temperature: float, length: float) -> None:
    ground = JensenShannon.at_temperature(temperature)
    for width in (2, 8, 64):
        left, right = drawn(60, width, 0) * length, drawn(60, width, 1) * length
        right[:20] = left[:20] + 0.01 * right[:20]
        bound, cost = bound_of(ground, left, right), ground.between(left, right)
        assert (bound <= cost + 1e-13).all()
        assert (bound >= 0.71 * cost - 1e-13).all()


@examples(200)
@given(
    logs=st.lists(st.tuples(st.floats(-700, 0), st.floats(-700, 0)), min_size=1, max_size=12),
    shared=st.booleans(),
)
def test_features_bound_any_two_distributions(logs: list[tuple[float, float]], shared: bool) -> None:
    left, right = np.array(logs).T[:, None, :]
    right = left + right / 700 if shared else right
    ground = JensenShannon(1.0)
    bound, cost = bound_of(ground, left, right)[0, 0], ground.between(left, right)[0, 0]
    assert 0.71 * cost - 1e-13 <= bound <= cost + 1e-13


def test_the_bound_is_tight_between_close_words() -> None:
    """Where no log ratio exceeds 2 the bound holds 0.98 of the divergence; nearer still, nearly all."""
    random = np.random.default_rng(0)
    logs = random.normal(size=(50, 30))
    for spread, share in ((1.0, 0.98), (0.3, 0.999)):
        others = logs + spread * random.uniform(-1, 1, size=logs.shape)
        ratio = np.diag(bound_of(JensenShannon(1.0), logs, others)) / np.diag(
            JensenShannon(1.0).between(logs, others)
        )
        assert ratio.min() > share


def lower(x: mpf) -> mpf:
    return (mp.cosh(x) - mp.cos(x)) / 2


def divergence(x: mpf) -> mpf:
    return x * mp.sinh(x) - mp.cosh(x) * mp.log(mp.cosh(x))


def test_the_inequality_behind_the_features_to_many_digits() -> None:
    with mpmath.workdps(120):
        assert lower(mpf(0)) == divergence(mpf(0)) == 0
        for number in range(1, 4001):
            x = mpf(number) / 200
            assert lower(x) < divergence(x)
            if x <= 1:
                assert lower(x) > mpf("0.98") * divergence(x)
        for number in range(1, 200):
            x = mpf(10) ** (-mpf(number) / 20)
            assert lower(x) < divergence(x)


def test_the_inequality_behind_the_features_by_intervals() -> None:
    """From 1/2 to 3 pi, every real between: an interval that does not decide is halved."""
    undecided = [(Fraction(1, 2), Fraction(19, 2))]
    halvings = 0
    while undecided:
        first, last = undecided.pop()
        x = iv.mpf([float(first), float(last)])
        grown, shrunk = iv.exp(x), iv.exp(-x)
        cosh, sinh = (grown + shrunk) / 2, (grown - shrunk) / 2
        gap = x * sinh - cosh * iv.log(cosh) - (cosh - iv.cos(x)) / 2
        if not gap.a > 0:
            middle = (first + last) / 2
            undecided += [(first, middle), (middle, last)]
            halvings += 1
            assert halvings < 30_000


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("temperature", TEMPERATURES)
def test_the_far_map_never_falls_below_its_share(temperature: float, length: float) -> None:
    ground = JensenShannon(1 / temperature, far=True)
    for width in (2, 8, 64):
        left, right = drawn(60, width, 0) * length, drawn(60, width, 1) * length
        assert ground.features(left).shape == (60, ground.width(width)) == (60, 3 * width)
        bound, cost = bound_of(ground, left, right), ground.between(left, right)
        np.testing.assert_array_equal(cost, JensenShannon(1 / temperature).between(left, right))
        assert (bound <= cost + 1e-13).all()
        assert (bound >= 0.9756 * cost - 1e-13).all()


def test_the_inequality_behind_the_far_map_by_intervals() -> None:
    """g > 0 up to 0.3, E > 0 from there to 4.5 by the mean value form; beyond, the docstring's bound."""
    still, turned, rate = (iv.mpf(str(value)) for value in (FAR_STILL, FAR_TURNED, 2 * FAR_FREQUENCY))

    def cosh(x: Any) -> Any:
        return (iv.exp(x) + iv.exp(-x)) / 2

    def sinh(x: Any) -> Any:
        return (iv.exp(x) - iv.exp(-x)) / 2

    def curvature(x: Any) -> Any:
        return 1 / cosh(x) - still - turned * (1 + rate * rate) * iv.cos(rate * x)

    def excess(x: Any) -> Any:
        product = x * sinh(x) - cosh(x) * iv.log(cosh(x))
        return product - (still + turned) * cosh(x) + still + turned * iv.cos(rate * x)

    def slope(x: Any) -> Any:
        product = x * cosh(x) - sinh(x) * iv.log(cosh(x))
        return product - (still + turned) * sinh(x) - turned * rate * iv.sin(rate * x)

    def positive(low: float, high: float) -> int:
        middle = (low + high) / 2
        interval, centre = iv.mpf([low, high]), iv.mpf(middle)
        if (excess(centre) + slope(interval) * (interval - centre)).a > 0:
            return 1
        assert high - low > 1e-6, f"not positive at {low}"
        return positive(low, middle) + positive(middle, high)

    for first in range(300):
        assert curvature(iv.mpf([first / 1000, (first + 1) / 1000])).a > 0
    assert positive(0.3, 4.5) > 1
    assert iv.log(2) - still - turned > 0
    tail = (iv.log(2) - still - turned - iv.exp(-9)) * cosh(iv.mpf(4.5)) - iv.mpf(4.5) * iv.exp(-4.5)
    assert (tail + still - turned).a > 0


@pytest.mark.parametrize("temperature", [0.0, -1.0, float("nan"), float("inf"), float("-inf")])
def test_a_temperature_is_positive_and_finite(temperature: float) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        JensenShannon.at_temperature(temperature)


@pytest.mark.parametrize("sharpness", [0.0, -1.0, float("nan"), float("inf")])
def test_a_sharpness_is_positive_and_finite(sharpness: float) -> None:
    with pytest.raises(ValueError, match="sharpness must be positive and finite"):
        JensenShannon(sharpness)


def test_a_zero_vector_has_no_direction_but_a_place() -> None:
    vectors = drawn(3, 4, 0)
    vectors[1] = 0
    with pytest.raises(InvalidTokenSetError, match="chunk c7: a zero vector has no direction"):
        Cosine().check(vectors, "chunk c7")
    with pytest.raises(InvalidTokenSetError, match="chunk c7: a zero vector has no direction"):
        Cosine().check(np.full((2, 4), 1e-200), "chunk c7")
    Cosine().check(vectors[:1], "chunk c7")
    Cosine().check(np.full((2, 4), 1e-45, np.float32), "chunk c7")
    for name in ("euclidean", "jensen_shannon"):
        GROUNDS[name].check(vectors, "chunk c7")
        assert np.isfinite(GROUNDS[name].between(vectors, vectors)).all()
