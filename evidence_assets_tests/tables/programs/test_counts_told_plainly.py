"""Counts, both, only and what is compared of two things, told plainly of small tables."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

RACES = make_table(
    "races",
    "Results of the Quay Regatta",
    [["Race", "Date", "Winner", "Boat class", "Starters", "Distance (nm)"]],
    [
        ["1", "3 May 2022", "Kestrel", "A", "12", "8"],
        ["2", "17 May 2022", "Plover", "A", "10", "8"],
        ["3", "7 June 2022", "Kestrel", "B", "15", "12"],
        ["4", "21 June 2022", "Heron", "A", "9", "15"],
        ["5", "5 July 2022", "Kestrel", "B", "14", "12"],
    ],
)
STAFF = make_table(
    "staff",
    "Staff of the Brennan Museum",
    [["Name", "Department", "Post", "Since", "Part-time", "Languages"]],
    [
        ["Ana Roy", "Archive", "archivist", "2012", "no", "French"],
        ["Ben Low", "Education", "guide", "2019", "yes", "German and Dutch"],
        ["Cleo Marsh", "Archive", "conservator", "2008", "no", "none"],
        ["Dov Stein", "Education", "guide", "2021", "yes", "French"],
        ["Eva Pohl", "Shop", "manager", "2015", "no", "German"],
    ],
)
SERIES = make_table(
    "series",
    "Drama series of Channel Seven",
    [["Series", "Seasons", "Episodes", "Genre"]],
    [
        ["Harbour", "3", "24", "crime"],
        ["Surveyor", "2", "12", "crime"],
        ["Quarry", "1", "6", "family"],
        ["Sisters", "1", "8", "family"],
        ["Weir", "2", "16", "family"],
    ],
)
MUSEUM = make_table(
    "museum",
    "The museum's years",
    [["Figure", "2019", "2021", "2023"]],
    [
        ["Visitors (thousands)", "412", "187", "398"],
        ["Guides (full-time)", "46", "44", "48"],
        ["Objects", "284", "281", "290"],
        ["Donations (€ thousand)", "120", "335", "165"],
    ],
)
DOCTORS = make_table(
    "doctors",
    "Doctors in Marland by district",
    [["District", "Doctors 2013", "Doctors 2023", "People per doctor"]],
    [
        ["Aldwick", "96", "121", "980"],
        ["Senna", "54", "60", "1150"],
        ["Velle", "33", "30", "1560"],
        ["Isk", "5", "3", "2740"],
        ["Marland", "188", "214", "1250"],
    ],
)
SAILINGS = make_table(
    "sailings",
    "Sailings from Dunvoe pier that were cancelled or late",
    [["Day", "Destination", "Reason", "Outcome", "Operator", "Sea area (km²)"]],
    [
        ["11 November", "Hallay", "wind", "cancelled", "Marr", "120"],
        ["12 November", "Hallay", "fog", "late", "Marr", "120"],
        ["3 December", "Rossin", "engine fault", "cancelled", "Marr", "90"],
        ["19 January", "Hallay", "wind", "cancelled", "Orr", "120"],
        ["2 March", "Rossin", "wind", "cancelled", "Orr", "90"],
    ],
)
DAMS = make_table(
    "dams",
    "Dams of Wendmark",
    [["Dam", "Type", "Height (m)", "Power plant (MW)"]],
    [
        ["Sorrel", "earthfill", "31", "none"],
        ["Tamber", "arch", "96", "42"],
        ["Ulverby", "rockfill", "58", "11"],
    ],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (RACES, "Plover won only once.", True),
        (RACES, "Kestrel won only once.", False),
        (RACES, "Kestrel won twice.", False),
        (RACES, "Kestrel won exactly three times.", True),
        (SERIES, "At least three of the series ran for only one season.", False),
        (SERIES, "Two of the series ran for only one season.", True),
        (DOCTORS, "The number of doctors declined in two of the four districts between 2013 and 2023.", True),
        (
            DOCTORS,
            "The number of doctors declined in three of the four districts between 2013 and 2023.",
            False,
        ),
        (DAMS, "All of the dams except Sorrel have a power plant.", True),
        (DAMS, "All of the dams except Tamber have a power plant.", False),
    ],
)
def test_so_many_rows_are_counted(table: Table, claim: str, truth: bool) -> None:
    assert verify(claim, table).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("In 2023 the museum had both more guides and more objects than in 2019.", True),
        ("In 2023 the museum had both more visitors and more guides than in 2019.", False),
        ("In 2021 the museum had both fewer visitors and fewer guides than in 2019.", True),
    ],
)
def test_what_is_compared_of_two_things_is_compared_of_each(claim: str, truth: bool) -> None:
    assert verify(claim, MUSEUM).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Both races in class B were won by Kestrel, and both had more than 13 starters.", True),
        ("Both races in class B were won by Kestrel, and both had more than 14 starters.", False),
    ],
)
def test_both_said_again_is_said_of_the_same(claim: str, truth: bool) -> None:
    assert verify(claim, RACES).supported is truth


def test_what_is_joined_to_another_word_is_not_the_column_s() -> None:
    assert not verify("All but two of the staff work full-time.", STAFF).decides
    assert verify("Two of the staff work part-time.", STAFF).supported is True


def test_both_said_again_of_what_no_column_tells_is_not_borne_out() -> None:
    assert not verify(
        "Both races in class B were won by Kestrel, and both were sailed in rain.", RACES
    ).decides


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Wind was the reason for every cancelled sailing to Hallay.", True),
        ("Wind was the reason for every cancelled sailing to Rossin.", False),
        ("Every sailing to Hallay has a sea area of more than 100 km².", True),
        ("Every sailing to Rossin has a sea area of more than 100 km².", False),
    ],
)
def test_what_is_said_of_all_may_stand_before_them(claim: str, truth: bool) -> None:
    assert verify(claim, SAILINGS).supported is truth


def test_a_cell_that_lists_a_value_has_it() -> None:
    assert verify("Eva Pohl is the only member of staff with German.", STAFF).supported is False
    assert verify("Ben Low is the only member of staff with Dutch.", STAFF).supported is True


def test_a_cell_of_two_numbers_lists_no_value() -> None:
    table = make_table(
        "teams",
        "Teams",
        [["Team", "Colours", "Wins"]],
        [["Reds", "red", "3 and 4"], ["Blues", "blue", "3"], ["Greens", "green", "5"]],
    )

    assert verify("Blues is the only team with 3 wins.", table).supported is not False
