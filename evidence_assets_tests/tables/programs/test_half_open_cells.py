"""Tests of claims over cells that tell no number but an end of it: `<5`, `>7`, `12+`."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.columns.half_open_cells import HalfOpen
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets_tests.testing.program_verdicts import decided

WELLS = make_table(
    "wells",
    "Wells of the parish",
    [["Well", "Depth (m)", "Nitrate (mg/l)", "Clarity score"]],
    [
        ["Ash", "12", "<10", "4"],
        ["Brook", "30", "25", "<2"],
        ["Chapel", "18", "60", ">8"],
        ["Dell", "22", "<10", "6"],
        ["Elm", "15", "31", "5"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The nitrate of Ash is below 10 mg/l.", True),
        ("The nitrate of Ash is below 40 mg/l.", True),
        ("The nitrate of Ash is above 12 mg/l.", False),
        ("The nitrate of Ash is above 4 mg/l.", None),
        ("Chapel has a clarity score above 8.", True),
        ("Chapel has a clarity score above 9.", None),
        ("No well has a clarity score above 8.", False),
        ("Two wells have a nitrate below 10 mg/l.", True),
        ("One well has a nitrate below 5 mg/l.", None),
        ("Three wells have a nitrate below 5 mg/l.", False),
        ("All wells have a nitrate below 70 mg/l.", True),
        ("All wells have a clarity score below 20.", None),
        ("The nitrate of Ash is 7.", None),
        ("The nitrate of Ash is 4.", None),
        ("Ash has a nitrate of 3.", None),
        ("The nitrate of Elm is 31.", True),
        ("Ash and Dell have the same nitrate.", None),
        ("Ash and Elm have the same nitrate.", False),
        ("The average nitrate is 27.2.", None),
        ("The nitrate of Ash is lower than that of Brook.", True),
        ("The nitrate of Ash is higher than that of Brook.", False),
        ("Chapel has the highest clarity score.", True),
        ("Brook has the lowest clarity score.", True),
        ("Ash has the lowest nitrate.", None),
        ("Brook has the lowest nitrate.", False),
    ],
)
def test_an_end_of_a_number_tells_what_it_tells(claim: str, truth: bool | None) -> None:
    assert decided(claim, WELLS) is truth


def test_an_end_is_no_number_of_its_row() -> None:
    index = index_of(WELLS)
    assert index.series[2] == {1: 25.0, 2: 60.0, 4: 31.0}
    assert index.half_open[2] == dict.fromkeys((0, 3), HalfOpen(10.0, is_below=True, closed=False))
    assert index.is_numeric(2)


@pytest.mark.parametrize(
    ("cell", "relation", "bound", "truth"),
    [
        (HalfOpen(5, is_below=True, closed=False), "<", 5, True),
        (HalfOpen(5, is_below=True, closed=True), "<", 5, None),
        (HalfOpen(5, is_below=True, closed=True), "<=", 5, True),
        (HalfOpen(5, is_below=True, closed=False), ">=", 5, False),
        (HalfOpen(5, is_below=True, closed=True), ">", 5, False),
        (HalfOpen(5, is_below=True, closed=False), ">", 3, None),
        (HalfOpen(5, is_below=True, closed=False), "=", 5, False),
        (HalfOpen(5, is_below=True, closed=False), "=", 4, None),
        (HalfOpen(7, is_below=False, closed=False), ">", 7, True),
        (HalfOpen(7, is_below=False, closed=True), ">", 7, None),
        (HalfOpen(7, is_below=False, closed=False), "<=", 7, False),
        (HalfOpen(7, is_below=False, closed=False), "<", 9, None),
        (HalfOpen(7, is_below=False, closed=False), "!=", 6, True),
    ],
)
def test_what_stands_in_a_relation_whatever_it_is(
    cell: HalfOpen, relation: str, bound: float, truth: bool | None
) -> None:
    assert cell.stands(relation, bound) is truth
