"""Loads knowledge bases, each opened once a run, and their linked questions from the lake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.loaders import check_numbers, open_graph, open_linker, templates_of
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph, embed_graph
from evidence_assets.kgqa.answers.baseline_reading import read_baseline
from evidence_assets.kgqa.answers.baselines import BM25, DENSE, HOPS, PARTS, Baseline
from evidence_assets.kgqa.answers.document_pools import POOL_DEPTH, open_questions, pools_of
from evidence_assets.kgqa.answers.document_search import (
    DocumentedGraph,
    Nodes,
    Search,
    hop_levels,
    named_nodes,
    part_pools,
    without,
)
from evidence_assets.kgqa.graph.inferred_kinds import inferred_kinds
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema, load_schema
from evidence_assets.kgqa.graph.schema_draft import schema_draft
from evidence_assets.kgqa.graph.topics import linked_questions
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import (
    DOCUMENT_POOLS,
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    NODE_DOCUMENTS,
    QUESTION_CONCEPTS,
    QUESTIONS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import Encode
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import GraphSource
from evidence_assets.stages.inputs import Inputs
from evidence_assets.stages.step import Step
from evidence_assets.text.verbalisation import schema_text


def shared_graph(inputs: Inputs, kg: str) -> Graph:
    """Return a graph.

    Raises:
        MissingPartitionError: it was never built.
        BrokenGraphError: its nodes are older than its triples.
    """
    return inputs.cached(("graph", kg), lambda inputs: open_graph(inputs, kg))


def shared_embedded_graph(inputs: Inputs, kg: str, encoder: CachedEncoder) -> EmbeddedGraph:
    """Return a graph with the vectors of its nodes.

    Raises:
        MissingPartitionError: it was never built.
        BrokenGraphError: its nodes are older than its triples.
    """
    return inputs.cached(
        ("embedded graph", kg), lambda inputs: embed_graph(shared_graph(inputs, kg), encoder)
    )


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


def schema_to_reword(lake: TableReader, kg: str, graph: GraphSource) -> str:
    """Return the YAML of a first schema of a graph that has none of its own.

    Where no node has a kind, types are inferred from the ends of relations, as they are to read questions.

    Raises:
        LookupError: it has one.
        MissingPartitionError: the graph was never built.
        BrokenGraphError: its nodes are older than its triples.
        TemplateError: its templates cannot be used.
    """
    if authored := schema_text(graph.templates):
        raise LookupError(f"graph {kg} has a schema, {authored[1]}; remedy: reword that one")
    kinds = lake.read(GRAPH_NODES, {"kg": kg}, ["kind"]).column("kind").to_pylist()
    opened = open_graph(lake, kg)
    if not any(kinds):
        kinds = inferred_kinds(opened) or kinds
    return schema_draft(opened, kinds, {**templates_of(lake, graph)})


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


def documented_graph(inputs: Inputs, project: Project, kg: str) -> DocumentedGraph:
    """Return a graph with its nodes' documents, opened once a run.

    Raises:
        MissingPartitionError: the graph, or its documents, were never made.
        BrokenGraphError: the documents are older than the graph.
    """

    def opened(inputs: Inputs) -> DocumentedGraph:
        base = knowledge_base(inputs, project, kg)
        columns = ["document_id", "node", "label", "text", "triples_start"]
        rows = inputs.read(NODE_DOCUMENTS, {"kg": kg}, columns)
        check_numbers(base.graph, rows, NODE_DOCUMENTS.name)
        rows = rows.sort_by("node")
        texts, ids, starts = (
            rows.column(name).to_pylist() for name in ("text", "document_id", "triples_start")
        )
        return DocumentedGraph(base, texts, ids, [start or 0 for start in starts])

    return inputs.cached(("documented graph", kg), opened)


def document_search(
    inputs: Inputs,
    graph: DocumentedGraph,
    encode: Encode,
    benchmark: str,
    questions: Sequence[LinkedQuestion],
    by: str,
    keeps_topics: bool = False,
) -> Search:
    """Return what search, by vectors of documents or of their parts, or by BM25, makes of open questions.

    What a question names is left out of its pool, unless `keeps_topics`. `encode`: (n, d) unit vectors of
    texts; of a question that is too long, of what is kept of it.
    """
    texts = [question.question for question in questions]
    vectors, ids = encode(texts), [question.question_id for question in questions]
    if by == PARTS:
        pools = part_pools(ids, vectors, graph, encode, POOL_DEPTH)
    else:
        rows = inputs.read(DOCUMENT_POOLS, {"benchmark": benchmark})
        pools = dict(pools_of(rows, BM25 if by == BM25 else DENSE))
    left_out = {} if keeps_topics else named_nodes(questions)
    unread = _withheld_documents(inputs, graph, ids)
    # A document that is withheld is not searched.
    for question_id, nodes in unread.items():
        left_out[question_id] = frozenset(left_out.get(question_id, ())) | nodes
    places = {
        place: np.array(sorted(unread[question_id]), dtype=np.int32)
        for place, question_id in enumerate(ids)
        if question_id in unread
    }
    return Search(without(pools, left_out), vectors, encode(list(graph.documents)), left_out, places)


def _withheld_documents(
    inputs: Inputs, graph: DocumentedGraph, question_ids: Sequence[str]
) -> dict[str, frozenset[int]]:
    """Return the nodes whose documents a question's reader must do without, by its id; others are absent."""
    withheld = {
        question_id: {
            source.key for source in inputs.withheld(question_id) if source.table == NODE_DOCUMENTS.name
        }
        for question_id in question_ids
    }
    withheld_keys = frozenset().union(*withheld.values())
    documents = enumerate(graph.document_ids if withheld_keys else ())
    nodes = {key: node for node, key in documents if key in withheld_keys}
    return {
        question_id: frozenset(nodes[key] for key in keys if key in nodes)
        for question_id, keys in withheld.items()
        if keys
    }


def topic_levels(
    inputs: Inputs, graph: Graph, questions: Sequence[LinkedQuestion]
) -> dict[str, Sequence[Nodes]]:
    """Return the nodes around what each question names, by hops, by the question's id."""
    around = inputs.cached(
        ("adjacency", graph.name), lambda inputs: adjacency(shared_graph(inputs, graph.name))
    )
    return {
        question.question_id: hop_levels(around, [topic.nodes for topic in question.topics])
        for question in questions
    }


def answer_by_baseline(step: Step, project: Project, baseline: Baseline, experiment: Experiment) -> None:
    """Add what a baseline answers to a benchmark's questions without options to an experiment.

    Raises:
        MissingPartitionError: the graph, its documents or pools were never made.
    """
    inputs, benchmark = step.inputs, step.key.name
    graph = documented_graph(inputs, project, project.required_graph(benchmark, baseline.name))
    experiment.node_keys = node_keys(inputs, graph.base.graph)
    rows = open_questions(inputs.read(QUESTIONS, {"benchmark": benchmark}))
    linked = questions_with_topics(inputs, project, graph.base, benchmark, rows)
    encode = step.shortened(rows).encoding(step.encoder.encode)
    search = document_search(inputs, graph, encode, benchmark, linked, baseline.search)
    levels = topic_levels(inputs, graph.base.graph, linked) if baseline.search == HOPS else None
    generator = baseline.name.partition("@")[2]
    read_baseline(experiment, rows.to_pylist(), graph, search, generator, levels)


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
