"""A benchmark's graph and questions out of the lake, and what finds and rates facts there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.embeddings import blend, open_embeddings
from evidence_assets.graphs.loaders import check_numbers, templates_of
from evidence_assets.graphs.names.node_names import NodesByName
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.kgqa.answers.document_pools import open_questions
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.loaders import (
    knowledge_base,
    questions_with_topics,
    shared_embedded_graph,
    shared_linker,
)
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import (
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RELEVANCE_CLASSIFIERS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.sources.project import Project
from evidence_assets.stages.inputs import Inputs
from evidence_assets.stages.step import Step
from evidence_assets.systems.attention2query.arms import NO_CLASSIFIER, TUNED, Retrieval
from evidence_assets.systems.attention2query.as_printed.training import opened
from evidence_assets.systems.attention2query.attention_retrieval import LINKING_STEPS, AttentionRetriever
from evidence_assets.systems.attention2query.facts import QuestionLinks
from evidence_assets.systems.attention2query.linked_questions import question_links
from evidence_assets.systems.attention2query.path_rating import (
    PathRating,
    by_attention,
    by_classifier,
    by_shared_score,
)
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla
from evidence_assets.systems.attention2query.whole_paths import WholePaths


@dataclass(frozen=True)
class OpenedGraph:
    """A graph, its nodes' vectors without definitions and with them, its relations' sentences, its names."""

    graph: EmbeddedGraph
    defined: EmbeddedGraph
    templates: Mapping[str, str]
    named: NodesByName

    @property
    def name(self) -> str:
        """The graph's name."""
        return self.graph.graph.name


def open_embedded_graph(step: Step, project: Project, benchmark: str) -> OpenedGraph:
    """Return the graph that helps a benchmark, opened once a run.

    Raises:
        LookupError: the configuration names none.
        MissingPartitionError: it was never built.
    """
    kg, encoder = project.required_graph(benchmark, "Attention2Query"), step.encoder

    def opened(inputs: Inputs) -> OpenedGraph:
        graph = shared_embedded_graph(inputs, kg, encoder)
        templates = templates_of(inputs, project.graph(kg))
        nodes_by_name = NodesByName(graph.graph, shared_linker(inputs, project, kg))
        return OpenedGraph(graph, _defined(inputs, graph, encoder), templates, nodes_by_name)

    return step.inputs.cached(("opened graph", kg), opened)


def _defined(inputs: TableReader, graph: EmbeddedGraph, encoder: CachedEncoder) -> EmbeddedGraph:
    """Return the graph with its nodes read with their definitions: the taxonomy."""
    rows = inputs.read(GRAPH_CONCEPTS, {"kg": graph.graph.name}, ["label", "definition"])
    labels, definitions = rows.column("label").to_pylist(), rows.column("definition").to_pylist()
    defined = dict(zip(labels, definitions, strict=True))
    if not any(defined.values()):
        return graph
    texts = [with_definition(label, defined.get(label, "")) for label in graph.graph.labels.to_pylist()]
    return replace(graph, vectors=encoder.encode(texts))


def open_question_links(
    step: Step, project: Project, graph: OpenedGraph, benchmark: str, by_token: bool = False
) -> list[QuestionLinks]:
    """Return a benchmark's questions, ready to be looked for. `by_token`: with every word of theirs.

    Raises:
        BrokenGraphError: the graph was built anew since the questions were linked.
    """
    inputs, place = step.inputs, {"benchmark": benchmark}
    concepts = inputs.read(QUESTION_CONCEPTS, place)
    check_numbers(graph.graph.graph, concepts, QUESTION_CONCEPTS.name)
    questions = inputs.read(QUESTIONS, place)
    about: list[LinkedQuestion] = []
    # Only questions without options need the graph's schema.
    if (without_options := open_questions(questions)).num_rows:
        base = knowledge_base(inputs, project, graph.name)
        about = questions_with_topics(inputs, project, base, benchmark, without_options)
    return question_links(questions, concepts, about, by_token)


def open_retriever(
    step: Step, project: Project, graph: OpenedGraph, way: Retrieval, questions: Sequence[QuestionLinks]
) -> AttentionRetriever:
    """Return what finds the facts of a benchmark's questions in one way.

    Raises:
        MissingPartitionError: vectors or a classifier were never made.
        UnmadeClassifierError: a classifier's weights are gone.
        SchemaError: the authored schema cannot be used.
    """
    embedded = graph.defined if way.taxonomy else graph.graph
    vectors = open_embeddings(step.inputs, embedded.graph)
    space = blend(embedded.vectors, vectors, way.graph_share)
    finder = None
    if way.bridge:
        costs = step_costs(embedded.adjacency, way.bridge)
        finder = PathFinder(embedded.adjacency, costs, LINKING_STEPS)
    rater = _rater(step, way)
    whole_paths = None
    if way.whole_paths and not all(question.options for question in questions):
        base = knowledge_base(step.inputs, project, graph.name)
        whole_paths = WholePaths(base, step.encoder, _rating(step, base, way, rater), way.facts)
    encode = step.shortened(_texts_of(questions)).encoding(step.encoder.encode)
    return AttentionRetriever(embedded, space, graph.templates, encode, rater, finder, way, whole_paths)


def _texts_of(questions: Sequence[QuestionLinks]) -> pa.Table:
    """Return the columns of `questions` that decide what is encoded of them."""
    columns = {
        "question_id": [question.question_id for question in questions],
        "question": [question.question for question in questions],
        "options": [list(question.options) for question in questions],
    }
    return pa.table(columns, schema=pa.schema([QUESTIONS.schema.field(name) for name in columns]))


def _rating(step: Step, base: KnowledgeBase, way: Retrieval, rater: Rater) -> PathRating:
    if way.classifier == NO_CLASSIFIER:
        return by_attention()
    if way.classifier == TUNED:
        return by_classifier(rater, base.wording)
    return by_shared_score(step.pair_scorer, base.wording)


def _rater(step: Step, way: Retrieval) -> Rater:
    if way.classifier != TUNED:
        return Vanilla(step.pair_scorer)
    [row] = step.inputs.read(RELEVANCE_CLASSIFIERS, {"benchmark": step.key.name}).to_pylist()
    return opened(row["folder"], step.models.cache, step.encoder.encode)


def with_definition(label: str, definition: str) -> str:
    """Return a node's text: its label, and its definition if it has one."""
    return f"{label}: {definition}" if definition else label


def labels_of(lake: TableReader, facts: pa.Table) -> dict[int, str]:
    """Return the labels of the nodes that rows of `retrieved_facts` would answer with."""
    if not facts.num_rows:
        return {}
    answer_nodes = pc.unique(pc.list_flatten(facts.column("answers")))
    nodes = lake.read(GRAPH_NODES, {"kg": facts.column("kg")[0].as_py()}, ["node", "label"])
    labelled = nodes.filter(pc.is_in(nodes.column("node"), value_set=answer_nodes))
    return dict(zip(labelled.column("node").to_pylist(), labelled.column("label").to_pylist(), strict=True))
