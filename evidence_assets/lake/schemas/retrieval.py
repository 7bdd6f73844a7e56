"""Tables of what was found for questions in text: pools, rankings, triples beside them."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    ANSWERS_A_QUESTION,
    CANDIDATE,
    SCORE_PARTS,
    TEXT,
    Reference,
    Table,
    columns,
    optional,
    required,
    texts,
)

_POOL_COLUMNS = (
    required("question_id", TEXT),
    CANDIDATE,
    required("rank", pa.int32(), "from 1"),
    required("chunk_id", TEXT),
    required("score", pa.float64(), "higher is better"),
)

CHUNK_POOLS = Table(
    "chunk_pools",
    "First-stage candidates of each query text, by vector similarity and by BM25.",
    columns(required("benchmark", TEXT), required("retriever", TEXT, "dense or bm25"), *_POOL_COLUMNS),
    key=("benchmark", "retriever", "question_id", "candidate", "rank"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION, Reference(("chunk_id",), "chunks", ("chunk_id",))),
)

RANKED_CHUNKS = Table(
    "ranked_chunks",
    "The best chunks of each query text by one retrieval arm's score.",
    columns(*texts("benchmark", "retrieval"), *_POOL_COLUMNS, required("score_parts", SCORE_PARTS)),
    key=("benchmark", "retrieval", "question_id", "candidate", "rank"),
    partition_columns=("benchmark", "retrieval"),
    references=(ANSWERS_A_QUESTION, Reference(("chunk_id",), "chunks", ("chunk_id",))),
)

RANKING_CERTIFICATES = Table(
    "ranking_certificates",
    "Why each ranking by transport is exact: what became of every chunk of the pool.",
    columns(
        *texts("benchmark", "retrieval", "question_id"),
        CANDIDATE,
        required("status", TEXT, "proved, anytime (some chunks are open) or refused"),
        required("pool", pa.int32(), "chunks; the counts below add up to it"),
        required("solved", pa.int32(), "evaluated exactly"),
        required("ruled_out_by_centroid", pa.int32()),
        required("ruled_out_by_bound", pa.int32(), "closed form or shared dual potentials"),
        required("ruled_out_by_ascent", pa.int32(), "ascent of the dual"),
        required("open", pa.int32(), "neither, when the time was up"),
        required("refused", pa.int32(), "broken chunks"),
        pa.field("threshold", pa.float64()),
        required("margin", pa.float64(), "what bounds gave up to single precision"),
        pa.field("refusal", TEXT),
    ),
    key=("benchmark", "retrieval", "question_id", "candidate"),
    partition_columns=("benchmark", "retrieval"),
    references=(ANSWERS_A_QUESTION,),
)

RANKED_TRIPLES = Table(
    "ranked_triples",
    "The triples around each question's and option's concepts, read out, that are nearest to the query.",
    columns(
        *texts("benchmark", "question_id"),
        CANDIDATE,
        required("rank", pa.int32(), "from 1"),
        required("triple_id", TEXT),
        required("text", TEXT, "the triple read out by its relation's template"),
        required("touches", TEXT, "question, option or both: whose concepts it stands at"),
        required("score", pa.float64(), "higher is better"),
        required("score_parts", SCORE_PARTS),
        required("scorer", TEXT, "which model scored it"),
    ),
    key=("benchmark", "question_id", "candidate", "rank"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION, Reference(("triple_id",), "triples", ("triple_id",))),
)

RERANKED_EVIDENCE = Table(
    "reranked_evidence",
    "Chunks and triples of each question scored together, against every query text of the question.",
    columns(
        required("benchmark", TEXT),
        required("retrieval", TEXT, "the ranking of chunks that the triples are joined to"),
        required("question_id", TEXT),
        CANDIDATE,
        required("source_table", TEXT, "chunks or triples"),
        required("source_key", TEXT),
        optional("found_rank", pa.int32(), "rank in this candidate's own list; null: found for another one"),
        required("score", pa.float64(), "higher is better"),
        required(
            "separation",
            pa.float64(),
            "verification signal: the best option's score less the mean of all; 0 echoes the topic",
        ),
        required("scorer", TEXT, "which model scored it"),
    ),
    key=("benchmark", "retrieval", "question_id", "candidate", "source_table", "source_key"),
    partition_columns=("benchmark", "retrieval"),
    references=(ANSWERS_A_QUESTION,),
)
