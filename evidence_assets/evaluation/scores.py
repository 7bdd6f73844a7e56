"""From predictions and rankings to rows of `benchmark_scores` and `score_differences`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.evaluation.labels import label_estimates, shared_labels
from evidence_assets.evaluation.metrics import (
    clustered_mean,
    holm,
    mean,
    paired_comparison,
)
from evidence_assets.evaluation.selective import Answered, selective_estimates
from evidence_assets.evidence.citations import VALID
from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets.evidence.experiment import NO_ANSWER, is_first_of_equals, number_of_equals
from evidence_assets.lake.schemas import BENCHMARK_SCORES, QUESTION_SCORES, SCORE_DIFFERENCES
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets.reading.baselines import MAJORITY, constant_accuracies
from evidence_assets.text.queries import NO_OPTION

# Values of one metric, one a question, by question id.
PerQuestion = Mapping[str, Mapping[str, float]]
_ACCURACIES = ("accuracy", "selective_accuracy")
# The suffix of accuracies that count options which scored alike as drawn blindly, not as the first of them.
OVER_TIES = "_over_ties"


def answer_values(predictions: pa.Table) -> dict[str, dict[str, float]]:
    """Return per-question accuracy of `predictions` rows that have a key; abstentions count as wrong.

    Where some were abstained on, `selective_accuracy` is the accuracy over the others.
    """
    rows = with_key(predictions).select(["question_id", "correct", "abstained"]).to_pylist()
    if not rows:
        return {}
    answered = [row for row in rows if not row["abstained"]]
    values = {"accuracy": {row["question_id"]: float(row["correct"]) for row in rows}}
    if answered and len(answered) < len(rows):
        values["selective_accuracy"] = {row["question_id"]: float(row["correct"]) for row in answered}
    return values


def values_over_ties(
    values: PerQuestion, predictions: pa.Table, chains: pa.Table, questions: pa.Table
) -> dict[str, dict[str, float]]:
    """Return per-question accuracies where one of the options that scored alike is drawn blindly.

    Nothing where no answer was the first of equals.

    Args:
        values: The accuracies of answers as they were given (`answer_values`).
        predictions: Their `question_id`, `gold`, `predicted_index` and `tie_break`.
        chains: Their `question_id`, `candidate` and `score`.
        questions: Their `question_id` and `options`.
    """
    expected = _expected_of_ties(predictions, chains, questions)
    return {
        f"{metric}{OVER_TIES}": {
            question_id: expected.get(question_id, value) for question_id, value in of_metric.items()
        }
        for metric, of_metric in values.items()
        if expected and metric in _ACCURACIES
    }


def _expected_of_ties(predictions: pa.Table, chains: pa.Table, questions: pa.Table) -> dict[str, float]:
    """Return the share of the options that scored alike which are right, by question; others are absent.

    The scores of their chains tell which options these are. Where not as many as tied have the score of the
    one chosen, they are not known, and the question is absent.
    """
    columns = ["question_id", "gold", "predicted_index", "tie_break"]
    tied = [
        row
        for row in with_key(predictions).select(columns).to_pylist()
        if row["predicted_index"] is not None and is_first_of_equals(row["tie_break"])
    ]
    if not tied:
        return {}
    ids, offered = (questions.column(name).to_pylist() for name in ("question_id", "options"))
    options = dict(zip(ids, offered, strict=True))
    scores: dict[str, dict[int, float]] = {}
    for row in chains.select(["question_id", "candidate", "score"]).to_pylist():
        scores.setdefault(row["question_id"], {})[row["candidate"]] = row["score"]
    expected = {}
    for row in tied:
        of_question = scores.get(row["question_id"], {})
        best = of_question.get(row["predicted_index"])
        equal = [candidate for candidate, score in of_question.items() if score == best]
        if row["question_id"] in options and len(equal) == number_of_equals(row["tie_break"]):
            right = [options[row["question_id"]][candidate] == row["gold"] for candidate in equal]
            expected[row["question_id"]] = sum(right) / len(right)
    return expected


def compared_values(values: Mapping[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """Return values as arms are compared by them: accuracies are those over ties where there are any."""
    given = {metric: of_metric for metric, of_metric in values.items() if not metric.endswith(OVER_TIES)}
    return given | {
        metric.removesuffix(OVER_TIES): of_metric
        for metric, of_metric in values.items()
        if metric.endswith(OVER_TIES)
    }


def with_key(predictions: pa.Table) -> pa.Table:
    """Return the `predictions` rows of questions that have a key: without one nothing is right or wrong."""
    return predictions.filter(pc.is_valid(predictions.column("gold")))


def score_rows(
    experiment: Mapping[str, str],
    per_question: PerQuestion,
    predictions: pa.Table,
    chains: pa.Table,
    questions: pa.Table,
) -> pa.Table:
    """Return `benchmark_scores` rows of one experiment (its system, arm and benchmark).

    Shares have Wilson intervals, means bootstrap intervals over questions; where questions share tables,
    both have bootstrap intervals over tables, and none narrower than over questions. Those of `selective` are
    over questions.

    Args:
        questions: Their `question_id`, `options`, `answer_index` and `table_id`.
    """
    estimates = _mean_estimates(per_question, questions)
    estimates.update(_answer_estimates(predictions, questions))
    if chains.num_rows:
        valid = sum(status == VALID for status in chains.column("citation_status").to_pylist())
        estimates["citation_validity"] = proportion(valid, chains.num_rows)
    rows = [
        {**experiment, "metric": metric, **_numbers(estimate)}
        for metric, estimate in sorted(estimates.items())
    ]
    return pa.Table.from_pylist(rows, schema=BENCHMARK_SCORES.schema)


def arm_estimates(
    values_by_arm: Mapping[str, PerQuestion], metric: str, questions: pa.Table
) -> dict[str, Estimate]:
    """Return each arm's mean of one metric with its interval, the highest first, as `score_rows` makes them.

    Args:
        questions: Their `question_id` and `table_id`. What an arm was once asked and the benchmark no longer
            holds is left out.
    """
    question_ids = set(questions.column("question_id").to_pylist())
    values = {
        arm: {
            question_id: value
            for question_id, value in of_arm.get(metric, {}).items()
            if question_id in question_ids
        }
        for arm, of_arm in values_by_arm.items()
    }
    estimates = _mean_estimates({arm: scored for arm, scored in values.items() if scored}, questions)
    return dict(sorted(estimates.items(), key=lambda item: (-item[1].value, item[0])))


def _mean_estimates(per_question: PerQuestion, questions: pa.Table) -> dict[str, Estimate]:
    tables = _shared_tables(questions)
    estimates: dict[str, Estimate] = {}
    for metric, values in per_question.items():
        numbers = list(values.values())
        is_share = set(numbers) <= {0.0, 1.0}
        estimate = proportion(int(sum(numbers)), len(numbers)) if is_share else mean(numbers)
        if tables:
            over_tables = clustered_mean(numbers, [tables[question_id] for question_id in values])
            # Of a single table, or of equal ones, no draw differs: questions that share one are not surer.
            estimate = replace(
                over_tables, low=min(estimate.low, over_tables.low), high=max(estimate.high, over_tables.high)
            )
        estimates[metric] = estimate
    return estimates


def _shared_tables(questions: pa.Table) -> dict[str, str]:
    """Return each question's table; nothing where no two questions share one."""
    ids, tables = (questions.column(name).to_pylist() for name in ("question_id", "table_id"))
    named_tables = [table for table in tables if table is not None]
    if len(set(named_tables)) == len(named_tables):
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
    predictions = with_key(predictions)
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
    if not labels and MAJORITY in (constants := constant_values(questions)):
        right = constants[MAJORITY]["accuracy"].values()
        estimates["majority_accuracy"] = proportion(int(sum(right)), len(right))
    if labels:
        gold, predicted = (predictions.column(name).to_pylist() for name in ("gold", "predicted"))
        estimates |= label_estimates(gold, predicted, labels)
    estimates |= _tied_estimates(predictions) | _abstention_estimates(predictions)
    answered = answered_of(predictions)
    return estimates | (selective_estimates(answered) if answered else {})


def _tied_estimates(predictions: pa.Table) -> dict[str, Estimate]:
    """Return the share of chosen options that were no better than others; nothing where none was.

    Where it is large, accuracy says how often the first option is right.
    """
    chosen = predictions.filter(pc.is_valid(predictions.column("predicted_index")))
    tied = sum(map(is_first_of_equals, chosen.column("tie_break").to_pylist()))
    return {"tied": proportion(tied, chosen.num_rows)} if tied else {}


def _abstention_estimates(predictions: pa.Table) -> dict[str, Estimate]:
    """Return the share of questions without an answer that were abstained on, and of abstentions on such.

    Nothing where every question has an answer.
    """
    unanswerable = pc.equal(predictions.column("gold"), NO_ANSWER)
    without_answer = predictions.filter(unanswerable).num_rows
    if not without_answer:
        return {}
    abstained = predictions.filter(predictions.column("abstained")).num_rows
    rightly = predictions.filter(pc.and_(unanswerable, predictions.column("abstained"))).num_rows
    estimates = {"abstention_recall": proportion(rightly, without_answer)}
    if abstained:
        estimates["abstention_precision"] = proportion(rightly, abstained)
    return estimates


def answered_of(predictions: pa.Table) -> Answered | None:
    """Return the answers of `predictions` rows that have a confidence; None where none has.

    Questions whose answer has none count as unanswered.
    """
    sure = predictions.filter(
        pc.and_(pc.is_valid(predictions.column("confidence")), pc.invert(predictions.column("abstained")))
    )
    if not sure.num_rows:
        return None
    confidence, correct = (sure.column(name).to_numpy() for name in ("confidence", "correct"))
    return Answered(confidence, correct.astype(np.float64), predictions.num_rows)


def constant_values(questions: pa.Table) -> dict[str, PerQuestion]:
    """Return per-question accuracy of the baselines that answer every question alike, by baseline.

    Args:
        questions: Their `question_id`, `options` and `answer_index`.

    Nothing is returned where none has both options and a key.
    """
    columns = (questions.column(name).to_pylist() for name in ("question_id", "options", "answer_index"))
    accuracies = constant_accuracies(zip(*columns, strict=True))
    return {baseline: {"accuracy": values} for baseline, values in accuracies.items()}


def difference_rows(
    system: str, benchmark: str, values_by_arm: Mapping[str, PerQuestion], baseline: str
) -> pa.Table:
    """Return paired differences of every arm to the baseline arm, metric by metric, on the same questions."""
    rows = []
    for arm, values in values_by_arm.items():
        for metric in values if arm != baseline else ():
            arm_values, baseline_values = values[metric], values_by_arm.get(baseline, {}).get(metric, {})
            shared = sorted(arm_values.keys() & baseline_values.keys())
            if not shared:
                continue
            compared = paired_comparison(_array(arm_values, shared), _array(baseline_values, shared))
            rows.append(
                {
                    "system": system,
                    "arm": arm,
                    "benchmark": benchmark,
                    "baseline_arm": baseline,
                    "metric": metric,
                    **_numbers(compared.difference),
                    "test": compared.test,
                    "p_value": compared.p_value,
                    "baseline_value": float(_array(baseline_values, shared).mean()),
                    "is_strongest_baseline": False,
                }
            )
    return pa.Table.from_pylist(rows, schema=SCORE_DIFFERENCES.schema)


def with_strongest_baselines(differences: pa.Table, baselines: Collection[str]) -> pa.Table:
    """Return `score_differences` rows with each arm's strongest baseline, metric by metric.

    That is, of those that share most questions with the arm, the one that has the highest mean over them; of
    equals the first. What answers the questions with options alone is no measure for all others too.
    """
    rows = differences.to_pylist()
    strongest: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row["baseline_arm"] in baselines:
            best = strongest.setdefault((row["arm"], row["metric"]), row)
            if (row["n"], row["baseline_value"]) > (best["n"], best["baseline_value"]):
                strongest[row["arm"], row["metric"]] = row
    for row in strongest.values():
        row["is_strongest_baseline"] = True
    return pa.Table.from_pylist(rows, schema=differences.schema)


def with_correction(differences: pa.Table) -> pa.Table:
    """Return `score_differences` rows with Holm's correction over the arms held against one baseline."""
    rows = differences.to_pylist()
    families: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        families.setdefault((row["baseline_arm"], row["metric"]), []).append(row)
    for family in families.values():
        for row, corrected in zip(family, holm([row["p_value"] for row in family]), strict=True):
            row |= {"p_holm": corrected, "comparisons": len(family)}
    return pa.Table.from_pylist(rows, schema=differences.schema)


def question_score_rows(experiment: Mapping[str, str], per_question: PerQuestion) -> pa.Table:
    """Return `question_scores` rows of one experiment (its system, arm and benchmark)."""
    metrics: list[str] = []
    ids: list[str] = []
    values: list[float] = []
    for metric, of_questions in per_question.items():
        metrics += [metric] * len(of_questions)
        ids += of_questions
        values += of_questions.values()
    count = len(ids)
    keys = {name: [value] * count for name, value in experiment.items()}
    columns = {**keys, "metric": metrics, "question_id": ids, "value": values}
    return pa.table(columns, schema=QUESTION_SCORES.schema)


def values_of_rows(rows: pa.Table) -> dict[str, dict[str, float]]:
    """Return `question_scores` rows as values by metric and question id."""
    values: dict[str, dict[str, float]] = {}
    columns = (rows.column(name).to_pylist() for name in ("metric", "question_id", "value"))
    for metric, question_id, value in zip(*columns, strict=True):
        values.setdefault(metric, {})[question_id] = value
    return values


def answered_values(predictions: pa.Table, selected: pa.Table) -> dict[str, dict[str, float]]:
    """Return per question whether it was answered, and whether by what was found for the question alone.

    `question_only`, over questions for which evidence was selected: no option had evidence of its own, so
    that the options added nothing to what the question alone retrieved.

    Args:
        selected: `question_id` and `candidate` of the experiment's `selected_evidence` rows.
    """
    ids, abstained = (predictions.column(name).to_pylist() for name in ("question_id", "abstained"))
    values = {
        "answered": dict(zip(ids, (float(not is_abstained) for is_abstained in abstained), strict=True))
    }
    alone: dict[str, float] = {}
    columns = (selected.column(name).to_pylist() for name in ("question_id", "candidate"))
    for question_id, candidate in zip(*columns, strict=True):
        alone[question_id] = float(candidate == NO_OPTION and alone.get(question_id, 1.0))
    return values | ({"question_only": alone} if alone else {})


def with_completeness(scores: pa.Table, predictions: pa.Table, questions: pa.Table) -> pa.Table:
    """Return `benchmark_scores` rows with how many of a benchmark's questions were answered."""
    failures = [str(outcome) for outcome in Outcome if not outcome.is_reply]
    statuses = predictions.column("parse_status").to_pylist()
    answered = sum(status not in failures for status in statuses)
    counts = {
        "n_asked": questions.num_rows,
        "n_answered": answered,
        "complete": answered == questions.num_rows,
    }
    rows = [{**row, **counts} for row in scores.to_pylist()]
    return pa.Table.from_pylist(rows, schema=scores.schema)


def _array(values: Mapping[str, float], keys: Sequence[str]) -> NDArray[np.float64]:
    return np.array([values[key] for key in keys], dtype=np.float64)
