"""Peak memory and time of retrieval at the printed settings: a million chunks, pools of R = 20,000.

    python -m benchmarks retrieval_memory

The stages that a run materialises are made here one by one, each in a process of its own, whose peak resident
memory the operating system reports; bound: 6 GB. 500 questions without options are pooled and ranked; five
others, with four options each, are answered by the arm of R = 15,000.

What is measured is the machinery, not what it finds. So texts are drawn at random, 60 words each, the last
of them a word that no other text has; and no language model encodes them: every word has a vector of 384
numbers, drawn once, and a text's own vector is the sum of its words'. Of a text's words the first 12 are
given vectors, as an encoder gives none to what is beyond its limit: more would take longer and no more
memory, since words are ranked in blocks of a fixed number.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import yaml

from benchmarks.peak_memory import measured, run_stage
from evidence_assets.config.configuration import load_project
from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.models.encoder import EncodedWords, FloatArray
from evidence_assets.models.provider import EncoderSettings, Models
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.systems.registry import SYSTEMS

CHUNKS_DRAWN, WIDTH, DEPTH, SMALLER_DEPTH = 1_000_000, 384, 20_000, 15_000
QUESTIONS, QUESTIONS_WITH_OPTIONS, OPTIONS = 500, 5, 4
WORDS, WORDS_OF_A_QUESTION, WORDS_ENCODED, VOCABULARY = 60, 12, 12, 50_000
CHUNKS_AT_ONCE = 8_192
BOUND_BYTES = 6_000_000_000
CORPUS, ALONE, WITH_OPTIONS = "drawn", "alone", "with_options"
SHARD = f"{CORPUS}.texts"
ARM = f"chunks_only_coverage_r{SMALLER_DEPTH}@extractive"
SIZES = "sizes.json"


class DrawnEncoder:
    """Every word's vector drawn at random, the same in each process; rare words are the longer."""

    encoder_id, dimension, max_tokens = "drawn", WIDTH, 256

    def __init__(self) -> None:
        drawn = np.random.default_rng(0).standard_normal((VOCABULARY, WIDTH), dtype=np.float32)
        self._vectors = drawn * np.log1p(np.arange(VOCABULARY, dtype=np.float32))[:, None] + 1e-3

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Return each text's number of words, two special tokens counted."""
        return [len(text.split()) + 2 for text in texts]

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Return (n, d) unit vectors."""
        return np.stack([_unit_sum(self._words(text)) for text in texts])

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        """Return every text's word vectors and its own vector."""
        encoded = []
        for text in texts:
            vectors = self._words(text)
            encoded.append(EncodedWords(text.split()[:WORDS_ENCODED], vectors, _unit_sum(vectors)))
        return encoded

    def _words(self, text: str) -> FloatArray:
        vectors: FloatArray = self._vectors[[int(word[1:]) for word in text.split()[:WORDS_ENCODED]]]
        return vectors


def _unit_sum(vectors: FloatArray) -> FloatArray:
    total = vectors.sum(axis=0)
    unit: FloatArray = total / np.linalg.norm(total)
    return unit


@cache
def _drawn_encoder() -> DrawnEncoder:
    return DrawnEncoder()


class DrawnEncoderSettings(EncoderSettings):
    """Settings whose encoder is the drawn one."""

    def load(self) -> Any:
        """Return the drawn encoder."""
        return _drawn_encoder()


def _texts(rows: int, words: int, seed: int) -> list[str]:
    """Return texts of words that are as unequally frequent as those of real texts."""
    drawn = np.random.default_rng(seed).zipf(1.3, size=(rows, words)) % VOCABULARY
    return [" ".join(f"w{word}" for word in row) for row in drawn.tolist()]


def _chunk_rows(chunks: int) -> Iterator[pa.Table]:
    for start in range(0, chunks, CHUNKS_AT_ONCE):
        drawn = _texts(min(CHUNKS_AT_ONCE, chunks - start), WORDS - 1, 1 + start)
        texts = [f"{text} x{start + place}" for place, text in enumerate(drawn)]
        ids = [f"{start + place:032x}" for place in range(len(texts))]
        yield pa.table(
            {
                "chunk_id": ids,
                "article_id": ids,
                "corpus": [CORPUS] * len(texts),
                "shard": [SHARD] * len(texts),
                "char_start": [0] * len(texts),
                "char_end": [len(text) for text in texts],
                "text": texts,
                "text_hash": [text_hash(text) for text in texts],
                "n_tokens": [WORDS + 2] * len(texts),
                "sentence_ends": [[len(text)] for text in texts],
            },
            schema=CHUNKS.schema,
        )


def _write_configuration(folder: Path, sizes: dict[str, int]) -> None:
    """Write a corpus of one article, whose chunks are replaced, and two benchmarks."""
    lines: dict[str, list[dict[str, Any]]] = {
        "article": [{"title": "drawn", "text": "w1 w2 w3"}],
        ALONE: [
            {"id": f"q{number:05}", "question": text, "options": [], "answers": ["w1"]}
            for number, text in enumerate(_texts(sizes["questions"], WORDS_OF_A_QUESTION, 0))
        ],
        WITH_OPTIONS: [
            {
                "id": f"q{number:05}",
                "question": text,
                "options": [f"w{100 + 7 * (number + option)}" for option in range(OPTIONS)],
                "answer_index": 0,
            }
            for number, text in enumerate(_texts(sizes["questions_with_options"], WORDS_OF_A_QUESTION, 7))
        ],
    }
    for name, rows in lines.items():
        written = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(written, encoding="utf-8")
    source = {"name": "texts", "uri": "article.jsonl", "format": "jsonl", "licence": "CC0-1.0"}
    benchmark = {"reader": "questions_jsonl", "split": "test", "corpus": CORPUS, "systems": ["uscrake"]}
    configuration = {
        "corpora": {CORPUS: {"sources": [source]}},
        "benchmarks": {name: {**benchmark, "uri": f"{name}.jsonl"} for name in (ALONE, WITH_OPTIONS)},
    }
    (folder / "sources.yaml").write_text(yaml.safe_dump(configuration), encoding="utf-8")
    (folder / SIZES).write_text(json.dumps(sizes), encoding="utf-8")


def _make(folder: Path, *wanted: tuple[str, Key]) -> int:
    """Make partitions of stages as a run makes them; return the rows of the last one's first table."""
    depth = json.loads((folder / SIZES).read_text(encoding="utf-8"))["pool"]
    models = Models(folder / "cache", encoder=DrawnEncoderSettings(name="drawn", pool_size=depth))
    project, lake = load_project(folder / "sources.yaml"), Lake(str(folder / "lake"))
    graph = Workspace(project, SYSTEMS, lake, models).graph
    run, rows = Run(lake, graph, models), 0
    for name, key in wanted:
        stage = graph.by_name[name]
        rows = make_partition(stage, key, run).tables[stage.tables[0].name].rows
    return rows


def chunks(folder: Path) -> int:
    """Make questions and articles, and write the drawn chunks; return their number."""
    _make(folder, ("questions", Key(ALONE)), ("questions", Key(WITH_OPTIONS)), ("articles", Key(SHARD)))
    place = shard_place(load_project(folder / "sources.yaml").shards[SHARD])
    rows = json.loads((folder / SIZES).read_text(encoding="utf-8"))["chunks"]
    return Lake(str(folder / "lake")).write(CHUNKS, place, _chunk_rows(rows)).rows


def _stage(name: str, key: Key) -> Callable[[Path], int]:
    return partial(_make_one, name, key)


def _make_one(name: str, key: Key, folder: Path) -> int:
    return _make(folder, (name, key))


# In the order in which they are made. `chunks` is drawn here; the others are the stages themselves.
STAGES: dict[str, Callable[[Path], int]] = {
    "chunks": chunks,
    "chunk_embeddings": _stage("chunk_embeddings", Key(SHARD)),
    "shard_indexes": _stage("shard_indexes", Key(SHARD)),
    "shard_terms": _stage("shard_terms", Key(SHARD)),
    "term_statistics": _stage("term_statistics", Key(CORPUS)),
    "chunk_pools": _stage("chunk_pools", Key(ALONE)),
    "pools_with_options": _stage("chunk_pools", Key(WITH_OPTIONS)),
    "ranked_with_options": _stage("ranked_chunks", Key(WITH_OPTIONS, f"coverage_r{SMALLER_DEPTH}")),
    "answered": _stage("uscrake", Key(WITH_OPTIONS, ARM)),
    "ranked_chunks": _stage("ranked_chunks", Key(ALONE, f"coverage_r{DEPTH}")),
}


def run() -> dict[str, Any]:
    """Return what each stage took."""
    sizes = {
        "chunks": CHUNKS_DRAWN,
        "pool": DEPTH,
        "questions": QUESTIONS,
        "questions_with_options": QUESTIONS_WITH_OPTIONS,
    }
    with tempfile.TemporaryDirectory() as folder:
        _write_configuration(Path(folder), sizes)
        stages = measured("benchmarks.retrieval_memory", STAGES, folder)
    return {
        **sizes,
        "width": WIDTH,
        "smaller_pool": SMALLER_DEPTH,
        "options": OPTIONS,
        "words": WORDS,
        "words_encoded": WORDS_ENCODED,
        "stages": stages,
        "bound_bytes": BOUND_BYTES,
        "within_bound": all(stage["peak_bytes"] < BOUND_BYTES for stage in stages.values()),
    }


if __name__ == "__main__":
    run_stage(STAGES)
