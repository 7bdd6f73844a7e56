"""Text, triples and paths in one reader of medical questions, by weights that nothing looked at.

The measures are made anew from what the lake holds of chunks by cosine, of triples and of the routes
`guided_walk` and `pagerank`, so materialise these first:

    export EVIDENCE_REAL_DATA=... EVIDENCE_SOURCES=benchmarks/real_data_sources.yaml EVIDENCE_LAKE=...
    evidence-assets demo mmlu_medical \\
        --arms uscrake/chunks_only_cosine@nearest,uscrake/full_cosine@extractive
    evidence-assets demo mmlu_medical_graph medmcqa --arms ugat_medqa/full@extractive,ugat_medqa/pagerank@lift
    python -m benchmarks.nested_fit

Nested: each of five parts of a set's questions is answered with weights fitted on the other four, and which
kinds of evidence are read and how strong the penalty is was chosen among these four alone, by five parts of
them. MedMCQA's questions have no corpus of text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.estimates import difference_row, estimate_row
from benchmarks.medicine.fit_paths import graph_questions, walked_cases
from benchmarks.result_files import save
from benchmarks.text.fit_extractive import PENALTY, Example, Values, fit
from benchmarks.text.fit_extractive import measured as text_questions
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.locations import default_root
from evidence_assets.reading.baselines import expected_accuracy, majority_position
from evidence_assets.reading.extractive import (
    MEASURES,
    OPTION_MEASURES,
    PATH_MEASURES,
    TEXT_MEASURES,
    TRIPLE_MEASURES,
    directed,
)
from evidence_assets.systems.ugat_medqa.reading import scores_by_lift

FOLDS, SEED = 5, 2026
PENALTIES = (PENALTY / 5, PENALTY, PENALTY * 5)
OPTION, PAGERANK, PAGERANK_LIFT = "option", "PageRank", "PageRank's lift"
# What is measured of each kind of evidence, by a benchmark that retrieves text and by one that walks a graph.
OF_TEXT = {"text": TEXT_MEASURES, "triples": TRIPLE_MEASURES}
OF_GRAPH = {OPTION: OPTION_MEASURES, "passages": TRIPLE_MEASURES, "paths": PATH_MEASURES}
# Each set: the benchmark that walks the graph, and the one that retrieves text.
SETS: Mapping[str, tuple[str, str | None]] = {
    "mmlu_medical": ("mmlu_medical_graph", "mmlu_medical"),
    "medmcqa": ("medmcqa", None),
}
# Cheap baselines that are measures by themselves.
SINGLE = {
    "cosine of question and option": "plausibility",
    "longest option": "characters",
    PAGERANK_LIFT: PAGERANK_LIFT,
}
Keys = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Questions:
    """A set's questions: (questions, options, columns) centred over the options, and the right options.

    `kinds` and `names`: of each column the kind of evidence and the measure.
    """

    values: Values
    keys: Keys
    kinds: Sequence[str]
    names: Sequence[str]

    def read_with(self, kinds: Sequence[str]) -> Values:
        """Return the values, those of other kinds of evidence set to 0."""
        read: Values = np.array([kind in kinds for kind in self.kinds], float)
        return self.values * read


@dataclass(frozen=True, slots=True)
class Choice:
    """What is chosen of a reader: the kinds of evidence, and the penalty on its weights."""

    kinds: tuple[str, ...]
    penalty: float


def questions_of(with_graph: str, with_text: str | None) -> Questions:
    """Return a set's questions that every one of its benchmarks has measured, in the order of their ids."""
    graph = graph_questions(with_graph)
    lifts = {
        case.question["question_id"]: scores_by_lift(case) for case in walked_cases(with_graph, "pagerank")
    }
    text = {
        question.question_id: directed(question.measures, question.negated)
        for question in (text_questions(with_text, Lake(default_root())) if with_text else ())
    }
    measures = {**OF_GRAPH, **(OF_TEXT if with_text else {}), PAGERANK: (PAGERANK_LIFT,)}
    question_ids = sorted(graph.keys() & text.keys() if with_text else graph)
    rows = []
    for question_id in question_ids:
        blocks = [_columns(graph[question_id].measures, OF_GRAPH)]
        if with_text:
            blocks.append(_columns(text[question_id], OF_TEXT))
        row = np.concatenate([*blocks, lifts[question_id][:, None]], axis=1)
        rows.append(row - row.mean(axis=0))
    return Questions(
        np.array(rows),
        np.array([graph[question_id].right for question_id in question_ids]),
        [kind for kind, names in measures.items() for _ in names],
        [name for names in measures.values() for name in names],
    )


def _columns(measured: Values, of_kinds: Mapping[str, Sequence[str]]) -> Values:
    """Return (options, columns): what is measured of some kinds of evidence."""
    return measured[:, [MEASURES.index(name) for name in chain(*of_kinds.values())]]


def choices(kinds: Sequence[str]) -> Iterator[Choice]:
    """Yield every choice: the option, with any of the other kinds of evidence, and each penalty."""
    evidence = [kind for kind in dict.fromkeys(kinds) if kind != OPTION]
    subsets = chain.from_iterable(combinations(evidence, size) for size in range(len(evidence) + 1))
    return (Choice((OPTION, *subset), penalty) for subset, penalty in product(list(subsets), PENALTIES))


def scores(questions: Questions, choice: Choice, shown: NDArray[np.bool_]) -> Values:
    """Return (others, options) the scores of the questions not shown, by weights fitted on those shown."""
    values = questions.read_with(choice.kinds)
    deviations = values[shown].reshape(-1, values.shape[2]).std(axis=0)
    values = values / np.where(deviations > 0, deviations, 1.0)
    examples = [
        Example(rows, int(key), 1.0) for rows, key in zip(values[shown], questions.keys[shown], strict=True)
    ]
    return values[~shown] @ fit(examples, signed=True, penalty=choice.penalty)


def right(scored: Values, keys: Keys) -> Values:
    """Return what choosing the best score reaches on each question: (questions,)."""
    return np.array([expected_accuracy(row, int(key)) for row, key in zip(scored, keys, strict=True)])


def cross_fitted(questions: Questions, choice: Choice) -> float:
    """Return the accuracy of a choice, each part answered with weights fitted on the other parts."""
    parts = parts_of(len(questions.keys))
    reached = [
        right(scores(questions, choice, parts != part), questions.keys[parts == part])
        for part in range(FOLDS)
    ]
    return float(np.concatenate(reached).mean())


def parts_of(count: int) -> Keys:
    """Return (count,) the part that each question is in, drawn by chance, parts as large as can be alike."""
    parts: Keys = np.random.default_rng(SEED).permutation(np.arange(count) % FOLDS)
    return parts


def nested(questions: Questions) -> tuple[Values, list[Choice]]:
    """Return what is reached on each question, and what was chosen for each part."""
    parts, reached, chosen = parts_of(len(questions.keys)), np.zeros(len(questions.keys)), []
    for part in range(FOLDS):
        shown = parts != part
        seen = Questions(questions.values[shown], questions.keys[shown], questions.kinds, questions.names)
        best = max(choices(questions.kinds), key=lambda choice: cross_fitted(seen, choice))
        reached[~shown] = right(scores(questions, best, shown), questions.keys[~shown])
        chosen.append(best)
    return reached, chosen


def cheap(questions: Questions) -> dict[str, Values]:
    """Return what each cheap baseline reaches on each question, by its name; ties count as a blind choice."""
    most = majority_position(questions.keys.tolist())
    reached = {
        title: right(questions.values[:, :, questions.names.index(name)], questions.keys)
        for title, name in SINGLE.items()
    }
    return {**reached, "majority": (questions.keys == most).astype(np.float64)}


def account(name: str) -> dict[str, Any]:
    """Return what the nested reader of a set reaches, what was chosen, and its cheap baselines."""
    questions = questions_of(*SETS[name])
    reached, chosen = nested(questions)
    baselines = cheap(questions)
    strongest = max(baselines, key=lambda title: baselines[title].mean())
    return {
        "benchmark": name,
        "reached": _share(reached),
        "chosen": [{"kinds": choice.kinds, "penalty": choice.penalty} for choice in chosen],
        "baselines": [
            {"benchmark": name, "baseline": title, "accuracy": float(values.mean()), "n": len(values)}
            for title, values in baselines.items()
        ],
        "strongest": {"baseline": strongest, **_share(baselines[strongest])},
        "minus_strongest": difference_row(reached, baselines[strongest]),
    }


def _share(correct: Values) -> dict[str, float]:
    return estimate_row(proportion(round(float(correct.sum())), len(correct)))


def main() -> None:
    """Write what is reached on each set."""
    accounts = [account(name) for name in SETS]
    baselines = [row for of_set in accounts for row in of_set.pop("baselines")]
    print(json.dumps(accounts))
    save("nested_fit", {"sets": accounts, "baselines": baselines})


if __name__ == "__main__":
    main()
