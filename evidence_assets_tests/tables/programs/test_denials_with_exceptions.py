"""Claims that deny something but for some, until some time, or of every row: by the cells that tell it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

EPISODES = make_table(
    "episodes",
    "Harbour Lights (season 2)",
    [["Episode", "Title", "Written by", "Aired", "Viewers (millions)"]],
    [
        ["1", "High Water", "Ida Vale", "5 March 2002", "4.1"],
        ["2", "The Salt Road", "Tom Ash", "12 March 2002", "3.9"],
        ["3", "Nine Bells", "Ida Vale", "26 March 2002", "4.4"],
        ["4", "Low Water", "Una Reed", "9 April 2002", "5.2"],
        ["5", "The Long Night", "Tom Ash", "16 April 2002", "4.8"],
    ],
)
VOTES = make_table(
    "votes",
    "Candidates of a party",
    [["Riding", "Candidate", "Gender", "Votes", "%"]],
    [
        ["Vik", "Ida Vale", "F", "7,660", "21.1"],
        ["Osen", "Tom Ash", "M", "12,793", "31.5"],
        ["Corran", "Una Reed", "F", "18,200", "48.7"],
        ["Sarn", "Eli Frost", "M", "4,874", "12.3"],
    ],
)
SCORERS = make_table(
    "scorers",
    "Goals of Osen United",
    [["Player", "League", "Cup", "Shield"]],
    [["Ida Vale", "5", "0", "0"], ["Tom Ash", "3", "1", "0"], ["Una Reed", "0", "2", "0"]],
)
RIFLES = make_table(
    "rifles",
    "Rifles of the Corran works",
    [["Model", "Made", "Calibre"]],
    [["Osen", "1861–1862", ".44"], ["Vik", "1863–1875", ".36"], ["Sarn", "1866", ".41"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Una Reed did not write any episode other than Low Water.", True),
        ("Ida Vale did not write any episode other than High Water.", False),
        ("Except for Low Water, Una Reed did not write an episode.", True),
        ("No episode except Low Water got to 5 million viewers.", True),
        ("No episode except Nine Bells got to 4.5 million viewers.", False),
    ],
)
def test_what_is_denied_but_of_some_is_so_of_them_alone(claim: str, truth: bool) -> None:
    assert decided(claim, EPISODES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Tom Ash did not write an episode until The Salt Road.", True),
        ("Tom Ash did not write an episode until The Long Night.", False),
        ("Tom Ash did not write an episode until 12 March 2002.", True),
        ("There was no episode between 12 March 2002 and 26 March 2002.", True),
        ("There was no episode between 5 March 2002 and 26 March 2002.", False),
        ("There was no episode between 27 March and 5 April 2002.", True),
        ("There was no episode between 12 March and 26 March.", True),
        ("There was no episode between 5 March and 26 March.", False),
        ("Tom Ash wrote an episode between 10 March and 15 March.", True),
        ("Ida Vale wrote an episode between 10 March and 15 March.", False),
    ],
)
def test_until_and_between_are_told_by_the_dates_of_rows(claim: str, truth: bool) -> None:
    assert decided(claim, EPISODES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("None of the candidates except Una Reed polled more than 40 percent.", True),
        ("None of the candidates except Una Reed polled more than 30 percent.", False),
        ("No candidate got to 50 percent.", True),
        ("No candidate got to 45 percent.", False),
    ],
)
def test_a_header_may_be_its_unit_alone(claim: str, truth: bool) -> None:
    assert decided(claim, VOTES) is truth


def test_nobody_scored_where_all_have_zero() -> None:
    assert decided("Nobody scored in the shield.", SCORERS) is True
    assert decided("Nobody scored in the cup.", SCORERS) is False


def test_what_was_still_made_after_a_year_ended_later() -> None:
    assert decided("None of the models were still being made after 1873.", RIFLES) is False
    assert decided("None of the models were still being made after 1875.", RIFLES) is True


def test_the_only_one_of_several_is_not_one_that_is_so_among_others() -> None:
    assert decided("Una Reed was the only one of the four who got more than 40 percent.", VOTES) is True
    assert decided("Una Reed was the only one of the four who got more than 30 percent.", VOTES) is False
