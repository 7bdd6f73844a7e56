"""What a large lake costs to ask: `trace`, `impact`, opening it, `status`, and the memory they take.

    python -m benchmarks lake_scale
    python -m benchmarks.lake_scale [--rows 100000000] [--partitions 100] [--folder FOLDER]

The second prints the result; with a folder it keeps the lake there, or asks the one that stands there. The
rows are made: five benchmarks, each with a corpus, its questions answered by every arm from twenty of the
corpus's sentences; ids are random, as hashes are. The lake writes them as it writes a run's. Each part runs
in a process of its own, whose peak resident memory the operating system reports. The baseline joins the same
tables by reading every row of them. A lake of a tenth of the rows, in as many partitions, tells how the
processor seconds grow. Opening and status are timed on a lake of many small partitions.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.peak_memory import in_a_process, peak_bytes
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake, PartitionVersion, WrittenPartition
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHUNKS,
    EVIDENCE,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    Table,
)
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.execution import Run, make_partition

ROWS, PARTITIONS, MANY_PARTITIONS = 10_000_000, 100, 20_000
BENCHMARKS, UNITS_A_QUESTION, NEW_UNITS_A_QUESTION = 5, 20, 4
OF_A_SHARD = ("articles", "chunks")
SENTENCES_AN_ARTICLE, SENTENCES_A_CHUNK, SENTENCE = 25, 5, 64
ASKED, REPEATED_NAIVELY, SEED = 20, 1, 21
LINEAGE = ("trace", "impact")
BOUNDS = {
    "trace_seconds": 0.05,
    "impact_seconds": 1.0,
    "peak_bytes": 4 << 30,
    "open_seconds": 1.0,
    "status_seconds": 5.0,
}
NOTHING_HANDED_DOWN = "SET disabled_optimizers = 'join_filter_pushdown'"
# A full scan: no value is handed down to what files tell of their parts.
SCANNED = """
FROM {articles} AS articles
JOIN {evidence} AS evidence ON articles.article_id = evidence.locator.article_id
JOIN {prediction_evidence} AS used USING (evidence_id, arm, benchmark)
JOIN {predictions} AS predictions USING (prediction_id, arm, benchmark)
"""
NAIVE_TRACE = f"""
SELECT predictions.prediction_id, evidence.text, articles.title {SCANNED}
WHERE predictions.prediction_id || '' = $1 AND used.prediction_id || '' = $1
"""
NAIVE_IMPACT = f"""
SELECT DISTINCT predictions.prediction_id, used.role, evidence.evidence_id {SCANNED}
WHERE articles.source_uri || '' = $1
"""


def hashes(random: np.random.Generator, count: int) -> pa.Array:
    """Return random texts of 32 hexadecimal digits, as ids are."""
    digits = random.bytes(16 * count).hex().encode()
    offsets = pa.array(np.arange(0, 32 * (count + 1), 32, dtype=np.int32)).buffers()[1]
    return pa.StringArray.from_buffers(count, offsets, pa.py_buffer(digits))


def filled(table: Table, count: int, **columns: Any) -> pa.Table:
    """Return rows of a table: a column is an array, a value of every row, or else empty."""
    arrays = []
    for field in table.schema:
        column = columns.get(field.name)
        if not isinstance(column, pa.Array):
            empty: Any = "" if field.type == pa.string() else [] if pa.types.is_list(field.type) else False
            value = None if column is None and field.nullable else empty if column is None else column
            column = pa.repeat(pa.scalar(value, field.type), count)
        arrays.append(column.cast(field.type))
    return pa.Table.from_arrays(arrays, schema=table.schema)


class Corpus:
    """A benchmark's corpus: articles of sentences of one length, with the ids of each, and of chunks."""

    def __init__(self, number: int, questions: int) -> None:
        self.benchmark = f"benchmark-{number}"
        articles = -(-questions * NEW_UNITS_A_QUESTION // SENTENCES_AN_ARTICLE)
        self.sentences = articles * SENTENCES_AN_ARTICLE
        random = np.random.default_rng([SEED, number])
        self.article_ids = hashes(random, articles)
        self.chunk_ids = hashes(random, self.sentences // SENTENCES_A_CHUNK)
        self.evidence_ids = hashes(random, self.sentences)
        self.texts = [
            f"{self.benchmark}, article {n // SENTENCES_AN_ARTICLE}, sentence {n} says nothing".ljust(
                SENTENCE - 2, "."
            )
            + ". "
            for n in range(self.sentences)
        ]

    def uri(self, article: int) -> str:
        """Return the file that an article was read from."""
        return f"made://{self.benchmark}/{article}.txt"

    def write(self, lake: Lake, questions: int) -> None:
        """Write the articles, their chunks and the questions."""
        place = {"corpus": self.benchmark, "shard": self.benchmark}
        count = len(self.article_ids)
        names = [str(n) for n in range(count)]
        articles = ["".join(part) for part in _parts(self.texts, SENTENCES_AN_ARTICLE)]
        columns = {"title": pa.array(names), "source_key": pa.array(names), "text": pa.array(articles)}
        uris = pa.array([self.uri(n) for n in range(count)])
        rows = filled(ARTICLES, count, article_id=self.article_ids, source_uri=uris, **columns, **place)
        lake.write(ARTICLES, place, rows)
        chunks = ["".join(part) for part in _parts(self.texts, SENTENCES_A_CHUNK)]
        of_article = np.arange(len(chunks)) * SENTENCES_A_CHUNK // SENTENCES_AN_ARTICLE
        starts = np.arange(len(chunks)) * SENTENCES_A_CHUNK % SENTENCES_AN_ARTICLE * SENTENCE
        rows = filled(
            CHUNKS,
            len(chunks),
            chunk_id=self.chunk_ids,
            article_id=self.article_ids.take(pa.array(of_article)),
            char_start=pa.array(starts),
            char_end=pa.array(starts + SENTENCE * SENTENCES_A_CHUNK),
            text=pa.array(chunks),
            text_hash="version",
            n_tokens=80,
            **place,
        )
        lake.write(CHUNKS, place, rows)
        ids = pa.array([question_id(n) for n in range(questions)])
        rows = filled(QUESTIONS, questions, question_id=ids, question="What?", benchmark=self.benchmark)
        lake.write(QUESTIONS, {"benchmark": self.benchmark}, rows)

    def evidence(self, place: dict[str, str]) -> pa.Table:
        """Return the sentences as an experiment's evidence."""
        sentences = np.arange(self.sentences)
        starts = sentences % SENTENCES_AN_ARTICLE * SENTENCE
        nothing = pa.nulls(self.sentences, pa.int32())
        locator = pa.StructArray.from_arrays(
            [
                self.article_ids.take(pa.array(sentences // SENTENCES_AN_ARTICLE)),
                pa.array(starts),
                pa.array(starts + SENTENCE),
                nothing,
                nothing,
                pa.nulls(self.sentences, pa.list_(pa.string())),
            ],
            fields=list(EVIDENCE.schema.field("locator").type),
        )
        return filled(
            EVIDENCE,
            self.sentences,
            evidence_id=self.evidence_ids,
            source_key=self.chunk_ids.take(pa.array(sentences // SENTENCES_A_CHUNK)),
            text=pa.array(self.texts),
            locator=locator,
            kind="sentence",
            source_table="chunks",
            source_version="version",
            **place,
        )


def question_id(number: int) -> str:
    return f"question-{number:07d}"


def _parts(texts: list[str], size: int) -> Iterator[list[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))


def write_experiment(lake: Lake, corpus: Corpus, arm: int, questions: int) -> None:
    """Write an arm's predictions and what they rest on, as many as there are questions."""
    place = {"system": "made", "arm": f"arm-{arm:03d}", "benchmark": corpus.benchmark}
    random = np.random.default_rng([SEED, arm, int(corpus.benchmark.rpartition("-")[2])])
    prediction_ids = hashes(random, questions)
    rows = filled(
        PREDICTIONS,
        questions,
        prediction_id=prediction_ids,
        question_id=pa.array([question_id(n) for n in range(questions)]),
        predicted="yes",
        confidence=pa.array(random.random(questions)),
        parse_status="parsed",
        **place,
    )
    lake.write(PREDICTIONS, place, rows)
    first = np.repeat(np.arange(questions) * NEW_UNITS_A_QUESTION, UNITS_A_QUESTION)
    ranks = np.tile(np.arange(UNITS_A_QUESTION, dtype=np.int32), questions)
    rows = filled(
        PREDICTION_EVIDENCE,
        len(ranks),
        prediction_id=prediction_ids.take(pa.array(np.repeat(np.arange(questions), UNITS_A_QUESTION))),
        evidence_id=corpus.evidence_ids.take(pa.array((first + ranks) % corpus.sentences)),
        role="given",
        candidate=-1,
        rank=pa.array(ranks + 1),
        score=pa.array(random.random(len(ranks))),
        **place,
    )
    lake.write(PREDICTION_EVIDENCE, place, rows)
    lake.write(EVIDENCE, place, corpus.evidence(place))


def make(folder: str, rows: int, partitions: int) -> None:
    """Write a lake whose `prediction_evidence` has so many rows in so many partitions."""
    lake = Lake(folder)
    questions = rows // partitions // UNITS_A_QUESTION
    for number in range(BENCHMARKS):
        corpus = Corpus(number, questions)
        corpus.write(lake, questions)
        for arm in range(partitions // BENCHMARKS):
            write_experiment(lake, corpus, arm, questions)


def make_many(folder: str, partitions: int) -> None:
    """Write a project whose lake has so many partitions, all recorded and fresh: copies of one shard's."""
    # Imports Dagster: no other part needs it.
    from evidence_assets_tests.testing.small_project import write_yaml

    shards = partitions // len(OF_A_SHARD)
    texts = Path(folder, "pages")
    texts.mkdir(parents=True)
    for number in range(shards):
        (texts / f"{number:05}.txt").write_text("A fox lives in a den.\n", encoding="utf-8")
    source = {"name": "pages", "uri": "pages/*.txt", "format": "lines", "licence": "CC0-1.0"}
    corpora = {"corpora": {"tales": {"sources": [source]}}, "graphs": {}, "benchmarks": {}}
    write_yaml(Path(folder, "sources.yaml"), corpora)
    at_work = _workspace(folder)
    wanted = [part for part in at_work.every_partition() if part.stage.name in OF_A_SHARD]
    run = Run(at_work.lake, at_work.graph, at_work.models)
    first = wanted[0].key.name
    made = [part for part in wanted if part.key.name == first]
    written = [make_partition(part.stage, part.key, run).tables[part.stage.name].written[0] for part in made]
    for number in range(1, shards):
        for original in written:
            _copy(at_work.lake, original, "00000", f"{number:05}")


def _copy(lake: Lake, original: WrittenPartition, name: str, copy_name: str) -> None:
    """Copy a partition's file and its record, as if it had been made of another source file."""
    version = original.version
    record = lake.record_of(version) or {}
    path = Path(original.path.replace(name, copy_name))
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(original.path, path)
    copied = replace(version, partition=version.partition.replace(name, copy_name))
    upstream = [
        PartitionVersion(row["table"], row["partition"].replace(name, copy_name), row["content_hash"])
        for row in record["upstream"]
    ]
    written = replace(original, version=copied, path=str(path))
    lake.record(written, upstream, record["run_id"], record["code_version"])


def _workspace(folder: str) -> Workspace:
    os.environ["EVIDENCE_SOURCES"] = str(Path(folder, "sources.yaml"))
    return Workspace.of(str(Path(folder, "lake")), Path(folder, "cache"))


def _naive(query: str, folder: str) -> str:
    tables = (PREDICTIONS, PREDICTION_EVIDENCE, EVIDENCE, ARTICLES)
    files = {table.name: f"read_parquet('{folder}/{table.name}/**/*.parquet')" for table in tables}
    return query.format(**files)


def _asked(folder: str, query: str, wanted: list[str], *settings: str) -> dict[str, Any]:
    """Return what asking a query of each of some keys takes; the first apart, for it reads the footers."""
    with catalogue.connect(Lake(folder)) as connection:
        for setting in settings:
            connection.execute(setting)
        seconds, processor, rows = [], [], []
        for key in wanted:
            began, used = time.perf_counter(), time.process_time()
            rows.append(len(connection.execute(query, [key]).fetchall()))
            seconds.append(time.perf_counter() - began)
            processor.append(time.process_time() - used)
    return {
        "n": len(wanted) - 1,
        "rows": statistics.median(rows),
        "first_seconds": round(seconds[0], 4),
        "seconds": round(statistics.median(seconds[1:]), 4),
        "slowest_seconds": round(max(seconds[1:]), 4),
        "processor_seconds": round(statistics.median(processor[1:]), 4),
    }


def some_predictions(folder: str, count: int) -> list[str]:
    """Return the ids of so many predictions, of partitions drawn at random."""
    lake = Lake(folder)
    places = lake.partitions(PREDICTIONS)
    random = np.random.default_rng(SEED)
    chosen = [places[place] for place in random.choice(len(places), count, replace=len(places) < count)]
    columns = [lake.read(PREDICTIONS, place, ["prediction_id"]).column(0) for place in chosen]
    return [column[int(random.integers(len(column)))].as_py() for column in columns]


def _some_articles(folder: str, count: int) -> list[str]:
    lake = Lake(folder)
    random = np.random.default_rng(SEED)
    columns = [lake.read(ARTICLES, place, ["source_uri"]).column(0) for place in lake.partitions(ARTICLES)]
    chosen = [columns[number % len(columns)] for number in range(count)]
    return [column[int(random.integers(len(column)))].as_py() for column in chosen]


def trace(folder: str) -> dict[str, Any]:
    """Ask `trace` of some predictions."""
    return _asked(folder, "SELECT * FROM trace(?)", some_predictions(folder, ASKED + 1))


def impact(folder: str) -> dict[str, Any]:
    """Ask `impact` of some articles, by the files that they were read from."""
    return _asked(folder, "SELECT * FROM impact(?)", _some_articles(folder, ASKED + 1))


def naive_trace(folder: str) -> dict[str, Any]:
    """Look for what some predictions were given among all rows."""
    return _asked(
        folder,
        _naive(NAIVE_TRACE, folder),
        some_predictions(folder, REPEATED_NAIVELY + 1),
        NOTHING_HANDED_DOWN,
    )


def naive_impact(folder: str) -> dict[str, Any]:
    """Look for what rests on some articles among all rows."""
    return _asked(
        folder,
        _naive(NAIVE_IMPACT, folder),
        _some_articles(folder, REPEATED_NAIVELY + 1),
        NOTHING_HANDED_DOWN,
    )


def first_open(folder: str) -> dict[str, Any]:
    """Open a lake whose catalogue is of another definition."""
    Path(folder, "lake", catalogue.FILE_NAME).unlink(missing_ok=True)
    return open_again(folder)


def open_again(folder: str) -> dict[str, Any]:
    """Open a lake and ask its catalogue which views there are."""
    began, used = time.perf_counter(), time.process_time()
    with catalogue.connect(Lake(str(Path(folder, "lake")))) as connection:
        connection.execute("SELECT count(*) FROM duckdb_views()").fetchall()
    return _taken(began, used)


def status(folder: str) -> dict[str, Any]:
    """Tell the state of every partition, in a process that knew nothing of the lake."""
    began, used = time.perf_counter(), time.process_time()
    at_work = _workspace(folder)
    states = Counter(str(status.state) for status in at_work.statuses(at_work.every_partition(), False))
    return {"states": dict(states), **_taken(began, used)}


def _taken(began: float, used: float) -> dict[str, float]:
    return {
        "seconds": round(time.perf_counter() - began, 3),
        "processor_seconds": round(time.process_time() - used, 3),
    }


STAGES: dict[str, Callable[[str], dict[str, Any]]] = {
    stage.__name__: stage
    for stage in (trace, impact, naive_trace, naive_impact, first_open, open_again, status)
}


def measured(stage: str, folder: str) -> dict[str, Any]:
    """Return what a stage tells of itself, run in a process of its own, and that process's peak memory."""
    return in_a_process("benchmarks.lake_scale", "--stage", stage, "--folder", folder)


def run(
    rows: int = ROWS,
    partitions: int = PARTITIONS,
    many_partitions: int = MANY_PARTITIONS,
    folder: Path | None = None,
) -> dict[str, Any]:
    """Return what each part takes, the first two beside the baseline, and which bounds are missed."""
    result: dict[str, Any] = {"rows": rows, "partitions": partitions, "many_partitions": many_partitions}
    with tempfile.TemporaryDirectory() as temporary:
        names = ("tenth", "large", "many")
        tenth, large, many = (str((folder or Path(temporary)) / name) for name in names)
        if not Path(large).exists():
            make(tenth, rows // 10, partitions)
            make(large, rows, partitions)
            make_many(many, many_partitions)
        result["tenth"] = {stage: measured(stage, tenth) for stage in LINEAGE}
        for stage in (*LINEAGE, "naive_trace", "naive_impact"):
            result[stage] = measured(stage, large)
        # The first to ask for the status reads every record and leaves a snapshot of them.
        measured("status", many)
        for stage in ("first_open", "open_again", "status"):
            result[stage] = measured(stage, many)
    for stage in LINEAGE:
        fewer, more = (part[stage]["processor_seconds"] for part in (result["tenth"], result))
        result[stage]["slope"] = round(math.log10(more / fewer), 2)
        result[stage]["ratio"] = round(result[f"naive_{stage}"]["seconds"] / result[stage]["seconds"], 1)
    kept = {
        "trace_seconds": result["trace"]["seconds"],
        "impact_seconds": result["impact"]["seconds"],
        "peak_bytes": max(result[stage]["peak_bytes"] for stage in LINEAGE),
        "open_seconds": max(result[stage]["seconds"] for stage in ("first_open", "open_again")),
        "status_seconds": result["status"]["seconds"],
    }
    missed = [name for name, value in kept.items() if value >= BOUNDS[name]]
    verdict = {"bounds": BOUNDS, "missed": missed, "within_bound": not missed}
    return result | verdict | {"load_average": round(os.getloadavg()[1], 1)}


def main() -> None:
    """Run the benchmark, or one of its stages, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--partitions", type=int, default=PARTITIONS)
    parser.add_argument("--many", type=int, default=MANY_PARTITIONS)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--stage", choices=STAGES)
    given = parser.parse_args()
    if given.stage:
        result = STAGES[given.stage](str(given.folder))
        result["peak_bytes"] = peak_bytes()
    else:
        result = run(given.rows, given.partitions, given.many, given.folder)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
