"""Stages of the retrieval: pools, rankings, the triples of questions, joint scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNK_POOLS,
    CHUNKS,
    QUESTIONS,
    RANKED_CHUNKS,
    RANKED_TRIPLES,
    RANKING_CERTIFICATES,
    RERANKED_EVIDENCE,
    SHARD_INDEXES,
    TERM_STATISTICS,
)
from evidence_assets.retrieval.question_triples.stages import question_triple_stage
from evidence_assets.retrieval.retrievals import RETRIEVALS
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Metadata, Model, Output, Rows, Stage, retrieval_stage

if TYPE_CHECKING:
    from evidence_assets.retrieval.retrievals import Retrieval
    from evidence_assets.retrieval.transport.cascade import Budget
    from evidence_assets.retrieval.transport.ranking import Pools, RankedPools
    from evidence_assets.stages.step import Step
    from evidence_assets.text.queries import Query
    from evidence_assets.text.term_statistics import TermStatistics


# Similarities of a pool that a picture shows, and rows of pools that are read at once.
_PICTURED = 200
_SCANNED = 65_536


class RankingConfig(BaseModel):
    """What one ranking may use.

    `memory_megabytes` bounds its working arrays and costs time, never proof. Past `seconds` (for each two
    thousand queries) the best so far is kept and `ranking_certificates` says `anytime`: such rows depend on
    the machine's speed. `most_chunks`: the largest corpus that is ranked whole, without a pool.
    """

    memory_megabytes: int = 1024
    seconds: float | None = None
    most_chunks: int = 200_000

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
        from evidence_assets.corpus.index import read_indexes
        from evidence_assets.corpus.search import index_top
        from evidence_assets.lake.previews import histogram
        from evidence_assets.retrieval.pools import dense_pool_rows, in_key_order
        from evidence_assets.text.queries import queries

        benchmark, inputs = step.key.name, step.inputs
        corpus, encoder = project.benchmark(benchmark).corpus, step.encoder
        if corpus is None:
            step.log.warning(f"{benchmark} names no corpus in the configuration: it has no chunks")
            yield Rows(CHUNK_POOLS, CHUNK_POOLS.schema.empty_table())
            return
        depth = step.models.encoder_settings.candidates_per_query()
        # First: an index of another encoder is refused before the corpus is read.
        shards = [shard_place(shard) for shard in project.shards_of(corpus)]
        index, ids = read_indexes(inputs, step.files, shards, encoder.encoder_id)
        questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
        for shard in shards:
            # What ranks the pools by titles reads them too.
            inputs.version(ARTICLES, shard)
        searched = in_key_order(queries(questions, step.shortened(questions)))
        # Words have no limit: what the encoder does not take whole is searched for whole by its words.
        lexical = _lexical_rows(step, project, corpus, in_key_order(queries(questions)), len(ids))
        # What ranks the pools compares the words of the same queries.
        progress = step.progress("queries encoded")
        vectors = encoder.encode([query.text for query in searched], progress, keep_words=True)
        results = index_top(index, vectors, depth, step.progress("queries searched"))
        similarities: list[float] = []

        def rows() -> Iterator[pa.Table]:
            yield lexical
            for table in dense_pool_rows(benchmark, searched, results, ids):
                similarities.extend(table.column("score").to_numpy()[:: max(1, depth // _PICTURED)].tolist())
                yield table

        yield Rows(CHUNK_POOLS, rows())
        yield Metadata({"queries": len(searched), "pool_size": depth})
        yield Metadata({"similarity": histogram(similarities, "Similarity of pooled chunks", "cosine")})

    description = (
        "First-stage candidates of each question, alone and with each option: the indexes' best R and BM25's "
        "best 100."
    )
    return retrieval_stage(
        name=CHUNK_POOLS.name,
        # What ranks and reads the pools reads the chunks, their statistics and titles too: a change of these
        # is one of the pools, because nothing else would tell those that follow.
        outputs=(Output(CHUNK_POOLS, description, carries=(CHUNKS, TERM_STATISTICS, ARTICLES)),),
        inputs=tuple(map(Input, (QUESTIONS, SHARD_INDEXES, TERM_STATISTICS, CHUNKS, ARTICLES))),
        run=run,
        version="3",
        kinds=("faiss", "parquet"),
        models=frozenset({Model.ENCODER}),
    )


def _lexical_rows(
    step: Step, project: Project, corpus: str, text_queries: Sequence[Query], chunks: int
) -> pa.Table:
    """Return the pools of a BM25 search over a corpus of so many chunks, which stream by."""
    import pyarrow.compute as pc

    from evidence_assets.corpus.search import bm25_top
    from evidence_assets.retrieval.pools import BM25_DEPTH, bm25_pool_rows
    from evidence_assets.text.term_statistics import TOTALS, from_table
    from evidence_assets.text.words import words

    terms = step.inputs.read(TERM_STATISTICS, {"corpus": corpus})
    terms_asked = pa.array(sorted({TOTALS, *(word for query in text_queries for word in words(query.text))}))
    statistics = from_table(terms.filter(pc.is_in(terms.column("term"), value_set=terms_asked)))
    ids: list[pa.Array] = []
    progress = step.progress("chunks searched for words")

    def texts() -> Iterator[list[str]]:
        for shard in project.shards_of(corpus):
            for batch in step.inputs.scan(CHUNKS, shard_place(shard), ["chunk_id", "text"]):
                ids.append(batch.column("chunk_id"))
                yield batch.column("text").to_pylist()
                progress(sum(map(len, ids)), chunks)

    results = bm25_top([query.text for query in text_queries], texts(), statistics, BM25_DEPTH)
    return bm25_pool_rows(step.key.name, text_queries, results, pa.concat_arrays(ids))


def _ranked_chunks(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.lake.previews import histogram
        from evidence_assets.retrieval.transport.report import solver_statistics

        retrieval = RETRIEVALS[step.key.variant]
        certificates = [RANKING_CERTIFICATES.schema.empty_table()]
        shown: dict[str, Any] = {}
        scores: list[float] = []
        ranker = _Ranker(step, project, retrieval)

        def rows() -> Iterator[pa.Table]:
            for ranked, of_block in ranker.rankings():
                shown.update({name: value for name, value in of_block.items() if name not in shown})
                certificates.append(ranked.certificates)
                scores.extend(ranked.ranked.column("score").to_pylist())
                yield ranked.ranked

        yield Rows(RANKED_CHUNKS, rows())
        proofs = pa.concat_tables(certificates)
        yield Rows(RANKING_CERTIFICATES, proofs)
        if shown:
            shown |= solver_statistics(proofs)
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
            Input(ARTICLES, via=CHUNK_POOLS),
        ),
        run=run,
        version="4",
        kinds=("pytorch", "parquet"),
        models=frozenset({Model.ENCODER}),
        settings=RankingConfig,
        on_demand=True,
    )


class _Ranker:
    """Ranks a benchmark's pools in one way, some questions at a time."""

    def __init__(self, step: Step, project: Project, retrieval: Retrieval) -> None:
        self._step, self._project, self._retrieval = step, project, retrieval

    @cached_property
    def _queries(self) -> list[Query]:
        from evidence_assets.text.queries import queries

        questions = self._step.inputs.read(QUESTIONS, {"benchmark": self._step.key.name})
        return queries(questions, self._step.shortened(questions))

    @cached_property
    def _statistics(self) -> TermStatistics:
        from evidence_assets.text.term_statistics import from_table

        corpus = self._project.benchmark(self._step.key.name).corpus or ""
        return from_table(self._step.inputs.read(TERM_STATISTICS, {"corpus": corpus}))

    def rankings(self) -> Iterator[tuple[RankedPools, dict[str, Any]]]:
        """Yield the ranking of some questions at a time, and what to show of it."""
        from evidence_assets.retrieval.pools import pool_blocks
        from evidence_assets.retrieval.retrievals import CORPUS, DENSE_AND_BM25

        step, retrieval = self._step, self._retrieval
        if retrieval.pool == CORPUS:
            yield self._over_corpus()
            return
        if retrieval.pool == DENSE_AND_BM25:
            yield self._over_both_pools()
            return
        batches = step.inputs.scan(CHUNK_POOLS, {"benchmark": step.key.name}, rows=_SCANNED)
        for pool in pool_blocks(batches, retrieval.pool, retrieval.pool_limit):
            yield self.ranking(pool)

    def ranking(self, pool: pa.Table) -> tuple[RankedPools, dict[str, Any]]:
        """Return the ranking of some questions' pools, and what to show of it."""
        from evidence_assets.retrieval.chunk_texts import chunks_of, texts_of
        from evidence_assets.retrieval.rankings import (
            contrastive_ranking,
            euclidean_ranking,
            first_stage_ranking,
        )
        from evidence_assets.retrieval.retrievals import EUCLIDEAN, FIRST_STAGE
        from evidence_assets.retrieval.transport.ranking import unproved

        step, retrieval, benchmark = self._step, self._retrieval, self._step.key.name
        if retrieval.ranked_by == FIRST_STAGE or not pool.num_rows:
            return unproved(first_stage_ranking(pool, benchmark, retrieval.name)), {}
        if retrieval.ranked_by == EUCLIDEAN:
            return unproved(euclidean_ranking(pool, benchmark, retrieval.name)), {}
        question_ids = set(pool.column("question_id").unique().to_pylist())
        ids = pool.column("chunk_id").unique()
        searched = [query for query in self._queries if query.question_id in question_ids]
        texts = texts_of(chunks_of(step.inputs, self._project, benchmark, ids, ["chunk_id", "text"]))
        if retrieval.method:
            return self._by_transport(pool, searched, texts)
        ranked = contrastive_ranking(pool, searched, texts, step.encoder, benchmark, retrieval.name)
        return unproved(ranked), {}

    def _by_transport(
        self, pool: pa.Table, searched: Sequence[Query], texts: Mapping[str, str]
    ) -> tuple[RankedPools, dict[str, Any]]:
        from evidence_assets.retrieval.transport.ranking import pools_of, transport_ranking

        return self._transported(pools_of(pool, searched, texts), transport_ranking, "bounded")

    def _over_corpus(self) -> tuple[RankedPools, dict[str, Any]]:
        from evidence_assets.retrieval.transport.ranking import corpus_ranking, whole

        texts = self._corpus_texts(self._step.settings_as(RankingConfig).most_chunks)
        return self._transported(whole(texts, self._queries), corpus_ranking, "scanned")

    def _transported(
        self, pools: Pools, rank: Callable[..., RankedPools], looked_at: str
    ) -> tuple[RankedPools, dict[str, Any]]:
        """Return a ranking by the retrieval's method; `looked_at`: what progress says of its chunks."""
        from evidence_assets.retrieval.transport.methods import METHODS
        from evidence_assets.retrieval.transport.report import ranking_metadata

        step, name, encoder = self._step, self._retrieval.name, self._step.encoder
        method = METHODS[self._retrieval.method]
        encoder.remember_words(pools.chunk_texts, step.progress("chunks encoded"))
        budget = step.settings_as(RankingConfig).budget()
        progress = step.progress(f"chunks {looked_at} for {name}")
        ranked = rank(pools, encoder, self._statistics, method, step.key.name, name, budget, progress)
        return ranked, ranking_metadata(pools, ranked, encoder, self._statistics, method)

    def _over_both_pools(self) -> tuple[RankedPools, dict[str, Any]]:
        from evidence_assets.retrieval.retrievals import TWO_STEP
        from evidence_assets.retrieval.transport.methods import METHODS
        from evidence_assets.retrieval.two_step import TwoStep
        from evidence_assets.retrieval.two_step_inputs import open_candidates

        step, retrieval, encoder = self._step, self._retrieval, self._step.encoder
        leads_on = retrieval.ranked_by == TWO_STEP
        candidates = open_candidates(
            step.inputs, self._project, step.key.name, self._queries, self._statistics, leads_on
        )
        texts = [passage.text for passage in candidates.passages.values()]
        encoder.remember_words(texts, step.progress("chunks encoded"))
        ranker = TwoStep(
            candidates.passages,
            candidates.articles if leads_on else None,
            candidates.titles,
            encoder,
            self._statistics,
            METHODS[retrieval.method],
        )
        progress = step.progress(f"queries ranked by {retrieval.name}")
        ranked = ranker.rank(candidates.pools, step.key.name, retrieval.name, progress)
        return ranked, {"candidates": len(candidates.passages)}

    def _corpus_texts(self, most: int) -> dict[str, str]:
        """Return every chunk of the benchmark's corpus by its id.

        Raises:
            ValueError: there are more than `most`.
        """
        texts: dict[str, str] = {}
        for shard in self._project.shards_of_benchmark(self._step.key.name):
            for batch in self._step.inputs.scan(CHUNKS, shard_place(shard), ["chunk_id", "text"]):
                ids, contents = (batch.column(column).to_pylist() for column in ("chunk_id", "text"))
                texts.update(zip(ids, contents, strict=True))
                if len(texts) > most:
                    raise ValueError(
                        f"benchmark {self._step.key.name}: its corpus has more than {most:,} chunks, the "
                        f"most that {self._retrieval.name} ranks whole; remedy: an arm of a pool, such as "
                        "chunks_only_coverage, or a larger most_chunks of the ranked_chunks asset"
                    )
        return texts


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
        on_demand=True,
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
