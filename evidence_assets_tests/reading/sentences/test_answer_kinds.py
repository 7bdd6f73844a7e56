"""What kind of answer is asked for."""

from __future__ import annotations

import pytest

from evidence_assets.reading.sentences.answer_kinds import AnswerKind, Asked, asked


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why was the tour given up?", AnswerKind.REASON),
        ("what caused the fire of 1983", AnswerKind.REASON),
        ("In which year did the line open?", AnswerKind.YEAR),
        ("Since when has she been treasurer?", AnswerKind.YEAR),
        ("On which evening does he teach?", AnswerKind.TIME),
        ("How many singers were there when it closed?", AnswerKind.COUNT),
        ("How wide is the well?", AnswerKind.AMOUNT),
        ("What did the roof of 1996 cost?", AnswerKind.PRICE),
        ("What is the highest price?", AnswerKind.PRICE),
        ("how much is admission", AnswerKind.PRICE),
        ("How high is the deposit for a boat?", AnswerKind.PRICE),
        ("How much flour is needed?", AnswerKind.AMOUNT),
        ("How many days are granted?", AnswerKind.DURATION),
        ("By whom was it made?", AnswerKind.PERSON),
        ("Where does the tour start?", AnswerKind.PLACE),
        ("What should I do when the alarm rings?", None),
        ("Which tool is used when grafting?", None),
        ("Can I swim when it is raining?", None),
        ("What must people who join bring?", None),
        ("Is there a lift for people who use wheelchairs?", None),
        ("What can I pay with?", None),
        ("What happens if I pay late?", None),
        ("How much does a hive weigh?", AnswerKind.AMOUNT),
        ("How much do elephants eat a day?", AnswerKind.AMOUNT),
        ("How much is known about it?", AnswerKind.AMOUNT),
        ("What tax form do I need?", None),
        ("What is the tax office called?", None),
        ("What is the price list called?", None),
        ("What is the deposit for?", None),
        ("What is the speed limit's purpose?", None),
        ("Can you explain how photosynthesis works?", None),
        ("How might I help?", None),
        ("How exactly is cheese made?", None),
        ("What's the fee?", None),
        ("Why was it?", AnswerKind.REASON),
        ("In which year was it built?", AnswerKind.YEAR),
        ("On which days is it open?", AnswerKind.TIME),
        ("What does the course in Ghent cost?", AnswerKind.PRICE),
        ("What did it cost to gild the dome?", AnswerKind.PRICE),
        ("What does the cost of the course include?", None),
        ("In which town was he born?", AnswerKind.PLACE),
        ("What is the fine for keeping a dog?", AnswerKind.PRICE),
        ("What was paid for the mass by Byrd?", AnswerKind.PRICE),
        ("Since when has he been director?", AnswerKind.YEAR),
        ("At what time does it close?", AnswerKind.TIME),
        ("How many people live in the town where X was born?", AnswerKind.COUNT),
        ("How many days of holiday are there?", AnswerKind.DURATION),
        ("What is the population of Ashbeck?", AnswerKind.AMOUNT),
        ("How high is the deposit for a telescope?", AnswerKind.PRICE),
        ("What is the reason for it?", AnswerKind.REASON),
        ("Tell me when it opens", AnswerKind.TIME),
        ("How far is it?", AnswerKind.AMOUNT),
        ("What is the yearly tax for the third dog?", AnswerKind.PRICE),
        ("What price was asked for it?", AnswerKind.PRICE),
        ("What was the cause of the fire?", AnswerKind.REASON),
        ("How does a kiln work?", None),
        ("How is it kept warm?", None),
        ("Which metal is the dearest?", None),
        ("Is zircon cheap?", None),
    ],
)
def test_the_kind_that_is_asked_for_first(question: str, kind: AnswerKind | None) -> None:
    asked_for = asked(question)
    assert (asked_for and asked_for.kind) is kind


@pytest.mark.parametrize(
    ("question", "degree"),
    [
        ("How deep is the well?", "deep"),
        ("What was the depth of the well?", "deep"),
        ("How far ahead is it ordered?", "far"),
        ("What is the average age?", "old"),
        ("What is the population of Ashbeck?", ""),
        ("How much does a hive weigh?", "heavy"),
    ],
)
def test_of_an_amount_the_degree_is_asked_for(question: str, degree: str) -> None:
    assert asked(question) == Asked(AnswerKind.AMOUNT, degree)


@pytest.mark.parametrize(
    ("question", "by_role"),
    [
        ("Who may borrow the keys?", True),
        ("who pays for repairs", True),
        ("Who is eligible?", True),
        ("Who is the director?", False),
        ("Who was it?", False),
        ("Who built the mill?", False),
        ("By whom was it built?", False),
    ],
)
def test_who_does_something_in_general_may_be_told_by_role(question: str, by_role: bool) -> None:
    assert asked(question) == Asked(AnswerKind.PERSON, by_role=by_role)


@pytest.mark.parametrize(
    ("question", "counted"),
    [
        ("How many coaches does it hold?", "coaches"),
        ("how many guest chairs are there in winter", "chairs"),
        ("How many people work on the late shift?", "people"),
        ("How many are there?", ""),
    ],
)
def test_of_a_number_the_noun_is_asked_for(question: str, counted: str) -> None:
    assert asked(question) == Asked(AnswerKind.COUNT, counted=counted)


@pytest.mark.parametrize(("question", "by_name"), [("In which town was it?", True), ("Where was it?", False)])
def test_a_name_may_tell_which_town_and_not_where(question: str, by_name: bool) -> None:
    assert asked(question) == Asked(AnswerKind.PLACE, by_name=by_name)
