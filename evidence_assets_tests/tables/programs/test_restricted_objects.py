"""What `only` behind a subject restricts: what the subject has, not who has it."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify

NURSERY = make_table(
    "nursery",
    "",
    [["Tree", "Grower", "Height (m)", "Planted", "Grafted"]],
    [
        ["Silver birch", "Ekman", "4.5", "March", "no"],
        ["Field maple", "Ekman", "2.5", "April", "no"],
        ["Weeping birch", "Holt", "3.5", "April", "yes"],
        ["Downy birch", "Holt", "1.5", "May", "yes"],
        ["Rowan", "Moss", "6", "May", "yes"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Ekman grows only Field maple.", False),
        ("Ekman only grows Field maple.", False),
        ("Ekman grows only birch trees.", False),
        ("Holt grows only birch trees.", True),
        ("Holt only grows birch trees.", True),
        ("Ekman grows only Silver birch and Field maple.", True),
        ("Ekman grows only Silver birch and Rowan.", False),
        ("Moss grows only Rowan.", True),
        ("Holt has only trees that are grafted.", True),
        ("Ekman does not only grow Field maple.", True),
        ("Rowan is grown only by Moss.", True),
        ("Birch trees are grown only by Holt.", False),
        # Before its noun, and as `alone`, it says who has something.
        ("Only Moss grows Rowan.", True),
        ("Moss alone grows Rowan.", True),
        ("Moss is the only grower of Rowan.", True),
        ("In May only Moss grew Rowan.", True),
        ("In April only Ekman grew Field maple.", True),
        ("In May only Holt grew Rowan.", False),
    ],
)
def test_only_behind_a_subject_restricts_what_it_has(claim: str, expected: bool) -> None:
    assert verify(claim, NURSERY).supported is expected


@pytest.mark.parametrize(
    "claim",
    [
        # All that Holt planted in May was birch, and not all birch was planted in May.
        "Holt only planted birch in May.",
        # Whether it has nothing else is told by no column alone.
        "Holt has only grafted.",
        # A count is no part of a metre.
        "Ekman grows only trees over 2.5.",
    ],
)
def test_only_is_left_where_it_is_not_clear_what_it_restricts(claim: str) -> None:
    assert not verify(claim, NURSERY).decides


def test_a_cell_that_lists_more_does_not_bear_out_that_there_is_only_a_part() -> None:
    stalls = make_table(
        "stalls",
        "",
        [["Stall", "Sells", "Row"]],
        [["Harbour", "mussels, crab", "A"], ["Quay", "crab", "B"], ["Pier", "shrimp", "A"]],
    )
    assert not verify("Harbour sells only mussels.", stalls).decides
    assert verify("Quay sells only crab.", stalls).supported is True
