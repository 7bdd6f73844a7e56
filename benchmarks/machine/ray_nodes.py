"""A backfill of forty partitions on one Ray node and on two, of a core each, and in one process without Ray.

    .venv-ray/bin/python -m benchmarks ray_nodes
    .venv-ray/bin/python -m benchmarks.ray_nodes [--rounds 1] [--partitions 40] [--characters 64000]

It runs in the environment of `make test-ray`, with the system's Postgres; elsewhere it says so and ends. The
first keeps the result for docs/results.md, the second prints it. The job is `ingest_corpus`: a partition is a
file of the starter's texts with invented words in it, most of whose time goes into encoding. The instance is
that of deploy/ray/dagster.yaml, the lake a folder.

Seconds are the clock's: of a backfill from asking for it, with cluster and daemon running, to its end, and of
its runs, from the first one's start; of one process, from its start to its end. Processor seconds and models
are counted in all processes below this one, twice a second: Postgres is not among them.

Efficiency is the gain of two nodes over one, divided by the gain of two busy processes over one, which is
what two cores allow beside whatever else runs on them: by counting, and by the encoder's own work.
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import psutil

from benchmarks import UnavailableError
from benchmarks.command import main
from benchmarks.texts import pages, starter_encoder
from evidence_assets_tests.testing.postgres import postgres, programs
from evidence_assets_tests.testing.ray_backfill import backfill, on_ray
from evidence_assets_tests.testing.sharded_project import CORPUS, JOB, SOURCE, rows
from evidence_assets_tests.testing.small_project import SmallProject, run_range, write_yaml

BOUND = 0.8
PARTITIONS_PER_RUN = 10
COUNTED, ENCODED_CHARACTERS = 200_000_000, 120_000
_WEIGHTS = "model.safetensors"
_ALONE, _COUNT, _ENCODE = "--alone", "--count", "--encode"


@dataclass
class Processes:
    """What all processes below this one have taken, as long as they could be looked at."""

    seconds: dict[tuple[int, float], float] = field(default_factory=dict)
    models: set[tuple[int, float]] = field(default_factory=set)
    _ended: threading.Event = field(default_factory=threading.Event)

    def look(self) -> None:
        """Note every process's processor seconds, and whether it holds a model's weights."""
        for process in psutil.Process().children(recursive=True):
            try:
                identity = (process.pid, process.create_time())
                spent = process.cpu_times()
                self.seconds[identity] = spent.user + spent.system
                if _WEIGHTS in Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8"):
                    self.models.add(identity)
            except (psutil.Error, OSError):
                continue  # it has ended

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Look twice a second."""

        def watch() -> None:
            while not self._ended.wait(0.5):
                self.look()

        watching = threading.Thread(target=watch)
        self.look()
        before = dict(self.seconds)
        watching.start()
        try:
            yield
        finally:
            self.look()
            self._ended.set()
            watching.join()
            for identity, spent in before.items():
                self.seconds[identity] -= spent


def run(rounds: int = 1, partitions: int = 40, characters: int = 64_000) -> dict[str, Any]:
    """Return seconds of each arrangement, what two cores allow, and the efficiency of two nodes.

    Raises:
        UnavailableError: Ray, Dagster's part for it or Postgres is not installed.
    """
    _check_installed()
    folder = Path(tempfile.mkdtemp(prefix="ray_nodes"))
    texts = pages(partitions * characters)
    arranged = [(0, partitions), (1, PARTITIONS_PER_RUN), (2, PARTITIONS_PER_RUN)] * rounds
    arranged += [(2, partitions), (2, 1)]
    counting, encoding, measured, tables = [], [], [], []
    for number, (nodes, per_run) in enumerate(arranged):
        project = _written(folder / str(number), texts, partitions)
        if nodes == 1:
            counting.append(_gain(_COUNT))
            encoding.append(_gain(_ENCODE))
        measured.append(_measured(project, nodes, per_run))
        tables.append(rows(project))
        print(json.dumps(measured[-1]), file=sys.stderr, flush=True)
    differing = sum(
        other.get(name) != tables[0].get(name)
        for other in tables[1:]
        for name in other.keys() | tables[0].keys()
    )
    summary = _summary(measured, counting, encoding)
    return {
        "partitions": partitions,
        "characters_a_partition": characters,
        "arrangements": measured,
        "two_cores_allow_counting": [round(value, 2) for value in counting],
        "two_cores_allow_encoding": [round(value, 2) for value in encoding],
        **summary,
        "files_compared": len(tables[0]) * (len(tables) - 1),
        "files_that_differ": differing,
        "bound": BOUND,
        "within_bound": summary["efficiency"] >= BOUND and not differing,
    }


def _summary(
    measured: Sequence[dict[str, Any]], counting: Sequence[float], encoding: Sequence[float]
) -> dict[str, float]:
    """Return what two nodes gain over one, and the efficiency. `by_runs`: from the first run's start."""
    gains = {}
    for of in ("seconds", "seconds_of_runs"):
        one, two = (statistics.median(_seconds(measured, nodes, of)) for nodes in (1, 2))
        gains[of] = one / two
    gain, by_runs = gains["seconds"], gains["seconds_of_runs"]
    counted, encoded = statistics.median(counting), statistics.median(encoding)
    return {
        "gain_of_two_nodes": round(gain, 2),
        "gain_by_runs": round(by_runs, 2),
        "efficiency": round(gain / counted, 2),
        "efficiency_by_runs": round(by_runs / counted, 2),
        "efficiency_by_runs_and_encoding": round(by_runs / encoded, 2),
    }


def _check_installed() -> None:
    missing = [name for name in ("dagster_ray", "dagster_postgres") if importlib.util.find_spec(name) is None]
    if missing or programs() is None:
        raise UnavailableError(
            f"{', '.join(missing) or 'Postgres'} is not installed here: `make test-ray` makes the "
            "environment (.venv-ray/bin/python), and Postgres is the system's (apt-get install postgresql)"
        )


def _seconds(measured: Sequence[dict[str, Any]], nodes: int, of: str) -> list[float]:
    compared = (nodes, PARTITIONS_PER_RUN)
    return [row[of] for row in measured if (row["nodes"], row["partitions_a_run"]) == compared]


def _written(folder: Path, texts: Sequence[str], partitions: int) -> SmallProject:
    """Write a corpus of so many files, and its configuration."""
    (folder / "pages").mkdir(parents=True)
    for number in range(partitions):
        articles = texts[number::partitions]
        lines = (
            json.dumps({"title": f"Page {number} of file {row}", "text": text})
            for row, text in enumerate(articles)
        )
        (folder / "pages" / f"{number:03}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    source = {"name": SOURCE, "uri": "pages/*.jsonl", "format": "jsonl", "licence": "CC0-1.0"}
    configuration = {"corpora": {CORPUS: {"sources": [source]}}, "graphs": {}, "benchmarks": {}}
    write_yaml(folder / "sources.yaml", configuration)
    return SmallProject(folder)


def _measured(project: SmallProject, nodes: int, per_run: int) -> dict[str, Any]:
    """Make all partitions; return what it took. `nodes`: 0 for one process without Ray."""
    processes = Processes()
    if nodes:
        seconds, at_work, runs = _on_nodes(project, nodes, per_run, processes)
    else:
        with processes.watched():
            seconds = at_work = _clocked(_ALONE, str(project.folder))
        runs = 1
    count = len(project.project.shards)
    return {
        "nodes": nodes,
        "partitions_a_run": per_run,
        "runs": runs,
        "models_loaded": len(processes.models),
        "seconds": round(seconds, 1),
        "seconds_of_runs": round(at_work, 1),
        "partitions_a_second": round(count / seconds, 3),
        "processor_seconds": round(sum(processes.seconds.values()), 1),
        "load_average": round(os.getloadavg()[0], 1),
    }


def _on_nodes(
    project: SmallProject, nodes: int, per_run: int, processes: Processes
) -> tuple[float, float, int]:
    """Make all partitions on a cluster; return its seconds, those of its runs, and how many these were."""
    lake = str(project.lake_folder)
    with postgres() as server, on_ray(project, lake, server, nodes, per_run) as (instance, _):
        with processes.watched():
            began = time.perf_counter()
            backfill(instance, project.definitions(), JOB)
            seconds = time.perf_counter() - began
        records = instance.get_run_records()
    started = [record.start_time for record in records if record.start_time]
    ended = [record.end_time for record in records if record.end_time]
    return seconds, max(ended) - min(started), len(records)


def _command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.machine.ray_nodes", *arguments]


def _clocked(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run(_command(*arguments), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - began


def _gain(work: str) -> float:
    """Return how much more two processes do in a second than one: each tells the seconds of its own work."""
    [alone] = _busy(work, 1)
    return 2 * alone / statistics.mean(_busy(work, 2))


def _busy(work: str, number: int) -> list[float]:
    # In sessions of their own, as nodes are: where cores are shared out by session, one would hold both.
    started = [
        subprocess.Popen(_command(work), stdout=subprocess.PIPE, text=True, start_new_session=True)
        for _ in range(number)
    ]
    return [float(process.communicate()[0]) for process in started]


def _alone(folder: Path) -> None:
    """Make all partitions of a project in this process."""
    definitions = SmallProject(folder).definitions()
    partitions = definitions.resolve_job_def(JOB).partitions_def
    assert partitions is not None
    keys = partitions.get_partition_keys()
    with dg.DagsterInstance.ephemeral() as instance:
        assert run_range(definitions, JOB, keys[0], keys[-1], instance).success


def _count() -> float:
    began = time.perf_counter()
    number = 0
    while number < COUNTED:
        number += 1
    return time.perf_counter() - began


def _encode() -> float:
    encoder, texts = starter_encoder(), pages(ENCODED_CHARACTERS, 800)
    began = time.perf_counter()
    encoder.encode(texts)
    return time.perf_counter() - began


def _as_told(work: str, *arguments: str) -> None:
    if work == _ALONE:
        _alone(Path(*arguments))
    else:
        print(_count() if work == _COUNT else _encode())


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in (_ALONE, _COUNT, _ENCODE):
        _as_told(*sys.argv[1:])
        sys.exit(0)
    try:
        sys.exit(main(run))
    except UnavailableError as error:
        sys.exit(str(error))
