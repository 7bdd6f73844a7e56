"""Claims that compare twice: with the same rivals, conceding the one, or with another rival each time."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.links.grounding import ground
from evidence_assets.tables.programs.readings.orders.comparisons import comparison_programs
from evidence_assets_tests.testing.program_verdicts import verdicts

TENTS = make_table(
    "tents",
    "Tents for hire",
    [["Tent", "Weight (kg)", "Floor area (m²)", "Price (€)", "Berths"]],
    [
        ["Lapwing", "2.1", "3.4", "310", "2"],
        ["Heron", "3.8", "5.0", "420", "4"],
        ["Wren", "1.4", "2.2", "480", "1"],
        ["Goose", "6.5", "9.1", "390", "6"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Though its price is lower, the Lapwing is heavier than the Wren.", True),
        ("Though its floor area is smaller, the Wren is dearer than the Heron.", True),
        ("The Goose has more berths than the Heron, although its price is lower.", True),
        ("The Goose has more berths than the Heron, although its price is higher.", False),
        ("The Goose is heavier than the Heron but cheaper.", True),
        ("The Wren is lighter than the Heron, but then it is dearer than the Goose.", True),
        ("The Wren is lighter than the Heron, but then it's cheaper than the Goose.", False),
    ],
)
def test_two_comparisons_of_one_subject(claim: str, truth: bool) -> None:
    assert verdicts(TENTS, claim, "conjunction") == {truth}


def test_a_rival_stands_before_the_next_comparison() -> None:
    grounded = ground("The Goose is heavier than ours, the Wren lighter than the Heron.", index_of(TENTS))
    read = [proposal.program.describe(TENTS.header) for proposal in comparison_programs(grounded)]
    assert read and not any("goose" in text and "heron" in text and ">" in text for text in read)


def test_an_adjective_of_one_dimension_comes_before_other_columns_named_beside_it() -> None:
    claim = "The Heron is heavier on the floor than the Goose."
    assert verdicts(TENTS, claim, "comparison") == {False}
