"""Attention2Query's options on CommonsenseQA: every arm beside the cosine, the printed ones as in table 7.

The default arm answers every development question, the others the `SAMPLED` ones whose ids have the least
hashes; the tuned classifier learns from the rest. `coverage` is the paper's equation 3 and `bert_recall` its
equations 1 and 2, over all facts of a question. Baselines in the same run: chance, the longest option, the
cosine of question and option.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.attention2query.cases import AskedGraph, Case, bounded_value, tuned_classifier
from benchmarks.attention2query.weights import (
    SHARES,
    Values,
    chosen_weights,
    option_measures,
    right_options,
)
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evaluation.retrieved_facts import bert_recall, coverage
from evidence_assets.lake.ids import text_hash
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.reading.baselines import chance, expected_accuracy, longest_option
from evidence_assets.systems.attention2query.arms import ARMS, RETRIEVALS, TUNED
from evidence_assets.systems.attention2query.as_printed.pairs import apart_from, option_pairs
from evidence_assets.systems.attention2query.as_printed.training import Pair
from evidence_assets.systems.attention2query.attention_retrieval import RATED
from evidence_assets.systems.attention2query.facts import QuestionFacts, QuestionLinks
from evidence_assets.systems.attention2query.options import GRAPH_WEIGHTS
from evidence_assets.systems.attention2query.relevance import Rater, Vanilla

SAMPLED = 200
# The paper's A2Q, which its ablations differ from in one thing each; ConceptNet defines no concept, so that
# `paper_no_taxonomy` is the same there.
PRINTED = "paper_tuned"
PRINTED_ARMS = (
    PRINTED,
    "paper",
    "paper_no_classifier",
    "paper_no_path_generation",
    "paper_no_mcq_subgraph",
    "paper_graph_only",
)
SAMPLED_ARMS = ("tuned", "no_classifier", "no_mcq_subgraph", "graph_only", *PRINTED_ARMS)


@dataclass(frozen=True)
class _Answers:
    """What an arm retrieves for n questions; (n,) whether it and the cosine are right, and the coverage."""

    retrieved: Sequence[QuestionFacts]
    right: Values
    cosine: Values
    coverage: Values
    seconds_a_question: float


def options_measured(concepts: AskedGraph, cases: Sequence[Case]) -> dict[str, Any]:
    """Return every arm's accuracy, table 7, and what weights chosen on a half are worth on the other."""
    by_hash = sorted(cases, key=lambda case: text_hash(case.question_id))
    sampled = by_hash[:SAMPLED]
    questions = concepts.link(by_hash)
    # All rated triples are kept: what attention counts for decides which are best.
    full = _answers(concepts, "full", by_hash, questions, Vanilla(EncoderSimilarity(concepts.encoder)), RATED)
    rows = [_row("full", full, by_hash)]
    by_share = {
        share: option_measures(concepts.encoder, questions, full.retrieved, share) for share in SHARES
    }
    weights = chosen_weights(by_share, by_hash, full.cosine)
    classifier, report = _classifier(concepts.encoder, by_hash, questions, full.retrieved)
    table: list[dict[str, Any]] = []
    of_printed: Mapping[str, Values] = {}
    for arm in SAMPLED_ARMS:
        way = RETRIEVALS[arm]
        linked = concepts.link(sampled, way.by_token)
        rater = classifier if way.classifier == TUNED else Vanilla(EncoderSimilarity(concepts.encoder))
        answers = _answers(concepts, arm, sampled, linked, rater, way.facts)
        minus_full = paired_difference(answers.right, full.right[:SAMPLED])
        rows.append({**_row(arm, answers, sampled), **bounded_value("minus_full", minus_full)})
        print(json.dumps(rows[-1]), flush=True)
        if arm in PRINTED_ARMS:
            values = _values_of_facts(concepts.encoder, linked, answers)
            of_printed = of_printed or values
            table.append(_table_row(arm, answers, values, of_printed))
            print(json.dumps(table[-1]), flush=True)
    return {"options": rows, "weights": weights, "trained_on_options": report, "table_7": table}


def _answers(
    concepts: AskedGraph,
    arm: str,
    cases: Sequence[Case],
    questions: Sequence[QuestionLinks],
    rater: Rater,
    facts: int,
) -> _Answers:
    """Return what an arm answers, of at most `facts` a candidate."""
    finder = concepts.finder(replace(RETRIEVALS[arm], facts=facts), rater=rater)
    started = time.perf_counter()
    retrieved = list(finder.find(questions))
    spent = time.perf_counter() - started
    measures = option_measures(concepts.encoder, questions, retrieved)
    return _Answers(
        retrieved,
        right_options(measures, cases, GRAPH_WEIGHTS, ARMS[f"{arm}@extractive"].text),
        np.array(
            [float(measure[:, 0].argmax() == case.key) for measure, case in zip(measures, cases, strict=True)]
        ),
        np.array(
            [
                coverage(question.question, _texts(facts_of_question))
                for question, facts_of_question in zip(questions, retrieved, strict=True)
            ]
        ),
        round(spent / len(cases), 4),
    )


def _texts(retrieved: QuestionFacts) -> list[str]:
    """Return the distinct texts of a question's facts and of its options'."""
    return list(dict.fromkeys(fact.text for facts in retrieved.facts.values() for fact in facts))


def _row(arm: str, answers: _Answers, cases: Sequence[Case]) -> dict[str, Any]:
    """Return an arm's accuracy, what is right by cheaper means, and how much of a question its facts say."""
    by_chance = [chance(list(case.options), case.key) for case in cases]
    longest = [expected_accuracy(longest_option(case.options), case.key) for case in cases]
    return {
        "arm": arm,
        "questions": len(cases),
        "seconds_a_question": answers.seconds_a_question,
        **bounded_value("accuracy", mean(answers.right)),
        **bounded_value("minus_cosine", paired_difference(answers.right, answers.cosine)),
        "cosine": round(float(answers.cosine.mean()), 4),
        "chance": round(float(np.mean(by_chance)), 4),
        "longest_option": round(float(np.mean(longest)), 4),
        **bounded_value("coverage", mean(answers.coverage)),
    }


def _classifier(
    encoder: CachedEncoder,
    cases: Sequence[Case],
    questions: Sequence[QuestionLinks],
    retrieved: Sequence[QuestionFacts],
) -> tuple[Rater, dict[str, Any]]:
    """Return a classifier trained on the questions that are not sampled, and what became of the training."""
    known = {
        question.question_id: (facts, case.key)
        for question, facts, case in zip(questions, retrieved, cases, strict=True)
    }
    pairs: list[Pair] = []
    for question in apart_from(questions[SAMPLED:], [case.question for case in cases[:SAMPLED]]):
        facts, right = known[question.question_id]
        pairs += option_pairs(question, facts.facts, right)
    return tuned_classifier(pairs, encoder)


def _values_of_facts(
    encoder: CachedEncoder, questions: Sequence[QuestionLinks], answers: _Answers
) -> dict[str, Values]:
    """Return (n,) of each measure of table 7 and of the answers."""
    texts = [
        [question.question, *_texts(retrieved)]
        for question, retrieved in zip(questions, answers.retrieved, strict=True)
    ]
    encoder.remember_words([text for of_question in texts for text in of_question])
    encoded = map(encoder.encode_words, texts)
    recalls = [bert_recall(question, facts) for question, *facts in encoded]
    return {"accuracy": answers.right, "bert_recall": np.array(recalls), "coverage": answers.coverage}


def _table_row(
    arm: str, answers: _Answers, values: Mapping[str, Values], of_printed: Mapping[str, Values]
) -> dict[str, Any]:
    """Return an arm's row of table 7, and how each value differs from that of the paper's own system."""
    row: dict[str, Any] = {"arm": arm, "questions": len(answers.right)}
    for name, of_questions in values.items():
        row |= bounded_value(name, mean(of_questions))
        if arm != PRINTED:
            row |= bounded_value(f"{name}_minus_{PRINTED}", paired_difference(of_questions, of_printed[name]))
    row["cosine"] = round(float(answers.cosine.mean()), 4)
    row |= bounded_value("minus_cosine", paired_difference(answers.right, answers.cosine))
    return row | {
        "facts_a_question": round(float(np.mean([len(_texts(facts)) for facts in answers.retrieved])), 1)
    }
