"""Claims of where something comes from and where it goes to, over columns of both."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table import Table

ROWS = [["IC 12", "Bern", "Basel"], ["RE 7", "Bern", "Thun"], ["EC 3", "Basel", "Milan"]]
TRAINS = make_table("trains", "", [["Train", "From", "To"]], ROWS)
LINES = make_table("lines", "", [["Line", "Origin", "Destination"]], ROWS)


@pytest.mark.parametrize("table", [TRAINS, LINES], ids=["named", "meant"])
@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("IC 12 goes from Bern to Basel.", True),
        ("IC 12 goes from Basel to Bern.", False),
        ("EC 3 runs from Basel to Milan.", True),
        ("EC 3 runs from Milan to Basel.", False),
        ("RE 7 goes to Thun.", True),
        ("RE 7 goes to Bern.", False),
    ],
)
def test_a_preposition_binds_a_name_to_its_column(table: Table, claim: str, truth: bool) -> None:
    assert verify(claim, table).supported is truth


def test_the_preposition_is_bound_to_the_column() -> None:
    bindings = verify("IC 12 goes from Bern to Basel.", TRAINS).accounting.bindings
    assert {"from", "to"}.isdisjoint(binding.text for binding in bindings if not binding.target)


def test_a_verb_between_two_names_without_a_direction_is_left_over() -> None:
    assert not verify("IC 12 bypasses Bern.", TRAINS).decides
