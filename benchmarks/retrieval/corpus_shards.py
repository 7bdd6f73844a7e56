"""What one more shard costs a corpus of 10, 100 and 1,000 shards, against that shard in a corpus of its own.

    python -m benchmarks corpus_shards

The corpus is made: every shard is a file of the same pages of the starter's texts under titles of its own, so
that ids are distinct and the encoder is asked once; a shard that is timed has pages that no other has. Each
bringing up to date reads the configuration anew, tells by what is recorded what is missing or stale, and
makes that, in this process: articles, chunks, vectors, index and counted terms of the shard, and the corpus's
statistics. Processor seconds are compared, since the machine may have other work. `without_encoding` leaves
out what the encoder took, the same in both. `old way`: the terms of all chunks counted again and one index of
all vectors built and written, which is what a corpus of one index costs at every addition.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from benchmarks.pages.page import find
from benchmarks.texts import pages
from evidence_assets.config.configuration import load_project
from evidence_assets.corpus.embeddings import stacked_vectors
from evidence_assets.corpus.index import build_index, store_index
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import without_pictures
from evidence_assets.lake.schemas import CHUNK_EMBEDDINGS, CHUNKS, TERM_STATISTICS
from evidence_assets.models.provider import Models
from evidence_assets.orchestration.following import Making
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run
from evidence_assets.stages.freshness import State
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.text.term_statistics import TOTALS, count_terms

SHARDS, CHARACTERS = (10, 100, 1_000), 40_000
BOUND = 1.5
CORPUS = "made"
PLANNING, ENCODING, WHOLE = "planning", "chunk_embeddings", "whole"


class MadeCorpus:
    """A corpus of made files, and a lake that is brought up to date with them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.lake = folder, Lake(str(folder / "lake"))
        self._models = Models(folder / "cache")
        self._models.encoder.encode(["loaded before anything is timed"], keep_words=True)
        source = {"name": "file", "uri": "files/*.jsonl", "format": "jsonl", "licence": "CC0-1.0"}
        configuration = {"corpora": {CORPUS: {"sources": [source]}}}
        (folder / "files").mkdir(parents=True)
        (folder / "sources.yaml").write_text(yaml.safe_dump(configuration), encoding="utf-8")

    def add(self, name: str, texts: list[str]) -> None:
        """Write the file of one more shard."""
        articles = ({"title": f"{name} {number}", "text": text} for number, text in enumerate(texts))
        lines = "".join(json.dumps(article) + "\n" for article in articles)
        (self._folder / "files" / f"{name}.jsonl").write_text(lines, encoding="utf-8")

    def bring_up_to_date(self) -> dict[str, float]:
        """Make what is missing or stale; return the processor seconds of each stage, and of all."""
        began = last = time.process_time()
        project = load_project(self._folder / "sources.yaml")
        workspace = Workspace(project, SYSTEMS, self.lake, self._models)
        graph = workspace.graph
        wanted = [(graph.by_name["term_statistics"], Key(CORPUS))]
        wanted += [(graph.by_name["shard_indexes"], Key(shard)) for shard in project.shards]
        needed = graph.needed(wanted)
        due = [
            part
            for part, status in zip(needed, workspace.statuses(needed), strict=True)
            if status.state != State.FRESH
        ]
        making = Making(
            graph, lambda _: Run(self.lake, graph, self._models), workspace.freshness, lambda *_: None
        )
        seconds = {PLANNING: time.process_time() - last}
        last = time.process_time()
        for outcome in making.outcomes(due):
            if outcome.error is not None:
                raise outcome.error
            name, now = outcome.part.stage.name, time.process_time()
            seconds[name] = seconds.get(name, 0.0) + now - last
            last = now
        return {**seconds, WHOLE: time.process_time() - began}

    def files_of_shards(self) -> dict[str, int]:
        """Return when each file of a shard, rows or index, was last written, in nanoseconds."""
        root = Path(self.lake.path)
        return {str(path): path.stat().st_mtime_ns for path in root.rglob("shard=*/*")}

    def old_way(self) -> dict[str, float]:
        """Count every chunk's terms and build one index; return the processor seconds of each."""
        started = time.process_time()
        count_terms(self.texts(), CORPUS)
        counted = time.process_time()
        places = self.lake.partitions(CHUNK_EMBEDDINGS)
        rows = self.lake.read_partitions(CHUNK_EMBEDDINGS, places, ["chunk_id", "encoder_id", "vector"])
        with tempfile.TemporaryDirectory() as folder:
            built = build_index(stacked_vectors(rows))
            store_index(Lake(folder), {"corpus": CORPUS, "shard": "all"}, built, rows, Path(folder))
        return {"counting": counted - started, "one index": time.process_time() - counted}

    def texts(self) -> Iterator[str]:
        """Yield the text of every chunk."""
        for place in self.lake.partitions(CHUNKS):
            for batch in self.lake.scan(CHUNKS, place, ["text"]):
                yield from batch.column("text").to_pylist()


def _measured(folder: Path, corpus: MadeCorpus, before: int, texts: list[str]) -> dict[str, Any]:
    """Add a shard to a corpus that is up to date, and to one that has no other."""
    name, files = f"shard{before:05}", corpus.files_of_shards()
    corpus.add(name, texts)
    added = corpus.bring_up_to_date()
    now = corpus.files_of_shards()
    by_itself = MadeCorpus(folder / f"alone{before}")
    by_itself.add(name, texts)
    alone = by_itself.bring_up_to_date()
    statistics = corpus.lake.read(TERM_STATISTICS, {"corpus": CORPUS}).to_pylist()
    return {
        "shards_before": before,
        "chunks_after": find(statistics, term=TOTALS)["document_frequency"],
        "chunks_of_shard": sum(1 for _ in by_itself.texts()),
        "terms_after": len(statistics) - 1,
        "alone": _rounded(alone),
        "added": _rounded(added),
        "ratio": round(added[WHOLE] / alone[WHOLE], 2),
        "ratio_without_encoding": round(
            (added[WHOLE] - added[ENCODING]) / (alone[WHOLE] - alone[ENCODING]), 2
        ),
        "old_way": _rounded(corpus.old_way()),
        "files_of_other_shards": len(files),
        "of_these_written_again": sum(now.get(path) != at for path, at in files.items()),
    }


def _rounded(seconds: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in seconds.items()}


def _slope(sizes: list[dict[str, Any]], cost: str) -> float:
    """Return the exponent of a cost beyond the shard's, by the number of shards."""
    shards = np.log([size["shards_before"] for size in sizes])
    return round(float(np.polyfit(shards, np.log([size["added"][cost] for size in sizes]), 1)[0]), 2)


def run() -> dict[str, Any]:
    """Return what one more shard cost at each size of the corpus, and that shard alone."""
    drawn = pages(CHARACTERS * (len(SHARDS) + 1))
    share = len(drawn) // (len(SHARDS) + 1)
    common, *timed = (drawn[share * number :][:share] for number in range(len(SHARDS) + 1))
    sizes: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        # What a process loads but once is loaded before anything is timed.
        first = MadeCorpus(Path(folder) / "first")
        first.add("first", common[:2])
        first.bring_up_to_date()
        corpus, made = MadeCorpus(Path(folder) / "corpus"), 0
        for before, texts in zip(SHARDS, timed, strict=True):
            for number in range(made, before):
                corpus.add(f"shard{number:05}", common)
            with without_pictures():
                corpus.bring_up_to_date()
            made = before + 1
            sizes.append(_measured(Path(folder), corpus, before, texts))
    return {
        "sizes": sizes,
        "slopes": {cost: _slope(sizes, cost) for cost in (PLANNING, "term_statistics", WHOLE)},
        "load": round(os.getloadavg()[0], 1),
        "ratio": sizes[-1]["ratio"],
        "bound": BOUND,
        "within_bound": sizes[-1]["ratio"] < BOUND and not sizes[-1]["of_these_written_again"],
    }
