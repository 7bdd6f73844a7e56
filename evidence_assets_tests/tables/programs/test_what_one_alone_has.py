"""That something was the only one of its kind, or not, is decided by what the others have."""

from __future__ import annotations

import pytest

from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.claimed_tables import DRAFT, PLACES, TOWNS
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (PLACES, "Osara was not the only fourth place.", True),
        (PLACES, "Helm was not the only eighth place.", False),
        (PLACES, "Helm was his only eighth place.", True),
        (PLACES, "Osara was his only fourth place.", False),
        (PLACES, "His only fourth place came in Osara.", False),
        (PLACES, "The only eighth place came in Helm.", True),
        (DRAFT, "The only goalkeeper was drafted by the Owls.", True),
        (DRAFT, "The only centre was drafted by the Gulls.", False),
        (TOWNS, "Burton is the only township whose seat is Sedge.", True),
    ],
)
def test_of_the_only_one_no_other_is_so(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
