"""A daemon on a lake where nothing changed starts nothing."""

from __future__ import annotations

import pytest

from benchmarks.machine.idle_daemon import left_alone


@pytest.mark.integration
@pytest.mark.xdist_group("user_interface")
def test_the_first_minute_of_a_new_project() -> None:
    measured = left_alone(60, ["starter_tables"])
    assert measured["runs_of_the_demo"] > 10
    assert measured["other_runs"] == {}
