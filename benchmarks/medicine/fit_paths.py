"""Fit the reader of paths on MedMCQA's development questions, say what its weights reach, and write them.

The measures are made anew from what the lake holds of the route `guided_walk`, so materialise it first:

    export EVIDENCE_REAL_DATA=... EVIDENCE_SOURCES=benchmarks/real_data_sources.yaml EVIDENCE_LAKE=...
    evidence-assets demo medmcqa mmlu_medical_graph --arms ugat_medqa/full@extractive
    python -m benchmarks.fit_paths [--results-only]

MedMCQA's test key is not public and its training questions are not at hand. What weights reach on the
questions they were fitted on flatters them: the honest figures are the cross-fitted ones, each half answered
with weights fitted on the other, and those of MMLU-medical, which took no part. The learning curve answers
the second half, and MMLU-medical, with weights of so many questions of the first.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import difference_row, estimate_row
from benchmarks.result_files import save
from benchmarks.text.fit_extractive import CURVE, PENALTY, Example, Values, fit, write
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.catalogue import cache_folder
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.schemas import NODE_RELEVANCE, QUESTION_CONCEPTS, QUESTIONS, REASONING_PATHS
from evidence_assets.models.provider import Models
from evidence_assets.reading.extractive import (
    MEASURES,
    OPTION_MEASURES,
    PATH_MEASURES,
    TRIPLE_MEASURES,
    directed,
    measure_options,
)
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weights import MEDMCQA_OPTIONS, MEDMCQA_PATHS
from evidence_assets.systems.ugat_medqa.reading import Case, candidates_of, cases_of
from evidence_assets.text.negation import is_negated
from evidence_assets.text.queries import shorten_questions

FITTED_ON, HELD_OUT, ROUTE = "medmcqa", "mmlu_medical_graph", "guided_walk"
SUBSETS = {
    "option alone": OPTION_MEASURES,
    "option and passages": OPTION_MEASURES + TRIPLE_MEASURES,
    "option and graph": OPTION_MEASURES + PATH_MEASURES,
    "option, passages and graph": OPTION_MEASURES + TRIPLE_MEASURES + PATH_MEASURES,
}
Keys = NDArray[np.int64]
WRITTEN = {MEDMCQA_PATHS: "option, passages and graph", MEDMCQA_OPTIONS: "option alone"}


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """One question: the measures of its options, (n, measures), which is right, and whether a path was given.

    Negation turns the measures of evidence round, as the reader does.
    """

    measures: Values
    right: int
    has_path: bool


def walked_cases(benchmark: str, route: str) -> list[Case]:
    """Return a benchmark's questions with the paths and the lifts of a route."""
    lake, place = Lake(default_root()), {"benchmark": benchmark}
    return cases_of(
        lake.read(QUESTIONS, place),
        lake.read(QUESTION_CONCEPTS, place),
        lake.read(REASONING_PATHS, {**place, "route": route}),
        lake.read(NODE_RELEVANCE, {**place, "route": route}),
    )


def graph_questions(benchmark: str) -> dict[str, GraphQuestion]:
    """Return a benchmark's questions that have options, by their ids."""
    lake = Lake(default_root())
    questions = lake.read(QUESTIONS, {"benchmark": benchmark})
    cases = walked_cases(benchmark, ROUTE)
    encoder = Models(cache_folder(lake)).encoder
    shortened = shorten_questions(questions, encoder.count_tokens, encoder.max_tokens)
    candidates = candidates_of(cases, shortened.encoding(encoder.encode))
    return {
        case.question["question_id"]: GraphQuestion(
            directed(measure_options(options), is_negated(options.question_text)),
            case.question["answer_index"],
            len(case.given) > 0,
        )
        for case, options in zip(cases, candidates, strict=True)
        if options is not None
    }


def measures_of(benchmark: str) -> tuple[Values, Keys, Values]:
    """Return (questions, options, measures), centred, the keys, and 1 for questions with a path."""
    questions = graph_questions(benchmark).values()
    return (
        np.array([question.measures - question.measures.mean(axis=0) for question in questions]),
        np.array([question.right for question in questions]),
        np.array([float(question.has_path) for question in questions]),
    )


def fitted_weights(values: Values, keys: Keys) -> Values:
    """Return one weight a measure; a measure that never varies gets 0."""
    spread = values.reshape(-1, values.shape[2]).std(axis=0)
    unit = np.where(spread > 0, spread, 1.0)
    shown = [Example(rows / unit, int(key), 1.0) for rows, key in zip(values, keys, strict=True)]
    weights: Values = np.where(spread > 0, fit(shown, signed=True) / unit, 0.0)
    return weights


def right(values: Values, keys: Keys, weights: Values) -> Values:
    """Return 1 for each question answered right, 0 for the others."""
    is_right: Values = ((values @ weights).argmax(axis=1) == keys).astype(np.float64)
    return is_right


def cross_fitted(values: Values, keys: Keys) -> Values:
    """Return 1 for each question answered right by weights fitted on the other half, 0 for the others."""
    correct = np.empty(len(keys))
    for half in (0, 1):
        is_held_out = np.arange(len(keys)) % 2 == half
        weights = fitted_weights(values[~is_held_out], keys[~is_held_out])
        correct[is_held_out] = right(values[is_held_out], keys[is_held_out], weights)
    return correct


def chosen(values: Values, names: Sequence[str]) -> Values:
    """Return the values with the measures that are not named set to 0."""
    named: Values = np.array([name in names for name in MEASURES], float)
    return values * named


def learning_curve(fitted: tuple[Values, Keys], held_out: tuple[Values, Keys]) -> Iterator[dict[str, Any]]:
    """Yield accuracy over the number of questions that weights of every measure are fitted on."""
    values, keys = fitted
    is_shown = np.arange(len(keys)) % 2 == 0
    held_back = {FITTED_ON: (values[~is_shown], keys[~is_shown]), HELD_OUT: held_out}
    for count in sorted({*(size for size in CURVE if size < is_shown.sum()), int(is_shown.sum())}):
        weights = fitted_weights(values[is_shown][:count], keys[is_shown][:count])
        for benchmark, (of_asked, their_keys) in held_back.items():
            correct = right(of_asked, their_keys, weights)
            accuracy = estimate_row(proportion(round(float(correct.sum())), len(correct)))
            yield {"benchmark": benchmark, "fitted_on": count, **accuracy}


def main() -> None:
    """Fit both sets of weights; write what they reach and, unless results alone are wanted, the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results-only", action="store_true", help="leave the package's weights as they are")
    results_only = parser.parse_args().results_only
    fitted, held_out = measures_of(FITTED_ON), measures_of(HELD_OUT)
    rows: list[dict[str, Any]] = []
    alone: dict[str, Values] = {}
    for name, names in SUBSETS.items():
        values, keys, reached = fitted
        weights = fitted_weights(chosen(values, names), keys)
        for written, subset in WRITTEN.items():
            if subset == name and not results_only:
                provenance = {
                    "method": "conditional logit, ridge on measures in units of their spread",
                    "penalty": PENALTY,
                    "sets": {FITTED_ON: len(keys)},
                    "measures": name,
                    "command": "python -m benchmarks.fit_paths",
                }
                write(written, provenance, Weights(weights.round(3), weights.round(3)))
        correct = {
            f"{FITTED_ON}, cross-fitted": (cross_fitted(chosen(values, names), keys), reached),
            HELD_OUT: (right(held_out[0], held_out[1], weights), held_out[2]),
        }
        for over, (answers, with_path) in correct.items():
            alone.setdefault(over, answers)
            for which, mask in (("all", np.ones_like(with_path)), ("with a path", with_path)):
                included = mask > 0
                rows.append(
                    {
                        "benchmark": over,
                        "measures": name,
                        "questions": which,
                        "n": int(included.sum()),
                        "accuracy": float(answers[included].mean()),
                        "minus_option_alone": difference_row(answers[included], alone[over][included]),
                    }
                )
                print(json.dumps(rows[-1]))
    curve = list(learning_curve(fitted[:2], held_out[:2]))
    save("fit_paths", {"evidence": rows, "learning_curve": curve})


if __name__ == "__main__":
    main()
