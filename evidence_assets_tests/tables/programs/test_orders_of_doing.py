"""Claims and questions of what was done first, and of what ranks first by a column."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets_tests.testing.program_verdicts import decided

SHOPS = make_table(
    "shops",
    "Shops of the arcade",
    [["Shop", "Opened", "Closed", "Sales", "Time to till (s)", "Rank", "Waiting (min)"]],
    [
        ["Alder", "3 May 2019", "4 June 2023", "40", "25", "3", "8"],
        ["Birch", "9 April 2018", "1 Aug 2022", "55", "22", "1", "2"],
        ["Cedar", "7 Sept 2020", "3 March 2024", "12", "41", "4", "9"],
        ["Elm", "1 Jan 2021", "5 July 2021", "33", "28", "2", "5"],
    ],
)


@pytest.mark.parametrize(
    ("claim", "supported"),
    [
        ("Birch was the second to close.", True),
        ("Elm was the second to close.", False),
        ("Elm was the first to close.", True),
        ("The second shop to close was Birch.", True),
        ("Alder was the second to open.", True),
        ("Cedar was the last to close.", True),
        ("Cedar was the last to be closed.", True),
        ("Birch was the first shop to be closed.", False),
        ("Cedar was the last to open.", False),
        ("Birch ranked first by sales.", True),
        ("Birch came first in sales.", True),
        ("Elm came second in sales.", False),
        # Who is first by a time may be the fastest or the slowest.
        ("Birch ranked first by time to till.", None),
        ("Cedar ranked first by time to till.", None),
        # Ranks go by the waiting.
        ("Birch ranked first by waiting.", True),
        ("Cedar ranked first by waiting.", False),
    ],
)
def test_place_is_by_the_verb_or_the_column_that_a_claim_says(claim: str, supported: bool | None) -> None:
    assert decided(claim, SHOPS) is supported


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which shop was the second to close?", ("Birch",)),
        ("Which shop was the second to open?", ("Alder",)),
        ("Which shop ranked second by sales?", ("Alder",)),
        ("Which shop ranked first by time to till?", ()),
    ],
)
def test_questions_are_answered_by_that_column_alone(question: str, values: tuple[str, ...]) -> None:
    given = answer(question, SHOPS)
    assert given.values == values
