"""Units of measure by how people spell them."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.words import literals
from evidence_assets.tables.programs.wording import quantities
from evidence_assets.text.units import converted, unit_of


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("kg", "kilogram"),
        ("kilos", "kilogram"),
        ("km/h", "kilometer / hour"),
        ("kmph", "kilometer / hour"),
        ("mph", "mile / hour"),
        ("kn", "knot"),
        ("kN", "kilonewton"),
        ("m²", "meter ** 2"),
        ("km2", "kilometer ** 2"),
        ("sq. ft", "foot ** 2"),
        ("cubic metres", "meter ** 3"),
        ("kWh/m²", "kilowatt_hour / meter ** 2"),
        ("mw", "megawatt"),
        ("MB", "megabyte"),
        ("mb", "megabyte"),
        ("Mb", "megabit"),
        ("Mbps", "megabit / second"),
        ("GiB", "gibibyte"),
        ("°C", "degree_Celsius"),
    ],
)
def test_a_unit_is_read_as_it_is_spelt_and_by_its_own_name(spelling: str, name: str) -> None:
    unit = unit_of(spelling)
    assert str(unit) == name
    assert unit_of(name) == unit


@pytest.mark.parametrize("text", ["", "½h", "٣kg", "m⁰", "cfm", "barn", "1/0", "__import__", "km/", "xyz"])
def test_a_text_that_spells_no_unit_is_none(text: str) -> None:
    assert unit_of(text) is None


def test_capitals_tell_symbols_apart_where_they_are_kept() -> None:
    assert str(unit_of("mW", cased=True)) == "milliwatt"
    assert str(unit_of("mW")) == "megawatt"


def test_what_measures_something_else_is_not_converted() -> None:
    assert converted(1.5, unit_of("GB"), unit_of("MB")) == pytest.approx(1500)
    assert converted(90, unit_of("kmph"), unit_of("km/h")) == pytest.approx(90)
    assert converted(1, unit_of("GB"), unit_of("kg")) is None


@pytest.mark.parametrize(
    ("number", "unit", "other"),
    [
        (2, "mb", "kb"),
        (90, "kmph", "km/h"),
        (3, "kn", "km/h"),
        (2.5, "t", "kg"),
        (5, "kwh", "mwh"),
        (4, "km2", "m2"),
    ],
)
def test_graphs_and_tables_convert_alike(number: float, unit: str, other: str) -> None:
    of_graph = literals.in_unit(number, unit, other)
    names = quantities.unit_name(unit), quantities.unit_name(other)
    assert of_graph == pytest.approx(quantities.converted(number, *names))
