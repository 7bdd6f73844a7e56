"""One interface to local folders and object stores, with writes that appear whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote

import fsspec
from fsspec.implementations.local import LocalFileSystem

_TEMPORARY_SUFFIX = ".tmp"


def resolve_root(uri: str) -> tuple[Any, str]:
    """Return the fsspec filesystem of a root URI and the root's path on it, without a trailing slash."""
    # Other processes write too: a remembered listing would show files that are gone, or hide new ones.
    filesystem, path = fsspec.core.url_to_fs(uri, use_listings_cache=False)
    return filesystem, path.rstrip("/")


def is_local(filesystem: Any) -> bool:
    """Tell whether the filesystem is this machine's own."""
    return isinstance(filesystem, LocalFileSystem)


def safe_path_part(value: str) -> str:
    """Escape a partition value so that it is exactly one path part, whatever it holds.

    Raises:
        ValueError: the value is empty, which no folder name can be.
    """
    if not value:
        raise ValueError("a partition value must not be empty: give it a name")
    escaped = quote(value, safe="@+-_~")
    # quote leaves dots alone; "." and ".." would walk the tree, and a leading dot would hide the folder.
    return escaped.replace(".", "%2E") if escaped.startswith(".") else escaped


def unescape_path_part(part: str) -> str:
    """Return the value that `safe_path_part` escaped."""
    return unquote(part)


@contextmanager
def atomic_output(filesystem: Any, path: str) -> Iterator[IO[bytes]]:
    """Yield a binary file that becomes `path` when the block ends, and leaves nothing when it fails.

    Locally: a temporary file in the same folder, fsync, rename, fsync of the folder. In an object store:
    a local temporary file uploaded in one call, which the store shows only when it is complete.
    """
    if is_local(filesystem):
        with _atomic_local_output(Path(path)) as file:
            yield file
        return
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
        staged = Path(folder) / "upload"
        with staged.open("w+b") as file:
            yield file
        filesystem.put_file(str(staged), path)
        filesystem.invalidate_cache()


@contextmanager
def _atomic_local_output(path: Path) -> Iterator[IO[bytes]]:
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path.parent)
    temporary = path.parent / f".{path.name}.{socket.gethostname()}.{os.getpid()}{_TEMPORARY_SUFFIX}"
    try:
        with temporary.open("w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_leftovers(folder: Path) -> None:
    """Remove temporary files of processes of this machine that no longer run (killed in the middle)."""
    host = re.escape(socket.gethostname())
    temporary_name = re.compile(rf"\..+\.{host}\.(\d+){re.escape(_TEMPORARY_SUFFIX)}")
    for leftover in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        match = temporary_name.fullmatch(leftover.name)
        if match is not None and not _is_running(int(match[1])):
            leftover.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return True


def write_bytes(filesystem: Any, path: str, data: bytes) -> None:
    """Write a small file atomically; a file that already holds these bytes is left untouched."""
    if filesystem.exists(path) and filesystem.cat_file(path) == data:
        return
    with atomic_output(filesystem, path) as file:
        file.write(data)


def copy_in(filesystem: Any, local: Path, path: str) -> None:
    """Copy a local file to `path` atomically."""
    with local.open("rb") as source, atomic_output(filesystem, path) as target:
        shutil.copyfileobj(source, target, length=1 << 20)


@contextmanager
def local_copy(filesystem: Any, path: str) -> Iterator[Path]:
    """Yield a local path with the file's content: the file itself where it is local, else a copy."""
    if is_local(filesystem):
        yield Path(path)
        return
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
        target = Path(folder) / "download"
        filesystem.get_file(path, str(target))
        yield target
