"""Literals: units as columns are named by them, of one case."""

from __future__ import annotations

import math

import pytest

from evidence_assets.kgqa.words.literals import in_unit, scale, spoken_number, value_of


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


@pytest.mark.parametrize(
    ("text", "value"),
    [("1 820", 1820), ("1\u00a0820.5", 1820.5), ("-3", -3), ("\u22123", -3), ("12,000", 12000)],
)
def test_labels_are_numbers_with_parted_digits_and_any_minus(text: str, value: float) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize("text", ["1 82", "12 0000", "0 820", "820 m"])
def test_what_is_no_number_as_a_whole_is_none(text: str) -> None:
    assert math.isnan(value_of(text))


@pytest.mark.parametrize(
    ("word", "factor"),
    [("dozens", 12), ("hundreds", 100), ("thousands", 1e3), ("Millions", 1e6), ("mln", 1e6), ("scales", 1)],
)
def test_scales_are_multiplied_by_in_the_plural_too(word: str, factor: float) -> None:
    assert scale(word) == factor
