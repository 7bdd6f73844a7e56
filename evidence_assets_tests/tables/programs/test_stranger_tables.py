"""Claims over grades, scores, timetables and dates, as their readers word them, each with its verdict."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import verdicts

CLASS = make_table(
    "class",
    "Half-year report of class 7 (1 = very good to 6)",
    [["Pupil", "Latin", "Art", "Choir", "Days missed"]],
    [
        ["Ada", "1", "3", "yes", "2"],
        ["Bo", "4", "2", "no", "9"],
        ["Cleo", "2", "1", "if asked", "0"],
        ["Dov", "5", "2", "no", "14"],
    ],
)
CUP = make_table(
    "cup",
    "Futsal cup",
    [["Team", "Won", "Goals", "Member since"]],
    [["Reds", "5", "48:19", "2009"], ["Blues", "3", "30:31", "2015"], ["Greens", "1", "22:50", "2009"]],
)
FERRIES = make_table(
    "ferries",
    "Ferries to the island",
    [["Ferry", "Departs", "Arrives", "Cars"]],
    [["F1", "06:30", "07:50", "40"], ["F2", "09:15", "10:20", "25"], ["F3", "22:30", "23:55", "40"]],
)
RELEASES = make_table(
    "releases",
    "Releases",
    [["Release", "Published", "Kind", "Bugs", "Size (MB)"]],
    [
        ["2.0", "3 May 2022", "main", "12", "40"],
        ["3.0", "10 May 2022", "repair", "3", ""],
        ["4.0", "1 July 2023", "repair", "4", "52"],
    ],
)
FLATS = make_table(
    "flats",
    "Flats to let, prices per night in euros",
    [["Flat", "Rooms", "Winter", "Summer"]],
    [["Alma", "3", "60", "90"], ["Bela", "2", "75", "80"]],
)
SONGS = make_table(
    "songs",
    "Songs",
    [["Song", "Weeks", "Prize"]],
    [["Never Mind", "4", "not awarded"], ["Little Luck", "4", "gold"], ["Rain", "2", "silver"]],
)
SOWN = make_table(
    "sown",
    "Beds",
    [["Crop", "Sown"]],
    [["Peas", "2 May 2023"], ["Kale", "9 May 2023"], ["Mint", ""], ["Leek", "June 2023"]],
)
PLANTS = make_table(
    "plants",
    "Plants",
    [["Room", "Humidity (%)", "Plants"]],
    [["Hall", "40", "7"], ["Attic", "22", "3"], ["Cellar", "71", "0"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (CLASS, "Ada has the best grade in Latin.", "superlative", True),
        (CLASS, "The worst grade in Latin is Dov's.", "superlative", True),
        (CLASS, "Bo is better at Latin than Cleo.", "comparison", False),
        (CLASS, "Cleo's Latin is better than Bo's.", "comparison", True),
        (CLASS, "Ada is better in Latin than in art.", "comparison of columns", True),
        (CLASS, "Cleo was better in art than anybody else.", "comparison with all", True),
        (CLASS, "Dov has the most days missed.", "superlative", True),
        (CUP, "Reds scored more goals than Blues.", "comparison", True),
        (CUP, "Blues scored 30 goals.", "co-occurrence by row", True),
        (CUP, "Blues conceded 31 goals.", "co-occurrence by row", True),
        (CUP, "Blues let in more goals than Greens.", "comparison", False),
        (CUP, "Greens conceded the most goals.", "superlative", True),
        (CUP, "Blues have been a member since 2015.", "condition of a row", True),
        (CUP, "Blues have been a member since 2009.", "condition of a row", False),
        (CUP, "You won't find a team with more goals than Reds.", "none", True),
        (FERRIES, "F1 leaves before eight.", "condition of a row", True),
        (FERRIES, "F3 leaves at half past ten in the evening.", "condition of a row", True),
        (FERRIES, "Two ferries leave between six and ten.", "count", True),
        (FERRIES, "F2 takes 65 minutes.", "time between clocks", True),
        (FERRIES, "F3 takes less than 80 minutes.", "time between clocks", False),
        (SOWN, "Kale was sown a week after the peas.", "time between rows", True),
        (SOWN, "Peas were sown five days before the kale.", "time between rows", False),
        (SOWN, "Seven days lie between the peas and the kale.", "time between rows", True),
        (RELEASES, "Two releases are repairs.", "count", True),
        (RELEASES, "The repairs fixed seven bugs.", "sum of several rows", True),
        (RELEASES, "Release 3.0 and release 4.0 are repairs.", "co-occurrence by list", True),
        (FLATS, "Alma is cheaper than Bela in winter.", "comparison", True),
        (FLATS, "Alma is cheaper than Bela in summer.", "comparison", False),
        (SONGS, "Never Mind has the same number of weeks as Little Luck.", "sameness", True),
        (SONGS, "The prize of Never Mind was not awarded.", "co-occurrence by row", True),
        (PLANTS, "The driest room is the attic.", "superlative", True),
        (PLANTS, "The hall is drier than the cellar.", "comparison", True),
    ],
)
def test_a_wording_is_judged_rightly(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}


def test_grades_are_turned_where_the_least_is_said_to_be_best_and_nowhere_else() -> None:
    marks = [["Name", "Mark", "Score"], ["A", "1.3", "88"], ["B", "2.7", "70"]]
    untold = make_table("untold", "Results", marks[:1], marks[1:])
    hundred = make_table("hundred", "Results", [["Name", "Mark"]], [["A", "61"], ["B", "88"]])

    assert index_of(CLASS).best_first == {1, 2}
    assert index_of(untold).best_first == {1}
    assert not index_of(hundred).best_first


def test_pairs_for_and_against_are_told_by_their_header() -> None:
    times = make_table("times", "Heats", [["Name", "Time"]], [["A", "48:19"], ["B", "30:31"]])

    assert index_of(CUP).pairs[2][0] == (48.0, 19.0)
    assert index_of(CUP).series[2] == {0: 48.0, 1: 30.0, 2: 22.0}
    assert index_of(CUP).conceding.series[2] == {0: 19.0, 1: 31.0, 2: 50.0}
    assert not index_of(times).pairs
    assert index_of(times).conceding is index_of(times)


def test_what_is_neither_yes_nor_no_is_undetermined_in_a_column_of_these() -> None:
    assert index_of(CLASS).flags[3].yes == {0}
    assert index_of(CLASS).flags[3].partly == {2}


@pytest.mark.parametrize(
    ("claim", "bound"),
    [
        ("Blues have been open since 2015.", "= 2015"),
        ("Two teams have been founded since 2015.", ">= 2015"),
        ("There have been two cups since 2015.", ">= 2015"),
        ("Since 2015 Blues have won three times.", ">= 2015"),
    ],
)
def test_since_tells_when_a_state_began_or_bounds_what_happened(claim: str, bound: str) -> None:
    assert bound in {link.bound for link in ground(claim, index_of(CUP)).links}


def test_a_number_may_be_the_one_that_its_row_lacks() -> None:
    wells = make_table(
        "wells",
        "Wells",
        [["Well", "Depth (m)", "Flow (l/s)"]],
        [["Ash", "12", ""], ["Birch", "15", "0.4"], ["Cedar", "20", "0.9"]],
    )

    assert not verdicts(wells, "Ash gives 7 a day.", "unmatched number")
    assert not verdicts(wells, "Birch gives 7 a day.", "unmatched number"), "of what it is is not told"
    assert verdicts(wells, "Birch has a flow of 7.", "unmatched number") == {False}
    assert verdicts(wells, "Ash has a depth of 37.", "unmatched number") == {False}


def test_order_in_time_is_not_told_of_a_row_without_a_date() -> None:
    assert verdicts(SOWN, "Peas came before kale.", "order") == {True}
    assert not verdicts(SOWN, "Mint came before kale.", "order")
    assert not verdicts(SOWN, "Leek was sown 30 days after the peas.", "time between rows")


def test_per_cent_is_one_word() -> None:
    assert [token.text for token in tokens("Five per cent of a cent")] == [
        "five",
        "percent",
        "of",
        "a",
        "cent",
    ]
