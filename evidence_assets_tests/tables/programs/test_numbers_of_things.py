"""Numbers that count, divide or set apart, and headers that deny: not looked up as what a cell holds."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

STOCK = make_table(
    "stock",
    "",
    [["Item", "Qty", "Min"]],
    [["Epoxy kit", "0", "5"], ["Cordless drill", "3", "2"], ["Wood glue", "15", "10"]],
)
VISITS = make_table(
    "visits",
    "",
    [["Visit", "Patient", "Date", "Dept"]],
    [
        ["1", "Amina", "1 Mar", "GP"],
        ["2", "Bo", "4 Mar", "GP"],
        ["3", "Carla", "7 Mar", "Dental"],
        ["4", "Bo", "9 Mar", "Lab"],
    ],
)
CLUBS = make_table(
    "clubs",
    "",
    [["Club", "P", "W", "D", "L"]],
    [["Ravens", "18", "13", "3", "2"], ["Tanners", "18", "4", "5", "9"], ["Otters", "18", "11", "2", "5"]],
)
STOPS = make_table(
    "stops",
    "",
    [["Stop", "No shelter", "Not lit"]],
    [["Quay", "yes", "no"], ["Mill", "no", "yes"], ["Tor", "yes", "yes"]],
)
ROTA = make_table(
    "rota",
    "",
    [["Name", "Role", "Start", "Hrs"]],
    [
        ["Dan O.", "Driver", "08:00", "7.5"],
        ["Priya N.", "Manager", "12:00", "8"],
        ["Dan O.", "Driver", "07:30", "6"],
    ],
)
SWIMS = make_table(
    "swims",
    "",
    [["Date", "Sport", "Start", "Dur."]],
    [
        ["1 May", "swim", "06:30", "0:35"],
        ["4 May", "bike", "17:00", "1:10"],
        ["9 May", "run", "08:45", "0:50"],
    ],
)
SURVEY = make_table(
    "survey",
    "Survey in % (2022 and 2024)",
    [["Statement", "Agree '22 %", "Agree '24 %"]],
    [["Buses run often", "41", "36"], ["Rents are fair", "22", "14"], ["The park is clean", "67", "71"]],
)
FEES = make_table(
    "fees",
    "",
    [["Course", "Fee (€)", "2022 fee (€)"]],
    [["Yoga", "25", "18"], ["Spin", "32", "30"], ["Step", "20", "19"]],
)


@pytest.mark.parametrize(
    ("claim", "table", "wrong"),
    [
        ("There are five epoxy kits in stock.", STOCK, True),
        ("There are two cordless drills in stock.", STOCK, True),
        ("There were three dental visits.", VISITS, True),
        ("The first dental visit was Carla's.", VISITS, False),
        ("Ravens won more than 70% of their games.", CLUBS, False),
        ("Tanners won 4% of their games.", CLUBS, True),
        ("Ravens drew 13 and won 3.", CLUBS, True),
        ("Lowest were the Ravens, who won their last game.", CLUBS, False),
        ("Mill has a shelter.", STOPS, False),
        ("Tor has a shelter.", STOPS, True),
        ("Two stops are lit.", STOPS, True),
        ("There are two drivers.", ROTA, True),
        ("The swim lasted 35 minutes.", SWIMS, False),
        ("The shortest was the bike.", SWIMS, True),
        ("In 2024, 41% agreed that buses run often.", SURVEY, True),
        ("Yoga costs 18 euros.", FEES, True),
    ],
)
def test_what_a_number_is_not_decides_nothing(claim: str, table: Table, wrong: bool) -> None:
    assert decided(claim, table) is not wrong


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("Ravens won 13 and drew 3.", CLUBS, True),
        ("Otters lost 5.", CLUBS, True),
        ("There are two managers.", ROTA, False),
        ("The bike started at 17:00.", SWIMS, True),
        ("In 2024, 36% agreed that buses run often.", SURVEY, True),
        ("In 2022, 41% agreed that buses run often.", SURVEY, True),
        ("Yoga cost 18 euros in 2022.", FEES, True),
        ("Yoga costs 25 euros.", FEES, True),
        ("Mill is not lit.", STOPS, True),
    ],
)
def test_what_it_is_does(claim: str, table: Table, truth: bool) -> None:
    assert decided(claim, table) is truth
