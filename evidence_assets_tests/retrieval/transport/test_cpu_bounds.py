"""The compiled loops against NumPy, and the buffers that one object keeps."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport.bounds import Tile
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.ground_costs import Cosine, JensenShannon
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import pool, whole_tile


def block(costs: np.ndarray, tile: Tile, pair: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, slice]:
    """A pair's costs (m, n) and marginals in double precision, and its columns."""
    rows = slice(*tile.chunks.offsets[tile.chunk[pair] :][:2])
    columns = slice(*tile.questions.offsets[tile.question[pair] :][:2])
    part = costs[rows, columns].T.astype(np.float64)
    return part, tile.questions.marginals[columns], tile.chunks.marginals[rows], columns


@examples(40)
@given(seed=st.integers(0, 9999), is_partial=st.booleans(), spread=st.sampled_from([0.0, 0.02, 1.0]))
def test_kernels_are_the_formulas(seed: int, is_partial: bool, spread: float) -> None:
    random, ground, bounds = np.random.default_rng(seed), Cosine(), CpuBounds()
    texts = pool(random, 12, 10)
    tile = whole_tile(texts[:4], texts[4:], ground, np.float32)
    costs = bounds.costs(tile, ground).copy()
    potentials = spread * random.normal(size=len(tile.questions.features))
    capacity = random.uniform(1, 3, size=len(tile.question)) if is_partial else np.ones(len(tile.question))
    covering, saying = bounds.closed_forms(costs, tile)
    duals = bounds.duals(costs, tile, potentials, capacity, is_partial)
    for pair in range(len(tile.question)):
        cost, rows, columns, place = block(costs, tile, pair)
        np.testing.assert_allclose(covering[pair], rows @ cost.min(axis=1), atol=1e-9)
        np.testing.assert_allclose(saying[pair], columns @ cost.min(axis=0), atol=1e-9)
        least = (cost - potentials[place][:, None]).min(axis=0)
        least = np.minimum(0, least) if is_partial else least
        expected = rows @ potentials[place] + capacity[pair] * (columns @ least)
        np.testing.assert_allclose(duals[pair], expected, atol=1e-9)


def test_costs_are_the_features_distances() -> None:
    texts = pool(np.random.default_rng(0), 8, 10)
    ground = JensenShannon()
    tile = whole_tile(texts[:3], texts[3:], ground, np.float32)
    costs = CpuBounds().costs(tile, ground)
    left, right = (side.features.stacked().astype(np.float64) for side in (tile.chunks, tile.questions))
    expected = ((left[:, None] - right[None]) ** 2).sum(axis=2) / 4
    np.testing.assert_allclose(costs[:, : len(right)], expected, atol=1e-5)


@examples(40)
@given(
    tiles=st.lists(
        st.tuples(
            st.integers(1, 5),
            st.integers(1, 9),
            st.sampled_from([3, 300]),
            st.sampled_from([2, 31]),
            st.sampled_from([np.float16, np.float32]),
        ),
        min_size=1,
        max_size=4,
    ),
    seed=st.integers(0, 999),
)
def test_one_object_serves_tiles_of_any_shape_wherever_their_rows_lie(
    tiles: list[tuple[int, int, int, int, type]], seed: int
) -> None:
    random, ground, reused = np.random.default_rng(seed), Cosine(), CpuBounds()
    for questions, chunks, most, width, storage in tiles:
        texts = pool(random, chunks, most, width)
        order = random.permutation(chunks)
        scattered = pack(texts, ground, storage).take(order)
        together = pack([texts[number] for number in order], ground, storage)
        packed_questions = pack(pool(random, questions, 12, width), ground)
        first = np.zeros(1, np.int64)
        costs = [
            bounds.costs(Tile(packed_questions, held, first, first), ground)[
                :, : len(packed_questions.features)
            ].copy()
            for bounds, held in ((reused, scattered), (reused, together), (CpuBounds(), scattered))
        ]
        left, right = (side.features.stacked().astype(np.float64) for side in (scattered, packed_questions))
        true = (1 - left @ right.T) / 16
        for computed in costs:
            np.testing.assert_allclose(computed, true, atol=2e-4)
            assert (computed <= true + 1e-4 * (storage is np.float16) + 1e-6).all()
