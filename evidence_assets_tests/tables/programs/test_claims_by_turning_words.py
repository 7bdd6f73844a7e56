"""Claims of which a word turns what a header says, changes what it measures, or counts no rows."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

TOURS = make_table(
    "tours",
    "Day tours",
    [["Tour", "Price (EUR)", "Refundable", "Contains nuts", "Safe to drink", "Fenced"]],
    [
        ["Island", "40", "no", "yes", "no", "no"],
        ["Coast", "25", "no", "no", "yes", "no"],
        ["Fjord", "90", "no", "no", "yes", "yes"],
        ["Harbour", "15", "yes", "no", "no", "yes"],
    ],
)
PLAYERS = make_table(
    "players",
    "Chess club",
    [["Player", "Year of birth", "Rating", "Wins"]],
    [
        ["Ada Lund", "1988", "1840", "9"],
        ["Bo Friis", "1961", "2010", "12"],
        ["Di Vance", "1974", "1920", "7"],
    ],
)
CONTRACTS = make_table(
    "contracts",
    "Contracts",
    [["Contract", "Signed", "Value (EUR)", "Insured", "Ends"]],
    [
        ["C-1", "3 May 2011", "12,000", "yes", "1 March 2027"],
        ["C-2", "9 June 2012", "30,500", "no", "31 December 2025"],
        ["C-3", "2 July 2019", "8,200", "no", "30 June 2025"],
    ],
)
RENTS = make_table(
    "rents",
    "Rents by city and year",
    [["City", "Year", "Rent (EUR/m2)"]],
    [
        ["Ghent", "2020", "10.2"],
        ["Liège", "2020", "8.1"],
        ["Namur", "2020", "8.8"],
        ["Ghent", "2023", "11.8"],
        ["Liège", "2023", "9.0"],
        ["Namur", "2023", "9.7"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three tours are non-refundable.", True),
        ("One tour is non-refundable.", False),
        ("The Island tour is non-refundable.", True),
        ("Three tours are nut-free.", True),
        ("Three tours are free of nuts.", True),
        ("The Island tour is free of nuts.", False),
        ("Island is unsafe to drink.", True),
        ("Coast is unsafe to drink.", False),
    ],
)
def test_a_word_that_turns_a_header_says_no(claim: str, truth: bool) -> None:
    verdict = verify(claim, TOURS)
    assert verdict.decides
    assert verdict.supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"), [("C-1 is yet to be insured.", False), ("C-2 has yet to be insured.", True)]
)
def test_what_is_yet_to_be_done_is_not_done(claim: str, truth: bool) -> None:
    assert verify(claim, CONTRACTS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Island is both unsafe to drink and cheaper than 50 euros.", True),
        ("Fjord is both fenced and cheaper than 50 euros.", False),
    ],
)
def test_both_joins_two_things_that_one_row_is(claim: str, truth: bool) -> None:
    verdict = verify(claim, TOURS)
    assert verdict.supported is truth
    assert not verdict.kind.startswith("both")


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Di Vance is older than Ada Lund.", True),
        ("Bo Friis is younger than Ada Lund.", False),
        ("Bo Friis is the oldest of the players.", True),
        ("Di Vance is the youngest player.", False),
    ],
)
def test_ages_are_told_by_a_year_of_birth(claim: str, truth: bool) -> None:
    verdict = verify(claim, PLAYERS)
    assert verdict.supported is truth
    assert "Year of birth" in verdict.program


@pytest.mark.parametrize(
    "claim",
    ["The outstanding value of C-2 is 30,500 euros.", "The former value of C-2 was 30,500 euros."],
)
def test_an_adjective_that_changes_a_measure_is_no_measure_of_the_table(claim: str) -> None:
    assert verify("The value of C-2 is 30,500 euros.", CONTRACTS).decides
    assert not verify(claim, CONTRACTS).decides


@pytest.mark.parametrize(("contract", "truth"), [("C-3", True), ("C-2", False)])
def test_what_ends_first_goes_by_its_end(contract: str, truth: bool) -> None:
    verdict = verify(f"{contract} is due to end first.", CONTRACTS)
    assert verdict.supported is truth
    assert "argmin(Ends" in verdict.program


def test_so_many_of_a_thing_are_no_difference() -> None:
    verdict = verify("Two Coast tours cost less than a Fjord tour.", TOURS)
    assert verdict.supported is not False


def test_rows_of_several_cities_are_no_series() -> None:
    verdict = verify("The rent rose in every city.", RENTS)
    assert verdict.kind != "series"
    assert not (verdict.decides and verdict.supported is False)
