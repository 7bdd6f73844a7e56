"""Questions that neither the order of rows and columns nor a count of rows answers."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer

FERRIES = make_table(
    "ferries",
    "",
    [["Ferry", "Launched", "Decks", "State"]],
    [
        ["Aldis", "1971", "3", "launch"],
        ["Borea", "1958", "2", "afloat"],
        ["Corra", "2004", "1", "launch"],
        ["Delta", "1983", "4", "afloat"],
    ],
)
POLL = make_table(
    "poll",
    "",
    [["Question", "Approve", "Reject"]],
    [["The harbour is safe", "40%", "60%"], ["Lighting is adequate", "18%", "82%"]],
)
TANKS = make_table(
    "tanks",
    "",
    [["Tank", "Level", "Minimum", "Yard"]],
    [["Oil", "50", "20", "A"], ["Water", "10", "20", "B"], ["Fuel", "30", "25", "A"]],
)


def test_what_was_last_where_years_are_told_is_not_the_last_row() -> None:
    assert answer("Which ferry launched last?", FERRIES).values in {("Corra",), ()}
    given = answer("Which ferry sailed last?", FERRIES)
    assert not given.decides or given.values != ("Delta",)


def test_an_ordinal_is_no_number_of_decks() -> None:
    given = answer("Which ferry sailed third?", FERRIES)
    assert not given.decides


def test_how_many_approve_is_no_count_of_rows() -> None:
    given = answer("How many approve that lighting is adequate?", POLL)
    assert not given.decides or given.values == ("18%",)


def test_a_limit_is_no_neighbouring_column() -> None:
    given = answer("Which tanks are below the minimum?", TANKS)
    assert not given.decides or given.values == ("Water",)


def test_the_last_row_was_last_where_the_rows_are_in_the_order_of_times() -> None:
    visits = make_table(
        "visits",
        "",
        [["Date", "Pier", "Diver"]],
        [["12 Jan 2021", "North", "Orr"], ["Jun 2021", "East", "Lind"], ["3 Apr 2022", "West", "Orr"]],
    )
    assert answer("Name the pier that was inspected last.", visits).values == ("West",)
