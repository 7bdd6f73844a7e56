"""What fits the readers' `measured/*.json`: weights of candidates, words that carry nothing.

A log-linear model's weights maximise the marginal likelihood of right candidates: several may be right, and
which of them was meant is not known (Liang, Jordan and Klein 2011; Pasupat and Liang 2015).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import proportion
from evidence_assets.reading.log_linear import Features
from evidence_assets.text.roots import root

# A question's candidates, each with whether it is right.
Candidates = Sequence[tuple[Features, bool]]
_DECIMALS = 3
_MOST_STEPS = 300


def fitted(groups: Sequence[Candidates], penalty: float) -> dict[str, float]:
    """Return the weights of features under which the right candidates are likeliest.

    Args:
        groups: Of each question its candidates, each with whether it is right. A group without a right
            candidate, or without a wrong one, is uninformative and left out.
        penalty: Of the squared weights (ridge).
    """
    from scipy.optimize import minimize

    telling = [group for group in groups if 0 < sum(right for _, right in group) < len(group)]
    if not telling:
        return {}
    feature_names = {name for group in telling for features, _ in group for name in features}
    names = {name: place for place, name in enumerate(sorted(feature_names))}
    matrix, right, starts = _stacked(telling, names)
    sizes = np.diff(np.append(starts, len(right)))
    transposed = matrix.T.tocsr()

    def objective(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = matrix @ weights
        scores -= np.repeat(np.maximum.reduceat(scores, starts), sizes)
        powers = np.exp(np.maximum(scores, -500.0))
        sums, right_sums = np.add.reduceat(powers, starts), np.add.reduceat(powers * right, starts)
        loss = float(np.log(sums).sum() - np.log(right_sums).sum()) + penalty / 2 * float(weights @ weights)
        drawn = powers / np.repeat(sums, sizes) - powers * right / np.repeat(right_sums, sizes)
        return loss, transposed @ drawn + penalty * weights

    optimum = minimize(
        objective, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": _MOST_STEPS}
    )
    return {name: float(optimum.x[place]) for name, place in names.items()}


def _stacked(groups: Sequence[Candidates], names: Mapping[str, int]) -> tuple[Any, Any, Any]:
    """Return the features of all candidates, (n, f) and sparse, which are right, and where groups start."""
    from scipy.sparse import csr_matrix

    values: list[float] = []
    right: list[float] = []
    columns: list[int] = []
    ends, starts = [0], []
    for group in groups:
        starts.append(len(right))
        for features, is_right in group:
            columns += [names[name] for name in features]
            values += features.values()
            ends.append(len(columns))
            right.append(float(is_right))
    shape = len(right), len(names)
    return csr_matrix((values, columns, ends), shape=shape), np.array(right), np.array(starts)


def keep_weights(path: Path, weights: Mapping[str, float], fitted_on: str) -> None:
    """Write weights as `weights_of` reads them, with what they were fitted on; those of zero are left out."""
    kept = {name: round(weight, _DECIMALS) for name, weight in sorted(weights.items())}
    content = {"fitted_on": fitted_on, "weights": {name: weight for name, weight in kept.items() if weight}}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def learn_empty_words(
    outcomes: Iterable[tuple[Sequence[str], bool]], least: int, margin: float
) -> dict[str, tuple[int, int]]:
    """Return the words that carry nothing, each with how often it was left over, and how often rightly so.

    A word carries nothing if answers that left it over alone, or together with others, were right no less
    often than answers that left nothing over, less a margin.

    Args:
        outcomes: For each answer the words it left unaccounted, and whether it was right.
        least: How often a word must have been left over to be judged.
        margin: By how much its lower confidence bound may stay under the share of those that left nothing
            over.
    """
    held = [([root(word.lower()) for word in words], right) for words, right in outcomes]
    fully_bound = [right for words, right in held if not words]
    if not fully_bound:
        return {}
    bar = proportion(sum(fully_bound), len(fully_bound)).value - margin
    left: Counter[str] = Counter(word for words, _ in held for word in set(words))
    right_with: Counter[str] = Counter(word for words, right in held if right for word in set(words))
    return {
        word: (count, right_with[word])
        for word, count in sorted(left.items())
        if count >= least and proportion(right_with[word], count).low >= bar
    }


def keep_empty_words(path: Path, learnt: dict[str, tuple[int, int]], learnt_on: str) -> None:
    """Write words that carry nothing as `empty_words` reads them, with what they were learnt on."""
    content = {"learnt_on": learnt_on, "words": {word: list(counts) for word, counts in learnt.items()}}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
