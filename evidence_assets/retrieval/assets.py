"""Assets of the retrieval: chunks ranked by each retrieval, and scored together with triples."""

from collections.abc import Iterator, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import histogram
from evidence_assets.lake.schemas import (
    CHUNK_POOLS,
    CHUNKS,
    QUESTIONS,
    RANKED_CHUNKS,
    RANKED_TRIPLES,
    RANKING_CERTIFICATES,
    RERANKED_EVIDENCE,
    TERM_STATISTICS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.orchestration.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN, logged
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource, PairScorerResource
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    benchmark_to_experiments,
    inputs_to_arms,
)
from evidence_assets.retrieval.rankings import (
    OPTION_DEPTH,
    contrastive_ranking,
    euclidean_ranking,
    first_stage_ranking,
)
from evidence_assets.retrieval.reranking import reranked_rows
from evidence_assets.retrieval.retrievals import EUCLIDEAN, FIRST_STAGE, RETRIEVALS, Retrieval
from evidence_assets.retrieval.transport.cascade import Budget
from evidence_assets.retrieval.transport.ranking import RankedPools, pools_of, transport_ranking, unproved
from evidence_assets.retrieval.transport.report import ranking_metadata
from evidence_assets.text.queries import queries
from evidence_assets.text.term_statistics import from_table


class RankingConfig(dg.Config):
    """What one ranking may use.

    `memory_megabytes` bounds its working arrays and costs time, never proof. Past `seconds` (for each two
    thousand queries) the best so far is kept and `ranking_certificates` says `anytime`: such rows depend on
    the machine's speed.
    """

    memory_megabytes: int = 1024
    seconds: float | None = None

    def budget(self) -> Budget:
        """Return the engine's budget."""
        return Budget(self.memory_megabytes << 20, self.seconds)


def retrieval_assets(project: ProjectPartitions, reranked: Sequence[str]) -> list[dg.AssetsDefinition]:
    """Return the rankings of chunks, and their joint scores with triples.

    Parameters
    ----------
    reranked
        The rankings whose chunks some arm scores together with triples.
    """
    return [_ranked_chunks(project), _reranked_evidence(project, reranked)]


def chunks_of(lake: Lake, project: ProjectPartitions, benchmark: str, wanted: pa.Array) -> pa.Table:
    """Return the `chunks` rows with these ids from the shards that answer a benchmark."""
    found = []
    for shard in project.shards_of_benchmark(benchmark):
        for batch in lake.scan(CHUNKS, {"corpus": shard.corpus, "shard": shard.key}):
            kept = batch.filter(pc.is_in(batch.column("chunk_id"), value_set=wanted))
            if kept.num_rows:
                found.append(kept)
    rows = pa.Table.from_batches(found, schema=CHUNKS.schema)
    if rows.num_rows < len(wanted):
        raise LookupError(
            f"benchmark {benchmark}: {len(wanted) - rows.num_rows} ranked chunks are in no shard of its "
            "corpus any more; remedy: materialise chunk_indexes, chunk_pools and ranked_chunks anew"
        )
    return rows


def _ranked_chunks(project: ProjectPartitions) -> dg.AssetsDefinition:
    descriptions = {
        RANKED_CHUNKS.name: "The best chunks of each question, alone and with each option. Some keep the "
        "first stage's order, the others rerank the vector pool exactly, and `ranking_certificates` says why "
        "each ranking is right.\n\n"
        + "\n".join(f"- `{name}`: {one.description}." for name, one in RETRIEVALS.items()),
        RANKING_CERTIFICATES.name: "What became of every chunk of a reranked pool: evaluated exactly, or "
        "ruled out by which bound. Rankings that keep the first stage's order have none.",
    }
    specs = [
        dg.AssetSpec(
            name,
            deps=[
                dg.AssetDep("questions", partition_mapping=benchmark_to_experiments()),
                dg.AssetDep("chunk_pools", partition_mapping=benchmark_to_experiments()),
            ],
            description=description,
            group_name="retrieval",
            owners=OWNERS,
            kinds={"pytorch", "parquet"},
            tags={"layer": "retrieval"},
            code_version="3",
            automation_condition=when_inputs_change(),
        )
        for name, description in descriptions.items()
    ]

    @dg.multi_asset(
        name=RANKED_CHUNKS.name,
        specs=specs,
        partitions_def=project.experiments(RETRIEVALS),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def ranked_chunks(
        context: dg.AssetExecutionContext,
        config: RankingConfig,
        lake: LakeResource,
        encoder: EncoderResource,
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            retrieval = RETRIEVALS[name]
            with writing.partition(key) as step:
                pool = writing.lake.read(CHUNK_POOLS, {"benchmark": benchmark})
                pool = pool.filter(pc.equal(pool.column("retriever"), retrieval.pool))
                if retrieval.pool_limit is not None:
                    pool = pool.filter(pc.less_equal(pool.column("rank"), retrieval.pool_limit))
                ranked, shown = _ranked(
                    context, writing.lake, project, cached, pool, benchmark, retrieval, config.budget()
                )
                place = {"benchmark": benchmark, "retrieval": name}
                step.write(RANKED_CHUNKS, place, ranked.ranked)
                step.write(RANKING_CERTIFICATES, place, ranked.certificates)
                scores = ranked.ranked.column("score").to_numpy()
                picture = histogram(scores, f"{name} scores", "score")
                step.show({**shown, "scores": picture}, asset=RANKED_CHUNKS.name)
        yield from writing.results()

    return ranked_chunks


def _texts(chunks: pa.Table) -> dict[str, str]:
    return dict(zip(chunks.column("chunk_id").to_pylist(), chunks.column("text").to_pylist(), strict=True))


def _ranked(
    context: dg.AssetExecutionContext,
    lake: Lake,
    project: ProjectPartitions,
    encoder: CachedEncoder,
    pool: pa.Table,
    benchmark: str,
    retrieval: Retrieval,
    budget: Budget,
) -> tuple[RankedPools, dict[str, Any]]:
    """Return the ranking of a benchmark's pools, and what to show of it."""
    name = retrieval.name
    if retrieval.ranked_by == FIRST_STAGE or not pool.num_rows:
        return unproved(first_stage_ranking(pool, benchmark, name)), {}
    if retrieval.ranked_by == EUCLIDEAN:
        return unproved(euclidean_ranking(pool, benchmark, name)), {}
    asked = queries(lake.read(QUESTIONS, {"benchmark": benchmark}))
    texts = _texts(chunks_of(lake, project, benchmark, pool.column("chunk_id").unique()))
    if retrieval.method is None:
        return unproved(contrastive_ranking(pool, asked, texts, encoder, benchmark, name)), {}
    corpus = project.benchmark(benchmark).corpus or ""
    statistics = from_table(lake.read(TERM_STATISTICS, {"corpus": corpus}))
    pools = pools_of(pool, asked, texts)
    encoder.remember_words(pools.chunk_texts, logged(context, benchmark, "chunks encoded"))
    found = transport_ranking(
        pools,
        encoder,
        statistics,
        retrieval.method,
        benchmark,
        name,
        budget,
        logged(context, benchmark, f"chunks bounded for {name}"),
    )
    return found, ranking_metadata(pools, found, encoder, statistics, retrieval.method)


def _reranked_evidence(project: ProjectPartitions, reranked: Sequence[str]) -> dg.AssetsDefinition:
    @dg.asset(
        deps=[
            dg.AssetDep("questions", partition_mapping=benchmark_to_experiments()),
            dg.AssetDep("ranked_triples", partition_mapping=benchmark_to_experiments()),
            dg.AssetDep(
                "ranked_chunks",
                partition_mapping=inputs_to_arms({name: name for name in reranked}),
            ),
        ],
        description="Chunks and triples scored together against question + option, each unit against every "
        "option, with its verification signal: by how much it prefers its best option to the mean of all. "
        "`scorer` says whether a cross-encoder scored, or the encoder stood in.",
        partitions_def=project.experiments(reranked),
        group_name="retrieval",
        owners=OWNERS,
        kinds={"pytorch", "parquet"},
        tags={"layer": "retrieval"},
        code_version="1",
        automation_condition=when_inputs_change(),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def reranked_evidence(
        context: dg.AssetExecutionContext,
        lake: LakeResource,
        encoder: EncoderResource,
        pair_scorer: PairScorerResource,
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        scorer = pair_scorer.load(encoder.cached(lake.cache_folder(), context))
        for key in context.partition_keys:
            benchmark, retrieval = benchmark_and_arm(key)
            place = {"benchmark": benchmark, "retrieval": retrieval}
            with writing.partition(key) as step:
                asked = queries(writing.lake.read(QUESTIONS, {"benchmark": benchmark}))
                ranked = writing.lake.read(RANKED_CHUNKS, place)
                ranked = ranked.filter(pc.less_equal(ranked.column("rank"), OPTION_DEPTH))
                rows = reranked_rows(
                    asked,
                    ranked,
                    _texts(chunks_of(writing.lake, project, benchmark, ranked.column("chunk_id").unique())),
                    writing.lake.read(RANKED_TRIPLES, {"benchmark": benchmark}),
                    scorer,
                    benchmark,
                    retrieval,
                    OPTION_DEPTH,
                    logged(context, benchmark, "questions reranked"),
                )
                step.write(RERANKED_EVIDENCE, place, rows)
                columns = ["source_table", "score", "separation"]
                step.show(
                    _joint_scores(writing.lake.read(RERANKED_EVIDENCE, place, columns), scorer.scorer_id)
                )
        yield from writing.results()

    return reranked_evidence


def _joint_scores(rows: pa.Table, scorer: str) -> dict[str, Any]:
    shown: dict[str, Any] = {"scorer": scorer}
    for table in pc.unique(rows.column("source_table")).to_pylist():
        own = rows.filter(pc.equal(rows.column("source_table"), table))
        for measure in ("score", "separation"):
            shown[f"{table}_{measure}"] = histogram(
                own.column(measure).to_numpy(), f"{measure} of {table}", measure
            )
    return shown
