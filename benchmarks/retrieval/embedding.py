"""Embedding through the cache and into rows, against the encoder's own forward pass on the same batches.

Bound: at least 90 % of the encoder's throughput. sentence-transformers' own `encode` is shown beside it.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa

from benchmarks.estimates import seconds
from benchmarks.texts import pages, starter_encoder
from evidence_assets.corpus.chunking import TokenCounter, chunk_rows
from evidence_assets.corpus.embeddings import embedding_rows
from evidence_assets.models.cached_encoder import CachedEncoder

CHUNKS = 384
ROUNDS = 3
BOUND = 0.9


def run() -> dict[str, Any]:
    """Return chunks a second of each way (best of three, taken in turn), and the ratios."""
    encoder = starter_encoder()
    counter = TokenCounter(encoder.count_tokens)
    articles = pa.table({name: pages(900_000) for name in ("article_id", "corpus", "shard", "text")})
    rows = pa.concat_tables(chunk_rows(articles.to_batches(), counter, 128)).slice(0, CHUNKS)
    texts = rows.column("text").to_pylist()
    encoder.encode(texts[:32])
    ours, plain, library = [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            cached = CachedEncoder(encoder, Path(folder))
            ours.append(seconds(lambda: list(embedding_rows(rows.to_batches(), cached))))  # noqa: B023
            again = seconds(lambda: list(embedding_rows(rows.to_batches(), cached)))  # noqa: B023
        ordered = sorted(texts, key=lambda text: (-len(text), text))
        plain.append(seconds(lambda: encoder.encode(ordered)))  # noqa: B023
        library.append(seconds(lambda: encoder.model.encode(texts, batch_size=32)))  # type: ignore[attr-defined]
    ratio = min(plain) / min(ours)
    return {
        "chunks": len(texts),
        "asset_chunks_a_second": round(len(texts) / min(ours), 1),
        "encoder_chunks_a_second": round(len(texts) / min(plain), 1),
        "sentence_transformers_chunks_a_second": round(len(texts) / min(library), 1),
        "remembered_chunks_a_second": round(len(texts) / again),
        "ratio": round(ratio, 3),
        "ratio_to_sentence_transformers": round(min(library) / min(ours), 3),
        "bound": f"at least {BOUND} of the encoder's own throughput",
        "within_bound": ratio >= BOUND,
    }
