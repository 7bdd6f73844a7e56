"""Assets of what questions find in a graph: the concepts they name, the triples around these."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.graphs.loaders import open_graph, open_linker, templates_of
from evidence_assets.graphs.versions import graph_versions
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, QUESTIONS, RANKED_TRIPLES, Table
from evidence_assets.orchestration.asset_defaults import GPU_POOL, MADE_OF_INPUTS, SINGLE_RUN, logged
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, PairScorerResource
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.retrieval.question_triples import report
from evidence_assets.retrieval.question_triples.question_linking import link_questions, link_rows
from evidence_assets.retrieval.question_triples.ranked_triples import rank_triples
from evidence_assets.text.verbalisation import templates_version

Results = Iterator[dg.MaterializeResult[Any]]


class TripleConfig(dg.Config):
    """How far the triples around a concept are looked at.

    `triples_per_concept`: of a concept with more, the heaviest are taken, and `question_concepts` says how
    many were left out. Triples between a question's and an option's concepts are never left out.
    """

    triples_per_concept: int = 300


def question_triple_assets(project: ProjectPartitions) -> dg.AssetsDefinition:
    """Return the concepts and triples of every benchmark's questions, made by one step."""
    specs = [
        dg.AssetSpec(
            table.name,
            **MADE_OF_INPUTS,
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
            code_version=f"2-{templates_version(project.sources.templates)}",
        )
        for table, description in (
            (
                QUESTION_CONCEPTS,
                "The concepts that each question and option names, each text by itself: by the same words, "
                "by their lemmas, by spelling or by meaning, each with its score.",
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
        # Systems that walk the graph need the concepts alone.
        can_subset=True,
    )
    def ranked_triples(
        context: dg.AssetExecutionContext,
        config: TripleConfig,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        limit = config.triples_per_concept
        for key in context.partition_keys:
            kg = project.graph_of(key)
            with writing.partition(key) as step:
                if kg is None:
                    context.log.warning(f"{key} names no graph in the configuration: it has no triples")
                    for table in _selected(context):
                        step.write(table, {"benchmark": key}, table.schema.empty_table())
                    continue
                graph = open_graph(writing.lake, kg)
                source = project.sources.graphs[kg]
                linker = open_linker(writing.lake, kg, source.embedding_threshold, source.unlinked)
                questions = writing.lake.read(QUESTIONS, {"benchmark": key})
                linked = link_questions(questions, linker, cached, logged(context, key, "questions linked"))
                if QUESTION_CONCEPTS in _selected(context):
                    links = link_rows(linked, graph, key, limit)
                    step.write(QUESTION_CONCEPTS, {"benchmark": key}, links)
                    # What walks from the concepts reads the graph, and cannot depend on it: Dagster does not
                    # map a graph onto a benchmark and route. So a change of the graph is a change of the
                    # concepts.
                    step.carry(graph_versions(writing.lake, project, kg), asset=QUESTION_CONCEPTS.name)
                    step.show(report.of_links(links, questions), asset=QUESTION_CONCEPTS.name)
                if RANKED_TRIPLES in _selected(context):
                    told = logged(context, key, "questions given triples")
                    named = templates_of(writing.lake, project.sources.graphs[kg])
                    scorer = pair_scorer.load(cached)
                    rows = list(rank_triples(linked, graph, named, cached, scorer, key, limit, told))
                    ranked = pa.concat_tables([RANKED_TRIPLES.schema.empty_table(), *rows])
                    step.write(RANKED_TRIPLES, {"benchmark": key}, ranked)
                    step.show(report.of_triples(ranked, graph, scorer.scorer_id), asset=RANKED_TRIPLES.name)
        yield from writing.results()

    return ranked_triples


def _selected(context: dg.AssetExecutionContext) -> list[Table]:
    """Return the tables that a run asks for."""
    names = {key.path[-1] for key in context.selected_asset_keys}
    return [table for table in (QUESTION_CONCEPTS, RANKED_TRIPLES) if table.name in names]
