"""Claims that something is given of a row, or not, are decided by whether its cell is filled."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

KILNS = make_table(
    "kilns",
    "Kilns of the Sarn valley",
    [["Kiln", "Potter", "Chimneys", "Founder", "Remarks"]],
    [
        ["Aldmoor", "Una Reed", "3", "Ira Holt", "Rebuilt after a fire"],
        ["Brack", "Tom Ash", "2", "", ""],
        ["Corvel", "Una Reed", "0", "May Dunn", ""],
        ["Dunster", "Eli Frost", "1", "", "Listed building"],
        ["Emberley", "Tom Ash", "4", "Ira Holt", ""],
    ],
)
SINGLES = make_table(
    "singles",
    "The Lanterns discography",
    [["Year", "Single", "Home Chart", "Island Chart"]],
    [
        ["1971", "Low Tide", "31", "12"],
        ["1972", "Salt Road", "–", "44"],
        ["1973", "Ash Hill", "7", "–"],
        ["1974", "Nine Bells", "58", "31"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No founder is named for Brack.", True),
        ("No founder is named for Aldmoor.", False),
        ("The founder of Dunster isn't given.", True),
        ("The founder of Emberley isn't given.", False),
        ("Brack and Dunster lack a founder.", True),
        ("Corvel lacks a founder.", False),
        ("Brack does not have a founder.", True),
        ("Emberley does not have a founder.", False),
        ("Three of the kilns have a founder listed.", True),
        ("Corvel has no remarks on a fire.", True),
        ("Aldmoor has no remarks on a fire.", False),
    ],
)
def test_an_empty_cell_tells_that_nothing_is_given(claim: str, truth: bool) -> None:
    assert decided(claim, KILNS) is truth


def test_where_no_number_was_recorded_that_is_none_and_no_empty_cell() -> None:
    assert decided("No chimneys were recorded at Corvel.", KILNS) is True


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three of the four singles made the Home Chart.", True),
        ("Two of the four singles made the Home Chart.", False),
        ("Ash Hill missed the Island Chart.", True),
        ("Low Tide missed the Island Chart.", False),
    ],
)
def test_what_made_the_charts_has_a_place_in_them(claim: str, truth: bool) -> None:
    assert decided(claim, SINGLES) is truth
