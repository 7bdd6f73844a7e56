"""Tests of the nested fit: what answers a part of the questions was chosen and fitted on the others alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.medicine import nested_fit
from benchmarks.medicine.nested_fit import Questions, choices, nested, parts_of, scores

KINDS, NAMES = ("option", "text", "paths"), ("characters", "hypothesis", "path_lift")
QUESTIONS, OPTIONS = 120, 4


@pytest.fixture(autouse=True)
def penalties(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nested_fit, "PENALTIES", (1.0, 25.0))


def questions_where(kind: str | None) -> Questions:
    """Return made questions of which one kind of evidence tells the right option, mostly; or none does."""
    random = np.random.default_rng(7)
    values = random.standard_normal((QUESTIONS, OPTIONS, len(KINDS)))
    keys = random.integers(0, OPTIONS, QUESTIONS)
    if kind is not None:
        values[np.arange(QUESTIONS), keys, KINDS.index(kind)] += 2.5
    return Questions(values - values.mean(axis=1, keepdims=True), keys, KINDS, NAMES)


def test_every_union_of_evidence_is_tried_with_every_penalty() -> None:
    tried = {(choice.kinds, choice.penalty) for choice in choices(KINDS)}
    subsets = {("option",), ("option", "text"), ("option", "paths"), ("option", "text", "paths")}
    assert tried == {(subset, penalty) for subset in subsets for penalty in (1.0, 25.0)}


def test_evidence_that_tells_is_chosen_and_reaches_what_it_can() -> None:
    reached, chosen = nested(questions_where("paths"))
    assert all("paths" in choice.kinds for choice in chosen)
    assert reached.mean() > 0.8


def test_noise_reaches_chance_and_not_what_the_best_choice_would_have() -> None:
    reached, _ = nested(questions_where(None))
    assert reached.mean() == pytest.approx(1 / OPTIONS, abs=0.12)


def test_the_keys_of_a_part_choose_and_fit_nothing_that_answers_it() -> None:
    questions = questions_where("text")
    is_first = parts_of(QUESTIONS) == 0
    keys = np.where(is_first, (questions.keys + 1) % OPTIONS, questions.keys)
    turned = replace(questions, keys=keys)
    chosen, chosen_of_turned = nested(questions)[1][0], nested(turned)[1][0]
    assert chosen == chosen_of_turned
    assert np.array_equal(scores(questions, chosen, ~is_first), scores(turned, chosen, ~is_first))


def test_parts_are_as_large_as_can_be_alike() -> None:
    assert sorted(np.bincount(parts_of(123))) == [24, 24, 25, 25, 25]
