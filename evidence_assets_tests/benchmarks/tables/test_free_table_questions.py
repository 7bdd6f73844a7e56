"""The cheap baseline of free questions over tables, and which answers are right, by hand."""

from __future__ import annotations

import pytest

from benchmarks.tables.free_table_questions import Answered, cell_of_the_nearest_row
from benchmarks.tables.table_sets import same_denotation
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.table import Table

RACES = make_table(
    "races",
    "",
    [["rider", "team", "year won"]],
    [["Anna Berg", "Alta", "1998"], ["Carl Dahl", "Bodø", "2004"]],
)


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("in which year did Carl Dahl win?", "2004"),
        ("which team had Carl Dahl?", "Bodø"),
        ("who rode for Bodø?", "Carl Dahl"),
        ("what is the weather?", "Anna Berg"),
        ("", "Anna Berg"),
    ],
)
def test_a_cell_that_the_question_does_not_say_of_the_row_that_shares_most(question: str, cell: str) -> None:
    assert cell_of_the_nearest_row(question, RACES) == cell


def test_a_table_without_rows_answers_nothing() -> None:
    assert cell_of_the_nearest_row("who won?", Table("empty", "", ("rider",), ())) == ""


@pytest.mark.parametrize(
    ("values", "key", "same"),
    [
        (["Bodø", "Alta"], ["alta", "Bodø"], True),
        (["1,500"], ["1500.0"], True),
        (["400 g"], ["400"], True),
        (["400 g"], ["500"], False),
        (["Alta"], ["Alta", "Bodø"], False),
        ([], [], True),
        (["400 g"], [], False),
    ],
)
def test_answers_are_the_keys_as_a_set_of_numbers_or_names(
    values: list[str], key: list[str], same: bool
) -> None:
    assert same_denotation(values, key) is same


@pytest.mark.parametrize(
    ("question", "key", "right"),
    [
        ("Which team had Carl Dahl?", ("Bodø",), True),
        ("Which team had Carl Dahl?", ("Alta",), False),
        ("Which team had Carl Dahl?", (), False),
        ("How old is the mechanic?", (), True),
        ("How old is the mechanic?", ("40",), False),
    ],
)
def test_where_there_is_no_key_an_abstention_alone_is_right(
    question: str, key: tuple[str, ...], right: bool
) -> None:
    assert Answered("races", question, key, answer(question, RACES), "").right is right
