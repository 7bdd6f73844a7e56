"""Tests of claims that say, or deny, the same of two things: `both A and B`, `A, but not B`."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

MILLS = make_table(
    "mills",
    "Mills of the valley",
    [["Mill", "River", "Built", "Output 2019", "Output 2021", "Workers", "Wheels"]],
    [
        ["Alder", "Esk", "1840", "120", "150", "12", "2"],
        ["Birch", "Esk", "1855", "200", "180", "9", "1"],
        ["Cedar", "Tarn", "1872", "90", "95", "20", "3"],
        ["Damson", "Tarn", "1901", "60", "40", "4", "1"],
        ["Elder", "Ure", "1890", "310", "330", "31", "4"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder, but not Birch, produced more in 2021 than in 2019.", True),
        ("Alder and not Cedar produced more in 2021 than in 2019.", False),
        ("It was Alder, not Birch, that grew between 2019 and 2021.", True),
        ("Alder has more workers than Birch but not than Cedar.", True),
        ("Cedar has more workers than Birch but not than Alder.", False),
        ("Elder has the most workers, but not the fewest wheels.", True),
        ("Elder has the highest output in 2021 but not in 2019.", False),
        ("While Alder grew from 2019 to 2021, Birch did not.", True),
        ("Elder had the most workers but Cedar did not.", True),
        ("Cedar had the most workers but Elder did not.", False),
    ],
)
def test_what_is_said_of_one_is_denied_of_the_other(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Both Alder and Cedar produced more in 2021 than in 2019.", True),
        ("Both Alder and Birch produced more in 2021 than in 2019.", False),
        ("Alder and Cedar both produced more in 2021 than in 2019.", True),
        ("Alder and Birch alike produced more in 2021 than in 2019.", False),
        ("Elder has the most workers as well as the most wheels.", True),
        ("Cedar has the most workers as well as the most wheels.", False),
        ("Neither Birch nor Damson produced more in 2021 than in 2019.", True),
        ("Neither Birch nor Alder produced more in 2021 than in 2019.", False),
    ],
)
def test_both_and_neither(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


@pytest.mark.parametrize(
    "claim",
    [
        "Alder and Birch both have the same number of workers.",
        "Alder and Birch together have more workers than Cedar.",
    ],
)
def test_what_is_said_of_two_together_is_said_of_neither(claim: str) -> None:
    assert verify(claim, MILLS).kind != "conjunction"
