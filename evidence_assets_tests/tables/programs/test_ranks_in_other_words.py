"""Who is ranked higher or picked ahead of another has the lower number."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets_tests.testing.claimed_tables import DRAFT
from evidence_assets_tests.testing.program_verdicts import decided

SONGS = make_table(
    "songs",
    "Number ones of the year",
    [["Month", "Song", "Artist", "Downloads", "Year-end chart"]],
    [
        ["January", "Blue Door", "Mara", "1,200,000", "7"],
        ["February", "Kites", "Solo Five", "980,000", "11"],
        ["March", "Rain Song", "Mara", "1,750,000", "2"],
        ["April", "Paper Boat", "Tin Men", "1,420,000", "5"],
        ["May", "Home", "Lio", "1,010,000", "9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Rain Song ranked higher on the year-end chart than Blue Door.", True),
        ("Kites ranked higher on the year-end chart than Home.", False),
        ("Kites was ranked lower on the year-end chart than Home.", True),
    ],
)
def test_a_higher_rank_on_a_chart_is_nearer_to_its_top(claim: str, truth: bool) -> None:
    assert decided(claim, SONGS) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Eino Falk was picked ahead of Olav Krog.", True),
        ("Jan Lund was picked ahead of Ari Rask.", False),
    ],
)
def test_who_is_picked_ahead_has_the_lower_number(claim: str, truth: bool) -> None:
    assert decided(claim, DRAFT) is truth
