"""The relevance classifier: its scale, that it learns, that it is kept, and what it cannot learn from."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.systems.attention2query.as_printed.classifier import features_of
from evidence_assets.systems.attention2query.as_printed.pairs import apart_from, option_pairs
from evidence_assets.systems.attention2query.as_printed.recipe import Recipe
from evidence_assets.systems.attention2query.as_printed.training import (
    Pair,
    UnmadeClassifierError,
    UntrainableClassifierError,
    opened,
    trained,
)
from evidence_assets.systems.attention2query.facts import Fact, QuestionLinks
from evidence_assets.systems.attention2query.options import (
    Support,
    measures_of,
    option_scores,
    probabilities,
    support_of,
)
from evidence_assets.systems.attention2query.relevance import Vanilla
from evidence_assets_tests.testing.graph_samples import HashScorer, SignEncoder
from evidence_assets_tests.testing.killed_writes import leftover_of_a_killed_process

PAIRS = [
    Pair(f"q{number}", f"who made {number}", fact, relevance)
    for number in range(40)
    for fact, relevance in (("made by whom", 10.0), ("made of what", 1.0), ("near what", 1.0))
]


def test_relevances_are_from_one_to_ten() -> None:
    alike = Vanilla(EncoderSimilarity(SignEncoder()))
    assert alike.rate(["a", "a"], ["a", "b"])[0] == 10
    assert (alike.rate(["a"] * 30, [str(number) for number in range(30)]) >= 1).all()
    crossed = Vanilla(HashScorer(5)).rate(["a"] * 30, [str(number) for number in range(30)])
    assert ((crossed >= 5.5) & (crossed <= 10)).all(), "a logistic of 0 is the middle"
    assert len(alike.rate([], [])) == 0


def test_a_head_learns_and_is_kept_by_what_it_learnt_from(tmp_path: Path) -> None:
    encode = SignEncoder().encode
    name, report = trained(PAIRS, encode, "signs@1", tmp_path, Recipe(epochs=30))
    assert report.loss < report.loss_before
    assert report.first_right == 1.0
    assert (report.questions, report.held_out) == (40, 4)
    rater = opened(name, tmp_path, encode)
    rated = rater.rate(["who made 3"] * 2, ["made by whom", "near what"])
    assert rated[0] > 8 > 3 > rated[1]
    weights = (tmp_path / "relevance_classifiers" / name / "head.safetensors").read_bytes()
    assert trained(PAIRS, encode, "signs@1", tmp_path, Recipe(epochs=30)) == (name, report)
    assert trained(PAIRS, encode, "signs@1", tmp_path / "b", Recipe(epochs=30))[0] == name
    assert (tmp_path / "b" / "relevance_classifiers" / name / "head.safetensors").read_bytes() == weights
    assert trained(PAIRS, encode, "signs@2", tmp_path, Recipe(epochs=1))[0] != name


def test_a_training_that_was_killed_at_its_end_is_ended(tmp_path: Path) -> None:
    encode, recipe = SignEncoder().encode, Recipe(epochs=1)
    made = trained(PAIRS, encode, "signs@1", tmp_path, recipe)
    report = tmp_path / "relevance_classifiers" / made[0] / "report.json"
    whole = report.read_bytes()
    report.unlink()
    leftover_of_a_killed_process(report).write_bytes(whole[:5])
    assert trained(PAIRS, encode, "signs@1", tmp_path, recipe) == made
    assert report.read_bytes() == whole
    assert {path.name for path in report.parent.iterdir()} == {"head.safetensors", "report.json"}


def test_a_classifier_is_looked_for_in_its_own_folder_alone(tmp_path: Path) -> None:
    encode = SignEncoder().encode
    name, _ = trained(PAIRS, encode, "signs@1", tmp_path, Recipe(epochs=1))
    with pytest.raises(UnmadeClassifierError, match="remedy"):
        opened(f"../relevance_classifiers/{name}", tmp_path, encode)


def test_nothing_is_learnt_from_nothing(tmp_path: Path) -> None:
    encode = SignEncoder().encode
    for pairs in ([], [Pair("q", "a", str(number), 1.0) for number in range(20)]):
        with pytest.raises(UntrainableClassifierError, match="remedy"):
            trained(pairs, encode, "signs@1", tmp_path)
    with pytest.raises(UnmadeClassifierError, match="remedy"):
        opened("gone", tmp_path, encode)


def test_features_are_symmetric_but_for_the_vectors_themselves() -> None:
    question_vectors, fact_vectors = SignEncoder().encode(["a", "b"])[:, None, :]
    features, swapped = (
        features_of(question_vectors, fact_vectors),
        features_of(fact_vectors, question_vectors),
    )
    np.testing.assert_array_equal(features[:, : 2 * 64 + 1], swapped[:, : 2 * 64 + 1])
    assert features.shape == (1, 4 * 64 + 1)


def test_the_right_options_triples_are_the_relevant_ones() -> None:
    def fact(text: str, joins: float) -> Fact:
        return Fact("triple", (0,), text, (), 1.0, {"joins": joins})

    links = QuestionLinks("q", "where?", ["here", "there"])
    facts = {-1: [fact("own", 0)], 0: [fact("a", 1), fact("b", 0)], 1: [fact("c", 1)]}
    assert [(pair.fact, pair.relevance) for pair in option_pairs(links, facts, 0)] == [
        ("a", 10.0),
        ("b", 7.0),
        ("c", 2.0),
    ]
    assert apart_from([links], ["WHERE"]) == []
    assert apart_from([links], ["who"]) == [links]


def test_what_the_graph_does_not_say_speaks_neither_way() -> None:
    question, options = np.array([1.0, 0.0]), np.array([[0.6, 0.8], [0.8, 0.6]])
    measured = measures_of(question, options, [Support(), Support()])
    np.testing.assert_allclose(measured, [[-1, 0, 0], [1, 0, 0]])
    assert option_scores(measured).argmax() == 1
    supported = measures_of(
        question, options, [support_of([3.0, 5.0], [True, False]), support_of([2.0], [True])]
    )
    np.testing.assert_allclose(supported[:, 1:], [[1, 1], [-1, -1]])
    assert option_scores(supported, (1.0, 1.0)).argmax() == 0
    assert option_scores(supported, (1.0, 1.0), negated=True).argmax() == 1
    assert option_scores(supported, text=False).argmax() == 0
    assert probabilities(option_scores(supported)).sum() == pytest.approx(1)
    assert np.isnan(support_of([], []).best)
