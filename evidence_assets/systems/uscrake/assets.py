"""USCRaKE's assets: chunks ranked by each retrieval, and each arm's evidence, chains and predictions."""

from collections.abc import Iterator
from typing import Any

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN
from evidence_assets.automation.conditions import when_inputs_change
from evidence_assets.corpus.queries import queries
from evidence_assets.corpus.term_statistics import from_table
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import histogram, table_preview
from evidence_assets.lake.resources import LakeResource, Writing
from evidence_assets.lake.schemas import (
    CHUNK_POOLS,
    CHUNKS,
    QUESTIONS,
    RANKED_CHUNKS,
    RANKING_CERTIFICATES,
    TERM_STATISTICS,
)
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.resources import EncoderResource
from evidence_assets.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    benchmark_to_experiments,
    retrieval_to_arms,
)
from evidence_assets.reasoning.experiment import EXPERIMENT_TABLES
from evidence_assets.reasoning.extractive import weights_version
from evidence_assets.systems.uscrake.arms import ARMS, RETRIEVALS, SYSTEM, Retrieval
from evidence_assets.systems.uscrake.reading import read_benchmark
from evidence_assets.transport.cascade import Budget
from evidence_assets.transport.ranking import (
    Progress,
    RankedPools,
    first_stage_ranking,
    pools_of,
    transport_ranking,
)
from evidence_assets.transport.report import ranking_metadata

# The weights decide every answer: new ones are new code.
CODE_VERSION = f"1-{weights_version()}"
_DESCRIPTIONS = {
    "evidence": "Every chunk and sentence an arm was given or cited, with the place it was taken from.",
    "selected_evidence": "The chunks each option was argued from, best first.",
    "chains": "One chain an option: the sentences that speak for it, cited by number.",
    "predictions": "One answer a question, with calibrated confidence.",
    "prediction_evidence": "Which evidence each prediction was given and which it cited.",
}


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


def uscrake_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the system's assets, without its scores."""
    return [_ranked_chunks(project), _experiment(project)]


def _chunks(lake: Lake, project: ProjectPartitions, benchmark: str, wanted: pa.Array) -> pa.Table:
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
            code_version="2",
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
        cached = encoder.cached(lake.cache_folder())
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            retrieval = RETRIEVALS[name]
            with writing.partition(key) as step:
                pool = writing.lake.read(CHUNK_POOLS, {"benchmark": benchmark})
                pool = pool.filter(pc.equal(pool.column("retriever"), retrieval.pool))
                if retrieval.method is None:
                    ranked = first_stage_ranking(pool, benchmark, name)
                    shown: dict[str, Any] = {}
                else:
                    ranked, shown = _rerank(
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


def _rerank(
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
    if retrieval.method is None:
        raise ValueError(
            f"retrieval {retrieval.name} keeps the first stage's order: there is nothing to rerank"
        )
    asked = queries(lake.read(QUESTIONS, {"benchmark": benchmark}))
    statistics = from_table(lake.read(TERM_STATISTICS, {"corpus": project.benchmark(benchmark).corpus}))
    held = _chunks(lake, project, benchmark, pool.column("chunk_id").unique())
    texts = dict(zip(held.column("chunk_id").to_pylist(), held.column("text").to_pylist(), strict=True))
    pools = pools_of(pool, asked, texts)
    encoder.remember_words(pools.chunk_texts, _logged(context, benchmark, "chunks encoded"))
    found = transport_ranking(
        pools,
        encoder,
        statistics,
        retrieval.method,
        benchmark,
        retrieval.name,
        budget,
        _logged(context, benchmark, f"chunks bounded for {retrieval.name}"),
    )
    return found, ranking_metadata(pools, found, encoder, statistics, retrieval.method)


def _logged(context: dg.AssetExecutionContext, benchmark: str, what: str) -> Progress:
    """Return a progress callback that logs each tenth of the work."""
    told = -1

    def progress(done: int, total: int) -> None:
        nonlocal told
        tenth = 10 * done // max(total, 1)
        if tenth != told:
            told = tenth
            context.log.info(f"{benchmark}: {done:,} of {total:,} {what}")

    return progress


def _experiment(project: ProjectPartitions) -> dg.AssetsDefinition:
    specs = [
        dg.AssetSpec(
            [SYSTEM, table.name],
            deps=[
                dg.AssetDep("questions", partition_mapping=benchmark_to_experiments()),
                dg.AssetDep(
                    "ranked_chunks",
                    partition_mapping=retrieval_to_arms({arm.name: arm.retrieval for arm in ARMS.values()}),
                ),
            ],
            description=_DESCRIPTIONS[table.name],
            group_name=SYSTEM,
            owners=OWNERS,
            kinds={"python", "parquet"},
            tags={"layer": "reasoning", "system": SYSTEM},
            code_version=CODE_VERSION,
            automation_condition=when_inputs_change(),
        )
        for table in EXPERIMENT_TABLES
    ]

    @dg.multi_asset(
        name=SYSTEM,
        specs=specs,
        partitions_def=project.experiments(ARMS),
        backfill_policy=SINGLE_RUN,
        pool=GPU_POOL,
    )
    def uscrake(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder())
        for key in context.partition_keys:
            benchmark, name = benchmark_and_arm(key)
            arm = ARMS[name]
            with writing.partition(key) as step:
                questions = writing.lake.read(QUESTIONS, {"benchmark": benchmark})
                ranked = writing.lake.read(
                    RANKED_CHUNKS, {"benchmark": benchmark, "retrieval": arm.retrieval}
                )
                held = _chunks(writing.lake, project, benchmark, ranked.column("chunk_id").unique())
                result = read_benchmark(questions, ranked, held, cached.encode, arm, benchmark, CODE_VERSION)
                place = {"system": SYSTEM, "arm": name, "benchmark": benchmark}
                tables = result.tables()
                for table in EXPERIMENT_TABLES:
                    step.write(table, place, tables[table.name])
                step.show(_sample_trace(tables), asset="predictions")
        yield from writing.results()

    return uscrake


def _sample_trace(tables: dict[str, pa.Table]) -> dict[str, Any]:
    """Return a few chosen chains, to read in the UI."""
    chosen = {
        (row["question_id"], row["predicted_index"])
        for row in tables["predictions"].slice(0, 5).to_pylist()
        if row["predicted_index"] is not None
    }
    rows = [
        {"question_id": row["question_id"], "chain": row["text"], "citations": row["citation_status"]}
        for row in tables["chains"].to_pylist()
        if (row["question_id"], row["candidate"]) in chosen
    ]
    return {"sample_chains": table_preview(pa.Table.from_pylist(rows))} if rows else {}
