"""What searching a corpus of many shards takes, and what it finds: latency, bytes, recall against exact.

    python -m benchmarks corpus_search

The vectors are made: a mixture of 64 Gaussians, of one covariance of rank 64, is fitted to the vectors of the
starter's paragraphs, which the starter's encoder gives, and drawn from. `nearest` says how alike the two are:
the median cosine of a vector to its nearest neighbour, among as many drawn ones and among the real ones.
Shards are indexed, stored, mapped and searched as a lake's are; queries are drawn as the vectors are.
Recall@100 is against a product with every vector. `approximate`: the index that a single shard beyond the
exact limit gets, at a size that is soon trained. `ten_million` follows from the slope of latency
by vectors and from the bytes of one; it was not run.
"""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.texts import starter_encoder, starter_sentences
from evidence_assets.corpus.index import build_index, measure_recall, read_indexes, store_index
from evidence_assets.corpus.search import exact_top
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import SHARD_INDEXES
from evidence_assets.models.encoder import FloatArray

SIZES, SHARD, APPROXIMATE = (10_000, 100_000, 1_000_000), 100_000, 30_000
CLUSTERS, RANK, QUERIES, DEPTH, SEED = 64, 64, 50, 100, 21
WANTED = 10_000_000
ENCODER = "made"


@dataclass(frozen=True, slots=True)
class Mixture:
    """Gaussians of one covariance: shares (k,), means (k, d), and the covariance's scaled axes (r, d)."""

    shares: FloatArray
    means: FloatArray
    axes: FloatArray

    @classmethod
    def fitted(cls, vectors: FloatArray) -> Mixture:
        """Fit a Gaussian to each cluster of (n, d) vectors, and the axes to what is left of all."""
        import faiss

        clusters = faiss.Kmeans(vectors.shape[1], CLUSTERS, seed=SEED)
        clusters.train(vectors)
        nearest = clusters.index.search(vectors, 1)[1][:, 0]
        _, scales, axes = np.linalg.svd(vectors - clusters.centroids[nearest], full_matrices=False)
        scaled = axes[:RANK] * (scales[:RANK, None] / np.sqrt(len(vectors)))
        shares = np.bincount(nearest, minlength=CLUSTERS) / len(vectors)
        return cls(shares, clusters.centroids, scaled.astype(np.float32))

    def drawn(self, count: int, seed: int) -> FloatArray:
        """Draw (count, d) unit vectors."""
        random = np.random.default_rng([SEED, seed])
        of = random.choice(len(self.shares), count, p=self.shares)
        vectors = random.standard_normal((count, len(self.axes)), dtype=np.float32) @ self.axes
        vectors += self.means[of]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def _nearest_cosine(vectors: FloatArray) -> float:
    scores, _ = exact_top([vectors], vectors, 2)
    return round(float(np.median(scores[:, 1])), 3)


def _shard(number: int) -> dict[str, str]:
    return {"corpus": "made", "shard": f"{number:05}"}


def _make_corpus(folder: Path, mixture: Mixture, size: int) -> dict[str, float]:
    """Index and store a corpus's shards; return the processor's seconds and the bytes of the files."""
    lake, seconds, stored = Lake(str(folder / "lake")), 0.0, 0
    for number, start in enumerate(range(0, size, SHARD)):
        vectors = mixture.drawn(min(SHARD, size - start), number)
        ids = pa.array([f"{start + row:032x}" for row in range(len(vectors))])
        rows = pa.table({"chunk_id": ids, "encoder_id": pa.repeat(ENCODER, len(vectors))})
        began = time.process_time()
        row = store_index(lake, _shard(number), build_index(vectors), rows, folder)
        lake.write(SHARD_INDEXES, _shard(number), pa.Table.from_pylist([row], schema=SHARD_INDEXES.schema))
        seconds += time.process_time() - began
        stored += Path(lake.path, row["path"]).stat().st_size
    return {"index_seconds": round(seconds, 2), "bytes": stored}


def _searched(folder: Path, mixture: Mixture, size: int) -> dict[str, Any]:
    """Search a corpus for each query, then for all at once; the first, which maps the files, apart."""
    lake = Lake(str(folder / "lake"))
    shards = [_shard(number) for number in range(-(-size // SHARD))]
    queries = mixture.drawn(QUERIES + 1, len(shards))
    began = time.perf_counter()
    indexes, _ = read_indexes(lake, lake, shards, ENCODER)
    indexes.search(queries[:1], DEPTH)
    first = time.perf_counter() - began
    seconds, processor = [], []
    for query in queries[1:]:
        began, used = time.perf_counter(), time.process_time()
        indexes.search(query[None], DEPTH)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    used = time.process_time()
    rows = indexes.search(queries[1:], DEPTH)[1]
    together = (time.process_time() - used) / QUERIES
    blocks = (mixture.drawn(min(SHARD, size - number * SHARD), number) for number in range(len(shards)))
    exact = exact_top(blocks, queries[1:], DEPTH)[1]
    hits = sum(len(set(row) & set(best)) for row, best in zip(rows.tolist(), exact.tolist(), strict=True))
    return {
        "first_seconds": round(first, 4),
        "seconds": round(float(np.median(seconds)), 5),
        "slowest_seconds": round(max(seconds), 5),
        "processor_seconds": round(float(np.median(processor)), 5),
        "processor_seconds_together": round(together, 5),
        "recall_at_100": hits / exact.size,
    }


def _approximate(mixture: Mixture) -> dict[str, Any]:
    """Build the index of a shard beyond the exact limit; search it and the exact one."""
    vectors, queries = mixture.drawn(APPROXIMATE, 0), mixture.drawn(QUERIES, 1)
    began = time.process_time()
    built = build_index(vectors, exact_limit=0)
    seconds = time.process_time() - began
    exact = exact_top([vectors], queries, DEPTH)[1]
    used = time.process_time()
    built.index.search(queries, DEPTH)
    return {
        "vectors": APPROXIMATE,
        "kind": built.kind,
        "index_seconds": round(seconds, 2),
        "recall_at_100": round(measure_recall(built.index, queries, exact), 4),
        "processor_seconds_together": round((time.process_time() - used) / QUERIES, 5),
    }


def run() -> dict[str, Any]:
    """Return what corpora of each size took to index and to search, and what they found."""
    real = starter_encoder().encode(starter_sentences()).astype(np.float32)
    mixture = Mixture.fitted(real)
    sizes = []
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            made = _make_corpus(Path(folder), mixture, size)
            sizes.append({"vectors": size, **made, **_searched(Path(folder), mixture, size)})
    logarithms = np.log([[row["vectors"], row["processor_seconds"]] for row in sizes])
    slope = float(np.polyfit(*logarithms.T, 1)[0])
    largest = sizes[-1]
    times = WANTED / largest["vectors"]
    return {
        "nearest": {"real": _nearest_cosine(real), "made": _nearest_cosine(mixture.drawn(len(real), 0))},
        "real_vectors": len(real),
        "width": real.shape[1],
        "shard": SHARD,
        "sizes": sizes,
        "slope": round(slope, 2),
        "approximate": _approximate(mixture),
        "ten_million": {
            "bytes": round(largest["bytes"] * times),
            "index_seconds": round(largest["index_seconds"] * times, 1),
            "processor_seconds": round(largest["processor_seconds"] * times**slope, 3),
        },
        "load": round(os.getloadavg()[0], 1),
    }
