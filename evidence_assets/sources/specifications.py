"""Typed configuration: corpora, graphs, benchmarks, a harvest, readers, generators."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, Field, field_serializer

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.sources.reader_specifications import PreparedReaderSource, ReaderSource
from evidence_assets.sources.specification_fields import GeneratorName, Name, Strict


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


def reading(source: BaseModel) -> str:
    """Return the settings that determine how a file is read, as JSON: neither its place nor its use."""
    settings = source.model_dump(mode="json", exclude={"uri", "corpus", "graph", "training", "systems"})
    return json.dumps(settings, sort_keys=True)
