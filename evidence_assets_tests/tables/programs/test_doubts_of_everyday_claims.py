"""Everyday claims that a program would misjudge, and why it does not."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

HALL = make_table(
    "hall",
    "Bookings of the hall",
    [["Day", "Group", "Pers.", "Fee (£/h)"]],
    [["Mon", "Judo", "18", "12.00"], ["Mon", "Bridge", "24", "15.00"], ["Tue", "Choir", "31", "9.00"]],
)
CANTEEN = make_table(
    "canteen",
    "Dishes of the canteen",
    [["Dish", "Made", "Sold"]],
    [["Lentil soup", "150", "132"], ["Curry", "180", "180"], ["Lasagne", "120", "87"]],
)
PARCELS = make_table(
    "parcels",
    "Parcels given out",
    [["Month", "Parcels", "Helpers"]],
    [["January", "112", "14"], ["February", "104", "13"], ["March", "121", "15"]],
)
REPAIRS = make_table(
    "repairs",
    "Road repairs",
    [["Street", "Work", "Budget (£k)", "Actual (£k)"]],
    [
        ["High Street", "resurfacing", "180", "194"],
        ["Mill Hill", "resurfacing", "240", "228"],
        ["Church Lane", "potholes", "12", "9"],
        ["Bridge Street", "new drains", "90", ""],
    ],
)
WORKSHOP = make_table(
    "workshop",
    "Jobs of the workshop",
    [["Job", "Item", "Labour (h)"]],
    [["301", "toaster", "0.5"], ["302", "radio", "6"], ["303", "lamp", "1.5"]],
)
HIVES = make_table(
    "hives",
    "Hives on the heath",
    [["Hive", "Queen of", "Mites per day"]],
    [["H1", "2021", "3"], ["H2", "2022", "6"], ["H6", "2023", "1"]],
)
TOURS = make_table(
    "tours",
    "Tours of the summer",
    [["Date", "Tour", "Particip."]],
    [["Sun 5 May", "Mill Valley", "18"], ["Sat 18 May", "Raven Rock", "12"], ["Sun 2 June", "Gorge", ""]],
)


@pytest.mark.parametrize(
    ("table", "claim"),
    [
        # An evening of two hours costs twice the fee of one.
        (HALL, "The choir's evening comes to £18 in all."),
        # Of itself four fifths of the soup was sold, of all that was sold it is less.
        (CANTEEN, "72% of the lasagne was sold."),
        (CANTEEN, "Less than half of the lasagne was sold."),
        (PARCELS, "The number of parcels went up every month from January to March."),
        # What was planned, or what it came to, nobody says.
        (REPAIRS, "The two resurfacing jobs together cost £422,000."),
        (REPAIRS, "The work in Bridge Street cost less than planned."),
        (WORKSHOP, "The radio was out of the shop within a week."),
        (HIVES, "The youngest queen is in hive 6."),
        (TOURS, "The first outing was on a Sunday in May."),
        (TOURS, "Fewer than ten people walked the gorge."),
    ],
)
def test_what_a_program_would_misjudge_is_left_open(table: Table, claim: str) -> None:
    verdict = verify(claim, table)
    assert not verdict.decides
    assert verdict.doubt


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (HALL, "The choir pays £9 per hour.", True),
        (CANTEEN, "Lasagne made up less than half of what was sold.", True),
        (REPAIRS, "The work in Church Lane cost less than planned.", True),
        (REPAIRS, "The two resurfacing jobs had a budget of £420,000 together.", True),
        (WORKSHOP, "The radio took six hours of labour.", True),
    ],
)
def test_what_is_said_plainly_is_judged(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
