"""Risk and coverage, by hand, against brute force over orders of ties, and as properties."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evaluation.selective import (
    Answered,
    reliability_bins,
    risk_coverage,
    selective_estimates,
    selective_values,
)


def answered(*pairs: tuple[float, bool], silent: int = 0) -> Answered:
    confidence, correct = (np.array(values, dtype=float) for values in zip(*pairs, strict=True))
    return Answered(confidence, correct, len(pairs) + silent)


def test_risk_over_coverage_by_hand() -> None:
    made = answered((0.6, False), (0.9, True), (0.8, True), (0.7, False), silent=1)
    coverage, risk = risk_coverage(made)
    assert coverage == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert risk == pytest.approx([0, 0, 1 / 3, 1 / 2])
    values = selective_values(made)
    assert values["risk_coverage_area"] == pytest.approx(5 / 24)
    assert values["accuracy@80"] == pytest.approx(1 / 2)
    # The surest 2.5 of five questions: three of them.
    assert values["accuracy@50"] == pytest.approx(2 / 3)


def test_a_coverage_that_was_not_reached_has_no_accuracy() -> None:
    values = selective_values(answered((0.9, True), (0.8, False), silent=2))
    assert "accuracy@80" not in values
    assert values["accuracy@50"] == 0.5


def test_ties_count_by_the_expectation_over_their_orders() -> None:
    pairs = [(0.9, True), (0.5, True), (0.5, False), (0.5, False), (0.1, True)]

    def area(order: tuple[tuple[float, bool], ...]) -> float:
        wrong = np.cumsum([not correct for _, correct in order])
        return float((wrong / np.arange(1, len(order) + 1)).mean())

    orders = [
        order for order in permutations(pairs) if sorted(order, key=lambda pair: -pair[0]) == list(order)
    ]
    expected = np.mean([area(order) for order in orders])
    assert selective_values(answered(*pairs))["risk_coverage_area"] == pytest.approx(expected)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30), st.integers(0, 5))
def test_being_sure_of_the_right_answers_has_the_least_risk(
    pairs: list[tuple[float, bool]], silent: int
) -> None:
    made = answered(*pairs, silent=silent)
    knowing = Answered(made.correct, made.correct, made.total)
    deceived = Answered(1 - made.correct, made.correct, made.total)
    areas = [selective_values(some)["risk_coverage_area"] for some in (knowing, made, deceived)]
    assert areas == sorted(areas)
    assert risk_coverage(made)[1][-1] == pytest.approx(1 - made.correct.mean())


def test_intervals_hold_their_values_and_repeat() -> None:
    generator = np.random.default_rng(1)
    confidence = generator.random(300)
    made = Answered(confidence, (generator.random(300) < confidence).astype(float), 400)
    estimates = selective_estimates(made)
    assert estimates == selective_estimates(made)
    for estimate in (estimates["risk_coverage_area"], estimates["accuracy@50"]):
        assert estimate.low < estimate.value < estimate.high
        assert estimate.n == 400
    assert estimates["calibration_error"].n == 300
    assert selective_estimates(Answered(np.array([]), np.array([]), 3)) == {}


def test_bins_hold_every_answer() -> None:
    confidence, accuracy, count = reliability_bins(answered((0.05, True), (0.95, True), (1.0, False)))
    assert confidence == pytest.approx([0.05, 0.975])
    assert accuracy == pytest.approx([1.0, 0.5])
    assert count.tolist() == [1, 2]
