"""UCRET over public tables, through Dagster: every arm without a language model beside baselines and chance.

Needs the data sets: TabFact, SciTab, WorldTree with its store of tables. The programs were
made on half of TabFact's tables: `table_verification` tells what the other half says, here are all.
"""

from __future__ import annotations

from typing import Any

from benchmarks.real_lake import materialized, prepare, rows_of

BENCHMARKS = ("tabfact_small", "scitab", "worldtree")
# Asked of a store of tables: there is no table whose columns could be filtered.
OF_A_STORE = ("worldtree",)
OF_ROWS = (
    "full@extractive",
    "all_supported@extractive",
    "no_column_filtering@nearest",
    "no_table@claim_only",
    "no_table@chance",
)


def run() -> dict[str, Any]:
    """Materialise every arm; return scores, paired differences, and what the filters keep."""
    prepare()
    from evidence_assets.systems.ucret.arms import ARMS

    arms = {benchmark: OF_ROWS if benchmark in OF_A_STORE else ARMS for benchmark in BENCHMARKS}
    seconds = materialized(
        {benchmark: [f"ucret/{name}" for name in names] for benchmark, names in arms.items()}
    )
    return {**collect(), "seconds_a_run": seconds}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks."""
    queries = {
        "scores": (
            "SELECT benchmark, arm, metric, value, low, high, n FROM benchmark_scores "
            "WHERE system = 'ucret' AND list_contains(?, benchmark) ORDER BY ALL"
        ),
        "differences": (
            "SELECT benchmark, arm, baseline_arm, metric, value, low, high, n FROM score_differences "
            "WHERE system = 'ucret' AND list_contains(?, benchmark) ORDER BY ALL"
        ),
        "filters": (
            "SELECT benchmark, filter, count(*) AS questions, avg(len(columns)) AS columns, "
            "avg(len(list_filter(columns, lambda one: one.kept))) AS kept, "
            "avg(fallback::INTEGER) AS fallback FROM collapsed_tables "
            "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
        "tables": (
            "SELECT source, count(*) AS tables, avg(len(header)) AS columns, avg(len(rows)) AS rows "
            "FROM tables WHERE list_contains(?, source) GROUP BY ALL ORDER BY ALL"
        ),
    }
    return rows_of(queries, BENCHMARKS)
