"""What a lake of many partitions in an S3 store costs to open, to list and to ask for its status.

    python -m benchmarks lake_store
    python -m benchmarks.lake_store [--partitions 500 2000 20000]

The second prints the result. The lakes are `lake_scale`'s of many small partitions, put into the server that
the tests use. Each part runs in a process of its own, the server in another. What tells is the number of
requests: a store at a distance answers each in tens of milliseconds, some hundred at once.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import s3fs

from benchmarks.machine.lake_scale import make_many
from benchmarks.peak_memory import in_a_process
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNKS
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.object_store import object_store

PARTITIONS = (500, 2_000, 20_000)
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


STAGES: dict[str, Callable[[Path, str], object]] = {
    stage.__name__: stage for stage in (first_open, open_again, listing, first_status, status)
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
        answer = STAGES[stage](folder, lake)
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


def run(partitions: Sequence[int] = PARTITIONS) -> dict[str, Any]:
    """Return what each part takes on lakes of so many partitions."""
    lakes = []
    with tempfile.TemporaryDirectory() as temporary, object_store(BUCKET) as client:
        for number in partitions:
            folder = Path(temporary, str(number))
            make_many(str(folder), number)
            put(client, folder / "lake", str(number))
            lake = f"s3://{BUCKET}/{number}"
            measures = {
                stage: in_a_process("benchmarks.lake_store", "--stage", stage, str(folder), lake)
                for stage in STAGES
            }
            lakes.append({"partitions": number, **measures})
    return {"lakes": lakes, "load_average": round(os.getloadavg()[1], 1)}


def main() -> None:
    """Run the benchmark, or one of its stages, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, nargs="+", default=PARTITIONS)
    parser.add_argument("--stage", nargs=3, metavar=("STAGE", "FOLDER", "LAKE"))
    given = parser.parse_args()
    if given.stage:
        stage, folder, lake = given.stage
        print(json.dumps(counted(stage, Path(folder), lake)))
    else:
        print(json.dumps(run(given.partitions)))


if __name__ == "__main__":
    main()
