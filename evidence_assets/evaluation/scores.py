"""From predictions and rankings to rows of `benchmark_scores` and `score_differences`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.evaluation.labels import label_estimates, shared_labels
from evidence_assets.evaluation.metrics import (
    RECALL_DEPTHS,
    clustered_mean,
    expected_calibration_error,
    mean,
    paired_difference,
    recall_at,
    reciprocal_rank,
)
from evidence_assets.evidence.citations import VALID
from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets.lake.schemas import BENCHMARK_SCORES, SCORE_DIFFERENCES
from evidence_assets.text.queries import QUESTION_ALONE

# Values of one metric, one a question, by question id.
PerQuestion = Mapping[str, Mapping[str, float]]


def answer_values(predictions: pa.Table) -> dict[str, dict[str, float]]:
    """Return per-question accuracy of `predictions` rows; abstentions count as wrong.

    Where some were abstained on, `selective_accuracy` is the accuracy over the others.
    """
    rows = predictions.select(["question_id", "correct", "abstained"]).to_pylist()
    if not rows:
        return {}
    answered = [row for row in rows if not row["abstained"]]
    values = {"accuracy": {row["question_id"]: float(row["correct"]) for row in rows}}
    if answered and len(answered) < len(rows):
        values["selective_accuracy"] = {row["question_id"]: float(row["correct"]) for row in answered}
    return values


def retrieval_values(
    ranked: pa.Table, gold_chunks: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question recall@1/5/15 and reciprocal rank of the ranking for the question alone.

    Over questions with gold evidence. Gold text that the corpus does not hold counts as missed.
    """
    lists: dict[str, list[str]] = {}
    alone = ranked.filter(pa.compute.equal(ranked.column("candidate"), QUESTION_ALONE))
    order = [("question_id", "ascending"), ("rank", "ascending")]
    for row in alone.select(["question_id", "rank", "chunk_id"]).sort_by(order).to_pylist():
        lists.setdefault(row["question_id"], []).append(row["chunk_id"])
    holders: dict[tuple[str, int], set[str]] = {}
    for row in gold_chunks.to_pylist():
        holders.setdefault((row["question_id"], row["gold_index"]), set()).add(row["chunk_id"])
    values: dict[str, dict[str, float]] = {}
    for row in questions.select(["question_id", "gold_evidence"]).to_pylist():
        key = row["question_id"]
        gold = [holders.get((key, index), set()) for index in range(len(row["gold_evidence"]))]
        if not gold:
            continue
        found = lists.get(key, [])
        for depth in RECALL_DEPTHS:
            values.setdefault(f"recall@{depth}", {})[key] = recall_at(found, gold, depth)
        values.setdefault("mrr", {})[key] = reciprocal_rank(found, gold)
    return values


def selection_values(
    selected: pa.Table, evidence: pa.Table, gold_chunks: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question recall of gold chunks in what was selected, triples taking places too.

    `evidence_recall@k`: in what the question alone was given. `right_option_recall@k`: in what the right
    option was given, over questions that name one. Over questions with gold evidence.

    Parameters
    ----------
    selected, evidence
        Rows of `selected_evidence` and `evidence` of one experiment.
    """
    keys = dict(
        zip(
            evidence.column("evidence_id").to_pylist(), evidence.column("source_key").to_pylist(), strict=True
        )
    )
    named = pa.array([keys[found] for found in selected.column("evidence_id").to_pylist()], pa.string())
    listed = selected.select(["question_id", "candidate", "rank"]).append_column("chunk_id", named)
    right = dict(
        zip(
            questions.column("question_id").to_pylist(),
            questions.column("answer_index").to_pylist(),
            strict=True,
        )
    )
    is_right = [
        right[question_id] == candidate
        for question_id, candidate in zip(
            listed.column("question_id").to_pylist(), listed.column("candidate").to_pylist(), strict=True
        )
    ]
    of_right = listed.filter(pa.array(is_right, pa.bool_()))
    alone = pa.array([QUESTION_ALONE] * of_right.num_rows, pa.int32())
    of_right = of_right.set_column(1, "candidate", alone)
    keyed = questions.filter(pa.compute.is_valid(questions.column("answer_index")))
    found = {}
    for prefix, rows, over in (("evidence", listed, questions), ("right_option", of_right, keyed)):
        if rows.num_rows:
            values = retrieval_values(rows, gold_chunks, over)
            found.update({f"{prefix}_{name}": of for name, of in values.items() if name != "mrr"})
    return found


def score_rows(
    experiment: Mapping[str, str],
    per_question: PerQuestion,
    predictions: pa.Table,
    chains: pa.Table,
    questions: pa.Table,
) -> pa.Table:
    """Return `benchmark_scores` rows of one experiment (its system, arm and benchmark).

    Shares have Wilson intervals, means bootstrap intervals over questions; where questions share tables,
    both have bootstrap intervals over tables. Calibration error has none.

    Parameters
    ----------
    questions
        Their `question_id`, `options` and `table_id`.
    """
    estimates: dict[str, Estimate] = {}
    tables = _shared_tables(questions)
    for metric, values in per_question.items():
        numbers = list(values.values())
        is_share = set(numbers) <= {0.0, 1.0}
        if tables:
            estimates[metric] = clustered_mean(numbers, [tables[question_id] for question_id in values])
        else:
            estimates[metric] = proportion(int(sum(numbers)), len(numbers)) if is_share else mean(numbers)
    estimates.update(_answer_estimates(predictions, questions))
    if chains.num_rows:
        valid = sum(status == VALID for status in chains.column("citation_status").to_pylist())
        estimates["citation_validity"] = proportion(valid, chains.num_rows)
    rows = [
        {**experiment, "metric": metric, **_numbers(estimate)}
        for metric, estimate in sorted(estimates.items())
    ]
    return pa.Table.from_pylist(rows, schema=BENCHMARK_SCORES.schema)


def _shared_tables(questions: pa.Table) -> dict[str, str]:
    """Return each question's table; nothing where no two questions share one."""
    ids, tables = (questions.column(name).to_pylist() for name in ("question_id", "table_id"))
    named = [table for table in tables if table is not None]
    if len(set(named)) == len(named):
        return {}
    return {
        question_id: question_id if table is None else table
        for question_id, table in zip(ids, tables, strict=True)
    }


def _numbers(estimate: Estimate) -> dict[str, float | int | None]:
    def finite(value: float) -> float | None:
        return None if np.isnan(value) else value

    return {
        "value": estimate.value,
        "low": finite(estimate.low),
        "high": finite(estimate.high),
        "n": estimate.n,
    }


def _answer_estimates(predictions: pa.Table, questions: pa.Table) -> dict[str, Estimate]:
    if not predictions.num_rows:
        return {}
    count = predictions.num_rows
    abstained = sum(predictions.column("abstained").to_pylist())
    chance = [1 / len(options) for options in questions.column("options").to_pylist() if options]
    estimates = {"answered": proportion(count - abstained, count)}
    if chance:
        nothing = float("nan")
        estimates["chance_accuracy"] = Estimate(float(np.mean(chance)), nothing, nothing, len(chance))
    labels = shared_labels(questions.column("options").to_pylist())
    if labels:
        gold, said = (predictions.column(name).to_pylist() for name in ("gold", "predicted"))
        estimates |= label_estimates(gold, said, labels)
    rows = [row for row in predictions.to_pylist() if row["confidence"] is not None]
    if rows:
        confidence = np.array([row["confidence"] for row in rows])
        correct = np.array([float(row["correct"]) for row in rows])
        error = expected_calibration_error(confidence, correct)
        estimates["calibration_error"] = Estimate(error, float("nan"), float("nan"), len(rows))
    return estimates


def difference_rows(
    system: str, benchmark: str, values_by_arm: Mapping[str, PerQuestion], baseline: str
) -> pa.Table:
    """Return paired differences of every arm to the baseline arm, metric by metric, on the same questions."""
    rows = []
    for arm, values in values_by_arm.items():
        for metric in values if arm != baseline else ():
            ours, theirs = values[metric], values_by_arm.get(baseline, {}).get(metric, {})
            shared = sorted(ours.keys() & theirs.keys())
            if not shared:
                continue
            estimate = paired_difference(_array(ours, shared), _array(theirs, shared))
            rows.append(
                {
                    "system": system,
                    "arm": arm,
                    "benchmark": benchmark,
                    "baseline_arm": baseline,
                    "metric": metric,
                    **_numbers(estimate),
                }
            )
    return pa.Table.from_pylist(rows, schema=SCORE_DIFFERENCES.schema)


def _array(values: Mapping[str, float], keys: Sequence[str]) -> NDArray[np.float64]:
    return np.array([values[key] for key in keys], dtype=np.float64)
