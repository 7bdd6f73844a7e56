"""Where chunks come from: the same texts packed in memory or encoded as they are needed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets.retrieval.transport.sources import EncodedSource, PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets_tests.testing.transport_texts import WordEncoder, check_same_packed, pool, text

TEXTS = ["a cat sat", "", "the mat", "one two three four", "poisoned words"]
NAMES = [f"chunk c{number}" for number in range(5)]


def represent(encoded: EncodedWords) -> TokenSet:
    return TokenSet(encoded.vectors, np.ones(len(encoded.words)), encoded.sentence, encoded.words)


def encoded_source() -> EncodedSource:
    return EncodedSource(TEXTS, NAMES, WordEncoder("poisoned words"), represent)


def packed_source() -> PackedSource:
    encoder = WordEncoder("poisoned words")
    return PackedSource([represent(word) for word in encoder.encode_words(TEXTS)], Cosine(), NAMES)


@pytest.mark.parametrize("source", [encoded_source(), packed_source()], ids=["encoded", "packed"])
def test_both_sources_pack_the_sound_and_name_the_broken(source: EncodedSource | PackedSource) -> None:
    numbers = np.array([3, 1, 0, 4])
    result = source.pack(numbers, Cosine(), 7)
    assert result.numbers.tolist() == [3, 0]
    sound = [represent(word) for word in WordEncoder().encode_words([TEXTS[3], TEXTS[0]])]
    check_same_packed(result.packed, pack(sound, Cosine()))
    assert sorted(result.refused) == [1, 4]
    assert "chunk c1: no words" in result.refused[1]
    assert "chunk c4: " in result.refused[4]
    assert source.lengths().tolist() == [3, 0, 2, 4, 2]
    assert source.name(2) == "chunk c2"
    first, second = source.token_sets(np.array([2, 0]))
    assert (list(first.words), list(second.words)) == (["the", "mat"], ["a", "cat", "sat"])
    broken = source.pack(np.array([1, 4]), Cosine(), 7)
    assert broken.packed is None
    assert len(broken.numbers) == 0
    assert sorted(broken.refused) == [1, 4]


def test_another_width_is_refused_by_the_encoded_source() -> None:
    result = encoded_source().pack(np.array([0, 2]), Cosine(), 8)
    assert result.packed is None
    assert all("7 dimensions, the others 8" in reason for reason in result.refused.values())


def test_a_packed_source_is_for_one_ground_cost_and_width() -> None:
    source = packed_source()
    with pytest.raises(ValueError, match="make a source for it"):
        source.pack(np.array([0]), Euclidean(), 7)
    with pytest.raises(ValueError, match="8 dimensions"):
        source.pack(np.array([0]), Cosine(), 8)


@pytest.mark.parametrize("place", [0, 2, 5])
def test_one_chunk_of_another_width_does_not_lose_the_others(place: int) -> None:
    random = np.random.default_rng(0)
    texts = [text(random, 3) for _ in range(6)]
    texts[place] = text(random, 3, width=4)
    result = PackedSource(texts, Cosine()).pack(np.arange(6), Cosine(), 6)
    assert result.numbers.tolist() == [number for number in range(6) if number != place]
    assert list(result.refused) == [place]
    assert f"chunk {place}: vectors have 4 dimensions, the others 6" in result.refused[place]


def test_half_precision_takes_half_the_room() -> None:
    texts = pool(np.random.default_rng(0), 6, 8)

    def room(storage: type[np.floating]) -> int:
        packed = PackedSource(texts, Cosine(), storage=storage).packed
        assert packed is not None
        return sum(piece.nbytes for piece in packed.features.pieces)

    assert room(np.float32) == 2 * room(np.float16)


def test_the_prior_orders_by_the_distance_of_mean_features() -> None:
    random = np.random.default_rng(0)
    texts = [text(random, 5) for _ in range(6)]
    texts[2] = replace(texts[2], weights=np.zeros(5))
    question = text(random, 3)
    prior = PackedSource(texts, Cosine()).centroid_prior(pack([question], Cosine()))
    middle = question.marginal @ Cosine().features(question.vectors)
    assert prior[2] == np.inf
    sound = [0, 1, 3, 4, 5]
    apart = [middle - texts[number].marginal @ Cosine().features(texts[number].vectors) for number in sound]
    squared = np.array([difference @ difference for difference in apart])
    np.testing.assert_allclose(np.diff(prior[sound]), np.diff(squared), atol=1e-5)


def test_nothing_sound_is_an_empty_source() -> None:
    broken = replace(text(np.random.default_rng(0), 3), weights=np.zeros(3))
    for texts in ([], [broken, broken]):
        source = PackedSource(texts, Cosine())
        assert source.packed is None
        result = source.pack(np.arange(len(texts)), Cosine(), 6)
        assert result.packed is None
        assert len(result.refused) == len(texts)
        prior = source.centroid_prior(pack([text(np.random.default_rng(1), 3)], Cosine()))
        assert prior.tolist() == [np.inf] * len(texts)
