"""Numbers and shares that a claim tells in words."""

from __future__ import annotations

import pytest

from evidence_assets.tables.programs.wording.claimed_shares import fraction
from evidence_assets.tables.programs.wording.words import tokens


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("an hour and a half", [1.5]),
        ("two miles and a quarter", [2.25]),
        ("two and a half hours", [2.5]),
        ("three quarters of an hour", [0.75]),
        ("a quarter of a litre", [0.25]),
        ("a quarter of a million", [250_000.0]),
        ("a good half-hour", [0.5]),
        ("half a dozen", [6.0]),
        ("half an acre", [0.5]),
        ("an hour and a bit", []),
        ("a dog and a half", []),
        ("a quarter of a cake", []),
        ("the twenty-first", [21.0]),
    ],
)
def test_a_number_in_words_is_read_with_its_parts(text: str, numbers: list[float]) -> None:
    assert [token.number for token in tokens(text) if token.number is not None] == numbers


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("one lamp in five was out", 0.2),
        ("1 in 50 lamps", 0.02),
        ("two lamps in every three", 2 / 3),
        ("nine tenths of the lamps", 0.9),
        ("a good third of the lamps", 1 / 3),
        ("three-quarters of the lamps", 0.75),
        ("two lamps in three streets", None),
        ("12 in 2005", None),
        ("a sixth lamp", None),
        ("in the third quarter", None),
    ],
)
def test_a_share_in_words_is_told_from_a_number(text: str, share: float | None) -> None:
    part = fraction(tokens(text))

    assert (None if part is None else part.share) == (None if share is None else pytest.approx(share))


def test_a_text_may_open_with_what_is_left_of_a_possessive() -> None:
    assert [token.text for token in tokens("'s 5 vans")] == ["5", "vans"]
