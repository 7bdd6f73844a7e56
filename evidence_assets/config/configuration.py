"""The configuration file: read, and every name in it checked against what there is."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path

import yaml
from pydantic import ValidationError

from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import (
    ArticleSource,
    ConfigurationError,
    Sources,
    StatementSource,
    locate,
    shards,
)
from evidence_assets.text.plain_yaml import load_yaml

# Who answers without a language model.
_TAKEN = ("extractive", "nearest", "cloze")


def default_location() -> Path:
    """Return the configuration's path: `EVIDENCE_SOURCES`, else the one in the project's data_lake folder."""
    project = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("EVIDENCE_SOURCES", project / "data_lake" / "sources.yaml")).resolve()


@lru_cache(maxsize=8)
def load(path: Path) -> Sources:
    """Read and check a configuration.

    Raises:
        ConfigurationError: the file is missing or not YAML, a field is wrong, a name is unknown.
    """
    try:
        text = path.read_text(encoding="utf-8")
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
        raise ConfigurationError(f"{path}: not YAML: {error}") from error
    try:
        sources = Sources.model_validate(data)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc']) or 'top level'}: {problem['msg']}"
            for problem in error.errors()
        )
        raise ConfigurationError(f"{path}: {problems}") from error
    sources = _with_located_files(sources, path)
    _check_names(sources, path)
    return sources


def load_project(location: Path | None = None) -> Project:
    """Read a configuration (default: `EVIDENCE_SOURCES`, or the project's own) and cut it into partitions.

    Raises:
        ConfigurationError: the configuration cannot be used.
    """
    path = location or default_location()
    sources = load(path)
    return Project(sources, path, {shard.key: shard for shard in shards(sources, path)})


def _with_located_files(sources: Sources, path: Path) -> Sources:
    """Return the configuration with the files of templates and of mappings ready to open."""
    from evidence_assets.sources.questions.registry import is_file as is_mapping
    from evidence_assets.text.verbalisation import is_file

    graphs = {
        name: graph.model_copy(update={"templates": locate(graph.templates, path.parent)})
        if is_file(graph.templates)
        else graph
        for name, graph in sources.graphs.items()
    }
    benchmarks = {
        name: benchmark.model_copy(update={"reader": locate(benchmark.reader, path.parent)})
        if is_mapping(benchmark.reader)
        else benchmark
        for name, benchmark in sources.benchmarks.items()
    }
    return sources.model_copy(update={"graphs": graphs, "benchmarks": benchmarks})


def _check_reader(place: str, reader: str) -> None:
    from evidence_assets.sources.questions.registry import BENCHMARKS, MappingError, is_file

    if reader not in BENCHMARKS and not is_file(reader):
        raise ConfigurationError(
            f"{place}: {reader!r} is none of {', '.join(sorted(BENCHMARKS))}, nor a file ending in .yaml"
        )
    try:
        # The project's own are not opened here: loading a configuration is to be quick.
        if is_file(reader):
            BENCHMARKS[reader]
    except MappingError as error:
        raise ConfigurationError(f"{place}: {error}") from error


def _check_templates(place: str, name: str) -> None:
    from evidence_assets.text.verbalisation import NAMES, TEMPLATE_SETS, TemplateError, is_file, templates

    if name not in (*TEMPLATE_SETS, NAMES) and not is_file(name):
        raise ConfigurationError(
            f"{place}: {name!r} is none of {', '.join((*TEMPLATE_SETS, NAMES))}, nor a file ending in .yaml"
        )
    try:
        # The project's own are not opened here, as with readers.
        if is_file(name):
            templates(name)
    except TemplateError as error:
        raise ConfigurationError(f"{place}: {error}") from error


def _check_names(sources: Sources, path: Path) -> None:
    from evidence_assets.sources.articles.registry import READERS
    from evidence_assets.sources.graphs.registry import READERS as GRAPH_READERS

    for corpus_name, corpus in sources.corpora.items():
        _check_sources(f"{path}: corpora.{corpus_name}", corpus.sources, READERS)
    for graph_name, graph in sources.graphs.items():
        _check_sources(f"{path}: graphs.{graph_name}", graph.sources, GRAPH_READERS)
        _check_templates(f"{path}: graphs.{graph_name}.templates", graph.templates)
        if not graph.sources and not graph.harvests:
            raise ConfigurationError(f"{path}: graphs.{graph_name}: name sources, harvests, or both")
        harvested = [] if sources.harvest is None else sources.harvest.arms
        if unknown := [arm for arm in graph.harvests if arm not in harvested]:
            raise ConfigurationError(
                f"{path}: graphs.{graph_name}.harvests: {', '.join(unknown)} is none of harvest.arms, "
                f"{', '.join(harvested) or '(there is no harvest)'}"
            )
    _check_harvest(sources, path)
    if taken := [name for name in sources.generators if name.startswith(_TAKEN)]:
        raise ConfigurationError(
            f"{path}: generators.{taken[0]}: the name says that no language model answers; remedy: name it "
            "otherwise"
        )
    _check_benchmarks(sources, path)


def _check_benchmarks(sources: Sources, path: Path) -> None:
    from evidence_assets.systems.registry import SYSTEMS
    from evidence_assets.systems.system import TABLES

    # What is asked of tables comes with them.
    over_tables = [system.name for system in SYSTEMS if system.needs == TABLES]
    for name, benchmark in sources.benchmarks.items():
        _check_reader(f"{path}: benchmarks.{name}.reader", benchmark.reader)
        names_nothing = benchmark.corpus is None and benchmark.graph is None
        if names_nothing and not set(benchmark.systems) <= set(over_tables):
            raise ConfigurationError(
                f"{path}: benchmarks.{name}: name a corpus, a graph, or both; or say that it is about tables "
                f"(systems: [{', '.join(over_tables)}])"
            )
        if benchmark.corpus is not None and benchmark.corpus not in sources.corpora:
            raise ConfigurationError(
                f"{path}: benchmarks.{name}.corpus: {benchmark.corpus!r} is none of the corpora "
                f"{', '.join(sources.corpora)}"
            )
        if benchmark.training is not None and benchmark.training not in sources.benchmarks:
            raise ConfigurationError(
                f"{path}: benchmarks.{name}.training: {benchmark.training!r} is none of the benchmarks "
                f"{', '.join(sources.benchmarks)}"
            )
        if benchmark.graph is not None and benchmark.graph not in sources.graphs:
            raise ConfigurationError(
                f"{path}: benchmarks.{name}.graph: {benchmark.graph!r} is none of the graphs "
                f"{', '.join(sources.graphs) or '(there are none)'}"
            )


def _check_harvest(sources: Sources, path: Path) -> None:
    from evidence_assets.extraction.arms import ARMS

    harvest = sources.harvest
    if harvest is None:
        return
    known: dict[str, tuple[Collection[str], Collection[str]]]
    known = {"arms": (harvest.arms, ARMS), "corpus": ([harvest.corpus], sources.corpora)}
    if harvest.reference is not None:
        known["reference"] = ([harvest.reference], sources.graphs)
    for field, (named, there_are) in known.items():
        if unknown := [name for name in named if name not in there_are]:
            raise ConfigurationError(
                f"{path}: harvest.{field}: {', '.join(unknown)} is none of "
                f"{', '.join(there_are) or '(there are none)'}"
            )
    if harvest.reference is not None and sources.graphs[harvest.reference].harvests:
        raise ConfigurationError(
            f"{path}: harvest.reference: {harvest.reference} merges a harvest, which would be compared with "
            "itself; remedy: name a graph of sources alone"
        )
    lists = {f"graphs.{name}.harvests": graph.harvests for name, graph in sources.graphs.items()}
    for place, arms in {"harvest.arms": harvest.arms, **lists}.items():
        if len(set(arms)) != len(arms):
            raise ConfigurationError(f"{path}: {place}: a name is used twice: {arms}")
    if taken := sorted(set(harvest.arms) & set(sources.graphs)):
        raise ConfigurationError(
            f"{path}: graphs.{taken[0]}: a harvest has that name; remedy: name the graph otherwise"
        )


def _check_sources(
    place: str, sources: Sequence[ArticleSource | StatementSource], readers: Collection[str]
) -> None:
    names = [source.name for source in sources]
    if len(set(names)) != len(names):
        raise ConfigurationError(f"{place}.sources: a name is used twice: {names}")
    for source in sources:
        if source.format not in readers:
            raise ConfigurationError(
                f"{place}.sources.{source.name}.format: {source.format!r} is none "
                f"of {', '.join(sorted(readers))}"
            )
