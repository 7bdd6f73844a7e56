"""Words as integers: how far they are off, and that their products are exact however they are multiplied."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.retrieval.transport import word_codes
from evidence_assets.retrieval.transport.word_codes import coded, products, together
from evidence_assets_tests.testing.profiles import examples

WIDTHS = st.sampled_from([1, 3, 31, 384, 1041, 4096])


def unit_vectors(seed: int, words: int, width: int, peak: float) -> NDArray[np.float64]:
    """Unit vectors, some with one coordinate far above the others."""
    random = np.random.default_rng(seed)
    drawn = random.normal(size=(words, width))
    drawn[: words // 2, 0] += peak
    units: NDArray[np.float64] = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    return units


@examples(60)
@given(seed=st.integers(0, 9999), width=WIDTHS, peak=st.sampled_from([0.0, -9.0, 200.0]))
def test_an_error_is_the_distance_from_the_true_vector(seed: int, width: int, peak: float) -> None:
    points = unit_vectors(seed, 9, width, peak)
    codes = coded(points)
    apart = np.linalg.norm(points - codes.steps.astype(np.float64)[:, None] * codes.values, axis=1)
    assert (apart <= codes.errors).all()
    np.testing.assert_allclose(apart, codes.errors, rtol=1e-5, atol=1e-12)
    # Rounding to a level is off by half a step at most.
    assert (codes.errors <= 0.51 * codes.steps * width**0.5 + 1e-6).all()


@examples(60)
@given(seed=st.integers(0, 9999), width=WIDTHS, sizes=st.tuples(st.integers(1, 20), st.integers(1, 70)))
def test_products_are_exact_in_bytes_and_in_single_precision(
    seed: int, width: int, sizes: tuple[int, int]
) -> None:
    sides = [unit_vectors(seed + place, size, width, 3.0) for place, size in enumerate(sizes)]
    here = [coded(side) for side in sides]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_codes, "multiplies_bytes", lambda width: False)
        single = [coded(side) for side in sides]
    assert {codes.values.dtype for codes in single} == {np.dtype(np.float32)}
    true = single[0].values.astype(np.int64) @ single[1].values.astype(np.int64).T
    for left, right in (here, single):
        np.testing.assert_array_equal(products(left, right), true)


def test_bytes_are_multiplied_only_where_it_is_tried_and_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True})
    word_codes.multiplies_bytes.cache_clear()
    assert not word_codes.multiplies_bytes(384)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_vnni": True})
    for multiplied, expected in (
        (lambda left, right: torch.mm(left.int(), right.int()), True),
        (lambda left, right: torch.mm(left.int(), right.int()) + 1, False),
    ):
        monkeypatch.setattr(torch, "_int_mm", multiplied)
        word_codes.multiplies_bytes.cache_clear()
        assert word_codes.multiplies_bytes(384) is expected
    word_codes.multiplies_bytes.cache_clear()


def test_single_precision_holds_every_sum_of_wide_vectors() -> None:
    """Where a sum of bytes' products could pass 2^24, fewer levels are used."""
    for width in (1040, 1041, 100_000):
        flat = np.full((1, width), width**-0.5)
        values = coded(flat).values.astype(np.int64)
        assert (values**2).sum() <= 1 << 24
        assert values.max() == min(127, int((2**24 / width) ** 0.5))


def test_parts_side_by_side_are_the_whole() -> None:
    points = unit_vectors(1, 12, 8, 2.0)
    whole, parts = coded(points), together([coded(points[:5]), coded(points[5:])])
    for name in ("values", "steps", "errors"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))
        np.testing.assert_array_equal(
            getattr(whole.take(np.array([3, 0])), name), getattr(whole, name)[[3, 0]]
        )
    assert np.shares_memory(whole.take(slice(2, 4)).values, whole.values)
