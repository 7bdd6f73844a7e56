"""The trained reader's reading: scores, what moved them, and their mixture with cheap cues."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.weighing.trained import (
    FAR,
    NEAR,
    Encoded,
    TrainedReader,
    cue_rows,
    even_weights,
    evidence_text,
    fitted_mixture,
)
from evidence_assets.text.words import words

EVEN = np.eye(3, 2, dtype=np.float32)


class WordScorer:
    """Scores a pair by the words that text and query share, less a half a word of the text."""

    measure, scorer_id, cut = "words", "words@1", 0

    def __init__(self) -> None:
        self.pairs: list[tuple[str, str]] = []

    def score(self, queries: Sequence[str], texts: Sequence[str]) -> FloatArray:
        self.pairs += zip(queries, texts, strict=True)
        return np.array(
            [
                len(set(words(query)) & set(words(text))) - 0.5 * len(words(text))
                for query, text in zip(queries, texts, strict=True)
            ],
            dtype=np.float32,
        )


def encoded(evidence: Sequence[Sequence[str]], nearest: Sequence[float] = (0.5, 0.5)) -> Encoded:
    return Encoded("what eats grass", ["a cow", "a shark"], evidence, EVEN[0], EVEN[:2], nearest)


def test_texts_are_read_one_after_the_other() -> None:
    assert evidence_text(["cows eat grass .", "grass grows"]) == "cows eat grass. grass grows."
    assert evidence_text([]) == ""


def test_a_score_is_the_pairs_and_what_moved_it_is_measured_by_leaving_texts_out() -> None:
    scorer = WordScorer()
    evidence = [["a cow eats grass", "rocks are old", "never read"], ["a shark"]]
    [reading] = TrainedReader(scorer, 2, even_weights((1.0, 0.0, 0.0))).read([encoded(evidence)])
    assert reading.scores.tolist() == [4 - 3.5, 2 - 1.0]
    cow, shark = reading.parts
    assert cow == {"with_evidence": 0.5, "without_evidence": 0.0, "moved_1": 2.0, "moved_2": -1.5}
    assert shark == {"with_evidence": 1.0, "without_evidence": 0.0, "moved_1": 1.0}
    assert reading.cited == [[0], [0]], "what lowered the score does not speak for the option"
    assert reading.probabilities.sum() == pytest.approx(1)
    assert not any("never" in text for _, text in scorer.pairs)


def test_what_raised_a_score_most_is_cited_first() -> None:
    evidence = [["a cow", "what eats grass"], []]
    [reading] = TrainedReader(WordScorer(), 2, even_weights((1.0, 0.0, 0.0))).read([encoded(evidence)])
    assert reading.cited == [[1, 0], []]
    assert reading.parts[1] == {"with_evidence": 0.0, "without_evidence": 0.0}


def test_with_cues_the_scores_are_the_mixtures_and_the_parts_tell_them() -> None:
    evidence = [["a cow eats grass"], ["a shark"]]
    reader = TrainedReader(WordScorer(), 2, even_weights((2.0, 10.0, 1.0)))
    questions = [encoded(evidence, (0.2, 0.9))]
    [plain] = reader.read(questions)
    [mixed] = reader.read(questions, with_cues=True)
    rows = cue_rows(plain.scores[:, None], questions[0])
    assert reader.rows(questions)[0].tolist() == rows.tolist()
    assert mixed.scores == pytest.approx(rows @ [2.0, 10.0, 1.0])
    assert mixed.cited == plain.cited
    assert [mixed.parts[1][cue] for cue in reader.cues()] == pytest.approx(rows[1].tolist())
    assert mixed.parts[0]["with_evidence"] == plain.parts[0]["with_evidence"]


def test_cues_are_centred_and_an_option_without_evidence_has_the_mean_of_the_others() -> None:
    def rows(own: Sequence[float], nearest: Sequence[float]) -> list[list[float]]:
        options = [str(place) for place in range(len(own))]
        question = Encoded("q", options, [[]] * len(own), EVEN[0], EVEN[: len(own)], nearest)
        result: list[list[float]] = cue_rows(np.array(own)[:, None], question).T.tolist()
        return result

    centred = rows([1.0, 2.0, 6.0], [0.2, float("nan"), 0.6])
    assert [sum(cue) for cue in centred] == pytest.approx([0, 0, 0], abs=1e-5)
    assert centred[1] == pytest.approx([-0.2, 0.0, 0.2])
    assert rows([0.0, 0.0], [float("nan")] * 2)[1] == [0, 0]


def test_a_cross_encoder_alone_decides_by_its_score_whatever_the_mixture_makes_of_it() -> None:
    reader = TrainedReader(WordScorer(), 2, even_weights((0.0, 2.0, 1.0)))
    assert reader.cues() == ("reader", "nearest", "plausibility")
    for weights, expected in (
        (reader.own_weights, [1, 0, 0]),
        (reader.weights, [0, 2, 1]),
        (reader.cheap_weights, [0, 2, 1]),
    ):
        assert weights.near.tolist() == weights.far.tolist() == expected


def test_a_mixture_leans_on_the_cue_that_is_right_and_on_none_that_misleads() -> None:
    rng = np.random.default_rng(3)
    rows, right = [], []
    for _ in range(300):
        row = rng.normal(size=(4, 3))
        rows.append(row - row.mean(axis=0))
        right.append(int((3 * row[:, 1] - 2 * row[:, 2] + rng.gumbel(size=4)).argmax()))
    mixture = fitted_mixture(rows, [1.0] * 300, right)
    reader, nearest, plausibility = mixture.near
    assert nearest > 1 and abs(reader) < 0.3 and plausibility == 0.0
    assert mixture.far.tolist() == [0, 0, 0], "nothing was seen of evidence that is far"


def test_what_a_cue_is_worth_where_evidence_is_far_is_fitted_apart() -> None:
    rng = np.random.default_rng(7)
    rows, right, nearness = [], [], []
    for number in range(600):
        row = rng.normal(size=(4, 2))
        near = number % 2
        rows.append(row - row.mean(axis=0))
        right.append(int((2 * row[:, 1 - near] + rng.gumbel(size=4)).argmax()))
        nearness.append((FAR, NEAR)[near])
    mixture = fitted_mixture(rows, nearness, right)
    assert mixture.near == pytest.approx([2, 0], abs=0.35)
    assert mixture.far == pytest.approx([0, 2], abs=0.35)
    assert mixture.at((FAR + NEAR) / 2) == pytest.approx([1, 1], abs=0.35)


def test_a_mixture_does_not_depend_on_the_units_of_its_cues() -> None:
    rng = np.random.default_rng(5)
    rows = [row - row.mean(axis=0) for row in rng.normal(size=(200, 3, 2))]
    right = [int((row.sum(axis=1) + rng.gumbel(size=3)).argmax()) for row in rows]
    nearness = [0.6] * len(rows)
    plain = fitted_mixture(rows, nearness, right)
    scaled = fitted_mixture([row * [1.0, 1_000.0] for row in rows], nearness, right)
    for before, after in ((plain.near, scaled.near), (plain.far, scaled.far)):
        assert after == pytest.approx((before[0], before[1] / 1_000), rel=1e-2, abs=1e-4)


def test_evidence_is_as_near_as_its_nearest_text() -> None:
    assert encoded([["a"], ["b"]], (0.3, 0.7)).nearness == 0.7
    assert encoded([["a"], []], (0.3, float("nan"))).nearness == 0.3
    assert encoded([[], []], (float("nan"),) * 2).nearness == 0
