"""A language model that was trained to answer: its score worked out by hand, what it reads and cites."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.weighing.trained import Encoded, even_weights
from evidence_assets_tests.testing.counting_likelihoods import Counting

EVEN = np.eye(2, dtype=np.float32)


def asked(evidence: Sequence[Sequence[str]], options: Sequence[str] = ("a cow", "a grey shark")) -> Encoded:
    return Encoded("what eats grass", options, evidence, EVEN[0], EVEN[: len(options)], (0.5, 0.25))


def test_an_option_is_scored_by_a_token_of_it_after_what_all_read() -> None:
    model = Counting()
    reader = TunedLikelihoods(model, 2, even_weights((0.5, 2.0, 3.0)))
    questions = [asked([["the cow grazes"], ["the shark hunts"]])]
    [rows] = reader.rows(questions)
    # A word costs 4 nats, 1 where it was read before: (4 + 1) / 2 and (4 + 4 + 1) / 3.
    expected = np.array([[-2.5, 0.5, 1], [-3, 0.25, 0]])
    assert rows == pytest.approx(expected - expected.mean(axis=0), abs=1e-6)
    assert model.prefixes == [
        "Facts:\n- the cow grazes\n- the shark hunts\n\nQuestion: what eats grass\nAnswer:"
    ]
    [alone], [mixed] = reader.read(questions), reader.read(questions, with_cues=True)
    assert alone.scores.tolist() == rows[:, 0].tolist(), "as in training: its softmax is the probability"
    assert mixed.scores == pytest.approx(rows @ (0.5, 2.0, 3.0), abs=1e-6)
    assert [list(part) for part in alone.parts] == [["reader"]] * 2
    assert list(mixed.parts[0]) == ["reader", "nearest", "plausibility"]


def test_the_texts_of_an_option_that_were_read_are_cited() -> None:
    [reading] = TunedLikelihoods(Counting(), 2, even_weights((1, 0, 0))).read(
        [asked([["one", "two", "three"], ["one"]])]
    )
    assert reading.cited == [[0, 1], [0]]
    # Nine words without any text, so that one of them fits.
    [reading] = TunedLikelihoods(Counting(9 + 1), 2, even_weights((1, 0, 0))).read(
        [asked([["one", "two"], ["one"]])]
    )
    assert reading.cited == [[0], [0]]


def test_without_evidence_the_question_alone_is_read() -> None:
    model = Counting()
    TunedLikelihoods(model, 2, even_weights((1, 0, 0))).rows([asked([[], []])])
    assert model.prefixes == ["Question: what eats grass\nAnswer:"]


def test_what_cannot_be_scored_is_told() -> None:
    with pytest.raises(ValueError, match=r"^an option without a character has no likelihood"):
        TunedLikelihoods(Counting(), 2, even_weights((1, 0, 0))).rows([asked([[], []], ("a cow", " "))])
