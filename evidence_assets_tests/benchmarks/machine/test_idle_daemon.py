"""A daemon on a lake where nothing changed starts nothing."""

from __future__ import annotations

import pytest

from benchmarks.machine.idle_daemon import run


@pytest.mark.integration
@pytest.mark.xdist_group("user_interface")
def test_the_first_minute_of_a_new_project() -> None:
    measured = run(60, ["starter_tables"])
    assert measured["runs_of_the_demo"] > 10
    assert measured["other_runs"] == {}
