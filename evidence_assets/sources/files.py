"""Opens source files through one interface: local paths, globs, `s3://`, `hf://`, members of archives.

A URI is whatever fsspec takes: a path, `s3://bucket/key`, `hf://datasets/owner/name/file`, or a chain such
as `zip://inner/path.txt::/path/to/archive.zip`. Compression is inferred from the suffix.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from fsspec.core import url_to_fs

from evidence_assets.sources.allowed_places import INSTEAD, why_not_opened
from evidence_assets.sources.records import MissingFileError, RejectedRecord, UnusableSourceError
from evidence_assets.sources.withheld import as_written, error_as_written

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

BUFFER_BYTES = 256 * 1024
# A compressed file of a few kilobytes can hold a line of gigabytes.
LONGEST_LINE = 1 << 26
LARGEST_WHOLE = 1 << 28
COMPRESSION_SUFFIXES = frozenset({".bz2", ".gz", ".xz", ".zst"})
# A record names so many files of a folder: some hundred bytes each.
MOST_NAMED = 10_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_GLOB_CHARACTER = re.compile(r"[*?\[]")
_OPENED: ContextVar[dict[str, None] | None] = ContextVar("opened files", default=None)
# What stores call the identity of an object's content, the surest first.
CONTENT_IDENTITIES = ("xet_hash", "lfs", "blob_id", "VersionId", "ETag", "etag", "md5Hash", "content_md5")


class BrokenReadError(UnusableSourceError):
    """A file opened, and then stopped giving bytes: truncated, damaged, or its store went away."""

    def after(self, record: str) -> UnusableSourceError:
        """The same failure, placed after the last record that was read."""
        return UnusableSourceError(self.file, f"after {record}", self.reason, self.remedy)


class NamedFile(NamedTuple):
    """One file that a URI matches, and its name relative to the folder, or to the fixed part of the glob."""

    uri: str
    name: str


class Contents(NamedTuple):
    """What a URI's files hold: a string for all of them, and of several the name and fingerprint of each.

    Of more than `MOST_NAMED` files none is named.
    """

    fingerprint: str
    files: tuple[tuple[str, str], ...] = ()


class Line(NamedTuple):
    """One line of a text file: its number from 1, and its text without the line end."""

    number: int
    text: str

    @property
    def place(self) -> str:
        """What messages call it."""
        return f"line {self.number}"


class _CheckedBytes(io.RawIOBase):
    """Bytes of an opened file, whose failures name the file and the place."""

    def __init__(self, source: IO[bytes], uri: str) -> None:
        self._source, self._uri, self._given = source, uri, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._source.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        self._given = self._source.seek(offset, whence)
        return self._given

    def tell(self) -> int:
        return self._source.tell()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer)
        try:
            data = self._source.read(len(view))
        # Every store and every compression fails with exceptions of its own.
        except Exception as error:
            raise BrokenReadError(
                self._uri,
                f"after byte {self._given}",
                f"cannot be read on ({type(error).__name__}: {error})",
                "fetch the file again: it is truncated or damaged, or its store does not answer",
            ) from error_as_written(error)
        view[: len(data)] = data
        self._given += len(data)
        return len(data)


@contextmanager
def open_binary(uri: str) -> Iterator[io.BufferedReader]:
    """Open one file for reading, decompressed where its suffix says so.

    Raises:
        UnusableSourceError: the file is missing, may not be read, or cannot be opened; while reading, as its
            subclass BrokenReadError, the file is truncated or damaged.
    """
    with ExitStack() as opened:
        with _failures_named(uri):
            _check_links(uri)
            filesystem, path = url_to_fs(uri)
            stored = opened.enter_context(filesystem.open(path, "rb"))
            source = opened.enter_context(_decompressed(stored, path))
        if (noted := _OPENED.get()) is not None:
            noted[uri] = None
        checked = cast(io.RawIOBase, _CheckedBytes(source, uri))
        yield opened.enter_context(io.BufferedReader(checked, BUFFER_BYTES))


@contextmanager
def opened_files() -> Iterator[Mapping[str, None]]:
    """Note the URI of every file that is opened within, once each."""
    opened: dict[str, None] = {}
    token = _OPENED.set(opened)
    try:
        yield opened
    finally:
        _OPENED.reset(token)


def files_beside(written: str, located: str, opened: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the opened files that a URI does not name: as a configuration would write each, and its URI.

    `written`: the URI as the configuration has it; `located`: the same ready to open. A member of the same
    archive changes with the archive.
    """
    archive, named = located.partition("::")[2], set(list_files(located))
    for uri in sorted(set(opened) - named):
        if not archive or uri.partition("::")[2] != archive:
            yield as_configured(uri, written, located), uri


def as_configured(uri: str, written: str, located: str) -> str:
    """Return the URI of a file as a configuration would write it, given how it writes what lies beside.

    `written`: the URI as the configuration has it; `located`: the same ready to open.
    """
    archive = located.partition("::")[2]
    member, _, of_archive = uri.partition("::")
    if archive and of_archive == archive:
        return f"{member}::{written.partition('::')[2]}"
    if "://" in located or "://" in uri:
        return as_written(uri)
    from_here = os.path.relpath(uri, PurePosixPath(located).parent)
    protocol, separator, path = written.rpartition("://")
    return f"{protocol}{separator}{os.path.normpath(PurePosixPath(path).parent / from_here)}"


def byte_lines(uri: str) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of every line from 1, with its line end.

    Raises:
        UnusableSourceError: the file is missing, a line is too long to hold, or the file breaks off: then
            the last line read is named.
    """
    number = 0
    with open_binary(uri) as stream:
        try:
            while line := stream.readline(LONGEST_LINE):
                if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                    raise UnusableSourceError(
                        uri,
                        f"line {number + 1}",
                        f"longer than {LONGEST_LINE:,} bytes",
                        "cut the line, or name the reader that fits the file",
                    )
                number += 1
                yield number, line
        except BrokenReadError as error:
            raise error.after(f"line {number}") from error


def read_whole(uri: str, most: int = LARGEST_WHOLE) -> bytes:
    """The content of a file that is not read in parts.

    Raises:
        UnusableSourceError: the file is missing, breaks off, or holds more than `most` bytes.
    """
    with open_binary(uri) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        remedy = "cut it into several files"
        raise UnusableSourceError(uri, "the whole file", f"larger than {most:,} bytes", remedy)
    return content


def text_lines(uri: str) -> Iterator[Line | RejectedRecord]:
    """Every line, without its line end; one that is not UTF-8 is rejected.

    Raises:
        UnusableSourceError: the file is missing, or breaks off: then the last line read is named.
    """
    for number, line in byte_lines(uri):
        yield decoded_line(number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line)


def decoded_line(number: int, line: bytes) -> Line | RejectedRecord:
    """A line without its line end, or its rejection where it is not UTF-8."""
    try:
        return Line(number, line.decode("utf-8").rstrip("\r\n"))
    except UnicodeDecodeError as error:
        return RejectedRecord(
            f"line {number}",
            f"byte {error.start + 1} of the line, 0x{line[error.start]:02x}, is not UTF-8",
            "correct the line, or save the file as UTF-8",
        )


def list_files(uri: str) -> list[str]:
    """The URIs of `named_files`.

    Raises:
        UnusableSourceError: there is no such file, or none in the folder.
    """
    return [file.uri for file in named_files(uri)]


def named_files(uri: str) -> list[NamedFile]:
    """The files that a path, a folder or a glob matches, by name.

    Raises:
        UnusableSourceError: there is no such file, or none in the folder, or one of them may not be read.
    """
    outer, chained, inner = uri.partition("::")
    if chained and "://" not in outer:
        # A caching layer, `simplecache::s3://...`: the files are those of the store behind it.
        return [NamedFile(f"{outer}::{file.uri}", file.name) for file in named_files(inner)]
    filesystem, _, root, files = _found(uri)
    return [NamedFile(_concrete(uri, filesystem, file), _relative(file, root)) for file in files]


class _Found(NamedTuple):
    """What a URI names: its file system and path, the folder that names are relative to, its files' paths."""

    filesystem: Any
    path: str
    root: str
    files: list[str]


def _found(uri: str) -> _Found:
    with _failures_named(uri):
        filesystem, path = url_to_fs(uri)
        # Listings are cached by the process, and a long-lived one would miss files that came later.
        filesystem.invalidate_cache()
        root, paths = _matching(filesystem, path)
        empty = not paths and filesystem.isdir(path)
    if empty:
        raise MissingFileError(
            uri, "before the first record", "the folder holds no file", "put files into it, or name another"
        )
    if not paths:
        raise _missing(uri)
    if _is_local(filesystem):
        with _failures_named(uri):
            for file in paths:
                _check_links(file)
    return _Found(filesystem, path, root, sorted(paths))


def uncompressed_name(name: str) -> PurePosixPath:
    """The name of a file without the suffix of a compression."""
    path = PurePosixPath(name)
    return path.with_suffix("") if path.suffix.lower() in COMPRESSION_SUFFIXES else path


def is_hidden(name: str) -> bool:
    """Tell whether a file of a folder, or a folder that it is in, is hidden."""
    return any(part.startswith(".") for part in PurePosixPath(name).parts)


def fingerprint(uri: str) -> str:
    """The fingerprint of `contents_of`.

    Raises:
        UnusableSourceError: there is no such file, or it cannot be read.
    """
    return contents_of(uri).fingerprint


def contents_of(uri: str) -> Contents:
    """A string that changes when the content of a file, folder or glob changes, with those of its files.

    Local files give the SHA-256 of their bytes; several files that of their relative names and fingerprints,
    but for hidden ones of a folder, which nothing reads.
    A remote store's own content identity (ETag, version, hash) is taken with the size, else the bytes are
    read. A member of an archive changes with its whole archive.

    Raises:
        UnusableSourceError: there is no such file, or it cannot be read.
    """
    outer, chained, inner = uri.partition("::")
    if chained:
        return Contents(f"chain:{_sha256_of_lines([outer, fingerprint(inner)])}")
    filesystem, path, root, files = _found(uri)
    if filesystem.isfile(path):
        return Contents(_file_fingerprint(uri, filesystem, path))
    # Desktops and editors leave hidden files in folders, and write them whenever somebody looks.
    is_folder = filesystem.isdir(path)
    each = tuple(
        (_relative(file, root), _file_fingerprint(_concrete(uri, filesystem, file), filesystem, file))
        for file in files
        if not (is_folder and is_hidden(_relative(file, root)))
    )
    digest = _sha256_of_lines([f"{name}\0{content}" for name, content in each])
    return Contents(f"files:{digest}", each if len(each) <= MOST_NAMED else ())


@contextmanager
def _failures_named(uri: str) -> Iterator[None]:
    try:
        yield
    except UnusableSourceError:
        raise
    except FileNotFoundError as error:
        raise _missing(uri) from error_as_written(error)
    except IsADirectoryError as error:
        remedy = "name a file in it, or all of a kind by a pattern: FOLDER/*.jsonl"
        raise UnusableSourceError(
            uri, "before the first record", "it is a folder", remedy
        ) from error_as_written(error)
    except PermissionError as error:
        remedy = "give yourself the right to read it, or name another"
        raise UnusableSourceError(
            uri, "before the first record", f"it may not be read ({error.strerror})", remedy
        ) from error_as_written(error)
    # Every store fails with exceptions of its own: credentials, network, unknown protocols, broken archives.
    except Exception as error:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"cannot be opened ({type(error).__name__}: {error})",
            "check the address, the access rights and the connection",
        ) from error_as_written(error)


def _missing(uri: str) -> MissingFileError:
    return MissingFileError(
        uri, "before the first record", "no such file", "correct the path or the glob, or fetch the file"
    )


def _check_links(uri: str) -> None:
    if reason := why_not_opened(uri):
        raise UnusableSourceError(uri, "before the first record", reason, INSTEAD)


def _decompressed(stored: IO[bytes], path: str) -> IO[bytes]:
    match PurePosixPath(path).suffix.lower():
        case ".bz2":
            return cast(IO[bytes], bz2.BZ2File(stored))
        case ".gz":
            return cast(IO[bytes], gzip.GzipFile(fileobj=stored))
        case ".xz":
            return cast(IO[bytes], lzma.LZMAFile(stored))
        case ".zst":
            import pyarrow as pa

            return cast(IO[bytes], pa.CompressedInputStream(stored, "zstd"))
        case _:
            return stored


def _matching(filesystem: Any, path: str) -> tuple[str, list[str]]:
    """The folder that names are relative to, and the paths of the files."""
    try:
        kind = filesystem.info(path)["type"]
    except FileNotFoundError:
        if not _GLOB_CHARACTER.search(path):
            raise
        entries = filesystem.glob(path, detail=True)
        fixed = _GLOB_CHARACTER.split(path, maxsplit=1)[0]
        return fixed.rpartition("/")[0], [name for name, entry in entries.items() if entry["type"] == "file"]
    if kind == "directory":
        return path.rstrip("/"), list(filesystem.find(path))
    return path.rpartition("/")[0], [path]


def _relative(path: str, root: str) -> str:
    return path.removeprefix(root).lstrip("/")


def _concrete(uri: str, filesystem: Any, path: str) -> str:
    outer, chained, inner = uri.partition("::")
    if chained:
        protocol = outer.partition("://")[0]
        return f"{protocol}://{path}::{inner}"
    return path if _is_local(filesystem) else str(filesystem.unstrip_protocol(path))


def _is_local(filesystem: Any) -> bool:
    return "file" in filesystem.protocol


def content_fingerprint(content: bytes) -> str:
    """Return the `fingerprint` of a local file that holds these bytes."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _file_fingerprint(uri: str, filesystem: Any, path: str) -> str:
    """The fingerprint of one file, which failures name by its URI."""
    with _failures_named(uri):
        if not _is_local(filesystem):
            identity = _store_identity(filesystem.info(path))
            if identity:
                return f"store:{_sha256_of_lines(identity)}"
        with filesystem.open(path, "rb") as stream:
            digest = hashlib.file_digest(stream, "sha256")
    return f"sha256:{digest.hexdigest()}"


def _store_identity(info: Mapping[str, object]) -> list[str]:
    identities = [f"{name}={info[name]}" for name in CONTENT_IDENTITIES if info.get(name)]
    return [f"size={info.get('size')}", *identities] if identities else []


def _sha256_of_lines(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
