"""Which option the facts speak for: what is likely by its words, and by the graph's triples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.weighing.combination import softmax

MEASURES = ("text", "direct", "own")
# Of `direct` and `own`, beside 1 for the text. Chosen on half of CommonsenseQA's development questions; the
# benchmark reports the other half.
GRAPH_WEIGHTS = (0.25, 0.75)
# The scores' spread that makes the softmax of them a confidence: fitted with the weights.
_SCALE = 0.5
_DECIMALS = 6

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Support:
    """Scores of an option's best triple that joins it with the question, and of its best triple.

    NaN where there is none.
    """

    direct: float = float("nan")
    best: float = float("nan")


def support_of(scores: Sequence[float], joins: Sequence[bool]) -> Support:
    """Return the support of an option whose facts have these scores."""
    direct = [score for score, joined in zip(scores, joins, strict=True) if joined]
    return Support(max(direct, default=float("nan")), max(scores, default=float("nan")))


def measures_of(question: FloatArray, options: FloatArray, supports: Sequence[Support]) -> Scores:
    """Return (n, 3) the measures of n options, in the order of `MEASURES`, each standardised over them.

    `question` (d,) and `options` (n, d) are unit vectors. An option without facts gets the mean of
    the others: neither support nor the lack of it.
    """
    columns = [
        (options @ question).astype(np.float64).round(_DECIMALS),
        np.array([support.direct for support in supports]),
        np.array([support.best for support in supports]),
    ]
    return np.stack([_standardised(column) for column in columns], axis=1)


def option_scores(
    measures: Scores, weights: tuple[float, float] = GRAPH_WEIGHTS, text: bool = True, negated: bool = False
) -> Scores:
    """Return (n,) scores: text + weights . (direct, own).

    Without `text` the graph's measures decide alone. A negated question asks for what they speak least for.
    """
    sign = -1.0 if negated else 1.0
    graph = sign * (measures[:, 1:] @ np.array(weights))
    scores: Scores = (measures[:, 0] + graph if text else graph).round(_DECIMALS)
    return scores


def probabilities(scores: Scores) -> Scores:
    """Return (n,) the softmax of scores, at the fitted scale."""
    return softmax(_SCALE * scores)


def _standardised(values: Scores) -> Scores:
    defined = ~np.isnan(values)
    if not defined.any():
        return np.zeros(len(values))
    filled = np.where(defined, values, values[defined].mean())
    spread = filled.std()
    return (filled - filled.mean()) / spread if spread > 1e-9 else np.zeros(len(values))
