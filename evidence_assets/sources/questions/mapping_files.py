"""Mapping files: YAML with a question set's description, format and field mapping."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import yaml
from pydantic import Field, ValidationError, field_validator

from evidence_assets.sources.questions import (
    evaluation_requests,
    hotpotqa,
    pubhealthtab,
    side_files,
    table_files,
    worldtree_questions,
)
from evidence_assets.sources.questions.benchmark import Benchmark, MappingError, Store, Task
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
from evidence_assets.text.field_problems import field_problem
from evidence_assets.text.plain_yaml import load_yaml, yaml_problem

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
    "requests": evaluation_requests.entries,
    "pubmedqa": side_files.pubmedqa_entries,
    "simplequestions": side_files.simplequestions_entries,
    "stark": side_files.stark_entries,
    "tabfact": table_files.tabfact_entries,
    "tabmcq": table_files.tabmcq_entries,
    "wikitablequestions": table_files.wikitablequestions_entries,
    "worldtree": worldtree_questions.entries,
}
# Readers of the table store shared by all questions of a file, by format.
STORES: Mapping[str, Store] = {"worldtree": worldtree_questions.store_beside}


class _MappingFile(Mapped):
    """What a file may say. `paper`, a citation, and `gold`, the gold evidence, are for who reads the file."""

    title: str = ""
    task: Task = "multiple_choice"
    splits: tuple[str, ...] = ()
    licence: str = Field(min_length=1)
    licence_source: str = ""
    where: str = ""
    paper: str = ""
    gold: str = ""
    format: str

    @field_validator("format")
    @classmethod
    def _known(cls, name: str) -> str:
        if name not in FORMATS:
            raise ValueError(f"{name!r} is none of {', '.join(FORMATS)}; remedy: name one of them")
        return name


def load(path: Path) -> Benchmark:
    """Return the benchmark that a mapping file describes.

    Raises:
        MappingError: the file is missing or not YAML, or a field is missing, unknown or wrong.
    """
    try:
        mapped = _MappingFile.model_validate(load_yaml(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise MappingError(
            f"{path}: {error.strerror}; remedy: correct the path, or write the file"
        ) from error
    except UnicodeDecodeError as error:
        raise MappingError(f"{path}: not UTF-8 at byte {error.start}; remedy: save it as UTF-8") from error
    except yaml.YAMLError as error:
        raise MappingError(f"{path}: not YAML, {yaml_problem(error)}; remedy: correct that line") from error
    except ValidationError as error:
        problems = [f"{path}: {field_problem(problem, _MappingFile)}" for problem in error.errors()]
        raise MappingError("\n".join(problems)) from error
    return Benchmark(
        path.stem, mapped.title, mapped.task, mapped.splits, mapped.licence, mapped.where,
        partial(mapped.read, FORMATS[mapped.format]), STORES.get(mapped.format), mapped.licence_source,
        mapped.options is not None or bool(mapped.choices),
    )  # fmt: skip
