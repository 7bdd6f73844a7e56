"""One interface to local folders and object stores, with writes that appear whole or not at all."""

from __future__ import annotations

import fcntl
import filecmp
import hashlib
import os
import re
import shutil
import socket
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote, unquote

import fsspec
from fsspec.implementations.local import LocalFileSystem

from evidence_assets.lake.conditional_writes import entity_tag, knows_conditions, upload_if_unchanged
from evidence_assets.lake.full_disk import told_when_full
from evidence_assets.lake.locations import check_folder

_TEMPORARY_SUFFIX = ".tmp"
# What stores say of a file that another content changes; a size alone would not be enough.
_CHANGING = ("ETag", "LastModified", "mtime", "created")


def resolve_root(uri: str) -> tuple[Any, str]:
    """Return the fsspec filesystem of a root URI and the root's path on it, without a trailing slash.

    Raises:
        LookupError: nothing is installed that opens such a URI, or a file stands where the folder should be.
    """
    try:
        # Other processes write too: a remembered listing would show files that are gone, or hide new ones.
        filesystem, path = fsspec.core.url_to_fs(uri, use_listings_cache=False, **_store_options(uri))
    except (ValueError, ImportError) as error:
        raise LookupError(
            f"{uri} cannot be opened: {error}; remedy: name a folder or a store, s3://bucket/folder, or "
            "install what opens such addresses"
        ) from error
    if is_local(filesystem):
        check_folder(Path(path), "EVIDENCE_LAKE")
    return filesystem, path.rstrip("/")


def _store_options(uri: str) -> dict[str, Any]:
    """Return what opens a store beside its address."""
    return {"session": _session()} if uri.startswith(("s3://", "s3a://")) else {}


@cache
def _session() -> Any:
    """Return the session that S3 clients are made by: it reads times as ISO 8601 where they are.

    A listing tells a time a file; by botocore's own parser, which takes any wording, they are two thirds of
    what a listing costs.
    """
    from aiobotocore.session import AioSession
    from botocore.utils import parse_timestamp

    def parsed(value: Any) -> datetime:
        try:
            return datetime.fromisoformat(value)
        except (TypeError, ValueError):
            return parse_timestamp(value)  # type: ignore[no-any-return]

    session = AioSession()
    session.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=parsed)
    return session


def is_local(filesystem: Any) -> bool:
    """Tell whether the filesystem is this machine's own."""
    return isinstance(filesystem, LocalFileSystem)


@lru_cache(maxsize=1 << 14)
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
def atomic_output(filesystem: Any, path: str, exclusive: bool = False) -> Iterator[IO[bytes]]:
    """Yield a binary file that becomes `path` when the block ends, and leaves nothing when it fails.

    Locally as `local_output`. In an object store: a local temporary file uploaded in one call, which the
    store shows only when it is complete.

    `exclusive`: of two writers at once only one may write, where the store knows conditional writes.

    Raises:
        ConcurrentWriteError: another wrote `path` since the block began.
        FullDiskError: the local disk takes no more.
    """
    if is_local(filesystem):
        with local_output(Path(path)) as file:
            yield file
        return
    conditional = exclusive and knows_conditions(filesystem)
    before = entity_tag(filesystem, path) if conditional else None
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder, told_when_full(folder):
        staged = Path(folder) / "upload"
        with staged.open("w+b") as file:
            yield file
        if conditional:
            upload_if_unchanged(filesystem, staged, path, before)
        else:
            filesystem.put_file(str(staged), path)
        filesystem.invalidate_cache()


@contextmanager
def local_output(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary file that becomes local `path` when the block ends, and leaves nothing when it fails.

    A temporary file in the same folder, fsync, rename, fsync of the folder, which is made if it is not there.
    It may be written by its name instead. What a killed process left in the folder is removed.

    Raises:
        FullDiskError: the disk takes no more.
    """
    with told_when_full(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path.parent)
        temporary = _temporary(path)
        try:
            with temporary.open("w+b") as file:
                yield file
            # By its path: a library that was given the file's name may have put another file there.
            _sync(temporary)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        _sync(path.parent)


def _temporary(path: Path) -> Path:
    """Return where this process prepares what is to become `path`."""
    return path.parent / f".{path.name}.{socket.gethostname()}.{os.getpid()}{_TEMPORARY_SUFFIX}"


def _sync(path: Path) -> None:
    """Have a folder's entries, or a closed file's bytes, stand on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_leftovers(folder: Path) -> None:
    """Remove what processes of this machine prepared that no longer run (killed in the middle)."""
    host = re.escape(socket.gethostname())
    temporary_name = re.compile(rf"\..+\.{host}\.(\d+){re.escape(_TEMPORARY_SUFFIX)}")
    for leftover in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        match = temporary_name.fullmatch(leftover.name)
        if match is not None and not _is_running(int(match[1])):
            _remove(leftover)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # another user's
    return True


@contextmanager
def locked(filesystem: Any, path: str) -> Iterator[None]:
    """Hold what `path` names against other processes, by a hidden file beside it; not in an object store."""
    if not is_local(filesystem):
        yield
        return
    lock = Path(path).with_name(f".{Path(path).name}.lock")
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write_bytes(filesystem: Any, path: str, data: bytes) -> None:
    """Write a small file atomically; a file that already holds these bytes is left untouched."""
    if filesystem.exists(path) and filesystem.cat_file(path) == data:
        return
    with atomic_output(filesystem, path) as file:
        file.write(data)


def read_files(filesystem: Any, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the bytes of those files that there are; an object store is asked for many at a time."""
    if is_local(filesystem):
        return {path: Path(path).read_bytes() for path in paths if Path(path).exists()}
    # Ranges, to the end: of whole files the store would be asked for the size first.
    contents = filesystem.cat_ranges(list(paths), 0, None, on_error="return")
    for content in contents:
        if isinstance(content, Exception) and not isinstance(content, FileNotFoundError):
            raise content
    pairs = zip(paths, contents, strict=True)
    return {path: content for path, content in pairs if isinstance(content, bytes)}


def write_files(filesystem: Any, files: Mapping[str, bytes]) -> None:
    """Write small files, each atomically; those that already hold these bytes are left untouched."""
    standing = read_files(filesystem, list(files))
    differing = {path: content for path, content in files.items() if standing.get(path) != content}
    if not is_local(filesystem):
        if differing:
            filesystem.pipe(differing)
        return
    for path, content in differing.items():
        write_bytes(filesystem, path, content)


def sized_files_named(filesystem: Any, folder: str, name: str, depth: int) -> Iterator[tuple[str, int]]:
    """Yield the path and the size in bytes of each file of this name.

    They are `depth` folders below `folder`, which need not be there.
    """
    if is_local(filesystem):
        yield from ((path, status.st_size) for path, status in _local_files(folder, name, depth))
        return
    for path, info in filesystem.find(folder, detail=True).items():
        if _is_named(path, folder, name, depth):
            yield path, int(info["size"])


def stamped_files_named(filesystem: Any, folder: str, name: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the paths of `sized_files_named`, with what the file system says that another content changes.

    An empty stamp: it says nothing.
    """
    if is_local(filesystem):
        for path, status in _local_files(folder, name, depth):
            yield path, f"{status.st_ino} {status.st_mtime_ns} {status.st_size}"
        return
    for path, info in filesystem.find(folder, detail=True).items():
        if _is_named(path, folder, name, depth):
            known = [str(info[field]) for field in _CHANGING if info.get(field) is not None]
            yield path, " ".join(known)


def _is_named(path: str, folder: str, name: str, depth: int) -> bool:
    return path.endswith(f"/{name}") and path.removeprefix(folder).count("/") == depth + 1


def _local_files(folder: str, name: str, depth: int) -> Iterator[tuple[str, os.stat_result]]:
    """Yield files of a name. Of the deepest folders none is listed: a lake has as many as it has files."""
    folders = [folder]
    for _ in range(depth):
        folders = [path for parent in folders for path in _entries(parent)]
    for parent in folders:
        path = f"{parent}/{name}"
        try:
            yield path, os.stat(path)  # noqa: PTH116
        except (FileNotFoundError, NotADirectoryError):
            continue


def _entries(folder: str) -> list[str]:
    """Return the paths of what is in a folder; of none that was removed while it was listed, or is a file."""
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries]
    except (FileNotFoundError, NotADirectoryError):
        return []


def literal_pattern(path: str) -> str:
    """Escape what a glob would take for a pattern."""
    return re.sub(r"([*?\[])", r"[\1]", path)


@dataclass(slots=True)
class Folder:
    """A lake's folder, for whoever reads its files without its tables."""

    filesystem: Any
    path: str

    @classmethod
    def of(cls, root: str) -> Folder:
        """Return the folder of a root URI."""
        return cls(*resolve_root(root))


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of a folder that was written: its name, its size in bytes and the hash of its bytes."""

    name: str
    size: int
    content_hash: str


def replace_folder(filesystem: Any, path: str, files: Iterable[tuple[str, bytes]]) -> list[StoredFile]:
    """Replace a folder's files by these, (name, content) each, and return what was stored.

    Locally a reader sees the old folder or the new one, never a part of either: the files are written to a
    folder beside it, synchronised, and renamed. A folder that already holds exactly these files is left
    untouched. An object store renames nothing: there, files are replaced one by one in the order given, and
    what is no longer named is removed last.

    Raises:
        ValueError: a name is no plain file name.
        FullDiskError: the local disk takes no more.
    """
    if is_local(filesystem):
        with told_when_full(Path(path).parent):
            return _replace_local_folder(Path(path), files)
    stored = []
    for name, content in files:
        write_bytes(filesystem, f"{path}/{_plain(name)}", content)
        stored.append(_stored(name, content))
    names = {file.name for file in stored}
    for stored_path in filesystem.find(path):
        if stored_path.rpartition("/")[2] not in names:
            filesystem.rm_file(stored_path)
    return stored


def _plain(name: str) -> str:
    if not name or name != Path(name).name or name.startswith("."):
        raise ValueError(f"{name!r} is no plain file name: give a name without folders or a leading dot")
    return name


def _stored(name: str, content: bytes) -> StoredFile:
    return StoredFile(name, len(content), bytes_hash(content))


def bytes_hash(content: bytes) -> str:
    """Return the 32-digit hexadecimal hash of a file's bytes."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _replace_local_folder(path: Path, files: Iterable[tuple[str, bytes]]) -> list[StoredFile]:
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path.parent)
    temporary, retired = _temporary(path), _temporary(path.with_name(f"{path.name}.before"))
    try:
        temporary.mkdir()
        stored = []
        for name, content in files:
            (temporary / _plain(name)).write_bytes(content)
            stored.append(_stored(name, content))
        if _holds_the_same(path, temporary):
            _remove(temporary)
            return stored
        for file in temporary.iterdir():
            _sync(file)
        _sync(temporary)
        if path.exists():
            path.replace(retired)
        temporary.replace(path)
    except BaseException:
        _remove(temporary)
        raise
    _sync(path.parent)
    _remove(retired)
    return stored


def _holds_the_same(path: Path, other: Path) -> bool:
    """Tell whether two folders hold the same files, by their names and bytes."""
    if not path.is_dir():
        return False
    names = sorted(file.name for file in path.iterdir())
    if names != sorted(file.name for file in other.iterdir()):
        return False
    return filecmp.cmpfiles(path, other, names, shallow=False)[0] == names


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
