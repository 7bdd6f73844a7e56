"""What cells tell that give ranges, `2–6`, or months and years beside days: no more than they say."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

ROOMS = make_table(
    "rooms",
    "Escape rooms of the harbour",
    [["Room", "Players", "Opened", "Last repaired"]],
    [
        ["Attic", "2–6", "14 March 2014", "24 August"],
        ["Cellar", "3–8", "March 2014", "August"],
        ["Tram", "2–4", "2013", "2 September"],
        ["Hotel", "4–5", "5 June 2016", "September"],
        ["Station", "5–7", "June 2017", "11 September"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The Tram takes more than five players.", False),
        ("The Cellar takes more than two players.", True),
        ("The Cellar takes more than six players.", None),
        ("None of the rooms takes more than six players.", None),
        ("The Hotel takes more than four players.", None),
        ("The Hotel takes fewer than five players.", None),
        ("The Attic takes twice as many players as the Tram.", None),
        ("None of the rooms takes more than nine players.", True),
        ("The Cellar takes at most six players.", None),
        # A range is not at least, or at most, what only some of it is.
        ("All of the rooms take at most six players.", False),
        ("The Cellar takes more players than the Tram.", True),
        ("The Hotel takes more players than the Attic.", None),
        ("The Station takes more players than the Hotel.", True),
        ("The Cellar was opened before 20 March 2014.", None),
        ("The Cellar was opened before 2 April 2014.", True),
        ("The Cellar was opened after 20 March 2014.", None),
        ("The Cellar was opened after March 2014.", False),
        ("The Attic was opened after March 2014.", False),
        ("The Tram was opened before June 2013.", None),
        ("The Tram was opened before June 2014.", True),
        ("The Tram was opened after June 2014.", False),
        ("The Cellar was opened on 20 March 2014.", None),
        ("The Cellar was opened before the Attic.", None),
        ("The Cellar was opened before the Hotel.", True),
        ("The Station was opened last.", True),
        ("No room was opened before the year 2013.", True),
        ("No room was opened before the year 2014.", False),
        ("The Cellar was last repaired before September.", True),
        ("The Hotel was last repaired before September.", False),
        ("The Cellar was last repaired on 24 August.", None),
        ("The Cellar was last repaired before 24 August.", None),
        ("Two rooms were last repaired before September.", True),
        ("No room was last repaired after September.", True),
    ],
)
def test_no_more_is_said_than_cells_tell(claim: str, supported: bool | None) -> None:
    verdict = verify(claim, ROOMS)
    assert (verdict.supported if verdict.decides else None) is supported


def test_months_that_go_on_in_the_next_year_stand_in_no_order_to_one() -> None:
    rows = [["Oak", "November"], ["Ash", "5 December"], ["Fir", "12 January"], ["Yew", "February"]]
    table = make_table("markets", "", [["Market", "From"]], rows)
    assert not verify("The Fir market began before December.", table).decides


def test_a_number_at_the_end_of_a_header_is_no_difference() -> None:
    table = make_table(
        "finds",
        "Meteorites found by season",
        [["Class", "2018/19", "2019/20"]],
        [["H chondrites", "47", "102"], ["L chondrites", "55", "96"]],
    )
    assert verify("In 2019/20 more H chondrites than L chondrites were found.", table).supported
    assert verify("In 2018/19 more H chondrites than L chondrites were found.", table).supported is False


def test_minutes_are_no_rounder_than_hours() -> None:
    table = make_table(
        "flights",
        "",
        [["Site", "Time in the air"]],
        [["Quarry", "1 h 20 min"], ["Dam", "45 min"], ["Kirk", "2 h 5 min"]],
    )
    assert verify("The drone was in the air for 100 minutes at the Quarry.", table).supported is False
    assert verify("The drone was in the air for 80 minutes at the Quarry.", table).supported
