"""What the fit of sentence answers learns from: altered questions, and the weights of made ones."""

from __future__ import annotations

import numpy as np

from benchmarks.text.fit_sentence_answers import AS_IT_IS, NAMES, Exchanges, Measured, fitted

TEXTS = [
    "In summer and winter it is open. In summer or winter it is cold.",
    "Panthers and Broncos played. Summer and winter and spring.",
]
QUESTIONS = [
    "How many points did the Panthers score in 2015?",
    "When did the Broncos play?",
    "How warm is it in summer?",
]


def exchanged(question: str, gold: str = "") -> dict[str, str]:
    return dict(Exchanges(QUESTIONS, TEXTS).of(question, gold))


def test_a_number_and_a_name_are_exchanged_for_others() -> None:
    altered = exchanged(QUESTIONS[0])
    assert altered.keys() == {"number", "name"}
    assert altered["number"].startswith("How many points did the Panthers score in 20")
    assert altered["number"] != QUESTIONS[0]
    assert altered["name"] == "How many points did the Broncos score in 2015?"


def test_a_word_is_exchanged_for_one_that_texts_join_it_with_and_the_gold_text_lacks() -> None:
    assert exchanged(QUESTIONS[2])["word"] == "How warm is it in winter?"
    assert "word" not in exchanged(QUESTIONS[2], "It is cold in winter.")


def test_what_asks_for_a_time_asks_for_a_place_or_a_reason() -> None:
    assert exchanged(QUESTIONS[1])["asking word"] in (
        "Where did the Broncos play?",
        "Why did the Broncos play?",
    )
    assert "asking word" not in exchanged("When it rains, who plays?")


def test_what_the_gold_text_says_is_not_put_into_the_question() -> None:
    assert "name" not in exchanged(QUESTIONS[0], "Panthers and Broncos")


def variant(kind: str, rows: list[tuple[float, float, bool]], choosable: bool = True) -> Measured:
    """A question whose sentences are near, lack a reason, and are right, as told."""
    measures = np.zeros((len(rows), len(NAMES)))
    measures[:, NAMES.index("nearness")] = [near for near, _, _ in rows]
    measures[:, NAMES.index("missing reason")] = [missing for _, missing, _ in rows]
    return Measured(
        kind, measures, np.array([right for _, _, right in rows]), np.array([choosable] * len(rows))
    )


def test_what_is_missing_lowers_and_what_is_near_raises_where_it_is_right() -> None:
    kept = [variant(AS_IT_IS, [(0.8 + place / 20, 0.0, True), (0.95, 1.0, False)]) for place in range(9)]
    altered = [variant("out", [(0.3 + place / 100, 0.0, False), (0.9, 1.0, False)]) for place in range(9)]
    weights = fitted([*kept, *altered], kept, kept)
    assert weights["nearness"] > 1
    assert weights["missing reason"] < -1
    assert weights["said"] == weights["numbers lacking"] == 0.0
    again = fitted([*kept, *altered], kept, kept)
    assert again == weights
