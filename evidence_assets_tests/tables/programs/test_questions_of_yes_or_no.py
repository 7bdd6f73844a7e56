"""Questions whether something is so: answered yes or no as a claim of it is supported or refuted."""

from __future__ import annotations

import pytest

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs.questions.answering import answer
from evidence_assets.tables.programs.verdicts.reliability import LEAST_RELIABILITY
from evidence_assets.tables.programs.verdicts.verification import verify
from evidence_assets.tables.programs.wording.frames import asks_whether, framed
from evidence_assets.tables.programs.wording.words import tokens

SHOP = make_table(
    "shop",
    "Price list of a tool shop",
    [["Item", "Price (EUR)", "In stock", "Card payment"]],
    [
        ["Claw hammer", "18.90", "7", "yes"],
        ["Spirit level", "24.00", "3", "no"],
        ["Tape measure", "9.30", "21", "yes"],
    ],
)
LAKES = make_table(
    "lakes",
    "Lakes of the county",
    [["Lake", "Depth (m)", "Fishing permitted", "2010", "2020"]],
    [["Arden Water", "28", "No", "140", "120"], ["Brackmoor", "41", "Yes", "150", "180"]],
)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Is the claw hammer more expensive than the spirit level?", "no"),
        ("Is the spirit level more expensive than the tape measure?", "yes"),
        ("Isn't the spirit level more expensive than the tape measure?", "yes"),
        ("Was Brackmoor deeper than Arden Water?", "yes"),
    ],
)
def test_it_is_answered_by_yes_or_no(question: str, value: str) -> None:
    table = SHOP if "level" in question else LAKES
    table_answer = answer(question, table)
    assert table_answer.decides
    assert table_answer.values == (value,)
    assert table_answer.cells
    assert table_answer.confidence >= LEAST_RELIABILITY


@pytest.mark.parametrize(("lake", "value"), [("Brackmoor", "yes"), ("Arden Water", "no")])
def test_what_may_be_done_a_header_tells(lake: str, value: str) -> None:
    assert answer(f"Can you fish at {lake}?", LAKES).values == (value,)


@pytest.mark.parametrize(
    "question", ["Is the spirit level waterproof?", "Does the sledgehammer cost 20 euros?", "Is it raining?"]
)
def test_what_the_table_does_not_tell_is_left_open(question: str) -> None:
    assert not answer(question, SHOP).decides


def test_which_of_alternatives_is_so_is_another_question() -> None:
    assert answer("Is Arden Water or Brackmoor deeper?", LAKES).values == ("Brackmoor",)
    assert not asks_whether(tokens("Is Arden Water or Brackmoor deeper?"))


def test_the_word_that_asks_is_accounted_for() -> None:
    question = "Is the claw hammer more expensive than the spirit level?"
    assert [word.text for word in framed(tokens(question)).words] == ["be"]
    bindings = answer(question, SHOP).accounting.bindings
    assert "Is" in [question[item.start : item.end] for item in bindings]
    assert [item.text for item in bindings if item.role.value == "unaccounted"] == []


def test_the_verdict_is_that_on_the_statement() -> None:
    statement = verify("The claw hammer is more expensive than the spirit level.", SHOP)
    table_answer = answer("Is the claw hammer more expensive than the spirit level?", SHOP)
    assert statement.supported is False
    assert table_answer.values == ("no",)
    assert table_answer.cells == statement.cells


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Is it false that Brackmoor is deeper than Arden Water?", "no"),
        ("Is it true that Brackmoor is deeper than Arden Water?", "yes"),
        ("Can't you fish at Arden Water?", "no"),
        ("Is the depth of Brackmoor 40 m or more?", "yes"),
        ("And is Arden Water deeper than Brackmoor?", "no"),
    ],
)
def test_what_stands_around_the_statement_is_read_as_it_is_meant(question: str, value: str) -> None:
    table_answer = answer(question, LAKES)
    assert table_answer.decides
    assert table_answer.values == (value,)


@pytest.mark.parametrize(
    "question", ["Can you tell me which lake is the deepest?", "Do you know which lake is the deepest?"]
)
def test_a_question_within_a_polite_one_is_what_is_asked(question: str) -> None:
    assert not asks_whether(tokens(question))
    assert answer(question, LAKES).values == ("Brackmoor",)


@pytest.mark.parametrize("question", ["Does Brackmoor", "Is 41", "Was?", "May", "Can", "", "?", "Is"])
def test_of_a_name_alone_nothing_is_asked(question: str) -> None:
    assert not answer(question, LAKES).decides
