"""Shares that a claim tells: of a group's rows, of another column, and of what all rows have together."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.plain_tables import MILLS
from evidence_assets_tests.testing.program_verdicts import verdicts

SHOPS = make_table(
    "shops",
    "Shops of a street",
    [["Shop", "Trade", "Staff", "Rent (£)"]],
    [
        ["Ash", "bakery", "4", "900"],
        ["Birk", "bakery", "2", "700"],
        ["Cole", "butcher", "6", "1,200"],
        ["Dorn", "bakery", "3", "800"],
        ["Elm", "cobbler", "1", "400"],
    ],
)
COURSES = make_table(
    "courses",
    "Evening classes",
    [["Class", "Enrolled", "Finished", "Fee (€)"]],
    [["Welding", "40", "30", "210"], ["Italian", "25", "10", "95"], ["Pottery", "20", "19", "120"]],
)
POLLS = make_table(
    "polls",
    "A vote by ward",
    [["Ward", "Yes (%)", "Voters"]],
    [["East", "62.5", "800"], ["West", "41.0", "1,200"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The bakeries employ more than half of all staff.", True),
        ("The bakeries employ a third of all staff.", False),
        ("Most of the rent comes from bakeries.", True),
        ("Most of the staff work at the butcher.", False),
        ("Less than half of the staff work at bakeries.", False),
    ],
)
def test_a_share_of_what_is_summed_is_no_share_of_rows(claim: str, truth: bool) -> None:
    assert verdicts(SHOPS, claim, "share of a total") == {truth}
    assert not verdicts(SHOPS, claim, "majority")


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Over half of the shops are bakeries.", True),
        ("Two thirds of the bakeries have at least 3 staff.", True),
        ("Over half of the bakeries have fewer than 3 staff.", False),
        ("A third of the shops pay less than £850.", False),
    ],
)
def test_a_share_of_rows_is_of_those_named(claim: str, truth: bool) -> None:
    assert verdicts(SHOPS, claim, "majority") == {truth}
    assert not verdicts(SHOPS, claim, "share of a total")


def test_a_share_of_what_a_row_has_is_none_of_the_total() -> None:
    assert verify("Cole lost less than half of its staff.", SHOPS).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two of the five shops have more than 3 staff.", True),
        ("Two of five shops have more than 3 staff.", True),
        ("Two of six shops have more than 3 staff.", False),
        ("Two of the three bakeries pay more than £750.", True),
    ],
)
def test_a_part_is_of_as_many_as_there_are(claim: str, truth: bool) -> None:
    assert verify(claim, SHOPS).supported is truth


def test_no_count_is_read_of_a_whole_that_is_none() -> None:
    assert verdicts(SHOPS, "One of the seven shops is a butcher.", "count") == set()


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (COURSES, "Three quarters of those enrolled in Welding finished.", "share of a column", True),
        (COURSES, "40 percent of those enrolled in Italian finished.", "share of a column", True),
        (COURSES, "Less than 80 percent of those enrolled in Pottery finished.", "share of a column", False),
        (MILLS, "The share of Crake in 2020 was above 40 percent.", "share of a total", True),
        (MILLS, "The share of Berrow in 2020 was above 40 percent.", "share of a total", False),
    ],
)
def test_a_share_is_of_another_column_or_of_all(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


def test_percentages_that_a_table_tells_are_no_shares_of_a_total() -> None:
    assert verdicts(POLLS, "62.5 % of the voters of East said yes.", "share of a total") == set()


def test_what_is_told_in_another_unit_is_no_part() -> None:
    assert verdicts(COURSES, "Half of those enrolled in Italian paid a fee.", "share of a column") == set()


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In the ciabatta, the water amounts to 80% of the flour.", True),
        ("In the ciabatta, the water amounts to 60% of the flour.", False),
        ("In the rye bread, the salt amounts to half of the yeast.", True),
        ("In the ciabatta, the salt amounts to half of the yeast.", False),
    ],
)
def test_a_row_may_be_a_share_of_another(claim: str, truth: bool) -> None:
    doughs = make_table(
        "doughs",
        "Formulas of a bakery, grams per batch",
        [["Ingredient", "Ciabatta", "Rye bread"]],
        [
            ["Wheat flour", "8,000", "3,000"],
            ["Rye flour", "0", "7,000"],
            ["Water", "6,400", "7,500"],
            ["Salt", "160", "100"],
            ["Yeast", "60", "200"],
        ],
    )

    assert verify(claim, doughs).supported is truth
