"""The default reader's frozen weights on training questions of sets that no weight of it was fitted on.

ARC's, but for those that WorldTree asks too, CommonsenseQA's, PIQA's and Social IQa's; none chose or fitted
anything of the default. Beside it, on the same questions, what weights reach that are fitted on all the other
sets at hand, OpenBookQA's and WorldTree's among them: with every measure, and with evidence and plausibility
alone, which leaves out how long an option is and how much it repeats. Sets count alike, and one is left out
with those of its origin. Every option has the nearest of OpenBookQA's facts; CommonsenseQA's have passages of
Wikipedia and triples. Needs the data sets, and `make question-sets`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.estimates import difference_row
from benchmarks.real_lake import materialized, prepare
from benchmarks.text.fit_extractive import (
    BASELINES,
    READ,
    Measured,
    Sets,
    Values,
    baseline,
    examples,
    fit,
    measured,
    reader,
    right,
    spread,
)
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.reading.extractive import MEASURES, OPTION_MEASURES, load_weights
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weights import GENERAL
from evidence_assets.training.questions import text_key

_CHUNKS, _TRIPLES = "uscrake/chunks_only_cosine@nearest", "uscrake/full_cosine@extractive"
# Each set with where it comes from. The default's weights were fitted on the last two, not on their like.
ORIGINS: Mapping[str, str] = {
    "arc_easy_train": "arc",
    "arc_challenge_train": "arc",
    "commonsenseqa_train": "commonsenseqa",
    "piqa_train": "piqa",
    "socialiqa_train": "socialiqa",
    "openbookqa_train": "openbookqa",
    "worldtree_train": "arc",
}
FITTED_ON = ("openbookqa_train", "worldtree_train")
WITH_TRIPLES = ("commonsenseqa_train", "openbookqa_train")
# What an option says of itself, but for how near it is to the question.
OF_OPTIONS = tuple(name for name in OPTION_MEASURES if name != "plausibility")
ALL, OF_EACH = "unseen_sets", "the strongest of each set"
FROZEN, OF_OTHERS, OF_EVIDENCE = "general", "of other sets", "of other sets, evidence and plausibility alone"


def run() -> dict[str, Any]:
    """Materialise what is missing, and return a row a set that no weight was fitted on and way to answer."""
    prepare()
    materialized({name: [_CHUNKS, *([_TRIPLES] if name in WITH_TRIPLES else [])] for name in ORIGINS})
    lake = Lake(default_root())
    sets = {name: measured(name, lake) for name in ORIGINS}
    elsewhere = {key for name in FITTED_ON for key in _texts(lake, name).values()}
    shown = {
        name: _without(sets[name], _texts(lake, name), elsewhere) for name in ORIGINS if name not in FITTED_ON
    }
    answered = {name: _answered(name, shown[name], sets) for name in shown}
    strongest = {
        name: max(BASELINES, key=lambda title: ways[title].mean()) for name, ways in answered.items()
    }
    rows = [
        _row(name, way, correct, ways[strongest[name]], strongest[name])
        for name, ways in answered.items()
        for way, correct in ways.items()
    ]
    held_against = np.concatenate([answered[name][strongest[name]] for name in shown])
    together = {
        way: np.concatenate([answered[name][way] for name in shown]) for way in next(iter(answered.values()))
    }
    rows += [
        _row(ALL, way, correct, held_against, OF_EACH)
        for way, correct in {**together, OF_EACH: held_against}.items()
    ]
    return {"sets": rows}


def _texts(lake: Lake, benchmark: str) -> dict[str, str]:
    """Return what tells the words of each question of a set, by its id."""
    rows = lake.read(QUESTIONS, {"benchmark": benchmark}, ["question_id", "question", "options"]).to_pylist()
    return {row["question_id"]: text_key(row["question"], row["options"]) for row in rows}


def _without(questions: Sequence[Measured], texts: Mapping[str, str], elsewhere: set[str]) -> list[Measured]:
    return [question for question in questions if texts[question.question_id] not in elsewhere]


def _answered(name: str, questions: Sequence[Measured], sets: Sets) -> dict[str, Values]:
    """Return for each way to answer a set 1 where a question is right; ties count as a blind choice."""
    kinds = READ["text and triples"]
    others = {other: of for other, of in sets.items() if ORIGINS[other] != ORIGINS[name]}
    return {
        FROZEN: right(questions, load_weights(GENERAL), kinds),
        OF_OTHERS: right(questions, _fitted(others), kinds),
        OF_EVIDENCE: right(questions, _fitted(others, without=OF_OPTIONS), kinds),
        **{title: baseline(questions, measure) for title, measure in BASELINES.items()},
    }


def _row(benchmark: str, way: str, correct: Values, held_against: Values, strongest: str) -> dict[str, Any]:
    estimate = proportion(round(float(correct.sum())), len(correct))
    row = {
        "benchmark": benchmark,
        "way": way,
        "value": float(correct.mean()),
        "low": estimate.low,
        "high": estimate.high,
        "n": len(correct),
        "strongest_baseline": strongest,
        "minus_baseline": difference_row(correct, held_against),
    }
    print(row, flush=True)
    return row


def _fitted(sets: Sets, without: Sequence[str] = ()) -> Weights:
    """Return weights fitted on sets, none given to the measures named."""
    unit = spread(sets)
    kept = np.tile([name not in without for name in MEASURES], 2).astype(np.float64)
    shown = [replace(example, rows=example.rows * kept) for example in examples(sets, unit)]
    return reader(fit(shown) * kept, unit)
