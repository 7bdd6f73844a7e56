"""A disk that takes no more: which folder is full, and what to do."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evidence_assets.lake.locations import default_root

# No room, a user's share used up, a file greater than is allowed.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
# Libraries that are no Python, DuckDB and FAISS, tell it in words alone.
_IN_WORDS = tuple(os.strerror(number) for number in _FULL)
# The variables that name the folders which runs write to.
_LEADING = ("EVIDENCE_LAKE", "EVIDENCE_CACHE", "DAGSTER_HOME", "TMPDIR")


class FullDiskError(OSError):
    """A folder's disk takes no more: names the folder and the remedy."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(
            f"{folder}: the disk is full; remedy: make room there, or set {', '.join(_LEADING[:-1])} or "
            f"{_LEADING[-1]}, whichever leads there, to a folder on another disk; then start the same again: "
            "what was made stays"
        )


@contextmanager
def told_when_full(folder: Path | str) -> Iterator[None]:
    """Have what cannot be written to a folder, since its disk is full, end in an error that says so.

    Raises:
        FullDiskError: the disk is full.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            # Whoever looks for the first cause wants the remedy.
            raise FullDiskError(folder) from None
        raise


def full_disk(error: BaseException) -> FullDiskError | None:
    """Return what to say of an error that a full disk caused; None where it is another's.

    Where the error does not tell the folder, it is the one with least room of those that runs write to.
    """
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, FullDiskError):
            return cause
        if _is_of_full_disk(cause):
            named = [os.environ.get(name, "") for name in ("EVIDENCE_CACHE", "DAGSTER_HOME")]
            named = [default_root(), *named, tempfile.gettempdir()]
            folders = [folder for folder in named if folder and Path(folder).is_dir()]
            return FullDiskError(min(folders, key=lambda folder: shutil.disk_usage(folder).free))
        cause = cause.__cause__ or cause.__context__
    return None


def _is_of_full_disk(error: BaseException) -> bool:
    if isinstance(error, sqlite3.OperationalError):
        return "disk is full" in str(error)
    if isinstance(error, OSError):
        return error.errno in _FULL
    return any(words in str(error) for words in _IN_WORDS)
