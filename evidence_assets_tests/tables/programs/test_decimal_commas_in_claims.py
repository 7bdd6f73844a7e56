"""Tests of claims over tables whose numbers have decimal commas, and of lists over those that have none."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.wording.decimal_commas import with_points
from evidence_assets.tables.table import Table
from evidence_assets_tests.testing.program_verdicts import decided

FLEURS = make_table(
    "fleurs",
    "Marché aux fleurs",
    [["Fleur", "Prix (€)", "Part", "Tiges"]],
    [
        ["Rose", "2,80", "41,5 %", "1.320"],
        ["Lis", "4,05", "12,0 %", "310"],
        ["Iris", "1,95", "22,5 %", "640"],
    ],
)
ROUTES = make_table(
    "routes",
    "Buses",
    [["Route", "Zone", "Stops"]],
    [["North", "3", "12"], ["South", "4", "9"], ["West", "5", "14"]],
)


@pytest.mark.parametrize(
    ("claim", "table", "truth"),
    [
        ("The Prix of Rose is 2,80 €.", FLEURS, True),
        ("The Prix of Rose is 4,05 €.", FLEURS, False),
        ("The Part of Iris is 22,5 %.", FLEURS, True),
        ("The Part of Iris is 12,0 %.", FLEURS, False),
        ("The Prix of Lis is above 4,01 €.", FLEURS, True),
        ("The Prix of Lis is above 4,50 €.", FLEURS, False),
        ("The Prix of Rose is 2,80.", FLEURS, True),
        ("The Tiges of Rose is above 1.300.", FLEURS, True),
        ("The zone of South is 4.", ROUTES, True),
    ],
)
def test_a_comma_is_the_decimal_mark_where_the_table_has_it(claim: str, table: Table, truth: bool) -> None:
    assert decided(claim, table) is truth


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3,49 €", "3.49 €"),
        ("8.060,00", "8,060.00"),
        ("1.250 and 0,125", "1,250 and 0,125"),
        ("12.5.2024", "12.5.2024"),
        ("in 3, 4 and 5", "in 3, 4 and 5"),
        ("1,2,3", "1,2,3"),
        ("3.49", "3.49"),
    ],
)
def test_numbers_keep_their_place(text: str, read: str) -> None:
    assert with_points(text) == read
