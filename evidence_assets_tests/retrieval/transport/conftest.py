"""Fixtures of the transport tests: where bounds are computed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from evidence_assets.retrieval.transport.bounds import Bounds
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.device_bounds import DeviceBounds


@pytest.fixture(autouse=True, scope="module")
def one_thread() -> Iterator[None]:
    """Texts here are tiny: threads would wait for each other longer than they work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


PLACES = ["cpu", "device:cpu", *(["device:cuda"] if torch.cuda.is_available() else [])]


@pytest.fixture(scope="session", params=PLACES)
def bounds(request: pytest.FixtureRequest) -> Bounds:
    name, _, device = request.param.partition(":")
    return CpuBounds() if name == "cpu" else DeviceBounds(device)
