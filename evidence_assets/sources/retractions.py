"""What was retracted: articles, triples and tables that are left out whenever their sources are read.

They stand in the lake, `retracted.jsonl`, and not in the sources, which may be other people's files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.lake.ids import combined_hash
from evidence_assets.sources.specifications import ConfigurationError

if TYPE_CHECKING:
    from evidence_assets.lake.lake import FileStore

ARTICLE, TRIPLE, TABLE = "article", "triple", "table"
FILE_NAME = "retracted.jsonl"
# Why a record is rejected that was retracted.
RETRACTED = "it was retracted"


@dataclass(frozen=True, slots=True, order=True)
class Retraction:
    """One thing that is left out. `place`: the shard, the graph or the benchmark that it is read for.

    `name`: what people call it, its key in its source; "" where an earlier version listed it.
    """

    kind: str
    place: str
    key: str
    name: str = field(default="", compare=False)


@dataclass(frozen=True)
class Retractions:
    """Everything that was retracted in a lake."""

    every: frozenset[Retraction] = frozenset()

    @cached_property
    def _keys(self) -> dict[tuple[str, str], frozenset[str]]:
        keys: dict[tuple[str, str], set[str]] = {}
        for retraction in self.every:
            keys.setdefault((retraction.kind, retraction.place), set()).add(retraction.key)
        return {place: frozenset(of_place) for place, of_place in keys.items()}

    def of(self, kind: str, place: str) -> frozenset[str]:
        """Return the ids of what is left out of one shard, graph or benchmark."""
        return self._keys.get((kind, place), frozenset())

    def version(self, kind: str, place: str) -> str:
        """Return what tells them apart from others, as part of a configuration; empty for none."""
        keys = self.of(kind, place)
        return f"\nretracted {combined_hash(sorted(keys))}" if keys else ""


def retractions_of(root: str) -> Retractions:
    """Return the retractions of a lake; of one in an object store those that were read first.

    A process that works on for long calls `forget_what_was_read`.

    Raises:
        ConfigurationError: the file that lists them cannot be read: names it and the line.
    """
    from evidence_assets.lake.filesystem import is_local, resolve_root

    filesystem, folder = resolve_root(root)
    path = f"{folder}/{FILE_NAME}"
    if not is_local(filesystem):
        return _read_once(root, path, None)
    try:
        status = Path(path).stat()
    except FileNotFoundError:
        return Retractions()
    return _read_once(root, path, (status.st_ino, status.st_mtime_ns, status.st_size))


@lru_cache(maxsize=16)
def _read_once(root: str, path: str, stamp: tuple[int, int, int] | None) -> Retractions:
    """Return what a file lists, cached while its stamp stays."""
    from evidence_assets.lake.filesystem import resolve_root

    filesystem, _ = resolve_root(root)
    if not filesystem.exists(path):
        return Retractions()
    return Retractions(frozenset(_read(path, filesystem.cat_file(path))))


def _read(path: str, content: bytes) -> Iterator[Retraction]:
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        try:
            retraction = Retraction(**json.loads(line))
            if not all(isinstance(value, str) for value in asdict(retraction).values()):
                raise ValueError("its kind, place and key are texts")
            yield retraction
        except (ValueError, TypeError, RecursionError) as error:
            raise ConfigurationError(
                f"{path}, line {number}: not a retraction ({error}); remedy: mend the line, or remove it"
            ) from error


def change_retractions(files: FileStore, added: Iterable[Retraction], removed: Iterable[Retraction]) -> None:
    """Add to a lake's retractions and remove from them; of two processes neither loses what the other lists.

    In an object store, where nothing can be held, the later one wins.
    """
    from evidence_assets.lake.filesystem import locked

    path = f"{files.path}/{FILE_NAME}"
    with locked(files.filesystem, path):
        listed = _read(path, files.filesystem.cat_file(path)) if files.filesystem.exists(path) else ()
        _write(files, path, {*listed}.difference(removed).union(added))


def _write(files: FileStore, path: str, retractions: Iterable[Retraction]) -> None:
    """Write retractions in order; the same ones give the same bytes."""
    from evidence_assets.lake.filesystem import write_bytes

    rows = [asdict(retraction) for retraction in sorted(retractions)]
    named = [{column: value for column, value in row.items() if column != "name" or value} for row in rows]
    lines = "".join(f"{json.dumps(row, sort_keys=True)}\n" for row in named)
    write_bytes(files.filesystem, path, lines.encode())
    # This process reads what it wrote, in an object store too.
    forget_what_was_read()


def forget_what_was_read() -> None:
    """Read retractions anew when they are next asked for, those in an object store too."""
    _read_once.cache_clear()
