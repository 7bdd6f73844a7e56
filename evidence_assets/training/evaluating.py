"""What a reader reaches on questions it has not seen, beside itself blindfolded and cheap baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import proportion
from evidence_assets.models.encoder import Encode
from evidence_assets.progress import Progress
from evidence_assets.reading.baselines import chance, expected_accuracy, longest_option, option_cosine
from evidence_assets.reading.weighing.combination import Weights, combined
from evidence_assets.reading.weighing.trained import Encoded, OptionReader, Values
from evidence_assets.text.queries import with_option
from evidence_assets.training.questions import ReadQuestion, with_evidence_of_others

WITH_EVIDENCE, WITHOUT_EVIDENCE = "evidence", "no evidence"
WITH_CUES, CUES_ALONE = "evidence and cues", "cues alone"
SHUFFLED, OPTION_ONLY = "shuffled evidence", "option only"
NEAREST, COSINE, LONGEST, CHANCE = "nearest text", "cosine of question and option", "longest option", "chance"
BASELINES = (NEAREST, COSINE, LONGEST, CHANCE)


def blindfolded_accuracies(
    questions: Sequence[ReadQuestion],
    reader: OptionReader,
    encode: Encode,
    progress: Progress | None = None,
) -> dict[str, Values]:
    """Return (n,) whether each question is answered rightly without its evidence, by the reader alone.

    With none, with another question's, and by the option alone. Another question's evidence is that of the
    next one with as many options, in the order given.
    """
    altered = {
        WITHOUT_EVIDENCE: [
            replace(question, evidence=((),) * len(question.options)) for question in questions
        ],
        SHUFFLED: with_evidence_of_others(questions),
        OPTION_ONLY: [
            replace(question, question="", evidence=((),) * len(question.options)) for question in questions
        ],
    }
    accuracies = {}
    for way, of_way in altered.items():
        shown = encoded(of_way, encode)
        accuracies[way] = _accuracies(of_way, shown, reader.rows(shown, progress), reader.own_weights)
    return accuracies


def encoded(questions: Sequence[ReadQuestion], encode: Encode) -> list[Encoded]:
    """Return questions as a reader is given them."""
    vectors = _vectors(questions, encode)
    return [
        Encoded(
            question.question,
            question.options,
            question.evidence,
            vectors[question.question],
            np.stack([vectors[option] for option in question.options]),
            _nearest(question, vectors),
        )
        for question in questions
    ]


def reading_accuracies(
    questions: Sequence[ReadQuestion],
    reader: OptionReader,
    encode: Encode,
    progress: Progress | None = None,
) -> dict[str, Values]:
    """Return (n,) whether each question is answered rightly from its evidence.

    By the reader alone, by its mixture, and by the mixture without the reader.
    """
    shown = encoded(questions, encode)
    rows = reader.rows(shown, progress)
    weighings = {
        WITH_EVIDENCE: reader.own_weights,
        WITH_CUES: reader.weights,
        CUES_ALONE: reader.cheap_weights,
    }
    return {way: _accuracies(questions, shown, rows, weights) for way, weights in weighings.items()}


def baseline_accuracies(questions: Sequence[ReadQuestion], encode: Encode) -> dict[str, Values]:
    """Return (n,) the expected accuracy on each question of every cheap baseline."""
    result: dict[str, list[float]] = {name: [] for name in BASELINES}
    vectors = _vectors(questions, encode)
    for question in questions:
        scores = {
            NEAREST: np.nan_to_num(np.round(_nearest(question, vectors), 6), nan=-1.0),
            COSINE: option_cosine(
                vectors[question.question], np.stack([vectors[option] for option in question.options])
            ),
            LONGEST: longest_option(question.options),
        }
        for name, of_options in scores.items():
            result[name].append(expected_accuracy(of_options, question.right))
        result[CHANCE].append(chance(list(question.options), question.right))
    return {name: np.array(values) for name, values in result.items()}


def strongest_baseline(accuracies: Mapping[str, Values]) -> str:
    """Return the name of the cheap baseline that is right most often."""
    return max(BASELINES, key=lambda name: float(accuracies[name].mean()))


def figures(accuracies: Mapping[str, Values], benchmark: str) -> list[dict[str, Any]]:
    """Return each way's accuracy with its interval, as the tables hold it."""
    rows = []
    for way, values in accuracies.items():
        estimate = proportion(round(float(values.sum())), len(values))
        rows.append(
            {
                "benchmark": benchmark,
                "way": way,
                "accuracy": float(values.mean()),
                "low": estimate.low,
                "high": estimate.high,
                "n": len(values),
            }
        )
    return rows


def _accuracies(
    questions: Sequence[ReadQuestion], shown: Sequence[Encoded], rows: Sequence[Values], weights: Weights
) -> Values:
    return np.array(
        [
            expected_accuracy(combined(of_options, weights, given.nearness), question.right)
            for question, given, of_options in zip(questions, shown, rows, strict=True)
        ]
    )


def _nearest(question: ReadQuestion, vectors: Mapping[str, NDArray[np.float32]]) -> list[float]:
    """Return the cosine of each option's nearest text to question and option; nan where it has none."""
    return [
        float(
            max(
                (vectors[text] @ vectors[with_option(question.question, option)] for text in shown),
                default=np.nan,
            )
        )
        for option, shown in zip(question.options, question.evidence, strict=True)
    ]


def _vectors(questions: Sequence[ReadQuestion], encode: Encode) -> Mapping[str, NDArray[np.float32]]:
    texts: dict[str, None] = {}
    for question in questions:
        texts |= dict.fromkeys([question.question, *question.options])
        texts |= dict.fromkeys(with_option(question.question, option) for option in question.options)
        texts |= dict.fromkeys(text for shown in question.evidence for text in shown)
    return dict(zip(texts, encode(list(texts)), strict=True))
