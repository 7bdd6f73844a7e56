"""Rows that stand behind a named one, before it or between two are meant where all or none of them are."""

from __future__ import annotations

import pytest

from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.claimed_tables import COMICS, HANDS, HEAT
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("table", "claim", "truth"),
    [
        (COMICS, "No edition after Old Harry has a confirmed volume.", False),
        (COMICS, "No edition between Salt Girl and Old Harry has a confirmed volume.", True),
        (HEAT, "Every swimmer listed above Maja Dahl was faster than 28.70.", True),
        (HANDS, "With five coins, no hand listed below the full house pays more than 30.", True),
        (HANDS, "With five coins, no hand listed below the full house pays more than 25.", False),
        (HANDS, "Every hand listed above the flush pays at least 250 on five coins.", False),
    ],
)
def test_rows_behind_another_and_between_two_are_meant(table: Table, claim: str, truth: bool) -> None:
    assert decided(claim, table) is truth
