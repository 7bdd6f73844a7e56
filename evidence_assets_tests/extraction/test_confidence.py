"""How sure a triple is: a curve that rises, through what is known of the relation alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.extraction.confidence import calibrated, mismatched, platt
from evidence_assets.extraction.filters import stems_of
from evidence_assets.extraction.probing import HEAD, TAIL, Probe, entity_log_probabilities
from evidence_assets_tests.testing.masked_lm_samples import HashedModel
from evidence_assets_tests.testing.profiles import examples

WORDS = ["egg", "white", "part", "of", "is", "the", "leaf", "tree", "wheel", "car", "holds"]
PROMPTS = (f"{HEAD} is part of {TAIL}", f"the {TAIL} holds {HEAD}")
SEEDS = (("egg white", "egg"), ("leaf", "tree"), ("wheel", "car"))
ENDS = st.sampled_from(["egg", "eggs", "leaf", "leaves", "tree", "Tree", "egg white", "car"])
PAIRS = st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=5)


def probe_of(seed: int = 0) -> Probe:
    return Probe(HashedModel(WORDS, seed), PROMPTS, (1, 2))


def key(pair: tuple[str, str]) -> tuple[tuple[str, ...], ...]:
    return tuple(stems_of(end) for end in pair)


@given(PAIRS)
def test_what_is_mismatched_is_no_seed_nor_a_pair_of_the_same(seeds: list[tuple[str, str]]) -> None:
    wrong = mismatched(seeds)
    keys = [key(pair) for pair in wrong]
    assert len(set(keys)) == len(keys)
    assert not set(keys) & {key(pair) for pair in seeds}
    assert all(head != tail for head, tail in keys)
    heads, tails = ({end for end, _ in seeds}, {end for _, end in seeds})
    turned = [(tail, head) for head, tail in seeds]
    assert all(pair in turned or (pair[0] in heads and pair[1] in tails) for pair in wrong)
    # None that could be is missing.
    possible = {key(pair) for pair in [*((head, tail) for head in heads for tail in tails), *turned]}
    assert {pair for pair in possible if pair[0] != pair[1]} - {key(pair) for pair in seeds} == set(keys)


def test_mismatched_pairs_are_those_made_by_hand() -> None:
    assert mismatched(SEEDS[1:]) == [("leaf", "car"), ("wheel", "tree"), ("tree", "leaf"), ("car", "wheel")]
    assert mismatched(SEEDS[1:2]) == [("tree", "leaf")]
    # The second head goes with the first tail as the seeds have it already, but for an ending.
    assert mismatched([("egg", "tree"), ("eggs", "trees")]) == [("tree", "egg")]
    assert mismatched([("egg", "eggs")]) == []


@examples(25)
@given(
    seed=st.integers(0, 99),
    count=st.integers(1, 3),
    values=st.lists(st.floats(-40, 0), min_size=2, max_size=9),
)
def test_confidence_is_a_probability_that_rises_with_the_log_probability(
    seed: int, count: int, values: list[float]
) -> None:
    confidences = calibrated(probe_of(seed), SEEDS[:count], np.sort(values))
    assert (np.diff(confidences) >= 0).all()
    assert ((confidences >= 0) & (confidences <= 1)).all()


def test_the_curve_goes_through_the_seeds_and_what_is_mismatched() -> None:
    probe = probe_of(4)
    wrong = mismatched(SEEDS)

    def scores(pairs: list[tuple[str, str]]) -> NDArray[np.float32]:
        """The lesser of both conditionals under each prompt, averaged by weight."""
        lesser = [entity_log_probabilities(probe.model, prompt, pairs).min(axis=1) for prompt in PROMPTS]
        averaged: NDArray[np.float32] = lesser[0] / 3 + lesser[1] * 2 / 3
        return averaged

    values = np.concatenate([scores(list(SEEDS)), scores(wrong)])
    slope, offset = platt(values, np.array([1.0] * len(SEEDS) + [0.0] * len(wrong)))
    grid = np.linspace(values.min(), values.max(), 7)
    confidences = calibrated(probe, SEEDS, grid)
    np.testing.assert_allclose(confidences, 1 / (1 + np.exp(-(slope * grid + offset))), rtol=1e-3)
    # Beyond what was seen nothing is known.
    beyond = calibrated(probe, SEEDS, np.array([values.min() - 9, values.max() + 9]))
    np.testing.assert_allclose(beyond, confidences[[0, -1]])


def test_a_relation_without_anything_mismatched_is_calibrated_all_the_same() -> None:
    confidences = calibrated(probe_of(), [("egg", "eggs")], np.array([-9.0, -1.0]))
    assert ((confidences > 0) & (confidences < 1)).all()


def test_no_triples_have_no_confidence() -> None:
    assert calibrated(probe_of(), SEEDS, np.empty(0)).shape == (0,)


def likelihood(at: tuple[float, float], values: np.ndarray, marks: np.ndarray) -> float:
    """Of smoothed targets."""
    ones, zeros = marks.sum(), (1 - marks).sum()
    targets = np.where(marks > 0, (ones + 1) / (ones + 2), 1 / (zeros + 2))
    likely = 1 / (1 + np.exp(-(at[0] * values + at[1])))
    return float((targets * np.log(likely) + (1 - targets) * np.log(1 - likely)).sum())


@example(right=[-5.877781469973465] * 3, wrong=[])
@examples(60)
@given(
    right=st.lists(st.floats(-15, 0), min_size=1, max_size=6), wrong=st.lists(st.floats(-15, 0), max_size=12)
)
def test_no_rising_curve_nearby_fits_better(right: list[float], wrong: list[float]) -> None:
    values = np.array(right + wrong)
    marks = np.array([1.0] * len(right) + [0.0] * len(wrong))
    slope, offset = platt(values, marks)
    assert slope >= 0
    # A curve is told by its heights at two points: slopes of values that are close together are any.
    best = likelihood((slope, offset), values, marks)
    centre, spread = values.mean(), max(values.std(), 1e-6)
    for more, up in ((0.1, 0), (-0.1, 0), (0, 0.1), (0, -0.1), (0.1, 0.1), (-0.1, -0.1)):
        steep = max(slope + more / spread, 0)
        at = (steep, offset + slope * centre + up - steep * centre)
        assert likelihood(at, values, marks) <= best + 1e-4


@pytest.mark.parametrize(("right", "wrong"), [(1, 1), (5, 25), (3, 9)])
def test_cleanly_parted_values_are_held_to_the_smoothed_targets(right: int, wrong: int) -> None:
    """Unsmoothed, the slope would have no bound."""
    values = np.array([-2.0] * right + [-8.0] * wrong)
    slope, offset = platt(values, np.array([1.0] * right + [0.0] * wrong))
    heights = [1 / (1 + math.exp(-(slope * value + offset))) for value in (-2.0, -8.0)]
    assert heights == pytest.approx([(right + 1) / (right + 2), 1 / (wrong + 2)], abs=1e-3)


def test_more_seeds_give_more_certainty() -> None:
    heights = []
    for count in (1, 3, 5):
        slope, offset = platt(
            np.array([-2.0] * count + [-8.0] * count), np.array([1.0] * count + [0.0] * count)
        )
        heights.append(1 / (1 + math.exp(-(slope * -2.0 + offset))))
    assert heights == sorted(heights)
    assert heights[0] < heights[2] - 0.1


def test_where_what_is_wrong_is_likelier_the_curve_is_flat() -> None:
    slope, offset = platt(np.array([-8.0, -9.0, -2.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0]))
    assert slope == 0
    assert 1 / (1 + math.exp(-offset)) == pytest.approx(0.5, abs=1e-3)


def test_values_that_are_all_equal_say_nothing() -> None:
    slope, offset = platt(np.full(4, -3.0), np.array([1.0, 0.0, 0.0, 0.0]))
    targets = np.mean([2 / 3, 0.2, 0.2, 0.2])
    assert 1 / (1 + math.exp(-(slope * -3.0 + offset))) == pytest.approx(targets, abs=1e-3)
