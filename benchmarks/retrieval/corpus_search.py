"""What searching a corpus of many shards takes, and what it finds: latency, bytes, memory, recall.

    python -m benchmarks corpus_search
    python -m benchmarks.corpus_search [--vectors 10000000] [--folder FOLDER]

The second prints the result. The vectors are made: a mixture of 64 Gaussians, of one covariance of rank 64,
is fitted to the vectors of the starter's paragraphs, which the starter's encoder gives, and drawn from.
`nearest` says how alike the two are: the median cosine of a vector to its nearest neighbour, among as many
drawn ones and among the real ones. Shards are indexed, stored, mapped and searched as a lake's are; queries
are drawn as the vectors are. Exact shards hold a hundred thousand vectors; shards of a million get the
inverted lists of one that is beyond the exact limit. A smaller corpus is the first shards of the largest.
Each corpus is made, and each size searched, in a process of its own; recall@100 is against a product with
every vector.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.peak_memory import anonymous_bytes, in_a_process, peak_bytes
from benchmarks.texts import starter_encoder, starter_sentences
from evidence_assets.corpus.index import EXACT_LIMIT, build_index, read_indexes, store_index
from evidence_assets.corpus.search import exact_top
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import SHARD_INDEXES
from evidence_assets.models.encoder import FloatArray

VECTORS, SHARES = 10_000_000, (0.01, 0.1, 0.3, 1.0)
CLUSTERS, RANK, QUERIES, DEPTH, SEED = 64, 64, 50, 100, 21
ENCODER, MIXTURE = "made", "mixture.npz"
SLOPES = ("index_seconds", "bytes", "processor_seconds", "processor_seconds_together")


@dataclass(frozen=True, slots=True)
class Mixture:
    """Gaussians of one covariance: shares (k,), means (k, d), and the covariance's scaled axes (r, d)."""

    shares: NDArray[np.float64]
    means: FloatArray
    axes: FloatArray

    @classmethod
    def fitted(cls, vectors: FloatArray) -> Mixture:
        """Fit a Gaussian to each cluster of (n, d) vectors, and the axes to what is left of all."""
        import faiss

        clusters = faiss.Kmeans(vectors.shape[1], CLUSTERS, seed=SEED)
        clusters.train(vectors)
        nearest = clusters.index.search(vectors, 1)[1][:, 0]
        means: FloatArray = np.asarray(clusters.centroids)
        _, scales, axes = np.linalg.svd(vectors - means[nearest], full_matrices=False)
        scaled = axes[:RANK] * (scales[:RANK, None] / np.sqrt(len(vectors)))
        shares = np.bincount(nearest, minlength=CLUSTERS) / len(vectors)
        return cls(shares, means, scaled.astype(np.float32))

    def drawn(self, count: int, seed: int) -> FloatArray:
        """Draw (count, d) unit vectors."""
        random = np.random.default_rng([SEED, seed])
        of = random.choice(len(self.shares), count, p=self.shares)
        vectors = random.standard_normal((count, len(self.axes)), dtype=np.float32) @ self.axes
        vectors += self.means[of]
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def save(self, folder: Path) -> None:
        """Keep the mixture for the processes that draw from it."""
        np.savez(folder / MIXTURE, shares=self.shares, means=self.means, axes=self.axes)

    @classmethod
    def saved(cls, folder: Path) -> Mixture:
        """Return the mixture that a folder keeps."""
        with np.load(folder / MIXTURE, allow_pickle=False) as arrays:
            return cls(arrays["shares"], arrays["means"], arrays["axes"])


@dataclass(frozen=True, slots=True)
class Sharding:
    """How many vectors a shard holds, and beyond how many its index is not exact."""

    size: int
    exact_limit: int


SHARDINGS = {"exact": Sharding(100_000, EXACT_LIMIT), "inverted lists": Sharding(1_000_000, 0)}


def _nearest_cosine(vectors: FloatArray) -> float:
    scores, _ = exact_top([vectors], vectors, 2)
    return round(float(np.median(scores[:, 1])), 3)


def _shard(number: int) -> dict[str, str]:
    return {"corpus": "made", "shard": f"{number:05}"}


def _blocks(mixture: Mixture, size: int, vectors: int) -> Iterator[FloatArray]:
    """Yield the vectors of each shard of a corpus of so many."""
    for number, start in enumerate(range(0, vectors, size)):
        yield mixture.drawn(min(size, vectors - start), number)


def make(folder: Path, vectors: int, kind: str) -> dict[str, Any]:
    """Index and store a corpus's shards; return the processor's seconds and the bytes of each."""
    mixture, sharding, lake = Mixture.saved(folder), SHARDINGS[kind], Lake(str(folder / kind))
    seconds, stored, kinds = [], [], []
    for number, block in enumerate(_blocks(mixture, sharding.size, vectors)):
        ids = pa.array([f"{number:016x}{row:016x}" for row in range(len(block))])
        rows = pa.table({"chunk_id": ids, "encoder_id": pa.repeat(ENCODER, len(block))})
        began = time.process_time()
        row = store_index(lake, _shard(number), build_index(block, sharding.exact_limit), rows, folder)
        lake.write(SHARD_INDEXES, _shard(number), pa.Table.from_pylist([row], schema=SHARD_INDEXES.schema))
        seconds.append(round(time.process_time() - began, 2))
        stored.append(Path(lake.path, row["path"]).stat().st_size)
        kinds.append(row["kind"])
    return {
        "shards": len(seconds),
        "kind": kinds[0],
        "index_seconds": seconds,
        "bytes": stored,
        "peak_bytes": peak_bytes(),
    }


def search(folder: Path, vectors: int, kind: str) -> dict[str, Any]:
    """Search the first shards of a corpus for each query, then for all at once; the first query apart."""
    mixture, sharding, lake = Mixture.saved(folder), SHARDINGS[kind], Lake(str(folder / kind))
    shards = [_shard(number) for number in range(-(-vectors // sharding.size))]
    queries = mixture.drawn(QUERIES + 1, VECTORS)
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
    began, used = time.perf_counter(), time.process_time()
    rows = indexes.search(queries[1:], DEPTH)[1]
    together = (time.perf_counter() - began, time.process_time() - used)
    peak = {"peak_bytes": peak_bytes(), "unmapped_bytes": anonymous_bytes()}
    exact = exact_top(_blocks(mixture, sharding.size, vectors), queries[1:], DEPTH)[1]
    hits = sum(len(set(row) & set(best)) for row, best in zip(rows.tolist(), exact.tolist(), strict=True))
    return {
        "first_seconds": round(first, 4),
        "seconds": round(float(np.median(seconds)), 5),
        "slowest_seconds": round(max(seconds), 5),
        "processor_seconds": round(float(np.median(processor)), 5),
        "seconds_together": round(together[0] / QUERIES, 5),
        "processor_seconds_together": round(together[1] / QUERIES, 5),
        "recall_at_100": round(hits / exact.size, 4),
        **peak,
    }


STAGES = {stage.__name__: stage for stage in (make, search)}


def _in_a_process(stage: str, folder: Path, vectors: int, kind: str) -> dict[str, Any]:
    arguments = ("--folder", str(folder), "--vectors", str(vectors), "--stage", stage, kind)
    return in_a_process("benchmarks.corpus_search", *arguments)


def _searched(folder: Path, vectors: int, kind: str) -> Iterator[dict[str, Any]]:
    """Make a corpus and search shares of it that are whole shards; yield what each took."""
    made = _in_a_process("make", folder, vectors, kind)
    for part in sorted({round(vectors * share) for share in SHARES}):
        if part < SHARDINGS[kind].size:
            continue
        shards = -(-part // SHARDINGS[kind].size)
        yield {
            "index": kind,
            "vectors": part,
            "shards": shards,
            "kind": made["kind"],
            "index_seconds": round(sum(made["index_seconds"][:shards]), 2),
            "bytes": sum(made["bytes"][:shards]),
            "index_peak_bytes": made["peak_bytes"],
            **_in_a_process("search", folder, part, kind),
        }


def _slope(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    sizes, values = np.log([[row["vectors"], row[name]] for row in rows]).T
    return round(float(np.polyfit(sizes, values, 1)[0]), 2)


def run(vectors: int = VECTORS, folder: Path | None = None) -> dict[str, Any]:
    """Return what corpora of each size took to index and to search, and what they found."""
    real = starter_encoder().encode(starter_sentences()).astype(np.float32)
    mixture = Mixture.fitted(real)
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as temporary:
        at = folder or Path(temporary)
        mixture.save(at)
        for kind in SHARDINGS:
            rows += _searched(at, vectors, kind)
    slopes = {
        kind: {name: _slope([row for row in rows if row["index"] == kind], name) for name in SLOPES}
        for kind in SHARDINGS
    }
    return {
        "nearest": {"real": _nearest_cosine(real), "made": _nearest_cosine(mixture.drawn(len(real), 0))},
        "real_vectors": len(real),
        "width": real.shape[1],
        "shards_of": {kind: sharding.size for kind, sharding in SHARDINGS.items()},
        "sizes": rows,
        "slopes": slopes,
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Run the benchmark, or one of its stages, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=VECTORS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--stage", nargs=2, metavar=("STAGE", "KIND"))
    given = parser.parse_args()
    if given.stage:
        stage, kind = given.stage
        print(json.dumps(STAGES[stage](given.folder, given.vectors, kind)))
    else:
        print(json.dumps(run(given.vectors, given.folder)))


if __name__ == "__main__":
    main()
