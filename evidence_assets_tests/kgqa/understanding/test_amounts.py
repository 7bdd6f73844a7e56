"""Values written with a unit, of an invented observatory: compared as amounts, whatever unit each is in."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.words.literals import amount_of, in_unit
from evidence_assets_tests.testing.railway_questions import base_of, base_of_typed, meant, outcome, read

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Lyra", "storage", "16 GB", "telescope", "amount"),
    ("Vega", "storage", "512 MB", "telescope", "amount"),
    ("Rigel", "storage", "2 GB", "telescope", "amount"),
    ("Lyra", "height", "1820 mm", "telescope", "length"),
    ("Vega", "height", "2100 mm", "telescope", "length"),
    ("Rigel", "height", "1550 mm", "telescope", "length"),
    ("Lyra", "hire_price", "12 EUR", "telescope", "price"),
    ("Vega", "hire_price", "9.50 EUR", "telescope", "price"),
    ("Rigel", "hire_price", "30 EUR", "telescope", "price"),
    ("Lyra", "kept_at", "North Dome", "telescope", "dome"),
    ("Vega", "kept_at", "South Dome", "telescope", "dome"),
    ("Rigel", "kept_at", "North Dome", "telescope", "dome"),
]


@cache
def observatory(typed: bool = True) -> KnowledgeBase:
    return base_of_typed(ROWS) if typed else base_of([row[:3] for row in ROWS], {})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("16 GB", (16, "gigabyte")),
        ("512 MB", (512, "megabyte")),
        ("100 Mb", (100, "megabit")),
        ("1,820 m", (1820, "meter")),
        ("12 USD", (12, "usd")),
        ("20 degC", (20, "degree_Celsius")),
        ("30 km/h", (30, "kilometer/hour")),
        ("10 mW", (10, "milliwatt")),
        ("10 MW", (10, "megawatt")),
    ],
)
def test_a_number_with_a_unit_is_an_amount(text: str, expected: tuple[float, str]) -> None:
    assert amount_of(text) == expected


@pytest.mark.parametrize("text", ["1960s", "21st", "12 A", "45 K", "45 percent", "8 players", "5 in", "GB"])
def test_other_labels_are_no_amounts(text: str) -> None:
    assert amount_of(text) is None


def test_bytes_are_converted_among_themselves_alone() -> None:
    assert in_unit(512, "mb", "gigabyte") == pytest.approx(0.512)
    assert in_unit(50, "percent", "gigabyte") is None
    assert in_unit(3, "meter", "gigabyte") is None


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which telescope has the lowest height?", ["Rigel"]),
        ("Which telescope has the most storage?", ["Lyra"]),
        ("Which telescope has the least storage?", ["Vega"]),
        ("Which telescopes have a height above 1820 mm?", ["Vega"]),
        ("Which telescopes have a height above 1.8 m?", ["Lyra", "Vega"]),
        ("Which telescopes have less than 1 GB of storage?", ["Vega"]),
        ("Which telescopes have more than 1000 MB of storage?", ["Lyra", "Rigel"]),
        ("Which telescopes have a hire price under 12 EUR?", ["Vega"]),
        ("Does Vega have a greater height than Lyra?", "yes"),
        ("Does Vega have more storage than Rigel?", "no"),
        ("What is the height of Vega?", ["2100 mm"]),
        ("How much storage does Vega have?", ["512 MB"]),
    ],
)
def test_amounts_are_compared_by_their_values(text: str, expected: list[str] | str, typed: bool) -> None:
    reading = read(text, observatory(typed))
    assert meant(reading, observatory(typed)) == expected, reading.abstains


@pytest.mark.parametrize("text", ["Which telescopes have a height above 3 kg?", "Who built Vega?"])
def test_amounts_of_something_else_are_refused(text: str) -> None:
    assert outcome(read(text, observatory()), observatory()) == "abstained"


def test_amounts_among_bare_numbers_are_not_compared() -> None:
    rows = [("Lyra", "storage", "16 GB"), ("Vega", "storage", "8"), ("Rigel", "storage", "32")]
    base = base_of(rows, {})
    assert outcome(read("Which has the most storage, Lyra or Vega?", base), base) == "abstained"


def test_what_is_told_per_one_unit_is_not_told_per_another() -> None:
    rows = [(*row[:1], "price_per_kg", *row[2:]) for row in ROWS if row[1] == "hire_price"]
    base = base_of_typed(rows)
    assert "pound" in read("What is the price per pound of Vega?", base).abstains
    assert meant(read("What is the price per kg of Vega?", base), base) == ["9.50 EUR"]
