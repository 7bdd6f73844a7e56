"""Pairs cut into tiles: each once, whatever the density."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.packing import Packed, pack
from evidence_assets.retrieval.transport.tiles import cuts, tiles_of
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import pool


@cache
def packs(seed: int) -> tuple[Packed, Packed]:
    random = np.random.default_rng(seed)
    return pack(pool(random, 12, 9), Cosine()), pack(pool(random, 30, 15), Cosine())


def words_of(packed: Packed, number: int) -> bytes:
    return packed.take(np.array([number])).features.stacked().tobytes()


@examples(150)
@given(
    density=st.sampled_from([0.0, 0.02, 0.1, 0.4, 0.7, 1.0]),
    most_words=st.sampled_from([1, 8, 30, 10_000]),
    packed=st.integers(0, 2),
    seed=st.integers(0, 9999),
)
def test_every_pair_is_in_one_tile(density: float, most_words: int, packed: int, seed: int) -> None:
    questions, chunks = packs(packed)
    random = np.random.default_rng(seed)
    question, chunk = np.nonzero(random.random((len(questions), len(chunks))) < density)
    order = random.permutation(len(question))
    question, chunk = question[order], chunk[order]
    seen: list[int] = []
    for chosen, tile in tiles_of(questions, chunks, question, chunk, most_words):
        seen += chosen.tolist()
        assert len(chosen) == len(tile.question) == len(tile.chunk) > 0
        assert set(tile.question.tolist()) == set(range(len(tile.questions)))
        assert len(tile.questions) == 1 or len(tile.questions.features) <= most_words
        for pair, tile_question, held in zip(chosen, tile.question, tile.chunk, strict=True):
            assert words_of(tile.questions, tile_question) == words_of(questions, question[pair])
            assert words_of(tile.chunks, held) == words_of(chunks, chunk[pair])
    assert sorted(seen) == list(range(len(question)))


@examples(100)
@given(
    density=st.sampled_from([0.02, 0.3, 1.0]),
    most_words=st.sampled_from([8, 10_000]),
    most_chunk_words=st.sampled_from([1, 20, 10_000]),
    least_share=st.sampled_from([0.0, 0.25, 1.0]),
    seed=st.integers(0, 9999),
)
def test_every_pair_is_in_one_cut_within_its_sizes(
    density: float, most_words: int, most_chunk_words: int, least_share: float, seed: int
) -> None:
    questions, chunks = packs(0)
    lengths = (questions.lengths, chunks.lengths)
    random = np.random.default_rng(seed)
    question, chunk = np.nonzero(random.random([len(side) for side in lengths]) < density)
    seen: list[int] = []
    for cut in cuts(*lengths, question, chunk, most_words, most_chunk_words, least_share):
        seen += cut.pairs.tolist()
        assert (cut.group[cut.question] == question[cut.pairs]).all()
        assert (cut.first + cut.chunk == chunk[cut.pairs]).all()
        assert cut.last - cut.first == 1 or lengths[1][cut.first : cut.last].sum() <= most_chunk_words
        assert len(cut.group) == 1 or lengths[0][cut.group].sum() <= most_words
    assert sorted(seen) == list(range(len(question)))


@pytest.mark.parametrize("density", [0.05, 0.3, 1.0])
def test_what_is_computed_is_mostly_asked_for(density: float) -> None:
    questions, chunks = packs(0)
    question, chunk = np.nonzero(np.random.default_rng(0).random((len(questions), len(chunks))) < density)
    computed = needed = 0
    for _, tile in tiles_of(questions, chunks, question, chunk, 10_000):
        computed += len(tile.questions.features) * len(tile.chunks.features)
        needed += int((tile.questions.lengths[tile.question] * tile.chunks.lengths[tile.chunk]).sum())
    assert needed == int((questions.lengths[question] * chunks.lengths[chunk]).sum())
    assert computed <= 2 * needed


def test_a_full_block_is_one_tile() -> None:
    questions, chunks = packs(1)
    question, chunk = np.divmod(np.arange(len(questions) * len(chunks)), len(chunks))
    assert len(list(tiles_of(questions, chunks, question, chunk, 10_000))) == 1
    assert len(list(tiles_of(questions, chunks, question, chunk, 1))) == len(questions)
