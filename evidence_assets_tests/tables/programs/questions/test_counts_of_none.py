"""How many rows there are of which all that is said stands somewhere, and none is so: none."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets_tests.testing.plain_tables import SHIPS

VISITORS = make_table(
    "visitors",
    "Visitors of the museum",
    [["Year", "Visitors"]],
    [["2020", "1200"], ["2021", "1500"], ["2022", "1900"]],
)


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many ferries are laid up?", "0"),
        ("How many schooners are laid up?", "1"),
        ("How many ships were built after 1980?", "0"),
        ("How many ships are longer than 100 m?", "0"),
    ],
)
def test_none_are_counted_where_all_that_is_said_is_told(question: str, number: str) -> None:
    result = answer(question, SHIPS)
    assert result.decides
    assert result.values == (number,)


@pytest.mark.parametrize("question", ["How many yachts are laid up?", "How many ferries were sold?"])
def test_what_nothing_tells_is_not_counted_as_none(question: str) -> None:
    assert "0" not in answer(question, SHIPS).values


def test_of_a_time_without_a_row_nothing_is_counted() -> None:
    assert not answer("How many visitors came in 2017?", VISITORS).decides
