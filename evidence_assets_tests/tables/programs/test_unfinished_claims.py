"""Claims that break off, and tables of few columns, are read without an error."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer

SHOW = make_table(
    "show",
    "Marks of the loaf show",
    [["Baker", "Place", "Crust", "Crumb", "Flavour", "Served", "2021", "2023"]],
    [
        ["Edda Marsh", "1", "9", "10", "8", "09:15", "12", "18"],
        ["Tom Aird", "2", "8", "9", "8", "10:30", "14", "11"],
        ["Josie Quill", "3", "7", "9", "9", "12:45", "9", "9"],
    ],
)
CLAIMS = [
    "Edda Marsh received the highest mark in all three classes of the show.",
    "Anybody hunting for a loaf at half past ten finds Tom Aird at a quarter to eleven.",
    "The marks of Tom Aird fell from 14 to 11, while those of Edda Marsh rose from 2021 to 2023.",
    "Going to the show each year became more popular from each place to the next.",
    "Neither Tom Aird, Josie Quill nor Edda Marsh had fewer than 9 for crumb, but only one of the two had 8.",
    "Of the three bakers, all but one had at least twice as many marks in 2023 as in 2021.",
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_beginning_of_a_claim_is_read(claim: str) -> None:
    words = claim.rstrip(".").split()
    for length in range(1, len(words)):
        beginning = " ".join(words[:length])
        assert 0.0 <= verify(beginning, SHOW).confidence <= 1.0
        assert 0.0 <= answer(beginning, SHOW).confidence <= 1.0


@pytest.mark.parametrize("columns", [1, 2])
def test_what_a_narrow_table_lacks_is_left_open(columns: int) -> None:
    rows = [[cell.text for cell in row[:columns]] for row in SHOW.rows]
    narrow = make_table("narrow", SHOW.caption, [SHOW.header[:columns]], rows)
    assert not verify("Tom Aird had 9 for crumb.", narrow).decides
    assert not answer("What was served with the loaf of Tom Aird?", narrow).decides
