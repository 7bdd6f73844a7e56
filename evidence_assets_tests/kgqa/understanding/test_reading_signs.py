"""What tells how likely a reading is meant, and the model that weighs it, kept as data."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.queries.algebra import Form, Query, Typed
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery
from evidence_assets.kgqa.understanding.paraphrases import Likeness
from evidence_assets.kgqa.understanding.question_reading import NOTHING, READINGS, QuestionReading, likeliest
from evidence_assets.kgqa.understanding.reading_signs import (
    FEATURES,
    MOST_MARGIN,
    OF_NONE,
    among,
    features,
    foreign,
    path_features,
)
from evidence_assets.reading.log_linear import probabilities, weights_of

WEIGHTS = {"cost": -2.0, "likeness": 5.0, "none": 1.0}


def accounting(*bindings: tuple[str, Role, str]) -> Accounting:
    place, placed = 0, []
    for text, role, target in bindings:
        placed.append(Binding(place, place + len(text), text, role, target))
        place += len(text) + 1
    return Accounting(tuple(placed))


def reading(type_: str, cost: float, likeness: float, nodes: int = 1, abstains: str = "") -> QuestionReading:
    query = Query(Typed(type_))
    signs = features(query, nodes, cost, 0.0, Likeness(likeness, likeness))
    members = np.arange(nodes, dtype=np.int32)
    return QuestionReading(query, members, accounting(), NOTHING, cost, 0.0, abstains, signs)


def test_only_a_set_without_members_is_lacking() -> None:
    alike = Likeness(0.5, 0.5)
    assert features(Query(Typed("line")), 0, 0.0, 0.0, alike)["lacking"] == 1
    assert features(Query(Typed("line"), Form.NUMBER), 0, 0.0, 0.0, alike)["lacking"] == 0
    assert features(Query(Typed("line")), 2, 0.0, 0.0, alike)["lacking"] == 0


def parse(score: float, *answers: int, unsaid: float = 0.0, ends: float = 1.0) -> ParsedQuery:
    parts = {"unsaid": unsaid, "type": ends, "cosine": 0.9}
    return ParsedQuery(ConjunctiveQuery((), "answer"), score, parts, True, np.array(answers, dtype=np.int32))


def test_a_path_s_features_are_what_it_leaves_and_what_no_word_says() -> None:
    left = accounting(
        ("Saturn", Role.EVIDENCE, "node Saturn"),
        ("flew", Role.UNACCOUNTED, ""),
        ("get", Role.UNACCOUNTED, ""),
    )
    signs = path_features(left, [parse(1.0, 1, unsaid=0.5, ends=-1.0)])
    expected = {"asked_left": 0.0, "unsaid": 0.5, "ends": 0.0, "margin": MOST_MARGIN}
    assert signs == {"left": 1.0, "light_left": 1.0, **expected}, "that a verb says little is counted apart"
    church = accounting(("which", Role.EMPTY, ""), ("church", Role.UNACCOUNTED, ""))
    assert path_features(church, [parse(1.0, 1)])["asked_left"] == 1


def test_a_path_is_compared_with_the_next_that_answers_otherwise() -> None:
    best, alike, other = parse(1.0, 1, 2), parse(0.99, 1, 2), parse(0.96, 3)
    assert path_features(accounting(), [best, alike, other])["margin"] == pytest.approx(0.04)
    lacking = replace(other, exists=False)
    assert path_features(accounting(), [best, alike, lacking])["margin"] == MOST_MARGIN


def test_how_far_a_question_s_strangest_word_is_from_a_reading_is_a_feature() -> None:
    signs = features(Query(Typed("line")), 1, 0.0, 0.0, Likeness(0.9, 0.25))
    assert (signs["likeness"], signs["unmatched"]) == (0.9, 0.75)


def test_that_none_is_meant_is_as_likely_as_the_cheapest_reading_makes_it() -> None:
    costs = [{"cost": 1.5, "other_form": 0.0}, {"cost": 0.9, "other_form": 0.4}]
    assert among(costs) == [*costs, {"none": 1.0, "cheapest": 0.5}]
    weights = {"cost": -2.0, "none": 0.0, "cheapest": -1.0}
    [_, cheap, none] = probabilities(among(costs), weights)
    assert cheap / none == pytest.approx(np.exp(-2.0 * 0.9 + 0.5))


def test_what_is_more_like_its_question_is_meant_though_it_costs_more() -> None:
    cheap, alike = reading("line", 0.5, 0.2), reading("station", 0.6, 0.9)
    assert likeliest([cheap, alike], WEIGHTS, 0.0).query == alike.query
    assert likeliest([cheap, replace(alike, features=cheap.features)], WEIGHTS, 0.0).query == cheap.query


def test_a_rival_or_none_of_them_takes_from_how_sure_a_reading_is() -> None:
    single = likeliest([reading("line", 0.0, 0.8)], WEIGHTS, 0.0)
    rivalled = likeliest([reading("line", 0.0, 0.8), reading("station", 0.2, 0.8)], WEIGHTS, 0.0)
    guessed = likeliest([reading("line", 2.0, 0.3)], WEIGHTS, 0.0)
    assert 1 > single.confidence > rivalled.confidence > guessed.confidence > 0


def test_below_the_least_confidence_it_abstains_and_says_how_sure_it_was() -> None:
    unsure = likeliest([reading("line", 2.0, 0.1)], WEIGHTS, 0.5)
    assert "right too rarely" in unsure.abstains
    assert not likeliest([reading("line", 0.0, 0.9)], WEIGHTS, 0.5).abstains


def test_why_a_reading_is_not_answered_outlives_how_sure_it_is() -> None:
    lacking = likeliest([reading("line", 0.0, 0.9, 0, "the graph lacks it")], WEIGHTS, 0.0)
    assert lacking.abstains == "the graph lacks it"


def test_the_kept_weights_hold_every_feature_and_doubt_what_is_guessed() -> None:
    weights = weights_of(READINGS)
    assert set(weights) == {*FEATURES, *OF_NONE}
    assert weights["cost"] < 0 < weights["likeness"]
    assert weights["unmatched"] < 0


def test_words_of_another_language_are_foreign_and_names_are_not() -> None:
    german = accounting(("Welche", Role.UNACCOUNTED, ""), ("Ardle", Role.EVIDENCE, "node Ardle"))
    english = accounting(
        ("Which", Role.EMPTY, ""), ("Ardle", Role.EVIDENCE, "node Ardle"), ("Xanthly", Role.UNACCOUNTED, "")
    )
    assert (foreign(german), foreign(english)) == (1.0, 0.0)
