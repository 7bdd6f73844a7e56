"""How sure readings of graph questions are: learnt from graphs, and held to those that shaped no rule."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.graph_questions import ASKED, Judged, fitted, weighed, when_blind
from evidence_assets.kgqa.reading_signs import SIGNS

COST = SIGNS.index("cost")


def graph(seed: int, noise: float) -> list[Judged]:
    """Readings that are right where they cost little, but for some noise."""
    drawn = np.random.default_rng(seed)
    readings = []
    for cost in drawn.uniform(0, 2, 60):
        signs = [0.0] * len(SIGNS)
        signs[COST] = float(cost)
        readings.append(Judged(tuple(signs), bool(cost + drawn.normal(0, noise) < 1)))
    return readings


def test_what_costs_more_is_less_sure() -> None:
    weights = weighed([graph(1, 0.1)], [graph(2, 0.1)])
    assert weights.signs["cost"] < 0
    assert all(value == 0 for name, value in weights.signs.items() if name != "cost")


@pytest.mark.parametrize("noise", [0.1, 0.3, 0.5])
def test_from_the_least_confidence_on_enough_blind_readings_are_right(noise: float) -> None:
    graphs = {f"shaped/{seed}": graph(seed, 0.1) for seed in range(3)}
    blind = {f"{seed}": graph(seed, noise) for seed in range(10, 14)}
    weights = fitted(graphs, blind)
    right = [
        each.right
        for own in blind.values()
        for each in own
        if weights.confidence(each.signs) >= weights.least
    ]
    # Each graph's readings chose it by the weights of the others, which differ a little.
    assert right
    assert np.mean(right) >= ASKED - 0.05


def test_where_too_few_are_right_none_is_answered() -> None:
    wrong = [Judged(each.signs, False) for each in graph(3, 0.1)]
    weights = fitted({"shaped": graph(1, 0.1)}, {"one": wrong, "two": wrong})
    assert weights.least == 1.0


def test_what_is_kept_of_blind_readings_has_every_sign() -> None:
    kept = when_blind()
    assert len(kept) == 4
    for readings in kept.values():
        assert {len(each.signs) for each in readings} == {len(SIGNS)}
        assert {each.right for each in readings} == {True, False}
