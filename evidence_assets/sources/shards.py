"""The shards that a corpus's sources are cut into: a file each, or a folder that is read as one."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evidence_assets.lake.ids import text_hash
from evidence_assets.sources.allowed_places import INSTEAD, why_not_opened
from evidence_assets.sources.locating import locate
from evidence_assets.sources.specifications import ArticleSource, ConfigurationError, Sources

_LONGEST_STEM = 60
_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")


@dataclass(frozen=True, slots=True)
class Shard:
    """One partition of a corpus: a source file, or a folder read as one.

    `uri` opens here; `written_uri` is what the configuration says, and goes into the tables.
    """

    key: str
    corpus: str
    source: ArticleSource
    uri: str
    written_uri: str


def shards(sources: Sources, path: Path) -> list[Shard]:
    """Return every shard of every corpus, in the order of the file.

    Files that a local glob or a numbered range names are a shard each. A remote glob is one shard: naming
    partitions must not need the network.

    Raises:
        ConfigurationError: two files of one source would share a shard's name, a variable is not set, a range
            runs backwards. The message lists every problem.
    """
    result: list[Shard] = []
    problems: list[str] = []
    for corpus_name, corpus in sources.corpora.items():
        for source in corpus.sources:
            try:
                result.extend(_shards_of(corpus_name, source, path))
            except ConfigurationError as error:
                problems.append(f"corpora.{corpus_name}.sources.{source.name}: {error}")
    if problems:
        raise ConfigurationError.of(path, problems)
    return result


def _shards_of(corpus: str, source: ArticleSource, path: Path) -> Iterator[Shard]:
    uris = list(_shard_uris(source, path.parent))
    prefix = f"{corpus}.{source.name}"
    # A file of a pattern keeps its name when others join it.
    is_single = [written for _, written in uris] == [source.uri]
    keys = [prefix] if is_single else [f"{prefix}.{_stem(uri)}" for uri, _ in uris]
    if len(set(keys)) != len(keys):
        raise ConfigurationError(
            "files of one name in several folders; remedy: make them sources of their own"
        )
    for key, (uri, written) in zip(keys, uris, strict=True):
        yield Shard(key, corpus, source, uri, written)


def _shard_uris(source: ArticleSource, base: Path) -> Iterator[tuple[str, str]]:
    """Yield each file's URI, located and as written."""
    uri = source.uri
    numbered = _RANGE.search(uri)
    if numbered:
        first, last = numbered[1], numbered[2]
        if int(last) < int(first):
            raise ConfigurationError(
                f"uri {uri!r}: the range {numbered[0]} runs backwards; remedy: swap its ends"
            )
        for number in range(int(first), int(last) + 1):
            written = uri[: numbered.start()] + str(number).zfill(len(first)) + uri[numbered.end() :]
            yield locate(written, base), written
        return
    located = locate(uri, base)
    if "://" in uri or source.format == "text_folder" or not glob.has_magic(uri):
        yield located, uri
        return
    folder = uri.rpartition("/")[0]
    files = sorted(glob.glob(located))  # noqa: PTH207 - the pattern is absolute
    if not files:
        yield located, uri  # materialising it says that nothing matches
    for file in files:
        if reason := why_not_opened(file):
            raise ConfigurationError(f"{file}: {reason}; remedy: {INSTEAD}")
        yield file, "/".join(part for part in (folder, Path(file).name) if part)


def _stem(uri: str) -> str:
    """Return a file's name as part of a key, with a hash where the name had to be altered."""
    name = uri.rstrip("/").rsplit("/", 1)[-1]
    plain = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")
    if name.isascii() and plain and len(plain) <= _LONGEST_STEM:
        return plain
    return f"{plain[:_LONGEST_STEM]}-{text_hash(name)[:8]}".strip("-")
