"""A small configuration, as a mapping to change and as a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from evidence_assets.config.configuration import load
from evidence_assets.sources.shards import Shard, shards

Change = Callable[[dict[str, Any]], object]


def configuration(uri: str = "notes", format: str = "text_folder") -> dict[str, Any]:
    source = {"name": "notes", "uri": uri, "format": format, "licence": "CC0-1.0"}
    return {
        "corpora": {"small": {"sources": [source]}},
        "graphs": {
            "facts": {
                "sources": [
                    {"name": "own", "uri": "facts.tsv", "format": "relation_head_tail", "licence": "CC0-1.0"}
                ]
            }
        },
        "benchmarks": {
            "quiz": {
                "reader": "questions_jsonl",
                "uri": "quiz.jsonl",
                "split": "test",
                "corpus": "small",
                "graph": "facts",
            }
        },
    }


def written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "sources.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    load.cache_clear()  # a configuration is read once a process, and is a new one here
    return path


def cut(folder: Path, content: dict[str, Any]) -> list[Shard]:
    path = written(folder, content)
    return shards(load(path), path)


def source_of(content: dict[str, Any]) -> dict[str, Any]:
    source: dict[str, Any] = content["corpora"]["small"]["sources"][0]
    return source


def facts_of(content: dict[str, Any]) -> dict[str, Any]:
    source: dict[str, Any] = content["graphs"]["facts"]["sources"][0]
    return source
