"""UCRET over public tables, through Dagster: every arm without a language model beside baselines and chance.

Needs the data sets: TabFact, SciTab, WorldTree with its store of tables. The programs were
made on half of TabFact's tables: `table_verification` tells what the other half says, here are all.
"""

from __future__ import annotations

from typing import Any

from benchmarks.real_data import prepare

BENCHMARKS = ("tabfact_small", "scitab", "worldtree")
# Asked of a store of tables: there is no table whose columns could be filtered.
OF_A_STORE = ("worldtree",)
OF_ROWS = ("full@extractive", "all_supported@extractive", "no_column_filtering@nearest")


def run() -> dict[str, Any]:
    """Materialise every arm; return scores, paired differences, and what the filters keep.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    prepare()
    from evidence_assets.automation.runs import materialize_benchmarks
    from evidence_assets.systems.ucret.arms import ARMS

    seconds: dict[str, float] = {}
    for benchmark in BENCHMARKS:
        arms = OF_ROWS if benchmark in OF_A_STORE else ARMS
        for job, partition, spent in materialize_benchmarks([benchmark], [f"ucret/{name}" for name in arms]):
            print(f"{spent:7.1f} s  {job:24} {partition}", flush=True)
            seconds[f"{job} {partition}"] = round(spent, 1)
    return {**collect(), "seconds_a_run": seconds}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks."""
    from evidence_assets.lake import catalogue
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.resources import default_root

    shown = ", ".join(f"'{name}'" for name in BENCHMARKS)
    with catalogue.connect(Lake(default_root())) as connection:

        def rows(query: str) -> list[dict[str, Any]]:
            found = connection.execute(query)
            names = [column[0] for column in found.description or []]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

        return {
            "scores": rows(
                "SELECT benchmark, arm, metric, value, low, high, n FROM benchmark_scores "
                f"WHERE system = 'ucret' AND benchmark IN ({shown}) ORDER BY ALL"
            ),
            "differences": rows(
                "SELECT benchmark, arm, baseline_arm, metric, value, low, high, n FROM score_differences "
                f"WHERE system = 'ucret' AND benchmark IN ({shown}) ORDER BY ALL"
            ),
            "filters": rows(
                "SELECT benchmark, filter, count(*) AS questions, avg(len(columns)) AS columns, "
                "avg(len(list_filter(columns, lambda one: one.kept))) AS kept, "
                "avg(fallback::INTEGER) AS fallback FROM collapsed_tables "
                f"WHERE benchmark IN ({shown}) GROUP BY ALL ORDER BY ALL"
            ),
            "tables": rows(
                "SELECT source, count(*) AS tables, avg(len(header)) AS columns, avg(len(rows)) AS rows "
                f"FROM tables WHERE source IN ({shown}) GROUP BY ALL ORDER BY ALL"
            ),
        }
