"""A benchmark's graph and questions out of the lake, and what finds and rates facts there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.embedded import EmbeddedGraph, embed
from evidence_assets.graphs.embedding_rows import open_embeddings
from evidence_assets.graphs.embeddings import BlendedSpace, blend
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.loaders import check_numbers, open_graph, open_linker, templates_of
from evidence_assets.graphs.names import NamedNodes
from evidence_assets.graphs.paths import PathFinder, step_costs
from evidence_assets.kgqa.document_pools import open_questions
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.loaders import open_typed_graph
from evidence_assets.kgqa.topics import linked_questions
from evidence_assets.kgqa.whole_paths import AskedGraph, WholePaths
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import (
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RELEVANCE_CLASSIFIERS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.systems.attention2query.arms import NO_CLASSIFIER, TUNED, Retrieval
from evidence_assets.systems.attention2query.attention_retrieval import BRIDGE_STEPS, FactFinder
from evidence_assets.systems.attention2query.facts import AskedFacts
from evidence_assets.systems.attention2query.linked_questions import asked_facts
from evidence_assets.systems.attention2query.path_rating import (
    PathRating,
    by_attention,
    by_classifier,
    by_shared_score,
)
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla
from evidence_assets.systems.attention2query.training import opened


@dataclass(frozen=True)
class OpenedGraph:
    """A graph, its nodes' vectors with definitions and without, and its relations' sentences."""

    graph: EmbeddedGraph
    defined: EmbeddedGraph
    templates: Mapping[str, str]
    linker: Linker
    named: NamedNodes


class Opener:
    """Opens graphs once a run, and what finds facts in them.

    Parameters
    ----------
    cache
        The folder in which trained classifiers are kept.
    """

    def __init__(
        self,
        lake: Lake,
        project: ProjectPartitions,
        encoder: CachedEncoder,
        scorer: PairScorer,
        cache: Path,
    ) -> None:
        self._lake, self._project, self.encoder = lake, project, encoder
        self._scorer, self._cache = scorer, cache
        self._graphs: dict[str, OpenedGraph] = {}
        self._asked_graphs: dict[str, AskedGraph] = {}

    def kg(self, benchmark: str) -> str:
        """Return the graph that helps a benchmark.

        Raises:
            LookupError: the configuration names none.
        """
        name = self._project.graph_of(benchmark)
        if name is None:
            raise LookupError(
                f"Attention2Query asks a graph, and {self._project.location} names none for {benchmark}; "
                f"remedy: name one there (benchmarks.{benchmark}.graph)"
            )
        return name

    def graph(self, kg: str) -> OpenedGraph:
        """Return a graph, opened once.

        Raises:
            MissingPartitionError: it was never built.
        """
        if kg not in self._graphs:
            found = embed(open_graph(self._lake, kg), self.encoder)
            source = self._project.sources.graphs[kg]
            linker = open_linker(self._lake, kg, source.embedding_threshold, source.unlinked)
            self._graphs[kg] = OpenedGraph(
                found,
                self._defined(found, kg),
                templates_of(self._lake, source),
                linker,
                NamedNodes(found.graph, linker),
            )
        return self._graphs[kg]

    def _defined(self, graph: EmbeddedGraph, kg: str) -> EmbeddedGraph:
        """Return the graph with its nodes read with their definitions: the taxonomy."""
        rows = self._lake.read(GRAPH_CONCEPTS, {"kg": kg}, ["label", "definition"])
        told = dict(zip(rows.column("label").to_pylist(), rows.column("definition").to_pylist(), strict=True))
        if not any(told.values()):
            return graph
        texts = [with_definition(label, told.get(label, "")) for label in graph.graph.labels.to_pylist()]
        return replace(graph, vectors=self.encoder.encode(texts))

    def asked_graph(self, kg: str) -> AskedGraph:
        """Return a graph with its schema, opened once: only questions without options need it.

        Raises:
            MissingPartitionError: it was never built.
            SchemaError: the authored schema cannot be used.
        """
        if kg not in self._asked_graphs:
            typed = open_typed_graph(self._lake, kg, self._project.sources.graphs[kg])
            self._asked_graphs[kg] = AskedGraph(typed, self.graph(kg).templates)
        return self._asked_graphs[kg]

    def asked(self, benchmark: str, graph: OpenedGraph, way: Retrieval | None = None) -> list[AskedFacts]:
        """Return a benchmark's questions, ready to be looked for.

        Raises:
            BrokenGraphError: the graph was built anew since the questions were linked.
        """
        place = {"benchmark": benchmark}
        concepts = self._lake.read(QUESTION_CONCEPTS, place)
        check_numbers(graph.graph.graph, concepts, QUESTION_CONCEPTS.name)
        every_word = way is not None and way.by_token
        questions = self._lake.read(QUESTIONS, place)
        about: list[LinkedQuestion] = []
        if (without_options := open_questions(questions)).num_rows:
            vocabulary = self.asked_graph(graph.graph.graph.name).vocabulary
            about = linked_questions(without_options, concepts, graph.linker, vocabulary)
        return asked_facts(questions, concepts, about, every_word)

    def finder(
        self, benchmark: str, graph: OpenedGraph, way: Retrieval, asked: Sequence[AskedFacts]
    ) -> FactFinder:
        """Return what finds the facts of a benchmark's questions in one way.

        Raises:
            MissingPartitionError: vectors or a classifier were never made.
            UnmadeClassifierError: a classifier's weights are gone.
        """
        embedded = graph.defined if way.taxonomy else graph.graph
        vectors = open_embeddings(self._lake, embedded.graph)
        space: BlendedSpace = blend(embedded.vectors, vectors, way.graph_share)
        finder = None
        if way.bridge:
            costs = step_costs(embedded.adjacency, way.bridge)
            finder = PathFinder(embedded.adjacency, costs, BRIDGE_STEPS)
        rater = self._rater(benchmark, way)
        whole = None
        if way.whole_paths and not all(one.options for one in asked):
            asked_graph = self.asked_graph(embedded.graph.name)
            whole = WholePaths(asked_graph, self.encoder, self._rating(asked_graph, way, rater), way.facts)
        return FactFinder(embedded, space, graph.templates, self.encoder.encode, rater, finder, way, whole)

    def _rating(self, graph: AskedGraph, way: Retrieval, rater: Rater) -> PathRating:
        if way.classifier == NO_CLASSIFIER:
            return by_attention()
        if way.classifier == TUNED:
            return by_classifier(rater, graph.wording)
        return by_shared_score(self._scorer, graph.wording)

    def _rater(self, benchmark: str, way: Retrieval) -> Rater:
        if way.classifier != TUNED:
            return Vanilla(self._scorer)
        [row] = self._lake.read(RELEVANCE_CLASSIFIERS, {"benchmark": benchmark}).to_pylist()
        return opened(row["folder"], self._cache, self.encoder.encode)


def with_definition(label: str, definition: str) -> str:
    """Return what a node says: its label, and what its taxonomy says of it."""
    return f"{label}: {definition}" if definition else label


def labels_of(lake: Lake, facts: pa.Table) -> dict[int, str]:
    """Return the labels of the nodes that rows of `retrieved_facts` would answer with."""
    if not facts.num_rows:
        return {}
    wanted = pc.unique(pc.list_flatten(facts.column("answers")))
    nodes = lake.read(GRAPH_NODES, {"kg": facts.column("kg")[0].as_py()}, ["node", "label"])
    own = nodes.filter(pc.is_in(nodes.column("node"), value_set=wanted))
    return dict(zip(own.column("node").to_pylist(), own.column("label").to_pylist(), strict=True))
