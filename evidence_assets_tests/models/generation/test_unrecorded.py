"""What was replied and is not in the lake: kept on the disk, and taken over from whoever died."""

from __future__ import annotations

import json
import os
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import pytest

from evidence_assets.lake.full_disk import FullDiskError
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation.protocol import Reply, Request
from evidence_assets.models.generation.unrecorded import UnrecordedReplies, left_behind
from evidence_assets_tests.testing.recorded_samples import Engine, Project, asking, reply_to

ROW = {"request_hash": "a", "text": "Hän söi\n“puuroa”", "log_probability": -0.1}


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.replies"))


def of_the_dead(folder: Path, content: bytes) -> Path:
    """What a process that died left: a file that nobody holds."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "0.replies"
    path.write_bytes(content)
    return path


def test_a_reply_is_on_the_disk_as_soon_as_it_is_added(tmp_path: Path) -> None:
    with closing(UnrecordedReplies(tmp_path)) as replies:
        assert not files(tmp_path)
        replies.add(ROW)
        [file] = files(tmp_path)
        assert [json.loads(line) for line in file.read_bytes().splitlines()] == [ROW]
        replies.remove(["a"])
        assert not files(tmp_path)


def test_what_came_while_others_were_written_stays(tmp_path: Path) -> None:
    rows = [{**ROW, "request_hash": name} for name in "abc"]
    replies = UnrecordedReplies(tmp_path)
    for row in (*rows, rows[0]):
        replies.add(row)
    replies.remove(["a", "b"])
    [file] = files(tmp_path)
    assert [json.loads(line) for line in file.read_bytes().splitlines()] == rows[2:]
    replies.close()
    assert list(left_behind(tmp_path)) == [rows[2:]]


def test_a_living_process_keeps_what_is_its_own(tmp_path: Path) -> None:
    replies = UnrecordedReplies(tmp_path)
    replies.add(ROW)
    assert list(left_behind(tmp_path)) == []
    replies.close()
    # It ended without having written what it had: somebody else does.
    assert list(left_behind(tmp_path)) == [[ROW]]
    assert not files(tmp_path)


@pytest.mark.parametrize("damage", [b'{"request_ha', b"\xff\xfe\x00", b'{"a": 1}'])
def test_a_line_that_was_cut_short_is_left_out(tmp_path: Path, damage: bytes) -> None:
    of_the_dead(tmp_path, json.dumps(ROW).encode() + b"\n" + damage)
    assert list(left_behind(tmp_path)) == [[ROW]]


@pytest.mark.parametrize("damage", [b"{", b"\xff\xfe", b"[1]", b"", b"7"])
def test_a_damaged_line_is_left_out(tmp_path: Path, damage: bytes) -> None:
    of_the_dead(tmp_path, damage + b"\n" + json.dumps(ROW).encode() + b"\n")
    assert list(left_behind(tmp_path)) == [[ROW]]


def test_what_is_taken_over_stays_until_it_is_written(tmp_path: Path) -> None:
    path = of_the_dead(tmp_path, json.dumps(ROW).encode() + b"\n")
    rows = left_behind(tmp_path)
    assert next(rows) == [ROW]
    # Whoever took it over dies in turn.
    assert isinstance(rows, Generator)
    rows.close()
    assert path.exists()
    assert list(left_behind(tmp_path)) == [[ROW]]


def test_nowhere_keeps_nothing(tmp_path: Path) -> None:
    with closing(UnrecordedReplies(None)) as replies:
        replies.add(ROW)
        replies.remove(["a"])
    assert list(left_behind(None)) == list(left_behind(tmp_path / "not there")) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = UnrecordedReplies(tmp_path)
    replies.add(ROW)
    with Path("/dev/full").open("wb") as full:
        monkeypatch.setattr(os, "write", lambda _, data: os.pwrite(full.fileno(), data, 0))
        with pytest.raises(FullDiskError, match="remedy: make room"):
            replies.add({**ROW, "request_hash": "b"})


@pytest.mark.parametrize(("others", "asked_for"), [({}, []), ({"added_since": 1}, ["0"])])
def test_what_another_version_kept_is_asked_for_again(
    tmp_path: Path, others: dict[str, int], asked_for: list[str]
) -> None:
    first = Project(tmp_path / "lake")
    first.over(Engine()).replies([asking("0")])
    [row] = first.rows()
    del row["segment"]
    for partition in first.segments():
        first.lake.delete(GENERATIONS, partition)
    # Where the next call of the same model keeps what comes.
    folders: list[Path] = []

    def looks(request: Request) -> Reply:
        folders.extend(file.parent for file in files(tmp_path))
        return reply_to(request)

    first.over(Engine(looks)).replies([asking("1"), asking("2")])
    of_the_dead(folders[0], json.dumps(row | others).encode() + b"\n")
    engine = Engine()
    first.over(engine).replies([asking("0")])
    assert engine.users == asked_for
    assert sorted(row["user"] for row in first.rows()) == ["0", "1", "2"]
