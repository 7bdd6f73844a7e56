"""`None` that is no value, ends of years, bounds within ranges, and predicates that no column tells."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.derived.remainders import with_remainders
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets_tests.testing.program_verdicts import decided

WEIRS = make_table(
    "weirs",
    "Weirs of the Tarn",
    [["Weir", "Drop (m)", "Inspected", "Built", "Gate", "Sluices", "Level (cm)", "Restored"]],
    [
        ["Alder", "0.50", "30 Apr 2023", "1994", "none", "3", "40–130", "1994–1998"],
        ["Birch", "0.75", "31 Dec 2023", "1990", "steel", "2", "50–90", "1988"],
        ["Cedar", "1.20", "5 Jan 2024", "2001", "none", "1", "20–45", "2011"],
        ["Elm", "0.45", "1 Mar 2022", "1988", "oak", "4", "60–85", "never"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("None of the weirs has more than four sluices.", True),
        ("None of the weirs has more than three sluices.", False),
        ("None has fewer than two sluices.", False),
    ],
)
def test_none_that_opens_a_claim_denies_rows_though_a_cell_says_none(claim: str, supported: bool) -> None:
    assert decided(claim, WEIRS) is supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Birch was inspected before the end of 2023.", True),
        ("Cedar was inspected before the end of 2023.", False),
        ("Three of the weirs were inspected before the end of 2023.", True),
        ("Birch was inspected before the start of 2023.", False),
        ("Elm was inspected before the beginning of 2023.", True),
        ("Cedar was inspected after the end of 2023.", True),
        ("Birch was inspected after the end of 2023.", False),
    ],
)
def test_before_the_end_of_a_year_is_in_it_or_before(claim: str, supported: bool) -> None:
    assert decided(claim, WEIRS) is supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Birch has a level of at least 50 cm.", True),
        ("Cedar has a level of at least 50 cm.", False),
        # From 40 to 130 is both.
        ("Alder has a level of at least half a metre.", None),
    ],
)
def test_bound_within_a_range_is_left_open(claim: str, supported: bool | None) -> None:
    assert decided(claim, WEIRS) is supported


def test_what_is_said_of_all_is_what_the_verb_says() -> None:
    # When they were built is not whether they were restored: one never was.
    assert decided("All the weirs built before 1992 have been restored.", WEIRS) is False
    assert decided("All the weirs built after 1992 have been restored.", WEIRS) is True


def test_header_of_what_there_was_keeps_a_name() -> None:
    halls = make_table(
        "halls",
        "Halls of the inn",
        [["Hall", "Beds", "Beds taken"]],
        [["Oak", "12", "7"], ["Elm", "8", "8"], ["Ash", "10", "4"]],
    )
    derived = with_remainders(tokens("Five beds are empty in Oak."), halls)
    assert derived is not None
    assert all(derived.header)
