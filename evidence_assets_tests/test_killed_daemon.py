"""Workers killed under Dagster's daemon: nothing is lost, and nobody has to lend a hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import daemon_kills

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("killed_daemon")]


def test_two_killed_workers_and_a_killed_server_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(daemon_kills, "_SERVER_EVERY", 2)
    result = daemon_kills.run(kills=2, seed=3, folder=tmp_path)
    assert result["kills"] == 2
    assert result["green_and_stale_or_unrecorded"] == []
    assert result["files_other_than_a_rebuild"] == []
