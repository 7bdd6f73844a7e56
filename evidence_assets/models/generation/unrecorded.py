"""Replies that are not in the lake yet: each is a line of a file as soon as it comes; a kill loses none.

A process holds its file locked while it lives. What one that died left behind is taken over by whoever asks
the same model next.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from evidence_assets.lake.full_disk import told_when_full

_SUFFIX = ".replies"


class UnrecordedReplies:
    """A file of replies, each as its row of `generations`, in a folder of the model's own.

    `folder`: None keeps nothing. The file is there from the first reply until `close`.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._file: int | None = None
        self._path: Path | None = None

    def add(self, row: Mapping[str, Any]) -> None:
        """Keep a reply.

        Raises:
            FullDiskError: the disk takes no more.
        """
        if self._folder is None:
            return
        line = json.dumps(row).encode() + b"\n"
        with told_when_full(self._folder):
            if self._file is None:
                self._file = self._locked(self._folder)
            while line:
                line = line[os.write(self._file, line) :]

    def clear(self) -> None:
        """Forget what was kept: it stands in the lake."""
        if self._file is not None:
            os.ftruncate(self._file, 0)

    def close(self) -> None:
        """Remove the file, unless replies are left in it."""
        if self._file is None or self._path is None:
            return
        if not os.fstat(self._file).st_size:
            self._path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = None

    def _locked(self, folder: Path) -> int:
        """Return a new file, locked; one that was taken for a dead process's, being empty, is made anew."""
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            self._path = folder / f"{secrets.token_hex(8)}{_SUFFIX}"
            # Each line goes behind the last, also after `clear`.
            file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o600)
            fcntl.flock(file, fcntl.LOCK_EX)
            if os.fstat(file).st_nlink:
                return file
            os.close(file)


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
