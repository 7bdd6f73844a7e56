"""A paraphrase's score and its parts, by hand; which prompts are kept, and what each counts for."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from evidence_assets.extraction.probing import HEAD, TAIL, Filling, Probe, Shape, filled
from evidence_assets.extraction.prompt_scores import (
    MOST_CERTAIN,
    MOST_PROMPTS,
    PromptScore,
    bert_score,
    best_prompts,
    bleu,
    certainties,
    score_prompts,
)
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets_tests.testing.masked_lm_samples import HashedEncoder, HashedModel, tiny_bert
from evidence_assets_tests.testing.profiles import examples

KNOWN = ["egg", "white", "part", "of", "is", "the", "leaf", "tree", "holds", "element", "an"]
INITIAL = f"{HEAD} is part of {TAIL}"
OTHERS = [INITIAL, f"{HEAD} is an element of the {TAIL}", f"the {TAIL} holds {HEAD}"]
PAIRS = [("egg white", "egg"), ("leaf", "tree")]
TEXTS = st.lists(st.sampled_from(KNOWN), min_size=1, max_size=9).map(" ".join)
SCORES = st.builds(
    PromptScore,
    prompt=st.text("abc", min_size=1, max_size=3),
    similarity=st.floats(0, 1),
    overlap=st.floats(0, 1),
    certainty=st.floats(0, MOST_CERTAIN),
)


def encoded(*vectors: tuple[float, ...]) -> EncodedWords:
    doubles: NDArray[Any] = np.array(vectors)  # so that sums by hand are exact
    return EncodedWords([f"w{number}" for number in range(len(vectors))], doubles, np.zeros(2, np.float32))


def test_bert_score_by_hand() -> None:
    reference = encoded((1, 0), (0, 2))
    # Cosines: 1 and 0; .6 and .8; 0 and 1.
    candidate = encoded((5, 0), (0.6, 0.8), (0, 1))
    precision, recall = (1 + 0.8 + 1) / 3, (1 + 1) / 2
    assert bert_score(reference, candidate) == pytest.approx(2 * precision * recall / (precision + recall))
    # One word of two is met: all that is said is right, half of what was to be said is said.
    assert bert_score(reference, encoded((3, 0))) == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert bert_score(reference, reference) == pytest.approx(1)


def test_bert_score_of_texts_that_share_nothing_is_nothing() -> None:
    nothing = EncodedWords([], np.empty((0, 2), np.float32), np.zeros(2, np.float32))
    assert bert_score(encoded((1, 0)), encoded((0, 1))) == 0
    assert bert_score(nothing, encoded((0, 1))) == bert_score(encoded((0, 1)), nothing) == 0
    assert bert_score(encoded((1, 0)), encoded((-1, 0))) == 0
    # Precision -.6, recall .6 + : their harmonic mean would be beyond any bound.
    assert bert_score(encoded((1, 0), (-0.62, 0.78)), encoded((-0.6, -0.8), (-0.61, -0.79))) == 0


@examples(100)
@given(
    arrays.arrays(np.float64, (4, 3), elements=st.integers(-3, 3)),
    arrays.arrays(np.float64, (3, 3), elements=st.integers(-3, 3)),
)
def test_bert_score_is_bounded_and_symmetric(first_vectors: np.ndarray, second_vectors: np.ndarray) -> None:
    first, second = encoded(*map(tuple, first_vectors)), encoded(*map(tuple, second_vectors))
    score = bert_score(first, second)
    assert 0 <= score <= 1 + 1e-6
    assert bert_score(second, first) == pytest.approx(score)


@given(TEXTS, TEXTS)
def test_bleu_is_between_nothing_and_one(reference: str, candidate: str) -> None:
    assert 0 <= bleu(reference, candidate) <= 1 + 1e-9


@given(TEXTS)
def test_a_text_overlaps_wholly_with_itself(text: str) -> None:
    assert bleu(text, text) == pytest.approx(1)


def test_bleu_falls_with_what_two_texts_share() -> None:
    text = "egg white is part of egg."
    overlaps = [
        bleu(text, candidate)
        for candidate in (text, "egg white is part of the egg.", "egg is white.", "leaf")
    ]
    assert overlaps == sorted(overlaps, reverse=True)
    assert overlaps[1] < 0.9
    assert overlaps[3] == 0


@pytest.mark.parametrize("kind", ["hashed", "bert"])
def test_certainty_is_one_over_the_mean_entropy_of_the_places(kind: str, tmp_path: Path) -> None:
    model: MaskedLanguageModel = HashedModel(KNOWN) if kind == "hashed" else tiny_bert(tmp_path, KNOWN)
    sentences = [filled(prompt, *pair) for prompt in OTHERS for pair in PAIRS]
    expected = []
    for sentence in sentences:
        row = model.tokens(sentence)
        entropies = []
        for place in range(1, len(row) - 1):
            masked = [model.mask_id if spot == place else token for spot, token in enumerate(row)]
            entropies.append(float(model.entropies([masked], [place])[0]))
        expected.append(len(entropies) / sum(entropies))
    np.testing.assert_allclose(certainties(model, sentences), expected, rtol=1e-4)


class Sure(HashedModel):
    """All but certain of one token, whatever it is asked."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        logits = np.zeros(len(self.vocabulary))
        logits[5] = 60.0
        return logits


def test_certainty_has_a_bound() -> None:
    assert certainties(Sure(KNOWN), ["egg is part of egg.", "leaf."]) == [MOST_CERTAIN, MOST_CERTAIN]


def test_a_prompts_score_is_the_mean_over_the_seeds() -> None:
    model, encoder = HashedModel(KNOWN), HashedEncoder()
    scores = score_prompts(model, encoder, INITIAL, OTHERS, PAIRS)
    assert [score.prompt for score in scores] == OTHERS
    for prompt, score in zip(OTHERS, scores, strict=True):
        texts = [(filled(INITIAL, *pair), filled(prompt, *pair)) for pair in PAIRS]
        similar = [bert_score(*encoder.encode_words(both)) for both in texts]
        assert score.similarity == pytest.approx(np.mean(similar))
        assert score.overlap == pytest.approx(np.mean([bleu(*both) for both in texts]))
        assert score.certainty == pytest.approx(np.mean(certainties(model, [text for _, text in texts])))
    assert (scores[0].similarity, scores[0].overlap) == pytest.approx((1, 1))
    assert max(scores[1].overlap, scores[2].overlap) < 0.9


@given(SCORES)
def test_the_score_is_equation_5_4(score: PromptScore) -> None:
    ratio = (1 + 0.01) / (score.overlap + 0.01)
    expected = score.similarity + 1 / (1 + math.exp(-ratio)) + score.certainty
    assert score.score == pytest.approx(expected)
    # Other words for the same are better than the same words.
    repeated = PromptScore(score.prompt, score.similarity, 1.0, score.certainty)
    assert score.score >= repeated.score - 1e-12


@given(
    scores=st.lists(SCORES, min_size=1, max_size=40, unique_by=lambda score: score.prompt),
    most=st.sampled_from([1, 3, MOST_PROMPTS]),
)
def test_the_best_prompts_share_a_weight_of_one(scores: list[PromptScore], most: int) -> None:
    initial, *others = scores
    weighted = best_prompts(initial, others, most)
    assert len(weighted) == min(most, len(scores))
    selected = [score for score, _ in weighted]
    assert selected == sorted(selected, key=lambda score: (-score.score, score.prompt))
    assert initial in selected, "whatever its score"
    best = sorted(others, key=lambda score: (-score.score, score.prompt))[: most - 1]
    assert [score for score in selected if score is not initial] == best
    assert sum(weight for _, weight in weighted) == pytest.approx(1)
    for score, weight in weighted:
        assert weight > 0
        assert weight * selected[0].score == pytest.approx(weighted[0][1] * score.score)


def test_at_most_twenty_are_kept() -> None:
    scores = [PromptScore(f"prompt {number:02}", 0.5, 0.5, 0.5) for number in range(30)]
    assert MOST_PROMPTS == 20
    assert [score.prompt for score, _ in best_prompts(scores[0], scores[:0:-1])] == [
        f"prompt {place:02}" for place in range(20)
    ]


def test_the_weights_change_what_is_found_likely() -> None:
    """They once were worked out and then not used."""
    model = HashedModel(KNOWN)
    initial, *others = score_prompts(model, HashedEncoder(), INITIAL, [INITIAL, *OTHERS], PAIRS)
    weighted = best_prompts(initial, others)
    prompts, weights = [score.prompt for score, _ in weighted], [weight for _, weight in weighted]
    filling = Filling(Shape(1, 1), True)
    probe = Probe(model, prompts, weights)
    np.testing.assert_allclose(probe.weights, weights, rtol=1e-5)
    alone = np.array([probe.continuations_of(prompt, filling, [()])[0] for prompt in prompts])
    np.testing.assert_allclose(probe.continuations(filling, [()])[0], weights @ alone, atol=1e-5)
    reweighted = Probe(model, prompts, weights[::-1]).continuations(filling, [()])[0]
    assert np.abs(reweighted - probe.continuations(filling, [()])[0]).max() > 0.01
