"""Columns that a claim means by what is done or sized beside their noun: camels lost, the smallest dial."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

CLIMBERS = make_table(
    "climbers",
    "Members of the climbing club",
    [["Name", "Routes", "Falls", "Town", "Falls caught", "Born"]],
    [
        ["Anna", "12", "6", "London", "2", "1990"],
        ["Bert", "15", "4", "Leeds", "1", "1988"],
        ["Cora", "9", "4", "London", "3", "2001"],
        ["Dan", "20", "7", "York", "5", "1996"],
    ],
)
BOXES = make_table(
    "boxes",
    "Boxes in stock",
    [["Box", "Load (kg)", "Max. load (kg)", "Price (EUR)", "Lock", "Handles"]],
    [
        ["Box 1", "10", "40", "12", "none", "6"],
        ["Box 2", "25", "35", "30", "brass", "2"],
        ["Box 3", "15", "60", "18", "steel", "4"],
        ["Box 4", "12", "20", "9", "none", "1"],
    ],
)
CLOCKS = make_table(
    "clocks",
    "Tower clocks of the county",
    [["Clock", "Dials", "Diameter of dial (m)", "Bells", "Benches"]],
    [["Ennick", "4", "1.8", "2", "9"], ["Corve", "1", "1.2", "8", "7"], ["Tasby", "2", "1.1", "5", "6"]],
)
VANS = make_table(
    "vans",
    "Vans of the depot",
    [["Van", "Berths", "Weight (kg)"]],
    [["Heron", "4", "1,305"], ["Lark", "4", "1,120"], ["Swift", "2", "985"]],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Anna caught more falls than Bert.", True),
        ("Bert caught more falls than Anna.", False),
        ("Cora caught 3 falls.", True),
        ("None of the members caught more than five falls.", True),
        ("Bert had fewer falls than Anna.", True),
        ("Cora had 3 falls.", False),
    ],
)
def test_verb_decides_between_columns_that_share_its_noun(claim: str, supported: bool) -> None:
    assert decided(claim, CLIMBERS) is supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("None has a maximum load below 20 kg.", True),
        ("None of the boxes has a maximum load below 30 kg.", False),
        ("The maximum load of Box 3 is 60 kg.", True),
        ("Box 3 has the highest maximum load.", True),
        ("Box 2 has the highest maximum load.", False),
        ("The average maximum load is above 30 kg.", True),
        # Prices have no such column.
        ("The maximum price of the boxes is 30 EUR.", True),
    ],
)
def test_shortened_header_of_limits_is_no_extreme_of_rows(claim: str, supported: bool) -> None:
    assert decided(claim, BOXES) is supported


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Tasby has the smallest dial.", True),
        ("Corve has the smallest dial.", False),
        ("Corve has a larger dial than Tasby.", True),
        ("Corve has the fewest dials.", True),
        ("Corve has the smallest number of dials.", True),
        # How large the bells are is not told.
        ("Corve has the largest bell.", None),
        ("Corve has a larger bell than Tasby.", None),
        ("Corve has the widest bench.", None),
        ("Corve has the most benches.", False),
    ],
)
def test_size_of_a_thing_is_not_how_many_there_are(claim: str, supported: bool | None) -> None:
    assert decided(claim, CLOCKS) is supported


def test_condition_of_a_number_is_not_what_an_extreme_is_of() -> None:
    assert decided("The Lark is the lightest of the four-berth vans.", VANS) is True
    assert decided("The Heron is the lightest of the four-berth vans.", VANS) is False


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Cora is the youngest by year of birth.", True),
        ("Dan is the second youngest by year of birth.", True),
        ("Anna is the second youngest of the members, judged by year of birth.", False),
    ],
)
def test_youngest_by_year_was_born_last(claim: str, supported: bool) -> None:
    assert decided(claim, CLIMBERS) is supported


TRUCKS = make_table(
    "trucks",
    "Trucks of the depot",
    [["Truck", "Gross weight (kg)", "Overall length", "Price", "Outer width (cm)", "Seats"]],
    [
        ["Heron", "1,305", "6.74 m", "£26,995", "240", "3"],
        ["Lark", "1,120", "5.62 m", "£20,900", "230", "5"],
        ["Swift", "985", "4.90 m", "£28,450", "220", "2"],
        ["Osprey", "1,585", "8.02 m", "£35,750", "228", "6"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The Osprey is both the longest and the most expensive truck.", True),
        ("The Heron is both the longest and the most expensive truck.", False),
        ("The Lark is the shortest and the cheapest truck.", False),
        ("The Swift is the shortest and the lightest of the trucks.", True),
    ],
)
def test_each_of_two_extremes_is_of_what_it_measures(claim: str, supported: bool) -> None:
    assert decided(claim, TRUCKS) is supported


def test_amount_that_opens_a_claim_tells_what_is_largest() -> None:
    assert decided("With 5 seats, the truck that the depot calls Lark is the second largest.", TRUCKS) is True
    assert decided("With 3 seats, the truck that the depot calls Heron is the largest.", TRUCKS) is False


@pytest.mark.parametrize(
    "claim", ["The net weight of the Heron is 1,305 kg.", "The Lark's inner width is 230 cm."]
)
def test_contrary_of_what_a_header_says_is_another_measure(claim: str) -> None:
    assert decided(claim, TRUCKS) is None
    assert decided(claim.replace("net", "gross").replace("inner", "outer"), TRUCKS) is True
