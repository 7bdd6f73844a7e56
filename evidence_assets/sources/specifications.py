"""Typed configuration: corpora and their shards, graphs, benchmarks, a harvest, generators."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_serializer, model_validator

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.sources.allowed_places import INSTEAD, why_not_named, why_not_opened
from evidence_assets.sources.withheld import withhold

_NAME = r"^[a-z0-9][a-z0-9_-]*$"
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_LONGEST_STEM = 60
_RANGE = re.compile(r"\{(\d+)\.\.(\d+)\}")

Name = Annotated[str, Field(pattern=_NAME, max_length=64)]
# Models are known by versions: qwen2.5-72b.
GeneratorName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", max_length=64)]


class ConfigurationError(Exception):
    """The configuration cannot be used: names the file, the field and the remedy.

    `problems`: where it tells those of a file, each of them.
    """

    problems: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, problems: Sequence[str]) -> ConfigurationError:
        """Return an error that lists every problem of a file, one a line."""
        lines = [f"{path}: {len(problems)} problems", *(f"- {problem}" for problem in problems)]
        error = cls(f"{path}: {problems[0]}" if len(problems) == 1 else "\n".join(lines))
        error.problems = tuple(problems)
        return error


class Strict(BaseModel):
    """A part of a configuration file: a field that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ArticleSource(Strict):
    """One source of articles in a corpus."""

    name: Name
    uri: str = Field(min_length=1)
    format: str
    licence: str = Field(min_length=1)
    revision: str = ""
    fields: dict[str, str] = Field(default_factory=dict)


class Corpus(Strict):
    """Articles that are searched together."""

    description: str = ""
    sources: list[ArticleSource] = Field(min_length=1)


class StatementSource(Strict):
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


class GraphSource(Strict):
    """A knowledge graph: its sources, and the templates that read its relations out.

    `templates`: one of the sets that come with the project; a YAML file of your own, relative to the
    configuration (a relation and its sentence a line, or an authored schema); or `names`, and every relation
    is read out by its own name. Without it ConceptNet's relations have its sentences, others their names.
    `embedding_threshold`: the least cosine at which a phrase that no name spells is linked to the nearest
    name in meaning; without it phrases are not linked by meaning. `unlinked`: words that name nothing when
    they stand alone, such as verbs that are also a concept's name ("lead", "show"). `harvests`: arms of the
    harvest whose triples are merged with what the sources state. `embeddings`: a file of node vectors in
    Numberbatch's text format, `.gz` or not; empty: they are made from the graph.
    """

    description: str = ""
    embeddings: str = ""
    templates: str = ""
    embedding_threshold: float | None = Field(default=None, gt=0, le=1)
    unlinked: list[str] = Field(default_factory=list)
    sources: list[StatementSource] = Field(default_factory=list)
    harvests: list[str] = Field(default_factory=list)


class BenchmarkSource(Strict):
    """One question set: which reader reads it, from where, which corpus answers it, and which graph helps.

    `reader`: a name, or a mapping file (.yaml) of your own, relative to the configuration.
    It names a corpus, a graph, or both. `systems` are those that a run of the benchmark takes unless it is
    told which arms. `sample`: how many of the questions to take, the same on every machine.
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

    @field_serializer("reader", when_used="json")
    def _written(self, reader: str) -> str:
        """A mapping file as its name and content: what is read changes with it, and not with its folder."""
        path = Path(reader)
        is_here = path.suffix in {".yaml", ".yml"} and path.is_file()
        return (
            f"{path.name}:{text_hash(path.read_text(encoding='utf-8', errors='replace'))}"
            if is_here
            else reader
        )


class Training(Strict):
    """How a masked language model is made from a corpus: see `models.masked_lm_recipe.Recipe`.

    `from_scratch`: a small body of its own, not the encoder's. `prepared`: a folder of models that were made
    before, kept by content: where it holds the one of this text and recipe, none is trained. It must exist.
    """

    steps: int = Field(default=900, ge=1)
    batch: int = Field(default=32, ge=1)
    vocabulary: int = Field(default=6_000, ge=100)
    layers: int = Field(default=0, ge=0)
    body_rate: float = Field(default=4e-4, gt=0)
    evaluations: int = Field(default=10, ge=1)
    from_scratch: bool = False
    prepared: str = ""


class HarvestSource(Strict):
    """Knowledge harvesting from a masked language model.

    `seeds`: the folder of seed files, one a relation. `corpus`: what the model is made from, where the
    profile names none. `arms`: the ways to harvest, each a graph of its own. `reference`: the graph that
    novelty is measured against. `judgements`: a folder of what people said of triples. `judges`: generators
    that judge the first `judged` triples of each relation; `likelihood_judges`: those whose weights score the
    same triples as true or false, and write nothing. `triples`: most kept of a relation. `list_size`:
    candidate pairs of each shape. `prompts`: paraphrases used at most. `most_first`, `most_phrases`,
    `branch`: how far the search goes. `least_readiness`: the share of its seeds that a model must know, or a
    relation yields nothing.
    """

    seeds: str = Field(default="seeds/relations", min_length=1)
    corpus: Name
    arms: list[str] = Field(default_factory=lambda: ["kbloom", "bertnet"], min_length=1)
    reference: Name | None = None
    judgements: str = ""
    judges: list[GeneratorName] = Field(default_factory=list)
    likelihood_judges: list[GeneratorName] = Field(default_factory=list)
    judged: int = Field(default=100, ge=1)
    triples: int = Field(default=1_000, ge=1)
    list_size: int = Field(default=1_000, ge=1)
    prompts: int = Field(default=20, ge=1, le=20)
    most_first: int = Field(default=1_500, ge=0)
    most_phrases: int = Field(default=150, ge=0)
    branch: int = Field(default=8, ge=0)
    least_readiness: float = Field(default=0.2, ge=0, le=1)
    training: Training = Training()


class ReaderSource(Strict):
    """A recipe of a trained reader: what it learns from, and how.

    Tasks are made of the sentences of `corpora` and of the triples of `graphs`: at most `sentence_groups` and
    `triple_groups` groups of four questions; of a graph the first `triples` by id are used. `sets`: the
    benchmarks whose questions it is trained on beside them. `chosen_on`: the benchmark on whose questions the
    training is stopped; `weighed_on`: those on which its mixture with cheap cues is fitted, that one if none
    is named; `evaluated_on`: the one whose accuracy is recorded. None of these is trained on, and none of
    them all may be a test split. `apart_from`: benchmarks that it is to answer, of any split. What any of
    these asks in the same words is left out of `sets`. `texts`: texts of evidence that an option is read
    with. The other fields: see `models.reader_recipe.ReaderTraining`.

    `generator`: a language model that reads in a cross-encoder's place. With an `adapter_rank` an adapter of
    that rank is trained for it, on layers from `frozen_layers` on; without one nothing is trained, and what
    its likelihoods are worth is fitted on the questions of `sets` and `weighed_on`. `without_habits`: whether
    what the options of published questions give away is taken out of an adapter's training; `bfloat16`:
    whether it computes with numbers of 16 bits.
    """

    description: str = ""
    corpora: list[Name] = Field(min_length=1)
    graphs: list[Name] = Field(default_factory=list)
    sets: list[Name] = Field(default_factory=list)
    apart_from: list[Name] = Field(default_factory=list)
    chosen_on: Name
    weighed_on: list[Name] = Field(default_factory=list)
    evaluated_on: Name
    generator: GeneratorName | None = None
    adapter_rank: int = Field(default=0, ge=0, le=256)
    without_habits: bool = True
    bfloat16: bool = False
    triples: int = Field(default=12_000, ge=0)
    sentence_groups: int = Field(default=1_000, ge=0)
    triple_groups: int = Field(default=1_500, ge=0)
    texts: int = Field(default=2, ge=1, le=4)
    steps: int = Field(default=1_080, ge=1)
    batch: int = Field(default=8, ge=1)
    body_rate: float = Field(default=5e-5, gt=0)
    frozen_layers: int = Field(default=2, ge=0)
    longest: int = Field(default=96, ge=16, le=512)
    evaluations: int = Field(default=4, ge=1)
    seed: int = 2026

    @model_validator(mode="after")
    def _check_adapter(self) -> ReaderSource:
        if self.adapter_rank and self.generator is None:
            raise ValueError("adapter_rank: name the generator that the adapter is trained for")
        return self

    @property
    def choosing_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks that it is chosen and weighed on, each once."""
        return tuple(dict.fromkeys([self.chosen_on, *self.weighed_on]))

    @property
    def seen_benchmarks(self) -> tuple[str, ...]:
        """The benchmarks that it is trained on, chosen on, weighed on and evaluated on, each once."""
        return tuple(dict.fromkeys([*self.sets, *self.choosing_benchmarks, self.evaluated_on]))

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """The benchmarks whose questions it depends on, each once."""
        return tuple(dict.fromkeys([*self.seen_benchmarks, *self.apart_from]))


class PreparedReaderSource(Strict):
    """A reader that was trained elsewhere: a folder that `evidence-assets export-reader` wrote.

    `generator`: the language model that it was trained for, as it is called here; none for a cross-encoder.
    """

    description: str = ""
    folder: str = Field(min_length=1)
    generator: GeneratorName | None = None


class Automation(Strict):
    """What runs without being asked for, beside what exists and follows its inputs.

    `eager`: assets whose partitions are made as soon as what they read is there.
    """

    eager: tuple[str, ...] = ()


class Sources(Strict):
    """The whole configuration."""

    corpora: dict[Name, Corpus] = Field(default_factory=dict)
    graphs: dict[Name, GraphSource] = Field(default_factory=dict)
    benchmarks: dict[Name, BenchmarkSource] = Field(default_factory=dict)
    harvest: HarvestSource | None = None
    readers: dict[Name, ReaderSource] = Field(default_factory=dict)
    prepared_readers: dict[Name, PreparedReaderSource] = Field(default_factory=dict)
    generators: dict[GeneratorName, GeneratorSettings] = Field(default_factory=dict)
    automation: Automation = Field(default_factory=Automation)

    @property
    def eager(self) -> tuple[str, ...]:
        """Assets made automatically, without a request."""
        return self.automation.eager

    @property
    def templates(self) -> list[str]:
        """The distinct templates of the graphs: names of sets, and paths of files."""
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


def locate(uri: str, base: Path) -> str:
    """Return a URI ready to open: ${NAME} taken from the environment, a relative path made absolute.

    Tables keep the URI as it is written, so that their bytes do not depend on the machine. What variables
    put into an address is withheld from errors and logs.

    Raises:
        ConfigurationError: a variable is not set, a user has no home, or the place is none of those that may
            be read.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] not in os.environ:
            raise ConfigurationError(f"{match[0]} in {uri!r} is not set; remedy: export {match[1]}")
        return os.environ[match[1]]

    expanded = _VARIABLE.sub(value, uri)
    # A path on this machine is no secret, and a person needs it whole to correct it.
    if "://" in expanded:
        for name in _VARIABLE.findall(uri):
            withhold(name, os.environ[name])
    protocol, separator, location = expanded.rpartition("::")
    if "://" not in location:
        try:
            location = os.path.normpath(base / Path(location).expanduser())
        except RuntimeError as error:
            raise ConfigurationError(
                f"{uri!r}: there is no such user's home; remedy: give the whole path, from / on"
            ) from error
    _check_allowed(uri, protocol, location)
    return f"{protocol}{separator}{location}"


def _check_allowed(uri: str, chain: str, location: str) -> None:
    """Check that a place lies below one that `EVIDENCE_ALLOWED_SOURCES` lists, where it is set."""
    if reason := why_not_named(chain, location):
        raise ConfigurationError(f"{uri!r} {reason}; remedy: {INSTEAD}")


def shards(sources: Sources, path: Path) -> list[Shard]:
    """Return every shard of every corpus, in the order of the file.

    Files that a local glob or a numbered range names are a shard each. A remote glob is one shard: naming
    partitions must not need the network.

    Raises:
        ConfigurationError: two files of one source would share a shard's name, a variable is not set, a range
            runs backwards. The message lists every problem.
    """
    result: list[Shard] = []
    problems: list[str] = []
    for corpus_name, corpus in sources.corpora.items():
        for source in corpus.sources:
            try:
                result.extend(_shards_of(corpus_name, source, path))
            except ConfigurationError as error:
                problems.append(f"corpora.{corpus_name}.sources.{source.name}: {error}")
    if problems:
        raise ConfigurationError.of(path, problems)
    return result


def _shards_of(corpus: str, source: ArticleSource, path: Path) -> Iterator[Shard]:
    uris = list(_shard_uris(source, path.parent))
    prefix = f"{corpus}.{source.name}"
    # A file of a pattern keeps its name when others join it.
    is_single = [written for _, written in uris] == [source.uri]
    keys = [prefix] if is_single else [f"{prefix}.{_stem(uri)}" for uri, _ in uris]
    if len(set(keys)) != len(keys):
        raise ConfigurationError(
            "files of one name in several folders; remedy: make them sources of their own"
        )
    for key, (uri, written) in zip(keys, uris, strict=True):
        yield Shard(key, corpus, source, uri, written)


def _shard_uris(source: ArticleSource, base: Path) -> Iterator[tuple[str, str]]:
    """Yield each file's URI, located and as written."""
    uri = source.uri
    numbered = _RANGE.search(uri)
    if numbered:
        first, last = numbered[1], numbered[2]
        if int(last) < int(first):
            raise ConfigurationError(
                f"uri {uri!r}: the range {numbered[0]} runs backwards; remedy: swap its ends"
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
        if reason := why_not_opened(file):
            raise ConfigurationError(f"{file}: {reason}; remedy: {INSTEAD}")
        yield file, "/".join(part for part in (folder, Path(file).name) if part)


def _stem(uri: str) -> str:
    """Return a file's name as part of a key, with a hash where the name had to be altered."""
    name = uri.rstrip("/").rsplit("/", 1)[-1]
    plain = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-")
    if name.isascii() and plain and len(plain) <= _LONGEST_STEM:
        return plain
    return f"{plain[:_LONGEST_STEM]}-{text_hash(name)[:8]}".strip("-")


def reading(source: BaseModel) -> str:
    """Return the settings that determine how a file is read, as JSON: neither its place nor its use."""
    settings = source.model_dump(mode="json", exclude={"uri", "corpus", "graph", "training", "systems"})
    return json.dumps(settings, sort_keys=True)
