"""Benchmarks of questions that people ask: their files stand in the lake, and name what answers them.

`scratch/<name>/benchmark.json` says which corpus, graph and arms answer; beside it stand a file a question
and a folder a table. So such a benchmark is read, answered and traced like any other.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.filesystem import literal_pattern, write_bytes
from evidence_assets.lake.ids import content_id, text_hash
from evidence_assets.sources.project import LAKE_PROTOCOL
from evidence_assets.sources.specifications import BenchmarkSource, ConfigurationError, Sources

if TYPE_CHECKING:
    from evidence_assets.lake.lake import FileStore

FOLDER = "scratch"
_DESCRIPTION = "benchmark.json"
_TABLES = "tables"
# A name may have 64 characters; what follows the stem are a hash and a number.
_LONGEST_STEM = 48
_HASH = 6
_LICENCE = "asked by a user of this lake"


@dataclass(frozen=True, slots=True)
class ScratchBenchmark:
    """Questions answered by the same arms (`system/arm`) from one corpus, one graph, or their own tables.

    `number`: from 1; where what is answered from has changed, a further benchmark is begun.
    """

    corpus: str | None
    graph: str | None
    arms: tuple[str, ...]
    number: int = 1

    @property
    def name(self) -> str:
        """Its name: what answers, a hash of the arms, and a number from the second on."""
        sources = dict.fromkeys(name for name in (self.corpus, self.graph) if name)
        stem = "_".join([FOLDER, *(sources or ["tables"])])[:_LONGEST_STEM]
        digest = content_id("scratch benchmark", self.corpus, self.graph, self.arms)[:_HASH]
        return f"{stem}_{digest}" + (f"_{self.number}" if self.number > 1 else "")

    @property
    def systems(self) -> list[str]:
        """The systems that answer."""
        return list(dict.fromkeys(arm.partition("/")[0] for arm in self.arms))

    @property
    def uri(self) -> str:
        """The pattern of its question files."""
        return f"{LAKE_PROTOCOL}{FOLDER}/{self.name}/*.jsonl"

    def source(self) -> BenchmarkSource:
        """Return it as the configuration would name it."""
        return BenchmarkSource(
            reader="questions_jsonl",
            uri=self.uri,
            split="test",
            corpus=self.corpus,
            graph=self.graph,
            licence=_LICENCE,
            systems=self.systems,
        )


@dataclass(frozen=True, slots=True)
class AskedTable:
    """The table that a question is about: the name and bytes of its file.

    `part`: which of the file's several tables, as `sources.questions.named_tables` names them. `uri`: where
    the file stands, as the configuration would write it.
    """

    name: str = ""
    content: bytes = b""
    part: str = ""
    uri: str = ""

    @property
    def place(self) -> str:
        """The path of the file, from the folder that its question is written into."""
        return f"{_TABLES}/{self._hash}/{self.name}"

    @property
    def identity(self) -> tuple[str, ...]:
        """What tells one table from another."""
        return (self.name, *([self.part] if self.part else []), self._hash)

    @property
    def _hash(self) -> str:
        """A hash of what the file holds, and of where that is: copies are told apart."""
        content = text_hash(self.content.hex())
        return content_id("table of", self.uri, content) if self.uri else content

    def field(self) -> dict[str, Any]:
        """Return what the question's record says of it."""
        from evidence_assets.sources.files import content_fingerprint

        field: dict[str, Any] = {"path": self.place}
        if self.part:
            field["name"] = self.part
        if self.uri:
            field["copy_of"] = {"uri": self.uri, "fingerprint": content_fingerprint(self.content)}
        return field


@dataclass(frozen=True, slots=True)
class UserQuestion:
    """A question as it was asked: its text, its options, its table."""

    text: str
    options: tuple[str, ...] = ()
    table: AskedTable | None = None

    @property
    def question_id(self) -> str:
        """A hash of what is asked."""
        # Without a table the hash is that of an empty one.
        return content_id("user question", self.text, self.options, *(self.table or AskedTable()).identity)

    def write(self, files: FileStore, folder: str) -> str:
        """Write its file, and its table's, into a folder; return the file's path."""
        record: dict[str, Any] = {"id": self.question_id, "question": self.text}
        if self.options:
            record["options"] = list(self.options)
        if self.table:
            record["table"] = self.table.field()
            write_bytes(files.filesystem, f"{folder}/{self.table.place}", self.table.content)
        path = f"{folder}/{self.question_id}.jsonl"
        write_bytes(files.filesystem, path, f"{json.dumps(record, ensure_ascii=False)}\n".encode())
        return path


def folder_of(files: FileStore, benchmark: ScratchBenchmark) -> str:
    """Return the folder of a benchmark's files in the lake."""
    return f"{files.path}/{FOLDER}/{benchmark.name}"


def describe(files: FileStore, benchmark: ScratchBenchmark) -> None:
    """Write what a benchmark is, so that whoever reads the configuration knows it."""
    text = json.dumps(asdict(benchmark), indent=1, sort_keys=True)
    write_bytes(files.filesystem, f"{folder_of(files, benchmark)}/{_DESCRIPTION}", f"{text}\n".encode())


def is_begun(files: FileStore, benchmark: ScratchBenchmark) -> bool:
    """Tell whether a question was kept in a benchmark."""
    return bool(files.filesystem.exists(f"{folder_of(files, benchmark)}/{_DESCRIPTION}"))


def question_ids(files: FileStore, benchmark: ScratchBenchmark) -> set[str]:
    """Return the questions that a benchmark has."""
    paths = files.filesystem.glob(f"{literal_pattern(folder_of(files, benchmark))}/*.jsonl")
    return {path.rpartition("/")[2].removesuffix(".jsonl") for path in paths}


def table_files(files: FileStore, benchmark: str, question_id: str = "") -> list[tuple[str, str]]:
    """Return the files that were asked in a scratch benchmark, and what each held: its fingerprint.

    `question_id`: of this question alone.
    """
    folder = literal_pattern(f"{files.path}/{FOLDER}/{benchmark}")
    copies = []
    for path in sorted(files.filesystem.glob(f"{folder}/{question_id or '*'}.jsonl")):
        try:
            copied = json.loads(files.filesystem.cat_file(path))["table"]["copy_of"]
            copies.append((str(copied["uri"]), str(copied["fingerprint"])))
        except (ValueError, KeyError, TypeError):
            # It was asked without a table, or by a version that did not keep where its file was.
            continue
    return list(dict.fromkeys(copies))


def scratch_benchmarks(files: FileStore, sources: Sources) -> Iterator[ScratchBenchmark]:
    """Yield those of a lake whose corpus and graph the configuration names.

    Raises:
        ConfigurationError: a file that describes one cannot be read.
    """
    for path in sorted(files.filesystem.glob(f"{literal_pattern(files.path)}/{FOLDER}/*/{_DESCRIPTION}")):
        benchmark = _described(path, files.filesystem.cat_file(path))
        if benchmark.corpus in (None, *sources.corpora) and benchmark.graph in (None, *sources.graphs):
            yield benchmark


def with_scratch_benchmarks(sources: Sources, files: FileStore) -> Sources:
    """Return a configuration with the scratch benchmarks of a lake; a configured name stays as it is."""
    named = {benchmark.name: benchmark.source() for benchmark in scratch_benchmarks(files, sources)}
    return sources.model_copy(update={"benchmarks": {**named, **sources.benchmarks}}) if named else sources


def _described(path: str, content: bytes) -> ScratchBenchmark:
    try:
        data: Mapping[str, Any] = json.loads(content)
        arms: Sequence[str] = data["arms"]
        return ScratchBenchmark(data["corpus"], data["graph"], tuple(arms), int(data["number"]))
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigurationError(
            f"{path}: does not describe a scratch benchmark ({error}); remedy: remove its folder, and run "
            "`evidence-assets prune`"
        ) from error
