"""Claims of days of the week that cells write short, and of times of day that a row may lack."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

SOUPS = make_table(
    "soups",
    "Soups of the canteen",
    [["Day", "Soup", "Bowls", "Sold out"]],
    [
        ["Mon 3 May", "leek", "40", "12:50"],
        ["Tue 4 May", "beetroot", "25", "13:30"],
        ["Sat 8 May", "leek", "61", "?"],
        ["Sun 9 May", "pumpkin", "33", "12:20"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Beetroot was served on the Tuesday.", True),
        ("Pumpkin was served on the Tuesday.", False),
        ("More bowls were served on Saturday than on Sunday.", True),
        ("More bowls were served on Monday than on Saturday.", False),
    ],
)
def test_days_written_short_are_read_by_their_names(claim: str, truth: bool) -> None:
    assert verify(claim, SOUPS).supported is truth


def test_short_words_outside_a_column_of_days_are_no_days() -> None:
    table = make_table("crew", "", [["Name", "Seat"]], [["Sun Li", "4"], ["Mo Farr", "5"], ["Ana Po", "6"]])

    assert verify("On Sunday there was a seat.", table).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("On the Saturday the leek was sold out by one o'clock.", None),
        ("On the Monday the leek was sold out by one o'clock.", True),
        ("On the Monday the leek was sold out by half past twelve.", False),
        ("On the Monday the leek was sold out by one in the morning.", False),
    ],
)
def test_a_time_is_of_the_half_of_the_day_that_its_column_tells(claim: str, truth: bool | None) -> None:
    assert verify(claim, SOUPS).supported is truth
