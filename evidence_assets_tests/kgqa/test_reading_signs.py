"""How sure a reading is: a logistic model over its signs, kept as data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.question_reading import RELIABILITY
from evidence_assets.kgqa.reading_signs import (
    SIGNS,
    Weights,
    foreign,
    guessed_words,
    keep_weights,
    sign_weights,
)


def accounting(*bindings: tuple[str, Role, str]) -> Accounting:
    place, placed = 0, []
    for text, role, target in bindings:
        placed.append(Binding(place, place + len(text), text, role, target))
        place += len(text) + 1
    return Accounting(tuple(placed))


def test_confidence_is_the_logistic_of_the_weighed_signs() -> None:
    weights = Weights({name: -1.0 if name == "cost" else 0.0 for name in SIGNS}, 1.0, 0.5)
    values = [float(name == "cost") for name in SIGNS]
    assert weights.confidence(values) == 0.5
    assert weights.confidence([0.0] * len(SIGNS)) == pytest.approx(0.7311, abs=1e-4)


def test_signs_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match="shorter"):
        sign_weights(RELIABILITY).confidence([0.0])


def test_kept_weights_are_read_back(tmp_path: Path) -> None:
    weights = sign_weights(RELIABILITY)
    keep_weights(tmp_path / "signs.json", weights, "two graphs")
    kept = json.loads((tmp_path / "signs.json").read_text(encoding="utf-8"))
    assert kept == {
        "fitted_on": "two graphs",
        "signs": dict(weights.signs),
        "constant": weights.constant,
        "least": weights.least,
    }


def test_the_kept_weights_hold_every_sign_and_doubt_what_is_guessed() -> None:
    weights = sign_weights(RELIABILITY)
    assert set(weights.signs) == set(SIGNS)
    assert weights.signs["cost"] < 0 < weights.signs["margin"]


def test_words_of_another_language_are_foreign_and_names_are_not() -> None:
    german = accounting(("Welche", Role.UNACCOUNTED, ""), ("Ardle", Role.EVIDENCE, "node Ardle"))
    english = accounting(("Which", Role.EMPTY, ""), ("Ardle", Role.EVIDENCE, "node Ardle"))
    assert (foreign(german), foreign(english)) == (1.0, 0.0)


def test_guessed_words_are_those_bound_by_meaning_or_not_at_all() -> None:
    bound = accounting(
        ("Who", Role.EMPTY, ""),
        ("runs", Role.MEANING, "relation operated_by"),
        ("quickly", Role.UNACCOUNTED, ""),
    )
    assert guessed_words(bound) == {(4, 8): "operated_by", (9, 16): ""}
