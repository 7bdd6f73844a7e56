"""A number is of the column that its claim names, and of no other that measures alike; cells of two parts."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.derived.parted_columns import with_parts
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

CABLES = make_table(
    "cables",
    "Cables that land at the port",
    [["Cable", "Total length (km)", "Buried section (km)", "Owners"]],
    [
        ["Aurora", "1,240", "310", "4"],
        ["Borealis", "6,830", "540", "7"],
        ["Coastlink", "415", "402", "1"],
        ["Deepway", "9,120", "95", "12"],
    ],
)
SCHOOLS = make_table(
    "schools",
    "Food waste of four schools (target: at most 75 g of plate waste per meal)",
    [["School", "Plate waste (g per meal)", "Kitchen waste (kg per week)"]],
    [["Ashby", "62", "41"], ["Elmfield", "49", "66"], ["Grange", "83", "18"], ["Dell", "55", "20"]],
)
DRIVES = make_table(
    "drives",
    "Metres excavated by the end of each quarter",
    [["Drive", "Planned length (m)", "Q1", "Q2"]],
    [["North", "6,200", "1,450", "2,310"], ["South", "5,400", "640", "5,310"], ["Adit", "780", "410", "655"]],
)
QUARRIES = make_table(
    "quarries",
    "Quarries of a valley",
    [["Quarry", "Stone", "Staff (full / part time)"]],
    [
        ["Cold Edge", "granite", "34 / 6"],
        ["Hollins", "slate", "12 / 8"],
        ["Upper Dale", "slate", "27 / 9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("At Elmfield, plate waste amounted to less than 0.05 kg per meal.", SCHOOLS, True),
        ("At Grange, plate waste amounted to less than 0.05 kg per meal.", SCHOOLS, False),
        ("The buried section of Aurora is more than 180 miles long.", CABLES, True),
        ("The buried section of Borealis is more than 600 miles long.", CABLES, False),
    ],
)
def test_a_bound_is_of_the_column_that_is_named_by_several_words(
    claim: str, table: Table, truth: bool
) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    "claim",
    [
        "At the end of the year, the North drive had the greatest excavated length of all the drives.",
        "The North drive had the greatest lined length.",
        "More than four fifths of the planned South drive had been excavated.",
    ],
)
def test_what_was_done_is_not_what_is_planned(claim: str) -> None:
    assert decided(claim, DRIVES) is None


def test_what_is_planned_is() -> None:
    assert decided("The North drive had the greatest planned length.", DRIVES) is True
    assert decided("The South drive had the greatest planned length.", DRIVES) is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Less than a tenth of Borealis is buried.", True),
        ("Less than a tenth of Aurora is buried.", False),
        ("Less than a tenth of Borealis is rusty.", None),
    ],
)
def test_a_share_of_a_row_is_of_what_it_has_altogether(claim: str, truth: bool | None) -> None:
    assert decided(claim, CABLES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("A quarter of the cables are longer than 6,000 km and have more than 10 owners.", True),
        ("A quarter of the cables are longer than 400 km and have more than 10 owners.", True),
        ("Half of the cables are longer than 6,000 km and have more than 10 owners.", False),
        ("Half of the cables longer than 6,000 km have more than 10 owners.", True),
    ],
)
def test_a_share_of_rows_has_all_that_stands_behind_the_verb(claim: str, truth: bool) -> None:
    assert decided(claim, CABLES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Hollins has 8 part-time staff.", True),
        ("Upper Dale has more part-time staff than Hollins.", True),
        ("Cold Edge has more part-time staff than Hollins.", False),
        ("Cold Edge has the most full-time staff.", True),
        ("Upper Dale has the most full-time staff.", False),
    ],
)
def test_cells_of_two_parts_are_taken_apart(claim: str, truth: bool) -> None:
    assert decided(claim, QUARRIES) is truth


def test_one_part_is_not_the_other() -> None:
    assert decided("Hollins has 12 part-time staff.", QUARRIES) is False
    parted = with_parts(QUARRIES)
    assert parted is not None
    assert parted.header[2:] == ("full time Staff", "part time Staff")


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Deepway as a whole is longer than Borealis.", True),
        ("As a whole, Aurora is longer than Borealis.", None),
    ],
)
def test_all_as_a_whole_are_not_one_of_them(claim: str, truth: bool | None) -> None:
    assert decided(claim, CABLES) is truth
