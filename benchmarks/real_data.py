"""Retrieval and answers on public data, through Dagster: every arm beside BM25, cosine, chance, the baseline.

Needs the data sets (EVIDENCE_REAL_DATA, default ../shared/data beside the project). The lake is
`EVIDENCE_LAKE`, default build/real_data_lake, where vectors are kept: a second run encodes nothing.
"""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
BENCHMARKS = ("openbookqa_dev", "openbookqa", "xquad", "hotpotqa", "commonsenseqa", "mmlu_medical")

# The set on which every ranking is made, those that solve linear programs too.
EVERY_RANKING = "openbookqa"


def run() -> dict[str, Any]:
    """Materialise every benchmark; return its scores, paired differences and the corpora's sizes.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    data = Path(os.environ.get("EVIDENCE_REAL_DATA", PROJECT.parent / "shared" / "data"))
    if not data.is_dir():
        raise FileNotFoundError(f"no data sets at {data}: set EVIDENCE_REAL_DATA")
    os.environ["EVIDENCE_REAL_DATA"] = str(data.resolve())
    os.environ["EVIDENCE_SOURCES"] = str(PROJECT / "benchmarks" / "real_data_sources.yaml")
    os.environ.setdefault("EVIDENCE_LAKE", str(PROJECT / "build" / "real_data_lake"))
    os.environ.setdefault("DAGSTER_HOME", str(PROJECT / ".dagster"))
    from evidence_assets.automation.runs import materialize_benchmarks
    from evidence_assets.lake import catalogue
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.resources import default_root
    from evidence_assets.systems.uscrake.arms import RETRIEVALS

    seconds: dict[str, float] = {}
    runs = chain(
        materialize_benchmarks([EVERY_RANKING], list(RETRIEVALS)),
        materialize_benchmarks([name for name in BENCHMARKS if name != EVERY_RANKING]),
    )
    for job, partition, spent in runs:
        print(f"{spent:7.1f} s  {job:24} {partition}", flush=True)
        seconds[f"{job} {partition}"] = round(spent, 1)
    with catalogue.connect(Lake(default_root())) as connection:
        shown = ", ".join(f"'{name}'" for name in BENCHMARKS)

        def rows(query: str) -> list[dict[str, Any]]:
            found = connection.execute(query)
            names = [column[0] for column in found.description or []]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

        return {
            "corpora": rows(
                "SELECT corpus, count(*) AS chunks, count(DISTINCT article_id) AS articles, "
                "sum(n_tokens)::BIGINT AS tokens FROM chunks GROUP BY corpus ORDER BY corpus"
            ),
            "indexes": rows("SELECT corpus, kind, vectors, recall_at_100 FROM chunk_indexes ORDER BY corpus"),
            "scores": rows(f"SELECT * FROM benchmark_scores WHERE benchmark IN ({shown}) ORDER BY ALL"),
            "differences": rows(f"SELECT * FROM score_differences WHERE benchmark IN ({shown}) ORDER BY ALL"),
            "certificates": rows(
                "SELECT benchmark, retrieval, status, count(*) AS queries, avg(pool) AS pool, "
                "avg(solved) AS solved, sum(open) AS open FROM ranking_certificates "
                f"WHERE benchmark IN ({shown}) GROUP BY ALL ORDER BY ALL"
            ),
            "seconds_a_run": seconds,
        }
