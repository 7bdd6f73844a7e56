"""Many texts' words side by side, and what storing them cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean
from evidence_assets.retrieval.transport.packing import Rows, pack, pack_sound
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import GROUNDS, LENGTHS, check_same_packed, pool, text


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("storage", [np.float16, np.float32])
@pytest.mark.parametrize("name", GROUNDS)
def test_what_is_stored_is_the_features_but_for_the_error_that_is_told(
    name: str, storage: type[np.floating], length: float
) -> None:
    ground, texts = GROUNDS[name], pool(np.random.default_rng(0), 12, 9, length=length)
    packed = pack(texts, ground, storage)
    assert len(packed) == 12
    assert {piece.dtype for piece in packed.features.pieces} == {np.dtype(storage)}
    assert packed.features.width == ground.width(6)
    assert packed.lengths.tolist() == [len(tokens.weights) for tokens in texts]
    assert packed.masses.tolist() == [tokens.mass for tokens in texts]
    np.testing.assert_array_equal(packed.marginals, np.concatenate([tokens.marginal for tokens in texts]))
    stored = packed.features.stacked().astype(np.float64)
    np.testing.assert_allclose(packed.squared_norms, (stored**2).sum(axis=1), rtol=1e-6)
    assert packed.sentences is not None
    for number, tokens in enumerate(texts):
        rows = slice(packed.offsets[number], packed.offsets[number + 1])
        true = ground.features(tokens.vectors)
        apart = np.linalg.norm(true - stored[rows], axis=1)
        assert (apart <= packed.errors[rows] + np.finfo(np.float32).tiny).all()
        assert (packed.errors[rows] <= 1e-2 * np.linalg.norm(true, axis=1)).all()
        centroid = tokens.marginal @ true
        assert np.linalg.norm(centroid - packed.centroids[number]) <= packed.centroid_errors[number]
        assert packed.centroid_errors[number] <= 1e-6 * max(1.0, length)
        np.testing.assert_array_equal(packed.sentences[number], tokens.sentence)


def test_sentences_are_kept_if_every_text_has_one() -> None:
    random = np.random.default_rng(0)
    texts = [text(random, 2), replace(text(random, 2), sentence=None)]
    assert pack(texts, Cosine()).sentences is None
    sentences = pack(texts[:1], Cosine()).sentences
    assert sentences is not None
    assert sentences.shape == (1, 6)


@examples(60)
@given(chosen=st.lists(st.integers(0, 7), min_size=1, max_size=10), seed=st.integers(0, 99))
def test_some_texts_of_a_pack_are_a_pack_of_some_texts(chosen: list[int], seed: int) -> None:
    texts = pool(np.random.default_rng(seed), 8, 6)
    packed = pack(texts, Euclidean(), np.float16)
    subset = packed.take(np.array(chosen))
    check_same_packed(subset, pack([texts[number] for number in chosen], Euclidean(), np.float16))
    again = subset.take(np.arange(len(chosen))[::-1])
    check_same_packed(again, pack([texts[number] for number in chosen[::-1]], Euclidean(), np.float16))
    rows = [row for number in chosen for row in range(packed.offsets[number], packed.offsets[number + 1])]
    assert packed.rows(np.array(chosen)).tolist() == rows
    assert [row for run in packed.runs(np.array(chosen)) for row in range(run.start, run.stop)] == rows


@examples(60)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6), ends=st.tuples(*[st.integers(0, 30)] * 2))
def test_rows_lie_anywhere_and_read_as_one(sizes: list[int], ends: tuple[int, int]) -> None:
    matrix = np.arange(3.0 * sum(sizes), dtype=np.float32).reshape(-1, 3)
    rows = Rows(tuple(np.split(matrix, np.cumsum(sizes)[:-1])))
    assert (len(rows), rows.width) == matrix.shape
    np.testing.assert_array_equal(rows.stacked(), matrix)
    first, last = sorted(ends)
    part = rows.between(first, last)
    np.testing.assert_array_equal(np.concatenate([matrix[:0], *part]), matrix[first:last])
    assert all(len(piece) and np.shares_memory(piece, matrix) for piece in part)


def test_features_of_some_texts_are_views() -> None:
    packed = pack(pool(np.random.default_rng(0), 8, 6), Cosine())
    (stored,) = packed.features.pieces
    for chosen, pieces in (([2, 3, 4], 1), ([5, 1, 2], 2)):
        views = packed.take(np.array(chosen)).features.pieces
        assert len(views) == pieces
        assert all(np.shares_memory(piece, stored) for piece in views)


def test_the_sound_are_packed_and_the_broken_named() -> None:
    random = np.random.default_rng(0)
    texts = [text(random, 3) for _ in range(7)]
    texts[1] = replace(texts[1], weights=np.zeros(3))
    texts[3] = replace(texts[3], vectors=np.full((3, 6), np.nan))
    texts[4] = text(random, 3, width=5)
    texts[5] = replace(texts[5], vectors=np.zeros((3, 6)))
    numbers = np.array([10, 11, 12, 13, 14, 15, 16])
    names = [f"text {number}" for number in numbers]
    sound = pack_sound(numbers, texts, names, Cosine())
    assert sound.numbers.tolist() == [10, 12, 16]
    check_same_packed(sound.packed, pack([texts[0], texts[2], texts[6]], Cosine()))
    assert sorted(sound.refused) == [11, 13, 14, 15]
    assert all(reason.startswith(f"text {number}: ") for number, reason in sound.refused.items())
    assert sorted(pack_sound(numbers, texts, names, Euclidean()).refused) == [11, 13, 14]


def test_the_width_asked_for_decides_who_is_a_stranger() -> None:
    random = np.random.default_rng(0)
    texts = [text(random, 3, width=5), text(random, 3), text(random, 3)]
    numbers, names = np.arange(3), ["a", "b", "c"]
    assert pack_sound(numbers, texts, names, Cosine(), 6).numbers.tolist() == [1, 2]
    assert pack_sound(numbers, texts, names, Cosine()).numbers.tolist() == [0]
    nothing = pack_sound(numbers, texts, names, Cosine(), 9)
    assert nothing.packed is None
    assert nothing.numbers.tolist() == []
    assert sorted(nothing.refused) == [0, 1, 2]
