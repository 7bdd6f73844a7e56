"""Codes that a zero tells apart, months that are no season, since when it is so, wages that are earned."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import answered, decided

FIRINGS = make_table(
    "firings",
    "Firings",
    [["Firing", "Kiln", "Peak temp. (°C)", "Cone"]],
    [
        ["F-101", "Big Bertha", "1240", "6"],
        ["F-102", "Little Tom", "1060", "04"],
        ["F-103", "Big Bertha", "1260", "9"],
        ["F-104", "Big Bertha", "1230", "6"],
        ["F-105", "Little Tom", "1055", "06"],
    ],
)
ROUTES = make_table(
    "routes", "Routes", [["Route", "Stops"]], [["06", "12"], ["07", "9"], ["12", "20"], ["14", "8"]]
)
TOWNS = make_table(
    "towns",
    "Population of two towns",
    [["Year", "Aldby", "Brent"]],
    [["1990", "5200", "4100"], ["2000", "5000", "4900"], ["2010", "4900", "5600"], ["2020", "4800", "6100"]],
)
MOTHS = make_table(
    "moths",
    "Moths",
    [["Species", "May", "June", "July", "August"]],
    [["Garden tiger", "0", "4", "11", "3"], ["Peppered", "7", "6", "9", "11"]],
)
STAFF = make_table(
    "staff",
    "Crew",
    [["Name", "Post", "Wage per hour (€)"]],
    [["Ada Brook", "deckhand", "12.75"], ["Umit Kaya", "engineer", "18.20"]],
)


@pytest.mark.parametrize(
    ("table", "question", "values"),
    [
        # A zero tells codes apart where others stand without it, and adds nothing where all have it.
        (FIRINGS, "How many firings reached cone 6?", {"2"}),
        (FIRINGS, "How many firings reached cone 06?", {"1"}),
        (ROUTES, "How many stops does route 6 have?", {"12"}),
        (ROUTES, "How many stops does route 06 have?", {"12"}),
        (FIRINGS, "What was the peak temperature of F-103?", {"1260"}),
        (TOWNS, "Since when has Brent been larger than Aldby?", {"2010"}),
        (TOWNS, "When was Brent larger than Aldby?", {"2010", "2020"}),
        (MOTHS, "Which moth was commonest in July?", {"Garden tiger"}),
        (STAFF, "What does Ada Brook earn?", {"12.75"}),
        (STAFF, "Who earns the most?", {"Umit Kaya"}),
    ],
)
def test_codes_times_and_wages(table: Table, question: str, values: set[str]) -> None:
    assert answered(question, table) == values


@pytest.mark.parametrize(
    ("table", "question"),
    [
        # A month alone is no season, and what was so once is not so since then.
        (MOTHS, "Which moth was commonest in summer?"),
        (TOWNS, "Since when has Aldby been larger than Brent?"),
        (FIRINGS, "How many firings reached cone 4?"),
    ],
)
def test_what_is_not_told(table: Table, question: str) -> None:
    assert answered(question, table) is None


def test_a_code_is_no_number() -> None:
    assert decided("F-102 was fired to cone 4.", FIRINGS) is not True
    assert decided("F-105 reached cone 06.", FIRINGS) is True
    assert decided("F-105 reached cone 6.", FIRINGS) is not True
