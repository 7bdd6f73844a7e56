"""Peak memory of ingesting a corpus of one gigabyte: read, checked, sorted, written, then chunked.

The corpus is made by repetition with distinct ids, in the Parquet layout of `wikimedia/wikipedia`. Each stage
runs in a process of its own, whose peak resident memory the operating system reports. Bound: 2 GB.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.peak_memory import measured, run_stage
from benchmarks.texts import pages, starter_encoder
from evidence_assets.corpus.articles import ArticleRows
from evidence_assets.corpus.chunking import TokenCounter, chunk_rows
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import ARTICLES, CHUNKS
from evidence_assets.sources.articles.registry import reader
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import ArticleSource

BYTES = 1_000_000_000
BOUND_BYTES = 2_000_000_000
PLACE = {"corpus": "bench", "shard": "bench.dump"}


def make_corpus(path: Path) -> None:
    """Write a gigabyte of articles with distinct ids and texts."""
    texts = pages(8_000_000)
    written = number = 0
    schema = pa.schema([(name, pa.string()) for name in ("id", "url", "title", "text")])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while written < BYTES:
            rows = []
            for text in texts[:512]:
                number += 1
                body = f"Page {number} begins here. {text}"
                rows.append({"id": str(number), "url": "", "title": f"Page {number}", "text": body})
                written += len(body)
            texts = [*texts[512:], *texts[:512]]
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))


def ingest_articles(folder: Path) -> int:
    """Read the corpus into the lake; return the number of articles."""
    uri = str(folder / "dump.parquet")
    source = ArticleSource(name="dump", uri=uri, format="wikipedia_parquet", licence="CC0")
    shard = Shard("bench.dump", "bench", source, uri, "dump.parquet")
    rows = ArticleRows(reader("wikipedia_parquet")(uri, {}), shard)
    return Lake(str(folder / "lake")).write(ARTICLES, PLACE, rows).rows


def chunk_articles(folder: Path) -> int:
    """Chunk the lake's articles; return the number of chunks."""
    lake = Lake(str(folder / "lake"))
    encoder = starter_encoder()
    batches = lake.scan(ARTICLES, PLACE, ["article_id", "corpus", "shard", "text"], 512)
    rows = chunk_rows(batches, TokenCounter(encoder.count_tokens), encoder.max_tokens)
    return lake.write(CHUNKS, PLACE, rows).rows


STAGES = {"articles": ingest_articles, "chunks": chunk_articles}


def run() -> dict[str, Any]:
    """Return rows, seconds and peak memory of each stage."""
    result: dict[str, Any] = {"corpus_bytes": BYTES, "bound": "peak under 2 GB"}
    with tempfile.TemporaryDirectory() as folder:
        make_corpus(Path(folder) / "dump.parquet")
        result |= measured("benchmarks.ingest_memory", STAGES, folder)
    peak = max(result[stage]["peak_bytes"] for stage in STAGES)
    return result | {"ratio": round(peak / BYTES, 2), "within_bound": peak < BOUND_BYTES}


if __name__ == "__main__":
    run_stage(STAGES)
