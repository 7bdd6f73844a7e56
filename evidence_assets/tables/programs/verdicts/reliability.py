"""How likely a verdict is right where nothing of its table's domain has shaped a program or a weight.

Weights that rank programs were fitted on claims that programs were written for, so their probabilities
flatter on others. What is told here was fitted on claims as they were read when they were first opened
(`benchmarks.tables.table_reliability` and `benchmarks.tables.claim_confidence`).
"""

from __future__ import annotations

import math

from evidence_assets.reading.log_linear import Features, probabilities, weights_of
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.runs import Run

# Names of the kept weights of verdicts where "neither" is an answer, and of those where it is none.
VERDICTS, CONFIDENCES = "verdicts", "confidences"
_LEAST_SHARE = 0.02
# Where "neither" is an answer, less reliable verdicts decide nothing, so that 88 % of those that do are right
# on tables of any domain. Of 1,050 claims of 30 domains as UCRET 22 to 25 read them when these were opened,
# by weights of the others, 87.5 % of verdicts from .575 on were right, 89 % from .65, 91 % from .675: sets of
# domains differ by some three points.
LEAST_RELIABILITY = 0.675
# Words are counted in these, so that a penalty on squared weights holds all of them alike.
_FEW, _MANY = 4, 10


def verdict_features(share: float, run: Run, carrying: int) -> Features:
    """Return the features of a verdict.

    `share`: the probability of its programs. `run`: the one that it is told by. `carrying`: how many words of
    the claim carry something; where many do and are bound, few other readings are left.
    """
    # A column that is named and not used is left over too: of such verdicts on unknown domains 19 of 27 held.
    words_left = sum(grade in {Left.WORD, Left.HEADER} for grade in run.rest.values())
    return {
        "verdict": 1.0,
        "odds": _log_odds(share),
        "words left": min(words_left, _FEW) / _FEW,
        "nothing left": float(run.left is Left.NOTHING),
        "words that carry": carrying / _MANY,
    }


def reliability(features: Features) -> float:
    """Return how likely a verdict is right where a claim may be neither supported nor refuted."""
    return round(probabilities([features, {}], weights_of(VERDICTS))[0], 4)


def confidence_features(share: float, claim: GroundedClaim) -> Features:
    """Return the features of a verdict on a claim that is supported or refuted.

    `share`: the probability of its programs. A claim that denies, a long one and one over a large table is
    misread more often than its programs tell.
    """
    return {
        "verdict": 1.0,
        "odds": _log_odds(share),
        "denies": float(claim.negation is not None),
        "tokens": len(claim.tokens) / _LONG,
        "rows": math.log1p(len(claim.index.rows)) / _LARGE,
    }


# So many words has a long claim; and of a large table the logarithm of its rows is this.
_LONG, _LARGE = 20, 3


def confidence(features: Features) -> float:
    """Return how likely a verdict is right where a claim is supported or refuted."""
    return round(probabilities([features, {}], weights_of(CONFIDENCES))[0], 4)


def _log_odds(share: float) -> float:
    within = min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)
    return math.log(within / (1.0 - within))
