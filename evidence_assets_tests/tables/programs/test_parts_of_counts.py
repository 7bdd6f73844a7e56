"""Claims that count rows and some of them, that deny a count, and that deny one thing and say another."""

from __future__ import annotations

import pytest

from evidence_assets_tests.tables.programs.test_plural_subjects import KITES
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("3 kites lost and two of them are from Japan.", True),
        ("3 kites lost and one of them is from Japan.", False),
        ("3 kites lost and all of them are from Japan.", False),
        ("There are four kites from Japan, two of which won.", True),
        ("There are four kites from Japan, three of which won.", False),
        ("There are three kites from Japan, two of which won.", False),
        ("Two kites scored more than 90 points and both won.", True),
        ("Two kites made fewer than 4 flights and both won.", False),
    ],
)
def test_a_part_of_what_was_counted_is_counted_among_it(claim: str, truth: bool) -> None:
    """Both numbers are to be right, the second of the rows that the first counts."""
    assert decided(claim, KITES) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Japan does not have more than 4 kites.", True),
        ("Japan does not have more than 3 kites.", False),
        ("Night Owl did not win but made more than 8 flights.", True),
        ("Night Owl did not win but made fewer than 9 flights.", False),
        ("Blue Heron did not win but made more than 6 flights.", False),
    ],
)
def test_a_denial_is_of_the_count_or_clause_that_it_stands_in(claim: str, truth: bool) -> None:
    """What stands behind `but` is said, not denied."""
    assert decided(claim, KITES) is truth


@pytest.mark.parametrize(
    "claim",
    ["3 kites lost and two of them are green.", "Norway does not have more than 4 kites."],
)
def test_of_what_the_table_lacks_nothing_is_counted(claim: str) -> None:
    """A colour that no cell tells, and a country of no row, leave the claim undecided."""
    assert decided(claim, KITES) is None
