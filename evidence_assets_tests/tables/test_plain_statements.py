"""Tests of plain statements in everyday words: `peaked`, `overtook`, `years after`, `three quarters of`."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.grounding import ground
from evidence_assets.tables.programs.table_index import index_of
from evidence_assets.tables.programs.untold_parts import tells_a_cause
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

MILLS = make_table(
    "mills",
    "Cloth woven by mill (km)",
    [["Mill", "2016", "2018", "2020"]],
    [["Aske", "40", "52", "31"], ["Berrow", "22", "20", "26"], ["Crake", "10", "8", "43"]],
)
MONTHS = make_table(
    "months",
    "Accounts of a bakery",
    [["Month", "Takings (€)", "Wages (€)"]],
    [["March 2021", "5,200", "4,100"], ["April 2021", "4,700", "4,900"], ["May 2021", "6,100", "4,300"]],
)
WATERPOLO = make_table(
    "waterpolo",
    "Water polo, final table",
    [["Team", "Played", "Won", "Goals for", "Goals against"]],
    [["Otters", "10", "7", "81", "60"], ["Seals", "10", "5", "66", "66"], ["Newts", "10", "1", "39", "90"]],
)
TOWERS = make_table(
    "towers",
    "Towers of a city",
    [["Tower", "Built", "Height (m)", "Use"]],
    [
        ["Salt Tower", "1188", "31", "store"],
        ["Moot Hall", "1634", "18", "court"],
        ["Dock", "1911", "44", "flats"],
    ],
)
COURSES = make_table(
    "courses",
    "Evening classes",
    [["Class", "Enrolled", "Finished", "Fee (€)"]],
    [["Welding", "40", "30", "210"], ["Italian", "25", "10", "95"], ["Pottery", "20", "19", "120"]],
)
SPRINTS = make_table(
    "sprints",
    "Electric boats on the lake",
    [["Boat", "0-50 km/h (s)", "Crew(s)"]],
    [["Swift", "9.1", "2"], ["Tern", "6.4", "3"], ["Auk", "12.8", "1"]],
)
CLIMATE = make_table(
    "climate",
    "A valley's spring",
    [["Month", "Mean temperature (°C)", "Rainfall (mm)", "Sunshine (h)"]],
    [["February", "-1.0", "41", "80"], ["March", "4.5", "55", "75"], ["April", "9.0", "38", "160"]],
)
BUSES = make_table(
    "buses",
    "Departures from a market square",
    [["Leaves", "For", "Status"]],
    [["07:15", "Aske", "on time"], ["07:40", "Berrow", "late"], ["08:20", "Aske", "on time"]],
)
MAPS = make_table(
    "maps",
    "Guidebooks",
    [["Rank", "Guide", "Copies sold", "Pages", "Index"]],
    [
        ["1", "Fells", "4,100", "212", "full"],
        ["2", "Coasts", "3,900", "340", "none"],
        ["3", "Fens", "950", "96", "full"],
    ],
)
POLLS = make_table(
    "polls",
    "A vote by ward",
    [["Ward", "Yes (%)", "Voters"]],
    [["East", "62.5", "800"], ["West", "41.0", "1,200"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MILLS, "Aske peaked in 2018.", "superlative of years", True),
        (MILLS, "Berrow bottomed out in 2018.", "superlative of years", True),
        (MILLS, "Crake peaked in 2018.", "superlative of years", False),
        (MONTHS, "Wages peaked in April 2021.", "superlative", True),
        (MONTHS, "Takings peaked in April 2021.", "superlative", False),
        (MILLS, "Aske's best year was 2018.", "superlative of years", True),
        (MILLS, "Crake's worst result came in 2020.", "superlative of years", False),
    ],
)
def test_a_number_peaks_or_bottoms_out(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MONTHS, "Wages exceeded takings in April 2021.", "comparison of columns", True),
        (MONTHS, "Wages exceeded takings in May 2021.", "comparison of columns", False),
        (MILLS, "Crake overtook Aske in 2020.", "comparison", True),
        (WATERPOLO, "The Otters scored more goals than they conceded.", "comparison of columns", True),
        (WATERPOLO, "The Newts scored more goals than they let in.", "comparison of columns", False),
        (MAPS, "Coasts outsold Fens.", "comparison", True),
        (MAPS, "Coasts outsold Fells.", "comparison", False),
    ],
)
def test_a_verb_compares_two_numbers(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (WATERPOLO, "The Otters had a goal difference of 21.", "difference of columns", True),
        (WATERPOLO, "The Newts had a goal difference of 51.", "difference of columns", False),
    ],
)
def test_goals_for_and_against_differ(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (TOWERS, "The Dock was built 277 years after the Moot Hall.", "years between rows", True),
        (TOWERS, "The Salt Tower was built more than 400 years before the Dock.", "years between rows", True),
        (TOWERS, "The Moot Hall was built 300 years before the Dock.", "years between rows", False),
    ],
)
def test_rows_are_years_apart(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


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
def test_a_share_of_a_whole_is_told(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (MILLS, "Aske gained 12 km between 2016 and 2018.", "condition of a row", True),
        (MILLS, "Crake gained ground at every count.", "condition of a row", False),
        (CLIMATE, "It got warmer every month.", "series", True),
        (CLIMATE, "It became sunnier each month.", "series", False),
        (MILLS, "Aske gained 13 km between 2016 and 2018.", "condition of a row", False),
    ],
)
def test_a_change_is_told(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (TOWERS, "The oldest tower is the Salt Tower.", "temporal", True),
        (TOWERS, "The shortest tower was built in 1634.", "superlative", True),
        (TOWERS, "The shortest tower was built in 1188.", "superlative", False),
        (CLIMATE, "March was the wettest month.", "superlative", True),
        (CLIMATE, "The driest month was February.", "superlative", False),
        (CLIMATE, "April was sunnier than March.", "comparison", True),
        (SPRINTS, "The fastest boat from 0 to 50 km/h is the Tern.", "superlative", True),
        (SPRINTS, "The slowest boat from 0 to 50 km/h is the Auk.", "superlative", True),
        (MAPS, "The longest guide is Coasts.", "superlative", True),
        (MILLS, "In 2016 Aske was the most important mill.", "superlative", True),
        (MILLS, "In 2018 Berrow was the second most important mill.", "superlative", True),
        (MILLS, "Crake was the least important mill in 2020.", "superlative", False),
    ],
)
def test_an_adjective_orders_a_column(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (BUSES, "The 07:40 bus to Berrow was late.", "co-occurrence by row", True),
        (BUSES, "Two buses go to Aske.", "count", True),
        (MAPS, "Only one guide has no index.", "count", True),
        (MAPS, "Exactly two guides have no index.", "count", False),
    ],
)
def test_rows_are_counted_and_told(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


@pytest.mark.parametrize(
    ("table", "claim", "kind"),
    [
        # Among the rows of a year nothing peaks.
        (MILLS, "Aske peaked in 2016.", "superlative"),
        (MILLS, "Aske's best result came in 2016.", "superlative"),
        # To get warmer is not to have any warmth.
        (CLIMATE, "It got warmer every month.", "all"),
        # The table tells its own percentages.
        (POLLS, "62.5 % of the voters of East said yes.", "share of a total"),
        # A team's matches are no part of what others won.
        (WATERPOLO, "The Seals won half of their matches.", "share of a total"),
        # Fees are no part of those enrolled.
        (COURSES, "Half of those enrolled in Italian paid a fee.", "share of a column"),
    ],
)
def test_what_looks_alike_is_not_read_so(table: Table, claim: str, kind: str) -> None:
    assert verdicts(table, claim, kind) == set()


@pytest.mark.parametrize(
    ("claim", "is_cause"),
    [
        ("Aske fell in 2020 thanks to a broken loom.", True),
        ("Aske fell in 2020 owing to strikes.", True),
        ("Aske fell in 2020 because of Crake.", False),
        ("Aske fell in 2020.", False),
    ],
)
def test_a_cause_that_nothing_tells_is_known_as_one(claim: str, is_cause: bool) -> None:
    assert tells_a_cause(ground(claim, index_of(MILLS))) is is_cause
