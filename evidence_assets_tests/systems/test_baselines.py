"""The cheap baselines that systems name: the strongest of them is told beside every arm."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.system import System


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_baselines_are_arms_that_others_are_compared_with(system: System) -> None:
    arms = system.arms(())
    assert set(system.baselines) <= set(system.compared_with) <= set(arms)
    assert system.default_arm not in system.baselines


def test_a_baseline_that_nothing_is_compared_with_is_refused() -> None:
    with pytest.raises(ValueError, match="no arm is compared with the baselines luck; remedy: name them"):
        replace(SYSTEMS[0], baselines=("luck",))
