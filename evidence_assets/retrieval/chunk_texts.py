"""The texts of chunks by their ids, out of the shards that answer a benchmark."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.sources.project import Project


def chunks_of(inputs: TableReader, project: Project, benchmark: str, wanted: pa.Array) -> pa.Table:
    """Return the `chunks` rows with these ids from the shards that answer a benchmark.

    Raises:
        LookupError: one of them is in no shard any more.
    """
    kept = []
    for shard in project.shards_of_benchmark(benchmark):
        for batch in inputs.scan(CHUNKS, shard_place(shard)):
            rows = batch.filter(pc.is_in(batch.column("chunk_id"), value_set=wanted))
            if rows.num_rows:
                kept.append(rows)
    chunks = pa.Table.from_batches(kept, schema=CHUNKS.schema)
    if chunks.num_rows < len(wanted):
        raise LookupError(
            f"benchmark {benchmark}: {len(wanted) - chunks.num_rows} ranked chunks are in no shard of its "
            "corpus any more; remedy: materialise chunk_indexes, chunk_pools and ranked_chunks anew"
        )
    return chunks


def texts_of(chunks: pa.Table) -> dict[str, str]:
    """Return the text of each chunk by its id."""
    return dict(zip(chunks.column("chunk_id").to_pylist(), chunks.column("text").to_pylist(), strict=True))
