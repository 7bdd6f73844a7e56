"""Current fingerprints of source files, by the URIs recorded in the lake."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from evidence_assets.lake.filesystem import local_output
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import MissingFileError, UnusableSourceError
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.file_changes import GONE, UNREADABLE

_SECONDS_BETWEEN_REMOTE_LOOKS = 3600.0
# Two writings within what a file system tells apart have one time.
_SETTLED_SECONDS = 2.0


@dataclass
class FingerprintMemory:
    """What files held when they were last read: one whose names, sizes and times stand is not read again.

    A file elsewhere is asked for once an hour.
    """

    known: dict[str, tuple[str, str]] = field(default_factory=dict)

    def fingerprint(self, uri: str) -> str:
        """Return a file's fingerprint.

        Raises:
            UnusableSourceError: there is no such file, or it cannot be read.
        """
        from evidence_assets.sources.files import fingerprint

        before = self.known.pop(uri, None)
        signature = file_signature(uri)
        if before is None or before[0] != signature:
            before = signature, fingerprint(uri)
        self.known[uri] = before
        return before[1]

    def as_read(self) -> str:
        """Return names, sizes and times of all files as they were when they were read."""
        return "\n".join(signature for _, (signature, _) in sorted(self.known.items()))

    def as_they_stand(self) -> str:
        """Return what `as_read` would if all files were read now."""
        return "\n".join(_signature_or_gone(uri) for uri in sorted(self.known))


class KeptFingerprints:
    """A `FingerprintMemory` that a file keeps from one command to the next; without the file, an empty one.

    What was written a moment before it was read is not kept: a second edit might leave its time as it is.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._memory = path, FingerprintMemory()
        self._before: dict[str, list[str]] = {}

    def __enter__(self) -> FingerprintMemory:
        try:
            self._before = json.loads(self._path.read_text(encoding="utf-8"))
            self._memory.known = {uri: (signature, read) for uri, (signature, read) in self._before.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            # It was never written, or is damaged: everything is read once.
            self._before = {}
        return self._memory

    def __exit__(self, *_: object) -> None:
        latest = time.time() - _SETTLED_SECONDS
        kept = {
            uri: [signature, read]
            for uri, (signature, read) in self._memory.known.items()
            if _written_before(signature, latest)
        }
        if kept == self._before:
            return
        # A folder that takes no file, a full disk: the files are read again the next time.
        with suppress(OSError), local_output(self._path) as file:
            file.write(json.dumps(kept).encode())


def _written_before(signature: str, latest: float) -> bool:
    """Tell whether all files of a signature are local, and were written before a time."""
    try:
        return max(int(line.rsplit(" ", 2)[1]) for line in signature.splitlines()) / 1e9 < latest
    except (IndexError, ValueError):
        return False


def _signature_or_gone(uri: str) -> str:
    try:
        return file_signature(uri)
    except (UnusableSourceError, ConfigurationError):
        return f"{uri}: {GONE}"


def file_signature(uri: str) -> str:
    """Return names, sizes and times of the local files of a URI; of one elsewhere, the hour.

    Raises:
        UnusableSourceError: there is no such file.
    """
    from evidence_assets.sources.files import named_files

    path = uri.removeprefix("file://")
    if "://" in path or "::" in path:
        return f"{time.time() // _SECONDS_BETWEEN_REMOTE_LOOKS:.0f}"
    return "\n".join(_signature_of(Path(file.uri.removeprefix("file://"))) for file in named_files(uri))


def _signature_of(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return f"{path}: {GONE}"
    # Programs give files whatever time they like, one to come too; when one was written the system says.
    return f"{path}: {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def sources_signature(project: Project) -> str:
    """Return what changes when any local file that the configuration names changes, read or not."""
    return "\n".join(_signatures(project))


def _signatures(project: Project) -> Iterator[str]:
    yield _signature_of(project.location)
    sources = project.sources
    named = [shard.uri for shard in project.shards.values()]
    named += [project.locate(source.uri) for source in sources.benchmarks.values()]
    named += [project.locate(source.uri) for graph in sources.graphs.values() for source in graph.sources]
    yield from map(_signature_or_gone, named)
    if project.seeds_folder is not None:
        yield from (_signature_of(path) for path in sorted(project.seeds_folder.glob("*.yaml")))


def source_fingerprint(
    project: Project, memory: FingerprintMemory | None = None
) -> Callable[[Stage, Key, str], str | None]:
    """Return a function from a recorded URI to the file's current fingerprint, each read once.

    `memory`: files that stand as they did when it was filled are not read again.
    """
    from evidence_assets.sources.files import fingerprint

    read = fingerprint if memory is None else memory.fingerprint
    fingerprints: dict[str, str | None] = {}

    def current(stage: Stage, key: Key, uri: str) -> str | None:
        if uri not in fingerprints:
            try:
                fingerprints[uri] = read(project.locate(uri))
            except (UnusableSourceError, ConfigurationError) as error:
                # What is missing is stale, so that the run reports it. URIs that are no files, such as the
                # names of models, have no fingerprint.
                lost = GONE if isinstance(error, MissingFileError) else UNREADABLE
                fingerprints[uri] = lost if stage.files and not stage.models else None
        return fingerprints[uri]

    return current


def source_files(project: Project) -> Callable[[str], Mapping[str, str]]:
    """Return a function from a recorded URI to the files of the folder that it names, each with its content.

    Without any where it names one file, or cannot be read.
    """
    from evidence_assets.sources.files import contents_of

    def files(uri: str) -> Mapping[str, str]:
        try:
            return dict(contents_of(project.locate(uri)).files)
        except (UnusableSourceError, ConfigurationError):
            return {}

    return files
