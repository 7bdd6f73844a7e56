"""What a reader reaches on questions it has not seen, beside itself blindfolded and cheap baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import proportion
from evidence_assets.models.encoder import Encode
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.reading.baselines import chance, expected_accuracy, longest_option, option_cosine
from evidence_assets.reading.trained import CUES, cue_rows, evidence_text
from evidence_assets.text.queries import with_option
from evidence_assets.training.questions import ReadQuestion

Values = NDArray[np.float64]
WITH_EVIDENCE, WITHOUT_EVIDENCE = "evidence", "no evidence"
WITH_CUES, CUES_ALONE = "evidence and cues", "cues alone"
SHUFFLED, OPTION_ONLY = "shuffled evidence", "option only"
NEAREST, COSINE, LONGEST, CHANCE = "nearest text", "cosine of question and option", "longest option", "chance"
BASELINES = (NEAREST, COSINE, LONGEST, CHANCE)


def blindfolded_accuracies(questions: Sequence[ReadQuestion], scorer: PairScorer) -> dict[str, Values]:
    """Return (n,) whether each question is answered rightly without its evidence.

    With none, with another question's, and by the option alone. Another question's evidence is that of the
    next one with as many options, in the order given.
    """
    queries: dict[str, list[str]] = {way: [] for way in (WITHOUT_EVIDENCE, SHUFFLED, OPTION_ONLY)}
    texts: dict[str, list[str]] = {way: [] for way in queries}
    for question, next_question in zip(questions, _of_the_next(questions), strict=True):
        queries_of = [with_option(question.question, option) for option in question.options]
        nothing = [""] * len(queries_of)
        for way, of_options, evidence in (
            (WITHOUT_EVIDENCE, queries_of, nothing),
            (SHUFFLED, queries_of, [evidence_text(shown) for shown in next_question.evidence]),
            (OPTION_ONLY, list(question.options), nothing),
        ):
            queries[way] += of_options
            texts[way] += evidence
    return {way: _accuracies(questions, scorer.score(queries[way], texts[way])) for way in queries}


def cues(questions: Sequence[ReadQuestion], scorer: PairScorer, encode: Encode) -> list[NDArray[np.float64]]:
    """Return each question's `cue_rows`."""
    vectors = _encoded(questions, encode)
    queries = [
        with_option(question.question, option) for question in questions for option in question.options
    ]
    texts = [evidence_text(shown) for question in questions for shown in question.evidence]
    scores = np.split(
        scorer.score(queries, texts), np.cumsum([len(question.options) for question in questions])[:-1]
    )
    return [
        cue_rows(
            of_options,
            vectors[question.question],
            np.stack([vectors[option] for option in question.options]),
            _nearest(question, vectors),
        )
        for question, of_options in zip(questions, scores, strict=True)
    ]


def reading_accuracies(
    questions: Sequence[ReadQuestion], rows: Sequence[NDArray[np.float64]], mixture: Sequence[float]
) -> dict[str, Values]:
    """Return (n,) whether each question is answered rightly from its evidence.

    By the reader alone, by the mixture, and by the mixture without the reader. `rows`: as `cues` returns.
    """
    weights = np.asarray(mixture, dtype=np.float64)
    reader = np.arange(len(weights)) == CUES.index("reader")
    return {
        way: np.array(
            [
                expected_accuracy((of_options @ weighed).round(6), question.right)
                for question, of_options in zip(questions, rows, strict=True)
            ]
        )
        for way, weighed in (
            (WITH_EVIDENCE, reader.astype(np.float64)),
            (WITH_CUES, weights),
            (CUES_ALONE, weights * ~reader),
        )
    }


def baseline_accuracies(questions: Sequence[ReadQuestion], encode: Encode) -> dict[str, Values]:
    """Return (n,) the expected accuracy on each question of every cheap baseline."""
    result: dict[str, list[float]] = {name: [] for name in BASELINES}
    vectors = _encoded(questions, encode)
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


def _accuracies(questions: Sequence[ReadQuestion], scores: NDArray[np.floating]) -> Values:
    starts = np.cumsum([0, *(len(question.options) for question in questions)])
    return np.array(
        [
            expected_accuracy(scores[begin:end].astype(np.float64), question.right)
            for question, begin, end in zip(questions, starts[:-1], starts[1:], strict=True)
        ]
    )


def _of_the_next(questions: Sequence[ReadQuestion]) -> list[ReadQuestion]:
    by_size: dict[int, list[int]] = {}
    for place, question in enumerate(questions):
        by_size.setdefault(len(question.options), []).append(place)
    following = list(range(len(questions)))
    for places in by_size.values():
        for place, after in zip(places, [*places[1:], places[0]], strict=True):
            following[place] = after
    return [questions[place] for place in following]


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


def _encoded(questions: Sequence[ReadQuestion], encode: Encode) -> Mapping[str, NDArray[np.float32]]:
    texts: dict[str, None] = {}
    for question in questions:
        texts |= dict.fromkeys([question.question, *question.options])
        texts |= dict.fromkeys(with_option(question.question, option) for option in question.options)
        texts |= dict.fromkeys(text for shown in question.evidence for text in shown)
    return dict(zip(texts, encode(list(texts)), strict=True))
