"""Cheap baselines: what each scores, and what ties are worth."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.reading.baselines import (
    best_retrieved,
    chance,
    constant_accuracies,
    expected_accuracy,
    longest_option,
    majority_position,
    option_cosine,
)


def test_the_option_nearest_to_the_question_scores_best() -> None:
    question = np.array([1.0, 0.0], dtype=np.float32)
    options = np.array([[0.0, 1.0], [0.6, 0.8], [1.0, 0.0]], dtype=np.float32)
    assert option_cosine(question, options) == pytest.approx([0.0, 0.6, 1.0])


def test_equal_options_score_equally_whatever_their_row() -> None:
    generator = np.random.default_rng(0)
    question, option = generator.normal(size=(2, 384)).astype(np.float32)
    options = np.tile(option / np.linalg.norm(option), (7, 1))
    assert len(set(option_cosine(question / np.linalg.norm(question), options).tolist())) == 1


def test_the_longest_option_is_the_one_of_most_characters() -> None:
    assert longest_option(["bee", " a honey bee", "", "   "]).tolist() == [3, 11, 0, 0]


def test_an_option_for_which_nothing_was_retrieved_is_below_all_others() -> None:
    assert best_retrieved([[-2.0, -1.0], [], [0.0]]).tolist() == [-1.0, -np.inf, 0.0]


def test_ties_are_worth_their_expected_accuracy() -> None:
    assert expected_accuracy([1.0, 2.0, 2.0], 2) == 0.5
    assert expected_accuracy([1.0, 2.0, 2.0], 0) == 0
    assert expected_accuracy([-np.inf, -np.inf], 0) == 0.5
    assert expected_accuracy([3.0], 0) == 1


def test_chance_counts_equal_options_as_right() -> None:
    assert chance(["iron", "gold", "iron", "tin"], 2) == 0.5
    assert chance(["iron"], 0) == 1


def test_the_majority_is_the_first_of_the_positions_that_are_right_most_often() -> None:
    assert majority_position([2, 1, 1, 2, 0]) == 1
    with pytest.raises(ValueError, match="no question"):
        majority_position([])


def test_constants_are_measured_over_questions_with_options_and_a_key() -> None:
    questions = [
        ("a", ["x", "y"], 1),
        ("b", ["x", "y", "z", "w"], 1),
        ("c", ["x"], 0),
        ("open", [], None),
        ("unkeyed", ["x", "y"], None),
    ]
    assert constant_accuracies(questions) == {
        "chance": {"a": 0.5, "b": 0.25, "c": 1.0},
        "majority": {"a": 1.0, "b": 1.0, "c": 0.0},
    }
    assert constant_accuracies([("open", [], None)]) == {}
