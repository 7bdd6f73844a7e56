"""Claims whose words make another measure of what a table tells, or another number."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

ATHLETES = make_table(
    "athletes",
    "Meeting in June",
    [["Athlete", "Long jump (m)", "Points"]],
    [["Mia Torres", "6.10", "910"], ["Jo Okafor", "6.32", "888"], ["Lena Fuchs", "5.75", "850"]],
)
YEARS = make_table(
    "years",
    "Lindgren AB (million kronor)",
    [["Financial year", "Revenue", "Employees"]],
    [["2020/21", "410", "205"], ["2021/22", "480", "214"], ["2022/23", "530", "230"]],
)
ROOMS = make_table(
    "rooms",
    "Rooms of the inn",
    [["Room", "Beds", "Price per night (EUR)"]],
    [["101", "1", "60"], ["201", "2", "85"], ["301", "3", "50"]],
)
KAYAKS = make_table(
    "kayaks",
    "Hire charges (euros)",
    [["Boat", "Day", "Week", "Boats available"]],
    [["Single", "39", "230", "18"], ["Double", "59", "280", "5"], ["Surf ski", "29", "140", "12"]],
)


@pytest.mark.parametrize(
    ("claim", "table"),
    [
        ("Jo Okafor set a personal best in the long jump.", ATHLETES),
        ("Mia Torres scored her career best points.", ATHLETES),
        ("The new employees in 2022/23 numbered 230.", YEARS),
        ("Revenue was forecast to reach 530 in 2022/23.", YEARS),
        ("Room 301 costs less than two nights in room 201.", ROOMS),
        ("Hiring a double for a week is cheaper than hiring it for five single days.", KAYAKS),
    ],
)
def test_a_word_that_makes_it_another_measure_leaves_a_claim_open(claim: str, table: Table) -> None:
    assert decided(claim, table) is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Jo Okafor had the best long jump.", True),
        ("Mia Torres had the best long jump.", False),
    ],
)
def test_the_best_of_all_is_decided(claim: str, truth: bool) -> None:
    assert decided(claim, ATHLETES) is truth


def test_crowns_are_those_of_any_country_that_has_them_and_no_other_country_s() -> None:
    assert converted(2.0, "kr", "nok") == 2.0
    assert converted(2.0, "sek", "kr") == 2.0
    assert converted(2.0, "sek", "nok") is None
    assert converted(2.0, "kr", "€") is None
