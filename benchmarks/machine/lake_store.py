"""What a lake of many partitions in an S3 store costs to open, to list, to trace and to ask for its status.

    python -m benchmarks lake_store
    python -m benchmarks.lake_store [--partitions 500 2000 20000] [--traced 20 100 400]

The second prints the result. The lakes are `lake_scale`'s of many small partitions, and of so many arms'
predictions for `trace`, put into the server that the tests use. Each part runs in a process of its own, the
server in another. What tells is the number of requests: a store at a distance answers each in tens of
milliseconds, some hundred at once.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import s3fs

from benchmarks.machine.lake_scale import make, make_many, some_predictions
from benchmarks.peak_memory import in_a_process
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.object_store import object_store

PARTITIONS = (500, 2_000, 20_000)
TRACED, ROWS_A_PARTITION = (20, 100, 400), 4_000
# DuckDB keeps nothing of a file that is younger.
CACHED_AFTER_SECONDS = 11
BUCKET = "lake"


def first_open(folder: Path, lake: str) -> object:
    """Open a lake that has no catalogue yet, and ask which views there are."""
    return open_again(folder, lake)


def open_again(_: Path, lake: str) -> object:
    """Open a lake, and ask which views there are."""
    with catalogue.connect(Lake(lake)) as connection:
        row = connection.execute("SELECT count(*) FROM duckdb_views() WHERE NOT internal").fetchone()
    return row and row[0]


def listing(_: Path, lake: str) -> object:
    """List the partitions of a table."""
    return len(Lake(lake).partitions(CHUNKS))


def first_status(folder: Path, lake: str) -> object:
    """Tell the state of every partition of a lake whose records nobody has read."""
    return status(folder, lake)


def status(folder: Path, lake: str) -> object:
    """Tell the state of every partition, in a process that knows nothing of the lake."""
    os.environ["EVIDENCE_SOURCES"] = str(folder / "sources.yaml")
    at_work = Workspace.of(lake, folder / "cache")
    return Counter(str(partition.state) for partition in at_work.statuses(at_work.every_partition(), False))


def trace(folder: Path, lake: str, predictions: int = 1) -> object:
    """Trace predictions, one after another, through one connection."""
    with catalogue.connect(Lake(lake)) as connection:
        asked = some_predictions(str(folder / "lake"), predictions)
        return [len(connection.execute("SELECT * FROM trace(?)", [key]).fetchall()) for key in asked]


def trace_two(folder: Path, lake: str) -> object:
    """Trace a prediction and then another one."""
    return trace(folder, lake, 2)


STAGES: dict[str, Callable[[Path, str], object]] = {
    stage.__name__: stage for stage in (first_open, open_again, listing, first_status, status)
}
TRACES: dict[str, Callable[[Path, str], object]] = {
    stage.__name__: stage for stage in (open_again, trace, trace_two)
}


def counted(stage: str, folder: Path, lake: str) -> dict[str, Any]:
    """Return what a stage answers, the requests that it makes by their kind, and what it takes."""
    requests: Counter[str] = Counter()
    call = s3fs.S3FileSystem._call_s3

    async def counting(self: object, method: str, *arguments: object, **options: object) -> object:
        requests[method] += 1
        return await call(self, method, *arguments, **options)

    began, used = time.perf_counter(), time.process_time()
    with patch.object(s3fs.S3FileSystem, "_call_s3", counting):
        answer = (STAGES | TRACES)[stage](folder, lake)
    return {
        "answer": answer,
        "requests": sum(requests.values()),
        "by_kind": dict(sorted(requests.items())),
        "seconds": round(time.perf_counter() - began, 3),
        "processor_seconds": round(time.process_time() - used, 3),
    }


def put(client: Any, folder: Path, prefix: str) -> None:
    """Put a local lake's files into the store."""
    for path in sorted(folder.rglob("*.parquet")):
        key = f"{prefix}/{path.relative_to(folder).as_posix()}"
        client.put_object(Bucket=BUCKET, Key=key, Body=path.read_bytes())


def _measured(stages: Iterable[str], folder: Path, lake: str) -> dict[str, Any]:
    lake = f"s3://{BUCKET}/{lake}"
    return {
        stage: in_a_process("benchmarks.lake_store", "--stage", stage, str(folder), lake) for stage in stages
    }


def run(partitions: Sequence[int] = PARTITIONS, traced: Sequence[int] = TRACED) -> dict[str, Any]:
    """Return what each part takes on lakes of so many partitions, and `trace` on lakes of so many arms."""
    lakes, traces = [], []
    with tempfile.TemporaryDirectory() as temporary, object_store(BUCKET) as client:
        for number in partitions:
            folder = Path(temporary, str(number))
            make_many(str(folder), number)
            put(client, folder / "lake", str(number))
            lakes.append({"partitions": number, **_measured(STAGES, folder, str(number))})
        for number in traced:
            folder = Path(temporary, f"traced-{number}")
            make(str(folder / "lake"), number * ROWS_A_PARTITION, number)
            put(client, folder / "lake", folder.name)
            _measured(["first_open"], folder, folder.name)
            time.sleep(CACHED_AFTER_SECONDS)
            traces.append({"partitions": number, **_measured(TRACES, folder, folder.name)})
    return {"lakes": lakes, "traces": traces, "load_average": round(os.getloadavg()[1], 1)}


def main() -> None:
    """Run the benchmark, or one of its stages, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, nargs="+", default=PARTITIONS)
    parser.add_argument("--traced", type=int, nargs="+", default=TRACED)
    parser.add_argument("--stage", nargs=3, metavar=("STAGE", "FOLDER", "LAKE"))
    given = parser.parse_args()
    if given.stage:
        stage, folder, lake = given.stage
        print(json.dumps(counted(stage, Path(folder), lake)))
    else:
        print(json.dumps(run(given.partitions, given.traced)))


if __name__ == "__main__":
    main()
