"""The vector index of a shard: exact to a million vectors, inverted lists beyond, recall measured."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.corpus.search import IndexSet, exact_top
from evidence_assets.lake.filesystem import copy_in, local_copy, write_bytes
from evidence_assets.lake.ids import combined_hash, file_hash
from evidence_assets.lake.lake import FileStore, Lake, Partition, TableReader, partition_name
from evidence_assets.lake.schemas import SHARD_INDEXES, Table
from evidence_assets.models.encoder import FloatArray

EXACT_LIMIT = 1_000_000
_FOLDER = "index_files"
_RECALL_DEPTH = 100
_RECALL_QUERIES = 200
_BLOCK = 65_536
_WANTED_RECALL = 0.95
_SEED = 20_261_120


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """A FAISS index with its measured recall. Inner product: the vectors have unit length."""

    index: Any
    kind: str
    recall_at_100: float


def build_index(vectors: FloatArray, exact_limit: int = EXACT_LIMIT) -> BuiltIndex:
    """Index (n, d) unit vectors by inner product.

    Up to `exact_limit` vectors the index is flat, hence exact. Beyond, inverted lists over half-precision
    vectors; the number of lists probed is doubled until the measured recall@100 reaches 0.95 or all are
    probed.

    Raises:
        ValueError: there is no vector to index.
    """
    import faiss

    if not len(vectors):
        raise ValueError("no vectors: there is nothing to index")
    dimension = vectors.shape[1]
    if len(vectors) <= exact_limit:
        flat = faiss.IndexFlatIP(dimension)
        flat.add(vectors)
        return BuiltIndex(flat, "Flat", 1.0)
    lists = int(4 * np.sqrt(len(vectors)))
    kind = f"IVF{lists},SQfp16"
    index: Any = faiss.index_factory(dimension, kind, faiss.METRIC_INNER_PRODUCT)
    sample = np.random.default_rng(_SEED).permutation(len(vectors))
    index.train(vectors[np.sort(sample[: lists * 64])])
    index.add(vectors)
    queries = vectors[np.sort(sample[:_RECALL_QUERIES])]
    blocks = (vectors[start : start + _BLOCK] for start in range(0, len(vectors), _BLOCK))
    exact = exact_top(blocks, queries, _RECALL_DEPTH)[1]
    index.nprobe = max(1, lists // 64)
    recall = measure_recall(index, queries, exact)
    while recall < _WANTED_RECALL and index.nprobe < lists:
        index.nprobe = min(lists, index.nprobe * 2)
        recall = measure_recall(index, queries, exact)
    return BuiltIndex(index, f"{kind},nprobe={index.nprobe}", recall)


def measure_recall(index: Any, queries: FloatArray, exact: np.ndarray) -> float:
    """Return the share of the exact neighbours, (q, k) row numbers, that the index returns."""
    retrieved = index.search(queries, exact.shape[1])[1]
    hits = [
        len(set(rows) & set(nearest))
        for rows, nearest in zip(retrieved.tolist(), exact.tolist(), strict=True)
    ]
    return sum(hits) / exact.size


def store_index(
    lake: FileStore, shard: Partition, built: BuiltIndex, rows: pa.Table, folder: Path
) -> dict[str, Any]:
    """Write an index and its rows' chunk ids to the lake; return the `shard_indexes` row that points there.

    The files are named by their content, and the row is written after them: a reader finds either the old
    index whole or the new one. Then `remove_old_index_files` may follow.

    Args:
        shard: The lake's partition of the shard: corpus and shard.
        rows: The `chunk_embeddings` rows that were indexed, in order.
        folder: Where the index may be staged: FAISS writes local files only.
    """
    import faiss

    staged = folder / "staged.faiss"
    faiss.write_index(built.index, str(staged))
    ids = pa.BufferOutputStream()
    pq.write_table(rows.select(["chunk_id"]), ids, compression="zstd")
    name = combined_hash([file_hash(staged), *rows.column("chunk_id").to_pylist()])
    place = f"{_FOLDER}/{partition_name(shard)}"
    if not lake.filesystem.exists(f"{lake.path}/{place}/{name}.faiss"):
        copy_in(lake.filesystem, staged, f"{lake.path}/{place}/{name}.faiss")
    write_bytes(lake.filesystem, f"{lake.path}/{place}/{name}.ids", ids.getvalue().to_pybytes())
    encoders = rows.column("encoder_id").unique().to_pylist()
    return {
        **shard,
        "encoder_id": encoders[0],
        "kind": built.kind,
        "vectors": rows.num_rows,
        "dimension": int(built.index.d),
        "path": f"{place}/{name}.faiss",
        "recall_at_100": built.recall_at_100,
    }


def index_files(lake: FileStore, shard: Partition) -> list[str]:
    """Return the paths of the files of a shard's indexes, whichever row names them."""
    return list(lake.filesystem.find(f"{lake.path}/{_FOLDER}/{partition_name(shard)}"))


def remove_old_index_files(lake: FileStore, stood: Iterable[str], standing: str | None) -> None:
    """Remove a shard's index files that no row names any more, once a new row is written.

    What another writer has stored meanwhile stays, whose row may be still to come.

    Args:
        stood: The `index_files` of the shard when this writer began.
        standing: The path in the row that stands now, whoever wrote it; None, where there is none, removes
            nothing.
    """
    for file in stood if standing is not None else ():
        if Path(file).stem != Path(str(standing)).stem:
            with suppress(FileNotFoundError):
                lake.filesystem.rm_file(file)


def unnamed_index_files(lake: Lake, going: Collection[tuple[Table, Partition]] = ()) -> list[str]:
    """Return the index files, relative to the lake's root, that no shard names but these `going`."""
    removed = [dict(place) for table, place in going if table is SHARD_INDEXES]
    shards = [place for place in lake.partitions(SHARD_INDEXES) if place not in removed]
    named = {
        path.removesuffix(".faiss")
        for path in lake.read_partitions(SHARD_INDEXES, shards, ["path"]).column("path").to_pylist()
    }
    files = (path.removeprefix(f"{lake.path}/") for path in lake.filesystem.find(f"{lake.path}/{_FOLDER}"))
    return sorted(file for file in files if file.rpartition(".")[0] not in named)


def read_indexes(
    tables: TableReader, lake: FileStore, shards: Iterable[Partition], encoder_id: str
) -> tuple[IndexSet, pa.Array]:
    """Return the indexes of a corpus's shards, to be searched as one, and the chunk ids of their rows.

    The files are mapped into memory: what is not searched is not read.

    Raises:
        MissingPartitionError: a shard was never indexed.
        ValueError: an index holds another encoder's vectors, or no shard has a chunk.
    """
    indexes: list[Any] = []
    ids: list[pa.Array] = []
    for shard in shards:
        for row in tables.read(SHARD_INDEXES, shard).to_pylist():
            if row["encoder_id"] != encoder_id:
                raise ValueError(
                    f"shard {row['shard']} is indexed by {row['encoder_id']}, the profile's encoder is "
                    f"{encoder_id}; remedy: materialise chunks, chunk_embeddings and shard_indexes with this "
                    "profile"
                )
            indexes.append(_mapped_index(lake, row))
            ids.append(_ids_of(lake, row["path"]))
    if not indexes:
        raise ValueError("no vectors: the corpus has no chunks; see rejected_records for why")
    return IndexSet(indexes), pa.concat_arrays(ids)


def _mapped_index(lake: FileStore, row: dict[str, Any]) -> Any:
    import faiss

    with local_copy(lake.filesystem, f"{lake.path}/{row['path']}") as local:
        index: Any = faiss.read_index(str(local), faiss.IO_FLAG_MMAP_IFC)
    if ",nprobe=" in row["kind"]:
        index.nprobe = int(row["kind"].rpartition("=")[2])
    return index


def _ids_of(lake: FileStore, path: str) -> pa.Array:
    with lake.filesystem.open(f"{lake.path}/{path.removesuffix('.faiss')}.ids", "rb") as file:
        return pq.ParquetFile(file).read().column("chunk_id").combine_chunks()
