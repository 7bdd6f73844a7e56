"""A disk that is full while a command works: named with the remedy, nothing half written, gone on from."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evidence_assets.cli.main import main

DEMO = ["demo", "quiz", "--arms", "full@extractive"]
FOLDERS = {
    "EVIDENCE_LAKE": "lake",
    "DAGSTER_HOME": "home",
    "EVIDENCE_CACHE": "cache",
    "TMPDIR": "temporary",
}
# In kibibytes: less than a run writes there.
ROOM = {"lake": 600, "home": 600, "cache": 8, "temporary": 64}


@pytest.fixture
def project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sound project; all that its runs write to has a folder each."""
    for variable, name in FOLDERS.items():
        (folder / name).mkdir(exist_ok=True)
        monkeypatch.setenv(variable, str(folder / name))
    # What the variable said is known by now.
    monkeypatch.setattr(tempfile, "tempdir", str(folder / FOLDERS["TMPDIR"]))
    return folder


class SmallDisk:
    """A disk of memory, of so many kibibytes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mount(self, size: int, *options: str) -> None:
        settings = ",".join([*options, f"size={size}k"])
        command = ["mount", "-t", "tmpfs", "-o", settings, "tmpfs", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")


@pytest.fixture(params=list(ROOM))
def small_disk(project: Path, request: pytest.FixtureRequest) -> Iterator[SmallDisk]:
    disk = SmallDisk(project / request.param)
    disk.mount(ROOM[request.param])
    yield disk
    subprocess.run(["umount", "--lazy", str(disk.folder)], check=True)


@pytest.mark.integration
def test_a_full_disk_is_named_and_the_same_command_goes_on(
    project: Path, small_disk: SmallDisk, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(DEMO) == 1
    message = capsys.readouterr().err
    assert message.count("the disk is full; remedy: make room there") == 1
    assert all(variable in message for variable in FOLDERS)
    assert message.startswith(str(small_disk.folder)) or f": {small_disk.folder}" in message
    assert "Traceback" not in message
    files = [path for path in (project / "lake").rglob("*") if path.is_file()]
    assert not [path for path in files if path.suffix == ".tmp"]
    for path in files:
        if path.suffix == ".parquet":
            pq.read_table(path)
    small_disk.mount(100_000, "remount")
    assert main(DEMO) == 0
