"""The question sets that the project can read, by the name or the mapping file in a configuration."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from evidence_assets.sources.questions.benchmark import Benchmark
from evidence_assets.sources.readers import Lazy

SUFFIXES = (".yaml", ".yml")
_FOLDER = Path(__file__).parent / "mappings"
NAMES = (
    *("openbookqa", "commonsenseqa", "arc_easy", "arc_challenge", "piqa", "riddlesense", "qasc"),
    "olmo_requests",
    *("medmcqa", "medmcqa_huggingface", "medqa_usmle", "mmlu_medical", "pubmedqa", "headqa"),
    *("hotpotqa", "xquad"),
    *("scitab", "tabfact", "pubhealthtab", "tabmcq", "wikitablequestions", "fetaqa", "worldtree_questions"),
    *("metaqa", "webqsp", "webquestions", "simplequestions", "mintaka", "stark"),
    "questions_jsonl",
)


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
