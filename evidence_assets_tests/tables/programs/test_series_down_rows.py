"""Claims of a series of rows: years, age groups and the like, of which each is compared with the next."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

LOANS = make_table(
    "loans",
    "Loans of the town library",
    [["Year", "Visits", "Loans", "Members"]],
    [
        ["2019", "42900", "86400", "5340"],
        ["2020", "18800", "51900", "5080"],
        ["2021", "23500", "60200", "5020"],
        ["2022", "35100", "70300", "5190"],
    ],
)
SWIMMERS = make_table(
    "swimmers",
    "Swimming lessons by age group",
    [["Age group", "Enrolled", "Passed the badge (%)", "Repeating (%)"]],
    [
        ["4–5 years", "120", "41", "22"],
        ["6–7 years", "164", "67", "15"],
        ["8–9 years", "151", "74", "11"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The share who passed the badge rises with every age group.", True),
        ("The share repeating falls from each age group to the next.", True),
        ("The number enrolled rises from each age group to the next.", False),
        ("In every age group, at least two fifths passed the badge.", True),
        ("In every age group, at least half passed the badge.", False),
    ],
)
def test_each_row_is_compared_with_the_next(claim: str, truth: bool) -> None:
    assert decided(claim, SWIMMERS) is truth


@pytest.mark.parametrize(
    "claim",
    [
        "The share who passed the badge rises with every age group except the oldest.",
        "The share who passed the badge rises with every further child enrolled.",
    ],
)
def test_a_series_is_of_all_rows_and_of_what_they_are(claim: str) -> None:
    assert verify(claim, SWIMMERS).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The number of visits rose every year from 2020 on.", True),
        ("From 2019 to 2022 the number of visits rose every year.", False),
        ("The number of members fell every year between 2019 and 2021.", True),
        ("The number of loans fell from 2019 to 2020.", True),
        ("There were more visits in 2022 than in 2020.", True),
        ("There were more loans in 2021 than in 2019.", False),
    ],
)
def test_years_of_rows_bound_a_series_and_are_no_amounts(claim: str, truth: bool) -> None:
    assert verify(claim, LOANS).supported is truth


def test_rows_are_compared_in_time_though_the_latest_stands_first() -> None:
    turned = make_table(
        "turned",
        LOANS.caption,
        [list(LOANS.header)],
        [[cell.text for cell in row] for row in reversed(LOANS.rows)],
    )

    assert verify("The number of visits rose every year from 2020 on.", turned).supported is True


def test_a_single_step_is_not_steady() -> None:
    two = make_table("two", "Staff", [["Shop", "2020", "2021"]], [["Pier", "4", "6"], ["Quay", "3", "2"]])

    assert verify("Staff of the Pier rose steadily.", two).supported is None


KITCHENS = make_table(
    "kitchens",
    "Inspections of kitchens",
    [["Kitchen", "Date", "Inspector", "Grade", "Faults"]],
    [
        ["Alba", "12 Mar 2021", "Novak", "B", "3"],
        ["Oak", "3 June 2021", "Ivers", "A", "4"],
        ["Alba", "7 Mar 2023", "Ivers", "A", "5"],
        ["Oak", "14 June 2023", "Novak", "B", "2"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The grade of Alba improved between 2021 and 2023.", True),
        ("The grade of Oak improved between 2021 and 2023.", False),
        ("The grade of Oak worsened between 2021 and 2023.", True),
        ("The service of Alba improved between 2021 and 2023.", None),
    ],
)
def test_grades_in_letters_are_ordered(claim: str, truth: bool | None) -> None:
    assert verify(claim, KITCHENS).supported is truth


def test_a_grade_that_is_not_told_does_not_turn_the_next() -> None:
    rows = [["Alba", "2021", "–", "C"], ["Oak", "2021", "B", "B"], ["Elm", "2021", "A", "C"]]
    rows += [["Alba", "2023", "B", "A"], ["Oak", "2023", "C", "C"], ["Elm", "2023", "A", "B"]]
    header = ["Kitchen", "Year", "Food grade", "Service grade"]
    graded = make_table("graded", KITCHENS.caption, [header], rows)
    claim = "The food grade and the service grade of Alba improved between 2021 and 2023."

    assert verify(claim, graded).supported is not False


def test_a_claim_that_breaks_off_behind_from_tells_no_series() -> None:
    assert not verify("Visits rise to the next from", LOANS).decides


LAKES = make_table(
    "lakes",
    "Water stored in the basin (% of capacity)",
    [["Lake", "Mar", "May", "Jul"]],
    [["Alver", "96", "91", "74"], ["Drost", "79", "72", "51"], ["Whole basin", "88", "80", "60"]],
)
STAFF = make_table(
    "staff",
    "Dentists in Marland",
    [["District", "Dentists 2013", "Dentists 2023"]],
    [["Ald", "96", "91"], ["Senna", "54", "60"], ["Corrad", "41", "40"], ["Marland", "191", "191"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (LAKES, "Drost was below the figure for the whole basin in every month.", True),
        (LAKES, "Alver was below the figure for the whole basin in every month.", False),
        (STAFF, "The number of dentists declined in two of the three districts between 2013 and 2023.", True),
    ],
)
def test_a_row_of_all_is_none_of_the_others(table: Table, claim: str, truth: bool) -> None:
    assert verify(claim, table).supported is truth
