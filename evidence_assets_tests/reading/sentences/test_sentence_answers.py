"""The sentence that answers an open question, and sentences that say too little of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.reading.sentences.sentence_answers import SentenceAnswer, likeliest_sentence
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.reading_cases import bag_of_word_vectors

QUESTION = "Which bacteria live in the roots of white clover?"
SAYS = "Swellings on the roots of white clover house bacteria called rhizobia."
SENTENCES = [SAYS, "They live on sugars.", "A ship is steered by its rudder."]


def encoded(texts: list[str], cosines: list[float]) -> list[EncodedWords]:
    """Texts as their words, each of a cosine to the first axis."""
    return [
        replace(of_text, sentence=np.array([cosine, np.sqrt(1 - cosine**2)], np.float32))
        for of_text, cosine in zip(bag_of_word_vectors(texts), cosines, strict=True)
    ]


def likeliest(texts: list[str], cosines: list[float], question: str = QUESTION) -> SentenceAnswer:
    [asking] = encoded([question], [1.0])
    return likeliest_sentence(question, asking, texts, encoded(texts, cosines), texts)


def test_a_sentence_near_the_question_that_says_its_words_is_likely() -> None:
    best = likeliest(SENTENCES, [0.8, 0.3, 0.0])
    assert (best.place, best.measures["nearness"]) == (0, approximately(0.8, 1e-6))
    assert 0.5 < best.measures["said"] < 1, "it does not say that they live there"
    assert best.is_likely
    assert best.probability > 0.6


def test_words_decide_between_sentences_that_are_as_near() -> None:
    assert likeliest(SENTENCES[::-1], [0.5, 0.5, 0.5]).place == 2
    assert likeliest([SAYS, SAYS], [0.5, 0.5]).place == 0


def test_a_sentence_about_something_else_is_not_likely() -> None:
    far = likeliest(SENTENCES[1:], [0.3, 0.1])
    assert not far.is_likely
    assert 0 < far.probability < 0.3


@pytest.mark.parametrize("cosine", [0.0, 0.2, 0.4, 0.9])
def test_the_nearer_the_likelier(cosine: float) -> None:
    assert likeliest([SAYS], [cosine]).probability < likeliest([SAYS], [cosine + 0.05]).probability


def test_a_question_of_function_words_alone_is_no_error() -> None:
    assert likeliest([SAYS], [1.0], "Is it?").measures["said"] == 0.0


def chosen(question: str, *texts: str) -> SentenceAnswer:
    """The answer among sentences of which the first is nearest by far."""
    return likeliest(list(texts), [1.0, *([0.5] * (len(texts) - 1))], question)


@pytest.mark.parametrize(
    ("question", "echo", "answer"),
    [
        ("Who was Ada Renwick?", "## Ada Renwick", "Ada Renwick was an engineer of the railway."),
        ("When did the valley railway open?", "The valley railway opened.", "The railway opened in 1893."),
        ("What is salt glazing?", "Salt glazing", "In salt glazing, salt is thrown into the kiln."),
        ("In which year did the railway open?", "The railway opened.", "In 1893 the railway opened."),
    ],
)
def test_the_questions_own_words_are_no_answer(question: str, echo: str, answer: str) -> None:
    assert chosen(question, echo, answer).place == 1
    alone = chosen(question, echo)
    assert (alone.probability, alone.is_likely) == (0.0, False)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do raku pots hold water?", "Raku pots hold water."),
        ("Which is cheaper, tin or zircon?", "Zircon is cheaper."),
        ("How often do raku pots hold water?", "Raku pots never hold water."),
        ("Where is the kiln?", "The kiln is outside."),
        ("Zircon is cheap.", "Zircon is cheap."),
        ("Is it known when the railway opened?", "It is known when the railway opened."),
    ],
)
def test_words_of_the_question_answer_where_it_asks_for_them_or_more_is_said(
    question: str, answer: str
) -> None:
    assert chosen(question, answer, "Nothing of the kind was found.").place == 0


@pytest.mark.parametrize(
    ("question", "near_miss", "kind"),
    [
        ("How long does a worker bee live in winter?", "A worker bee lives long in summer.", "amount"),
        ("Why is Tuesday the common day?", "Tuesday is the common day of everybody.", "reason"),
        ("Since when has Helen Voss led the baths?", "Helen Voss leads the baths.", "year"),
    ],
)
def test_a_sentence_that_tells_nothing_of_the_kind_that_is_asked_for_is_no_answer(
    question: str, near_miss: str, kind: str
) -> None:
    best = likeliest([near_miss], [0.7], question)
    assert (best.missing, best.is_likely) == (kind, False)


def test_another_number_is_no_answer_where_the_same_one_is() -> None:
    question = "How old are the seals of pump 3?"
    same = likeliest(["The seals of pump 3 are two years old."], [0.7], question)
    other = likeliest(["The seals of pump 2 are two years old."], [0.7], question)
    assert same.is_likely
    assert not other.is_likely


@pytest.mark.parametrize(
    ("question", "affirmed", "denied"),
    [
        (
            "What must a swarm not be sprayed with?",
            "A swarm may be sprayed with water.",
            "A swarm must not be sprayed with smoke.",
        ),
        ("Who isn't the swarm officer?", "The swarm officer is Jonas.", "Mara isn't the swarm officer."),
    ],
)
def test_what_is_so_is_no_answer_to_what_is_not(question: str, affirmed: str, denied: str) -> None:
    assert likeliest([affirmed, denied], [0.9, 0.6], question).place == 1
    assert not likeliest([affirmed], [0.9], question).is_likely


def test_whether_something_is_not_so_may_be_told_by_what_is() -> None:
    assert likeliest(
        ["A swarm is sprayed with water."], [0.9], "Is a swarm not sprayed with water?"
    ).is_likely


FAQ = [
    "## Can I share my plot with a friend?",
    "Yes.",
    "A friend can be registered as a co-worker.",
    "Bins are full.",
]


def test_of_a_page_of_questions_the_answer_is_given_and_not_the_question() -> None:
    question, passages = "May I share my plot with a friend?", ["faq"] * len(FAQ)
    asking, *sentences = encoded([question, *FAQ], [1.0, 0.95, 0.2, 0.4, 0.1])
    best = likeliest_sentence(question, asking, FAQ, sentences, passages)
    assert (best.place, best.measures["nearness"]) == (2, approximately(0.95, 1e-6))
    assert best.is_likely
    assert likeliest(FAQ, [0.95, 0.2, 0.4, 0.1], question).place != 0, "of passages of their own"


def test_where_there_is_nothing_but_questions_none_is_likely() -> None:
    questions = ["Can I share my plot?", "# Sharing"]
    assert likeliest(questions, [0.9, 0.8], "Can I share my plot?").probability == 0
