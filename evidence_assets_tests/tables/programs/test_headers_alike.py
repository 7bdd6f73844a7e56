"""Headers that share a word with what is asked for, or of which one counts a part of another."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.programs.questions.answering import answer

SALARIES = make_table(
    "salaries",
    "Salaries of the offices",
    [["Office", "Staff", "Highest salary (€)", "Lowest salary (€)"]],
    [["Aden", "12", "5200", "1900"], ["Brine", "40", "8700", "2100"], ["Colby", "7", "4100", "1800"]],
)
LIBRARY = make_table(
    "library",
    "Branches of the library",
    [["Branch", "Copies", "On loan", "Staff"]],
    [["Main", "52000", "8400", "21"], ["North", "12000", "2100", "5"], ["East", "9000", "1900", "4"]],
)
PAINTINGS = make_table(
    "paintings",
    "The collection",
    [["Title", "Painter", "Painted", "Acquired"]],
    [
        ["Harbour at Dawn", "Ada Lind", "1871", "1902"],
        ["Still Life", "Otto Kern", "1911", "1935"],
        ["Winter Road", "Jan Holt", "1925", "1926"],
    ],
)


@pytest.mark.parametrize(
    ("question", "office"),
    [
        ("Which office has the highest number of staff?", "Brine"),
        ("Which office has the lowest highest salary?", "Colby"),
        ("Which office has the highest salary?", "Brine"),
    ],
)
def test_a_superlative_of_one_header_may_be_of_another(question: str, office: str) -> None:
    assert answer(question, SALARIES).values == (office,)


def test_a_superlative_before_another_header_is_claimed_of_that() -> None:
    assert verify("Aden has the highest staff.", SALARIES).supported is False


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many copies are on loan in total?", "12400"),
        ("How many copies on loan in total?", "12400"),
        ("How many copies are on loan at North?", "2100"),
        ("How many copies are there in total?", "73000"),
    ],
)
def test_of_a_whole_the_part_is_counted_that_is_asked_for(question: str, number: str) -> None:
    assert answer(question, LIBRARY).values == (number,)


def test_a_thing_is_not_when_it_was_made() -> None:
    assert answer("Which painting was painted last?", PAINTINGS).values == ("Winter Road",)
    assert answer("When was Winter Road painted?", PAINTINGS).values == ("1925",)
