"""Three systems that ask a graph, over MetaQA's films, through Dagster: arms without a language model.

Needs the data sets: MetaQA's questions and knowledge base. 2,000 questions of each number of hops.
"""

from __future__ import annotations

from typing import Any

from benchmarks.real_lake import materialized, prepare, rows_of, seconds_of_partitions

BENCHMARKS = ("metaqa_1hop", "metaqa_2hop")
# Each system's default beside baselines and what is as printed; others are materialised in the same way.
# `nearest_parts` encodes 84,708 texts, an hour of a core.
ARMS = (
    "four_step_focus/full@extractive",
    "four_step_focus/no_rerank@extractive",
    "four_step_focus/paper@extractive",
    "four_step_focus/no_triplets@nearest",
    "four_step_focus/no_triplets@nearest_words",
    "four_step_focus/no_triplets@nearest_parts",
    "four_step_focus/no_triplets@extractive",
    "four_step_focus/shortest_path@nearest",
    "four_step_focus/vss@nearest",
    "four_step_focus/vss_reranker@extractive",
    "kaping/kaping@extractive",
    "kaping/external_only@extractive",
    "kaping/external_2hop@extractive",
    "attention2query/full@extractive",
)


def run() -> dict[str, Any]:
    """Materialise the arms; return scores and paired differences."""
    prepare()
    materialized(dict.fromkeys(BENCHMARKS, ARMS))
    return {**collect(), "seconds_a_partition": seconds_of_partitions()}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks."""
    queries = {
        "scores": (
            "SELECT benchmark, system, arm, metric, value, low, high, n FROM benchmark_scores "
            "WHERE list_contains(?, benchmark) ORDER BY ALL"
        ),
        "differences": (
            "SELECT benchmark, system, arm, baseline_arm, metric, value, low, high, n "
            "FROM score_differences WHERE list_contains(?, benchmark) ORDER BY ALL"
        ),
        "readings": (
            "SELECT benchmark, parser, status, count(*) AS questions FROM question_queries "
            "WHERE rank = 1 AND list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
    }
    return rows_of(queries, BENCHMARKS)
