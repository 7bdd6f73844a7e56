"""What tells how likely a reading is the one that was asked for: its features in a log-linear model.

"None of these" is among the candidates. What is guessed tells readings from each other more than it tells
that none is meant, which so has the cost of the cheapest as a feature, without what its form costs.
Only features that help on graphs that shaped no rule are used; others, of how many words are bound how and
how many steps are walked, helped on graphs that did shape rules, and on no others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import simplemma

from evidence_assets.evidence.accounting import Accounting, Role
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.path_scoring import TYPE, UNSAID
from evidence_assets.kgqa.queries.algebra import Form, Query
from evidence_assets.kgqa.understanding.paraphrases import Likeness
from evidence_assets.kgqa.words.word_classes import DETERMINERS
from evidence_assets.text.function_words import light_verbs
from evidence_assets.text.words import words

# `cost`: what was guessed, in words left out; `other_form`: what it costs that what is asked is of another
# form; `lacking`: the graph has nothing of the kind; `likeness`: the cosine of the reading, said in words, to
# its question; `unmatched`: how far the question's word that is least like any of these words is from them.
FEATURES = ("cost", "other_form", "lacking", "likeness", "unmatched")
# Features of the candidate that none of the readings is meant.
NONE = "none"
OF_NONE = (NONE, "cheapest")
# By how much a path may fit better than the next, beyond which more tells nothing.
MOST_MARGIN = 0.1


def among(readings: Sequence[Mapping[str, float]]) -> list[Mapping[str, float]]:
    """Return the features of readings, one at least, and after them those of the candidate "none"."""
    cheapest = round(min(reading["cost"] - reading["other_form"] for reading in readings), 6)
    return [*readings, dict(zip(OF_NONE, (1.0, cheapest), strict=True))]


def features(
    query: Query, size: int, cost: float, other_form: float, likeness: Likeness
) -> Mapping[str, float]:
    """Return the features of a reading that leads to a set of a size."""
    lacking = float(query.form is Form.MEMBERS and not size)
    values = (cost, other_form, lacking, likeness.whole, round(1 - likeness.least, 6))
    return dict(zip(FEATURES, values, strict=True))


def path_features(accounting: Accounting, parses: Sequence[ParsedQuery]) -> Mapping[str, float]:
    """Return the features of the best whole path at a topic.

    How many of the question's words it leaves, verbs that say little counted by themselves, and whether the
    noun that is asked for is one ("at which church"), how much of it no word says, whether it ends with what
    is asked for, and by how much it fits better than the next that answers otherwise: where the graph lacks
    the path that is meant, several others fit about as well. How like its text is to the question is no
    feature: these are nearly as like as the one that is meant.
    """
    best, *others = parses
    asked_left = any(
        before.text.lower() in DETERMINERS and after.role is Role.UNACCOUNTED
        for before, after in pairwise(accounting.bindings)
    )
    light = sum(word.lower() in light_verbs() for word in accounting.unaccounted)
    rivals = [
        parse.score for parse in others if parse.exists and not np.array_equal(parse.answers, best.answers)
    ]
    return {
        "left": float(len(accounting.unaccounted) - light),
        "light_left": float(light),
        "asked_left": float(asked_left),
        "unsaid": best.score_parts[UNSAID],
        "ends": max(0.0, best.score_parts[TYPE]),
        "margin": round(min(best.score - max(rivals, default=-np.inf), MOST_MARGIN), 6),
    }


def foreign(accounting: Accounting) -> float:
    """Return the share of a question's words, besides names, that no English dictionary knows.

    A word in capitals after the first is a name, though one that the graph lacks.
    """
    ordinary_words = [
        word
        for place, binding in enumerate(accounting.bindings)
        if not binding.target.startswith("node ") and not (place and binding.text[:1].isupper())
        for word in words(binding.text)
        if word.isalpha()
    ]
    unknown = [word for word in ordinary_words if not simplemma.is_known(word, lang="en")]
    return len(unknown) / max(1, len(ordinary_words))
