"""Decades, centuries and amounts of a unit, asked of an invented valley."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_typed, meant, read

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Mill Shed", "opened_in", "1967", "shed", None),
    ("Dock Shed", "opened_in", "1970", "shed", None),
    ("Hill School", "founded_in", "1962", "school", None),
    ("Marlow School", "founded_in", "1885", "school", None),
    ("Rowan", "river_km", "120", "river", None),
    ("Tarn", "river_km", "35", "river", None),
    ("Red Van", "van_kg", "1800", "van", None),
    ("Grey Van", "van_kg", "3100", "van", None),
    ("Heron", "top speed in km/h", "200", "train", None),
    ("Puffin", "top speed in km/h", "120", "train", None),
    ("Plot One", "plot_square_metres", "180", "plot", None),
    ("Plot Two", "plot_square_metres", "420", "plot", None),
    ("Ridge Walk", "takes_hours", "4", "walk", None),
    ("Mill Walk", "takes_hours", "2", "walk", None),
]


@cache
def valley() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which sheds were opened in the 1960s?", ["Mill Shed"]),
        ("which sheds opened in the seventies", ["Dock Shed"]),
        ("Was Dock Shed opened in the 1960s?", "no"),
        ("How many sheds were opened in the 60s?", "1"),
        ("Which school was founded in the 19th century?", ["Marlow School"]),
        ("Which schools were founded after the 1950s?", ["Hill School"]),
        ("Which schools were founded before the 1960s?", ["Marlow School"]),
        ("Which sheds were opened in the sixties and seventies?", ["Dock Shed", "Mill Shed"]),
        ("Which sheds were opened between the 1950s and the 1960s?", ["Mill Shed"]),
        ("Which sheds were opened from 1968 to 1975?", ["Dock Shed"]),
        ("which school was founded in the nineteenth century", ["Marlow School"]),
    ],
)
def test_a_decade_or_century_is_all_of_its_years(text: str, expected: list[str] | str) -> None:
    reading = read(text, valley())
    assert meant(reading, valley()) == expected, reading.abstains


@pytest.mark.parametrize("part", ["late 1960s", "end of the sixties"])
def test_years_do_not_tell_what_part_of_a_decade_is_meant(part: str) -> None:
    reading = read(f"Which sheds were opened in the {part}?", valley())
    assert part.split(maxsplit=1)[0] in reading.abstains


def test_a_unit_may_be_a_letter_that_is_contracted_elsewhere() -> None:
    lighter = read("Which vans are lighter than 2 t?", valley())
    assert meant(lighter, valley()) == ["Red Van"], lighter.abstains


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Which rivers are longer than 50 miles?", ["Rowan"], id="converted, as the unit tells"),
        pytest.param("Which vans are heavier than 2 tonnes?", ["Grey Van"], id="mass"),
        pytest.param("Which vans are lighter than 2000 kilos?", ["Red Van"], id="kilos are no seconds"),
        pytest.param("Which trains are faster than 150 km/h?", ["Heron"], id="a quotient"),
        pytest.param("which trains are faster than 150 kmh", ["Heron"], id="in one word"),
        pytest.param("Which trains are faster than 40 m/s?", ["Heron"], id="of seconds"),
        pytest.param("Which trains are slower than 100 miles per hour?", ["Puffin"], id="per hour"),
        pytest.param("Which plots are larger than 300 square metres?", ["Plot Two"], id="an area"),
        pytest.param("which walks take longer than 3 hours", ["Ridge Walk"], id="a verb beside a degree"),
        pytest.param("which walks take less than 200 minutes", ["Mill Walk"], id="a verb beside an amount"),
        pytest.param("Which walks take less than half a day?", ["Mill Walk", "Ridge Walk"], id="half of one"),
        pytest.param("which walks take less than a tenth of a day", ["Mill Walk"], id="a tenth of one"),
        pytest.param("Which vans are heavier than two and a half tonnes?", ["Grey Van"], id="and a half"),
        pytest.param(
            "Which vans are heavier than a tonne and a half?",
            ["Grey Van", "Red Van"],
            id="and a half, behind its unit",
        ),
    ],
)
def test_a_unit_tells_what_is_measured(text: str, expected: list[str]) -> None:
    reading = read(text, valley())
    assert meant(reading, valley()) == expected, reading.abstains
