"""Literals: units as columns are named by them, of one case."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.literals import in_unit


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
