"""A language model as a reader: its cues worked out by hand, what it reads, and what it cites."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.reading.likelihoods.likelihood import MOST_TEXTS
from evidence_assets.reading.likelihoods.shared_texts import shared_texts
from evidence_assets.reading.likelihoods.weighed_likelihoods import WeighedLikelihoods
from evidence_assets.reading.weighing.trained import Encoded, even_weights
from evidence_assets_tests.testing.counting_likelihoods import Counting

EVEN = np.eye(4, 2, dtype=np.float32)
WEIGHTS = (0.5, 1.0, 0.0, 0.25, 2.0, 3.0)


def asked(
    evidence: Sequence[Sequence[str]],
    nearest: Sequence[float] = (0.5, 0.25),
    options: Sequence[str] = ("a cow", "a grey shark"),
) -> Encoded:
    return Encoded("what eats grass", options, evidence, EVEN[0], EVEN[: len(options)], nearest)


def test_an_option_is_measured_after_the_question_and_after_its_evidence() -> None:
    model = Counting()
    reader = WeighedLikelihoods(model, 2, even_weights(WEIGHTS))
    [rows] = reader.rows([asked([["the cow grazes"], ["the shark hunts"]])])
    # A word costs 4 nats, 1 where it was read before: "cow" and "shark" are in the texts, which all read.
    expected = np.array([[-4, -2.5, 0, 3, 0.5, 1], [-4, -3, 0, 3, 0.25, 0]])
    assert rows == pytest.approx(expected - expected.mean(axis=0), abs=1e-6)
    assert model.prefixes == [
        "Answer:",
        "Question: what eats grass\nAnswer:",
        "Facts:\n- the cow grazes\n- the shark hunts\n\nQuestion: what eats grass\nAnswer:",
    ]


def test_the_reader_alone_and_with_the_cheap_cues_are_weighed_apart() -> None:
    reader = WeighedLikelihoods(Counting(), 2, even_weights(WEIGHTS))
    questions = [asked([["the cow grazes", "rocks are old"], ["the shark hunts"]])]
    [rows] = reader.rows(questions)
    [alone], [mixed] = reader.read(questions), reader.read(questions, with_cues=True)
    assert alone.scores == pytest.approx(rows[:, :4] @ WEIGHTS[:4], abs=1e-6)
    assert mixed.scores == pytest.approx(rows @ WEIGHTS, abs=1e-6)
    assert mixed.cited == [[0, 1], [0]]
    assert list(alone.parts[0]) == list(mixed.parts[0])[:4]
    assert list(mixed.parts[0]) == [
        "likelihood",
        "likelihood_given",
        "information",
        "information_given",
        "nearest",
        "plausibility",
    ]


def test_every_options_nearest_text_comes_before_any_second_and_each_text_once() -> None:
    evidence = [["one", "two", "never"], ["three", "one"], []]
    assert shared_texts(asked(evidence, (0.2, 0.9, float("nan")), "abc"), 2) == ["three", "one", "two"]


def test_so_many_texts_are_read_and_no_more_than_fit() -> None:
    evidence = [[f"first {place}", f"second {place}"] for place in range(4)]
    question = asked(evidence, (0.4, 0.3, 0.2, 0.1), ["a", "b", "c", "d"])
    model = Counting()
    [reading] = WeighedLikelihoods(model, 2, even_weights(WEIGHTS)).read([question])
    assert model.prefixes[2].count("\n- ") == MOST_TEXTS
    assert reading.cited == [[0, 1], [0], [0], [0]]
    # Eight words without any text; each text has two.
    small = Counting(context_tokens=11)
    [reading] = WeighedLikelihoods(small, 2, even_weights(WEIGHTS)).read([question])
    assert small.prefixes[2].count("\n- ") == 2 and reading.cited == [[0], [0], [], []]


def test_without_evidence_the_question_alone_is_read() -> None:
    model = Counting()
    [rows] = WeighedLikelihoods(model, 2, even_weights(WEIGHTS)).rows([asked([[], []], (float("nan"),) * 2)])
    assert len(model.prefixes) == 2
    assert rows[:, 0].tolist() == rows[:, 1].tolist() and rows[:, 4].tolist() == [0, 0]


def test_what_cannot_be_scored_is_told() -> None:
    reader = WeighedLikelihoods(Counting(), 2, even_weights(WEIGHTS))
    with pytest.raises(ValueError, match=r"^an option without a character has no likelihood"):
        reader.rows([asked([[], []], options=("a cow", " "))])


def test_own_cues_that_a_mixture_holds_for_worthless_count_alike() -> None:
    reader = WeighedLikelihoods(Counting(), 2, even_weights((0.0, 0.0, 0.0, 0.0, 2.0, 3.0)))
    assert reader.own_weights.near.tolist() == [1, 1, 1, 1, 0, 0]
