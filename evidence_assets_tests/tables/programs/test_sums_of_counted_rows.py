"""Sums whose rows are counted beside them, and adjectives of length for what is told in metres."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

ENGINES = make_table(
    "engines",
    "Locomotive classes",
    [["Class", "Traction", "Number built", "Weight (t)", "On time (%)"]],
    [
        ["E10", "electric", "48", "86", "91"],
        ["E21", "electric", "26", "84", "88"],
        ["D4", "diesel", "72", "61", "82"],
        ["D7", "diesel", "55", "79", "93"],
        ["D9", "diesel", "12", "70", "90"],
        ["Volta S", "battery", "4", "50", "99"],
        ["Volta M", "battery", "3", "55", "98"],
    ],
)
NETWORK = make_table(
    "network",
    "Railways",
    [["Year", "Network (km)", "Trains on time (%)", "Electrified (%)"]],
    [["1990", "2,410", "84.0", "38"], ["2000", "2,180", "86.5", "47"], ["2023", "2,172", "86.9", "70"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Together, the three diesel classes have a number built of 139.", True),
        ("Together, the two diesel classes have a number built of 139.", False),
        ("Together, the three diesel classes have a number built of 129.", False),
        ("The 3 diesel classes weigh 210 t together.", True),
        ("The 2 diesel classes weigh 210 t together.", False),
        ("Both Volta classes weigh less than 60 t.", True),
        ("Both Volta classes weigh less than 52 t.", False),
        ("In all diesel classes, the number built is 12 or more.", True),
        ("In all diesel classes, the number built is 20 or more.", False),
    ],
)
def test_rows_are_as_many_as_is_said_of_their_sum(claim: str, truth: bool) -> None:
    assert verify(claim, ENGINES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The network was shorter in 2023 than in 1990.", True),
        ("The network was longer in 2023 than in 2000.", False),
        ("The network was shorter in 2023 than in 1990, but a larger share of it was electrified.", True),
        ("The network was shorter in 2023 than in 1990, but a smaller share of it was electrified.", False),
    ],
)
def test_a_length_is_told_in_kilometres_and_a_share_tells_no_time(claim: str, truth: bool) -> None:
    assert verify(claim, NETWORK).supported is truth
