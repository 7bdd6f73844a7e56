"""The one file that names every corpus and benchmark: read, checked, and cut into shards and partitions."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.generation.settings import GeneratorSettings

_NAME = r"^[a-z0-9][a-z0-9_-]*$"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_LONGEST_STEM = 60
_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")

Name = Annotated[str, Field(pattern=_NAME, max_length=64)]
# Models are known by versions: qwen2.5-72b.
GeneratorName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]
# Who answers without a language model.
_TAKEN = ("extractive", "nearest", "cloze")


class ConfigurationError(Exception):
    """The configuration cannot be used: names the file, the field and the remedy."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ArticleSource(_Strict):
    """One source of articles in a corpus."""

    name: Name
    uri: str = Field(min_length=1)
    format: str
    licence: str = Field(min_length=1)
    revision: str = ""
    fields: dict[str, str] = Field(default_factory=dict)


class Corpus(_Strict):
    """Articles that are searched together."""

    description: str = ""
    sources: list[ArticleSource] = Field(min_length=1)


class StatementSource(_Strict):
    """One source of a knowledge graph's triples.

    `weight`: how much each of its statements counts beside those of other sources, which count 1: walks
    follow heavier triples, paths prefer them. It multiplies the weights that the source itself states.
    """

    name: Name
    uri: str = Field(min_length=1)
    format: str
    licence: str = Field(min_length=1)
    fields: dict[str, str] = Field(default_factory=dict)
    weight: float | None = Field(default=None, gt=0, le=1_000)


class GraphSource(_Strict):
    """A knowledge graph: its sources, and the templates that read its relations out.

    `templates`: one of the sets that come with the project; a YAML file of your own, relative to the
    configuration (a relation and its sentence a line, or an authored schema); or `names`, and every relation
    is read out by its own name.
    `embedding_threshold`: the least cosine at which a phrase that no name spells is linked to the nearest
    name in meaning; without it phrases are not linked by meaning. `unlinked`: words that name nothing when
    they stand alone, such as verbs that are also a concept's name ("lead", "show"). `harvests`: arms of the
    harvest whose triples are merged with what the sources state. `embeddings`: a file of node vectors in
    Numberbatch's text format, `.gz` or not; empty: they are made from the graph.
    """

    description: str = ""
    embeddings: str = ""
    templates: str = "conceptnet"
    embedding_threshold: float | None = Field(default=None, gt=0, le=1)
    unlinked: list[str] = Field(default_factory=list)
    sources: list[StatementSource] = Field(default_factory=list)
    harvests: list[str] = Field(default_factory=list)


class BenchmarkSource(_Strict):
    """One question set: which reader reads it, from where, which corpus answers it, and which graph helps.

    It names a corpus, a graph, or both. `systems` are those that a run of the benchmark takes unless it is
    told which arms. `sample`: take so many of the questions, the same on every machine.
    `training`: the benchmark whose questions classifiers are trained on; those that both ask are left out.
    """

    reader: str
    uri: str = Field(min_length=1)
    split: str
    sample: int | None = Field(default=None, ge=1)
    corpus: Name | None = None
    graph: Name | None = None
    training: Name | None = None
    licence: str = ""
    systems: list[str] = Field(default_factory=lambda: ["uscrake"], min_length=1)


class Training(_Strict):
    """How a masked language model is made from a corpus: see `models.masked_lm_training.Recipe`."""

    steps: int = Field(default=900, ge=1)
    vocabulary: int = Field(default=6_000, ge=100)
    layers: int = Field(default=0, ge=0)
    body_rate: float = Field(default=4e-4, gt=0)
    from_scratch: bool = False


class HarvestSource(_Strict):
    """What is mined from a masked language model.

    `seeds`: the folder of seed files, one a relation. `corpus`: what the model is made from, where the
    profile names none. `arms`: the ways to harvest, each a graph of its own. `reference`: the graph that
    novelty is measured against. `judgements`: a folder of what people said of triples. `judges`: generators
    that judge the first `judged` triples of each relation. `triples`: most kept
    of a relation. `list_size`: candidate pairs of each shape. `prompts`: paraphrases used at most.
    `most_first`, `most_phrases`, `branch`: how far the search goes. `least_readiness`: the share of its seeds
    that a model must know, or a relation yields nothing.
    """

    seeds: str = Field(default="seeds/relations", min_length=1)
    corpus: Name
    arms: list[str] = Field(default_factory=lambda: ["kbloom", "bertnet"], min_length=1)
    reference: Name | None = None
    judgements: str = ""
    judges: list[GeneratorName] = Field(default_factory=list)
    judged: int = Field(default=100, ge=1)
    triples: int = Field(default=1_000, ge=1)
    list_size: int = Field(default=1_000, ge=1)
    prompts: int = Field(default=20, ge=1, le=20)
    most_first: int = Field(default=1_500, ge=0)
    most_phrases: int = Field(default=150, ge=0)
    branch: int = Field(default=8, ge=0)
    least_readiness: float = Field(default=0.2, ge=0, le=1)
    training: Training = Training()


class Sources(_Strict):
    """The whole configuration."""

    corpora: dict[Name, Corpus] = Field(min_length=1)
    graphs: dict[Name, GraphSource] = Field(default_factory=dict)
    benchmarks: dict[Name, BenchmarkSource] = Field(default_factory=dict)
    harvest: HarvestSource | None = None
    generators: dict[GeneratorName, GeneratorSettings] = Field(default_factory=dict)

    @property
    def templates(self) -> list[str]:
        """What the graphs name as their templates, each once: sets, and paths of files."""
        return list(dict.fromkeys(graph.templates for graph in self.graphs.values()))


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
        data = yaml.safe_load(text)
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
    sources = _with_located_templates(sources, path)
    _check_names(sources, path)
    return sources


def _with_located_templates(sources: Sources, path: Path) -> Sources:
    """Return the configuration with the files of templates ready to open."""
    from evidence_assets.graphs.verbalisation import is_file

    graphs = {
        name: graph.model_copy(update={"templates": locate(graph.templates, path.parent)})
        if is_file(graph.templates)
        else graph
        for name, graph in sources.graphs.items()
    }
    return sources.model_copy(update={"graphs": graphs})


def _check_templates(place: str, name: str) -> None:
    from evidence_assets.graphs.verbalisation import NAMES, TEMPLATE_SETS, TemplateError, is_file, templates

    if name not in (*TEMPLATE_SETS, NAMES) and not is_file(name):
        raise ConfigurationError(
            f"{place}: {name!r} is none of {', '.join((*TEMPLATE_SETS, NAMES))}, nor a file ending in .yaml"
        )
    try:
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
    from evidence_assets.sources.benchmarks.registry import BENCHMARKS
    from evidence_assets.systems.registry import TABLES, systems

    # What is asked of tables comes with them.
    over_tables = [system.name for system in systems().values() if system.needs == TABLES]
    for name, benchmark in sources.benchmarks.items():
        if benchmark.reader not in BENCHMARKS:
            raise ConfigurationError(
                f"{path}: benchmarks.{name}.reader: {benchmark.reader!r} is none of "
                f"{', '.join(sorted(BENCHMARKS))}"
            )
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
    from evidence_assets.knowledge.arms import ARMS

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


def locate(uri: str, base: Path) -> str:
    """Return a URI ready to open: ${NAME} taken from the environment, a relative path made absolute.

    Tables keep the URI as it is written, so that their bytes do not depend on the machine.

    Raises:
        ConfigurationError: a variable is not set.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise ConfigurationError(f"{match[0]} in {uri!r} is not set; remedy: export {match[1]}")
        return os.environ[match[1]]

    protocol, separator, rest = _VARIABLE.sub(value, uri).rpartition("::")
    if "://" in rest:
        return f"{protocol}{separator}{rest}"
    return f"{protocol}{separator}{os.path.normpath(base / Path(rest).expanduser())}"


def shards(sources: Sources, path: Path) -> list[Shard]:
    """Return every shard of every corpus, in the order of the file.

    Files that a local glob or a numbered range names are a shard each. A remote glob is one shard: naming
    partitions must not need the network.

    Raises:
        ConfigurationError: two files of one source would share a shard's name.
    """
    found: list[Shard] = []
    for corpus_name, corpus in sources.corpora.items():
        for source in corpus.sources:
            uris = list(_shard_uris(source, path.parent))
            prefix = f"{corpus_name}.{source.name}"
            # A file of a pattern keeps its name when others join it.
            alone = [written for _, written in uris] == [source.uri]
            keys = [prefix] if alone else [f"{prefix}.{_stem(uri)}" for uri, _ in uris]
            if len(set(keys)) != len(keys):
                raise ConfigurationError(
                    f"{path}: corpora.{corpus_name}.sources.{source.name}: files of one name in several "
                    "folders; remedy: make them sources of their own"
                )
            found.extend(
                Shard(key, corpus_name, source, uri, written)
                for key, (uri, written) in zip(keys, uris, strict=True)
            )
    return found


def _shard_uris(source: ArticleSource, base: Path) -> Iterator[tuple[str, str]]:
    """Yield each file's URI, located and as written."""
    uri = source.uri
    numbered = _RANGE.search(uri)
    if numbered:
        first, last = numbered[1], numbered[2]
        if int(last) < int(first):
            raise ConfigurationError(
                f"{uri!r}: the range {numbered[0]} runs backwards; remedy: swap its ends"
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
        yield file, "/".join(part for part in (folder, Path(file).name) if part)


def _stem(uri: str) -> str:
    """Return a file's name as part of a key; one that would lose letters keeps a hash of itself."""
    name = uri.rstrip("/").rsplit("/", 1)[-1]
    plain = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")
    if name.isascii() and plain and len(plain) <= _LONGEST_STEM:
        return plain
    return f"{plain[:_LONGEST_STEM]}-{text_hash(name)[:8]}".strip("-")


def shards_of(all_shards: Mapping[str, Shard], corpus: str) -> list[Shard]:
    """Return the shards of one corpus."""
    return [shard for shard in all_shards.values() if shard.corpus == corpus]
