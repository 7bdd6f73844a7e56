"""What kind of answer is asked for, and texts that tell one, or only seem to."""

from __future__ import annotations

import pytest

from evidence_assets.reading.answer_kinds import AnswerKind, asked_kind, tells, token_roots


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Why was the tour given up?", AnswerKind.REASON),
        ("what caused the fire of 1983", None),
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
        ("What caused the fire?", None),
        ("How does a kiln work?", None),
        ("How is it kept warm?", None),
        ("Which metal is the dearest?", None),
        ("Is zircon cheap?", None),
    ],
)
def test_the_kind_that_is_asked_for_first(question: str, kind: AnswerKind | None) -> None:
    assert asked_kind(question) is kind


def told(kind: AnswerKind, text: str, question: str = "") -> bool:
    return tells(text, kind, token_roots(question))


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
        (AnswerKind.YEAR, "It stands in two cities of the county.", ""),
    ],
)
def test_a_text_that_tells_none_or_says_what_the_question_does(
    kind: AnswerKind, text: str, question: str
) -> None:
    assert not told(kind, text, question)


@pytest.mark.parametrize("kind", AnswerKind)
def test_a_text_without_words_tells_nothing(kind: AnswerKind) -> None:
    assert not told(kind, "— !")
