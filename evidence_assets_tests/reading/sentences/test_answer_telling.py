"""Texts that tell what is asked for, and texts that only seem to."""

from __future__ import annotations

import pytest

from evidence_assets.reading.sentences.answer_kinds import AnswerKind, Asked
from evidence_assets.reading.sentences.answer_telling import tells, token_roots


def told(kind: AnswerKind, text: str, question: str = "", degree: str = "") -> bool:
    return tells(text, Asked(kind, degree), token_roots(question))


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
        (AnswerKind.REASON, "Because the supplier closed, it was changed.", ""),
        (AnswerKind.YEAR, "It was founded in 79 AD.", ""),
        (AnswerKind.REASON, "It was closed to save money.", "Why was the mill closed?"),
        (AnswerKind.REASON, "It was closed for repairs.", "Why was the mill closed?"),
        (AnswerKind.REASON, "It closed after a fire.", "Why was the mill closed?"),
        (AnswerKind.REASON, "A flood destroyed the bridge, so it was rebuilt.", ""),
        (AnswerKind.TIME, "It is open from 9 to 5.", "When does it open?"),
        (AnswerKind.TIME, "It opens at 10 pm.", ""),
        (AnswerKind.TIME, "It closes at 7.30 pm.", ""),
        (AnswerKind.TIME, "It is on 12 May.", "When in May?"),
        (AnswerKind.TIME, "It is on February 7.", "On what day in February?"),
        (AnswerKind.TIME, "It is done after the harvest.", ""),
        (AnswerKind.TIME, "Come on weekdays.", ""),
        (AnswerKind.YEAR, "Rome fell in 476.", ""),
        (AnswerKind.YEAR, "In the early nineteenth century.", "In what century?"),
        (AnswerKind.YEAR, "Since the nineties.", ""),
        (AnswerKind.YEAR, "by 2100", ""),
        (AnswerKind.COUNT, "There are three seasons.", "How many seasons are there?"),
        (AnswerKind.COUNT, "It is 40 percent.", "How many percent?"),
        (AnswerKind.COUNT, "Nobody drowned.", "How many died?"),
        (AnswerKind.DURATION, "It takes 30 working days.", "How many days?"),
        (AnswerKind.DURATION, "It takes half an hour.", "How many hours?"),
        (AnswerKind.PLACE, "It is at 12 High Street.", "Where is it?"),
        (AnswerKind.PLACE, "It stands on the first floor.", ""),
        (AnswerKind.PLACE, "It is beside the pool entrance.", "Where is the tour office?"),
        (AnswerKind.PRICE, "Free for children.", ""),
        (AnswerKind.PRICE, "It costs 40 a year.", ""),
        (AnswerKind.PRICE, "It is 50p.", ""),
        (AnswerKind.PERSON, "It is locked by the caretaker.", "Who locks it?"),
        (AnswerKind.AMOUNT, "It is a mile away.", "How far?"),
        (AnswerKind.AMOUNT, "It is done each March.", "How often?"),
    ],
)
def test_a_text_that_tells_it_in_other_ways(kind: AnswerKind, text: str, question: str) -> None:
    assert told(kind, text, question)


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
        (AnswerKind.TIME, "Visitors may smoke outside.", "When is smoking allowed?"),
        (AnswerKind.TIME, "The 7:30 train stops here.", "When does the 7:30 train stop?"),
        (AnswerKind.PERSON, "The statue of O'Brien stands.", "Who followed O'Brien?"),
        (AnswerKind.REASON, "The tour to Bergen had to be given up.", ""),
        (AnswerKind.REASON, "The firm wanted to close it.", "Why did the firm want to close it?"),
        (AnswerKind.REASON, "It is open from two to seven.", ""),
        (AnswerKind.REASON, "The importer for old archives is no longer supported.", ""),
        (AnswerKind.COUNT, "It burned in 1908.", "How many died?"),
        (AnswerKind.COUNT, "The second shift starts at one.", "How many work on the second shift?"),
        (AnswerKind.PERSON, "The domes were painted near Ambler in March.", "Who painted the domes?"),
        (AnswerKind.YEAR, "It stands in two cities of the county.", ""),
        (AnswerKind.DURATION, "He mows it twice a week.", "For how many years has he mown it?"),
        (AnswerKind.DURATION, "It is mown three times a week.", "For how many years has he mown it?"),
        (AnswerKind.PLACE, "The class is held in March and is free.", "Where is the class held?"),
    ],
)
def test_a_text_that_tells_none_or_says_what_the_question_does(
    kind: AnswerKind, text: str, question: str
) -> None:
    assert not told(kind, text, question)


@pytest.mark.parametrize("kind", AnswerKind)
def test_a_text_without_words_tells_nothing(kind: AnswerKind) -> None:
    assert not told(kind, "— !")


@pytest.mark.parametrize(
    ("degree", "text"),
    [
        ("wide", "It is 4 metres wide."),
        ("wide", "It is half a mile across."),
        ("high", "It is 88 feet tall."),
        ("strong", "It has 4.8 percent."),
        ("old", "It was built in 1903."),
        ("warm", "The pool is at 24."),
        ("heavy", "They weigh two tonnes."),
        ("heavy", "It has eight pounds."),
        ("long", "It runs 230 km."),
        ("long", "It takes an hour."),
        ("big", "It seats 312."),
        ("often", "It is cleaned each spring."),
        ("", "There are two."),
    ],
)
def test_an_amount_of_the_degree_that_is_asked_for(degree: str, text: str) -> None:
    assert told(AnswerKind.AMOUNT, text, degree=degree)


@pytest.mark.parametrize(
    ("degree", "text"),
    [
        ("wide", "It is 60 metres deep and tested each quarter."),
        ("strong", "It is ready within three weeks."),
        ("large", "They are written at two in the morning."),
        ("high", "It was built in 1903."),
        ("old", "It is two metres long."),
        ("heavy", "It is done every spring."),
        ("warm", "They come on 12 June."),
        ("heavy", "The small one costs 890 pounds."),
    ],
)
def test_an_amount_of_another_kind_tells_none(degree: str, text: str) -> None:
    assert not told(AnswerKind.AMOUNT, text, degree=degree)


@pytest.mark.parametrize(
    "text",
    [
        "The landlord pays for repairs.",
        "Report a leak to the caretaker.",
        "The land belongs to a trust.",
        "It is locked by the caretaker.",
        "Ada Renwick does.",
    ],
)
def test_a_role_tells_who_does_something_in_general(text: str) -> None:
    assert tells(text, Asked(AnswerKind.PERSON, by_role=True), token_roots("Who pays for it?"))


def test_a_role_is_no_name_and_a_thing_is_no_role() -> None:
    roots = token_roots("Who followed the bishop of Ghent?")
    assert not tells("The bishop of Ghent was followed.", Asked(AnswerKind.PERSON), roots)
    leads = token_roots("Who leads the festival committee?")
    assert not tells("The festival committee meets in May.", Asked(AnswerKind.PERSON, by_role=True), leads)


QUESTION_OF_COACHES = "How many coaches does the car park hold?"


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("It holds thirty cars, and coaches can turn at the gate.", False),
        ("Of coaches it holds six.", True),
        ("It holds six new coaches.", True),
        ("It had the most coaches (40) in spring.", True),
        ("It holds thirty of them.", True),
        ("It has room for thirty buses.", True),
    ],
)
def test_a_number_of_something_else_tells_no_count(text: str, is_told: bool) -> None:
    asked_for = Asked(AnswerKind.COUNT, counted="coaches")
    assert tells(text, asked_for, token_roots(QUESTION_OF_COACHES)) is is_told


@pytest.mark.parametrize(
    ("text", "is_told"), [("Tarnow is meant.", True), ("she came third in the contest.", False)]
)
def test_a_name_alone_tells_which_town(text: str, is_told: bool) -> None:
    asked_for = Asked(AnswerKind.PLACE, by_name=True)
    assert tells(text, asked_for, token_roots("In which town was the contest held?")) is is_told


def test_how_many_days_a_week_is_told_by_how_often() -> None:
    roots = token_roots("How many days a week is it open?")
    assert tells("It opens daily.", Asked(AnswerKind.DURATION), roots)
