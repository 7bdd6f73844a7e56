"""Assets of the evaluation: gold evidence in the corpus, scores, paired differences, published figures."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import dagster as dg
import pyarrow as pa

from evidence_assets.evaluation.gold import CorpusText, gold_chunk_rows
from evidence_assets.evaluation.published import published_rows, published_version
from evidence_assets.evaluation.ranked_answers import BEST, WORST, contained_values, ranking_values
from evidence_assets.evaluation.scores import (
    answer_values,
    difference_rows,
    retrieval_values,
    score_rows,
    selection_values,
)
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.previews import intervals, table_preview
from evidence_assets.lake.schemas import (
    ARTICLES,
    BENCHMARK_SCORES,
    CHAINS,
    CHUNKS,
    EVIDENCE,
    GOLD_CHUNKS,
    GRAPH_ALIASES,
    PREDICTIONS,
    PUBLISHED_SCORES,
    QUESTIONS,
    RANKED_ANSWERS,
    RANKED_CHUNKS,
    SCORE_DIFFERENCES,
    SELECTED_EVIDENCE,
)
from evidence_assets.orchestration.asset_defaults import MADE_OF_INPUTS, OWNERS, SINGLE_RUN
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.partitions import (
    ProjectPartitions,
    benchmark_and_arm,
    benchmark_to_experiments,
    inputs_to_arms,
    of_benchmark,
)

Results = Iterator[dg.MaterializeResult[Any]]


def evaluation_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return what every system's evaluation shares."""

    @dg.asset(
        partitions_def=project.benchmarks,
        group_name="evaluation",
        owners=OWNERS,
        backfill_policy=SINGLE_RUN,
        automation_condition=when_inputs_change(),
        deps=[
            "questions",
            dg.AssetDep("articles", partition_mapping=project.shards_to_benchmarks),
            dg.AssetDep("chunks", partition_mapping=project.shards_to_benchmarks),
        ],
        kinds={"python", "parquet"},
        tags={"layer": "evaluation"},
        code_version="1",
        description="Which chunks hold the evidence that a benchmark's authors name.",
    )
    def gold_chunks(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                questions = writing.lake.read(
                    QUESTIONS, {"benchmark": key}, ["question_id", "gold_evidence"]
                ).to_pylist()
                corpus = CorpusText.wanted_by(questions)
                places = [
                    {"corpus": shard.corpus, "shard": shard.key} for shard in project.shards_of_benchmark(key)
                ]
                for place in places:
                    for batch in writing.lake.scan(ARTICLES, place, ["article_id", "title", "text"]):
                        corpus.add_articles(batch)
                columns = ["chunk_id", "article_id", "char_start", "char_end"]
                for place in places:
                    for batch in writing.lake.scan(CHUNKS, place, columns):
                        corpus.add_chunks(batch)
                rows, items, found = gold_chunk_rows(key, questions, corpus)
                step.write(GOLD_CHUNKS, {"benchmark": key}, rows)
                step.show({"gold_items": items, "found_in_corpus": found})
                if found < items:
                    context.log.warning(f"{key}: {items - found} of {items} gold texts are not in the corpus")
        yield from writing.results()

    @dg.asset(
        group_name="evaluation",
        owners=OWNERS,
        automation_condition=when_inputs_change(),
        kinds={"csv", "parquet"},
        tags={"layer": "evaluation"},
        code_version=published_version(),
        description="Figures as the papers print them, with their tables' numbers; ours stand beside them.",
    )
    def published_scores(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        with writing.partition() as step:
            step.write(PUBLISHED_SCORES, {}, published_rows())
        yield from writing.results()

    return [gold_chunks, published_scores]


def score_assets(
    project: ProjectPartitions,
    system: str,
    arms: Sequence[str],
    baselines: Sequence[str],
    retrieval_of: Mapping[str, str] | None = None,
    ranks: bool = False,
) -> list[dg.AssetsDefinition]:
    """Return one system's scores and paired differences.

    Parameters
    ----------
    baselines
        The arms that the others are compared with, question by question.
    retrieval_of
        Every arm's retrieval of chunks, for a system that reads text: it is scored too.
    ranks
        The system ranks answers to questions that offer none: the rankings are scored too.
    """
    rankings = [
        *of_benchmark("gold_chunks"),
        dg.AssetDep("ranked_chunks", partition_mapping=inputs_to_arms(retrieval_of or {})),
    ]

    # Answers are compared by all names of a node: of what the graph is, question_concepts tells.
    ranked = [dg.AssetDep([system, RANKED_ANSWERS.name]), *of_benchmark("question_concepts")]

    def values_of(lake: Lake, place: Mapping[str, str]) -> dict[str, dict[str, float]]:
        values = _values(lake, place, retrieval_of[place["arm"]] if retrieval_of else None)
        return {**values, **_ranking(lake, place, project.graph_of(place["benchmark"]))} if ranks else values

    common: dict[str, Any] = {
        **MADE_OF_INPUTS,
        "key_prefix": [system],
        "group_name": "evaluation",
        "backfill_policy": SINGLE_RUN,
        "tags": {"layer": "evaluation", "system": system},
        "code_version": "3",
    }

    @dg.asset(
        **common,
        name="benchmark_scores",
        partitions_def=project.experiments(arms),
        deps=[
            dg.AssetKey([system, "predictions"]),
            dg.AssetKey([system, "chains"]),
            dg.AssetKey([system, "evidence"]),
            dg.AssetKey([system, "selected_evidence"]),
            *of_benchmark("questions"),
            *(rankings if retrieval_of else []),
            *(ranked if ranks else []),
        ],
        description="Accuracy, recall of gold evidence, calibration, citation validity, with 95 % intervals.",
    )
    def benchmark_scores(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            benchmark, arm = benchmark_and_arm(key)
            place = {"system": system, "arm": arm, "benchmark": benchmark}
            with writing.partition(key) as step:
                lake_ = writing.lake
                rows = score_rows(
                    place,
                    values_of(lake_, place),
                    lake_.read(PREDICTIONS, place),
                    lake_.read(CHAINS, place, ["citation_status"]),
                    lake_.read(QUESTIONS, {"benchmark": benchmark}, ["question_id", "options", "table_id"]),
                )
                step.write(BENCHMARK_SCORES, place, rows, preview=False)
                step.show(_picture(rows, key))
        yield from writing.results()

    @dg.asset(
        **common,
        name="score_differences",
        partitions_def=project.benchmarks,
        deps=[
            dg.AssetDep(
                dg.AssetKey([system, "benchmark_scores"]), partition_mapping=benchmark_to_experiments()
            )
        ],
        description="Every materialised arm minus each of these, on the same questions, with 95 % intervals: "
        + ", ".join(f"`{baseline}`" for baseline in baselines)
        + ".",
    )
    def score_differences(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                places = {arm: {"system": system, "arm": arm, "benchmark": key} for arm in arms}
                made = writing.lake.partitions(PREDICTIONS)
                missing = [arm for arm, place in places.items() if place not in made]
                values = {
                    arm: _without_bounds(values_of(writing.lake, place))
                    for arm, place in places.items()
                    if arm not in missing
                }
                rows = [difference_rows(system, key, values, name) for name in baselines if name in values]
                if not rows:
                    raise LookupError(
                        f"benchmark {key}: none of the arms to compare with is materialised; remedy: "
                        f"materialise {baselines[0]}"
                    )
                place = {"system": system, "benchmark": key}
                step.write(SCORE_DIFFERENCES, place, pa.concat_tables(rows))
                step.show({"arms": len(values), "arms_not_materialised": ", ".join(missing) or "none"})
        yield from writing.results()

    return [benchmark_scores, score_differences]


def _values(lake: Lake, place: Mapping[str, str], retrieval: str | None) -> dict[str, dict[str, float]]:
    """Return an experiment's metrics question by question; those of a ranking of chunks if it reads one."""
    answers = answer_values(lake.read(PREDICTIONS, place, ["question_id", "correct", "abstained"]))
    if retrieval is None:
        return answers
    benchmark = {"benchmark": place["benchmark"]}
    gold = lake.read(GOLD_CHUNKS, benchmark)
    questions = lake.read(QUESTIONS, benchmark, ["question_id", "gold_evidence", "answer_index"])
    return {
        **answers,
        **retrieval_values(lake.read(RANKED_CHUNKS, {**benchmark, "retrieval": retrieval}), gold, questions),
        **selection_values(
            lake.read(SELECTED_EVIDENCE, place, ["question_id", "candidate", "rank", "evidence_id"]),
            lake.read(EVIDENCE, place, ["evidence_id", "source_key"]),
            gold,
            questions,
        ),
    }


def _ranking(lake: Lake, place: Mapping[str, str], graph: str | None) -> dict[str, dict[str, float]]:
    """Return the metrics of an experiment's ranked answers, and of its predictions where none is offered."""
    questions = lake.read(QUESTIONS, {"benchmark": place["benchmark"]}, ["question_id", "options", "answers"])
    aliases = {"kg": graph or ""}
    named = lake.read(GRAPH_ALIASES, aliases) if lake.exists(GRAPH_ALIASES, aliases) else None
    predicted = lake.read(PREDICTIONS, place, ["question_id", "predicted"])
    return {
        **ranking_values(lake.read(RANKED_ANSWERS, place), questions),
        **contained_values(predicted, questions, named),
    }


def _without_bounds(values: Mapping[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Leave out what a ranking would score with its ties in a lucky or unlucky order."""
    return {metric: of for metric, of in values.items() if not metric.endswith((BEST, WORST))}


def _picture(rows: pa.Table, key: str) -> dict[str, Any]:
    scores = [row for row in rows.to_pylist() if row["low"] is not None]
    shown = {"scores": table_preview(rows, ["metric", "value", "low", "high", "n"], count=rows.num_rows)}
    if scores:
        values = [(row["value"], row["low"], row["high"]) for row in scores]
        shown["plot"] = intervals([row["metric"] for row in scores], values, key)
    return shown
