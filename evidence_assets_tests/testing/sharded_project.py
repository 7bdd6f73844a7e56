"""A project of one corpus in many files, so that a backfill has many partitions and each takes a moment."""

from __future__ import annotations

from pathlib import Path

from evidence_assets_tests.testing.small_project import SmallProject, write_yaml

CORPUS, SOURCE = "tales", "pages"
JOB = "ingest_corpus"


def write_sharded_project(folder: Path, shards: int) -> SmallProject:
    """Write that many files of two articles each, and their configuration."""
    texts = folder / "pages"
    texts.mkdir(parents=True)
    for number in range(shards):
        lines = (f"Fox number {number} lives in a den.", f"Vole number {number} eats grass in winter.")
        (texts / f"{number:03}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    source = {"name": SOURCE, "uri": "pages/*.txt", "format": "lines", "licence": "CC0-1.0"}
    configuration = {"corpora": {CORPUS: {"sources": [source]}}, "graphs": {}, "benchmarks": {}}
    write_yaml(folder / "sources.yaml", configuration)
    return SmallProject(folder)


def rows(project: SmallProject) -> dict[str, str]:
    """Every file of the lake's tables but `materializations`, which says when and where they were made."""
    return {
        name: content
        for name, content in project.files().items()
        if name.endswith("/data.parquet") and not name.startswith("materializations/")
    }
