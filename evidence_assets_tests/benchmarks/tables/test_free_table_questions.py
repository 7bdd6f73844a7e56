"""The cheap baseline of free questions over tables, by hand."""

from __future__ import annotations

import pytest

from benchmarks.tables.free_table_questions import cell_of_the_nearest_row
from evidence_assets.tables.hygiene import make_table
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
