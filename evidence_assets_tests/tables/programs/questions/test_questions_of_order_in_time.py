"""Questions of what was first, last or next to be done, and of ages: by when it was, not as rows stand."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer, read_question

QUARRIES = make_table(
    "quarries",
    "Working quarries",
    [["Quarry", "Opened", "Employees"]],
    [
        ["Ashgill", "1924", "58"],
        ["Deepdale", "1952", "73"],
        ["Crane Tor", "1847", "41"],
        ["Harl Hill", "1978", "39"],
        ["Barrow Edge", "1961", "34"],
    ],
)
EDITORS = make_table(
    "editors",
    "Editors of the Echo",
    [["No.", "Editor", "Born", "Height (cm)"]],
    [
        ["1", "Edwin Marsh", "1868", "190"],
        ["2", "Walter Gunn", "1870", "171"],
        ["3", "Jo Shaw", "1869", "160"],
    ],
)
STALLS = make_table(
    "stalls",
    "Market stalls",
    [["Stall", "Opens", "Closes"]],
    [
        ["Bread", "7:00", "13:00"],
        ["Fish", "8:30", "12:00"],
        ["Plants", "9:00", "18:30"],
        ["Eggs", "7:30", "11:00"],
    ],
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which quarry was the next to open after Deepdale?", "Barrow Edge"),
        ("Which quarry was the last to open?", "Harl Hill"),
        ("Which quarry was the first to open?", "Crane Tor"),
        ("Which quarry was the second to open?", "Ashgill"),
    ],
)
def test_what_was_done_in_order_goes_by_the_time_it_was_done(question: str, value: str) -> None:
    assert answer(question, QUARRIES).values == (value,)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who was born earlier, Walter Gunn or Edwin Marsh?", "Edwin Marsh"),
        ("Who was born later, Walter Gunn or Edwin Marsh?", "Walter Gunn"),
        ("Who is older, Walter Gunn or Jo Shaw?", "Jo Shaw"),
        ("Who is younger, Edwin Marsh or Jo Shaw?", "Jo Shaw"),
        ("Who is the oldest editor?", "Edwin Marsh"),
        ("Who is the youngest editor?", "Walter Gunn"),
    ],
)
def test_ages_go_by_births(question: str, value: str) -> None:
    assert answer(question, EDITORS).values == (value,)


def test_no_other_number_tells_an_age() -> None:
    programs = read_question("Who is the youngest editor?", EDITORS).programs
    assert {candidate.proposal.selection.measure for candidate in programs} == {2}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which stall closes after 17:00?", "Plants"),
        ("Which is the only stall that closes after 17:00?", "Plants"),
        ("Which stall closes before 11:30?", "Eggs"),
    ],
)
def test_behind_a_time_no_next_row_is_meant(question: str, value: str) -> None:
    assert answer(question, STALLS).values == (value,)


@pytest.mark.parametrize(
    "question", ["When is the next delivery of Deepdale?", "How many days after Deepdale?"]
)
def test_next_and_after_are_of_times_where_these_are_asked_for(question: str) -> None:
    kinds = {candidate.proposal.selection.kind for candidate in read_question(question, QUARRIES).programs}
    assert kinds
    assert "neighbour" not in kinds


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which editor had the earliest appointment?", "Jo Shaw"),
        ("Which editor died earliest?", "Walter Gunn"),
        ("Which editor died later, Edwin Marsh or Walter Gunn?", "Edwin Marsh"),
        ("Who is the oldest editor?", "Edwin Marsh"),
    ],
)
def test_other_times_go_by_what_the_question_names(question: str, value: str) -> None:
    editors = make_table(
        "editors",
        "Editors",
        [["Editor", "Born", "Died", "Appointed"]],
        [
            ["Edwin Marsh", "1868", "1930", "1910"],
            ["Walter Gunn", "1870", "1925", "1900"],
            ["Jo Shaw", "1869", "1940", "1890"],
        ],
    )
    assert answer(question, editors).values == (value,)


def test_a_told_age_goes_before_other_times() -> None:
    members = make_table(
        "members", "Members", [["Member", "Age", "Joined"]], [["Ada", "34", "2010"], ["Ben", "51", "2015"]]
    )
    assert answer("Who is older, Ada or Ben?", members).values == ("Ben",)


def test_what_is_newer_was_built_later() -> None:
    bridges = make_table("bridges", "Bridges", [["Bridge", "Built"]], [["Elm", "1900"], ["Ash", "1920"]])
    assert answer("Which bridge is newer, Elm or Ash?", bridges).values == ("Ash",)


def test_the_next_of_a_noun_goes_by_its_time_too() -> None:
    question = "Which was the next quarry to open after Deepdale?"
    assert answer(question, QUARRIES).values == ("Barrow Edge",)
