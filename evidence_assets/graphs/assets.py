"""Assets of the knowledge graphs: triples, nodes and their names, links of questions, triples around them."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN, logged
from evidence_assets.automation.conditions import when_inputs_change
from evidence_assets.graphs.evidence import concept_rows, link_questions, rank_triples
from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.linking import Linker
from evidence_assets.graphs.nodes import alias_rows, node_rows
from evidence_assets.graphs.triples import TripleCollector
from evidence_assets.graphs.verbalisation import templates, templates_version
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import bars, histogram, table_preview
from evidence_assets.lake.resources import LakeResource, Writing
from evidence_assets.lake.schemas import (
    CONCEPT_LINKS,
    GRAPH_ALIASES,
    GRAPH_NODES,
    QUESTIONS,
    RANKED_TRIPLES,
    REJECTED_RECORDS,
    TRIPLES,
)
from evidence_assets.models.resources import EncoderResource, PairScorerResource
from evidence_assets.partitions import ProjectPartitions
from evidence_assets.sources.configuration import locate
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.graphs.registry import reader
from evidence_assets.sources.rejections import rejected_rows, source_of_graph

Results = Iterator[dg.MaterializeResult[Any]]
_COMMON: dict[str, Any] = {
    "owners": OWNERS,
    "automation_condition": when_inputs_change(),
    "kinds": {"python", "parquet"},
}


class TripleConfig(dg.Config):
    """How far the triples around a concept are looked at.

    `triples_per_concept`: of a concept with more, the heaviest are taken, and `concept_links` says how many
    were left out. Triples between a question's and an option's concepts are never left out.
    """

    triples_per_concept: int = 300


class EmptyGraphError(Exception):
    """Nothing in a graph's files could be read as a triple: names the graph and the remedy."""


def graph_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the knowledge graphs' assets, and what questions find in them.

    Raises:
        TemplateError: a graph names templates that there are not.
    """
    for graph in project.sources.graphs.values():
        templates(graph.templates)
    return [_triples(project), _nodes(project), _question_triples(project)]


def _triples(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        **_COMMON,
        partitions_def=project.graphs,
        backfill_policy=SINGLE_RUN,
        deps=["graph_files"],
        group_name="graphs",
        tags={"layer": "graph"},
        code_version=f"1-{templates_version()}",
        description="Knowledge-graph triples with everyone who states them. What one source says twice, or "
        "two say, is one triple with their weights added. A relation without a template is left out, and "
        "rejected_records says how many triples it had.",
    )
    def triples(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            graph = project.sources.graphs[key]
            collector = TripleCollector(key, templates(graph.templates))
            with writing.partition(key) as step:
                for source in graph.sources:
                    uri = locate(source.uri, project.location.parent)
                    writing.lake.note_source(source.uri, fingerprint(uri))
                    collector.add(reader(source.format)(uri, source.fields), source.name, source.licence)
                    context.log.info(f"{key}: {collector.statements:,} statements after {source.name}")
                if not collector.statements:
                    raise EmptyGraphError(
                        f"graph {key}: no triple in {', '.join(source.uri for source in graph.sources)}; "
                        f"{len(collector.rejected):,} records were rejected; remedy: check the format and "
                        "its fields in the configuration"
                    )
                rejected = collector.rejected
                places = [{"kg": key, "relation": relation} for relation in collector.relations]
                counts: dict[str, int] = {}
                step.write_each(TRIPLES, _placed(collector, key, counts))
                stale = [place for place in project.places(writing.lake, TRIPLES, key) if place not in places]
                for place in stale:
                    writing.lake.delete(TRIPLES, place)
                if stale:
                    step.show({"changed": True})
                uris, whole = ", ".join(source.uri for source in graph.sources), source_of_graph(key)
                step.write_beside(REJECTED_RECORDS, {"source": whole}, rejected_rows(whole, uris, rejected))
                step.show(
                    {
                        "statements": collector.statements,
                        "rejected": len(rejected),
                        "licence": ", ".join(dict.fromkeys(source.licence for source in graph.sources)),
                        "relations": bars(counts, f"{key}: triples by relation", "triples"),
                    }
                )
        yield from writing.results()

    asset: dg.AssetsDefinition = triples
    return asset


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
            **_COMMON,
            deps=["triples"],
            description=description,
            group_name="graphs",
            tags={"layer": "graph"},
            code_version="1",
        )
        for table, description in (
            (GRAPH_NODES, "Every concept of a knowledge graph, numbered, with its number of triples."),
            (GRAPH_ALIASES, "What concepts are found by: their labels' normal forms, and their lemmas."),
        )
    ]

    @dg.multi_asset(
        name=GRAPH_NODES.name, specs=specs, partitions_def=project.graphs, backfill_policy=SINGLE_RUN
    )
    def graph_nodes(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                places = project.places(writing.lake, TRIPLES, key)
                found = writing.lake.read_partitions(TRIPLES, places, ["head", "tail"])
                nodes = node_rows(key, found)
                step.write(GRAPH_NODES, {"kg": key}, nodes)
                step.write(GRAPH_ALIASES, {"kg": key}, alias_rows(nodes))
                degrees = np.log10(nodes.column("degree").to_numpy())
                picture = histogram(degrees, f"{key}: triples a concept", "log10 of triples")
                best = nodes.sort_by([("degree", "descending")]).slice(0, 20)
                step.show({"degrees": picture, "best_connected": table_preview(best)}, asset=GRAPH_NODES.name)
        yield from writing.results()

    return graph_nodes


def open_graph(lake: Lake, project: ProjectPartitions, key: str) -> tuple[Graph, Linker]:
    """Return a graph in memory, and what links phrases to it.

    Raises:
        MissingPartitionError: it was never built.
        BrokenGraphError: its nodes are older than its triples.
    """
    columns = ["triple_id", "head", "relation", "tail", "weight"]
    found = lake.read_partitions(TRIPLES, project.places(lake, TRIPLES, key), columns)
    nodes = lake.read(GRAPH_NODES, {"kg": key}, ["node", "label", "degree"])
    graph = build_graph(key, found, nodes)
    aliases = lake.read(GRAPH_ALIASES, {"kg": key}, ["alias", "kind", "node"])
    return graph, Linker(aliases, nodes.column("degree").to_numpy())


def _question_triples(project: ProjectPartitions) -> dg.AssetsDefinition:
    specs = [
        dg.AssetSpec(
            table.name,
            **_COMMON,
            deps=[
                "questions",
                *(
                    dg.AssetDep(name, partition_mapping=project.graphs_to_benchmarks)
                    for name in ("triples", "graph_nodes", "graph_aliases")
                ),
            ],
            description=description,
            group_name="retrieval",
            tags={"layer": "retrieval"},
            code_version=f"1-{templates_version()}",
        )
        for table, description in (
            (
                CONCEPT_LINKS,
                "The concepts that each question and option names: by the same words, by their lemmas, or "
                "by spelling, each with its score.",
            ),
            (
                RANKED_TRIPLES,
                "The triples around those concepts, read out, the nearest to question + option kept. A "
                "benchmark that names no graph has none.",
            ),
        )
    ]

    @dg.multi_asset(
        name=RANKED_TRIPLES.name,
        specs=specs,
        partitions_def=project.benchmarks,
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def ranked_triples(
        context: dg.AssetExecutionContext,
        config: TripleConfig,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder())
        scorer = pair_scorer.load(cached)
        limit = config.triples_per_concept
        for key in context.partition_keys:
            kg = project.graph_of(key)
            with writing.partition(key) as step:
                if kg is None:
                    context.log.warning(f"{key} names no graph in the configuration: it has no triples")
                    step.write(CONCEPT_LINKS, {"benchmark": key}, CONCEPT_LINKS.schema.empty_table())
                    step.write(RANKED_TRIPLES, {"benchmark": key}, RANKED_TRIPLES.schema.empty_table())
                    continue
                graph, linker = open_graph(writing.lake, project, kg)
                questions = writing.lake.read(QUESTIONS, {"benchmark": key})
                linked = link_questions(questions, linker, cached, logged(context, key, "questions linked"))
                links = concept_rows(linked, graph, key, limit)
                step.write(CONCEPT_LINKS, {"benchmark": key}, links)
                told = logged(context, key, "questions given triples")
                named = templates(project.sources.graphs[kg].templates)
                rows = list(rank_triples(linked, graph, named, cached, scorer, key, limit, told))
                ranked = pa.concat_tables([RANKED_TRIPLES.schema.empty_table(), *rows])
                step.write(RANKED_TRIPLES, {"benchmark": key}, ranked)
                step.show(_shown_links(links, questions), asset=CONCEPT_LINKS.name)
                step.show(_shown_triples(ranked, graph, scorer.scorer_id), asset=RANKED_TRIPLES.name)
        yield from writing.results()

    return ranked_triples


def _shown_links(links: pa.Table, questions: pa.Table) -> dict[str, Any]:
    methods = links.column("method").value_counts()
    counts = {one["values"]: one["counts"] for one in methods.to_pylist()}
    capped = links.filter(pc.greater(links.column("dropped"), 0))
    asked = pc.unique(links.filter(pc.equal(links.column("candidate"), -1)).column("question_id"))
    distinct = capped.group_by(["label"]).aggregate([("triples", "max"), ("dropped", "max")])
    return {
        "methods": bars(counts, "How phrases were linked", "links"),
        "questions_without_concept": questions.num_rows - len(asked),
        "capped_concepts": len(distinct),
        "capped": table_preview(distinct.sort_by([("dropped_max", "descending")]), count=20),
    }


def _shown_triples(ranked: pa.Table, graph: Graph, scorer: str) -> dict[str, Any]:
    touches = ranked.column("touches").value_counts()
    return {
        "scorer": scorer,
        "graph_bytes_in_memory": graph.nbytes,
        "touches": bars(
            {one["values"]: one["counts"] for one in touches.to_pylist()}, "Whose concepts", "triples"
        ),
        "scores": histogram(ranked.column("score").to_numpy(), "Scores of kept triples", "score"),
    }
