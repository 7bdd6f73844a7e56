"""What the command says of a lake that it cannot read or write: the whole text, without a stack trace."""

from __future__ import annotations

import errno
import re
import tempfile
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets_tests.testing.commands import failed


def test_a_lake_that_cannot_be_written(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> object:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    for command in (["demo", "quiz"], ["catalogue"]):
        assert failed(capsys, *command) == (
            1,
            f"{folder}/lake: the lake cannot be written: Read-only file system; "
            "remedy: give yourself the right to write there, or set EVIDENCE_LAKE to a folder of your own\n",
        )


def test_a_lake_of_a_kind_that_nothing_opens(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", "floppy://a/lake")
    for command in (["demo", "quiz"], ["scores", "quiz"]):
        assert failed(capsys, *command) == (
            1,
            "floppy://a/lake cannot be opened: Protocol not known: floppy; remedy: name a folder or a store, "
            "s3://bucket/folder, or install what opens such addresses\n",
        )


def test_a_store_that_lets_nobody_in(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> bool:
        raise ConnectionError("no credentials")

    monkeypatch.setenv("EVIDENCE_LAKE", "memory://lake")
    monkeypatch.setattr(MemoryFileSystem, "exists", refuse)
    for command in (["demo", "quiz"], ["scores", "quiz"]):
        assert failed(capsys, *command) == (
            1,
            "memory:///lake cannot be reached: no credentials; remedy: give the store's credentials and "
            "address in the environment, or set EVIDENCE_LAKE to another place\n",
        )


def test_a_damaged_file_of_the_lake(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lake = Lake(str(folder / "lake"))
    lake.write(QUESTIONS, {"benchmark": "quiz"}, QUESTIONS.schema.empty_table())
    file = Path(lake.file(QUESTIONS, {"benchmark": "quiz"}))
    file.write_bytes(file.read_bytes()[:100])
    assert failed(capsys, "scores", "quiz") == (
        1,
        f"{folder}/lake: the file cannot be read: Invalid Input Error: No magic bytes found at end of file "
        f"'{file}'; remedy: materialise the partition anew, in Dagster or by evidence-assets demo BENCHMARK "
        "--again\n",
    )


@pytest.mark.parametrize("command", [["status"], ["prune"]])
def test_a_lake_that_is_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    lake = folder / "facts.tsv"
    monkeypatch.setenv("EVIDENCE_LAKE", str(lake))
    status, message = failed(capsys, *command)
    assert status == 1
    assert re.fullmatch(
        rf"{lake}\S*: Not a directory; remedy: see that it is there and that you may read and write it, or "
        "name another path\n",
        message,
    )
