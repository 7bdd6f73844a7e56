"""Stages of the knowledge graphs: triples, concepts and conflicts, nodes and names, documents, vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from evidence_assets.graphs.graph_inputs import harvested_sentence_inputs
from evidence_assets.lake.schemas import (
    GRAPH_ALIASES,
    GRAPH_CONCEPTS,
    GRAPH_CONFLICTS,
    GRAPH_EMBEDDINGS,
    GRAPH_NODES,
    GRAPH_SOURCES,
    HARVESTED_TRIPLES,
    HARVESTS,
    NODE_DOCUMENTS,
    REJECTED_RECORDS,
    TRIPLES,
)
from evidence_assets.sources.project import Project
from evidence_assets.sources.records import NothingReadError
from evidence_assets.sources.retractions import TRIPLE
from evidence_assets.sources.specifications import GraphSource, reading
from evidence_assets.stages.declaration import Input, Metadata, Output, Removed, Rows, Scope, Stage
from evidence_assets.text.verbalisation import templates_version

if TYPE_CHECKING:
    from evidence_assets.graphs.concepts.merging import Merger
    from evidence_assets.graphs.concepts.triples import TripleCollector
    from evidence_assets.graphs.embeddings import GraphEmbeddings
    from evidence_assets.graphs.graph import Graph
    from evidence_assets.sources.records import RejectedRecord
    from evidence_assets.stages.step import Step

_graph_stage = partial(Stage, scope=Scope.GRAPH, group="graphs", layer="graph")


class EmptyGraphError(NothingReadError):
    """Nothing in a graph's files could be read as a triple: names the graph and the remedy."""


def graph_stages(project: Project) -> list[Stage]:
    """Return the knowledge graphs' stages."""
    return [_triples(project), _nodes(), _documents(project), _embeddings(project)]


def _triples(project: Project) -> Stage:
    sentences = harvested_sentence_inputs(project, HARVESTS)[1:]
    harvested = (Input(HARVESTS), Input(HARVESTED_TRIPLES, via=HARVESTS, optional=True), *sentences)

    def run(step: Step) -> Iterator[Rows | Metadata | Removed]:
        from evidence_assets.graphs.concepts.conflicts import CONFLICTING, conflict_rows
        from evidence_assets.graphs.concepts.nodes import concept_rows
        from evidence_assets.lake.lake import joined_partitions

        key = step.key.name
        collector = _collected(step, project)
        merger = collector.merge()
        if not collector.statements:
            uris = ", ".join(source.uri for source in project.graph(key).sources)
            raise EmptyGraphError(f"graph {key}: no triple in {uris}; {_why_empty(collector.rejected)}")
        yield Rows(GRAPH_CONCEPTS, concept_rows(key, merger.concepts))
        places = [{"kg": key, "relation": relation} for relation in sorted(collector.relations)]
        yield from _triple_rows(step, project, collector)
        for place in step.inputs.standing(TRIPLES):
            if place not in places:
                yield Removed(TRIPLES, place)
        columns = ["triple_id", "head", "relation", "tail"]
        concerned = [
            step.output(TRIPLES, place, columns) for place in places if place["relation"] in CONFLICTING
        ]
        conflicts = conflict_rows(key, joined_partitions(concerned, TRIPLES, columns), merger.refused)
        yield Rows(GRAPH_CONFLICTS, conflicts)
        yield Metadata(_merge_report(merger, conflicts), GRAPH_CONCEPTS)
        yield Metadata(_source_report(step, places), TRIPLES)

    return _graph_stage(
        name=TRIPLES.name,
        outputs=(
            Output(
                TRIPLES,
                "Knowledge-graph triples with everyone who states them. What one source says twice, or two "
                "say, is one triple with their weights added. A relation without a template is left out, and "
                "rejected_records says how many triples it had.",
                # Who reads the triples reads the templates too: another is other evidence.
                carries=tuple(declared.table for declared in sentences),
            ),
            Output(
                GRAPH_CONCEPTS,
                "Concepts that the sources describe, joined into one where they share an identifier, a "
                "label, a cross-reference or a synonym. Sources of bare triples describe none.",
            ),
            Output(
                GRAPH_CONFLICTS,
                "Triples that contradict each other, cycles of what can have none, and concepts that share a "
                "name and were kept apart. All stay in the graph.",
            ),
        ),
        inputs=harvested if sentences else (),
        run=run,
        version=f"4-{templates_version(project.sources.templates)}",
        files=("graph_files",),
        file_uris=lambda key: tuple(source.uri for source in project.graph(key.name).sources),
        configuration=lambda key: (
            _reading_of(project.graph(key.name)) + project.retractions.version(TRIPLE, key.name)
        ),
        side_tables=(REJECTED_RECORDS, GRAPH_SOURCES),
    )


def _reading_of(graph: GraphSource) -> str:
    """Return the settings that determine which triples a graph's sources give."""
    # Where no templates are named, no relation is left out for want of a sentence.
    unfiltered = [] if graph.templates else ["every relation"]
    return "\n".join([*map(reading, graph.sources), *unfiltered])


def _why_empty(rejected: Sequence[RejectedRecord]) -> str:
    """Return why nothing was read as a triple, by the first record that was left out."""
    if not rejected:
        return "remedy: check the format and its fields in the configuration"
    record = rejected[0]
    return f"the first that was left out, {record.record}: {record.reason}; remedy: {record.remedy}"


def _collected(step: Step, project: Project) -> TripleCollector:
    """Return everything that a graph's sources state."""
    from evidence_assets.graphs.concepts.triples import TripleCollector
    from evidence_assets.graphs.harvest_manifest import harvested_statements
    from evidence_assets.graphs.loaders import templates_of
    from evidence_assets.sources.files import contents_of
    from evidence_assets.sources.graphs.registry import reader

    key = step.key.name
    graph = project.graph(key)
    retracted = project.retractions.of(TRIPLE, key)
    collector = TripleCollector(key, templates_of(step.inputs, graph), retracted)
    # Where one source has a weight, those without count 1: a sum of weights leaves out what has none.
    usual = 1.0 if any(source.weight is not None for source in graph.sources) else None
    for source in graph.sources:
        uri = project.locate(source.uri)
        step.inputs.note_source(source.uri, *contents_of(uri))
        weight = usual if source.weight is None else source.weight
        collector.add(reader(source.format)(uri, source.fields), source.name, source.licence, weight)
        step.log.info(f"{key}: {collector.statements:,} statements after {source.name}")
    for arm in graph.harvests:
        collector.add(harvested_statements(step.inputs, arm), arm, "mined", usual)
        step.log.info(f"{key}: {collector.statements:,} statements after the harvest {arm}")
    return collector


def _triple_rows(step: Step, project: Project, collector: TripleCollector) -> Iterator[Rows | Metadata]:
    """Yield a graph's triples, relation by relation, what was rejected, and what there is to show of them."""
    from evidence_assets.lake.previews import bars
    from evidence_assets.sources.rejections import how_many, left_out_of, rejected_rows, source_of_graph

    key, rejected, counts = step.key.name, collector.rejected, {}
    for relation, rows in collector.tables():
        counts[relation] = rows.num_rows
        yield Rows(TRIPLES, rows, {"kg": key, "relation": relation})
    sources, graph_source = project.graph(key).sources, source_of_graph(key)
    uris = ", ".join(graph_source.uri for graph_source in sources)
    yield Rows(REJECTED_RECORDS, rejected_rows(graph_source, uris, rejected), {"source": graph_source})
    if rejected:
        step.log.warning(left_out_of(f"graph {key}", rejected))
    yield Rows(GRAPH_SOURCES, _source_rows(key, project.graph(key)))
    yield Metadata(
        {
            "statements": collector.statements,
            "rejected": how_many(rejected),
            "licence": ", ".join(dict.fromkeys(source.licence for source in sources)),
            "relations": bars(counts, f"{key}: triples by relation", "triples"),
        },
        TRIPLES,
    )


def _source_rows(key: str, graph: GraphSource) -> pa.Table:
    """Return `graph_sources` rows: the files that triples name their sources of, and the harvests merged."""
    files = [
        {"source": source.name, "source_uri": source.uri, "format": source.format, "licence": source.licence}
        for source in graph.sources
    ]
    mined = [
        {"source": arm, "source_uri": f"harvested_triples/kg={arm}", "format": "harvest", "licence": "mined"}
        for arm in graph.harvests
    ]
    rows = [{"kg": key, **source} for source in (*files, *mined)]
    return pa.Table.from_pylist(rows, schema=GRAPH_SOURCES.schema)


def _merge_report(merger: Merger, conflicts: pa.Table) -> dict[str, Any]:
    """Return how the concepts of the sources were joined, and what speaks against it."""
    from evidence_assets.graphs.concepts.merging import RULES
    from evidence_assets.lake.previews import table_preview

    described = Counter(source for concept in merger.concepts for source, _ in concept.records)
    kinds = Counter(conflicts.column("conflict").to_pylist())
    return {
        "concepts_by_source": dict(sorted(described.items())),
        "concepts_of_several_sources": sum(
            len({source for source, _ in concept.records}) > 1 for concept in merger.concepts
        ),
        "joined_by": {rule: merger.joined[rule] for rule in RULES},
        "conflicts": dict(sorted(kinds.items())),
        "first_conflicts": table_preview(conflicts, ["conflict", "first", "second", "detail"], count=20),
    }


def _source_report(step: Step, places: list[dict[str, str]]) -> dict[str, Any]:
    """Return how many triples each source states, and how many several do, relation by relation."""
    import pyarrow.compute as pc

    statements: Counter[str] = Counter()
    several = 0
    for place in places:
        sources = step.output(TRIPLES, place, ["sources"]).column("sources").combine_chunks()
        pairs = pa.table(
            {
                "triple": pc.list_parent_indices(sources),
                "source": pc.struct_field(pc.list_flatten(sources), "source"),
            }
        )
        pairs = pairs.group_by(["triple", "source"]).aggregate([])
        for count in pairs.column("source").value_counts().to_pylist():
            statements[count["values"]] += count["counts"]
        counts = pairs.column("triple").value_counts().field("counts")
        several += pc.sum(pc.greater(counts, 1)).as_py() or 0
    return {"triples_by_source": dict(statements.most_common(20)), "triples_of_several_sources": several}


def _nodes() -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.graphs.concepts.nodes import alias_rows, node_rows
        from evidence_assets.graphs.loaders import triples_of
        from evidence_assets.lake.previews import histogram, table_preview

        key = step.key.name
        ends = triples_of(step.inputs, key, ["head", "tail"])
        concepts = step.inputs.read(GRAPH_CONCEPTS, {"kg": key}, ["label", "keys", "kind", "names"])
        nodes = node_rows(key, ends, concepts)
        degrees = np.log10(nodes.column("degree").to_numpy())
        best = nodes.sort_by([("degree", "descending")]).slice(0, 20)
        shown = {
            "degrees": histogram(degrees, f"{key}: triples a concept", "log10 of triples"),
            "best_connected": table_preview(best),
        }
        yield Rows(GRAPH_NODES, nodes, metadata=shown)
        yield Rows(GRAPH_ALIASES, alias_rows(nodes, concepts))

    return _graph_stage(
        name=GRAPH_NODES.name,
        outputs=(
            Output(GRAPH_NODES, "Every concept of a knowledge graph, numbered, with its number of triples."),
            Output(
                GRAPH_ALIASES,
                "What concepts are found by: normal forms of labels and synonyms, and their lemmas.",
            ),
        ),
        inputs=(Input(TRIPLES), Input(GRAPH_CONCEPTS)),
        run=run,
        version="3",
    )


def _documents(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.graphs.documents import document_rows
        from evidence_assets.graphs.loaders import open_graph, templates_of

        key = step.key.name
        described = step.inputs.read(GRAPH_CONCEPTS, {"kg": key}, ["label", "definition"])
        definitions = dict(zip(*(column.to_pylist() for column in described.columns), strict=True))
        sentences = templates_of(step.inputs, project.graph(key))
        rows = document_rows(open_graph(step.inputs, key), definitions, sentences)
        yield Rows(NODE_DOCUMENTS, rows, metadata={"with_definition": sum(map(bool, definitions.values()))})

    description = (
        "A document for every node: what its sources say of it, and its triples read out. What searches a "
        "semi-structured knowledge base by meaning reads these."
    )
    return _graph_stage(
        name=NODE_DOCUMENTS.name,
        outputs=(Output(NODE_DOCUMENTS, description),),
        inputs=(
            Input(TRIPLES),
            Input(GRAPH_CONCEPTS),
            Input(GRAPH_NODES),
            *harvested_sentence_inputs(project, TRIPLES),
        ),
        run=run,
        version=f"2-{templates_version(project.sources.templates)}",
        on_demand=True,
    )


def _embeddings(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.graphs.embeddings import embedding_rows
        from evidence_assets.graphs.loaders import open_graph

        graph = open_graph(step.inputs, step.key.name)
        vectors = _vectors(step, project, graph)
        shown = {"method": vectors.method, "known": float(vectors.known.mean())}
        yield Rows(GRAPH_EMBEDDINGS, embedding_rows(graph, vectors), metadata=shown)

    description = (
        "A vector for every node: Numberbatch's where the configuration names its file, else the leading "
        "eigenvectors of the graph's normalised adjacency."
    )
    return _graph_stage(
        name=GRAPH_EMBEDDINGS.name,
        outputs=(Output(GRAPH_EMBEDDINGS, description),),
        inputs=(Input(TRIPLES), Input(GRAPH_NODES)),
        run=run,
        # Few systems read it.
        on_demand=True,
        configuration=lambda key: project.graph(key.name).embeddings,
    )


def _vectors(step: Step, project: Project, graph: Graph) -> GraphEmbeddings:
    from evidence_assets.graphs.embeddings import numberbatch, spectral
    from evidence_assets.graphs.walking.adjacency import adjacency
    from evidence_assets.sources.files import contents_of, text_lines

    written = project.graph(graph.name).embeddings
    if not written:
        return spectral(adjacency(graph))
    uri = project.locate(written)
    step.inputs.note_source(written, *contents_of(uri))
    # A line that is not UTF-8 holds no label of a graph: it is passed over, as other languages' are.
    lines = (line[1] for line in text_lines(uri) if isinstance(line, tuple))
    return numberbatch(lines, written, graph.labels.to_pylist())
