"""Rows of `chunk_embeddings` from chunk texts, and the matrix of such rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from evidence_assets.lake.schemas import CHUNK_EMBEDDINGS
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import FloatArray
from evidence_assets.progress import Progress

_NAMED = ["chunk_id", "encoder_id"]


def embedding_rows(
    chunks: Iterable[pa.RecordBatch], encoder: CachedEncoder, progress: Progress | None = None
) -> Iterator[pa.Table]:
    """Turn `chunks` rows into `chunk_embeddings` rows.

    Columns read: chunk_id, corpus, shard, text, text_hash, n_tokens.

    Raises:
        ValueError: a chunk is longer than the encoder's limit: its end would be cut off silently.
    """
    for batch in chunks:
        longest = max(batch.column("n_tokens").to_pylist(), default=0)
        if longest > encoder.max_tokens:
            raise ValueError(
                f"a chunk of {longest} tokens is longer than {encoder.encoder_id} takes "
                f"({encoder.max_tokens}); remedy: materialise chunks with this profile first"
            )
        # What ranks chunks compares their words.
        vectors = encoder.encode(batch.column("text").to_pylist(), progress, keep_words=True)
        yield pa.table(
            {
                **{name: batch.column(name) for name in ("chunk_id", "corpus", "shard", "text_hash")},
                "encoder_id": pa.array([encoder.encoder_id] * batch.num_rows, pa.string()),
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), encoder.dimension),
            }
        )


def read_vectors(batches: Iterable[pa.RecordBatch]) -> tuple[pa.Table, FloatArray]:
    """Return ids and encoders of `chunk_embeddings` rows, and the (n, d) matrix of their vectors, in order.

    In memory at once: the vectors twice, and a batch.

    Raises:
        ValueError: the vectors come from different encoders, which cannot be compared.
    """
    kept: list[pa.RecordBatch] = []
    parts: list[FloatArray] = []
    for batch in batches:
        # A copy, so that the batch goes.
        parts.append(stacked_vectors(pa.Table.from_batches([batch])).copy())
        kept.append(batch.select(_NAMED))
    schema = pa.schema([CHUNK_EMBEDDINGS.schema.field(name) for name in _NAMED])
    rows = pa.Table.from_batches(kept, kept[0].schema if kept else schema).combine_chunks()
    _one_encoder(rows)
    return rows, np.concatenate(parts) if parts else np.empty((0, 0), np.float32)


def stacked_vectors(rows: pa.Table) -> FloatArray:
    """Return the (n, d) matrix of a `vector` column.

    Raises:
        ValueError: the vectors come from different encoders, which cannot be compared.
    """
    _one_encoder(rows)
    column = rows.column("vector").combine_chunks()
    flat: FloatArray = column.flatten().to_numpy(zero_copy_only=False).astype(np.float32, copy=False)
    return flat.reshape(rows.num_rows, -1 if rows.num_rows else 0)


def _one_encoder(rows: pa.Table) -> None:
    encoders = rows.column("encoder_id").unique().to_pylist()
    if len(encoders) > 1:
        raise ValueError(
            f"vectors of several encoders: {', '.join(encoders)}; remedy: materialise chunk_embeddings for "
            "every shard of the corpus with one profile"
        )
