"""The sentence that answers an open question, and sentences that say too little of it."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.reading.sentence_answers import SentenceAnswer, likeliest_sentence

QUESTION = "Which bacteria live in the roots of white clover?"
SAYS = "Swellings on the roots of white clover house bacteria called rhizobia."
SENTENCES = [SAYS, "They live on sugars.", "A ship is steered by its rudder."]


def likeliest(texts: list[str], cosines: list[float]) -> SentenceAnswer:
    sines = [float(np.sqrt(1 - cosine**2)) for cosine in cosines]
    vectors = np.array([cosines, sines], np.float32).T
    return likeliest_sentence(QUESTION, np.array([1.0, 0.0], np.float32), texts, vectors)


def test_a_sentence_near_the_question_that_says_its_words_is_likely() -> None:
    best = likeliest(SENTENCES, [0.8, 0.3, 0.0])
    assert (best.place, best.nearness) == (0, pytest.approx(0.8, abs=1e-6))
    assert 0.5 < best.said < 1, "it does not say that they live there"
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
    vectors = np.array([[1.0, 0.0]], np.float32)
    assert likeliest_sentence("Is it?", vectors[0], [SAYS], vectors).said == 0.0
