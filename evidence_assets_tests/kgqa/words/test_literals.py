"""Literals: units as columns are named by them, of one case."""

from __future__ import annotations

import math

import pytest

from evidence_assets.kgqa.words.literals import in_unit, spoken_number


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (350, "megawatts", "mw", 350),
        (2, "kilovolts", "kv", 2),
        (1.5, "gigawatts", "mw", 1500),
        (130, "centimetres", "cm", 130),
        (2, "metres", "cm", 200),
        (5, "", "kg", 5),
    ],
)
def test_units_are_those_of_columns_whatever_their_case(
    value: float, unit: str, wanted: str, expected: float
) -> None:
    assert in_unit(value, unit, wanted) == pytest.approx(expected)


def test_what_measures_something_else_is_not_converted() -> None:
    assert in_unit(3, "megawatts", "kv") is None


@pytest.mark.parametrize(
    ("word", "value"),
    [("seven", 7), ("nineteen", 19), ("Thirty", 30), ("65", 65), ("1,200", 1200)],
)
def test_numerals_are_read_in_digits_and_in_one_word_below_a_hundred(word: str, value: float) -> None:
    assert spoken_number(word) == value


@pytest.mark.parametrize("word", ["often", "ship", "-", "twentyish"])
def test_other_words_are_no_numerals(word: str) -> None:
    assert math.isnan(spoken_number(word))
