"""The bounds as tensor operations: those of the CPU, wherever they run."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport import device_bounds
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.device_bounds import DeviceBounds, best_bounds
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import GROUNDS, LENGTHS, pool, whole_tile

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


@examples(60)
@given(
    device=st.sampled_from(DEVICES),
    name=st.sampled_from(sorted(GROUNDS)),
    storage=st.sampled_from([np.float16, np.float32]),
    length=st.sampled_from(LENGTHS),
    is_partial=st.booleans(),
    spread=st.sampled_from([0.0, 0.3, 3.0]),
    share=st.sampled_from([0.5, 0.9, 2.0]),
    seed=st.integers(0, 9999),
)
def test_they_are_the_cpus(
    device: str,
    name: str,
    storage: type[np.floating],
    length: float,
    is_partial: bool,
    spread: float,
    share: float,
    seed: int,
) -> None:
    random, ground = np.random.default_rng(seed), GROUNDS[name]
    texts = pool(random, 14, 10, length=length)
    tile = whole_tile(texts[:4], texts[4:], ground, storage)
    tile = tile.only(random.permutation(40)[: random.integers(1, 41)])
    ours, theirs = CpuBounds(), DeviceBounds(device)
    left, right = ours.costs(tile, ground), theirs.costs(tile, ground)
    left = left[:, : right.shape[1]].copy()
    # Near 0 a square root magnifies what the order of a sum changes.
    apart = np.abs(left - right.cpu().numpy())
    assert apart.max() <= (2e-3 * length if ground.is_root else 1e-6)
    right = torch.from_numpy(left).to(right.device)

    size = float(left.max())
    for on_cpu, on_device in zip(
        ours.closed_forms(left, tile), theirs.closed_forms(right, tile), strict=True
    ):
        np.testing.assert_allclose(on_cpu, on_device, atol=1e-6 * size)
    potentials = spread * size * random.normal(size=(left.shape[1],))
    capacity = random.uniform(1, 3, size=len(tile.question)) if is_partial else np.ones(len(tile.question))
    arguments = (tile, potentials, capacity, is_partial)
    np.testing.assert_allclose(
        ours.duals(left, *arguments), theirs.duals(right, *arguments), atol=1e-6 * size
    )
    threshold = np.full(len(tile.question), share * size / 3)
    on_cpu = ours.ascents(left, *arguments, threshold)
    on_device = theirs.ascents(right, *arguments, threshold)
    # Past the threshold either may stop: that it is passed is all that is asked.
    passed = on_cpu > threshold
    np.testing.assert_array_equal(passed, on_device > threshold)
    np.testing.assert_allclose(on_cpu[~passed], on_device[~passed], atol=1e-6 * size)


@pytest.fixture
def precision() -> Iterator[None]:
    before = torch.get_float32_matmul_precision()
    yield
    torch.set_float32_matmul_precision(before)


@pytest.mark.parametrize("reduced", ["high", "medium"])
def test_reduced_precision_is_refused(precision: None, reduced: str) -> None:
    torch.set_float32_matmul_precision(reduced)
    with pytest.raises(ValueError, match=r"set_float32_matmul_precision\('highest'\)"):
        DeviceBounds("cpu")
    torch.set_float32_matmul_precision("highest")
    DeviceBounds("cpu")


def test_the_best_is_the_gpu_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = DeviceBounds if torch.cuda.is_available() else CpuBounds
    assert isinstance(best_bounds(), expected)
    monkeypatch.setattr(device_bounds, "best_device", lambda: "cpu")
    assert isinstance(best_bounds(), CpuBounds)
