"""Assets of the corpus: articles, chunks, statistics, embeddings, index, and first-stage pools."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.corpus.chunking import TokenCounter, chunk_rows
from evidence_assets.corpus.embeddings import embedding_rows, stacked_vectors
from evidence_assets.corpus.index import build_index, read_index, remove_old_index_files, store_index
from evidence_assets.corpus.search import Bm25, index_top
from evidence_assets.lake.previews import histogram
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNK_EMBEDDINGS,
    CHUNK_POOLS,
    CHUNKS,
    INDEXES,
    QUESTIONS,
    REJECTED_RECORDS,
    TERM_STATISTICS,
)
from evidence_assets.orchestration.asset_defaults import GPU_POOL, OWNERS, SINGLE_RUN
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.model_resources import EncoderResource
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.retrieval.pools import bm25_pool_rows, dense_pool_rows
from evidence_assets.sources.articles.registry import reader
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.rejections import rejected_rows
from evidence_assets.sources.specifications import Shard
from evidence_assets.text.queries import queries
from evidence_assets.text.term_statistics import count_terms

Results = Iterator[dg.MaterializeResult[Any]]


def _place(shard: Shard) -> dict[str, str]:
    return {"corpus": shard.corpus, "shard": shard.key}


def corpus_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the corpus's assets."""
    return [*_shard_assets(project), *_corpus_assets(project), _pool_asset(project)]


def _shard_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    common: dict[str, Any] = {
        "partitions_def": project.shard_keys,
        "group_name": "corpus",
        "owners": OWNERS,
        "backfill_policy": SINGLE_RUN,
        "automation_condition": when_inputs_change(),
    }

    @dg.asset(
        **common,
        deps=["corpus_files"],
        kinds={"python", "parquet"},
        tags={"layer": "corpus"},
        code_version="1",
        description="Documents as read from their sources, with where each came from and its licence. What "
        "could not be read is in rejected_records, with its reason.",
    )
    def articles(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            shard = project.shards[key]
            rows = ArticleRows(reader(shard.source.format)(shard.uri, shard.source.fields), shard)
            with writing.partition(key) as step:
                writing.lake.note_source(shard.written_uri, fingerprint(shard.uri))
                count = step.write(ARTICLES, _place(shard), rows)
                step.write_beside(
                    REJECTED_RECORDS, {"source": key}, rejected_rows(key, shard.written_uri, rows.rejected)
                )
                step.show({"rejected": len(rows.rejected), "licence": shard.source.licence})
                if not count:
                    context.log.warning(f"shard {key} has no article: see rejected_records for why")
        yield from writing.results()

    @dg.asset(
        **common,
        deps=[articles],
        kinds={"python", "parquet"},
        tags={"layer": "corpus"},
        code_version="1",
        description="Articles cut at sentence ends into pieces the encoder can take, with exact offsets.",
    )
    def chunks(context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource) -> Results:
        writing = Writing(context, lake.open())
        counter = TokenCounter(encoder.load().count_tokens)
        limit = encoder.tokens_per_chunk()
        for key in context.partition_keys:
            place = _place(project.shards[key])
            with writing.partition(key) as step:
                batches = writing.lake.scan(ARTICLES, place, ["article_id", "corpus", "shard", "text"], 512)
                step.write(CHUNKS, place, chunk_rows(batches, counter, limit))
                tokens = writing.lake.read(CHUNKS, place, ["n_tokens"]).column("n_tokens").to_numpy()
                step.show({"token_limit": limit, "tokens": int(tokens.sum())})
                step.show({"lengths": histogram(tokens, "Chunk lengths", "tokens")})
        yield from writing.results()

    @dg.asset(
        **common,
        deps=[chunks],
        pool=GPU_POOL,
        kinds={"pytorch", "parquet"},
        tags={"layer": "corpus"},
        code_version="1",
        description="One unit vector a chunk. Vectors are kept by content: unchanged text costs nothing, and "
        "a run that died goes on where it stopped.",
    )
    def chunk_embeddings(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        for key in context.partition_keys:
            place = _place(project.shards[key])
            before = cached.encoded, cached.reused
            columns = ["chunk_id", "corpus", "shard", "text", "text_hash", "n_tokens"]
            with writing.partition(key) as step:
                batches = writing.lake.scan(CHUNKS, place, columns, 8192)
                rows = embedding_rows(
                    batches,
                    cached,
                    lambda done, all_: context.log.info(f"encoded {done:,} of {all_:,} texts"),
                )
                step.write(CHUNK_EMBEDDINGS, place, rows)
                step.show(
                    {
                        "encoder": cached.encoder_id,
                        "encoded": cached.encoded - before[0],
                        "reused": cached.reused - before[1],
                    }
                )
        yield from writing.results()

    return [articles, chunks, chunk_embeddings]


def _corpus_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    common: dict[str, Any] = {
        "partitions_def": project.corpora,
        "group_name": "corpus",
        "owners": OWNERS,
        "backfill_policy": SINGLE_RUN,
        "automation_condition": when_inputs_change(),
    }

    @dg.asset(
        **common,
        deps=[dg.AssetDep("chunks", partition_mapping=project.shards_to_corpora)],
        kinds={"python", "parquet"},
        tags={"layer": "corpus"},
        code_version="1",
        description="BM25 statistics of each corpus: in how many chunks each word stands.",
    )
    def term_statistics(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                texts = (
                    text
                    for shard in project.shards_of(key)
                    for batch in writing.lake.scan(CHUNKS, _place(shard), ["text"])
                    for text in batch.column("text").to_pylist()
                )
                step.write(TERM_STATISTICS, {"corpus": key}, count_terms(texts, key))
        yield from writing.results()

    @dg.asset(
        **common,
        deps=[dg.AssetDep("chunk_embeddings", partition_mapping=project.shards_to_corpora)],
        pool=GPU_POOL,
        kinds={"faiss"},
        tags={"layer": "corpus"},
        code_version="1",
        description="The vector index of each corpus: exact to a million vectors, inverted lists beyond, the "
        "choice and its measured recall recorded.",
    )
    def chunk_indexes(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                places = [_place(shard) for shard in project.shards_of(key)]
                rows = writing.lake.read_partitions(
                    CHUNK_EMBEDDINGS, places, ["chunk_id", "encoder_id", "vector"]
                )
                built = build_index(stacked_vectors(rows))
                with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
                    row = store_index(writing.lake, key, built, rows, Path(folder))
                step.write(INDEXES, {"corpus": key}, pa.Table.from_pylist([row], schema=INDEXES.schema))
                remove_old_index_files(writing.lake, key)
                step.show(
                    {"kind": built.kind, "vectors": row["vectors"], "recall_at_100": built.recall_at_100}
                )
        yield from writing.results()

    return [term_statistics, chunk_indexes]


def _pool_asset(project: ProjectPartitions) -> dg.AssetsDefinition:
    @dg.asset(
        partitions_def=project.benchmarks,
        group_name="retrieval",
        owners=OWNERS,
        backfill_policy=SINGLE_RUN,
        automation_condition=when_inputs_change(),
        deps=[
            "questions",
            dg.AssetDep("chunk_indexes", partition_mapping=project.corpora_to_benchmarks),
            dg.AssetDep("term_statistics", partition_mapping=project.corpora_to_benchmarks),
            dg.AssetDep("chunks", partition_mapping=project.shards_to_benchmarks),
        ],
        pool=GPU_POOL,
        kinds={"faiss", "parquet"},
        tags={"layer": "retrieval"},
        code_version="1",
        description="First-stage candidates of each question, alone and with each option: the index's best R "
        "and BM25's best 100.",
    )
    def chunk_pools(
        context: dg.AssetExecutionContext, lake: LakeResource, encoder: EncoderResource
    ) -> Results:
        writing = Writing(context, lake.open())
        cached = encoder.cached(lake.cache_folder(), context)
        depth = encoder.candidates_per_query()
        for key in context.partition_keys:
            corpus = project.benchmark(key).corpus
            with writing.partition(key) as step:
                if corpus is None:
                    context.log.warning(f"{key} names no corpus in the configuration: it has no chunks")
                    step.write(CHUNK_POOLS, {"benchmark": key}, CHUNK_POOLS.schema.empty_table())
                    continue
                asked = queries(writing.lake.read(QUESTIONS, {"benchmark": key}))
                index, ids = read_index(writing.lake, corpus, cached.encoder_id)
                vectors = cached.encode([query.text for query in asked])
                dense = list(dense_pool_rows(key, asked, index_top(index, vectors, depth), ids))
                places = [_place(shard) for shard in project.shards_of_benchmark(key)]
                texts = writing.lake.read_partitions(CHUNKS, places, ["chunk_id", "text"])
                lexical = Bm25(texts.column("text").to_pylist())
                chunk_ids = texts.column("chunk_id").combine_chunks()
                rows = pa.concat_tables([*dense, bm25_pool_rows(key, asked, lexical, chunk_ids)])
                step.write(CHUNK_POOLS, {"benchmark": key}, rows)
                # What ranks and reads the pools reads the chunks and their statistics too, and cannot depend
                # on a shard or corpus itself: Dagster maps one dimension onto a partition of two only where
                # the keys are the same. So a change there is a change of the pools.
                step.carry(writing.lake.version(CHUNKS, place) for place in places)
                step.carry([writing.lake.version(TERM_STATISTICS, {"corpus": corpus})])
                best = [score for table in dense for score in table.column("score").to_pylist()]
                step.show({"queries": len(asked), "pool_size": depth})
                step.show({"similarity": histogram(best, "Similarity of pooled chunks", "cosine")})
        yield from writing.results()

    return chunk_pools
