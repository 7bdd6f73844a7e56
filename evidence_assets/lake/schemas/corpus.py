"""Tables of the corpus: articles, chunks, vectors, indexes, statistics, gold evidence in chunks."""

from __future__ import annotations

import pyarrow as pa

from evidence_assets.lake.schemas.declaration import (
    ANSWERS_A_QUESTION,
    LOOKED_UP_ROWS_PER_GROUP,
    TEXT,
    Reference,
    Table,
    columns,
    required,
    texts,
)

ARTICLES = Table(
    "articles",
    "Documents as read from their sources: text, where it came from, under which licence.",
    columns(
        required("article_id", TEXT, "hash of the shard's name and the source's own key"),
        *texts("corpus", "shard", "source"),
        required("source_key", TEXT, "the identifier the source itself uses"),
        required("source_uri", TEXT, "the file it was read from, as the configuration writes it"),
        *texts("url", "revision", "licence", "title", "text", "text_hash"),
    ),
    key=("article_id",),
    partition_columns=("corpus", "shard"),
    sought_by=("article_id",),
    rows_per_group=LOOKED_UP_ROWS_PER_GROUP,
)

CHUNKS = Table(
    "chunks",
    "Articles cut at sentence ends into pieces the encoder can take: article.text[char_start:char_end].",
    columns(
        required("chunk_id", TEXT, "hash of article id, character span and text"),
        *texts("article_id", "corpus", "shard"),
        required("char_start", pa.int64(), "in characters (code points) of article.text"),
        required("char_end", pa.int64()),
        *texts("text", "text_hash"),
        required("n_tokens", pa.int32(), "encoder tokens, special tokens counted"),
        required("sentence_ends", pa.list_(pa.int32()), "end of each sentence, in characters of this text"),
    ),
    key=("chunk_id",),
    partition_columns=("corpus", "shard"),
    references=(Reference(("article_id",), "articles", ("article_id",)),),
    sought_by=("chunk_id",),
    rows_per_group=LOOKED_UP_ROWS_PER_GROUP,
)

CHUNK_EMBEDDINGS = Table(
    "chunk_embeddings",
    "One unit vector a chunk.",
    columns(
        *texts("chunk_id", "corpus", "shard"),
        required(
            "text_hash", TEXT, "what the vector was computed from: unchanged text is never encoded again"
        ),
        required("encoder_id", TEXT),
        required("vector", pa.list_(pa.float32()), "fixed width in the file: the encoder's dimension"),
    ),
    key=("chunk_id",),
    partition_columns=("corpus", "shard"),
    references=(Reference(("chunk_id",), "chunks", ("chunk_id",)),),
)

_TERM_COLUMNS = (
    required("term", TEXT, "lower-cased word; the empty term holds the totals"),
    required("document_frequency", pa.int64(), "chunks that hold the term; for the empty term, all chunks"),
    required("term_frequency", pa.int64(), "occurrences; for the empty term, all words"),
)

SHARD_TERMS = Table(
    "shard_terms",
    "In how many chunks of a shard each term stands.",
    columns(*texts("corpus", "shard"), *_TERM_COLUMNS),
    key=("corpus", "shard", "term"),
    partition_columns=("corpus", "shard"),
)

TERM_STATISTICS = Table(
    "term_statistics",
    "BM25 statistics of one corpus: in how many chunks each term stands.",
    columns(required("corpus", TEXT), *_TERM_COLUMNS),
    key=("corpus", "term"),
    partition_columns=("corpus",),
)

SHARD_INDEXES = Table(
    "shard_indexes",
    "The vector index of each shard: kind, size, measured recall. A shard without chunks has none.",
    columns(
        *texts("corpus", "shard", "encoder_id"),
        required("kind", TEXT, "FAISS factory name"),
        required("vectors", pa.int64()),
        required("dimension", pa.int32()),
        required("path", TEXT, "the index file, relative to the lake's root"),
        required(
            "recall_at_100", pa.float64(), "share of the exact top 100 that the index returns, measured"
        ),
    ),
    key=("corpus", "shard"),
    partition_columns=("corpus", "shard"),
)

GOLD_CHUNKS = Table(
    "gold_chunks",
    "Gold evidence found again in the corpus: which chunks hold the text that the benchmark names.",
    columns(
        *texts("benchmark", "question_id"),
        required("gold_index", pa.int32(), "index into questions.gold_evidence"),
        *texts("chunk_id", "article_id"),
    ),
    key=("benchmark", "question_id", "gold_index", "chunk_id"),
    partition_columns=("benchmark",),
    references=(ANSWERS_A_QUESTION, Reference(("chunk_id",), "chunks", ("chunk_id",))),
)
