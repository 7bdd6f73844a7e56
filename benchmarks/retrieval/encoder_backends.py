"""What runs the starter's encoder: passages with their words a second, and what of the ranking is lost.

The baseline is what there was before texts and words came out of one pass: torch in single precision, a pass
for each. Speed is the process's own time on starter sentences; ranking is recall over public questions whose
gold evidence is known (EVIDENCE_REAL_DATA), by cosine of sentences and by coverage. Backends that the
processor or the environment lacks are left out, and named.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.real_texts import real_data
from benchmarks.retrieval.gold_sets import gold_sets
from benchmarks.retrieval.retrieval_quality import DEPTH, encode_set, metrics_of, rank_set
from benchmarks.texts import starter_sentences
from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import Encoder, packaged_minilm
from evidence_assets.models.encoder_backends import Backend, multiplies_bfloat16
from evidence_assets.models.encoder_loading import load_encoder
from evidence_assets.retrieval.transport.methods import METHODS

TEXTS, ROUNDS = 96, 3
SETS = ("openbookqa", "hotpotqa", "xquad_sentences", "xquad")
METRIC = "recall@5"
# Bytes of words kept while a set is ranked: all of them.
_WORD_BYTES = 4 << 30
LEAST_SPEEDUP, MOST_LOST = 2.5, 0.005


def run() -> dict[str, Any]:
    """Return each backend's speed against two passes of torch, and its recall at 5 against torch's."""
    folder = real_data()
    there_are, missing = _backends()
    speeds = _speeds(there_are)
    two_passes = speeds.pop("two_passes")
    values = {backend: _recalls(folder, backend) for backend in there_are}
    rows = [
        {
            "backend": str(backend),
            "texts_a_second": round(speeds[backend], 1),
            "ratio": round(speeds[backend] / two_passes, 2),
            "most_lost": max(row["lost"] for row in ranked),
            "ranked": ranked,
        }
        for backend in there_are
        for ranked in [_against(values[backend], values[Backend.TORCH])]
    ]
    return {
        "texts": TEXTS,
        "two_passes_texts_a_second": round(two_passes, 1),
        "backends": rows,
        "missing": missing,
        "bound": "one at least 2.5 times as fast, with at most .5 points of recall at 5 lost on any set",
        "within_bound": any(row["ratio"] >= LEAST_SPEEDUP and row["most_lost"] <= MOST_LOST for row in rows),
    }


def _backends() -> tuple[list[Backend], list[str]]:
    """Return the backends that can be measured here, and those that cannot."""
    usable = {
        Backend.TORCH: True,
        Backend.BFLOAT16: multiplies_bfloat16(),
        Backend.OPENVINO: find_spec("openvino") is not None,
    }
    return [backend for backend, can in usable.items() if can], [
        str(backend) for backend, can in usable.items() if not can
    ]


def _encoder(backend: Backend) -> Encoder:
    return load_encoder("all-MiniLM-L6-v2", packaged_minilm(), None, None, backend)


def _speeds(backends: list[Backend]) -> dict[str, float]:
    """Return texts a second, with their words, of each backend in one pass, and of torch in two.

    The best of several rounds, taken in turn.
    """
    texts = list(dict.fromkeys(starter_sentences()))[:TEXTS]

    def one_pass(backend: Backend) -> Callable[[Path], None]:
        def work(folder: Path) -> None:
            cached = CachedEncoder(_encoder(backend), folder)
            cached.encode(texts, keep_words=True)
            cached.remember_words(texts)

        return work

    def two_passes(folder: Path) -> None:
        CachedEncoder(_encoder(Backend.TORCH), folder / "texts").encode(texts)
        CachedEncoder(_encoder(Backend.TORCH), folder / "words").remember_words(texts)

    ways: dict[str, Callable[[Path], None]] = {"two_passes": two_passes}
    ways |= {backend: one_pass(backend) for backend in backends}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(ROUNDS + 1):
        for way, work in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                started = time.process_time()
                work(Path(folder))
                # The first round loads weights and warms up.
                seconds[way] += [time.process_time() - started] if turn else []
    return {way: len(texts) / min(spent) for way, spent in seconds.items()}


Values = dict[tuple[str, str], NDArray[np.float64]]


def _recalls(folder: Path, backend: Backend) -> Values:
    """Return every question's recall at 5, by set and ranking."""
    values: Values = {}
    with tempfile.TemporaryDirectory() as cache:
        encoder = CachedEncoder(_encoder(backend), Path(cache), _WORD_BYTES)
        for data in gold_sets(folder):
            if data.name not in SETS:
                continue
            encoded = encode_set(data, encoder)
            covered = [ranking.chunks for ranking in rank_set(encoded, METHODS["coverage"])]
            for name, rankings in {"cosine": list(encoded.nearest[:, :DEPTH]), "coverage": covered}.items():
                values[data.name, name] = metrics_of(rankings, data)[METRIC]
            print(f"{backend}: {data.name}", flush=True)
    return values


def _against(values: Values, torch: Values) -> list[dict[str, Any]]:
    """Return, set by set and ranking by ranking, the recall, and its paired difference to torch's."""
    rows = []
    for (name, ranking), recalls in values.items():
        difference = paired_difference(recalls, torch[name, ranking])
        rows.append(
            {
                "set": name,
                "ranking": ranking,
                "value": float(recalls.mean()),
                "lost": round(float(torch[name, ranking].mean() - recalls.mean()), 6),
                "difference": [difference.value, difference.low, difference.high],
                "n": len(recalls),
            }
        )
    return rows
