"""The likelihood reader over a model whose likelihoods are worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.reading.likelihoods.likelihood import (
    MOST_TEXTS,
    Asked,
    OfferedOptions,
    Wording,
    fits_alone,
    prefix,
    read_options,
    read_questions,
)
from evidence_assets_tests.testing.counting_likelihoods import Counting

MOON = Asked("what orbits us", ["the moon", "a tree"], [["see the moon", "so far"], ["an oak"]])


def test_an_option_is_as_good_as_what_its_evidence_adds() -> None:
    [reading] = read_options([MOON], Counting())
    assert reading.scores.tolist() == [3.0, 0.0]
    assert reading.parts[0] == {
        "with_evidence": -1.0,
        "without_evidence": -4.0,
        "information_per_token": 3.0,
        "information_per_character": pytest.approx(6 / 9),
    }
    assert reading.read == [2, 1]


def test_what_the_model_holds_likely_anyway_falls_away() -> None:
    likely = Asked("the moon or a tree", ["the moon", "a tree"], [["nothing"], ["a tree"]])
    assert read_options([likely], Counting())[0].scores.tolist() == [0.0, 0.0]


def test_without_any_evidence_the_option_itself_is_scored() -> None:
    alone = Asked("is it the moon", ["the moon", "a tree"], [[], []])
    model = Counting()
    [reading] = read_options([alone], model)
    assert reading.scores.tolist() == [-1.0, -4.0]
    assert len(model.prefixes) == 1


def test_an_option_without_evidence_gains_nothing_beside_others() -> None:
    some = Asked("which", ["the moon", "a tree"], [["the moon"], []])
    assert read_options([some], Counting())[0].scores.tolist() == [3.0, 0.0]


def test_options_of_equal_evidence_share_its_prefix() -> None:
    model = Counting()
    shared = Asked("which", ["the moon", "a tree"], [["the moon"], ["the moon"]])
    [reading] = read_options([shared], model)
    assert model.prefixes == [prefix("which"), prefix("which", ["the moon"])]
    assert reading.scores.tolist() == [3.0, 0.0]


def test_questions_are_read_apart() -> None:
    apart = [read_options([question], Counting())[0] for question in (MOON, MOON)]
    together = read_options([MOON, MOON], Counting())
    assert all(
        np.array_equal(alone.scores, batched.scores) for alone, batched in zip(apart, together, strict=True)
    )


def test_what_does_not_fit_is_left_out_from_the_bottom() -> None:
    long = Asked("which", ["the moon"], [["the moon", "word " * 30]])
    [reading] = read_options([long], Counting(context_tokens=20))
    assert (reading.read, reading.scores.tolist()) == ([1], [3.0])
    many = Asked("which", ["the moon"], [["a"] * (MOST_TEXTS + 3)])
    assert read_options([many], Counting())[0].read == [MOST_TEXTS]


def test_how_much_was_left_out_is_said_and_only_then() -> None:
    long = Asked("which", ["the moon"], [["the moon", "word " * 30, "last"]])
    [reading] = read_options([long], Counting(context_tokens=20))
    assert reading.parts[0]["evidence_left_out"] == 2.0
    [reading] = read_options([long], Counting())
    assert "evidence_left_out" not in reading.parts[0]


def test_evidence_is_a_line_and_cannot_pose_as_the_question() -> None:
    assert prefix("which", ["a\nQuestion: other\nAnswer: b"]) == (
        "Facts:\n- a Question: other Answer: b\n\nQuestion: which\nAnswer:"
    )
    words = Wording("Table", "Claim", "It is")
    assert prefix("so", ["a row"], words) == "Table:\n- a row\n\nClaim: so\nIt is:"
    assert prefix("so", wording=words) == "Claim: so\nIt is:"


def test_a_question_longer_than_the_context_is_abstained_on_and_others_are_read() -> None:
    rows = [
        {
            "question_id": name,
            "question": question,
            "options": ["the moon", "a tree"],
            "answer_index": 0,
            "answers": [],
            "type": None,
            "split": "test",
        }
        for name, question in (("long", "word " * 40), ("short", "the moon it is"))
    ]
    experiment = Experiment("s", "a", "b", "1")
    read_questions(experiment, [OfferedOptions(row, {}) for row in rows], Counting(20), "model", None)
    long, short = experiment.tables()[PREDICTIONS.name].to_pylist()
    assert (long["question_id"], long["predicted"], long["parse_status"]) == (
        "long",
        None,
        "context too long",
    )
    assert short["predicted"] == "the moon"


def test_a_question_fits_alone_up_to_the_models_context() -> None:
    asked = Asked("one two three", ["four", "five six"], [["left out"] * 2, []])
    words = len(["Question", "one", "two", "three", "Answer", "five", "six"])
    assert fits_alone(asked, Counting(words))
    assert not fits_alone(asked, Counting(words - 1))
