"""Claims of the range of a column, of places between rows, and of the highest ranked within a bound."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

MEDALS = make_table(
    "island games",
    "Medal table of the 1994 Island Games",
    [["Rank", "Island", "Gold", "Silver", "Bronze", "Total"]],
    [
        ["1", "Jersey", "30", "28", "20", "78"],
        ["2", "Aland", "20", "24", "30", "74"],
        ["3", "Gotland", "12", "10", "15", "37"],
        ["4", "Orkney", "5", "7", "4", "16"],
        ["5", "Saaremaa", "4", "4", "4", "12"],
        ["6", "Shetland", "2", "0", "6", "8"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Gold ranges from 2 to 30.", True),
        ("Gold ranges from 2 to 20.", False),
        ("The total varies between 8 and 78.", True),
        ("The total varies between 12 and 78.", False),
        ("Gotland is 2 places above Saaremaa.", True),
        ("Gotland ranks 3 places above Saaremaa.", False),
        ("Saaremaa is 1 spot below Orkney.", True),
        ("Orkney is 1 spot below Saaremaa.", False),
        ("Orkney is the highest ranked island with fewer than 20 medals in total.", True),
        ("Shetland is the highest ranked island with fewer than 20 medals in total.", False),
    ],
)
def test_ranges_and_places_are_decided(claim: str, truth: bool) -> None:
    verdict = verify(claim, MEDALS)
    assert (verdict.decides, verdict.supported) == (True, truth), verdict.program


@pytest.mark.parametrize(
    "claim", ["The entrance fee ranges from 2 to 30.", "Gotland was 2 places above Saaremaa in 1992."]
)
def test_what_the_table_lacks_is_not_decided(claim: str) -> None:
    assert not verify(claim, MEDALS).decides
