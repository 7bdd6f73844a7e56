"""Rows that sum up the others and are called a year or a region."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.index.table_index import index_of


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
