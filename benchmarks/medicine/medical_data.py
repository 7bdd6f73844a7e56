"""UGAT-MedQA on public data, through Dagster: its arms over the merged biomedical graph, beside chance.

Needs the data sets. The lake is as `real_lake` has it. Weights fitted on MedMCQA come with the package;
`fit_paths` makes them anew. Networks trained on whole neighbourhoods, thousands of nodes a question, are left
out: `relevance_factorial` has them for a few questions, and here their capped forms stand.
"""

from __future__ import annotations

from typing import Any

from benchmarks.real_lake import materialized, prepare, rows_of
from evidence_assets.evaluation.published import published_rows
from evidence_assets.systems.ugat_medqa.arms import ARMS, KINDS, ROUTES, SYSTEM

BENCHMARKS = ("medmcqa", "mmlu_medical_graph", "pubmedqa")
UNCAPPED = {name for name, route in ROUTES.items() if route.method in KINDS and not route.extent.max_nodes}


def run() -> dict[str, Any]:
    """Materialise the arms on every benchmark; return scores, differences, and what was found for them."""
    prepare()
    arms = [f"{SYSTEM}/{name}" for name, arm in ARMS.items() if arm.route not in UNCAPPED]
    seconds = materialized(dict.fromkeys(BENCHMARKS, arms))
    return {**collect(), "seconds_a_run": seconds}


def collect() -> dict[str, Any]:
    """Return what the lake holds of the benchmarks."""
    queries = {
        "scores": (
            "SELECT * FROM benchmark_scores WHERE list_contains(?, benchmark) "
            f"AND system = '{SYSTEM}' ORDER BY ALL"
        ),
        "differences": (
            "SELECT * FROM score_differences WHERE list_contains(?, benchmark) "
            f"AND system = '{SYSTEM}' ORDER BY ALL"
        ),
        "subjects": (
            "SELECT benchmark, arm, subject, count(*) AS questions, "
            "avg((NOT abstained)::INTEGER) AS answered, avg(correct::INTEGER) AS accuracy "
            "FROM predictions JOIN questions USING (benchmark, question_id) "
            "WHERE list_contains(?, benchmark) AND list_contains(['full@extractive', "
            "'full_answering@extractive', 'no_retrieval@extractive'], arm) "
            f"AND system = '{SYSTEM}' AND subject != '' AND benchmark LIKE 'mmlu%' "
            "GROUP BY ALL ORDER BY ALL"
        ),
        "concepts": (
            "SELECT benchmark, method, count(*) AS links, avg(score) AS score FROM question_concepts "
            "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
        "subgraphs": (
            "SELECT benchmark, neighbourhood, count(*) AS questions, avg(len(nodes)) AS nodes, "
            "avg(reached) AS reached, avg((dropped > 0)::INTEGER) AS capped, "
            "avg((len(list_filter(seeds, lambda one: one.is_concept)) > 0)::INTEGER) AS with_a_concept "
            "FROM question_subgraphs WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
        "relevance": (
            "SELECT benchmark, route, avg(nodes) AS nodes, avg(kept_share) AS kept_share, "
            "avg(mean_score) AS mean_score, avg(spread) AS spread, "
            "avg(cosine_correlation) AS cosine_correlation, avg(seed_correlation) AS seed_correlation, "
            "avg(collapsed::INTEGER) AS collapsed FROM relevance_diagnostics "
            "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
        "paths": (
            "WITH options AS (SELECT benchmark, route, question_id, candidate, count(*) AS paths, "
            "min(length) AS shortest, bool_or(denies) AS denies FROM reasoning_paths "
            "WHERE list_contains(?, benchmark) GROUP BY ALL) "
            "SELECT benchmark, route, count(DISTINCT question_id) AS questions_with_a_path, "
            "count(*) FILTER (candidate = answer_index) AS right_options_with_a_path, "
            "sum(paths)::BIGINT AS paths, avg(shortest) AS shortest, "
            "count(*) FILTER (denies) AS options_with_a_denial "
            "FROM options JOIN questions USING (benchmark, question_id) GROUP BY ALL ORDER BY ALL"
        ),
        "questions": (
            "SELECT benchmark, count(*) AS questions, avg(1 / len(options)) AS chance FROM questions "
            "WHERE list_contains(?, benchmark) GROUP BY ALL ORDER BY ALL"
        ),
    }
    published = [
        row
        for row in published_rows().to_pylist()
        if row["system"] == SYSTEM
        and row["table_number"] in ("6.2", "6.3")
        and row["benchmark"] in ("medqa", "medmcqa_dev", "mmlu_medical")
    ]
    return {**rows_of(queries, BENCHMARKS), "published": published}
