"""Claims of two changes, each in a clause of its own."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

SHOPS = make_table(
    "shops",
    "Turnover of the farm shops by quarter (thousand euros)",
    [["Shop", "Q1", "Q2", "Q3", "Q4"]],
    [["Lane", "52", "61", "58", "70"], ["Mill", "28", "27", "25", "31"], ["Quay", "40", "44", "37", "36"]],
)
SEATS = make_table(
    "seats",
    "Seats in the council",
    [["Party", "2008", "2012", "2016"]],
    [["Greens", "4", "6", "9"], ["Labour", "14", "12", "10"], ["Centre", "12", "11", "12"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Turnover at Lane fell in the third quarter and recovered in the fourth.", True),
        ("Turnover at Quay fell in the third quarter and recovered in the fourth.", False),
        ("Turnover at Mill rose in the third quarter and fell in the fourth.", False),
    ],
)
def test_each_change_is_of_its_quarter(claim: str, truth: bool) -> None:
    assert verify(claim, SHOPS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Greens gained seats between 2008 and 2016, while Labour lost seats.", True),
        ("The Greens gained seats between 2012 and 2016, while the Centre lost seats.", False),
    ],
)
def test_the_second_clause_is_of_the_time_of_the_first(claim: str, truth: bool) -> None:
    assert verify(claim, SEATS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Centre lost seats in 2012 and has gained seats every year since.", True),
        ("Labour fell from 14 seats in 2008 to 10 in 2016.", True),
        ("Labour fell from 14 seats in 2008 to 9 in 2016.", False),
        ("The Centre lost seats at every election.", False),
    ],
)
def test_where_a_change_begins_and_ends_is_read(claim: str, truth: bool) -> None:
    assert verify(claim, SEATS).supported is truth
