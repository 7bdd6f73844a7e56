"""Claims of what a row's numbers were at every, at no or at so many of the times that columns tell."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.readings.times.throughout import throughout_programs, time_columns
from evidence_assets.tables.table import Table

MILL = make_table(
    "mill",
    "The mill by year",
    [["", "2019", "2020", "2021", "2022"]],
    [
        ["Flour (t)", "50", "40", "55", "30"],
        ["Bran (t)", "20", "25", "22", "35"],
        ["Loaves (t)", "12", "18", "9", "28"],
        ["Staff", "8", "8", "9", "7"],
    ],
)
QUARTERS = make_table(
    "bakeries",
    "Bakeries by quarter",
    [["Bakery", "Jan–Mar", "Apr–Jun", "Jul–Sep", "Oct–Dec", "Street"]],
    [
        ["Alder", "12", "18", "20", "11", "Low Street"],
        ["Birch", "9", "10", "14", "8", "High Street"],
        ["Cedar", "15", "14", "16", "13", "High Street"],
    ],
)
MILL_YEARS = make_table("years", "", [["Year", "Flour"]], [["2019", "50"], ["2020", "40"], ["2021", "55"]])


def _truths(claim: str, table: Table) -> list[bool | None]:
    index = index_of(table)
    return [proposal.program.run(index).truth for proposal in throughout_programs(ground(claim, index))]


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In every year flour exceeded loaves.", True),
        ("In each of the four years flour exceeded bran.", False),
        ("In three of the four years the mill made more flour than bran.", True),
        ("In two of the four years the mill made more flour than bran.", False),
        ("In only one year was there more bran than flour.", True),
        ("Loaves never exceeded bran.", True),
        ("At no point did bran outstrip flour.", False),
        ("Staff was never more than 9.", True),
        ("Flour never fell below 40.", False),
        ("Flour never reached 60.", True),
        ("Flour never reached 50.", False),
        ("From 2019 to 2021 there was more flour than bran in every year.", True),
        ("Since 2020 flour has always exceeded bran.", False),
    ],
)
def test_years_as_columns(claim: str, truth: bool) -> None:
    assert _truths(claim, MILL) == [truth]


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In every quarter Birch was the lowest.", True),
        ("In every quarter Cedar was the highest.", False),
        ("In two of the four quarters Cedar was the highest.", True),
        ("In each of the four quarters Alder had more visitors than Birch.", True),
    ],
)
def test_quarters_as_columns(claim: str, truth: bool) -> None:
    assert _truths(claim, QUARTERS) == [truth]


@pytest.mark.parametrize(
    "claim",
    [
        # Another number of years than there are.
        "In each of the six years flour exceeded bran.",
        # A single year is no series of them.
        "In 2020 flour never exceeded bran.",
        # What is denied is not when.
        "In every year flour did not exceed bran.",
        # Nothing is compared, and no row is named.
        "In every year the mill was open.",
        "Every baker earned more than 20.",
    ],
)
def test_other_claims_are_not_read_so(claim: str) -> None:
    assert _truths(claim, MILL) == []


def test_times_are_told_by_columns_of_years_months_or_quarters() -> None:
    assert time_columns(index_of(MILL)) == (1, 2, 3, 4)
    assert time_columns(index_of(QUARTERS)) == (1, 2, 3, 4)
    assert time_columns(index_of(MILL_YEARS)) == ()
    assert _truths("Flour never exceeded 55.", MILL_YEARS) == []
