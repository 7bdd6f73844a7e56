"""Claims of places: higher than second, in the top 40 of a chart, peaked at 31 on both."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

SINGLES = make_table(
    "singles",
    "The Lanterns discography",
    [["Year", "Single", "Home Chart", "Island 100"]],
    [
        ["1971", "Low Tide", "31", "12"],
        ["1972", "Salt Road", "66", "44"],
        ["1973", "Ash Hill", "7", "85"],
        ["1974", "Nine Bells", "31", "31"],
    ],
)
RACES = make_table(
    "races",
    "Ida Vale in the lakes series",
    [["Year", "Race", "Place", "Time"]],
    [
        ["2011", "Corran Lake", "12th", "41:20"],
        ["2012", "Sarn Water", "2nd", "39:05"],
        ["2013", "Corran Lake", "5th", "40:11"],
        ["2014", "Brack Mere", "3rd", "39:40"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ash Hill entered the top 10 of the Home Chart.", True),
        ("Low Tide never reached the top 40 of the Home Chart.", False),
        ("Salt Road never reached the top 40 of the Home Chart.", True),
        ("Neither Salt Road nor Ash Hill reached the top 40 of the Island 100.", True),
        ("Neither Low Tide nor Ash Hill reached the top 40 of the Island 100.", False),
    ],
)
def test_the_top_of_a_chart_is_told_by_its_column(claim: str, truth: bool) -> None:
    assert decided(claim, SINGLES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Nine Bells peaked at 31 on the Home Chart.", True),
        ("Ash Hill climbed to number 85 on the Island 100.", True),
        ("Ash Hill climbed to number 85 on the Home Chart.", False),
        ("Salt Road was number 44 on the Home Chart.", False),
    ],
)
def test_a_number_is_of_the_chart_that_follows_it(claim: str, truth: bool) -> None:
    assert decided(claim, SINGLES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In none of the races did she place higher than second.", True),
        ("In none of the races did she place higher than third.", False),
        ("She finished better than 4th in two races.", True),
        ("She placed lower than 10th at Corran Lake.", True),
        ("She placed lower than 10th at Sarn Water.", False),
    ],
)
def test_what_is_higher_than_a_place_comes_before_it(claim: str, truth: bool) -> None:
    assert decided(claim, RACES) is truth
