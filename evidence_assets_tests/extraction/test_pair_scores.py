"""A pair's scores: transport against POT, perplexity and fluency against their formulas written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import ot
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from evidence_assets.extraction.arms import COSINE, EUCLIDEAN
from evidence_assets.extraction.pair_scores import (
    final_scores,
    fluencies,
    perplexities,
    statistics_of,
    transport_distances,
)
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.text.words import words
from evidence_assets_tests.testing.masked_lm_samples import HashedEncoder, HashedModel, tiny_bert
from evidence_assets_tests.testing.profiles import examples

KNOWN = ["egg", "white", "part", "of", "is", "the", "leaf", "tree", "and"]
SEEDS = ["egg white is part of egg.", "leaf is part of the tree."]
SENTENCES = ["leaf is part of tree.", "egg is part of the egg and the leaf.", "tree is part of egg white."]


@pytest.fixture(params=["hashed", "bert"])
def model(request: pytest.FixtureRequest, tmp_path: Path) -> MaskedLanguageModel:
    return HashedModel(KNOWN) if request.param == "hashed" else tiny_bert(tmp_path, KNOWN)


def idf(word: str, corpus: Sequence[str], printed: bool = False) -> float:
    """Lucene's, never negative, or eq. 5.16."""
    holding = sum(word in words(text) for text in corpus)
    odds = (len(corpus) - holding + 0.5) / (holding + 0.5)
    return math.log(odds if printed else 1 + odds)


def bm25(text: Sequence[str], corpus: Sequence[str], printed: bool = False) -> NDArray[np.float64]:
    """Eq. 5.14 and 5.15 in the word's own sentence; what weighs less than nothing weighs nothing."""
    average = float(np.mean([len(words(text)) for text in corpus]))
    count = Counter(text)
    weights = [
        max(0.0, idf(word, corpus, printed))
        * count[word]
        * 2.2
        / (count[word] + 1.2 * (1 - 0.75 + 0.75 * len(text) / average))
        for word in text
    ]
    if not any(weights):
        weights = [1.0] * len(weights)
    shares: NDArray[np.float64] = np.array(weights) / np.sum(weights)
    return shares


def by_pot(
    text: EncodedWords, seed: EncodedWords, corpus: Sequence[str], cost: str, printed: bool = False
) -> float:
    metrics: dict[str, Literal["cosine", "euclidean"]] = {COSINE: "cosine", EUCLIDEAN: "euclidean"}
    costs = cdist(text.vectors.astype(np.float64), seed.vectors.astype(np.float64), metrics[cost])
    distance: float = ot.emd2(bm25(text.words, corpus, printed), bm25(seed.words, corpus, printed), costs)
    return distance


@pytest.mark.parametrize("printed", [False, True], ids=["lucene", "printed"])
@pytest.mark.parametrize("cost", [COSINE, EUCLIDEAN])
@examples(25)
@given(
    texts=st.lists(st.lists(st.sampled_from(KNOWN), min_size=1, max_size=8), min_size=1, max_size=4),
    seeds=st.lists(st.lists(st.sampled_from(KNOWN), min_size=1, max_size=6), min_size=1, max_size=3),
)
def test_distances_are_those_of_optimal_transport(
    cost: str, printed: bool, texts: list[list[str]], seeds: list[list[str]]
) -> None:
    sentences, sources = ([" ".join(text) for text in many] for many in (texts, seeds))
    encoder = HashedEncoder()
    sentence_words, seed_words = encoder.encode_words(sentences), encoder.encode_words(sources)
    distances = transport_distances(sentence_words, seed_words, statistics_of(sentences), cost, printed)
    assert distances.shape == (len(texts), len(seeds))
    expected = [
        [by_pot(text, seed, sentences, cost, printed) for seed in seed_words] for text in sentence_words
    ]
    np.testing.assert_allclose(distances, expected, atol=1e-6)


@pytest.mark.parametrize("cost", [COSINE, EUCLIDEAN])
def test_a_sentence_is_at_no_distance_from_itself_alone(cost: str) -> None:
    encoded = HashedEncoder().encode_words(SENTENCES)
    distances = transport_distances(encoded, encoded, statistics_of(SENTENCES), cost)
    np.testing.assert_allclose(np.diag(distances), 0, atol=1e-6)
    assert distances[~np.eye(3, dtype=bool)].min() > 0.01


def test_the_costs_differ_in_what_they_make_of_a_vectors_length() -> None:
    short = HashedEncoder().encode_words(SENTENCES)
    long = [EncodedWords(sentence.words, sentence.vectors * 3, sentence.sentence) for sentence in short]
    statistics = statistics_of(SENTENCES)
    cosine = [transport_distances(short, seeds, statistics, COSINE) for seeds in (short, long)]
    np.testing.assert_allclose(cosine[0], cosine[1], atol=1e-6)
    euclidean = [transport_distances(short, seeds, statistics, EUCLIDEAN) for seeds in (short, long)]
    assert np.abs(euclidean[0] - euclidean[1]).min() > 0.5


def test_no_sentences_have_no_distances() -> None:
    seeds = HashedEncoder().encode_words(SEEDS)
    assert transport_distances([], seeds, statistics_of([]), COSINE).shape == (0, 2)


def test_a_corpus_of_one_sentence_is_scored_too(model: MaskedLanguageModel) -> None:
    """The printed IDF of its words is negative: they would weigh less than nothing."""
    only = SENTENCES[:1]
    statistics = statistics_of(only)
    assert (statistics.printed_idf(words(only[0])) < 0).all()
    encoder = HashedEncoder()
    distances = transport_distances(
        encoder.encode_words(only), encoder.encode_words(SEEDS), statistics, COSINE
    )
    expected = [
        [by_pot(encoder.encode_words(only)[0], seed, only, COSINE) for seed in encoder.encode_words(SEEDS)]
    ]
    np.testing.assert_allclose(distances, expected, atol=1e-6)
    hardness = perplexities(model, only)
    np.testing.assert_allclose(
        fluencies(only, hardness, statistics), 5 * math.log(1 + 0.5 / 1.5) / hardness, rtol=1e-9
    )


def test_perplexity_masks_one_token_at_a_time(model: MaskedLanguageModel) -> None:
    # Of different lengths; one spells a word that the model does not know.
    sentences = [*SENTENCES, "egg.", "is the yolk part of egg?".removesuffix("?") + "."]
    expected = []
    for sentence in sentences:
        row = model.tokens(sentence)
        logs = []
        for place in range(1, len(row) - 1):
            masked = [model.mask_id if spot == place else token for spot, token in enumerate(row)]
            logs.append(float(model.token_log_probabilities([masked], [place], [row[place]])[0]))
        expected.append(math.exp(-sum(logs) / len(logs)))
    np.testing.assert_allclose(perplexities(model, sentences), expected, rtol=1e-4)
    assert min(expected) > 1


def test_perplexity_does_not_depend_on_the_other_sentences() -> None:
    together = perplexities(HashedModel(KNOWN), SENTENCES)
    apart = [perplexities(HashedModel(KNOWN), [sentence])[0] for sentence in SENTENCES]
    np.testing.assert_allclose(together, apart, rtol=1e-12)


@pytest.mark.parametrize("printed", [False, True], ids=["lucene", "printed"])
def test_fluency_is_the_rarity_of_the_words_over_the_perplexity(printed: bool) -> None:
    statistics = statistics_of(SENTENCES)
    hardness = np.array([2.0, 5.0, 0.5])
    expected = [
        sum(idf(word, SENTENCES, printed) for word in words(sentence)) / value
        for sentence, value in zip(SENTENCES, hardness.tolist(), strict=True)
    ]
    np.testing.assert_allclose(fluencies(SENTENCES, hardness, statistics, printed), expected, rtol=1e-12)


def test_the_printed_idf_by_hand() -> None:
    """Of four sentences "is" stands in four, "leaf" in two, "egg" in one: ln(1/9), 0, ln(7/3)."""
    corpus = ["leaf is tree", "leaf is egg", "white is part", "tree is white"]
    statistics = statistics_of(corpus)
    hardness = np.array([1.0, 2.0, 1.0, 1.0])
    # Leaf 0, is -2.197, tree 0; leaf 0, is -2.197, egg .847.
    fluency = fluencies(corpus, hardness, statistics, printed=True)[:2]
    np.testing.assert_allclose(fluency, [-math.log(9), (math.log(7 / 3) - math.log(9)) / 2], rtol=1e-12)
    # Lucene's form has no negative value: ln(10/9) for "is", ln 2 for "leaf" and "tree".
    lucene = fluencies(corpus, hardness, statistics)[0]
    assert lucene == pytest.approx(math.log(10 / 9) + 2 * math.log(2), rel=1e-12)
    # Only "egg" weighs anything: the sentence is as far as that word is from the seed's.
    sentence, egg = HashedEncoder().encode_words([corpus[1], "egg"])
    [[distance]] = transport_distances([sentence], [egg], statistics, COSINE, printed=True)
    nearest = cdist(sentence.vectors[2:].astype(np.float64), egg.vectors.astype(np.float64), "cosine")[0, 0]
    assert distance == pytest.approx(nearest, abs=1e-6)


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


@given(
    distances=arrays.arrays(np.float64, (4, 3), elements=st.floats(0, 2)),
    fluency=arrays.arrays(np.float64, 4, elements=st.floats(0, 30)),
    printed=st.booleans(),
)
def test_the_final_score_is_its_formula(distances: np.ndarray, fluency: np.ndarray, printed: bool) -> None:
    scores = final_scores(distances, fluency, printed)
    for row, fluent, score in zip(distances.tolist(), fluency.tolist(), scores.tolist(), strict=True):
        semantic = sum(row) if printed else sum(1 - distance for distance in row) / len(row)
        assert score == pytest.approx(sigmoid(semantic) * semantic + sigmoid(fluent) * fluent, rel=1e-9)


def test_as_printed_a_pair_far_from_the_seeds_is_preferred() -> None:
    distances, fluency = np.array([[0.1, 0.2], [0.6, 0.9]]), np.array([1.0, 1.0])
    near, far = final_scores(distances, fluency, printed=True)
    assert far > near
    near, far = final_scores(distances, fluency, printed=False)
    assert near > far
    # Of pairs equally near, both prefer the more fluent.
    for printed in (True, False):
        less, more = final_scores(np.full((2, 2), 0.3), np.array([0.5, 2.0]), printed)
        assert more > less
