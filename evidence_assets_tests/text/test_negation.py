"""Questions that ask for the exception, and questions that only mention a negation."""

from __future__ import annotations

import pytest

from evidence_assets.text.negation import denies, is_negated


@pytest.mark.parametrize(
    "question",
    [
        "Which of these is NOT a hormone?",
        "All of the following are true EXCEPT:",
        "Which is least likely",
        "Which is LEAST likely to conduct heat?",
        "Which of the following is not a mammal?",
        "which of the following are not noble gases?",
        "Which of these isn't a planet?",
        "Which of these doesn't contain water?",
        "Which one of these does not belong in a desert?",
        "Each of these is a metal, except",
        "All are causes of anaemia except for:",
        "All of the following except one are fruits. Which?",
        "True about insulin, except?",
        "The following are features of scurvy, excluding:",
        "Which organism cannot make its own food?",
        "Which of the following is never found in plants?",
        "What would least likely help someone with bad vision?",
        "Optic atrophy is not seen in:",
        "Not true about insulin is",
        "Which statement is not correct?",
        "Which of the following was not caused by the war?",
        "Which of the following will not decrease transmission?",
        "When turned on, which product cannot convert electrical energy into light?",
    ],
)
def test_the_exception_is_asked_for(question: str) -> None:
    assert is_negated(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "What causes rain?",
        "Why can people not breathe under water?",
        "What is the least common multiple of 4 and 6?",
        "Which of these is the least dense?",
        "A knot is tied in a rope. What holds it?",
        "What note follows A?",
        "Which is an exception to the rule?",
        "Not counting tax, what is the price?",
        "The patient does not smoke. Which vitamin is lacking?",
        "If you can't see, which sense helps most?",
        "James couldn't get comfortable. What did he need?",
        "A child was not vaccinated and coughs. Which disease is likely?",
        "Which planet excludes nothing?",
        "All cats are mammals. Which of these is a cat?",
        "How do fish that never see light find food?",
        "Everyone except Tom left. Who stayed?",
    ],
)
def test_a_negation_is_only_mentioned(question: str) -> None:
    assert not is_negated(question)


def test_the_exception_is_asked_for_in_other_words() -> None:
    questions = [
        "Which drug should not be used in pregnancy?",
        "Which of the following could not be true?",
        "Which of these did not happen in 1914?",
        "Which of these won't burn?",
        "Which of these wasn't a president?",
        "Which of the following DOESN'T supply the dura mater?",
        "Where would a hare be least likely to be seen?",
        "If the soil is dry, it is least likely to be caused by",
    ]
    assert [question for question in questions if not is_negated(question)] == []


def test_a_negation_in_a_clause_is_not_the_question() -> None:
    questions = [
        "What happens to plants that do not get water?",
        "What will happen if a plant does not get sunlight?",
        "What would happen if the Moon was not there?",
        "What do people do when they don't understand something?",
        "What do animals do if their habitat cannot support them?",
        "Which of these best explains why ice does not sink?",
        "What is someone who isn't clever called?",
        "What can machines do that humans cannot?",
    ]
    assert [question for question in questions if is_negated(question)] == []


def test_a_text_denies_in_whatever_part_of_it() -> None:
    assert denies("A swarm mustn’t be sprayed with smoke.")
    assert denies("Nobody may vote.")
    assert not denies("A knot is noted in the notes.")
