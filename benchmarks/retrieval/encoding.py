"""Texts and their words out of one pass of the encoder, against a pass for each, in the same run.

What the corpus's vectors and its word vectors together cost a cold lake: passages are embedded, and then
their words are compared. A pass for each is what there was before: the two stores filled apart. Times are the
process's own, so that what runs beside it does not count.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.texts import starter_encoder, starter_sentences
from evidence_assets.models.cached_encoder import CachedEncoder

TEXTS, ROUNDS = 48, 3


def _one_pass(folder: Path, texts: list[str]) -> tuple[bytes, bytes]:
    cached = CachedEncoder(starter_encoder(), folder)
    vectors = cached.encode(texts, keep_words=True)
    cached.remember_words(texts)
    return _bytes(cached, vectors.tobytes(), texts)


def _two_passes(folder: Path, texts: list[str]) -> tuple[bytes, bytes]:
    vectors = CachedEncoder(starter_encoder(), folder / "texts").encode(texts)
    words = CachedEncoder(starter_encoder(), folder / "words")
    words.remember_words(texts)
    return _bytes(words, vectors.tobytes(), texts)


def _bytes(cached: CachedEncoder, vectors: bytes, texts: list[str]) -> tuple[bytes, bytes]:
    return vectors, b"".join(text.vectors.tobytes() for text in cached.encode_words(texts))


def run() -> dict[str, Any]:
    """Return texts a second of both ways (best of three, in turn), their ratio, and whether they agree."""
    texts = list(dict.fromkeys(starter_sentences()))[:TEXTS]
    starter_encoder().encode(texts[:16])
    ways: dict[str, Callable[[Path, list[str]], tuple[bytes, bytes]]] = {
        "one_pass": _one_pass,
        "two_passes": _two_passes,
    }
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    results = {}
    for _ in range(ROUNDS):
        for way, work in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                started = time.process_time()
                results[way] = work(Path(folder), texts)
                seconds[way].append(time.process_time() - started)
    identical = results["one_pass"] == results["two_passes"]
    ratio = min(seconds["two_passes"]) / min(seconds["one_pass"])
    return {
        "texts": len(texts),
        **{f"{way}_texts_a_second": round(len(texts) / min(spent), 1) for way, spent in seconds.items()},
        "ratio": round(ratio, 2),
        "identical": identical,
        "bound": "the same bytes, at least 1.5 times as fast",
        "within_bound": identical and ratio >= 1.5,
    }
