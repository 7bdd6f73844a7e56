"""Claims that tell a cause, of which a table tells nothing."""

from __future__ import annotations

import pytest

from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.verdicts.soundness.untold_parts import tells_a_cause
from evidence_assets_tests.testing.plain_tables import MILLS


@pytest.mark.parametrize(
    ("claim", "is_cause"),
    [
        ("Aske fell in 2020 thanks to a broken loom.", True),
        ("Aske fell in 2020 owing to strikes.", True),
        ("Aske fell in 2020 because of Crake.", False),
        ("Aske fell in 2020.", False),
    ],
)
def test_a_cause_that_nothing_tells_is_known_as_one(claim: str, is_cause: bool) -> None:
    assert tells_a_cause(ground(claim, index_of(MILLS))) is is_cause
