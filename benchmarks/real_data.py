"""Retrieval and answers on public data, through Dagster: every arm beside BM25, cosine, chance, the baseline.

Needs the data sets (EVIDENCE_REAL_DATA, default ../shared/data beside the project). The lake is
`EVIDENCE_LAKE`, default build/real_data_lake, where vectors are kept: a second run encodes nothing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from benchmarks.verification import verification_rows
from evidence_assets.systems.uscrake.arms import ARMS, BASELINE_ARM, FIRST_ARMS

PROJECT = Path(__file__).resolve().parents[1]
BENCHMARKS = (
    "openbookqa",
    "openbookqa_dev",
    "commonsenseqa",
    "mmlu_medical",
    "xquad",
    "hotpotqa",
    "openbookqa_among_wikipedia",
)
_OF_RANKINGS = ("chunks_only_", "full")
_SOLVING = ("balanced", "partial", "paper", "moverscore", "word_movers_distance")
_QUICK = ("coverage", "cosine", "bm25", "contrastive")
_SWEPT = re.compile(r"full_[ks]\d")
# R of the thesis is more than these corpora hold.
_TOO_DEEP = ("r15000", "r20000")
# Every arm; every arm over the rankings that solve no linear program. The others have the first arms and the
# fitted ones.
EVERY_ARM = ("openbookqa",)
EVERY_STAGE = ("commonsenseqa",)
# Questions without options: what is found for them is measured, and nothing is answered.
FOUND_ONLY = ("xquad", "hotpotqa")
# Where the rankings that solve linear programs are made too.
EVERY_RANKING = ("openbookqa", "hotpotqa")
# The system as a user would run it, from files to scores, over facts and passages together.
WHOLE = ("openbookqa_among_wikipedia",)


def arms_of(benchmark: str) -> list[str]:
    """Return the arms that are measured on a benchmark."""
    arms = [name for name in ARMS if not any(deep in name for deep in _TOO_DEEP)]
    if benchmark in EVERY_ARM:
        return arms
    if benchmark in WHOLE:
        return ["full@extractive"]
    if benchmark in FOUND_ONLY:
        found = [name for name in arms if name.endswith("@extractive") and name.startswith(_OF_RANKINGS)]
        return [name for name in found if benchmark in EVERY_RANKING or ARMS[name].retrieval not in _SOLVING]
    if benchmark in EVERY_STAGE:
        return [name for name in arms if ARMS[name].retrieval in _QUICK and not _SWEPT.match(name)]
    return [name for name in arms if name in FIRST_ARMS or "@extractive_" in name]


def run() -> dict[str, Any]:
    """Materialise every benchmark; return its scores, paired differences and the corpora's sizes.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    prepare()
    from evidence_assets.automation.runs import materialize_benchmarks

    seconds: dict[str, float] = {}
    for benchmark in BENCHMARKS:
        for job, partition, spent in materialize_benchmarks([benchmark], arms_of(benchmark)):
            print(f"{spent:7.1f} s  {job:24} {partition}", flush=True)
            seconds[f"{job} {partition}"] = round(spent, 1)
    return {**collect(), "seconds_a_run": seconds}


def prepare() -> None:
    """Set the environment that the runs are made in.

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


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks."""
    from evidence_assets.lake import catalogue
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.resources import default_root

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
            # Accuracy against every compared arm; recall of the rankings against the baseline's.
            "differences": rows(
                f"SELECT * FROM score_differences WHERE benchmark IN ({shown}) AND (metric = 'accuracy' OR "
                f"(baseline_arm = '{BASELINE_ARM}' AND arm LIKE 'chunks_only_%@extractive' AND "
                "metric IN ('recall@1', 'recall@5', 'recall@15', 'mrr'))) ORDER BY ALL"
            ),
            "certificates": rows(
                "SELECT benchmark, retrieval, status, count(*) AS queries, avg(pool) AS pool, "
                "avg(solved) AS solved, sum(open) AS open FROM ranking_certificates "
                f"WHERE benchmark IN ({shown}) GROUP BY ALL ORDER BY ALL"
            ),
            "links": rows(
                "SELECT benchmark, method, count(*) AS links, avg(score) AS score, "
                "sum((dropped > 0)::INTEGER)::BIGINT AS capped FROM question_concepts "
                f"WHERE benchmark IN ({shown}) GROUP BY ALL ORDER BY ALL"
            ),
            "verification": verification_rows(connection, "openbookqa"),
        }
