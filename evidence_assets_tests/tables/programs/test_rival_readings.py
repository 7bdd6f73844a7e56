"""Claims that may be meant of several columns or rows: left open where they do not come to the same."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

DELIVERIES = make_table(
    "deliveries",
    "",
    [["Order", "Customer", "Ordered", "Delivered", "Kg"]],
    [
        ["D-201", "Lehmann", "29 Apr", "2 May", "120"],
        ["D-207", "Moreau", "22 May", "27 May", "200"],
        ["D-208", "Lehmann", "27 May", "", "150"],
        ["D-209", "Ortiz", "20 May", "28 May", "90"],
    ],
)
RUNS = make_table(
    "runs",
    "",
    [["Date", "Who", "Distance (km)"]],
    [["3 Mar", "Ida", "8"], ["9 Mar", "Ida", "12"], ["2 Apr", "Ben", "15"]],
)
BILLS = make_table(
    "bills",
    "",
    [["Bill", "Due", "Paid"]],
    [
        ["Gas", "5 Sep", "4 Sep"],
        ["Tax", "1 Oct", "1 Oct"],
        ["Net", "12 Oct", "15 Oct"],
        ["Car", "9 Nov", "14 Nov"],
        ["Gym", "15 Nov", ""],
    ],
)
BOOKS = make_table(
    "books",
    "",
    [["Title", "Published", "Finished", "Rating", "Notes"]],
    [
        ["Emma", "1815", "20 Mar", "5", "book club"],
        ["Tyll", "2017", "30 Mar", "2", ""],
        ["Circe", "2018", "", "3", "book from Jo"],
        ["Stoner", "1965", "", "4", ""],
        ["Dune", "1966", "", "4", ""],
    ],
)
MILLS = make_table(
    "mills",
    "",
    [["Mill", "Kind", "Grade", "Built", "Height (m)"]],
    [
        ["Hall", "wind", "listed", "1723", "22"],
        ["Gate", "water", "none", "1691", "11"],
        ["Tor", "water", "listed", "1847", "9"],
        ["Quay", "wind", "none", "1906", "13"],
        ["Stand", "water", "none", "1923", "6"],
    ],
)
BRANCHES = make_table(
    "branches",
    "",
    [["Branch", "Opened", "2021", "2022", "Target 22"]],
    [
        ["Kiel", "2009", "410", "455", "450"],
        ["Husum", "2019", "95", "90", "100"],
        ["Plön", "2022", "", "55", "70"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        # When was ordered and when delivered are told apart by no word.
        ("The latest delivery went to Lehmann.", DELIVERIES, None),
        ("The latest delivery weighed 150 kg.", DELIVERIES, None),
        ("The heaviest order went to Moreau.", DELIVERIES, True),
        # What the extreme is said to be stands in another column.
        ("The largest target is 455.", BRANCHES, None),
        ("The largest target is 450.", BRANCHES, True),
        # Of the listed mills, not of all.
        ("The oldest listed mill is Hall.", MILLS, True),
        ("The oldest mill is Gate.", MILLS, True),
        # A year that heads a column is not when a branch was opened.
        ("In 2022 only one branch had sales.", BRANCHES, None),
        ("One branch was opened in 2022.", BRANCHES, True),
        ("Two branches missed their target by 10 or more.", BRANCHES, None),
    ],
)
def test_a_column_is_told_or_all_that_may_be_meant_agree(
    claim: str, table: Table, truth: bool | None
) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Ida ran more than 15 km in March.", None),
        ("Ida ran less than 15 km in March.", None),
        ("Ida ran more than 25 km in March.", False),
        ("Ben ran more than 12 km in April.", True),
    ],
)
def test_an_amount_of_several_rows_may_be_their_total(claim: str, truth: bool | None) -> None:
    assert decided(claim, RUNS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Three bills were paid by the end of October.", True),
        ("Two bills were paid by the end of October.", False),
        ("Two bills were due after the end of October.", True),
        ("Four bills were paid since September.", True),
        ("Two bills were paid by 10 October.", True),
        ("Three bills were due from 12 October on.", True),
        # Whether October belongs to it nobody says.
        ("Three bills were paid by October.", None),
    ],
)
def test_what_was_so_by_a_time_had_been_so_before(claim: str, truth: bool | None) -> None:
    assert decided(claim, BILLS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        # A note of some book says `book`.
        ("Two books were finished in March.", True),
        ("All the books were finished.", False),
        ("The oldest book is Emma.", True),
        ("Half of the books were published before 1900.", None),
    ],
)
def test_what_all_rows_are_is_no_note_of_one(claim: str, truth: bool | None) -> None:
    assert decided(claim, BOOKS) is truth
