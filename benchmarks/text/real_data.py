"""Retrieval and answers on public data, through Dagster: every arm beside BM25, cosine, chance and more."""

from __future__ import annotations

import re
from typing import Any

from benchmarks.real_lake import materialized, opened, prepare, rows_of, seconds_of_partitions
from benchmarks.text.factor_effects import factor_effects
from benchmarks.text.verification import verification_rows
from evidence_assets.systems.uscrake.arms import ARMS, BASELINE_ARM, FIRST_ARMS, SYSTEM

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
# Without a ranking too: arms that look for no evidence.
_QUICK = ("coverage", "cosine", "bm25", "contrastive", "")
_SWEPT = re.compile(r"full_[ks]\d")
# R of the thesis is more than these corpora hold.
_TOO_DEEP = ("r15000", "r20000")
# Every arm; every arm over the rankings that solve no linear program. The others have the first arms.
EVERY_ARM = ("openbookqa",)
EVERY_STAGE = ("commonsenseqa",)
# Questions without options: arms over a ranking, and the baseline.
WITHOUT_OPTIONS = ("xquad", "hotpotqa")
# Of metrics, those of what was found.
_OF_FINDING = "(metric LIKE '%recall@%' OR metric IN ('mrr', 'ndcg@10'))"
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
    if benchmark in WITHOUT_OPTIONS:
        rankings = [name for name in arms if name.endswith("@extractive") and name.startswith(_OF_RANKINGS)]
        return [
            BASELINE_ARM,
            *(
                name
                for name in rankings
                if benchmark in EVERY_RANKING or ARMS[name].retrieval not in _SOLVING
            ),
        ]
    if benchmark in EVERY_STAGE:
        return [name for name in arms if ARMS[name].retrieval in _QUICK and not _SWEPT.match(name)]
    return [name for name in arms if name in FIRST_ARMS]


def run() -> dict[str, Any]:
    """Materialise every benchmark; return its scores, paired differences and the corpora's sizes."""
    prepare()
    materialized({benchmark: arms_of(benchmark) for benchmark in BENCHMARKS})
    return {**collect(), "seconds_a_partition": seconds_of_partitions()}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks.

    Of questions without options only what was found: what was answered is measured by `open_questions`,
    with the versions that answer them otherwise.
    """
    with_options = [benchmark for benchmark in BENCHMARKS if benchmark not in WITHOUT_OPTIONS]
    without_options = ", ".join(f"'{benchmark}'" for benchmark in WITHOUT_OPTIONS)
    measured = f"(benchmark NOT IN ({without_options}) OR {_OF_FINDING})"
    # Accuracy against every compared arm; recall of the rankings against the baseline's.
    compared = (
        f"metric = 'accuracy' OR (baseline_arm = '{BASELINE_ARM}' AND arm LIKE 'chunks_only_%@extractive' "
        "AND metric IN ('recall@1', 'recall@5', 'recall@15', 'mrr'))"
    )
    queries = {
        "corpora": "SELECT corpus, count(*) AS chunks, count(DISTINCT article_id) AS articles, "
        "sum(n_tokens)::BIGINT AS tokens FROM chunks GROUP BY corpus ORDER BY corpus",
        "indexes": "SELECT corpus, string_agg(DISTINCT kind, ', ' ORDER BY kind) AS kind, "
        "sum(vectors)::BIGINT AS vectors, min(recall_at_100) AS recall_at_100 FROM shard_indexes "
        "GROUP BY corpus ORDER BY corpus",
        "scores": "SELECT * FROM benchmark_scores WHERE list_contains(?, benchmark) "
        f"AND {measured} ORDER BY ALL",
        "differences": "SELECT * FROM score_differences WHERE list_contains(?, benchmark) "
        f"AND ({compared}) AND {measured} ORDER BY ALL",
        "certificates": "SELECT benchmark, retrieval, status, count(*) AS queries, avg(pool) AS pool, "
        "avg(solved) AS solved, sum(open) AS open FROM ranking_certificates "
        "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL",
        "links": "SELECT benchmark, method, count(*) AS links, avg(score) AS score, "
        "sum((dropped > 0)::INTEGER)::BIGINT AS capped FROM question_concepts "
        "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL",
    }
    with opened() as connection:
        verified = verification_rows(connection, "openbookqa")
        factors = factor_effects(connection, with_options, ARMS, SYSTEM)
    return {**rows_of(queries, BENCHMARKS), "verification": verified, "factors": factors}
