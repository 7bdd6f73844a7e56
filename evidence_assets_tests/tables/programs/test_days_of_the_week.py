"""Claims of the days of the week on which something is so, where a cell tells several."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS, WEEKEND, days_told
from evidence_assets.tables.programs.questions.answering import answer

TOURS = make_table(
    "tours",
    "Tours of the harbour",
    [["Tour", "Days", "Pier", "Fare (€)"]],
    [
        ["Lock", "daily", "North", "8"],
        ["Seal", "daily except Mon", "North", "21"],
        ["Night", "Fri, Sat", "South", "15"],
        ["Crane", "Tue–Sun", "South", "12"],
        ["Family", "Sat, Sun", "North", "9"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "truth"),
    [
        ("The Lock tour runs every day of the week.", True),
        ("The Seal tour runs daily.", False),
        ("The Seal tour runs daily except on Mondays.", True),
        ("The Family tour runs daily except on Mondays.", False),
        ("The Crane tour runs on Wednesdays and Thursdays.", True),
        ("The Night tour runs on Fridays and Sundays.", False),
        ("The Family tour runs only at weekends.", True),
        ("The Night tour runs only at weekends.", False),
        ("The Crane tour does not run on Mondays.", True),
        ("The Lock tour does not run on Mondays.", False),
        ("Four of the tours run on Sundays.", True),
        ("All the tours run on Saturdays.", True),
        ("All the tours run on Sundays.", False),
        ("The Ferry tour runs on Sundays.", None),
    ],
)
def test_days_of_a_row_are_those_that_its_cell_tells(claim: str, truth: bool | None) -> None:
    assert verify(claim, TOURS).supported is truth


def test_what_is_closed_on_a_day_is_not_open_on_it() -> None:
    shops = make_table(
        "shops", "Shops", [["Shop", "Open"]], [["Ash", "Tue–Sun"], ["Elm", "daily"], ["Oak", "Mon–Fri"]]
    )

    assert verify("The Ash is closed on Mondays.", shops).supported is True
    assert verify("The Elm is closed on Mondays.", shops).supported is False


def test_a_column_may_tell_the_days_on_which_something_is_closed() -> None:
    rows = [["Ash", "Mon"], ["Elm", "Mon; Tue"], ["Oak", "Wed"], ["Yew", "Sat; Sun"], ["Fir", "–"]]
    baths = make_table("baths", "Baths", [["Bath", "Closed on"]], rows)
    assert verify("The Elm is closed on Mondays.", baths).supported is True
    assert verify("The Oak is closed on Mondays.", baths).supported is False
    assert verify("The Elm is open on Wednesdays.", baths).supported is True
    assert verify("One bath is open every day.", baths).supported is True
    assert verify("Two baths are open every day.", baths).supported is False
    assert answer("Which baths are closed on Monday?", baths).values == ("Ash", "Elm")


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon; Tue", frozenset({"monday", "tuesday"})),
        ("daily", ALL_DAYS),
        ("Fri–Mon", frozenset({"friday", "saturday", "sunday", "monday"})),
        ("weekends and Mon", WEEKEND | {"monday"}),
        ("Mon-Sun except Tue", ALL_DAYS - {"tuesday"}),
        ("Sun Li", None),
        ("every second Monday", None),
    ],
)
def test_a_cell_tells_nothing_but_days(text: str, days: frozenset[str] | None) -> None:
    assert days_told(text) == days
