"""Assets of the knowledge graphs: triples, concepts and what speaks against them, nodes, names, documents."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import dagster as dg
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.conflicts import CONFLICTING, conflict_rows
from evidence_assets.graphs.documents import document_rows
from evidence_assets.graphs.harvest_manifest import harvested_statements
from evidence_assets.graphs.loaders import open_graph, templates_of, triples_of
from evidence_assets.graphs.merging import RULES, Merger
from evidence_assets.graphs.nodes import alias_rows, concept_rows, node_rows
from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.graphs.versions import harvested_sentences
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import bars, histogram, table_preview
from evidence_assets.lake.schemas import (
    GRAPH_ALIASES,
    GRAPH_CONCEPTS,
    GRAPH_CONFLICTS,
    GRAPH_NODES,
    NODE_DOCUMENTS,
    REJECTED_RECORDS,
    TRIPLES,
)
from evidence_assets.orchestration.asset_defaults import MADE_OF_INPUTS, MADE_WHEN_ASKED, SINGLE_RUN
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Step, Writing
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.sources.rejections import rejected_rows, source_of_graph
from evidence_assets.sources.specifications import locate
from evidence_assets.text.verbalisation import templates, templates_version

Results = Iterator[dg.MaterializeResult[Any]]


class EmptyGraphError(Exception):
    """Nothing in a graph's files could be read as a triple: names the graph and the remedy."""


def graph_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the knowledge graphs' assets.

    Raises:
        TemplateError: a graph names templates that there are not.
    """
    for graph in project.sources.graphs.values():
        templates(graph.templates)
    return [_triples(project), _nodes(project), _documents(project)]


def _triples(project: ProjectPartitions) -> dg.AssetsDefinition:
    merged = [dg.AssetDep("harvests", partition_mapping=project.harvests_to_graphs)] if project.merges else []
    # A harvest is followed, whether or not anyone has ever looked at the files.
    common = {
        **MADE_OF_INPUTS,
        "automation_condition": when_inputs_change(spare=["graph_files"] if merged else []),
    }
    specs = [
        dg.AssetSpec(
            table.name,
            **common,
            deps=["graph_files", *merged],
            description=description,
            group_name="graphs",
            tags={"layer": "graph"},
            code_version=f"3-{templates_version(project.sources.templates)}",
        )
        for table, description in (
            (
                TRIPLES,
                "Knowledge-graph triples with everyone who states them. What one source says twice, or two "
                "say, is one triple with their weights added. A relation without a template is left out, and "
                "rejected_records says how many triples it had.",
            ),
            (
                GRAPH_CONCEPTS,
                "Concepts that the sources describe, joined into one where they share an identifier, a "
                "label, a cross-reference or a synonym. Sources of bare triples describe none.",
            ),
            (
                GRAPH_CONFLICTS,
                "Triples that contradict each other, cycles of what can have none, and concepts that share a "
                "name and were kept apart. All stay in the graph.",
            ),
        )
    ]

    @dg.multi_asset(name=TRIPLES.name, specs=specs, partitions_def=project.graphs, backfill_policy=SINGLE_RUN)
    def triples(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                collector = _collected(context, writing.lake, project, key)
                merger = collector.merge()
                if not collector.statements:
                    sources = project.sources.graphs[key].sources
                    raise EmptyGraphError(
                        f"graph {key}: no triple in {', '.join(source.uri for source in sources)}; "
                        f"{len(collector.rejected):,} records were rejected; remedy: check the format and "
                        "its fields in the configuration"
                    )
                step.write(GRAPH_CONCEPTS, {"kg": key}, concept_rows(key, merger.concepts))
                report = _write_triples(step, writing.lake, project, key, collector)
                # Who reads the triples reads the templates too: another is other evidence.
                step.carry(harvested_sentences(writing.lake, project, key), asset=TRIPLES.name)
                columns = ["triple_id", "head", "relation", "tail"]
                concerned = triples_of(writing.lake, key, columns, CONFLICTING)
                conflicts = conflict_rows(key, concerned, merger.refused)
                step.write(GRAPH_CONFLICTS, {"kg": key}, conflicts)
                step.show(_merge_report(merger, conflicts), asset=GRAPH_CONCEPTS.name)
                step.show({**report, **_source_report(writing.lake, project, key)}, asset=TRIPLES.name)
        yield from writing.results()

    return triples


def _collected(
    context: dg.AssetExecutionContext, lake: Lake, project: ProjectPartitions, key: str
) -> TripleCollector:
    """Return everything that a graph's sources state."""
    graph = project.sources.graphs[key]
    collector = TripleCollector(key, templates_of(lake, graph))
    # Where one source has a weight, those without count 1: a sum of weights leaves out what has none.
    usual = 1.0 if any(source.weight is not None for source in graph.sources) else None
    for source in graph.sources:
        uri = locate(source.uri, project.location.parent)
        lake.note_source(source.uri, fingerprint(uri))
        weight = usual if source.weight is None else source.weight
        collector.add(reader(source.format)(uri, source.fields), source.name, source.licence, weight)
        context.log.info(f"{key}: {collector.statements:,} statements after {source.name}")
    for arm in graph.harvests:
        collector.add(harvested_statements(lake, arm), arm, "mined", usual)
        context.log.info(f"{key}: {collector.statements:,} statements after the harvest {arm}")
    return collector


def _write_triples(
    step: Step, lake: Lake, project: ProjectPartitions, key: str, collector: TripleCollector
) -> dict[str, Any]:
    """Write a graph's triples and what was rejected; return what there is to show of them."""
    graph, rejected = project.sources.graphs[key], collector.rejected
    places = [{"kg": key, "relation": relation} for relation in collector.relations]
    counts: dict[str, int] = {}
    step.write_each(TRIPLES, _placed(collector, key, counts))
    stale = [place for place in project.places(lake, TRIPLES, key) if place not in places]
    for place in stale:
        lake.delete(TRIPLES, place)
    uris, whole = ", ".join(source.uri for source in graph.sources), source_of_graph(key)
    step.write_beside(REJECTED_RECORDS, {"source": whole}, rejected_rows(whole, uris, rejected))
    report = {
        "statements": collector.statements,
        "rejected": len(rejected),
        "licence": ", ".join(dict.fromkeys(source.licence for source in graph.sources)),
        "relations": bars(counts, f"{key}: triples by relation", "triples"),
    }
    return {**report, "changed": True} if stale else report


def _merge_report(merger: Merger, conflicts: pa.Table) -> dict[str, Any]:
    """Return how the concepts of the sources were joined, and what speaks against it."""
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


def _source_report(lake: Lake, project: ProjectPartitions, key: str) -> dict[str, Any]:
    """Return how many triples each source states, and how many several do, relation by relation."""
    stated: Counter[str] = Counter()
    several = 0
    for place in project.places(lake, TRIPLES, key):
        found = lake.read(TRIPLES, place, ["sources"]).column("sources").combine_chunks()
        pairs = pa.table(
            {
                "triple": pc.list_parent_indices(found),
                "source": pc.struct_field(pc.list_flatten(found), "source"),
            }
        )
        pairs = pairs.group_by(["triple", "source"]).aggregate([])
        for one in pairs.column("source").value_counts().to_pylist():
            stated[one["values"]] += one["counts"]
        counts = pairs.column("triple").value_counts().field("counts")
        several += pc.sum(pc.greater(counts, 1)).as_py() or 0
    return {"triples_by_source": dict(stated.most_common(20)), "triples_of_several_sources": several}


def _placed(
    collector: TripleCollector, key: str, counts: dict[str, int]
) -> Iterator[tuple[dict[str, str], pa.Table]]:
    for relation, rows in collector.tables():
        counts[relation] = rows.num_rows
        yield {"kg": key, "relation": relation}, rows


def _nodes(project: ProjectPartitions) -> dg.AssetsDefinition:
    specs = [
        dg.AssetSpec(
            table.name,
            **MADE_OF_INPUTS,
            deps=["triples", "graph_concepts"],
            description=description,
            group_name="graphs",
            tags={"layer": "graph"},
            code_version="3",
        )
        for table, description in (
            (GRAPH_NODES, "Every concept of a knowledge graph, numbered, with its number of triples."),
            (
                GRAPH_ALIASES,
                "What concepts are found by: normal forms of labels and synonyms, and their lemmas.",
            ),
        )
    ]

    @dg.multi_asset(
        name=GRAPH_NODES.name, specs=specs, partitions_def=project.graphs, backfill_policy=SINGLE_RUN
    )
    def graph_nodes(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                found = triples_of(writing.lake, key, ["head", "tail"])
                concepts = writing.lake.read(GRAPH_CONCEPTS, {"kg": key}, ["label", "keys", "kind", "names"])
                nodes = node_rows(key, found, concepts)
                step.write(GRAPH_NODES, {"kg": key}, nodes)
                step.write(GRAPH_ALIASES, {"kg": key}, alias_rows(nodes, concepts))
                degrees = np.log10(nodes.column("degree").to_numpy())
                picture = histogram(degrees, f"{key}: triples a concept", "log10 of triples")
                best = nodes.sort_by([("degree", "descending")]).slice(0, 20)
                step.show({"degrees": picture, "best_connected": table_preview(best)}, asset=GRAPH_NODES.name)
        yield from writing.results()

    return graph_nodes


def _documents(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **MADE_WHEN_ASKED,
        name=NODE_DOCUMENTS.name,
        partitions_def=project.graphs,
        deps=["triples", "graph_concepts", "graph_nodes"],
        group_name="graphs",
        tags={"layer": "graph"},
        code_version=f"1-{templates_version(project.sources.templates)}",
        backfill_policy=SINGLE_RUN,
        description="A document for every node: what its sources say of it, and its triples read out. What "
        "searches a semi-structured knowledge base by meaning reads these.",
    )
    def node_documents(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                graph = open_graph(writing.lake, key)
                told = writing.lake.read(GRAPH_CONCEPTS, {"kg": key}, ["label", "definition"])
                definitions = dict(
                    zip(*(told.column(name).to_pylist() for name in told.column_names), strict=True)
                )
                sentences = templates_of(writing.lake, project.sources.graphs[key])
                step.write(NODE_DOCUMENTS, {"kg": key}, document_rows(graph, definitions, sentences))
                step.show({"with_definition": sum(map(bool, definitions.values()))})
        yield from writing.results()

    asset: dg.AssetsDefinition = node_documents
    return asset
