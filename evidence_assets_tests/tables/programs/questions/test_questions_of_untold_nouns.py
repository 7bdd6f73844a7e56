"""Questions whose noun, its modifier, their verb or measure nothing of the table tells."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer

WEATHER = make_table(
    "weather",
    "Weather at the harbour station",
    [["Month", "Rainfall (mm)", "Sunshine (h)"]],
    [
        ["January", "82", "40"],
        ["February", "60", "65"],
        ["June", "62", "230"],
        ["July", "70", "240"],
        ["December", "90", "35"],
    ],
)
RELEASES = make_table(
    "releases",
    "Releases of the program",
    [["Version", "Codename", "Released", "Downloads"]],
    [
        ["1.0", "Aspen", "2018-03-01", "1200"],
        ["2.0", "Cedar", "2019-06-30", "5400"],
        ["2.1", "Dogwood", "2020-01-10", "6100"],
        ["3.0", "Fir", "2021-11-05", "12500"],
    ],
)
BRIDGES = make_table(
    "bridges",
    "Bridges of the county",
    [["Bridge", "River", "Construction began", "Opened", "Closed"]],
    [
        ["Iron Bridge", "Lune", "1881", "1884", "1962"],
        ["Long Bridge", "Tarn", "1902", "1907", ""],
        ["Mill Bridge", "Sill", "1790", "1792", "1933"],
    ],
)
BREAD = make_table(
    "bread",
    "Bread of the bakery",
    [["Bread", "Price (€)", "Weight (g)", "Flour"]],
    [
        ["Rye loaf", "3.80", "1000", "rye"],
        ["Baguette", "1.60", "250", "wheat"],
        ["Ciabatta", "2.40", "300", "wheat"],
    ],
)
DISTRICTS = [["Northgate", "4", "3", "12"], ["Riverside", "6", "5", "8"], ["Oldtown", "2", "1", "25"]]


@pytest.mark.parametrize(
    "question", ["Which winter month is the sunniest?", "Which summer month had least rain?"]
)
def test_a_modifier_that_nothing_tells_leaves_the_question_open(question: str) -> None:
    assert not answer(question, WEATHER).decides


def test_a_modifier_that_a_cell_tells_chooses_rows() -> None:
    assert answer("Which wheat bread is the most expensive?", BREAD).values == ("Ciabatta",)
    assert not answer("Which sourdough bread is the cheapest?", BREAD).decides


def test_a_modifier_that_leaves_no_row_out_is_passed_over() -> None:
    result = answer("Which particular month is the sunniest?", WEATHER)
    assert result.decides
    assert result.values == ("July",)


@pytest.mark.parametrize(
    "question",
    [
        "Which licence does version 2.1 use?",
        "What licence does version 2.1 have?",
        "Which language is version 3.0 written in?",
        "Which maintainer did version 2.0 have?",
    ],
)
def test_an_attribute_that_nothing_tells_is_no_other(question: str) -> None:
    assert not answer(question, RELEASES).decides


def test_an_attribute_that_a_column_tells_is_answered() -> None:
    assert answer("Which codename does version 2.1 have?", RELEASES).values == ("Dogwood",)


@pytest.mark.parametrize(
    ("question", "year"),
    [("When was Iron Bridge demolished?", ""), ("When was Iron Bridge closed?", "1962")],
)
def test_a_deed_has_its_own_time(question: str, year: str) -> None:
    result = answer(question, BRIDGES)
    assert (result.values[0] if result.decides else "") == year


@pytest.mark.parametrize("question", ["Which is the smallest district?", "Which district is the largest?"])
def test_a_size_that_nothing_tells_is_none_of_several_numbers(question: str) -> None:
    untold = make_table(
        "districts", "Districts of the city", [["District", "Schools", "Parks", "Cafes"]], DISTRICTS
    )
    assert not answer(question, untold).decides


def test_a_size_is_told_by_the_only_column_of_sizes() -> None:
    peopled = make_table(
        "peopled", "Districts of the city", [["District", "Population", "Parks", "Cafes"]], DISTRICTS
    )
    assert answer("Which is the smallest district?", peopled).values == ("Oldtown",)
