"""What a free question may be answered with: times, amounts, remainders, ranks, and nothing untold."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer, read_question
from evidence_assets.tables.table import Table

RACE = make_table(
    "race",
    "Regatta of the Lakeside Club, 2023",
    [["Boat", "Class", "Start", "Duration", "Places", "Places taken", "Penalties", "Rank", "Crews seen"]],
    [
        ["Gull", "open", "09:00", "1 h 45 min", "12", "9", "0", "2", "3"],
        ["Tern", "open", "10:30", "50 min", "8", "8", "2", "1", "2"],
        ["Skua", "youth", "12:15", "2 h 5 min", "21", "11", "1", "3", "6"],
    ],
)
RAISED = make_table(
    "raised",
    "Appeals of the trust",
    [["Appeal", "Fee", "Raised (£)", "Target (£)", "Donors 2022", "Donors 2023"]],
    [
        ["Swim", "£5", "2,140", "1,500", "40", "40"],
        ["Quiz", "£8", "1,860", "2,000", "55", "61"],
        ["Walk", "£10", "9,320", "10,000", "70", "66"],
    ],
)
MONTHS = make_table(
    "months",
    "Frost at Skerrin",
    [["Month", "Frost days"]],
    [["January", "12"], ["February", "9"], ["March", "10"], ["April", "2"]],
)


def values_of(question: str, table: Table) -> list[tuple[str, ...]]:
    return [candidate.values for candidate in read_question(question, table).programs]


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("How many minutes did the Gull take?", RACE, ("105",)),
        ("How many places are still free on the Skua?", RACE, ("10",)),
        ("Which boats had penalties?", RACE, ("Tern", "Skua")),
        ("Which boats had no penalties?", RACE, ("Gull",)),
        ("Which boat was the second to start?", RACE, ("Tern",)),
        ("Which boat ranked second by places?", RACE, ("Gull",)),
        ("Which appeals fell short of their target?", RAISED, ("Quiz", "Walk")),
        ("By how many pounds did the Swim exceed its target?", RAISED, ("640",)),
        ("Which appeals had the same number of donors in 2022 and 2023?", RAISED, ("Swim",)),
        ("How many frost days were there from January to March?", MONTHS, ("31",)),
    ],
)
def test_programs_come_to_what_is_asked(question: str, table: Table, values: tuple[str, ...]) -> None:
    assert values in values_of(question, table)


@pytest.mark.parametrize(
    ("question", "table", "values"),
    [
        ("When was the Gull in the race?", RACE, ("open",)),
        ("Which crew was on the Gull?", RACE, ("3",)),
        ("What distance did the Gull row?", RACE, ("open",)),
        ("By how many pounds did the Swim exceed its target?", RAISED, ("1,500",)),
        ("What was the highest number of frost days?", MONTHS, ("January",)),
    ],
)
def test_no_program_answers_with_another_kind(question: str, table: Table, values: tuple[str, ...]) -> None:
    assert values not in values_of(question, table)


def test_a_state_that_nothing_tells_is_abstained_on() -> None:
    weights = {"kind lookup": 9.0, "target near": 5.0}
    assert answer("How many places are there on the Skua?", RACE, weights).values == ("21",)
    assert not answer("How many of the places on the Skua are dry?", RACE, weights).decides


def test_a_question_that_breaks_off_behind_an_ordinal_is_read() -> None:
    assert read_question("Which boat was the second to", RACE).programs
