"""Halves of months, and quarters and halves of any year, of dates to the day."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

BRIDGES = make_table(
    "bridges",
    "Road bridges over the Lenne",
    [["Bridge", "Opened", "Replaced", "Main span (m)"]],
    [
        ["Alder Bridge", "12 May 1931", "1978", "62"],
        ["Birch Bridge", "3 October 1938", "2004", "48"],
        ["New Bridge", "21 June 1978", "", "124"],
        ["Hammer Bridge", "30 August 1985", "", "93"],
        ["Valley Bridge", "9 November 1997", "", "310"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Hammer Bridge was opened in the third quarter of the year.", True),
        ("Hammer Bridge was opened in the second quarter of the year.", False),
        ("New Bridge was opened in the first half of the year.", True),
        ("Birch Bridge was opened in the first half of the year.", False),
        ("Valley Bridge was opened in the first half of November 1997.", True),
        ("Valley Bridge was opened in the second half of November 1997.", False),
        ("New Bridge was opened in the second half of June.", True),
        ("New Bridge was opened in the first half of June.", False),
    ],
)
def test_a_date_lies_in_a_part_of_a_month_or_year(claim: str, truth: bool) -> None:
    assert verify(claim, BRIDGES).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Alder Bridge was replaced in the 1970s.", True),
        ("Birch Bridge was replaced in the 1970s.", False),
        ("Alder Bridge was opened in the 1930s.", True),
    ],
)
def test_a_time_is_of_a_named_column_that_few_rows_have(claim: str, truth: bool) -> None:
    assert verify(claim, BRIDGES).supported is truth


def test_a_row_without_a_date_does_not_lie_outside_a_span() -> None:
    assert verify("New Bridge was replaced in the 1970s.", BRIDGES).supported is not True
