"""Claims of rows and years that a table has none of, of numbers of rows, and of what opens `without`."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets_tests.testing.program_verdicts import decided

SALE = make_table(
    "sale",
    "Auction of ship models in Corde (¹ repaired)",
    [["Item", "Model", "Port", "Guide (£)", "Sold for (£)"]],
    [
        ["12", "Brig", "Tarn", "900", "1,350"],
        ["27", "Cutter", "Tarn", "2,500", "2,400¹"],
        ["41", "Ketch", "Aver", "600", "720"],
        ["58", "Lugger", "Tarn", "450", "480"],
    ],
)
FARMS = make_table(
    "farms",
    "Farms of the Sorn valley",
    [["Farm", "Height (m)", "Well", "Founded"]],
    [
        ["Amber", "420", "yes", "1868¹"],
        ["Birk", "1,150", "no", "1874"],
        ["Chot", "380", "yes", "1891"],
        ["Devon", "1,620", "no", "1902"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Item 27 sold for £2,400.", True),
        ("Item 41 sold for £700.", False),
        ("Item 112 sold for £560.", None),
        ("The Ketch sold for £720 in 2016.", None),
        ("Amber was founded in 1868.", True),
        ("Chot was founded in 1899.", False),
        ("None of the farms was founded before 1870.", False),
    ],
)
def test_a_row_or_a_year_that_is_not_there_refutes_nothing(claim: str, truth: bool | None) -> None:
    assert decided(claim, FARMS if "ounded" in claim else SALE) is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("All the farms above 1,000 metres are without a well.", True),
        ("All the farms above 400 metres are without a well.", False),
        ("All the farms below 500 metres are without a well.", False),
        ("Without its tower, Birk is less than 400 metres high.", None),
    ],
)
def test_without_denies_of_each_row_and_nothing_where_it_opens_a_claim(
    claim: str, truth: bool | None
) -> None:
    assert decided(claim, FARMS) is truth


def test_numbers_of_rows_are_not_added_up() -> None:
    assert "sum(Item" not in verify("The three Tarn items together brought less than £3,500.", SALE).program


def test_a_column_that_is_named_and_not_used_makes_a_verdict_less_reliable() -> None:
    plain = verify("The Brig is from Tarn.", SALE)
    named = verify("The Brig is from Tarn by guide.", SALE)
    assert (plain.left, named.left) == (Left.NOTHING, Left.HEADER)
    assert named.supported is plain.supported is True
    assert named.reliability < plain.reliability


BRIDGES = make_table(
    "bridges",
    "Bridges over the Sorn",
    [["Bridge", "Opened", "Crossings east", "Crossings west"]],
    [
        ["Abbot", "1871", "310", "290"],
        ["Mill", "?", "120", "95"],
        ["Toll", "1930", "480", ""],
        ["Weir", "1998", "205", "160"],
        ["Yew", "1954", "77", "70"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Mill is the oldest bridge.", None),
        ("Mill is the newest bridge.", None),
        ("Abbot is the oldest bridge.", True),
        ("Toll is the newest bridge.", False),
        ("Crossings east exceeded crossings west at every bridge.", None),
        ("Crossings west exceeded crossings east at every bridge.", False),
    ],
)
def test_what_orders_rows_or_compares_columns_must_be_told(claim: str, truth: bool | None) -> None:
    assert decided(claim, BRIDGES) is truth
