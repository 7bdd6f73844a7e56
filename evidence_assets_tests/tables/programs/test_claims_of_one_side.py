"""Claims of who won, lost or drew against the side that a table is of, and how often beside another time."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

SEASON = make_table(
    "comets",
    "2003 Brookdale Comets season",
    [["Week", "Date", "Opponent", "Result", "Attendance"]],
    [
        ["1", "September 7", "Ashton Hawks", "W 24-10", "31,200"],
        ["2", "September 14", "Denby Kings", "L 13-17", "28,400"],
        ["3", "September 21", "Corran Bulls", "W 30-27", "33,050"],
        ["4", "September 28", "Elwood Rams", "W 17-14", "30,110"],
        ["5", "October 5", "Denby Kings", "W 20-3", "35,600"],
        ["6", "October 12", "Corran Bulls", "L 10-31", "29,900"],
        ["7", "November 2", "Forley Stags", "L 0-28", "26,700"],
        ["8", "November 9", "Forley Stags", "T 10-10", "22,100"],
        ["9", "November 16", "Elwood Rams", "L 3-9", "24,500"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        # Whoever beat the side that the table is of, that side lost to.
        ("1 team beat the Comets in September.", True),
        ("3 teams beat the Comets in September.", False),
        ("3 teams lost to the Comets in September.", True),
        ("The Denby Kings are a team that beat the Comets in September.", True),
        ("The Ashton Hawks are a team that beat the Comets in September.", False),
        ("The Denby Kings were the only team to beat the Comets in September.", True),
        # Whom they beat is left out of a clause.
        ("The Forley Stags are the only team the Comets failed to beat.", True),
        ("The Corran Bulls are the only team the Comets failed to beat.", False),
        ("The Denby Kings are the only team that the Comets beat in October.", True),
        ("The Forley Stags are the only team the Comets tied with.", True),
        # What is said of the one month is said of the other.
        ("The Comets lost as many games in September as in October.", True),
        ("The Comets won as many games in September as in October.", False),
        ("12 percent of the total attendance was against the Ashton Hawks.", True),
        ("32 percent of the total attendance was against the Ashton Hawks.", False),
        ("The Comets won as many games in October as they lost in October.", True),
        ("The Comets won as many games in September as they lost in September.", False),
    ],
)
def test_a_claim_of_one_side_is_decided(claim: str, truth: bool) -> None:
    verdict = verify(claim, SEASON)
    assert (verdict.decides, verdict.supported) == (True, truth), verdict.program


@pytest.mark.parametrize(
    "claim",
    [
        "The Comets won as many games in snow in September as in October.",
        "The Forley Stags are the only team the Comets failed to beat because of the snow.",
    ],
)
def test_what_no_column_tells_of_a_side_is_not_decided(claim: str) -> None:
    assert not verify(claim, SEASON).decides
