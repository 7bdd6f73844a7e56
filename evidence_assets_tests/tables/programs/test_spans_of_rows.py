"""Claims of how long rows took, of which a table tells the two times alone."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable, with_spans
from evidence_assets.tables.programs.index.derived.turned_tables import layouts_of

STALLS = make_table(
    "stalls",
    "A street market",
    [["Stall", "Trader", "Hours"]],
    [
        ["1", "Orla", "08:00–12:00"],
        ["2", "Pim", "09:30–12:00"],
        ["3", "Quill", "08:00–17:00"],
        ["4", "Rosa", "22:00–03:00"],
    ],
)
COACHES = make_table(
    "coaches",
    "Coaches from Ambleford",
    [["Coach", "Destination", "Due", "Departed"]],
    [
        ["C1", "Tern", "07:00", "07:05"],
        ["C2", "Wren", "07:30", "09:10"],
        ["C3", "Finch", "08:00", "08:00"],
        ["C4", "Crake", "08:15", "?"],
        ["C5", "Swift", "09:00", "10:15"],
    ],
)
LOANS = make_table(
    "loans",
    "Paintings lent",
    [["Painting", "Lent", "Returned"]],
    [
        ["Dusk", "3 May 2021", "31 May 2021"],
        ["Noon", "10 June 2021", "12 June 2021"],
        ["Dawn", "1 July 2021", "11 July 2021"],
        ["Night", "4 August 2021", ""],
    ],
)
CLUBS = make_table(
    "clubs",
    "Choirs",
    [["Choir", "Founded", "Dissolved"]],
    [["Ivy", "1901", "1950"], ["Oak", "1920", "1938"], ["Elm", "1874", "1990"]],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Quill was open the longest.", True),
        ("Orla was open the longest.", False),
        ("Rosa was open for longer than Pim.", True),
        ("Pim was open for longer than Orla.", False),
    ],
)
def test_the_hours_of_a_cell_tell_how_long(claim: str, truth: bool) -> None:
    assert verify(claim, STALLS).supported is truth


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Two of the coaches departed at least an hour late.", True),
        ("Three of the coaches departed at least an hour late.", False),
        ("The coach to Wren was more than an hour and a half late.", True),
        ("The coach to Swift was more than an hour and a half late.", False),
    ],
)
def test_what_departs_behind_the_time_that_was_set_is_late(claim: str, truth: bool) -> None:
    assert verify(claim, COACHES).supported is truth


def test_a_row_without_its_second_time_tells_nothing() -> None:
    assert verify("The coach to Crake was more than an hour late.", COACHES).supported is None


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("Dusk was away for longer than Dawn.", True),
        ("Noon was away for longer than Dawn.", False),
    ],
)
def test_two_dates_tell_how_long(claim: str, truth: bool) -> None:
    assert verify(claim, LOANS).supported is truth


@pytest.mark.parametrize(("claim", "truth"), [("Elm lasted longest.", True), ("Ivy lasted longest.", False)])
def test_two_years_tell_how_long(claim: str, truth: bool) -> None:
    assert verify(claim, CLUBS).supported is truth


def test_cells_are_those_of_the_two_times() -> None:
    cells = set(verify("Elm lasted longest.", CLUBS).cells)

    assert {(2, 1), (2, 2), (0, 1), (0, 2)} <= cells
    assert all(column < CLUBS.columns for _, column in cells)


@pytest.mark.parametrize(
    "header",
    [["Run", "Started", "Ended", "Took (min)"], ["Run", "Place", "Ended", "Laps"]],
)
def test_a_table_that_tells_its_spans_or_lacks_a_time_is_read_as_it_is(header: list[str]) -> None:
    started = "09:00" if header[1] == "Started" else "Hall"
    rows = [[name, started, f"1{name}:30", f"{name}0"] for name in "123"]
    table = make_table("runs", "", [header], rows)

    assert not any(isinstance(layout, SpannedTable) for layout in layouts_of(table))


def test_times_that_run_backwards_are_no_spans() -> None:
    table = make_table(
        "coins",
        "",
        [["Coin", "Minted", "Named after a year"]],
        [["A", "1900", "1850"], ["B", "1910", "1950"]],
    )

    assert not any(isinstance(layout, SpannedTable) for layout in layouts_of(table))


def test_times_set_down_are_no_sets_won_and_lost() -> None:
    """`Set down` heads no sets of a match, of which the one at 22:41 would be won by 22 to 41."""
    cab = make_table(
        "cab",
        "Jobs of a cab",
        [["Job", "Picked up", "Set down"]],
        [["1", "21:05", "21:19"], ["2", "22:10", "22:41"], ["3", "00:15", "00:37"]],
    )
    spanned = with_spans(cab)
    assert spanned is not None
    assert [row[-1].text for row in spanned.rows] == ["14", "31", "22"]
