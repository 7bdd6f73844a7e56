"""The question sets that the project can read, by the name or the mapping file in a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, ValidationError

from evidence_assets.sources.questions import (
    hotpotqa,
    pubhealthtab,
    side_files,
    table_files,
    worldtree_questions,
)
from evidence_assets.sources.questions.formats import (
    Format,
    csv_entries,
    json_entries,
    json_or_jsonl_entries,
    jsonl_entries,
    parquet_entries,
    tsv_entries,
)
from evidence_assets.sources.questions.mapping import Mapped
from evidence_assets.sources.questions.reading import Reader
from evidence_assets.sources.records import RejectedRecord, TableRecord

Store = Callable[[str], Iterator[TableRecord | RejectedRecord]]
Task = Literal["multiple_choice", "retrieval", "claim_verification", "table_questions", "graph_questions"]

SUFFIXES = (".yaml", ".yml")
_FOLDER = Path(__file__).parent / "mappings"
NAMES = (
    *("openbookqa", "commonsenseqa", "arc_easy", "arc_challenge", "piqa", "riddlesense", "qasc"),
    *("medmcqa", "medmcqa_huggingface", "medqa_usmle", "mmlu_medical", "pubmedqa", "headqa"),
    *("hotpotqa", "xquad"),
    *("scitab", "tabfact", "pubhealthtab", "tabmcq", "wikitablequestions", "fetaqa", "worldtree_questions"),
    *("metaqa", "webqsp", "webquestions", "simplequestions", "mintaka", "stark"),
    "questions_jsonl",
)
FORMATS: Mapping[str, Format] = {
    "jsonl": jsonl_entries,
    "json": json_entries,
    "json or jsonl": json_or_jsonl_entries,
    "csv": csv_entries,
    "tsv": tsv_entries,
    "parquet": parquet_entries,
    "hotpotqa": hotpotqa.entries,
    "piqa": side_files.piqa_entries,
    "pubhealthtab": pubhealthtab.entries,
    "pubmedqa": side_files.pubmedqa_entries,
    "simplequestions": side_files.simplequestions_entries,
    "stark": side_files.stark_entries,
    "tabfact": table_files.tabfact_entries,
    "tabmcq": table_files.tabmcq_entries,
    "wikitablequestions": table_files.wikitablequestions_entries,
    "worldtree": worldtree_questions.entries,
}
# The tables that all questions of a file in a format are asked of, by the URI of the file.
STORES: Mapping[str, Store] = {"worldtree": worldtree_questions.store_beside}


class MappingError(Exception):
    """A mapping file cannot be used: names the file, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question set: what it is, where to get it, and how to read it.

    `splits` are those with public labels. `where` says where to get the files, `gold` what gold evidence
    they keep (empty if none), `paper` the short citation. `store`: the tables that all questions are asked
    of, by the URI of a file of questions; None where each question brings its own table, or there are none.
    """

    name: str
    title: str
    task: Task
    splits: tuple[str, ...]
    licence: str
    where: str
    reader: Reader
    paper: str = ""
    gold: str = ""
    store: Store | None = None


class _MappingFile(Mapped):
    title: str = ""
    task: Task = "multiple_choice"
    splits: tuple[str, ...] = ()
    licence: str = Field(min_length=1)
    where: str = ""
    paper: str = ""
    gold: str = ""
    format: str


def is_file(reader: str) -> bool:
    """Return whether a configuration's `reader` names a mapping file of the user's."""
    return reader.endswith(SUFFIXES)


def load(path: Path, name: str) -> Benchmark:
    """Return the benchmark that a mapping file describes.

    Raises:
        MappingError: the file is missing or not YAML, or a field is missing, unknown or wrong.
    """
    try:
        mapped = _MappingFile.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise MappingError(
            f"{path}: {error.strerror}; remedy: correct the path, or write the file"
        ) from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise MappingError(f"{path}: not YAML in UTF-8 ({error}); remedy: correct the file") from error
    except ValidationError as error:
        problems = "; ".join(f"{_field(problem['loc'])}: {problem['msg']}" for problem in error.errors())
        problems = problems.replace("Value error, ", "")
        remedy = "" if "remedy: " in problems else "; remedy: correct the field, as the README describes it"
        raise MappingError(f"{path}: {problems}{remedy}") from error
    if mapped.format not in FORMATS:
        raise MappingError(f"{path}: format: {mapped.format!r} is none of {', '.join(FORMATS)}")
    return Benchmark(
        name, mapped.title, mapped.task, mapped.splits, mapped.licence, mapped.where,
        partial(mapped.read, FORMATS, mapped.format), mapped.paper, mapped.gold, STORES.get(mapped.format),
    )  # fmt: skip


def _field(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location if not str(part).startswith("(")) or "the mapping"


class _Benchmarks(Mapping[str, Benchmark]):
    """The project's question sets by name, each loaded when it is used; any mapping file by its path."""

    def __getitem__(self, reader: str) -> Benchmark:
        if is_file(reader):
            return load(Path(reader), Path(reader).stem)
        if reader not in NAMES:
            raise KeyError(reader)
        return _packaged(reader)

    def __contains__(self, reader: object) -> bool:
        return reader in NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(NAMES)

    def __len__(self) -> int:
        return len(NAMES)


@cache
def _packaged(name: str) -> Benchmark:
    return load(_FOLDER / f"{name}.yaml", name)


BENCHMARKS: Mapping[str, Benchmark] = _Benchmarks()
