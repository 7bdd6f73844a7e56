"""Claims that tell rows in the words of a trade: of departures, of what was sold, of what has none."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.plain_tables import MAPS
from evidence_assets_tests.testing.program_verdicts import verdicts

BUSES = make_table(
    "buses",
    "Departures from a market square",
    [["Leaves", "For", "Status"]],
    [["07:15", "Aske", "on time"], ["07:40", "Berrow", "late"], ["08:20", "Aske", "on time"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (BUSES, "The 07:40 bus to Berrow was late.", "co-occurrence by row", True),
        (BUSES, "Two buses go to Aske.", "count", True),
        (MAPS, "Coasts outsold Fens.", "comparison", True),
        (MAPS, "Coasts outsold Fells.", "comparison", False),
        (MAPS, "Only one guide has no index.", "count", True),
        (MAPS, "Exactly two guides have no index.", "count", False),
    ],
)
def test_rows_are_told_in_words_of_a_trade(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}
