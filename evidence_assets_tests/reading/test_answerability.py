"""Answerability: evidence that speaks of the question, and evidence that does not."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.reading.answerability import Answerability, Passage, answerability

QUESTION = "Which bacteria live in the roots of white clover?"
SENTENCES = [
    "Swellings on the roots of white clover house bacteria called rhizobia.",
    "They live on sugars.",
    "A ship is steered by its rudder.",
]
VECTOR = np.array([1.0, 0.0], np.float32)
VECTORS = np.array([[0.9, 0.435], [0.4, 0.916], [0.0, 1.0]], np.float32)


def measured(*passages: tuple[int, ...]) -> Answerability:
    units = [Passage(f"chunk {number}", places) for number, places in enumerate(passages)]
    result = answerability(QUESTION, VECTOR, units, SENTENCES, VECTORS)
    assert result is not None
    return result


def test_evidence_that_says_it_makes_a_question_more_answerable() -> None:
    speaks = measured((0, 1), (2,))
    silent = answerability(QUESTION, VECTOR, [Passage("chunk", (0,))], SENTENCES[2:], VECTORS[2:])
    assert silent is not None
    assert speaks.coverage == pytest.approx(1.0)
    assert silent.coverage == 0.0
    assert 0 < silent.probability < 0.1 < 0.5 < speaks.probability < 1


def test_words_are_bound_to_the_passage_that_says_most() -> None:
    accounting = measured((1,), (0,), (2,)).accounting
    assert accounting.unaccounted == ("live",)
    assert {binding.target for binding in accounting.bindings} == {"", "chunk 1"}
    assert measured((0, 1), (2,)).accounting.unaccounted == ()


def test_confidence_goes_to_chance_with_what_the_evidence_says() -> None:
    speaks, silent = measured((0, 1)), Answerability(-1.0, 0.0, measured((0,)).accounting)
    assert speaks.tempered(0.8, 4) == pytest.approx(0.8)
    assert silent.tempered(0.8, 4) == pytest.approx(0.25, abs=0.01)
    assert silent.tempered(0.8, 2) == pytest.approx(0.5, abs=0.01)


def test_without_sentences_there_is_nothing_to_say() -> None:
    assert answerability(QUESTION, VECTOR, [], [], np.empty((0, 2), np.float32)) is None


def test_a_question_of_function_words_alone_is_no_error() -> None:
    result = answerability("Is it?", VECTOR, [Passage("chunk", (0,))], SENTENCES[:1], VECTORS[:1])
    assert result is not None
    assert result.accounting.unaccounted == ()
