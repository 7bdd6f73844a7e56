"""From predictions and rankings to rows of scores and of differences."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from scipy import stats

from evidence_assets.evaluation.scores import (
    answer_values,
    answered_values,
    arm_estimates,
    compared_values,
    constant_values,
    difference_rows,
    score_rows,
    values_over_ties,
    with_correction,
    with_strongest_baselines,
)
from evidence_assets.evidence.experiment import NO_ANSWER, tie_rule
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import BENCHMARK_SCORES, SCORE_DIFFERENCES
from evidence_assets_tests.testing.scored_questions import KEYS, keyed, questions

EXPERIMENT = {"system": "mine", "arm": "full", "benchmark": "quiz"}


def predictions(*rows: tuple[str, bool, bool, float | None]) -> pa.Table:
    schema = pa.schema(
        [
            ("question_id", pa.string()),
            ("correct", pa.bool_()),
            ("abstained", pa.bool_()),
            ("confidence", pa.float64()),
        ]
    )
    made = pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema=schema)
    made = made.append_column("gold", pa.array(["the key"] * len(rows), pa.string()))
    chosen = pa.array([None if abstained else 0 for _, _, abstained, _ in rows], pa.int32())
    made = made.append_column("predicted_index", chosen)
    return made.append_column("tie_break", pa.array(["none"] * len(rows), pa.string()))


def chains(*statuses: str) -> pa.Table:
    return pa.table({"citation_status": pa.array(statuses, pa.string())})


def by_metric(rows: pa.Table) -> dict[str, dict[str, Any]]:
    return {row["metric"]: row for row in rows.to_pylist()}


def test_abstentions_count_as_wrong() -> None:
    made = predictions(("a", True, False, 0.9), ("b", False, True, None), ("c", False, False, 0.4))
    assert answer_values(made) == {
        "accuracy": {"a": 1.0, "b": 0.0, "c": 0.0},
        "selective_accuracy": {"a": 1.0, "c": 0.0},
    }
    scores = by_metric(score_rows(EXPERIMENT, answer_values(made), made, chains(), questions(a=0, b=0, c=0)))
    assert scores["accuracy"]["value"] == pytest.approx(1 / 3)
    assert scores["answered"]["value"] == pytest.approx(2 / 3)
    assert (scores["selective_accuracy"]["value"], scores["selective_accuracy"]["n"]) == (0.5, 2)
    # An abstention has no confidence: it is outside of calibration.
    assert scores["calibration_error"]["n"] == 2


def option_chains(**scores: list[float]) -> pa.Table:
    """Chains of every option of questions, by id, with these scores."""
    rows = [
        {"question_id": name, "candidate": candidate, "score": score, "citation_status": "valid"}
        for name, of_question in scores.items()
        for candidate, score in enumerate(of_question)
    ]
    return pa.Table.from_pylist(rows)


def tied_predictions(**rules: tuple[str, bool, bool]) -> pa.Table:
    """Predictions of the first option, by question id: how it was chosen, whether it is right, abstentions.

    The key of question `x` is its option `xa` where that is right, else `xc`.
    """
    made = predictions(*((name, right, silent, 0.5) for name, (_, right, silent) in rules.items()))
    keys = [f"{name}{'a' if right else 'c'}" for name, (_, right, _) in rules.items()]
    made = made.set_column(made.schema.get_field_index("gold"), "gold", pa.array(keys))
    chosen_by = pa.array([rule for rule, _, _ in rules.values()])
    return made.set_column(made.schema.get_field_index("tie_break"), "tie_break", chosen_by)


def test_options_that_score_alike_are_compared_as_drawn_blindly() -> None:
    made = tied_predictions(
        lucky=(tie_rule(4, "equal scores"), True, False),
        unlucky=(tie_rule(3, "equal scores"), False, False),
        beaten=(tie_rule(2, "equal scores"), False, False),
        sure=(tie_rule(1, "equal scores"), True, False),
        silent=("none", False, True),
    )
    scores = option_chains(
        lucky=[0.0, 0.0, 0.0, 0.0],
        unlucky=[1.0, 0.5, 1.0, 1.0],
        beaten=[1.0, 1.0, 0.0, 0.0],
        sure=[1.0, 0.0, 0.0, 0.0],
    )
    given_values = answer_values(made)
    over_ties = values_over_ties(
        given_values, made, scores, questions(lucky=0, unlucky=0, beaten=0, sure=0, silent=0)
    )
    answered = {"lucky": 0.25, "unlucky": pytest.approx(1 / 3), "beaten": 0.0, "sure": 1.0}
    assert over_ties == {
        "accuracy_over_ties": {**answered, "silent": 0.0},
        "selective_accuracy_over_ties": answered,
    }
    assert compared_values({**given_values, **over_ties, "answered": {"sure": 1.0}}) == {
        "accuracy": {**answered, "silent": 0.0},
        "selective_accuracy": answered,
        "answered": {"sure": 1.0},
    }


def test_what_does_not_tie_or_does_not_tell_what_tied_counts_as_it_was_given() -> None:
    asked = questions(one=0, two=0)
    sure = tied_predictions(one=("none", True, False))
    assert values_over_ties(answer_values(sure), sure, option_chains(one=[1.0, 1.0]), asked) == {}
    made = tied_predictions(
        one=(tie_rule(3, "equal scores"), True, False), two=(tie_rule(2, "equal scores"), True, False)
    )
    untold = option_chains(one=[1.0, 1.0], two=[1.0, 1.0])
    over_ties = values_over_ties(answer_values(made), made, untold, asked)
    assert over_ties == {"accuracy_over_ties": {"one": 1.0, "two": 0.5}}
    assert compared_values(answer_values(made)) == answer_values(made)


def test_an_option_that_scores_alike_by_chance_is_no_stronger_baseline_for_its_place() -> None:
    """Every key is the first option: an arm whose options all tie takes it, and is worth chance."""
    names = [f"q{number}" for number in range(40)]
    ties = tied_predictions(**{name: (tie_rule(4, "equal scores"), True, False) for name in names})
    asked, scores = questions(**dict.fromkeys(names, 0)), option_chains(**{name: [0.0] * 4 for name in names})
    lucky = answer_values(ties)
    half = {"accuracy": {name: float(number % 2) for number, name in enumerate(names)}}
    arms = {
        "tied": compared_values({**lucky, **values_over_ties(lucky, ties, scores, asked)}),
        "half": half,
        "none": {"accuracy": dict.fromkeys(names, 0.0)},
    }
    rows = pa.concat_tables([difference_rows("mine", "quiz", arms, name) for name in ("tied", "half")])
    strongest = {
        row["arm"]: row["baseline_arm"]
        for row in with_strongest_baselines(rows, {"tied", "half"}).to_pylist()
        if row["is_strongest_baseline"]
    }
    assert strongest["none"] == "half"
    [minus] = [row for row in rows.to_pylist() if (row["arm"], row["baseline_arm"]) == ("half", "tied")]
    assert (minus["baseline_value"], minus["value"]) == (0.25, 0.25)


def test_accuracy_is_selective_only_where_some_are_answered_and_some_are_not() -> None:
    answered, silent = ("a", True, False, 0.9), ("b", False, True, None)
    assert answer_values(predictions(answered)) == {"accuracy": {"a": 1.0}}
    assert answer_values(predictions(silent)) == {"accuracy": {"b": 0.0}}
    assert answer_values(predictions(silent, answered))["selective_accuracy"] == {"a": 1.0}


def test_no_prediction_has_no_accuracy() -> None:
    assert answer_values(predictions()) == {}
    rows = score_rows(EXPERIMENT, {}, predictions(), chains(), questions(a=1))
    assert rows.num_rows == 0
    assert rows.schema.equals(BENCHMARK_SCORES.schema)


def test_scores_have_wilson_intervals_for_shares_and_bootstraps_for_means() -> None:
    made = predictions(*((name, name in "abc", False, 0.5) for name in "abcd"))
    per_question = {**answer_values(made), "mrr": {"a": 1.0, "b": 0.5, "c": 0.25, "d": 0.0}}
    rows = score_rows(
        EXPERIMENT, per_question, made, chains("valid", "valid", "unknown"), questions(a=1, b=1, c=1, d=1)
    )
    conform(rows, BENCHMARK_SCORES)
    assert rows.column("metric").to_pylist() == sorted(rows.column("metric").to_pylist())
    scores = by_metric(rows)
    assert scores.keys() == {
        "accuracy",
        "accuracy@50",
        "accuracy@80",
        "answered",
        "calibration_error",
        "chance_accuracy",
        "citation_validity",
        "majority_accuracy",
        "mrr",
        "risk_coverage_area",
    }
    oracle = stats.binomtest(3, 4).proportion_ci(method="wilson")
    assert (scores["accuracy"]["low"], scores["accuracy"]["high"]) == pytest.approx((oracle.low, oracle.high))
    assert scores["mrr"]["value"] == 0.4375
    assert 0 <= scores["mrr"]["low"] < 0.4375 < scores["mrr"]["high"] <= 1
    assert scores["citation_validity"]["value"] == pytest.approx(2 / 3)
    assert scores["citation_validity"]["n"] == 3
    assert scores["chance_accuracy"]["value"] == 0.25
    assert (scores["majority_accuracy"]["value"], scores["majority_accuracy"]["n"]) == (1.0, 4)
    assert scores["calibration_error"]["value"] == pytest.approx(0.25)
    assert 0 <= scores["calibration_error"]["low"] <= 0.25 <= scores["calibration_error"]["high"] <= 1
    assert (scores["chance_accuracy"]["low"], scores["chance_accuracy"]["high"]) == (None, None)


def test_the_share_of_options_chosen_for_their_place_is_told() -> None:
    made = predictions(*((name, True, name == "d", None) for name in "abcde"))
    rules = ["none", tie_rule(3, "equal scores"), "undecided: a word is left", tie_rule(2, "by node"), "none"]
    tied = made.set_column(made.schema.get_field_index("tie_break"), "tie_break", pa.array(rules))
    of_each = questions(a=1, b=1, c=1, d=1, e=1)
    scores = by_metric(score_rows(EXPERIMENT, answer_values(tied), tied, chains(), of_each))
    assert (scores["tied"]["value"], scores["tied"]["n"]) == (0.25, 4), "what is abstained on chose nothing"
    untied = by_metric(score_rows(EXPERIMENT, answer_values(made), made, chains(), of_each))
    assert "tied" not in untied


def test_verdicts_have_scores_by_label_and_intervals_over_tables() -> None:
    made = predictions(*((name, name in "ab", False, None) for name in "abcd"))
    made = made.drop_columns(["gold"])
    labels = {"gold": ["yes", "no", "no", "no"], "predicted": ["yes", "no", "yes", None]}
    for name, values in labels.items():
        made = made.append_column(name, pa.array(values, pa.string()))
    claim_rows = questions(a=0, b=0, c=0, d=0)
    claim_rows = claim_rows.set_column(1, "options", pa.array([["yes", "no"]] * 4))
    of_tables = claim_rows.set_column(2, "table_id", pa.array(["t", "t", "u", None]))
    alone, together = (
        by_metric(score_rows(EXPERIMENT, answer_values(made), made, chains(), rows))
        for rows in (claim_rows, of_tables)
    )
    assert alone["precision:yes"]["value"] == 0.5
    assert alone["recall:no"]["value"] == pytest.approx(1 / 3)
    assert alone["majority_accuracy"]["value"] == 0.75
    assert alone["accuracy"]["value"] == together["accuracy"]["value"] == 0.5
    oracle = stats.binomtest(2, 4).proportion_ci(method="wilson")
    assert alone["accuracy"]["low"] == pytest.approx(oracle.low)
    assert (together["accuracy"]["low"], together["accuracy"]["high"]) == (0.0, 1.0)


def test_questions_of_one_table_are_no_surer_than_as_many_of_their_own() -> None:
    """Draws of the only table are all equal: the interval had no width."""
    made = predictions(("a", True, False, None), ("b", False, False, None), ("c", True, False, None))
    question_rows = questions(a=0, b=0, c=0)
    of_one_table = question_rows.set_column(2, "table_id", pa.array(["t", "t", "t"]))
    alone, together = (
        by_metric(score_rows(EXPERIMENT, answer_values(made), made, chains(), rows))["accuracy"]
        for rows in (question_rows, of_one_table)
    )
    assert (together["low"], together["high"]) == (alone["low"], alone["high"])


def test_questions_without_a_key_are_not_scored() -> None:
    made = predictions(("a", True, False, 0.9), ("b", False, False, 0.8))
    made = made.set_column(4, "gold", pa.array(["the key", None], pa.string()))
    values = answer_values(made)
    assert values == {"accuracy": {"a": 1.0}}
    scores = by_metric(score_rows(EXPERIMENT, values, made, chains(), questions(a=0, b=0)))
    assert (scores["answered"]["value"], scores["answered"]["n"]) == (1.0, 1)
    assert scores["calibration_error"]["n"] == 1


def test_abstaining_is_scored_where_some_questions_have_no_answer() -> None:
    made = predictions(
        ("a", True, False, 0.9), ("b", True, True, None), ("c", False, False, 0.8), ("d", False, True, None)
    )
    made = made.set_column(4, "gold", pa.array(["the key", NO_ANSWER, NO_ANSWER, "the key"], pa.string()))
    scores = by_metric(
        score_rows(EXPERIMENT, answer_values(made), made, chains(), questions(a=0, b=0, c=0, d=0))
    )
    assert (scores["abstention_recall"]["value"], scores["abstention_recall"]["n"]) == (0.5, 2)
    assert (scores["abstention_precision"]["value"], scores["abstention_precision"]["n"]) == (0.5, 2)
    assert scores["accuracy"]["value"] == 0.5


def test_without_any_confidence_nothing_is_said_about_calibration() -> None:
    made = predictions(("a", True, False, None))
    rows = score_rows(EXPERIMENT, answer_values(made), made, chains(), questions(a=1))
    assert "calibration_error" not in by_metric(rows)
    assert "citation_validity" not in by_metric(rows)


def test_differences_are_paired_on_shared_questions() -> None:
    values = {
        "full": {"accuracy": {"a": 1.0, "b": 1.0, "only_ours": 0.0}, "mrr": {"a": 1.0}},
        "base": {"accuracy": {"a": 1.0, "b": 0.0, "only_theirs": 1.0}},
        "none": {"accuracy": {"somewhere_else": 1.0}},
    }
    rows = difference_rows("mine", "quiz", values, "base")
    conform(rows, SCORE_DIFFERENCES)
    [row] = rows.to_pylist()
    assert row["value"] == 0.5
    assert row["n"] == 2
    assert (row["arm"], row["baseline_arm"], row["metric"]) == ("full", "base", "accuracy")
    assert row["low"] <= 0.5 <= row["high"]


def test_the_strongest_of_the_baselines_is_told_for_each_arm_and_metric() -> None:
    questions = ("a", "b", "c", "d")

    def accuracies(*right: str) -> dict[str, dict[str, float]]:
        return {"accuracy": {question: float(question in right) for question in questions}}

    values = {
        "full": accuracies("a", "b", "c") | {"mrr": {"a": 1.0}},
        "nearest": accuracies("a", "b") | {"mrr": {"a": 0.5}},
        "bm25": accuracies("c"),
        "equal": accuracies("c", "d"),
        "better": accuracies(*questions),
    }
    compared = ("better", "bm25", "nearest", "equal")
    rows = pa.concat_tables(difference_rows("mine", "quiz", values, baseline) for baseline in compared)
    assert not any(rows.column("is_strongest_baseline").to_pylist())
    marked = with_strongest_baselines(rows, {"bm25", "nearest", "equal"})
    conform(marked, SCORE_DIFFERENCES)
    strongest = {
        (row["arm"], row["metric"]): (row["baseline_arm"], row["baseline_value"])
        for row in marked.to_pylist()
        if row["is_strongest_baseline"]
    }
    assert strongest == {
        ("full", "accuracy"): ("nearest", 0.5),
        ("full", "mrr"): ("nearest", 0.5),
        ("nearest", "accuracy"): ("equal", 0.5),
        ("bm25", "accuracy"): ("nearest", 0.5),
        ("equal", "accuracy"): ("nearest", 0.5),
        ("better", "accuracy"): ("nearest", 0.5),
    }


def test_a_baseline_of_some_questions_alone_is_not_the_strongest_of_all() -> None:
    full = {"accuracy": dict.fromkeys("abcd", 1.0)}
    values = {
        "full": full,
        "nearest": {"accuracy": {"a": 0.0, "b": 0.0, "c": 1.0, "d": 0.0}},
        "majority": {"accuracy": {"a": 1.0, "b": 1.0}},
    }
    rows = pa.concat_tables(difference_rows("s", "b", values, name) for name in ("nearest", "majority"))
    marked = with_strongest_baselines(rows, {"nearest", "majority"}).to_pylist()
    [strongest] = [row for row in marked if row["arm"] == "full" and row["is_strongest_baseline"]]
    assert (strongest["baseline_arm"], strongest["n"]) == ("nearest", 4)


def test_tests_are_corrected_for_the_arms_held_against_one_baseline() -> None:
    ids = [str(number) for number in range(8)]
    values = {
        "base": {"accuracy": dict.fromkeys(ids, 0.0), "mrr": dict.fromkeys(ids, 0.2)},
        "better": {"accuracy": dict.fromkeys(ids, 1.0), "mrr": dict.fromkeys(ids, 0.2)},
        "same": {"accuracy": dict.fromkeys(ids, 0.0)},
    }
    rows = with_correction(difference_rows("mine", "quiz", values, "base")).to_pylist()
    by_arm = {(row["arm"], row["metric"]): row for row in rows}
    better, same = by_arm["better", "accuracy"], by_arm["same", "accuracy"]
    # Eight questions that one arm alone gets right: 2 / 2 ** 8.
    assert (better["test"], better["p_value"]) == ("mcnemar", pytest.approx(2 / 256))
    assert (better["p_holm"], better["comparisons"]) == (pytest.approx(4 / 256), 2)
    assert (same["p_value"], same["p_holm"]) == (1.0, 1.0)
    by_rank = by_arm["better", "mrr"]
    assert (by_rank["test"], by_rank["p_value"], by_rank["comparisons"]) == ("paired bootstrap", 1.0, 1)


def test_what_the_question_alone_found_is_told_from_what_options_found() -> None:
    predictions = pa.table({"question_id": ["a", "b", "c"], "abstained": [False, True, False]})
    selected = pa.table({"question_id": ["a", "a", "b"], "candidate": [-1, 0, -1]})
    assert answered_values(predictions, selected) == {
        "answered": {"a": 1.0, "b": 0.0, "c": 1.0},
        "question_only": {"a": 0.0, "b": 1.0},
    }


def test_without_a_baseline_there_is_no_difference() -> None:
    rows = difference_rows("mine", "quiz", {"full": {"accuracy": {"a": 1.0}}}, "base")
    assert rows.num_rows == 0
    assert rows.schema.equals(SCORE_DIFFERENCES.schema)


def test_every_arm_is_held_against_chance_and_the_majority() -> None:
    question_rows = keyed({**KEYS, "b": 0})
    constants = constant_values(question_rows)
    assert constants["chance"]["accuracy"] == dict.fromkeys(("a", "b", "c", "free"), 0.25)
    assert constants["majority"]["accuracy"] == {"a": 1.0, "b": 1.0, "c": 0.0, "free": 1.0}
    values = {"full": {"accuracy": {"a": 1.0, "c": 1.0, "open": 0.0}}}
    rows = [
        row
        for name, constant in constants.items()
        for row in difference_rows("s", "b", {**values, name: constant}, name).to_pylist()
    ]
    assert [(row["arm"], row["baseline_arm"], row["value"], row["n"]) for row in rows] == [
        ("full", "chance", 0.75, 2),
        ("full", "majority", 0.5, 2),
    ]


def test_nothing_constant_is_right_where_there_are_no_options() -> None:
    assert constant_values(keyed(dict.fromkeys(KEYS))) == {}


def test_an_arms_mean_is_of_what_the_benchmark_still_asks() -> None:
    questions = pa.table({"question_id": ["q1", "q2"], "table_id": [None, None]})
    values = {"now": {"accuracy": {"q1": 1.0, "q2": 0.0}}, "once": {"accuracy": {"q1": 1.0, "gone": 0.0}}}
    estimates = arm_estimates(values, "accuracy", questions)
    assert {arm: estimate.value for arm, estimate in estimates.items()} == {"once": 1.0, "now": 0.5}
    assert arm_estimates({"gone": {"accuracy": {"gone": 1.0}}}, "accuracy", questions) == {}
