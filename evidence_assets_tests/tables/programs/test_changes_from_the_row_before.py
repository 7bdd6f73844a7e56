"""Claims of one time's change from the one before, where times are rows, and of several years' changes."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.plain_tables import MILLS
from evidence_assets_tests.testing.program_verdicts import decided

MARKET = make_table(
    "market",
    "A night market by year",
    [["Year", "Stalls", "Visitors"]],
    [
        ["2017", "85", "26,000"],
        ["2018", "85", "29,400"],
        ["2019", "91", "31,200"],
        ["2020", "40", "6,300"],
        ["2021", "66", "15,900"],
    ],
)
DONORS = make_table(
    "donors",
    "Blood donations",
    [["Month", "Donors", "Litres"]],
    [["January", "412", "193.6"], ["February", "388", "182.4"], ["March", "455", "213.9"]],
)
DECADES = make_table(
    "decades",
    "A village school",
    [["Year", "Pupils"]],
    [["1990", "85"], ["2000", "70"], ["2001", "66"], ["2002", "60"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Visitor numbers fell in 2020.", True),
        ("Visitor numbers rose in 2020.", False),
        ("Visitors fell by about 80 % in 2020.", True),
        ("In 2021, visitor numbers more than doubled.", True),
        ("In 2021, visitor numbers more than trebled.", False),
        ("The number of stalls remained unchanged in 2018.", True),
    ],
)
def test_a_change_in_a_year_is_from_the_row_of_the_year_before(claim: str, truth: bool) -> None:
    assert decided(claim, MARKET) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The number of donors fell by 24 in February.", True),
        ("The number of donors fell in March.", False),
        ("The number of donors fell in February and March.", False),
    ],
)
def test_so_is_one_in_a_month(claim: str, truth: bool) -> None:
    assert verify(claim, DONORS).supported is truth


@pytest.mark.parametrize(
    "claim", ["Visitor numbers fell in 2017.", "After growing for four years, visitor numbers fell in 2020."]
)
def test_before_the_first_year_nothing_is_told_and_what_is_said_besides_is_left(claim: str) -> None:
    assert not verify(claim, MARKET).decides


def test_the_row_before_must_be_of_the_time_before() -> None:
    assert not verify("The number of pupils fell in 2000.", DECADES).decides
    assert verify("The number of pupils fell in 2001.", DECADES).supported is True


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In Crake, output fell in 2018 and rose in 2020.", True),
        ("In Crake, output rose in 2018 and 2020.", False),
        ("In Aske, output rose in 2018 and 2020.", False),
    ],
)
def test_a_change_in_listed_years_is_of_each(claim: str, truth: bool) -> None:
    assert verify(claim, MILLS).supported is truth


LAKE = make_table(
    "lake",
    "A lake by quarter",
    [["Quarter", "Visitors", "Water level (m)", "Boat hire (€)"]],
    [
        ["Q2 2020", "3,400", "4.05", "9,800"],
        ["Q3 2020", "5,900", "3.80", "15,200"],
        ["Q4 2020", "2,100", "4.10", "5,000"],
        ["Q1 2021", "1,500", "4.35", "3,600"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In the third quarter of 2020, the water level fell by 25 cm.", True),
        ("In the third quarter of 2020, the water level fell by 45 cm.", False),
        ("Visitor numbers fell in the first quarter of 2021.", True),
        ("The water level rose in every quarter.", False),
        ("Visitor numbers peaked in the third quarter of 2020.", True),
    ],
)
def test_quarters_are_times(claim: str, truth: bool) -> None:
    assert decided(claim, LAKE) is truth


@pytest.mark.parametrize(
    "claim",
    [
        "The number of visitors fell in 2021.",
        "In the third quarter of 2020, the water level fell by ten cents.",
    ],
)
def test_a_year_is_no_quarter_and_a_unit_of_another_kind_no_amount(claim: str) -> None:
    assert not verify(claim, LAKE).decides
