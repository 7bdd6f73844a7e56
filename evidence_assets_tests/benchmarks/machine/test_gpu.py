"""The benchmark of a GPU: what both devices give is compared, and without one it is skipped."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from benchmarks import UnavailableError
from benchmarks.machine import gpu


def test_without_a_gpu_it_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UnavailableError, match="no GPU"):
        gpu.run()


def test_rates_are_of_work_done_a_second_and_results_are_compared_where_both_have_them() -> None:
    done = {gpu.CPU: gpu.Done(10, 2.0, [[1], [2]]), gpu.GPU: gpu.Done(60, 3.0, [[1], [3], [4]])}
    row = gpu._compared("things", done.__getitem__, gpu._same_share)
    assert (row["cpu_a_second"], row["cuda_a_second"], row["ratio"]) == (5.0, 20.0, 4.0)
    assert (row["same"], row["compared"]) == (0.5, 2)


@pytest.mark.parametrize(
    ("row", "agrees"),
    [
        ({"same": 1.0}, True),
        ({"same": 0.999}, False),
        ({"largest_difference": 1e-3}, True),
        ({"largest_difference": 1.1e-3}, False),
        ({"same_weights_again": False}, False),
        ({"same_replies": 0.5}, True),
    ],
)
def test_what_is_not_alike_is_past_the_bound(row: dict[str, Any], agrees: bool) -> None:
    assert gpu._agrees(row) is agrees


def test_figures_are_compared_one_by_one() -> None:
    left, right = [np.array([1.0, 2.0])], [np.array([1.0, 2.25]), np.array([9.0])]
    assert gpu._largest_difference(left, right) == {"largest_difference": 0.25}
