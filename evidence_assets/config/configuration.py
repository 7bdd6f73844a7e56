"""The configuration file: read, and every name in it checked against what there is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import yaml

from evidence_assets.config.fields import beside_fields, readable
from evidence_assets.config.files import file_problems
from evidence_assets.config.names import name_problems, system_problems
from evidence_assets.lake.locations import configuration_of, default_root, project_folder
from evidence_assets.sources.locating import locate
from evidence_assets.sources.project import Project
from evidence_assets.sources.shards import shards
from evidence_assets.sources.specifications import ConfigurationError, Sources
from evidence_assets.text.plain_yaml import load_yaml, yaml_problem


def default_location() -> Path:
    """Return the configuration's path: `EVIDENCE_SOURCES`, else that of the project's folder.

    Raises:
        ConfigurationError: nothing names one, and the current folder is in no project, or what names one
            begins with the home of a user that there is not.
    """
    named = os.environ.get("EVIDENCE_SOURCES")
    if named:
        try:
            return Path(named).expanduser().resolve()
        except RuntimeError as error:
            raise ConfigurationError(
                f"EVIDENCE_SOURCES={named}: there is no such user's home; "
                "remedy: give the whole path, from / on"
            ) from error
    folder = project_folder()
    if folder is None:
        raise ConfigurationError(
            f"{Path.cwd()} is in no project; remedy: evidence-assets init my-project, then cd my-project, "
            "or set EVIDENCE_SOURCES to the file that names your corpora and benchmarks"
        )
    return configuration_of(folder).resolve()


@lru_cache(maxsize=8)
def load(path: Path) -> Sources:
    """Read and check a configuration.

    Raises:
        ConfigurationError: the file is missing or not YAML, a field is wrong, a name is unknown, a template,
            schema or mapping file cannot be used. The message tells every problem at once.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except IsADirectoryError as error:
        raise ConfigurationError(
            f"{path}: it is a folder; remedy: set EVIDENCE_SOURCES to the file, {configuration_of(path)}"
        ) from error
    except OSError as error:
        raise ConfigurationError(
            f"{path}: {error.strerror}; remedy: create it, or set EVIDENCE_SOURCES to the file that names "
            "your corpora and benchmarks"
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"{path}: not UTF-8 at byte {error.start}; remedy: save it as UTF-8"
        ) from error
    try:
        data = load_yaml(text)
    except yaml.YAMLError as error:
        raise ConfigurationError(
            f"{path}: not YAML, {yaml_problem(error)}; remedy: correct that line"
        ) from error
    sources, of_fields = readable(data)
    problems: list[str] = []
    sources = _with_located_files(sources, path, problems)
    problems += name_problems(sources)
    if of_fields or problems:
        problems += _further_problems(sources, path)
        raise ConfigurationError.of(path, [*of_fields, *beside_fields(problems, of_fields)])
    return sources


def _further_problems(sources: Sources, path: Path) -> Iterator[str]:
    """Yield what else is wrong with a configuration that cannot be used, to be mended with the rest."""
    from evidence_assets.systems.registry import systems_by_name

    yield from system_problems(sources, systems_by_name())
    try:
        project = Project(sources, path, {shard.key: shard for shard in shards(sources, path)}, "")
    except ConfigurationError as error:
        yield from error.problems
    else:
        yield from file_problems(project)


def load_project(location: Path | None = None, lake_root: str = "") -> Project:
    """Read a configuration (default: `EVIDENCE_SOURCES`, or the project's own) and cut it into partitions.

    `lake_root`: the lake whose scratch benchmarks belong to it; default: the environment's, unless a file is
    named.

    Raises:
        ConfigurationError: the configuration cannot be used.
    """
    from evidence_assets.lake.filesystem import Folder
    from evidence_assets.sources.scratch_benchmarks import with_scratch_benchmarks

    path, root = location or default_location(), lake_root or ("" if location else default_root())
    sources = load(path)
    if root:
        sources = with_scratch_benchmarks(sources, Folder.of(root))
    return Project(sources, path, {shard.key: shard for shard in shards(sources, path)}, root)


def _with_located_files(sources: Sources, path: Path, problems: list[str]) -> Sources:
    """Return the configuration with the files of templates and of mappings ready to open."""
    from evidence_assets.sources.questions.registry import is_file as is_mapping
    from evidence_assets.text.verbalisation import is_file

    def located(place: str, name: str) -> str | None:
        try:
            return locate(name, path.parent)
        except ConfigurationError as error:
            problems.append(f"{place}: {error}")
            return None

    graphs, benchmarks = dict(sources.graphs), dict(sources.benchmarks)
    for name, graph in sources.graphs.items():
        if is_file(graph.templates):
            file = located(f"graphs.{name}.templates", graph.templates)
            # A file that cannot be located is told once: nothing is read out by it.
            graphs[name] = graph.model_copy(update={"templates": file or ""})
    for name, benchmark in sources.benchmarks.items():
        if is_mapping(benchmark.reader) and (file := located(f"benchmarks.{name}.reader", benchmark.reader)):
            benchmarks[name] = benchmark.model_copy(update={"reader": file})
    return sources.model_copy(update={"graphs": graphs, "benchmarks": benchmarks})
