"""What is told of a row in several columns, or is yet to be told, is decided by cells that tell nothing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.program_verdicts import decided

COMICS = make_table(
    "comics",
    "Harbour comics, collected editions",
    [["Edition", "Volume", "Title", "Main story", "Pages", "Release date"]],
    [
        ["1", "14", "The Pilots", "Low Water", "120", "3 May 2013"],
        ["2", "9", "Salt Girl", "Red Tide", "132", "7 June 2013"],
        ["3", "TBC", "Night Ferry", "Fog Bell", "TBC", "5 July 2013"],
        ["4", "22", "Old Harry", "?", "118", "2 August 2013"],
        ["5", "TBC", "The Diver", "None", "?", "6 September 2013"],
        ["6", "31", "Grey Gull", "Long Haul", "144", "4 October 2013"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Night Ferry has neither a volume nor a page count.", True),
        ("Old Harry has neither a volume nor a main story.", False),
        ("The Diver lacks both a volume and a main story.", True),
        ("The Pilots lacks both a volume and a main story.", False),
    ],
)
def test_columns_that_are_listed_are_all_empty_or_filled(claim: str, truth: bool) -> None:
    assert decided(claim, COMICS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Night Ferry has no confirmed volume.", True),
        ("Salt Girl has no confirmed volume.", False),
        ("The volume of Night Ferry has yet to be confirmed.", True),
        ("The volume of Grey Gull is still to be announced.", False),
        ("Two of the editions have no confirmed volume.", True),
        ("Grey Gull is the only edition that has no confirmed page count.", False),
    ],
)
def test_what_is_not_confirmed_yet_has_no_value(claim: str, truth: bool) -> None:
    assert decided(claim, COMICS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The main story of Old Harry is unknown.", True),
        ("The main story of Salt Girl is unknown.", False),
    ],
)
def test_what_is_unknown_is_told_of_no_row(claim: str, truth: bool) -> None:
    assert decided(claim, COMICS) is truth
