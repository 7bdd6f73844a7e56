"""What kind of answer is asked for, and texts that tell one, or only seem to."""

from __future__ import annotations

import pytest

from evidence_assets.reading.answer_kinds import AnswerKind, asked_kind, tells
from evidence_assets.text.roots import root
from evidence_assets.text.words import words


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
        ("How does a kiln work?", None),
        ("How is it kept warm?", None),
        ("Which metal is the dearest?", None),
        ("Is zircon cheap?", None),
    ],
)
def test_the_kind_that_is_asked_for_first(question: str, kind: AnswerKind | None) -> None:
    assert asked_kind(question) is kind


def told(kind: AnswerKind, text: str, question: str = "") -> bool:
    return tells(text, kind, frozenset(map(root, words(question))))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (AnswerKind.REASON, "The recipe was changed because the supplier closed."),
        (AnswerKind.REASON, "It is closed so that tiles can be repaired."),
        (AnswerKind.YEAR, "The railway opened in 1893."),
        (AnswerKind.YEAR, "It is of the twelfth century."),
        (AnswerKind.TIME, "The lorry comes on Wednesdays."),
        (AnswerKind.TIME, "The train leaves at half past ten."),
        (AnswerKind.TIME, "They join after two winters."),
        (AnswerKind.COUNT, "Thirty-four are volunteers."),
        (AnswerKind.YEAR, "She has led it since then."),
        (AnswerKind.TIME, "The check is in week seven."),
        (AnswerKind.TIME, "They come out on the twelfth day."),
        (AnswerKind.DURATION, "It takes thirty-five minutes."),
        (AnswerKind.PRICE, "Admission is 7 pounds."),
        (AnswerKind.PRICE, "It was bought for £300."),
        (AnswerKind.PRICE, "It costs EUR 12.50."),
        (AnswerKind.COUNT, "No member drowned."),
        (AnswerKind.AMOUNT, "It is 60 metres deep."),
        (AnswerKind.AMOUNT, "Seals are replaced every spring."),
        (AnswerKind.PERSON, "The bust was made by Ada Renwick."),
        (AnswerKind.PERSON, "Margaret cares for the yeast."),
        (AnswerKind.PERSON, "bees can make honey"),
        (AnswerKind.PLACE, "It begins at the loading gate."),
    ],
)
def test_a_text_that_tells_it(kind: AnswerKind, text: str) -> None:
    assert told(kind, text)


@pytest.mark.parametrize(
    ("kind", "text", "question"),
    [
        (AnswerKind.REASON, "The tour had to be given up.", ""),
        (AnswerKind.YEAR, "It is serviced each March.", ""),
        (AnswerKind.YEAR, "The roof was added in 1996.", "In which year was the roof of 1996 paid for?"),
        (AnswerKind.TIME, "The team has thirty-four members.", "When was the team founded?"),
        (AnswerKind.TIME, "In winter it is closed.", "When does it open in winter?"),
        (AnswerKind.COUNT, "Carriage 3 is of oak.", "How many benches has carriage 3?"),
        (AnswerKind.COUNT, "A dog is registered within two weeks.", "How many dogs are registered?"),
        (AnswerKind.DURATION, "It has twelve places.", "How many days does it last?"),
        (AnswerKind.PRICE, "The cake has four tiers.", "What does the cake cost?"),
        (AnswerKind.AMOUNT, "The roof was repaired.", ""),
        (AnswerKind.PERSON, "A bust of him stands in the hall.", "Who made the bust?"),
        (AnswerKind.PERSON, "Ada Renwick was an engineer.", "Who followed Ada Renwick?"),
        (AnswerKind.PLACE, "It was used in 1908.", "Where was it used?"),
        (AnswerKind.PLACE, "They were found in the hall.", "Where in the hall was it found?"),
    ],
)
def test_a_text_that_tells_none_or_says_what_the_question_does(
    kind: AnswerKind, text: str, question: str
) -> None:
    assert not told(kind, text, question)


@pytest.mark.parametrize("kind", AnswerKind)
def test_a_text_without_words_tells_nothing(kind: AnswerKind) -> None:
    assert not told(kind, "— !")
