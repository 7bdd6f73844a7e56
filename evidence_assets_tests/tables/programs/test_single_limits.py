"""Tests of claims about what rows measure against a highest or a lowest that another column sets them."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

LIFTS = make_table(
    "lifts",
    "Lifts of the works",
    [["Lift", "Load on Monday (kg)", "Load limit (kg)", "Trips"]],
    [["North", "310", "400", "18"], ["Kiln", "450", "400", "7"], ["Yard", "900", "1000", "31"]],
)
FLOUR = make_table(
    "flour",
    "The mill's store",
    [["Article", "Sacks", "Minimum"]],
    [["Rye", "12", "20"], ["Wheat", "75", "40"], ["Spelt", "15", "15"]],
)
SEEDS = make_table(
    "seeds",
    "Seeds for sale",
    [["Seed", "Bags in stock", "Price (£)", "Minimum stock"]],
    [["Beet", "14", "2.10", "10"], ["Kale", "4", "3.40", "8"], ["Leek", "30", "1.90", "12"]],
)
PARCELS = make_table(
    "parcels",
    "Parcels of the day",
    [["Parcel", "Weight (kg)", "Postage (£)", "Limit (km)"]],
    [["Una", "3", "7", "20"], ["Ivo", "12", "15", "10"], ["Ada", "5", "9", "30"]],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("North is below its load limit.", LIFTS, True),
        ("Kiln is below its load limit.", LIFTS, False),
        ("Kiln is above the load limit.", LIFTS, True),
        ("Two lifts are below the load limit.", LIFTS, True),
        ("Three lifts are below the load limit.", LIFTS, False),
        ("Wheat is above its minimum.", FLOUR, True),
        ("Rye is above its minimum.", FLOUR, False),
        ("Rye is below its minimum.", FLOUR, True),
        ("Spelt is below its minimum.", FLOUR, False),
        ("Spelt is above its minimum.", FLOUR, False),
        ("Beet is above its minimum stock.", SEEDS, True),
        ("Kale is above its minimum stock.", SEEDS, False),
        ("Kale is below its minimum stock.", SEEDS, True),
        # Nothing tells which of the columns the limit is of, and neither is told in kilometres.
        ("Una is below its limit.", PARCELS, None),
    ],
)
def test_a_single_limit_is_kept_or_passed(claim: str, table: Table, truth: bool | None) -> None:
    assert decided(claim, table) is truth
