"""Measures of a harvested graph against known answers, scikit-learn, literal loops and simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import binomtest, hypergeom
from sklearn.metrics import average_precision_score, cohen_kappa_score

from evidence_assets.extraction import quality
from evidence_assets.extraction.quality import (
    average_precision,
    cohens_kappa,
    diversity,
    entity_novelty,
    extracted_facts,
    judged_precision,
    novel_only,
    novelty,
    similarity_accuracy,
)
from evidence_assets_tests.testing.profiles import examples

WORDS = st.sampled_from(
    ["cat", "cats", "The Cat", "a dog", "dog", "Dogs", "the", "one", "?!", "ice cream", "knives"]
)
PAIRS = st.lists(st.tuples(WORDS, WORDS), max_size=12)
FLAGS = st.lists(st.booleans(), min_size=1, max_size=60)


# Counts


def test_facts_are_two_a_pair_and_unique_entities_are_of_normal_form() -> None:
    pairs = [("pen", "writing"), ("Pen", "ice  cream"), ("ice cream", "pen"), ("pens", "writing")]
    assert extracted_facts(pairs) == 8
    assert diversity(pairs) == 4
    assert extracted_facts([]) == diversity([]) == 0


@given(PAIRS)
def test_there_are_no_more_unique_entities_than_entities(pairs: list[tuple[str, str]]) -> None:
    assert (diversity(pairs) > 0) == bool(pairs)
    assert diversity(pairs) <= extracted_facts(pairs)
    assert diversity(pairs + pairs[::-1]) == diversity(pairs)


# Novelty


def test_plurals_articles_and_capitals_make_no_novelty() -> None:
    pairs = [
        ("pens", "writing"),
        ("The Pen", "writing"),
        ("PEN", "Writing"),
        ("writing", "pen"),
        ("pen", "cat"),
    ]
    result = novelty(pairs, [("pen", "writing"), ("pencil", "cat")])
    assert result == quality.Novelty(share=2 / 5, by_spelling=4 / 5, n=5)


def test_entities_count_once_and_are_known_from_any_relation() -> None:
    pairs = [("pens", "ink"), ("Pens", "quill"), ("quill", "vellum")]
    assert entity_novelty(pairs, ["a pen", "ink", "dog"]) == quality.Novelty(2 / 4, 3 / 4, 4)


def test_entities_without_lemmas_are_not_all_one() -> None:
    assert novelty([("the", "cat")], [("one", "cat")]).share == 1
    assert novelty([("?!", "cat")], [("...", "cat")]).share == 1
    assert entity_novelty([("?!", "the")], ["one", " ?! "]) == quality.Novelty(0.5, 0.5, 2)


def test_all_is_new_to_an_empty_reference() -> None:
    assert novelty([("pen", "ink")], []) == quality.Novelty(1.0, 1.0, 1)
    assert entity_novelty([("pen", "ink")], []) == quality.Novelty(1.0, 1.0, 2)


def test_novelty_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one pair"):
        novelty([], [("pen", "ink")])
    with pytest.raises(ValueError, match="at least one pair"):
        entity_novelty([], ["pen"])


@given(PAIRS.filter(bool), PAIRS)
def test_novelty_is_a_share_that_spelling_only_raises(
    pairs: list[tuple[str, str]], reference: list[tuple[str, str]]
) -> None:
    result = novelty(pairs, reference)
    assert 0 <= result.share <= result.by_spelling <= 1
    assert novelty(pairs[::-1], reference[::-1]) == result
    assert novelty(pairs, reference + pairs).by_spelling == 0
    assert novelty(pairs, reference + reference).share == result.share
    entities = [entity for pair in reference for entity in pair]
    of_entities = entity_novelty(pairs, entities)
    assert 0 <= of_entities.share <= of_entities.by_spelling <= 1
    assert of_entities.n == diversity(pairs)
    assert entity_novelty(pairs + pairs[:1], entities) == of_entities
    # A pair with an unknown entity is an unknown pair.
    if result.share == 0:
        assert of_entities.share == 0


def test_what_only_one_system_found_keeps_its_places() -> None:
    pairs = [("pen", "ink"), ("Ink", "pen"), ("pens", "ink"), ("cat", "milk")]
    assert novel_only(pairs, [("PEN", " ink "), ("cat", "milk"), ("dog", "bone")]) == [1, 2]
    assert novel_only(pairs, []) == [0, 1, 2, 3]
    assert novel_only([], pairs) == []


@given(PAIRS, PAIRS)
def test_what_is_left_is_the_novel_share(
    pairs: list[tuple[str, str]], reference: list[tuple[str, str]]
) -> None:
    novel = novel_only(pairs, reference)
    assert novel == sorted(set(novel))
    assert novel_only([pairs[number] for number in novel], reference) == list(range(len(novel)))
    if pairs:
        assert len(novel) / len(pairs) == novelty(pairs, reference).by_spelling


# Accuracy by similarity


def units(count: int, size: int, seed: int, precise: type[np.floating] = np.float64) -> NDArray[np.floating]:
    vectors = np.random.default_rng(seed).normal(size=(count, size))
    result: NDArray[np.float64] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return result.astype(precise)


def slow_accuracy(
    candidates: NDArray[np.floating],
    gold: NDArray[np.floating],
    seed: int,
    threshold: float,
    sample: int,
    rounds: int,
    least_share: float,
) -> tuple[float, float]:
    """What the thesis says, word by word: every round, every candidate, every drawn gold tuple."""
    generator = np.random.default_rng(seed)
    scores = []
    for _ in range(rounds):
        drawn = gold if len(gold) <= sample else gold[generator.choice(len(gold), sample, replace=False)]
        score = 0
        for candidate in candidates:
            similar = sum(float(candidate @ gold_vector) > threshold for gold_vector in drawn)
            score += similar >= 1 and similar >= least_share * len(drawn)
        scores.append(score / len(candidates))
    return float(np.mean(scores)), float(np.std(scores))


@pytest.mark.parametrize("least_share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize(("gold_rows", "sample"), [(40, 10), (10, 10), (4, 10), (30, 1)])
def test_accuracy_is_the_literal_protocols(
    gold_rows: int, sample: int, least_share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidates, gold = units(37, 3, 1), units(gold_rows, 3, 2)
    accuracy = similarity_accuracy(
        candidates, gold, seed=5, threshold=0.3, sample=sample, rounds=9, least_share=least_share
    )
    mean, deviation = slow_accuracy(candidates, gold, 5, 0.3, sample, 9, least_share)
    assert accuracy.mean == pytest.approx(mean, abs=1e-12)
    assert accuracy.deviation == pytest.approx(deviation, abs=1e-12)
    assert (accuracy.n, accuracy.drawn) == (37, min(gold_rows, sample))
    # However few candidates are compared at once.
    monkeypatch.setattr(quality, "_CELLS", 7)
    again = similarity_accuracy(
        candidates, gold, seed=5, threshold=0.3, sample=sample, rounds=9, least_share=least_share
    )
    assert again == accuracy


@pytest.mark.parametrize(("least_share", "needed"), [(0.0, 1), (0.07, 7), (0.5, 50)])
def test_the_mean_over_rounds_nears_what_chance_makes_of_it(least_share: float, needed: int) -> None:
    """A candidate near h of m gold tuples is right by the hypergeometric law; 7 % of 100 is 7, not 8."""
    candidates, gold = units(60, 4, 3), units(700, 4, 4)
    near = (candidates @ gold.T > 0.1).sum(axis=1) if least_share else (candidates @ gold.T > 0.9).sum(axis=1)
    expected = hypergeom.sf(needed - 1, len(gold), near, 100).mean()
    accuracy = similarity_accuracy(
        candidates, gold, seed=0, threshold=0.1 if least_share else 0.9, rounds=400, least_share=least_share
    )
    assert accuracy.mean == pytest.approx(expected, abs=4 * accuracy.deviation / 20 + 1e-9)


def test_table_5_6_takes_the_fiftieth_of_a_hundred() -> None:
    """The text says more than half and then at least 50 of 100."""
    gold = np.repeat(np.eye(2), 50, axis=0)
    candidate = np.array([[1.0, 0.0]])
    assert similarity_accuracy(candidate, gold, seed=0, least_share=0.5).mean == 1
    assert similarity_accuracy(candidate, gold[1:], seed=0, least_share=0.5).mean == 0
    assert similarity_accuracy(candidate, gold[49:], seed=0).mean == 1


def test_a_share_of_whole_tuples_is_not_rounded_up() -> None:
    """0.07 * 100 is a little more than 7 in floating point."""
    gold = np.repeat(np.eye(2), [7, 93], axis=0)
    assert similarity_accuracy(np.array([[1.0, 0.0]]), gold, seed=0, least_share=0.07).mean == 1
    assert similarity_accuracy(np.array([[1.0, 0.0]]), gold, seed=0, least_share=0.071).mean == 0


def test_a_similarity_has_to_exceed_the_threshold() -> None:
    same = np.array([[1.0, 0.0]])
    assert similarity_accuracy(same, same, seed=0, threshold=1.0).mean == 0
    assert similarity_accuracy(same, same, seed=0) == quality.SimilarityAccuracy(1.0, 0.0, 1, 1)
    # Not even a share of 0 makes right what is like nothing.
    assert similarity_accuracy(same, -same, seed=0, least_share=0.0).mean == 0


@examples(40)
@given(
    st.integers(1, 12), st.integers(1, 20), st.integers(1, 8), st.floats(-0.9, 0.9), st.integers(0, 2**32 - 1)
)
def test_accuracy_is_a_share_that_falls_as_more_is_asked(
    rows: int, gold_rows: int, sample: int, threshold: float, seed: int
) -> None:
    candidates, gold = units(rows, 3, seed), units(gold_rows, 3, seed + 1)

    def accuracy(**settings: float) -> float:
        options: dict[str, float] = {"threshold": threshold, **settings}
        return similarity_accuracy(candidates, gold, seed=seed, sample=sample, rounds=5, **options).mean

    default = accuracy()
    assert 0 <= default <= 1
    assert default == accuracy()
    assert accuracy(least_share=1.0) <= accuracy(least_share=0.5) <= default
    assert accuracy(threshold=threshold + 0.05) <= default
    turned = similarity_accuracy(
        candidates[::-1], gold, seed=seed, threshold=threshold, sample=sample, rounds=5
    )
    assert turned.mean == pytest.approx(default, abs=1e-12)


def test_half_precision_is_compared_in_single() -> None:
    candidates, gold = units(50, 8, 1, np.float16), units(80, 8, 2, np.float16)
    single = similarity_accuracy(
        candidates.astype(np.float32), gold.astype(np.float32), seed=0, threshold=0.5
    )
    assert similarity_accuracy(candidates, gold, seed=0, threshold=0.5) == single


@pytest.mark.parametrize(
    ("candidates", "gold", "message"),
    [
        (units(2, 3, 0), units(2, 4, 0), r"\(2, 3\) and gold \(2, 4\)"),
        (units(2, 3, 0)[0], units(2, 3, 0), r"\(3,\) and gold \(2, 3\)"),
        (units(0, 3, 0), units(2, 3, 0), "at least one candidate"),
        (units(2, 3, 0), units(0, 3, 0), "at least one gold"),
        (2 * units(2, 3, 0), units(2, 3, 0), "candidate vectors are not of unit length"),
        (units(2, 3, 0), np.full((2, 3), np.nan), "gold tuple vectors are not of unit length"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(
    candidates: NDArray[np.floating], gold: NDArray[np.floating], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        similarity_accuracy(candidates, gold, seed=0)


@pytest.mark.parametrize(
    "setting", [{"sample": 0}, {"rounds": 0}, {"least_share": -0.1}, {"least_share": 1.1}]
)
def test_settings_out_of_range_are_refused(setting: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"at least 1|not in \[0, 1\]"):
        similarity_accuracy(units(2, 3, 0), units(2, 3, 0), seed=0, **setting)  # type: ignore[arg-type]


# Judges


def test_precision_and_noise_are_complements_with_wilsons_interval() -> None:
    precision, noisy = judged_precision([True] * 17 + [False] * 3)
    oracle = binomtest(17, 20).proportion_ci(method="wilson")
    assert (precision.value, noisy.value) == (0.85, 0.15)
    assert (precision.low, precision.high) == pytest.approx((oracle.low, oracle.high))
    assert noisy.low == pytest.approx(1 - precision.high)
    assert noisy.high == pytest.approx(1 - precision.low)
    assert precision.n == noisy.n == 20
    assert judged_precision(np.array([True, False]))[0].value == 0.5


@pytest.mark.parametrize("labels", [[], np.ones((2, 2), dtype=bool)])
def test_labels_that_are_no_list_are_refused(labels: Sequence[bool]) -> None:
    with pytest.raises(ValueError, match="labels"):
        judged_precision(labels)


def test_kappa_by_hand() -> None:
    """Cohen's table: 20 and 15 agreed of 50, of 25 and 30 yes: (0.7 - 0.5) / (1 - 0.5)."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohens_kappa(first, second) == pytest.approx(0.4)


def test_kappa_goes_from_minus_one_to_one_and_may_be_undefined() -> None:
    assert cohens_kappa([True, False], [True, False]) == 1
    assert cohens_kappa([True, False], [False, True]) == -1
    assert cohens_kappa([True, True], [True, False]) == 0
    assert cohens_kappa([True, True], [False, False]) == 0
    assert math.isnan(cohens_kappa([True, True], [True, True]))


@examples(100)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=40))
def test_kappa_is_scikit_learns(labels: list[tuple[int, int]]) -> None:
    first, second = map(list, zip(*labels, strict=True))
    kappa = cohens_kappa(first, second)
    if set(first) == set(second) and len(set(first)) == 1:
        assert math.isnan(kappa)
        return
    assert kappa == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    assert -1 <= kappa <= 1
    assert cohens_kappa(second, first) == kappa
    names = {0: "wrong", 1: "right", 2: "unclear"}
    assert cohens_kappa([names[label] for label in first], [names[label] for label in second]) == kappa


def test_judges_who_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="2 labels do not pair with 1"):
        cohens_kappa([True, True], [True])
    with pytest.raises(ValueError, match="at least one item"):
        cohens_kappa([], [])


# Ranked lists


def test_ranked_lists_by_hand() -> None:
    attested = [True, False, True, False, False]
    assert average_precision(attested) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([False, False]) == 0


@given(FLAGS)
def test_ranked_lists_against_scikit_learn(attested: list[bool]) -> None:
    precision = average_precision(np.array(attested))
    if any(attested):
        oracle = average_precision_score(attested, -np.arange(len(attested)))
        assert precision == pytest.approx(oracle, abs=1e-12)
        # No order is better than all attested first.
        assert precision <= average_precision(sorted(attested, reverse=True)) == 1


def test_ranked_lists_that_do_not_fit_are_refused() -> None:
    refused: list[list[bool] | NDArray[np.bool_]] = [[], np.ones((2, 2), dtype=bool)]
    for attested in refused:
        with pytest.raises(ValueError, match="attested"):
            average_precision(attested)
