"""Loads knowledge bases, each opened once a run, and their linked questions from the lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.loaders import check_numbers, open_graph, open_linker, templates_of
from evidence_assets.kgqa.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.node_types import node_types
from evidence_assets.kgqa.schema import derived_schema, load_schema
from evidence_assets.kgqa.topics import linked_questions
from evidence_assets.lake.schemas import GRAPH_CONCEPTS, GRAPH_NODES, QUESTION_CONCEPTS
from evidence_assets.sources.project import Project
from evidence_assets.stages.inputs import Inputs
from evidence_assets.text.verbalisation import schema_text


def shared_graph(inputs: Inputs, kg: str) -> Graph:
    """Return a graph.

    Raises:
        MissingPartitionError: it was never built.
        BrokenGraphError: its nodes are older than its triples.
    """
    return inputs.cached(("graph", kg), lambda inputs: open_graph(inputs, kg))


def shared_linker(inputs: Inputs, project: Project, kg: str) -> Linker:
    """Return what links phrases to a graph.

    Raises:
        MissingPartitionError: the graph was never built.
    """
    source = project.graph(kg)
    return inputs.cached(
        ("linker", kg), lambda inputs: open_linker(inputs, kg, source.embedding_threshold, source.unlinked)
    )


def knowledge_base(inputs: Inputs, project: Project, kg: str) -> KnowledgeBase:
    """Return a graph with its schema: the one written with its templates if there is one, else derived.

    Raises:
        MissingPartitionError: the graph was never built.
        BrokenGraphError: its nodes are older than its triples.
        SchemaError: the authored schema cannot be used.
    """
    source = project.graph(kg)

    def opened(inputs: Inputs) -> KnowledgeBase:
        graph, templates = shared_graph(inputs, kg), templates_of(inputs, source)
        kinds = inputs.read(GRAPH_NODES, {"kg": kg}, ["kind"]).column("kind").to_pylist()
        authored = schema_text(source.templates)
        schema = derived_schema(graph, kinds, templates) if authored is None else load_schema(*authored)
        return KnowledgeBase(graph, schema, node_types(graph, kinds, schema), templates)

    return inputs.cached(("knowledge base", kg), opened)


def node_keys(inputs: Inputs, graph: Graph) -> Mapping[int, Sequence[str]]:
    """Return the identifiers of a graph's nodes in its sources, by node; those without any are absent.

    Raises:
        MissingPartitionError: the graph was never built.
    """

    def opened(inputs: Inputs) -> Mapping[int, Sequence[str]]:
        rows = inputs.read(GRAPH_CONCEPTS, {"kg": graph.name}, ["label", "keys"])
        keys = dict(zip(rows.column("label").to_pylist(), rows.column("keys").to_pylist(), strict=True))
        if not keys:
            return {}
        labelled = enumerate(graph.labels.to_pylist())
        return {node: keys[label] for node, label in labelled if keys.get(label)}

    return inputs.cached(("node keys", graph.name), opened)


def questions_with_topics(
    inputs: Inputs, project: Project, base: KnowledgeBase, benchmark: str, questions: pa.Table
) -> list[LinkedQuestion]:
    """Return `questions` rows of a benchmark as questions with their topics.

    Raises:
        BrokenGraphError: the graph was built anew since the questions were linked.
    """
    concepts = inputs.read(QUESTION_CONCEPTS, {"benchmark": benchmark})
    check_numbers(base.graph, concepts, QUESTION_CONCEPTS.name)
    linker = shared_linker(inputs, project, base.graph.name)
    return linked_questions(questions, concepts, linker, base.vocabulary)
