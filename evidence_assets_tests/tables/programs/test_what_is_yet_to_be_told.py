"""What is told of a row in several columns, or is yet to be told, is decided by cells that tell nothing."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.claimed_tables import COMICS
from evidence_assets_tests.testing.program_verdicts import decided


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
