"""Claims over tables with a column for each day of the week, or for several days in a row."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.times.week_headers import days_of_columns
from evidence_assets_tests.testing.program_verdicts import decided

LIBRARY = make_table(
    "library",
    "Loans per branch of the town library, week of 3 March",
    [["Branch", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]],
    [
        ["Harbour", "120", "95", "130", "110", "150", "210"],
        ["Mill Hill", "60", "62", "58", "70", "64", "90"],
        ["Old Town", "80", "85", "60", "75", "160", "–"],
        ["Total", "260", "242", "248", "255", "374", "300"],
    ],
)
SAUNA = make_table(
    "sauna",
    "Prices of the sauna (€)",
    [["Ticket", "Mon–Thu", "Friday", "Weekend surcharge"]],
    [
        ["Two hours", "12", "14", "3"],
        ["Day", "20", "24", "5"],
        ["Family", "40", "40", "8"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("On Tuesday, Old Town lent more than Mill Hill.", True),
        ("On Thursday, Mill Hill lent more than Harbour.", False),
        ("Harbour had more loans on Friday than on Monday.", True),
        ("Mill Hill had fewer loans on Thursday than on Wednesday.", False),
        ("Harbour had the most loans on every day from Monday to Wednesday.", True),
        ("Harbour had the most loans on every day from Monday to Friday.", False),
        ("Harbour had more loans than Mill Hill on every day.", True),
        ("On no day did Mill Hill have more loans than Harbour.", True),
        ("Mill Hill had 70 loans or more on two of the six days.", True),
        ("Mill Hill had 70 loans or more on three of the six days.", False),
        ("Saturday was the busiest day for Mill Hill.", True),
        ("Wednesday was the busiest day for Harbour.", False),
        # Nobody can tell of the day without a number.
        ("Old Town had more than 50 loans on every day.", None),
    ],
)
def test_days_are_columns(claim: str, truth: bool | None) -> None:
    assert decided(claim, LIBRARY) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Mill Hill had 404 loans over the week.", True),
        ("Mill Hill had 430 loans over the week.", False),
        ("Harbour had 345 loans from Monday to Wednesday.", True),
        ("Harbour had more than 800 loans over the six days.", True),
        ("Harbour had 815 loans over the seven days.", None),
        ("Old Town had 460 loans over the week.", None),
    ],
)
def test_a_row_is_summed_over_its_days(claim: str, truth: bool | None) -> None:
    assert decided(claim, LIBRARY) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A day costs 4 euros more on Friday than from Monday to Thursday.", True),
        ("Two hours cost 4 euros more on Friday than from Monday to Thursday.", False),
        ("The Friday price is higher than the Monday-to-Thursday price for all tickets.", False),
    ],
)
def test_several_days_in_a_row_are_a_column(claim: str, truth: bool) -> None:
    assert decided(claim, SAUNA) is truth


def test_a_single_column_of_a_day_is_no_week() -> None:
    assert days_of_columns(index_of(SAUNA)) == {1: (0, 3), 2: (4, 4)}
    sundays = make_table("sundays", "", [["Shop", "Sun", "Staff"]], [["A", "3", "4"], ["B", "5", "6"]])
    assert days_of_columns(index_of(sundays)) == {}


def test_a_total_that_a_claim_names_meets_bounds_too() -> None:
    table = make_table(
        "meals",
        "Meals per month",
        [["Dish", "May", "June", "July"]],
        [["Soup", "10", "8", "9"], ["Pie", "20", "18", "12"], ["Total", "30", "26", "21"]],
    )
    assert decided("The total fell in every month.", table) is True
    assert decided("The total rose in every month.", table) is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Harbour had 130 loans on Wednesday.", True),
        # Another day had them.
        ("Harbour had 130 loans on Monday.", False),
        ("Mill Hill had 58 loans on Thursday.", False),
    ],
)
def test_what_the_caption_counts_is_told_of_a_day(claim: str, truth: bool) -> None:
    assert decided(claim, LIBRARY) is truth
