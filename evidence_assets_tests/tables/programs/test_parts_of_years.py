"""Claims over columns of the quarters and seasons of a year."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets_tests.testing.program_verdicts import verdicts

FERRIES = make_table(
    "ferries",
    "Passengers on the ferries of a lake (thousands)",
    [["Ferry", "Jan–Mar", "Apr–Jun", "Jul–Sep", "Oct–Dec"]],
    [["Heron", "2.0", "4.5", "12.0", "5.5"], ["Plover", "1.0", "3.0", "4.5", "1.5"]],
)
MILLS = make_table(
    "mills",
    "Grinding days of two mills",
    [["Mill", "Spring", "Summer", "Autumn", "Winter"]],
    [["Upper", "10", "25", "30", "35"], ["Lower", "12", "12", "40", "20"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Half of the Heron's passengers came between July and September.", True),
        ("Half of the Plover's passengers came between July and September.", False),
        ("Almost half of the Plover's passengers came in the summer.", True),
        ("More than a third of the Heron's passengers came in the second quarter.", False),
        ("More than half of the passengers came between July and September.", False),
        ("Nearly half of the passengers came between July and September.", True),
    ],
)
def test_a_part_of_the_year_is_set_against_the_year(claim: str, truth: bool) -> None:
    assert verdicts(FERRIES, claim, "share of a year") == {truth}


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("From spring to summer the passengers of the Heron more than doubled.", True),
        ("From spring to summer the passengers of the Plover more than doubled.", False),
        ("The Heron was up by more than 7,000 passengers from spring to summer.", True),
        ("The Heron was up by more than 8,000 passengers from spring to summer.", False),
        ("The Plover carried fewer passengers in autumn than in spring.", True),
        ("The Heron carried fewer passengers in autumn than in spring.", False),
    ],
)
def test_a_change_is_read_from_a_part_of_the_year_to_another(claim: str, truth: bool) -> None:
    assert verify(claim, FERRIES).supported is truth


def test_seasons_in_headers_are_parts_of_the_year() -> None:
    assert verdicts(MILLS, "A quarter of the Upper mill's days fell in summer.", "share of a year") == {True}
    assert verdicts(MILLS, "A quarter of the Lower mill's days fell in summer.", "share of a year") == {False}


def test_a_share_of_a_column_in_percent_is_none_of_the_year() -> None:
    heated = make_table(
        "heated",
        "Rooms in use by quarter (%)",
        [["House", "Q1", "Q2", "Q3"]],
        [["Elm", "25", "50", "90"], ["Oak", "30", "40", "80"]],
    )
    claim = "Fewer than one room in three was in use at Elm in the first quarter."

    assert not verdicts(heated, claim, "share of a year")
    assert verdicts(heated, claim, "share in percent") == {True}
