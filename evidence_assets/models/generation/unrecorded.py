"""Replies that are not in the lake yet: each is a line of a file as soon as it comes; a kill loses none.

A process holds its file locked while it lives. What one that died left behind is taken over by whoever asks
the same model next.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evidence_assets.lake.full_disk import told_when_full

_SUFFIX = ".replies"


class UnrecordedReplies:
    """A file of replies, each as its row of `generations`, in a folder of the model's own.

    `folder`: None keeps nothing. The file is there while replies are in it. Threads may add at once.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._lines: dict[str, bytes] = {}
        self._file: _LockedFile | None = None
        self._lock = threading.Lock()

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep a reply, unless it is kept.

        Raises:
            FullDiskError: the disk takes no more.
        """
        if self._folder is None:
            return
        with self._lock, told_when_full(self._folder):
            if row["request_hash"] in self._lines:
                return
            line = json.dumps(row).encode() + b"\n"
            if self._file is None:
                self._file = _LockedFile.made(self._folder)
            self._file.append(line)
            self._lines[row["request_hash"]] = line

    def remove(self, request_hashes: Iterable[str]) -> None:
        """Forget replies that stand in the lake; what came meanwhile stays."""
        with self._lock:
            for request_hash in request_hashes:
                self._lines.pop(request_hash, None)
            if self._folder is None or self._file is None:
                return
            before, self._file = self._file, None
            if self._lines:
                with told_when_full(self._folder):
                    self._file = _LockedFile.made(self._folder)
                    self._file.append(b"".join(self._lines.values()))
            before.close(remove=True)

    def close(self) -> None:
        """Give the file up: what is left in it is for whoever asks next."""
        with self._lock:
            if self._file is not None:
                self._file.close(remove=not self._lines)
            self._file = None


@dataclass(frozen=True, slots=True)
class _LockedFile:
    """A file that this process alone writes, at its end, while it lives."""

    path: Path
    number: int

    @classmethod
    def made(cls, folder: Path) -> _LockedFile:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            path = folder / f"{secrets.token_hex(8)}{_SUFFIX}"
            number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            fcntl.flock(number, fcntl.LOCK_EX)
            # Before it was locked, it may have been taken for a dead process's.
            if os.fstat(number).st_nlink:
                return cls(path, number)
            os.close(number)

    def append(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.number, data) :]

    def close(self, remove: bool) -> None:
        if remove:
            self.path.unlink(missing_ok=True)
        os.close(self.number)


def left_behind(folder: Path | None) -> Iterator[list[dict[str, Any]]]:
    """Yield what each process that died left in a model's folder; it is removed when the next is asked for.

    A line that is cut short or damaged is left out: its reply is asked for again.
    """
    for path in sorted(folder.glob(f"*{_SUFFIX}")) if folder else ():
        with _taken(path) as file:
            if file is not None:
                yield list(_rows(file.read()))
                path.unlink(missing_ok=True)


def _rows(data: bytes) -> Iterator[dict[str, Any]]:
    for line in data.split(b"\n")[:-1]:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict):
            yield row


@contextmanager
def _taken(path: Path) -> Iterator[IO[bytes] | None]:
    """Yield a file that nobody holds, locked; None where a living process holds it, or it is gone."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        yield None
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
        else:
            yield file if os.fstat(file.fileno()).st_nlink else None
