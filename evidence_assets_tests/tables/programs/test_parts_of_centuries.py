"""Halves of centuries and decades, of months in dates without a year, and times told in several units."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

CERAMICS = make_table(
    "ceramics",
    "Ceramics in the Osk Museum",
    [["Object", "Made", "Acquired"]],
    [
        ["Storage jar", "15th century", "1903"],
        ["Two-handled jug", "1610–1630", "1911"],
        ["Tea bowl", "1688", "1911"],
        ["Moon jar", "18th century", "1934"],
        ["Salt cellar", "1742", "1952"],
        ["Tureen", "about 1770", "1952"],
        ["Studio plate", "1963", "1995"],
    ],
)
PLAN = make_table(
    "plan",
    "Training plan",
    [["Week", "Starts", "Runs"]],
    [["3", "29 July", "5"], ["4", "5 August", "4"], ["5", "12 August", "5"], ["6", "19 August", "5"]],
)
SWIM = make_table(
    "swim",
    "Cross-lake swim, results",
    [["Rank", "Swimmer", "Club", "Length (m)", "Time"]],
    [
        ["1", "Ana Ferreira", "Delfin", "3,800", "1:02:45"],
        ["2", "Luc Moreau", "SC Lac", "3,700", "1:04:10"],
        ["3", "Tom Aldous", "Delfin", "3,900", "1:04:58"],
        ["4", "Ida Strand", "Nordhav", "4,100", "DNF"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The salt cellar was made in the first half of the 18th century.", True),
        ("The salt cellar was made in the second half of the 18th century.", False),
        ("The tureen was made in the 18th century.", True),
        ("The two-handled jug dates from the first half of the 17th century.", True),
        ("The moon jar was made in the first half of the 18th century.", None),
        ("The studio plate was acquired in the second half of the 1990s.", True),
        ("The studio plate was acquired in the first half of the 1990s.", False),
    ],
)
def test_a_date_lies_in_a_part_of_a_century(claim: str, truth: bool | None) -> None:
    assert decided(claim, CERAMICS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Week 4 of the plan begins in the first half of August.", True),
        ("Week 6 of the plan begins in the first half of August.", False),
    ],
)
def test_a_date_without_a_year_lies_in_half_of_a_month(claim: str, truth: bool) -> None:
    assert decided(claim, PLAN) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ana Ferreira finished in 1 hour, 2 minutes and 45 seconds.", True),
        ("Luc Moreau's time was 1 hour, 5 minutes and 10 seconds.", False),
        ("Ida Strand finished in 1 hour, 2 minutes and 45 seconds.", False),
        ("Two of the three highest-ranked swimmers belong to Delfin.", True),
        ("One of the three highest-ranked swimmers belongs to Nordhav.", False),
        ("Two of the three longest distances were swum for Delfin.", None),
    ],
)
def test_hours_minutes_and_seconds_are_one_time(claim: str, truth: bool | None) -> None:
    assert decided(claim, SWIM) is truth
