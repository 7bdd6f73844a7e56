"""Accuracies of a reader whose figures are worked out by hand: with its evidence, and blindfolded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weighing.trained import FAR, NEAR, even_weights
from evidence_assets.training.evaluating import (
    CUES_ALONE,
    OPTION_ONLY,
    SHUFFLED,
    WITH_CUES,
    WITH_EVIDENCE,
    WITHOUT_EVIDENCE,
    blindfolded_accuracies,
    reading_accuracies,
)
from evidence_assets.training.examples import withheld_of_some
from evidence_assets.training.making import weighed_language_model
from evidence_assets.training.questions import ReadQuestion, with_evidence_of_others
from evidence_assets_tests.testing.counting_likelihoods import Counting


def asked(name: str, question: str, right: int, *texts: str) -> ReadQuestion:
    return ReadQuestion("set", name, question, ("cow", "shark"), right, tuple((text,) for text in texts))


# The model holds likely what it has read: after its evidence the first is answered rightly, the second not.
QUESTIONS = [
    asked("a", "what eats grass", 0, "the cow grazes", "rocks are old"),
    asked("b", "what swims", 1, "the cow swims too", "water is wet"),
]


def encode(texts: Sequence[str]) -> FloatArray:
    """Whatever names a shark is of one direction, and all else of the other."""
    return np.array([(0, 1) if "shark" in text else (1, 0) for text in texts], dtype=np.float32)


def test_a_reader_alone_mixed_and_left_out_is_scored_by_its_evidence() -> None:
    reader = TunedLikelihoods(Counting(), 1, even_weights((1.0, 0.0, 9.0)))
    accuracies = reading_accuracies(QUESTIONS, reader, encode)
    assert accuracies[WITH_EVIDENCE].tolist() == [1, 0]
    # The cosine of question and option, which speaks for the cow, outweighs 3 nats.
    assert accuracies[WITH_CUES].tolist() == accuracies[CUES_ALONE].tolist() == [1, 0]


def test_weights_are_those_of_how_near_the_evidence_comes() -> None:
    """Cosines are 1 here, so that evidence is near: what would decide afar does not count."""
    near, far = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 9.0])
    shark = [replace(QUESTIONS[1], evidence=(("a shark swims",), ("sharks swim",)))]
    near_first = TunedLikelihoods(Counting(), 1, Weights(near, far, FAR, NEAR))
    far_first = TunedLikelihoods(Counting(), 1, Weights(far, near, FAR, NEAR))
    assert reading_accuracies(shark, near_first, encode)[WITH_CUES].tolist() == [1]
    assert reading_accuracies(shark, far_first, encode)[WITH_CUES].tolist() == [0]


def test_without_its_evidence_or_with_anothers_it_guesses_or_is_misled() -> None:
    reader = TunedLikelihoods(Counting(), 1, even_weights((1.0, 0.0, 0.0)))
    accuracies = blindfolded_accuracies(QUESTIONS, reader, encode)
    assert accuracies[WITHOUT_EVIDENCE].tolist() == accuracies[OPTION_ONLY].tolist() == [0.5, 0.5]
    assert accuracies[SHUFFLED].tolist() == [1, 0]


def test_each_question_gets_the_evidence_of_the_next_with_as_many_options() -> None:
    third = replace(QUESTIONS[0], question_id="c", options=("a", "b", "c"), evidence=(("x",), ("y",), ("z",)))
    shuffled = with_evidence_of_others([QUESTIONS[0], third, QUESTIONS[1]])
    assert [question.question_id for question in shuffled] == ["a", "c", "b"]
    assert [question.evidence for question in shuffled] == [
        QUESTIONS[1].evidence,
        third.evidence,
        QUESTIONS[0].evidence,
    ]


def test_a_fifth_of_the_questions_is_read_without_evidence_whatever_their_order() -> None:
    many = [replace(QUESTIONS[0], question_id=str(number)) for number in range(500)]
    withheld = {question.question_id for question in withheld_of_some(many) if not any(question.evidence)}
    assert 70 < len(withheld) < 130
    again = withheld_of_some(list(reversed(many)))
    assert withheld == {question.question_id for question in again if not any(question.evidence)}
    assert all(question.evidence in {((), ()), QUESTIONS[0].evidence} for question in again)


def test_a_language_models_mixture_leans_on_what_was_right() -> None:
    rng = np.random.default_rng(1)
    questions = []
    for number in range(60):
        right = int(rng.integers(2))
        texts = ("it is a cow", "it is a shark")[right]
        questions.append(asked(str(number), "what is it", right, texts, texts))
    made = weighed_language_model(Counting(), 1, {"first": questions[:40]}, questions[40:], encode)
    weights = dict(zip(made.reader.cues(), made.reader.weights.near, strict=True))
    assert weights["likelihood_given"] > 0.1 and weights["likelihood"] == 0.0
    assert dict(made.trained_on) == {"first": 40} and made.model_id == "counting"
    assert reading_accuracies(questions, made.reader, encode)[WITH_CUES].mean() == 1.0
