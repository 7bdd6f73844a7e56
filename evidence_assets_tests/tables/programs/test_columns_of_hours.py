"""Columns of hours, `17:30–23:00`: when rows start and end, and at which times they are open."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.derived.hours import HoursTable, hours_told, with_hours
from evidence_assets.tables.programs.index.derived.turned_tables import as_published

STALLS = make_table(
    "stalls",
    "Row C of the night market",
    [["Stall", "Sells", "Open", "Cards"]],
    [
        ["C1", "corn", "17:30–23:00", "yes"],
        ["C2", "takoyaki", "17:30–23:30", "no"],
        ["C3", "flatbread", "18:00–22:00", "yes"],
        ["C4", "phone cases", "19:00–24:00", "yes"],
        ["C5", "soup", "", "no"],
        ["C6", "rice", "22:00–02:00", "no"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("The corn stall opens at 17:30.", True),
        ("The corn stall opens at 18:00.", False),
        ("The corn stall is open at 18:00.", True),
        ("The corn stall is open at 16:00.", False),
        ("The corn stall is open at 23:00.", False),
        ("C6 is open at 01:00.", True),
        ("C1 closes at eleven in the evening.", True),
        ("C1 is open until 23:00.", True),
        ("C1 is open until 22:00.", False),
        ("C4 closes at midnight.", True),
        ("C3 is not open at 20:00.", False),
        ("C3 is still open at 21:59.", True),
        ("C3 is not yet open at 19:00.", False),
        ("The corn stall opens at 18.", False),
        ("C6 closes before midnight.", False),
        ("C6 closes after midnight.", True),
        ("C6 closes at two in the morning.", True),
        ("C6 closes later than C1.", True),
        ("C3 doesn't open until 19:00.", None),
        ("The stall open at 17:45 is C1.", None),
        ("C3 closes earlier than C1.", True),
        ("C4 opens earlier than C3.", False),
        ("No stall opens before five in the afternoon.", None),
        ("No stall opens before six in the evening.", False),
        ("Two stalls open at 17:30.", True),
        ("The takoyaki stall is open 17:30–23:30.", True),
        ("The takoyaki stall is open 17:30–23:00.", False),
        ("C5 closes at 23:00.", None),
        # Which end of the hours is meant nobody knows without a verb.
        ("C1 is on at 18:00.", None),
    ],
)
def test_starts_and_ends_are_told_apart(claim: str, supported: bool | None) -> None:
    verdict = verify(claim, STALLS)
    assert (verdict.supported if verdict.decides else None) is supported, verdict.program


def test_the_cells_of_an_end_are_those_of_the_hours() -> None:
    reading = with_hours(STALLS)
    assert isinstance(reading, HoursTable)
    assert [cell.text for cell in reading.rows[1]] == ["C2", "takoyaki", "17:30", "23:30", "no"]
    assert as_published(STALLS, reading, (1, reading.end)) == ((1, 2),)
    assert as_published(STALLS, reading, (1, 4)) == ((1, 3),)


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Open", ["18:00–late", "17:00–23:00", "16:00–22:00"]),
        ("Open", ["9:00–12:00 and 14:00–18:00", "8:00–17:30", "24 hours"]),
        ("Winning time range", ["2:10–3:20", "4:05–5:10", "3:05–4:10"]),
        ("pH range", ["6.50–7.20", "5.10–6.40", "10.20–11.50"]),
    ],
    ids=["an end that is not told", "several hours a day", "durations", "decimals"],
)
def test_what_may_be_no_hours_is_not_taken_apart(header: str, cells: list[str]) -> None:
    rows = [[name, cell] for name, cell in zip(("Ara", "Bel", "Cor"), cells, strict=True)]
    table = make_table("t", "", [["Name", header]], rows)
    assert with_hours(table) is None
    assert not verify("Ara is open at 19:00.", table).decides
    assert not verify("Two bars are open at 19:00.", table).decides


def test_a_table_of_two_columns_of_hours_has_no_start() -> None:
    rows = [["Mon", "9:00–12:00", "14:00–18:00"], ["Tue", "9:00–12:00", "14:00–20:00"]]
    assert with_hours(make_table("shop", "", [["Day", "Morning", "Afternoon"]], rows)) is None


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("9:00–12:30", (540, 750)), ("22:00 to 02:00", (1320, 1560)), ("18:00–late", None), ("9–12", None)],
)
def test_hours_are_read_in_minutes_of_a_day(text: str, minutes: tuple[int, int] | None) -> None:
    assert hours_told(text) == minutes
