"""Superlatives and comparatives of a dimension that a column tells under another name."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.plain_tables import CLIMATE, MAPS, TOWERS
from evidence_assets_tests.testing.program_verdicts import verdicts

SPRINTS = make_table(
    "sprints",
    "Electric boats on the lake",
    [["Boat", "0-50 km/h (s)", "Crew(s)"]],
    [["Swift", "9.1", "2"], ["Tern", "6.4", "3"], ["Auk", "12.8", "1"]],
)


@pytest.mark.parametrize(
    ("table", "claim", "kind", "truth"),
    [
        (TOWERS, "The oldest tower is the Salt Tower.", "temporal", True),
        (TOWERS, "The shortest tower was built in 1634.", "superlative", True),
        (TOWERS, "The shortest tower was built in 1188.", "superlative", False),
        (CLIMATE, "March was the wettest month.", "superlative", True),
        (CLIMATE, "The driest month was February.", "superlative", False),
        (CLIMATE, "April was sunnier than March.", "comparison", True),
        (SPRINTS, "The fastest boat from 0 to 50 km/h is the Tern.", "superlative", True),
        (SPRINTS, "The slowest boat from 0 to 50 km/h is the Auk.", "superlative", True),
        (MAPS, "The longest guide is Coasts.", "superlative", True),
    ],
)
def test_an_adjective_is_of_its_dimension(table: Table, claim: str, kind: str, truth: bool) -> None:
    assert verdicts(table, claim, kind) == {truth}
