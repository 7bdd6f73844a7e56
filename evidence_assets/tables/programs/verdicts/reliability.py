"""How likely a verdict is right where nothing of its table's domain has shaped a program or a weight.

Weights that rank programs were fitted on claims that programs were written for, so their probabilities
flatter on others. What is told here was fitted on claims as they were read when their domains were first
opened (`benchmarks.tables.table_reliability`).
"""

from __future__ import annotations

import math

from evidence_assets.reading.log_linear import Features, probabilities, weights_of
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.runs import Run

# Name of the kept weights of verdicts.
VERDICTS = "verdicts"
_LEAST_SHARE = 0.02
# Words are counted in these, so that a penalty on squared weights holds all of them alike.
_FEW, _MANY = 4, 10


def verdict_features(share: float, run: Run, carrying: int) -> Features:
    """Return the features of a verdict.

    `share`: the probability of its programs. `run`: the one that it is told by. `carrying`: how many words of
    the claim carry something; where many do and are bound, few other readings are left.
    """
    within = min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)
    # A column that is named and not used is left over too: of such verdicts on unknown domains 19 of 27 held.
    words_left = sum(grade in {Left.WORD, Left.HEADER} for grade in run.rest.values())
    return {
        "verdict": 1.0,
        "odds": math.log(within / (1.0 - within)),
        "words left": min(words_left, _FEW) / _FEW,
        "nothing left": float(run.left is Left.NOTHING),
        "words that carry": carrying / _MANY,
    }


def reliability(features: Features) -> float:
    """Return how likely a verdict is right."""
    return round(probabilities([features, {}], weights_of(VERDICTS))[0], 4)
