"""Claims of measures that a table tells beside each other: in one column, in two, or as part of a whole."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.derived.parted_columns import with_parts
from evidence_assets.tables.programs.index.derived.turned_tables import as_published
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

SHELVES = make_table(
    "shelves",
    "Shelves of Holt & Daughters",
    [["Shelf", "Price (£)", "Boards × height in cm", "Load (kg)"]],
    [["Ash", "120", "4 × 110", "80"], ["Birch", "95", "3 × 85", "60"], ["Oak", "240", "6 × 190", "150"]],
)
BOATS = make_table(
    "boats",
    "Boats of the harbour",
    [["Boat", "Built", "Length × width (m)", "Crew", "of which deckhands", "Mast top (m)", "Deck (m)"]],
    [
        ["Tern", "1988", "12 × 4", "10", "6", "14.5", "1.5"],
        ["Skua", "2001", "15 × 5", "14", "5", "18.0", "2.0"],
        ["Gull", "1975", "9 × 3", "4", "3", "9.5", "1.0"],
    ],
)
TRIPS = make_table(
    "trips",
    "Trips of the mail boat",
    [["Trip", "Left", "Landed", "From", "To", "Miles"]],
    [
        ["1", "08:00", "09:30", "Quay", "Holm", "9.4"],
        ["2", "10:00", "10:40", "Holm", "Sand", "12.1"],
        ["3", "11:15", "11:50", "Sand", "Quay", "3.0"],
    ],
)
PEATS = make_table(
    "peats",
    "Peat cores",
    [["Core", "Taken", "Depth", "Oldest peat (years)"]],
    [
        ["A-1", "2001", "3.2 m", "4,100"],
        ["A-2", "1994", "5.6 m", "7,900"],
        ["B-1", "2010", "1.9 m", "2,300"],
        ["B-2", "1989", "4.4 m", "6,000"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("The Oak shelf is more than 1.5 metres high.", SHELVES, True),
        ("The Birch shelf is more than one metre high.", SHELVES, False),
        ("The Ash shelf has 4 boards.", SHELVES, True),
        ("The Ash shelf has 3 boards.", SHELVES, False),
        ("The Skua is 15 metres long.", BOATS, True),
        ("The Skua is 15 metres wide.", BOATS, False),
    ],
)
def test_several_measures_in_a_column(claim: str, table: Table, truth: bool) -> None:
    assert decided(claim, table) is truth


def test_parts_stand_where_they_were_published() -> None:
    parted = with_parts(SHELVES)
    assert parted is not None
    assert parted.header == ("Shelf", "Price (£)", "Boards", "height (cm)", "Load (kg)")
    assert as_published(SHELVES, parted, (1, 3)) == ((1, 2),)
    assert as_published(SHELVES, parted, (-1, 4)) == ((-1, 3),)
    assert with_parts(TRIPS) is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Tern measures 13 metres between its mast top and its deck.", True),
        ("The Skua measures 13 metres between its mast top and its deck.", False),
        ("The Gull spans more than 8 metres between its deck and its mast top.", True),
    ],
)
def test_how_much_lies_between_two_measures(claim: str, truth: bool) -> None:
    assert decided(claim, BOATS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Deckhands make up more than half of the crew of the Tern.", True),
        ("Deckhands make up more than half of the crew of the Skua.", False),
    ],
)
def test_a_part_is_a_share_of_what_its_row_has(claim: str, truth: bool) -> None:
    assert decided(claim, BOATS) is truth


def test_an_extreme_is_of_the_measure_that_a_claim_tells() -> None:
    assert decided("The longest trip by distance was trip 2.", TRIPS) is True
    assert decided("The longest trip by distance was trip 1.", TRIPS) is False
    assert decided("A-2 has the oldest peat of all cores.", PEATS) is True
    assert decided("A-1 has the third oldest peat of the cores.", PEATS) is True
    assert decided("B-2 has the third oldest peat of the cores.", PEATS) is False


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Only one core exceeds a depth of 5 metres.", True),
        ("Only one core exceeds a depth of 4 metres.", False),
    ],
)
def test_what_is_exceeded_stands_before_its_number(claim: str, truth: bool) -> None:
    assert decided(claim, PEATS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Sunday is the most expensive day for every ticket.", True),
        ("Friday is the most expensive day for every ticket.", False),
    ],
)
def test_the_best_time_of_each_row(claim: str, truth: bool) -> None:
    tickets = make_table(
        "tickets",
        "Prices of the baths (€)",
        [["Ticket", "Friday", "Saturday", "Sunday"]],
        [["Hour", "4", "5", "6"], ["Family", "11", "12", "14"], ["Child", "3", "3", "4"]],
    )
    assert decided(claim, tickets) is truth
