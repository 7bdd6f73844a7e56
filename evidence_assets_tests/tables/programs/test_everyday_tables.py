"""Tables of offices and households: limits, stocks, stops, amounts paid, beginnings and ends, and results."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

WATER = make_table(
    "water",
    "Analysis of the well",
    [["Substance", "Measured", "Reference range", "Unit"]],
    [
        ["Iron", "0.31", "0.00–0.20", "mg/l"],
        ["Calcium", "61", "40–120", "mg/l"],
        ["Magnesium", "3", "5–50", "mg/l"],
        ["Potassium", "2.4", "0.5–12.0", "mg/l"],
    ],
)
CELLAR = make_table(
    "cellar",
    "Wine cellar",
    [["Wine", "In stock", "Minimum", "Grower"]],
    [
        ["Silvaner", "0", "6", "Abt"],
        ["Tin can red", "14", "12", "Abt"],
        ["Riesling", "3", "6", "Kern"],
        ["Gamay", "0", "3", "Kern"],
    ],
)
FERRY = make_table(
    "ferry",
    "Crossings on Sundays",
    [["Pier", "Boat 3", "Boat 7", "Boat 9"]],
    [
        ["Norholm", "09:05", "10:20", "12:45"],
        ["Skerry", "–", "10:41", "–"],
        ["Lune", "09:31", "–", "13:12"],
        ["Harl", "09:52", "11:06", "13:30"],
    ],
)
DUES = make_table(
    "dues",
    "What the allotments paid",
    [["Plot", "April", "May", "June"]],
    [["Pear Lane", "€12", "–", "€12"], ["Fig Corner", "–", "–", "€40"], ["Old Gate", "€9", "€9", "€9"]],
)
WORKS = make_table(
    "works",
    "Works on the roof",
    [["Step", "Start", "End", "Firm"]],
    [
        ["Scaffold", "02.05.2023", "04.05.2023", "Dorn"],
        ["Tiles", "22.05.2023", "09.06.2023", "Vogt"],
        ["Gutters", "12.06.2023", "14.06.2023", "Dorn"],
    ],
)
GAMES = make_table(
    "games",
    "Village league",
    [["Date", "Home", "Away", "Result"]],
    [
        ["07.09.2024", "Alder", "Birch", "2:1"],
        ["14.09.2024", "Cedar", "Alder", "0:0"],
        ["21.09.2024", "Birch", "Cedar", "1:4"],
        ["28.09.2024", "Alder", "Birch", "0:3"],
    ],
)
WARDS = make_table(
    "wards",
    "Votes by ward",
    [["Ward", "River List", "Union", "Farmers", "Winner"]],
    [
        ["Lower Town", "1,204", "1,988", "730", "Union"],
        ["Hill", "2,210", "1,540", "1,611", "River List"],
        ["Meadow", "850", "1,102", "1,420", "Farmers"],
    ],
)

LESSONS = make_table(
    "lessons",
    "Timetable of the evening school",
    [["Hour", "Monday", "Tuesday", "Friday"]],
    [["1", "Maths", "Dutch", "Art"], ["2", "Dutch", "Maths", "Sport"], ["3", "Sport", "Art", "Dutch"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (LESSONS, "There is no maths on Friday.", True),
        (LESSONS, "There is no maths on Tuesday.", False),
        (FERRY, "Boat 9 gets to Harl after Boat 7.", True),
        (FERRY, "Boat 9 gets to Harl before Boat 7.", False),
        (WATER, "Magnesium is below the reference range.", True),
        (WATER, "Iron is too high.", True),
        (WATER, "Calcium is within the reference range.", True),
        (WATER, "Potassium is outside the normal range.", False),
        (WATER, "Calcium is too low.", False),
        (WATER, "Iron is below the reference range.", False),
        (WATER, "All substances are within the reference range.", False),
        (CELLAR, "The Silvaner is out of stock.", True),
        (CELLAR, "The Riesling is sold out.", False),
        (CELLAR, "Two wines are out of stock.", True),
        (CELLAR, "The Riesling is below the minimum.", True),
        (CELLAR, "The tin can red is below the minimum.", False),
        (FERRY, "Boat 7 does not stop at Lune.", True),
        (FERRY, "Boat 3 does not stop at Lune.", False),
        (FERRY, "Only Boat 7 stops at Skerry.", True),
        (FERRY, "Only Boat 7 stops at Harl.", False),
        (FERRY, "All three boats stop at Harl.", True),
        (FERRY, "All three boats stop at Lune.", False),
        (DUES, "Pear Lane was paid in April.", True),
        (DUES, "Fig Corner was paid in May.", False),
        (WORKS, "The tiles were finished in June.", True),
        (WORKS, "The tiles were finished in May.", False),
        (WORKS, "The tiles started on 22 May.", True),
        (WORKS, "The scaffold started on 4 May.", False),
        (GAMES, "Birch won one match.", True),
        (GAMES, "Alder won two matches.", False),
        (GAMES, "Birch beat Alder 3:0.", True),
        (WARDS, "In Hill, the River List was ahead of the Union.", True),
        (WARDS, "In Meadow, the Farmers were behind the Union.", False),
    ],
)
def test_plain_statements_are_decided(table: Table, claim: str, truth: bool) -> None:
    verdict = verify(claim, table)
    assert verdict.decides
    assert verdict.supported is truth


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        (WATER, "Magnesium is low because of the rock."),
        (CELLAR, "The Riesling will run out next week."),
        (FERRY, "Boat 3 is usually late at Lune."),
        (FERRY, "Boat 7 stops long at Harl."),
        (DUES, "Pear Lane was paid late in April."),
        (WORKS, "The tiles are overdue."),
        (GAMES, "Cedar will win the league."),
    ],
)
def test_what_such_tables_do_not_tell_is_left_open(table: Table, claim: str) -> None:
    assert not verify(claim, table).decides
