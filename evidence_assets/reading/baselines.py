"""Cheap baselines of multiple choice: options scored without evidence, or by what a single look-up returns.

Every scorer returns one score an option, the higher the likelier. Scores are no probabilities.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray

Scores = NDArray[np.float64]
# Cosines are rounded so that equal options score equally, whatever row of a matrix product they stood in.
_DECIMALS = 6

# Readers by the names of their arms: by the best retrieval score, by the cosine of question and option, by
# the number of characters.
NEAREST, OPTION_COSINE, LONGEST_OPTION = "nearest", "option_cosine", "longest_option"
# What a constant reaches: each option alike, and the position that is right most often.
CHANCE, MAJORITY = "chance", "majority"


def option_cosine(question: FloatArray, options: FloatArray) -> Scores:
    """Score each option by its cosine to the question: (d,) and (n, d), unit vectors, to (n,)."""
    scores: Scores = (options @ question).astype(np.float64).round(_DECIMALS)
    return scores


def longest_option(options: Sequence[str]) -> Scores:
    """Score each option by its number of characters, spaces at its ends left out: (n,)."""
    return np.array([len(option.strip()) for option in options], dtype=np.float64)


# What scores options without evidence, from the question's unit vector, the options' and their texts.
NO_EVIDENCE: Mapping[str, Callable[[FloatArray, FloatArray, Sequence[str]], Scores]] = {
    OPTION_COSINE: lambda question, options, texts: option_cosine(question, options),
    LONGEST_OPTION: lambda question, options, texts: longest_option(texts),
}


def best_retrieved(scores: Sequence[Sequence[float]]) -> Scores:
    """Score each option by the best of its retrieval scores; one without any is below all others: (n,)."""
    return np.array([max(of_option, default=-np.inf) for of_option in scores], dtype=np.float64)


def chance(options: Sequence[str], right: int) -> float:
    """Return the expected accuracy of choosing blindly: the share of the options that say what is right."""
    return options.count(options[right]) / len(options)


def majority_position(right: Iterable[int]) -> int:
    """Return the position that is right most often; of equals the first.

    Raises:
        ValueError: there is no question.
    """
    counts = Counter(right)
    if not counts:
        raise ValueError("no question, so no position that is right most often")
    return min(counts, key=lambda position: (-counts[position], position))


def expected_accuracy(scores: Sequence[float] | Scores, right: int) -> float:
    """Return the accuracy of choosing blindly among the options that score best."""
    values = np.asarray(scores, dtype=np.float64)
    best = np.flatnonzero(values == values.max())
    return 1 / len(best) if right in best else 0.0


def constant_accuracies(
    questions: Iterable[tuple[str, Sequence[str], int | None]],
) -> dict[str, dict[str, float]]:
    """Return what `chance` and `majority` reach on each question, by baseline and question id.

    Args:
        questions: Id, options, and the place of the right option. Those without options or without a key are
            left out.

    The majority looks at the key of the questions that it is held against: no constant does better.
    """
    keyed = [
        (question_id, list(options), right)
        for question_id, options, right in questions
        if options and right is not None
    ]
    if not keyed:
        return {}
    position = majority_position(right for _, _, right in keyed)
    return {
        CHANCE: {question_id: chance(options, right) for question_id, options, right in keyed},
        MAJORITY: {
            question_id: float(position < len(options) and options[position] == options[right])
            for question_id, options, right in keyed
        },
    }
