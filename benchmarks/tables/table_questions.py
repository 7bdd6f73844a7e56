"""Multiple-choice questions from a store of tables, without a language model: WorldTree.

Needs the data sets (see real_texts). Questions whose text is withheld are left out; 663 are left. The
measures were chosen on the questions whose id hashes even, and `fitted` weighs them by a softmax regression
on those: the figures to quote are those of the other half, `accuracy_held_out_half`. Gold rows are those of a
question's explanation. Intervals are of 95 %.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import percent
from benchmarks.real_texts import cached_encoder
from benchmarks.tables.table_texts import Question, worldtree
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evidence.estimates import proportion
from evidence_assets.models.encoder import FloatArray
from evidence_assets.tables.options import (
    BALANCED,
    MEASURES,
    OptionQuestion,
    OptionSupport,
    RowPool,
    pool_texts,
    support_options,
    weigh,
)

DEPTHS = (5, 10, 20, 30)
_PENALTY = 1.0

Place = tuple[int, int]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with what the rows say of its options.

    `alone`: the cosine of the question and each option, which no row is seen for. `ranked`: rows by form of
    the query.
    """

    question: Question
    support: OptionSupport
    alone: Scores
    ranked: Mapping[str, Sequence[Place]]

    def is_right(self, scores: Scores) -> bool:
        """Tell whether scores choose the right option; the first of equals is chosen."""
        return int(np.argmax(scores)) == self.question.right

    def measure(self, name: str) -> Scores:
        """Return one measure, turned where the exception is asked for."""
        measure = self.support.measures[:, MEASURES.index(name)]
        return -measure if self.support.negated else measure

    def weighed(self, weights: Mapping[str, float]) -> Scores:
        """Return the weighed measures, turned likewise."""
        scores = weigh(self.support.measures, weights)
        return -scores if self.support.negated else scores


def run() -> dict[str, Any]:
    """Return accuracies, what the rows support, and recall of gold rows."""
    started = time.perf_counter()
    answered = answer_all()
    seconds = time.perf_counter() - started
    even = [answer for answer in answered if _is_even(answer.question.question_id)]
    odd = [answer for answer in answered if not _is_even(answer.question.question_id)]
    weights = fit(even)
    return {
        "questions": len(answered),
        "seconds_with_cached_vectors": round(seconds, 1),
        "accuracy": _accuracies(answered),
        "accuracy_held_out_half": {
            **_accuracies(odd),
            "fitted": _accuracy(odd, lambda answer: answer.weighed(weights)),
            "fitted_minus_balanced": _difference(odd, weights),
        },
        "fitted_weights": {name: round(value, 3) for name, value in weights.items()},
        "supported": _supported(answered),
        "gold_row_recall": _gold_recall(answered),
    }


def answer_all() -> list[Answered]:
    """Return every question answered from the rows of all tables."""
    tables, questions = worldtree()
    texts, places = pool_texts(tables)
    question_texts = [text for question in questions for text in _texts(question)]
    vectors = cached_encoder().encode([*texts, *question_texts])
    pool = RowPool(texts, vectors[: len(texts)])
    answered, at = [], len(texts)
    for question in questions:
        question_vectors = vectors[at : at + 2 * len(question.options) + 1]
        at += len(question_vectors)
        answered.append(_answered(question, question_vectors, pool, places))
    return answered


def _texts(question: Question) -> list[str]:
    """Return what is encoded: the question, its options, and the question with each."""
    return [question.text, *question.options, *(f"{question.text} {option}" for option in question.options)]


def _answered(question: Question, vectors: FloatArray, pool: RowPool, places: Sequence[Place]) -> Answered:
    count = len(question.options)
    options, hypotheses = vectors[1 : count + 1], vectors[count + 1 :]
    offered = OptionQuestion(question.text, question.options, vectors[0], options, hypotheses)
    support = support_options(offered, pool)
    queries = {
        "question": (question.text, vectors[0]),
        "with_chosen_option": _with(question, support.choice.index, hypotheses),
        "with_right_option": _with(question, question.right, hypotheses),
    }
    ranked = {
        name: [places[row] for row in pool.ranked(pool.searched(text), vector, max(DEPTHS))]
        for name, (text, vector) in queries.items()
    }
    return Answered(question, support, np.asarray(options @ vectors[0], np.float64), ranked)


def _with(question: Question, option: int, hypotheses: FloatArray) -> tuple[str, FloatArray]:
    return f"{question.text} {question.options[option]}", hypotheses[option]


def _is_even(identifier: str) -> bool:
    return hashlib.blake2b(identifier.encode(), digest_size=4).digest()[-1] % 2 == 0


def fit(answered: Sequence[Answered]) -> dict[str, float]:
    """Return weights of the standardised measures that make the right options likeliest, with a ridge."""
    from scipy.optimize import minimize

    turned = [
        np.stack([weigh(answer.support.measures, _only(name)) for name in MEASURES], axis=1)
        * (-1.0 if answer.support.negated else 1.0)
        for answer in answered
    ]

    def loss(weights: Scores) -> float:
        total = _PENALTY * float(weights @ weights)
        for measures, answer in zip(turned, answered, strict=True):
            scores = measures @ weights
            total += float(np.logaddexp.reduce(scores) - scores[answer.question.right])
        return total

    minimum = minimize(loss, np.full(len(MEASURES), 0.3))
    return dict(zip(MEASURES, minimum.x.tolist(), strict=True))


def _only(name: str) -> dict[str, float]:
    return {measure: float(measure == name) for measure in MEASURES}


def _accuracies(answered: Sequence[Answered]) -> dict[str, Any]:
    chance = mean([1.0 / len(answer.question.options) for answer in answered])
    return {
        "chance": round(100 * chance.value, 1),
        "question_and_option_alone": _accuracy(answered, lambda answer: answer.alone),
        "best_row": _accuracy(answered, lambda answer: answer.support.measures[:, 0]),
        **{name: _accuracy(answered, _by(name)) for name in MEASURES},
        "balanced": _accuracy(answered, lambda answer: answer.weighed(BALANCED)),
    }


def _by(name: str) -> Callable[[Answered], Scores]:
    return lambda answer: answer.measure(name)


def _accuracy(answered: Sequence[Answered], scored: Callable[[Answered], Scores]) -> list[float]:
    right = sum(answer.is_right(scored(answer)) for answer in answered)
    return percent(proportion(right, len(answered)))


def _difference(answered: Sequence[Answered], weights: Mapping[str, float]) -> list[float]:
    fitted = np.array([float(answer.is_right(answer.weighed(weights))) for answer in answered])
    balanced = np.array([float(answer.is_right(answer.weighed(BALANCED))) for answer in answered])
    return percent(paired_difference(fitted, balanced))


def _supported(answered: Sequence[Answered]) -> dict[str, Any]:
    """Return how often the rows support one option, several or none, and how often the right one is there."""
    by_support: dict[str, Any] = {}
    groups = {
        "one": [answer for answer in answered if len(answer.support.supported) == 1],
        "several": [answer for answer in answered if answer.support.ambiguous],
        "none": [answer for answer in answered if not answer.support.supported],
    }
    for name, group in groups.items():
        holds = sum(answer.question.right in answer.support.supported for answer in group)
        by_support[name] = {
            "questions": len(group),
            "right_is_supported": round(100 * holds / max(1, len(group)), 1),
            "balanced": _accuracy(group, lambda answer: answer.weighed(BALANCED)) if group else None,
        }
    return by_support


def _gold_recall(answered: Sequence[Answered]) -> dict[str, Any]:
    recall: dict[str, Any] = {
        "gold_rows": round(mean([len(answer.question.gold) for answer in answered]).value, 2)
    }
    for name in answered[0].ranked:
        recall[name] = {}
        for depth in DEPTHS:
            shares = [
                len(set(answer.question.gold) & set(answer.ranked[name][:depth])) / len(answer.question.gold)
                for answer in answered
                if answer.question.gold
            ]
            recall[name][str(depth)] = percent(mean(shares))
    return recall
