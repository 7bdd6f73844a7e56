"""What options score by their facts, and which weights of the measures are best on half of the questions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.attention2query.cases import Case, bounded_value
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.systems.attention2query.arms import RETRIEVALS
from evidence_assets.systems.attention2query.facts import Fact, QuestionFacts, QuestionLinks
from evidence_assets.systems.attention2query.options import (
    GRAPH_WEIGHTS,
    MEASURES,
    Scores,
    Support,
    measures_of,
    option_scores,
    support_of,
)
from evidence_assets.text.negation import is_negated

# What attention counts for, of 1: at 0 relevance alone ranks facts, at 1 attention.
SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0)
# Of `direct` and `own`.
_LEVELS = (0.25, 0.5, 0.75)
WEIGHTS = tuple(itertools.product(_LEVELS, _LEVELS))

Values = NDArray[np.float64]


def option_measures(
    encoder: CachedEncoder,
    questions: Sequence[QuestionLinks],
    retrieved: Sequence[QuestionFacts],
    share: float | None = None,
) -> list[Scores]:
    """Return the measures of every question's options; `share`: as if attention counted for so much."""
    texts = list(
        dict.fromkeys(text for question in questions for text in (question.question, *question.options))
    )
    place = {text: number for number, text in enumerate(texts)}
    vectors = encoder.encode(texts)
    return [
        measures_of(
            vectors[place[question.question]],
            vectors[[place[option] for option in question.options]],
            [_support(question, facts, candidate, share) for candidate in range(len(question.options))],
        )
        for question, facts in zip(questions, retrieved, strict=True)
    ]


def _support(
    question: QuestionLinks, retrieved: QuestionFacts, candidate: int, share: float | None
) -> Support:
    facts = retrieved.facts.get(candidate)
    if facts is None:
        nodes = {node for token in question.tokens_of(candidate) for node in token.nodes}
        facts = [fact for fact in retrieved.facts[-1] if nodes.intersection(fact.answers)]
        return support_of([fact.score for fact in facts], [True] * len(facts))
    scored = [(_weighed(fact, share), fact.parts.get("joins", 0.0) > 0) for fact in facts]
    kept = sorted(scored, key=lambda pair: -pair[0])[: RETRIEVALS["full"].facts]
    return support_of([score for score, _ in kept], [joins for _, joins in kept])


def _weighed(fact: Fact, share: float | None) -> float:
    if share is None or "relevance" not in fact.parts:
        return fact.score
    return (1 - share) * fact.parts["relevance"] + share * fact.parts["attention"]


def right_options(
    measures: Sequence[Scores], cases: Sequence[Case], weights: tuple[float, float], text: bool = True
) -> Values:
    """Return (n,) 1 where the option of the greatest score is the right one. Without `text`: the graph's."""
    return np.array(
        [
            float(option_scores(of_options, weights, text, is_negated(case.question)).argmax() == case.key)
            for of_options, case in zip(measures, cases, strict=True)
        ]
    )


def chosen_weights(
    by_share: Mapping[float, Sequence[Scores]], cases: Sequence[Case], cosine: Values
) -> dict[str, Any]:
    """Return what is best on one half by the hash of ids, and what it is worth on the other.

    Chosen are what attention counts for, and the weights of the measures. Of equal ones the lightest.
    """
    half = np.array([int(text_hash(case.question_id), 16) % 2 == 0 for case in cases])
    every = {
        (share, weights): right_options(measures, cases, weights)
        for share, measures in by_share.items()
        for weights in WEIGHTS
    }
    chosen = max(every, key=lambda key: (every[key][half].mean(), -key[0], -sum(key[1])))
    right = {weights: every[chosen[0], weights] for weights in WEIGHTS}
    best = chosen[1]
    worth = {
        name: {
            "questions": int(places.sum()),
            "cosine": round(float(cosine[places].mean()), 4),
            **bounded_value("accuracy", mean(right[best][places])),
            **bounded_value("minus_cosine", paired_difference(right[best][places], cosine[places])),
        }
        for name, places in (("chosen_on", half), ("other", ~half), ("whole", half | ~half))
    }
    first_options = np.stack([measure.argmax(axis=0) for measure in by_share[chosen[0]]])
    alone = (first_options == np.array([case.key for case in cases])[:, None]).mean(axis=0)

    def gains(values: Values) -> list[float]:
        return [round(float((values - cosine)[places].mean()), 4) for places in (half, ~half, half | ~half)]

    return {
        "attention_share": chosen[0],
        "direct_and_own": best,
        "is_the_default": chosen == (RETRIEVALS["full"].attention_share, GRAPH_WEIGHTS),
        **worth,
        "measures_alone": dict(zip(MEASURES, alone.round(4).tolist(), strict=True)),
        "minus_cosine_by_weights": {
            f"{direct}, {of_option}": gains(values) for (direct, of_option), values in right.items()
        },
        "minus_cosine_by_attention_share": {f"{share}": gains(every[share, best]) for share in by_share},
    }
