"""A lake that two commands make at once, and one that was copied elsewhere: sound, whole and up to date."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evidence_assets.audit.integrity import check_rows
from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS, TABLES_BY_NAME, Table

pytestmark = pytest.mark.integration

DEMO = ["demo", "quiz", "--arms", "no_evidence@option_cosine"]
TOGETHER = 2


def partitions(lake: Lake) -> list[tuple[Table, dict[str, str]]]:
    return [(table, place) for table in TABLES_BY_NAME.values() for place in lake.partitions(table)]


def tables(lake: Lake) -> dict[str, bytes]:
    """The bytes of every partition but the records, which hold times."""
    return {
        lake.file(table, place).removeprefix(lake.path): Path(lake.file(table, place)).read_bytes()
        for table, place in partitions(lake)
        if table is not MATERIALIZATIONS
    }


def test_two_makings_of_the_same_partitions_both_end_well(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-m", "evidence_assets.cli", *DEMO]
    with monkeypatch.context() as alone:
        alone.setenv("EVIDENCE_LAKE", str(folder / "alone"))
        assert main(DEMO) == 0
    at_work = [
        subprocess.Popen(
            command, cwd=folder, env=dict(os.environ), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(TOGETHER)
    ]
    ended = [(process.communicate(timeout=500)[1].decode(), process.returncode) for process in at_work]
    assert [status for _, status in ended] == [0] * TOGETHER, ended
    lake = Lake(str(folder / "lake"))
    assert tables(lake) == tables(Lake(str(folder / "alone")))
    assert [problem for table, place in partitions(lake) for problem in check_rows(lake, table, place)] == []
    capsys.readouterr()
    assert main(DEMO) == 0
    assert "nothing to do, all is up to date" in capsys.readouterr().out


def test_a_lake_copied_elsewhere_is_up_to_date_there(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(DEMO) == 0
    copied = shutil.copytree(folder / "lake", folder / "elsewhere" / "copy")
    (folder / "lake").rename(folder / "away")
    monkeypatch.setenv("EVIDENCE_LAKE", str(copied))
    before = tables(Lake(str(copied)))
    capsys.readouterr()
    assert main(["status"]) == 0
    told = capsys.readouterr().out
    assert ", 0 stale, " in told
    assert main(DEMO) == 0
    shown = capsys.readouterr().out
    assert "nothing to do, all is up to date" in shown
    assert f"the lake is at {copied}" in shown
    assert tables(Lake(str(copied))) == before
    assert not (folder / "lake").exists()
