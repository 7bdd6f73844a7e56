"""The question sets that the project can read, by the name or the mapping file in a configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from evidence_assets.sources.readers import Lazy
from evidence_assets.sources.records import RejectedRecord, TableRecord

if TYPE_CHECKING:
    from evidence_assets.sources.questions.reading import Reader

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


class MappingError(Exception):
    """A mapping file cannot be used: names the file, the field and the remedy."""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One question set: description, source, licence and reader.

    `splits` are those with public labels. `where` says where to get the files. `store`: the tables that all
    questions are asked of, by the URI of a file of questions; None where each question brings its own table,
    or there are none. `licence_source`: where the owners state the licence; empty: not confirmed there.
    `may_offer_options`: False where no question can have any.
    """

    name: str
    title: str
    task: Task
    splits: tuple[str, ...]
    licence: str
    where: str
    reader: Reader
    store: Store | None = None
    licence_source: str = ""
    may_offer_options: bool = True


def is_file(reader: str) -> bool:
    """Return whether a configuration's `reader` names a mapping file of the user's."""
    return reader.endswith(SUFFIXES)


@cache
def _packaged(name: str) -> Benchmark:
    return _loaded(_FOLDER / f"{name}.yaml")


def _loaded(path: Path) -> Benchmark:
    # Imported where a set is read: it takes longer than all else that a configuration needs of this module.
    from evidence_assets.sources.questions.mapping_files import load

    return load(path)


def _benchmark(reader: str) -> Benchmark:
    if is_file(reader):
        return _loaded(Path(reader))
    if reader not in NAMES:
        raise KeyError(reader)
    return _packaged(reader)


# The project's question sets by name; any mapping file by its path.
BENCHMARKS: Mapping[str, Benchmark] = Lazy(NAMES, _benchmark)
