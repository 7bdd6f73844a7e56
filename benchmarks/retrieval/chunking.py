"""Chunking speed on one core, against tokenising the same text once with the encoder's own tokenizer.

Bound: at least 5 MB of text a second of processor time.
"""

from __future__ import annotations

import time
from typing import Any

import pyarrow as pa

from benchmarks.texts import pages, starter_encoder
from evidence_assets.corpus.chunking import TokenCounter, chunk_rows

CHARACTERS = 40_000_000
BASELINE_CHARACTERS = 4_000_000
BOUND = 5.0


def run() -> dict[str, Any]:
    """Return both speeds in MB a second of processor time, and their ratio."""
    encoder = starter_encoder()
    texts = pages(CHARACTERS)
    size = sum(len(text.encode()) for text in texts)
    batches = [
        pa.record_batch(
            {
                "article_id": [f"{start + row:032x}" for row in range(len(part))],
                "corpus": ["bench"] * len(part),
                "shard": ["bench"] * len(part),
                "text": part,
            }
        )
        for start in range(0, len(texts), 512)
        for part in [texts[start : start + 512]]
    ]
    counter = TokenCounter(encoder.count_tokens)
    started = time.process_time()
    chunks = sum(rows.num_rows for rows in chunk_rows(batches, counter, encoder.max_tokens))
    ours = size / 1e6 / (time.process_time() - started)
    sample = pages(BASELINE_CHARACTERS)
    started = time.process_time()
    encoder.count_tokens(sample)
    tokenizer = sum(len(text.encode()) for text in sample) / 1e6 / (time.process_time() - started)
    return {
        "megabytes": round(size / 1e6, 1),
        "chunks": chunks,
        "chunking_megabytes_a_second": round(ours, 2),
        "tokenizer_megabytes_a_second": round(tokenizer, 2),
        "ratio": round(ours / tokenizer, 2),
        "bound": f"at least {BOUND} MB a second",
        "within_bound": ours >= BOUND,
    }
