"""Which paths count for what is asked, and which options an answer may be."""

from __future__ import annotations

import math

import pytest

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import unit_of_path
from evidence_assets.systems.ugat_medqa.option_eligibility import (
    OptionEligibility,
    OptionPath,
    asks_what_is_denied,
    option_eligibility,
    weighed,
)

PLAIN, EXCEPTION, AGAINST = "What treats asthma?", "Which does NOT treat asthma?", "What to avoid?"
AGAINST_EXCEPT = "All are contraindicated in asthma except"


def path(denies: bool = False, conflicts: int = 0, score: float = 0.5, cost: float = 2.0) -> OptionPath:
    return OptionPath(Selected(unit_of_path("p", "A.", ["t"]), score, []), cost, denies, conflicts)


@pytest.mark.parametrize(
    "question",
    [
        "Ergometrine is contraindicated in:",
        "Which drug is contra-indicated in pregnancy?",
        "He has asthma and K+ levels of 5.5 mEq/L. Which of the following drugs is best avoided?",
        "Which one of the following drugs you would like to avoid –",
        "Which drugs should be avoided by a patient with gout?",
        "Morphine should not be used in the treatment of:-",
        "Hormone replacement therapy is not indicated in:",
        "Drug not used in H. pylori?",
        "Contraindications of the band and loop are all except",
        "Which is NOT a contraindication of aspirin?",
    ],
)
def test_questions_whose_options_are_claimed_to_be_denied(question: str) -> None:
    assert asks_what_is_denied(question)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Which drug treats asthma?",
        # The exception among what is given: the negation is the question's, not the claim's.
        "Which of the following is not used in asthma?",
        "All of these are given in asthma except",
        "DPT vaccine is not contraindicated in?",
        # The scene, a reason, a means.
        "Aspirin is contraindicated. What is given instead?",
        "What is given when aspirin is contraindicated?",
        "Nitrous oxide alone is not used because of",
        "The use of stress breakers is avoided because",
        "Failure of partial dentures can best be avoided by:",
        "A driver applied the brake to avoid a collision. What is injured?",
    ],
)
def test_questions_that_claim_no_denial(question: str) -> None:
    assert not asks_what_is_denied(question)


@pytest.mark.parametrize(
    ("question", "weights"),
    [(PLAIN, [1, 0, 0.5]), (EXCEPTION, [1, 0, 0.5]), (AGAINST, [0, 1, 0.5]), (AGAINST_EXCEPT, [0, 1, 0.5])],
)
def test_what_a_path_counts(question: str, weights: list[float]) -> None:
    paths = {0: [path()], 1: [path(denies=True), path(denies=True, conflicts=2)]}
    weighed_paths = weighed(question, paths)
    assert [
        weighed_path.weight for of_option in weighed_paths.values() for weighed_path in of_option
    ] == weights
    # Where nothing denies, nothing can be asked of it.
    assert [
        weighed_path.weight for weighed_path in weighed(question, {0: [path(), path(conflicts=1)]})[0]
    ] == [1, 0.5]


def test_a_weight_is_a_share_of_the_score_and_of_how_often_a_path_is_taken() -> None:
    [full, half, none] = weighed(PLAIN, {0: [path(), path(conflicts=1), path(denies=True)]})[0]
    assert [weighed_path.score for weighed_path in (full, half, none)] == [0.5, 0.25, 0]
    assert [weighed_path.cost for weighed_path in (full, none)] == [2.0, math.inf]
    assert math.exp(-half.cost) == pytest.approx(math.exp(-full.cost) / 2)


def eligibility(question: str, *denies: bool | None) -> OptionEligibility:
    paths = {option: [path(denies=denial)] for option, denial in enumerate(denies) if denial is not None}
    return option_eligibility(question, len(denies), weighed(question, paths))


def test_options_are_supported_opposed_or_neither() -> None:
    standing = eligibility(PLAIN, False, True, None, None)
    assert [set(options) for options in (standing.supported, standing.opposed)] == [{0}, {1}]
    assert (standing.options, standing.negated) == (4, False)
    assert eligibility(AGAINST, False, True).supported == {1}
    mixed = option_eligibility(PLAIN, 1, weighed(PLAIN, {0: [path(), path(denies=True)]}))
    assert [set(mixed.supported), set(mixed.opposed)] == [{0}, set()]


@pytest.mark.parametrize(
    ("question", "denies", "grounded", "any_other"),
    [
        (PLAIN, (False, True, None, None), {0}, {0, 2, 3}),
        (PLAIN, (True, True, None), set(), {2}),
        # All are opposed: an arm that answers everything still does.
        (PLAIN, (True, True), set(), {0, 1}),
        (PLAIN, (None, None), set(), {0, 1}),
        (EXCEPTION, (False, True, None, None), {1}, {1}),
        (EXCEPTION, (False, False, None, None), {0, 1, 2, 3}, {0, 1, 2, 3}),
        (EXCEPTION, (None, None), set(), {0, 1}),
        (AGAINST, (False, True, None), {1}, {1, 2}),
        (AGAINST, (False, False, None), {0, 1}, {0, 1, 2}),
        (AGAINST_EXCEPT, (False, True, None), {0}, {0}),
    ],
)
def test_which_options_an_answer_may_be(
    question: str, denies: tuple[bool | None, ...], grounded: set[int], any_other: set[int]
) -> None:
    standing = eligibility(question, *denies)
    assert standing.eligible(grounded=True) == grounded
    assert standing.eligible(grounded=False) == any_other
