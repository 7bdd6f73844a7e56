"""Chunks and their texts by id, from the shards of a benchmark's corpus."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.sources.project import Project


def chunks_of(
    inputs: TableReader,
    project: Project,
    benchmark: str,
    chunk_ids: pa.Array,
    columns: Sequence[str] | None = None,
) -> pa.Table:
    """Return the `chunks` rows with these ids from the shards of a benchmark's corpus, whole or some columns.

    Raises:
        LookupError: an id is no longer in any shard.
    """
    kept = []
    for shard in project.shards_of_benchmark(benchmark):
        for batch in inputs.scan(CHUNKS, shard_place(shard), columns):
            rows = batch.filter(pc.is_in(batch.column("chunk_id"), value_set=chunk_ids))
            if rows.num_rows:
                kept.append(rows)
    schema = CHUNKS.schema if columns is None else pa.schema([CHUNKS.schema.field(name) for name in columns])
    chunks = pa.Table.from_batches(kept, schema=schema)
    if chunks.num_rows < len(chunk_ids):
        raise LookupError(
            f"benchmark {benchmark}: {len(chunk_ids) - chunks.num_rows} ranked chunks are in no shard of its "
            "corpus any more; remedy: materialise shard_indexes, chunk_pools and ranked_chunks anew"
        )
    return chunks


def texts_of(chunks: pa.Table) -> dict[str, str]:
    """Return the text of each chunk by its id."""
    return dict(zip(chunks.column("chunk_id").to_pylist(), chunks.column("text").to_pylist(), strict=True))
