"""Metrics by label, against scikit-learn; intervals of questions that share a table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, precision_recall_fscore_support

from evidence_assets.evaluation.labels import MEAN, f1_bounds, label_estimates, shared_labels
from evidence_assets.evaluation.metrics import clustered_mean, mean
from evidence_assets_tests.testing.profiles import examples

LABELS = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION")
PREDICTIONS = st.sampled_from([*LABELS, None])


@examples(200)
@given(pairs=st.lists(st.tuples(st.sampled_from(LABELS), PREDICTIONS), min_size=1, max_size=40))
def test_labels_are_scored_as_scikit_learn_does(pairs: list[tuple[str, str | None]]) -> None:
    gold, predicted = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    estimates = label_estimates(gold, predicted, LABELS)
    precision, recall, f1, support = precision_recall_fscore_support(
        gold, [label or "none" for label in predicted], labels=list(LABELS), zero_division=np.nan
    )
    for place, label in enumerate(LABELS):
        if label in predicted:
            assert estimates[f"precision:{label}"].value == pytest.approx(precision[place])
        else:
            assert f"precision:{label}" not in estimates
        assert (f"recall:{label}" in estimates) == (support[place] > 0)
        if support[place]:
            assert estimates[f"recall:{label}"].value == pytest.approx(recall[place])
            assert estimates[f"f1:{label}"].value == pytest.approx(np.nan_to_num(f1[place]))
    wanted = [estimates[f"f1:{label}"].value for label in LABELS if f"f1:{label}" in estimates]
    assert estimates["macro_f1"].value == pytest.approx(np.mean(wanted))
    assert estimates["majority_accuracy"].value == max(gold.count(label) for label in LABELS) / len(gold)


def test_labels_are_shared_where_every_question_has_them() -> None:
    assert shared_labels([LABELS, LABELS]) == LABELS
    assert shared_labels([LABELS, LABELS[:2]]) == ()
    assert shared_labels([LABELS]) == ()
    assert shared_labels([]) == ()


def test_what_does_not_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="do not pair"):
        label_estimates(["a"], [], ["a"])


def test_questions_of_one_table_stand_or_fall_together() -> None:
    random = np.random.default_rng(1)
    of_table = random.random(60) < 0.5
    values = np.repeat(of_table, 20).astype(float)
    clusters = [f"t{place}" for place in np.repeat(np.arange(60), 20)]
    alone, together = mean(values), clustered_mean(values, clusters)
    assert together.value == alone.value == values.mean()
    assert together.n == len(values)
    # Twenty equal questions a table: the interval is that of sixty, about as wide times the root of twenty.
    widths = (together.high - together.low) / (alone.high - alone.low)
    assert 3.5 < widths < 5.5


def test_tables_of_one_question_each_change_nothing_but_the_draws() -> None:
    values = np.random.default_rng(2).random(400)
    alone, together = mean(values), clustered_mean(values, [str(place) for place in range(400)])
    assert together.value == pytest.approx(alone.value)
    assert (together.low, together.high) == pytest.approx((alone.low, alone.high), abs=0.004)


def test_larger_tables_weigh_more() -> None:
    estimate = clustered_mean([1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"])
    assert estimate.value == 0.75
    with pytest.raises(ValueError, match="do not pair"):
        clustered_mean([1.0], [])


def test_intervals_of_f1_are_those_of_drawing_questions_again() -> None:
    random = np.random.default_rng(3)
    gold = random.choice(LABELS, 150, p=[0.5, 0.3, 0.2])
    predicted = np.where(random.random(150) < 0.6, gold, random.choice(LABELS, 150))
    drawn = [random.integers(0, 150, 150) for _ in range(400)]
    macro = [f1_score(gold[rows], predicted[rows], labels=list(LABELS), average="macro") for rows in drawn]
    first = [f1_score(gold[rows], predicted[rows], labels=[LABELS[0]], average="macro") for rows in drawn]
    bounds = f1_bounds(gold.tolist(), predicted.tolist(), LABELS)
    assert bounds[MEAN] == pytest.approx(np.quantile(macro, [0.025, 0.975]), abs=0.02)
    assert bounds[LABELS[0]] == pytest.approx(np.quantile(first, [0.025, 0.975]), abs=0.02)


def test_the_interval_does_not_depend_on_the_order_of_questions() -> None:
    gold, predicted = ["a", "a", "b", "b", "b"], ["a", None, "b", "a", "b"]
    assert f1_bounds(gold, predicted, ("a", "b")) == f1_bounds(gold[::-1], predicted[::-1], ("a", "b"))


def test_a_label_that_is_never_gold_has_no_interval() -> None:
    assert set(f1_bounds(["a", "a"], ["a", "b"], ("a", "b"))) == {"a", MEAN}
