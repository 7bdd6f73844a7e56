"""The lake that the public data sets are materialised in, as a user would: runs, and what they left.

Needs the data sets (EVIDENCE_REAL_DATA, default ../shared/data beside the project). The lake is
`EVIDENCE_LAKE`, default build/real_data_lake, where vectors are kept: a second run encodes nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from benchmarks import PROJECT
from benchmarks.real_texts import SOURCES, real_data

if TYPE_CHECKING:
    import duckdb

    from evidence_assets.orchestration.plan import EndedRun

Rows = list[dict[str, Any]]


def prepare() -> None:
    """Set the environment that the runs are made in.

    Raises:
        UnavailableError: the data sets are not there.
    """
    from evidence_assets.orchestration.home import home_of

    real_data()
    os.environ["EVIDENCE_SOURCES"] = str(SOURCES)
    os.environ.setdefault("EVIDENCE_LAKE", str(PROJECT / "build" / "real_data_lake"))
    os.environ.setdefault("DAGSTER_HOME", str(home_of(PROJECT)))


def materialized(arms: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Materialise each benchmark's arms (`system/arm`) through Dagster; return the seconds of every run."""
    from evidence_assets.orchestration.runs import materialize_benchmarks
    from evidence_assets.orchestration.workspace import Workspace

    workspace = Workspace.from_environment()
    seconds: dict[str, float] = {}
    for benchmark, names in arms.items():
        seconds |= timed(materialize_benchmarks(workspace, [benchmark], list(names)))
    return seconds


def made(partitions: Sequence[tuple[str, str]]) -> dict[str, float]:
    """Materialise partitions of stages (name and key) through Dagster; return the seconds of every run."""
    from evidence_assets.orchestration.runs import materialize_by_name
    from evidence_assets.orchestration.workspace import Workspace

    return timed(materialize_by_name(Workspace.from_environment(), partitions))


def harvested(relations: Sequence[str]) -> dict[str, float]:
    """Harvest relations through Dagster; return the seconds of every run."""
    from evidence_assets.orchestration.runs import materialize_harvest
    from evidence_assets.orchestration.workspace import Workspace

    return timed(materialize_harvest(Workspace.from_environment(), relations))


def timed(runs: Iterable[EndedRun]) -> dict[str, float]:
    """Print each run when it is done, and return the seconds of every one made by job and partition."""
    seconds: dict[str, float] = {}
    for job, partition, spent in runs:
        if spent is None:
            continue
        print(f"{spent:7.1f} s  {job:24} {partition}", flush=True)
        seconds[f"{job} {partition}"] = round(spent, 1)
    return seconds


def seconds_of_partitions() -> dict[str, float]:
    """Return the seconds that making each partition took, by stage and key, whichever run made it."""
    from evidence_assets.orchestration.workspace import Workspace

    with opened() as connection:
        rows = connection.execute(
            'SELECT "table", partition, arg_max(seconds, materialized_at) FROM materializations '
            "WHERE seconds IS NOT NULL GROUP BY ALL"
        ).fetchall()
    taken = {(table, frozenset(partition.split("/"))): seconds for table, partition, seconds in rows}
    graph = Workspace.from_environment().graph
    seconds = {}
    for stage in graph.stages:
        table = stage.outputs[0].table
        for key in graph.layout.keys(stage):
            place = graph.layout.place(table, stage, key)
            partition = frozenset(f"{column}={value}" for column, value in place.items())
            if (table.name, partition) in taken:
                seconds[f"{stage.name} {key.text}"] = round(taken[table.name, partition], 1)
    return seconds


def opened() -> AbstractContextManager[duckdb.DuckDBPyConnection]:
    """Return a connection to the lake, to be entered."""
    from evidence_assets.lake import catalogue
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.locations import default_root

    return catalogue.connect(Lake(default_root()))


def rows_of(queries: Mapping[str, str], benchmarks: Sequence[str] = ()) -> dict[str, Rows]:
    """Return each query's rows. A `?` in a query stands for the list of benchmarks."""
    from evidence_assets.lake import catalogue

    with opened() as connection:
        return {
            name: catalogue.rows_of(connection.execute(query, [list(benchmarks)] * query.count("?")))
            for name, query in queries.items()
        }
