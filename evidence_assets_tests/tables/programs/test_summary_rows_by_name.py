"""Rows that sum up the others and are called a year or a region."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets_tests.testing.program_verdicts import decided


@pytest.mark.parametrize(
    ("header", "rows", "summaries"),
    [
        (
            ["Month", "Mean temperature (°C)", "Rainfall (mm)", "Days with frost"],
            [["January", "3.1", "92", "14"], ["July", "17.0", "36", "0"], ["Year", "9.9", "128", "14"]],
            {2},
        ),
        (
            ["Hospital", "2021", "2022", "2023"],
            [
                ["Ardmoor", "81.2", "74.0", "76.1"],
                ["Dene", "90.1", "83.5", "85.0"],
                ["Region", "86.0", "79.9", "80.2"],
            ],
            {2},
        ),
        (
            ["Hospital", "2021", "2022", "2023"],
            [
                ["Ardmoor", "81.2", "74.0", "76.1"],
                ["Dene", "90.1", "83.5", "85.0"],
                ["Elm", "86.0", "79.9", "80.2"],
            ],
            set(),
        ),
    ],
)
def test_the_row_of_the_whole_is_none_of_the_others(
    header: list[str], rows: list[list[str]], summaries: set[int]
) -> None:
    assert index_of(make_table(f"whole {rows[-1][0]}", "", [header], rows)).summaries == summaries


ERRANDS = make_table(
    "errands",
    "Errands of the launderette",
    [["Customer", "Shirts", "Sheets", "Bill"]],
    [
        ["Okoro", "12", "4", "€31.00"],
        ["Lindqvist", "7", "9", "€28.50"],
        ["Baptiste", "15", "2", "€34.20"],
        ["Total", "34", "15", "€93.70"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("No customer brought more than 20 shirts.", True),
        ("No customer brought more than 14 shirts.", False),
        ("One customer brought more than 14 shirts.", True),
        ("No customer has a bill above €40.", True),
        ("No customer has a bill above €30.", False),
        ("The total of shirts is 34.", True),
        # No row is named, so it is of the whole.
        ("The launderette had more than 30 shirts.", True),
    ],
)
def test_a_bound_that_the_total_alone_meets_is_met_by_no_row(claim: str, truth: bool) -> None:
    assert decided(claim, ERRANDS) is truth
