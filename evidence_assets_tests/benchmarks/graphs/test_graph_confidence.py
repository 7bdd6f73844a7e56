"""Which readings of graph questions are meant: learnt from graphs, and held to those that shaped no rule."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.graphs.graph_questions import ASKED, Candidate, Candidates, fitted, weighed, when_blind
from evidence_assets.kgqa.understanding.question_reading import LEAST_CONFIDENCE, MOST_READINGS
from evidence_assets.kgqa.understanding.reading_signs import FEATURES, among
from evidence_assets.reading.log_linear import probabilities


def graph(seed: int, noise: float) -> list[Candidates]:
    """Questions of two readings, of which the one that costs little is meant, but for some noise."""
    drawn = np.random.default_rng(seed)
    questions: list[Candidates] = []
    for costs in drawn.uniform(0, 2, (60, 2)):
        meant = costs + drawn.normal(0, noise, 2) < 1
        questions.append(
            [
                Candidate({**dict.fromkeys(FEATURES, 0.0), "cost": float(cost)}, bool(right), True)
                for cost, right in zip(costs, meant & (costs == costs.min()), strict=True)
            ]
        )
    return questions


def test_what_costs_more_is_less_likely_meant() -> None:
    weights = weighed([graph(1, 0.1)], [graph(2, 0.1)])
    assert weights["cost"] < 0
    assert all(weights[name] == pytest.approx(0) for name in FEATURES if name != "cost")


@pytest.mark.parametrize("noise", [0.1, 0.3, 0.5])
def test_from_the_least_confidence_on_enough_blind_readings_are_right(noise: float) -> None:
    graphs = {f"shaped/{seed}": graph(seed, 0.1) for seed in range(3)}
    blind = {f"{seed}": graph(seed, noise) for seed in range(10, 14)}
    weights, least = fitted(graphs, blind)
    answered = []
    for questions in blind.values():
        for candidates in questions:
            shares = probabilities(among([candidate.features for candidate in candidates]), weights)[:-1]
            if max(shares) >= least:
                answered.append(candidates[int(np.argmax(shares))].right)
    # Each graph's readings chose it by the weights of the others, which differ a little.
    assert answered
    assert np.mean(answered) >= ASKED - 0.05


def test_where_too_few_are_right_none_is_answered() -> None:
    wrong = [
        [Candidate(candidate.features, False, True) for candidate in candidates]
        for candidates in graph(3, 0.1)
    ]
    _, least = fitted({"shaped": graph(1, 0.1)}, {"one": wrong, "two": wrong})
    assert least == 1.0


def test_what_is_kept_of_blind_readings_has_every_feature() -> None:
    readings = when_blind()
    assert len(readings) == 10
    for questions in readings.values():
        assert len(questions) >= 30
        assert max(map(len, questions)) == MOST_READINGS
        assert {candidate.right for candidates in questions for candidate in candidates} == {True, False}


def test_the_least_confidence_is_near_what_blind_readings_alone_ask_for() -> None:
    _, least = fitted({}, when_blind())
    assert least == pytest.approx(LEAST_CONFIDENCE, abs=0.08)
