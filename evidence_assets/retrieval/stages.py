"""Stages of the retrieval: pools, rankings, the triples of questions, joint scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.schemas import (
    CHUNK_POOLS,
    CHUNKS,
    INDEXES,
    QUESTIONS,
    RANKED_CHUNKS,
    RANKED_TRIPLES,
    RANKING_CERTIFICATES,
    RERANKED_EVIDENCE,
    TERM_STATISTICS,
)
from evidence_assets.retrieval.question_triples.stages import question_triple_stage
from evidence_assets.retrieval.retrievals import RETRIEVALS
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Metadata, Model, Output, Rows, Stage, retrieval_stage

if TYPE_CHECKING:
    from evidence_assets.retrieval.retrievals import Retrieval
    from evidence_assets.retrieval.transport.cascade import Budget
    from evidence_assets.retrieval.transport.ranking import RankedPools
    from evidence_assets.stages.step import Step


class RankingConfig(BaseModel):
    """What one ranking may use.

    `memory_megabytes` bounds its working arrays and costs time, never proof. Past `seconds` (for each two
    thousand queries) the best so far is kept and `ranking_certificates` says `anytime`: such rows depend on
    the machine's speed.
    """

    memory_megabytes: int = 1024
    seconds: float | None = None

    def budget(self) -> Budget:
        """Return the engine's budget."""
        from evidence_assets.retrieval.transport.cascade import Budget

        return Budget(self.memory_megabytes << 20, self.seconds)


def retrieval_stages(project: Project, reranked: Sequence[str]) -> list[Stage]:
    """Return the stages of the retrieval.

    `reranked`: the rankings whose chunks some arm scores together with triples.
    """
    return [
        _chunk_pools(project),
        question_triple_stage(project),
        _ranked_chunks(project),
        _reranked_evidence(project, reranked),
    ]


def _chunk_pools(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.corpus.index import read_index
        from evidence_assets.corpus.search import Bm25, index_top
        from evidence_assets.lake.previews import histogram
        from evidence_assets.retrieval.pools import bm25_pool_rows, dense_pool_rows
        from evidence_assets.text.queries import queries

        benchmark, inputs = step.key.name, step.inputs
        corpus, encoder = project.benchmark(benchmark).corpus, step.encoder
        if corpus is None:
            step.log.warning(f"{benchmark} names no corpus in the configuration: it has no chunks")
            yield Rows(CHUNK_POOLS, CHUNK_POOLS.schema.empty_table())
            return
        depth = step.models.encoder_settings.candidates_per_query()
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
        searched = queries(questions, step.shortened(questions))
        index, ids = read_index(inputs, step.files, corpus, encoder.encoder_id)
        vectors = encoder.encode([query.text for query in searched])
        dense = list(dense_pool_rows(benchmark, searched, index_top(index, vectors, depth), ids))
        places = [shard_place(shard) for shard in project.shards_of(corpus)]
        texts = inputs.read_partitions(CHUNKS, places, ["chunk_id", "text"])
        lexical = Bm25(texts.column("text").to_pylist())
        chunk_ids = texts.column("chunk_id").combine_chunks()
        yield Rows(
            CHUNK_POOLS,
            pa.concat_tables([*dense, bm25_pool_rows(benchmark, queries(questions), lexical, chunk_ids)]),
        )
        best = [score for table in dense for score in table.column("score").to_pylist()]
        yield Metadata({"queries": len(searched), "pool_size": depth})
        yield Metadata({"similarity": histogram(best, "Similarity of pooled chunks", "cosine")})

    description = (
        "First-stage candidates of each question, alone and with each option: the index's best R and BM25's "
        "best 100."
    )
    return retrieval_stage(
        name=CHUNK_POOLS.name,
        # What ranks and reads the pools reads the chunks and their statistics too: a change of these is one
        # of the pools, because nothing else would tell those that follow.
        outputs=(Output(CHUNK_POOLS, description, carries=(CHUNKS, TERM_STATISTICS)),),
        inputs=(Input(QUESTIONS), Input(INDEXES), Input(TERM_STATISTICS), Input(CHUNKS)),
        run=run,
        version="2",
        kinds=("faiss", "parquet"),
        models=frozenset({Model.ENCODER}),
    )


def _ranked_chunks(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow.compute as pc

        from evidence_assets.lake.previews import histogram

        retrieval = RETRIEVALS[step.key.variant]
        pool = step.inputs.read(CHUNK_POOLS, {"benchmark": step.key.name})
        pool = pool.filter(pc.equal(pool.column("retriever"), retrieval.pool))
        if retrieval.pool_limit is not None:
            pool = pool.filter(pc.less_equal(pool.column("rank"), retrieval.pool_limit))
        ranked, shown = _ranking(step, project, pool, retrieval)
        yield Rows(RANKED_CHUNKS, ranked.ranked)
        yield Rows(RANKING_CERTIFICATES, ranked.certificates)
        scores = ranked.ranked.column("score").to_numpy()
        picture = histogram(scores, f"{retrieval.name} scores", "score")
        yield Metadata({**shown, "scores": picture}, RANKED_CHUNKS)

    descriptions = {
        RANKED_CHUNKS: "The best chunks of each question, alone and with each option. Some keep the "
        "first stage's order, the others rerank the vector pool exactly, and `ranking_certificates` says why "
        "each ranking is right.\n\n"
        + "\n".join(f"- `{name}`: {retrieval.description}." for name, retrieval in RETRIEVALS.items()),
        RANKING_CERTIFICATES: "What became of every chunk of a reranked pool: evaluated exactly, or "
        "ruled out by which bound. Rankings that keep the first stage's order have none.",
    }
    return retrieval_stage(
        name=RANKED_CHUNKS.name,
        variants=tuple(RETRIEVALS),
        outputs=tuple(Output(table, description) for table, description in descriptions.items()),
        inputs=(
            Input(QUESTIONS),
            Input(CHUNK_POOLS),
            Input(CHUNKS, via=CHUNK_POOLS),
            Input(TERM_STATISTICS, via=CHUNK_POOLS),
        ),
        run=run,
        version="4",
        kinds=("pytorch", "parquet"),
        models=frozenset({Model.ENCODER}),
        settings=RankingConfig,
    )


def _ranking(
    step: Step, project: Project, pool: pa.Table, retrieval: Retrieval
) -> tuple[RankedPools, dict[str, Any]]:
    """Return the ranking of a benchmark's pools, and what to show of it."""
    from evidence_assets.retrieval.chunk_texts import chunks_of, texts_of
    from evidence_assets.retrieval.rankings import contrastive_ranking, euclidean_ranking, first_stage_ranking
    from evidence_assets.retrieval.retrievals import EUCLIDEAN, FIRST_STAGE
    from evidence_assets.retrieval.transport.methods import METHODS
    from evidence_assets.retrieval.transport.ranking import pools_of, transport_ranking, unproved
    from evidence_assets.retrieval.transport.report import ranking_metadata
    from evidence_assets.text.queries import queries
    from evidence_assets.text.term_statistics import from_table

    benchmark, name, inputs, encoder = step.key.name, retrieval.name, step.inputs, step.encoder
    if retrieval.ranked_by == FIRST_STAGE or not pool.num_rows:
        return unproved(first_stage_ranking(pool, benchmark, name)), {}
    if retrieval.ranked_by == EUCLIDEAN:
        return unproved(euclidean_ranking(pool, benchmark, name)), {}
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
    searched = queries(questions, step.shortened(questions))
    texts = texts_of(chunks_of(inputs, project, benchmark, pool.column("chunk_id").unique()))
    if not retrieval.method:
        return unproved(contrastive_ranking(pool, searched, texts, encoder, benchmark, name)), {}
    method, corpus = METHODS[retrieval.method], project.benchmark(benchmark).corpus or ""
    statistics = from_table(inputs.read(TERM_STATISTICS, {"corpus": corpus}))
    pools = pools_of(pool, searched, texts)
    encoder.remember_words(pools.chunk_texts, step.progress("chunks encoded"))
    ranked = transport_ranking(
        pools,
        encoder,
        statistics,
        method,
        benchmark,
        name,
        step.settings_as(RankingConfig).budget(),
        step.progress(f"chunks bounded for {name}"),
    )
    return ranked, ranking_metadata(pools, ranked, encoder, statistics, method)


def _reranked_evidence(project: Project, reranked: Sequence[str]) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        import pyarrow.compute as pc

        from evidence_assets.retrieval.chunk_texts import chunks_of, texts_of
        from evidence_assets.retrieval.rankings import OPTION_DEPTH
        from evidence_assets.retrieval.reranking import reranked_rows
        from evidence_assets.text.queries import queries

        benchmark, retrieval, inputs = step.key.name, step.key.variant, step.inputs
        place = {"benchmark": benchmark, "retrieval": retrieval}
        ranked = inputs.read(RANKED_CHUNKS, place)
        ranked = ranked.filter(pc.less_equal(ranked.column("rank"), OPTION_DEPTH))
        scorer = step.pair_scorer
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
        rows = reranked_rows(
            queries(questions, step.shortened(questions)),
            ranked,
            texts_of(chunks_of(inputs, project, benchmark, ranked.column("chunk_id").unique())),
            inputs.read(RANKED_TRIPLES, {"benchmark": benchmark}),
            scorer,
            benchmark,
            retrieval,
            OPTION_DEPTH,
            step.progress("questions reranked"),
        )
        yield Rows(RERANKED_EVIDENCE, rows)
        scores = step.output(RERANKED_EVIDENCE, place, ["source_table", "score", "separation"])
        yield Metadata(_joint_scores(scores, scorer.scorer_id))

    description = (
        "Chunks and triples scored together against question + option, each unit against every option, with "
        "its verification signal: by how much it prefers its best option to the mean of all. `scorer` says "
        "whether a cross-encoder scored, or the encoder stood in."
    )
    return retrieval_stage(
        name=RERANKED_EVIDENCE.name,
        variants=tuple(reranked),
        outputs=(Output(RERANKED_EVIDENCE, description),),
        inputs=(
            Input(QUESTIONS),
            Input(RANKED_TRIPLES),
            Input(RANKED_CHUNKS, variants={name: name for name in reranked}),
            Input(CHUNKS, via=RANKED_CHUNKS),
        ),
        run=run,
        version="2",
        kinds=("pytorch", "parquet"),
        models=frozenset({Model.ENCODER, Model.PAIR_SCORER}),
    )


def _joint_scores(rows: pa.Table, scorer: str) -> dict[str, Any]:
    import pyarrow.compute as pc

    from evidence_assets.lake.previews import histogram

    shown: dict[str, Any] = {"scorer": scorer}
    for table in pc.unique(rows.column("source_table")).to_pylist():
        of_table = rows.filter(pc.equal(rows.column("source_table"), table))
        for measure in ("score", "separation"):
            values = of_table.column(measure).to_numpy()
            shown[f"{table}_{measure}"] = histogram(values, f"{measure} of {table}", measure)
    return shown
