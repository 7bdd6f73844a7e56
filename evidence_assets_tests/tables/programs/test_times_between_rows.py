"""Claims of how much time lies between what two rows tell."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.plain_tables import TOWERS
from evidence_assets_tests.testing.program_verdicts import decided, verdicts


@pytest.mark.parametrize(
    ("claim", "kind", "truth"),
    [
        ("The Dock was built 277 years after the Moot Hall.", "years between rows", True),
        ("The Salt Tower was built more than 400 years before the Dock.", "years between rows", True),
        ("The Moot Hall was built 300 years before the Dock.", "years between rows", False),
    ],
)
def test_years_lie_between_what_rows_tell(claim: str, kind: str, truth: bool) -> None:
    assert verdicts(TOWERS, claim, kind) == {truth}


PARLIAMENTS = make_table(
    "parliaments",
    "Legislatures",
    [["Legislature", "Opened", "Dissolved"]],
    [
        ["1st", "12 May 1990", "3 June 1994"],
        ["2nd", "20 June 1994", "11 May 1998"],
        ["3rd", "1 June 1998", "9 February 2000"],
    ],
)
TALKS = make_table(
    "talks",
    "Talks of a fair",
    [["Time", "Talk", "Hall", "Length"]],
    [
        ["10:45", "Crime in the north", "B", "60 min"],
        ["13:00", "Translating poetry", "A", "90 min"],
        ["15:30", "Maps of the mind", "C", "45 min"],
        ["17:00", "The Well", "A", "60 min"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("The 2nd legislature opened 17 days after the first was dissolved.", PARLIAMENTS, True),
        ("The 2nd legislature opened 27 days after the first was dissolved.", PARLIAMENTS, False),
        (
            "The 2nd legislature opened less than three weeks after the first was dissolved.",
            PARLIAMENTS,
            True,
        ),
        ("The Well starts an hour and a half after Maps of the mind.", TALKS, True),
        ("Translating poetry starts three quarters of an hour before Maps of the mind.", TALKS, False),
        ("Maps of the mind starts more than two hours after Translating poetry.", TALKS, True),
    ],
)
def test_days_and_hours_lie_between_what_each_row_names(claim: str, table: Table, truth: bool) -> None:
    assert decided(claim, table) is truth


def test_what_is_longest_is_told_by_lengths_and_not_by_times_of_day() -> None:
    assert verify("The longest talk is Translating poetry.", TALKS).supported is True
    assert verify("The longest talk is The Well.", TALKS).supported is False


def test_an_event_is_of_the_column_that_its_verb_names() -> None:
    climbs = make_table(
        "climbs",
        "Ascents",
        [["Expedition", "Set out", "Reached summit", "Returned"]],
        [
            ["Alpine Club", "2 May", "19 May", "27 May"],
            ["Aster", "1 June", "22 June", "29 June"],
            ["Army", "15 July", "9 August", "20 August"],
        ],
    )
    assert verify("The Army expedition set out in August.", climbs).supported is not True
    assert verify("The Army expedition returned in August.", climbs).supported is True
    assert verify("Aster reached the top in June.", climbs).supported is not False


def test_small_hours_behind_an_evening_are_not_before_midnight() -> None:
    trams = make_table(
        "trams",
        "Tram lines",
        [["Line", "First tram", "Last tram"]],
        [["1", "05:10", "00:40"], ["2", "05:45", "23:30"], ["3", "06:05", "22:15"]],
    )
    assert verify("The last tram on line 1 leaves before midnight.", trams).supported is False
    assert verify("The last tram on line 2 leaves before midnight.", trams).supported is True


def test_within_a_time_is_at_most_so_long() -> None:
    patents = make_table(
        "patents",
        "Patents",
        [["Patent", "Filed", "Granted"]],
        [
            ["Rotary sieve", "3 March 1911", "8 September 1912"],
            ["Steam valve", "17 July 1913", "2 February 1914"],
            ["Gas lamp", "22 October 1919", "1 May 1920"],
        ],
    )
    assert verify("The steam valve was patented within a year of filing.", patents).supported is True
    assert verify("The rotary sieve was patented within a year of filing.", patents).supported is False


NIGHT_TRAINS = make_table(
    "night-trains",
    "Night trains",
    [["Train", "Departs", "Arrives", "Fare (€)"]],
    [
        ["NJ 1", "19:45", "06:10", "59"],
        ["NJ 3", "20:30", "08:05", "74"],
        ["NJ 5", "22:15", "07:40", "49"],
        ["NJ 7", "23:05", "09:50", "69"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("NJ 5 arrives before 8 am.", True),
        ("NJ 3 arrives before 8 am.", False),
        ("NJ 7 departs at 11.05 pm.", True),
        ("NJ 7 departs at 11.15 pm.", False),
        ("NJ 1 arrives almost two hours before NJ 3.", True),
        ("NJ 1 arrives almost three hours before NJ 3.", False),
    ],
)
def test_times_of_day_are_read_as_they_are_written(claim: str, truth: bool) -> None:
    assert verify(claim, NIGHT_TRAINS).supported is truth


def test_a_month_is_of_the_event_before_it() -> None:
    assert verify("The 2nd legislature opened in May 1998.", PARLIAMENTS).supported is not True
    assert verify("The 2nd legislature was dissolved in May 1998.", PARLIAMENTS).supported is True
