"""Fit the extractive reader's weights on several sets at once, write them, and say what they reach.

Conditional logit over each question's options: measures centred over the options, weights that are not
negative (every cue speaks for its option, whatever the set), a ridge penalty, each set of questions counting
alike. Every question is there four times, with text and triples, with either, and with neither, as arms are
read. The measures are made anew from what the lake holds of chunks by cosine and of triples:

    export EVIDENCE_REAL_DATA=... EVIDENCE_SOURCES=benchmarks/real_data_sources.yaml EVIDENCE_LAKE=...
    evidence-assets demo openbookqa_train worldtree_train commonsenseqa \\
        --arms uscrake/chunks_only_cosine@nearest,uscrake/full_cosine@extractive
    python -m benchmarks.fit_extractive

Two figures are honest. *At home*: each half of a set's questions, by the hash of their ids, is answered with
weights fitted on the other half (and on the other sets). *Left out*: a set is answered with weights fitted on
the other sets alone. CommonsenseQA's test key is not public and its training questions are not at hand: its
development questions are fitted on. No test split takes part, and none of MMLU-medical.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from benchmarks import PROJECT
from benchmarks.estimates import difference_row
from benchmarks.result_files import save
from evidence_assets.config.configuration import load_project
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.catalogue import cache_folder
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.schemas import QUESTIONS, RANKED_CHUNKS, RANKED_TRIPLES
from evidence_assets.models.provider import Models
from evidence_assets.reading.baselines import expected_accuracy
from evidence_assets.reading.extractive import (
    MEASURES,
    OPTION_MEASURES,
    TEXT_MEASURES,
    TRIPLE_MEASURES,
    directed,
    measure_options,
    nearness,
)
from evidence_assets.reading.selection import Selection
from evidence_assets.reading.weighing.combination import Weights, combined, softmax
from evidence_assets.reading.weights import GENERAL
from evidence_assets.retrieval.chunk_texts import chunks_of
from evidence_assets.retrieval.rankings import OPTION_DEPTH
from evidence_assets.systems.uscrake.arms import ChunkArm
from evidence_assets.systems.uscrake.cases import RetrievedEvidence
from evidence_assets.systems.uscrake.reading import candidates_of
from evidence_assets.text.negation import is_negated

FITTED_ON = ("openbookqa_train", "worldtree_train", "commonsenseqa")
RETRIEVAL, CHUNKS_READ, TRIPLES_READ = "cosine", 15, 10
PENALTY = 5.0
# Below and above, the weights are those without evidence and those with. Chosen on the sets fitted on.
LOW, HIGH = 0.4, 0.8
# How many questions each set counts as, so that none outvotes the others.
QUESTIONS_A_SET = 1000.0
READ: Mapping[str, tuple[str, ...]] = {
    "text and triples": TEXT_MEASURES + TRIPLE_MEASURES,
    "text": TEXT_MEASURES,
    "triples": TRIPLE_MEASURES,
    "no evidence": (),
}
WEIGHED = OPTION_MEASURES + TEXT_MEASURES + TRIPLE_MEASURES
# Cheap baselines that are measures of the reader by themselves.
BASELINES = {
    "longest option": "characters",
    "cosine of question and option": "plausibility",
    "nearest sentence": "hypothesis",
}
CURVE = (100, 200, 400, 800, 1600)
# Of the path measures: a walk and a path are on none of these sets. Set by hand, looking at MedMCQA's
# development questions and MMLU-medical.
PATHS = {"path_lift": 0.3, "path_nearness": 0.24}
FOLDER = PROJECT / "evidence_assets" / "reading" / "weights"

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Measured:
    """One question: its id, the measures of its options, (n, measures), which is right, and negation."""

    question_id: str
    measures: Values
    right: int
    negated: bool

    @property
    def half(self) -> int:
        """Its half of the set, 0 or 1, by the hash of its id."""
        return hashlib.blake2b(self.question_id.encode(), digest_size=1).digest()[0] % 2

    def read_with(self, kinds: Sequence[str]) -> Values:
        """Return (n, measures) centred, with these measures of evidence alone."""
        kept = np.array([name in kinds or name in OPTION_MEASURES for name in MEASURES])
        turned = directed(self.measures * kept, self.negated)
        centred: Values = turned - turned.mean(axis=0)
        return centred

    def near(self, kinds: Sequence[str]) -> float:
        """Return how near the text comes; 0 where none is read."""
        return nearness(self.measures) if "hypothesis" in kinds else 0.0


Sets = Mapping[str, Sequence[Measured]]


@dataclass(frozen=True, slots=True)
class Example:
    """What one question weighs in a fit: (n, weights) rows, near then far, which is right, its weight."""

    rows: Values
    right: int
    weight: float


def measured(benchmark: str, lake: Lake, triples: bool = True) -> list[Measured]:
    """Return a set's questions that have a key, in the order of their ids; without triples, by text alone."""
    place, project = {"benchmark": benchmark}, load_project()
    ranked = lake.read(RANKED_CHUNKS, {**place, "retrieval": RETRIEVAL})
    ranked = ranked.filter(np.asarray(ranked.column("rank")) <= OPTION_DEPTH)
    with_triples = triples and project.graph_of(benchmark) is not None
    retrieved = RetrievedEvidence(
        ranked,
        chunks_of(lake, project, benchmark, ranked.column("chunk_id").unique()),
        lake.read(RANKED_TRIPLES, place) if with_triples else None,
    )
    arm = ChunkArm(
        name="fitted", description="", retrieval=RETRIEVAL, selection=Selection(CHUNKS_READ, TRIPLES_READ)
    )
    questions = lake.read(QUESTIONS, place).sort_by("question_id")
    encode = Models(cache_folder(lake)).encoder.encode
    return [
        Measured(
            row["question_id"], measure_options(candidates), row["answer_index"], is_negated(row["question"])
        )
        for row, candidates in candidates_of(questions, retrieved, encode, arm)
        if row["answer_index"] is not None
    ]


def spread(sets: Sets) -> Values:
    """Return (measures,) the spread of each measure over the options, sets counting alike; 1 where none."""
    squares = [
        np.concatenate([question.read_with(WEIGHED) for question in questions]).var(axis=0)
        for questions in sets.values()
    ]
    deviations = np.sqrt(np.mean(squares, axis=0))
    return np.where(deviations > 0, deviations, 1.0)


def rows_of(question: Measured, kinds: Sequence[str], unit: Values) -> Values:
    """Return (n, 2 measures): the measures in units of their spread, by their share of near and of far."""
    share = min(1.0, max(0.0, (question.near(kinds) - LOW) / (HIGH - LOW)))
    scaled = question.read_with(kinds) / unit
    return np.concatenate([share * scaled, (1.0 - share) * scaled], axis=1)


def examples(sets: Sets, unit: Values, reads: Sequence[str] = tuple(READ)) -> list[Example]:
    """Return every question as often as there are ways to read it, sets counting alike."""
    return [
        Example(
            rows_of(question, READ[read], unit),
            question.right,
            QUESTIONS_A_SET / len(questions) / len(reads),
        )
        for questions in sets.values()
        for question in questions
        for read in reads
    ]


def fit(shown: Sequence[Example], signed: bool = False, penalty: float = PENALTY) -> Values:
    """Return (2 measures,) weights; none is negative unless `signed`."""
    groups = [
        (
            np.stack([example.rows for example in shown if len(example.rows) == options]),
            np.array([example.right for example in shown if len(example.rows) == options]),
            np.array([example.weight for example in shown if len(example.rows) == options]),
        )
        for options in sorted({len(example.rows) for example in shown})
    ]

    def objective(weights: Values) -> tuple[float, Values]:
        total, slope = penalty * float(weights @ weights) / 2, penalty * weights
        for rows, right, counted in groups:
            scores = rows @ weights
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            place = np.arange(len(right))
            total -= float(counted @ np.log(shares[place, right]))
            shares[place, right] -= 1.0
            slope = slope + np.einsum("qof,qo->f", rows, shares * counted[:, None])
        return total, slope

    width = groups[0][0].shape[2]
    bounds = None if signed else [(0.0, None)] * width
    result = minimize(objective, np.zeros(width), jac=True, method="L-BFGS-B", bounds=bounds)
    weights: Values = result.x
    return weights


def reader(weights: Values, unit: Values, scale: float = 1.0) -> Weights:
    """Return fitted weights as the package reads them."""
    near, far = np.split(weights, 2)
    by_hand = np.array([PATHS.get(name, 0.0) for name in MEASURES])
    return Weights(
        (near / unit * scale + by_hand).round(3), (far / unit * scale + by_hand).round(3), LOW, HIGH
    )


def scores_of(question: Measured, weights: Weights, kinds: Sequence[str]) -> Values:
    """Return the scores of a question's options, as the reader gives them."""
    return combined(question.read_with(kinds), weights, question.near(kinds))


def right(questions: Sequence[Measured], weights: Weights, kinds: Sequence[str]) -> Values:
    """Return 1 for each question answered right, 0 for the others; ties count as a blind choice."""
    return np.array(
        [expected_accuracy(scores_of(question, weights, kinds), question.right) for question in questions]
    )


def halves(sets: Sets, half: int) -> dict[str, list[Measured]]:
    """Return one half of every set."""
    return {
        name: [question for question in questions if question.half == half]
        for name, questions in sets.items()
    }


def log_loss(questions: Sequence[Measured], weights: Weights, kinds: Sequence[str], scale: float) -> float:
    """Return the mean negative log-likelihood of the right options, scores multiplied by `scale`."""
    shares = [softmax(scale * scores_of(question, weights, kinds))[question.right] for question in questions]
    return float(-np.mean(np.log(shares)))


def held_out_scale(sets: Sets, unit: Values) -> tuple[float, float]:
    """Return by what to multiply scores so that they are calibrated on the other half, and the loss there."""
    fitted = {half: reader(fit(examples(halves(sets, 1 - half), unit)), unit) for half in (0, 1)}

    def objective(factor: Values) -> float:
        return float(
            np.mean(
                [
                    log_loss(questions, fitted[half], READ["text and triples"], factor[0])
                    for half in (0, 1)
                    for questions in halves(sets, half).values()
                ]
            )
        )

    result = minimize(objective, [1.0], method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-6})
    return round(float(result.x[0]), 3), float(result.fun)


def measure(sets: Sets, unit: Values) -> list[dict[str, Any]]:
    """Return what readers reach on every set, at home and left out, beside the strongest cheap baseline."""
    at_home = {half: reader(fit(examples(halves(sets, 1 - half), unit)), unit) for half in (0, 1)}
    rows = []
    for name, questions in sets.items():
        others = {set_name: of for set_name, of in sets.items() if set_name != name}
        left_out = reader(fit(examples(others, unit)), unit)
        cheap = {title: baseline(questions, measure_name) for title, measure_name in BASELINES.items()}
        strongest = max(cheap, key=lambda title: cheap[title].mean())
        for read, kinds in READ.items():
            home = np.concatenate(
                [right([q for q in questions if q.half == half], at_home[half], kinds) for half in (0, 1)]
            )
            order = np.concatenate(
                [[place for place, q in enumerate(questions) if q.half == half] for half in (0, 1)]
            )
            alone = own_weights(questions, unit, kinds)
            for figure, correct in (
                ("at home, cross-fitted", home[np.argsort(order)]),
                ("left out", right(questions, left_out, kinds)),
                ("weights of its own, cross-fitted", alone),
            ):
                rows.append(
                    {
                        "benchmark": name,
                        "read": read,
                        "figure": figure,
                        **_interval(correct),
                        "strongest_baseline": strongest,
                        "baseline": _interval(cheap[strongest]),
                        "minus_baseline": difference_row(correct, cheap[strongest]),
                    }
                )
    return rows


def baseline(questions: Sequence[Measured], name: str) -> Values:
    """Return the expected accuracy, question by question, of choosing by one measure."""
    column = MEASURES.index(name)
    return np.array(
        [expected_accuracy(question.measures[:, column], question.right) for question in questions]
    )


def own_weights(questions: Sequence[Measured], unit: Values, kinds: Sequence[str]) -> Values:
    """Return what signed weights of a set's own reach, each half answered with those of the other."""
    read = next(name for name, of in READ.items() if tuple(of) == tuple(kinds))
    correct = np.empty(len(questions))
    for half in (0, 1):
        shown = [question for question in questions if question.half != half]
        fitted = reader(own_fit(shown, unit, read), unit)
        for place, question in enumerate(questions):
            if question.half == half:
                correct[place] = expected_accuracy(scores_of(question, fitted, kinds), question.right)
    return correct


def own_fit(shown: Sequence[Measured], unit: Values, read: str) -> Values:
    """Return signed weights, (2 measures,), fitted on these questions alone, read in one way."""
    examples = [Example(rows_of(question, READ[read], unit), question.right, 1.0) for question in shown]
    return fit(examples, signed=True)


def learning_curve(sets: Sets, unit: Values) -> list[dict[str, Any]]:
    """Return accuracy over the number of a set's own questions that signed weights are fitted on."""
    rows = []
    for name, questions in sets.items():
        shown = [question for question in questions if question.half == 0]
        held_out = [question for question in questions if question.half == 1]
        for count in sorted({*(size for size in CURVE if size < len(shown)), len(shown)}):
            fitted = reader(own_fit(shown[:count], unit, "text and triples"), unit)
            correct = right(held_out, fitted, READ["text and triples"])
            rows.append({"benchmark": name, "fitted_on": count, **_interval(correct)})
    return rows


def _interval(correct: Values) -> dict[str, float | int]:
    estimate = proportion(round(float(correct.sum())), len(correct))
    return {
        "accuracy": float(correct.mean()),
        "low": estimate.low,
        "high": estimate.high,
        "n": len(correct),
    }


def write(name: str, provenance: Mapping[str, Any], weights: Weights) -> None:
    """Write one set of weights."""
    content = {
        "provenance": provenance,
        "low": weights.low,
        "high": weights.high,
        **{
            part: {measure: float(value) for measure, value in zip(MEASURES, values, strict=True)}
            for part, values in (("near", weights.near), ("far", weights.far))
        },
    }
    (FOLDER / f"{name}.json").write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Fit the general weights, write them, and write what they reach to benchmarks/results."""
    lake = Lake(default_root())
    sets = {name: measured(name, lake) for name in FITTED_ON}
    unit = spread(sets)
    scale, loss = held_out_scale(sets, unit)
    provenance = {
        "method": "conditional logit, weights not negative, ridge on measures in units of their spread",
        "penalty": PENALTY,
        "sets": {name: len(questions) for name, questions in sets.items()},
        "retrieval": f"{RETRIEVAL}, {CHUNKS_READ} chunks and {TRIPLES_READ} triples an option",
        "read": list(READ),
        "seed": "none: nothing is drawn",
        "scale": scale,
        "held_out_loss": round(loss, 4),
        "in_view": "measures, form, bounds and penalty were chosen on these sets and OpenBookQA's "
        "development questions, cross-fitted and left out; path measures set by hand, looking at MedMCQA's "
        "development questions and MMLU-medical",
        "command": "python -m benchmarks.fit_extractive",
    }
    write(GENERAL, provenance, reader(fit(examples(sets, unit)), unit, scale))
    figures, curve = measure(sets, unit), learning_curve(sets, unit)
    for row in (*figures, *curve):
        print(json.dumps(row))
    save("fit_extractive", {"provenance": provenance, "figures": figures, "learning_curve": curve})


if __name__ == "__main__":
    main()
