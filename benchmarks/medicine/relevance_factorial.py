"""One factor of UGAT-MedQA's retrieval at a time: relevance, cap, path cost and filter.

Needs the data sets. MedMCQA's development questions of which two options or more are, as a whole, names of
the merged graph: of the others no path tells options apart. Concepts are linked by form and spelling; by
meaning, every name of the graph would have to be encoded. All cells read the same questions, through the
stages' own functions (`node_scores`, `path_rows`, `read_benchmark`), as `full_answering@extractive`; but
passages are not encoded: their cosines count nothing, so that cells differ by their paths, and by the walks'
lifts where a cell has them.

Networks are trained on at most 200 nodes, and on all nodes for a few questions. How long they are trained and
where the threshold lies is swept before a collapse is spoken of.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.estimates import difference_row
from benchmarks.medicine.medical_cases import Asked, Cases, Opened, Scores, questions
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.graphs.choices import HOP_COUNT, HUB_PENALTY
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import Path, PathFinder, step_costs
from evidence_assets.lake.schemas import NODE_RELEVANCE, QUESTIONS, REASONING_PATHS
from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.reading.baselines import (
    LONGEST_OPTION,
    OPTION_COSINE,
    constant_accuracies,
    expected_accuracy,
    longest_option,
    option_cosine,
)
from evidence_assets.reading.encoded_texts import EncodedTexts
from evidence_assets.retrieval.question_triples.question_linking import link_rows
from evidence_assets.systems.ugat_medqa.arms import (
    ARMS,
    ATTENTION,
    CONVOLUTION,
    COSINE,
    GUIDED_WALK,
    KINDS,
    NEIGHBOURHOODS,
    NONE,
    PAGERANK,
    Route,
)
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import relevance_diagnostics
from evidence_assets.systems.ugat_medqa.reading import cases_of, read_benchmark
from evidence_assets.systems.ugat_medqa.reasoning_paths import PathContext, Relevant, path_rows
from evidence_assets.systems.ugat_medqa.relevance import NodeScores, best, node_scores
from evidence_assets.systems.ugat_medqa.relevance_rows import node_rows
from evidence_assets.systems.ugat_medqa.subgraphs import (
    Subgraph,
    questions_with_concepts,
    read_subgraphs,
    subgraph_rows,
    subgraphs_of,
)
from evidence_assets.text.negation import is_negated
from evidence_assets.text.verbalisation import BIOMEDICAL, templates

SEED = 20_261_121
# Questions of the sweep of trainings, and of networks on all nodes.
SWEPT, UNCAPPED = 60, 2
CAPS = {"200": "hops3_nodes200", "4,000": "hops3", "none": "hops3_uncapped"}
COSTS = {"hub penalty": HUB_PENALTY, "hop count": HOP_COUNT}
UNTRAINED = (GUIDED_WALK, PAGERANK, COSINE)
STEPS = (0, 1, 2, 5, 10, 20, 50)
THRESHOLDS = (0.3, 0.5, 0.7, 0.9, 0.95, 0.99)
BEST, THRESHOLD, ALL = "best 50", "threshold", "all"
NAME = "medmcqa"


@dataclass(frozen=True)
class Cell:
    """One combination. `lift`: the walk's lift of each option counts too."""

    relevance: str
    cap: str
    cost: str
    filter: str
    lift: bool = False


@dataclass(frozen=True)
class Ready:
    """The questions, their rows, vectors and subgraphs by cap, and what encodes all but passages."""

    graph: EmbeddedGraph
    questions: pa.Table
    concepts: pa.Table
    vectors: FloatArray
    subgraphs: dict[str, list[Subgraph]]
    encode: Encode


class CachedPathFinder(PathFinder):
    """A path finder that remembers its paths: cells share most of them."""

    def __init__(self, graph: EmbeddedGraph, cost: str) -> None:
        adjacency = graph.adjacency
        super().__init__(adjacency, step_costs(adjacency, cost), NEIGHBOURHOODS["hops3"].hops + 1)
        self._found = lru_cache(maxsize=1 << 18)(super().path)

    def path(self, source: int, target: int) -> Path | None:
        """Return the cheapest path."""
        return self._found(source, target)


def run() -> dict[str, Any]:
    """Read every cell; return its accuracy, each factor's effect, the baselines and the sweeps."""
    encoder = cached_encoder()
    opened = Opened("biomedical", encoder, by_meaning=False)
    every = questions(real_data())
    eligible = comparable_questions(opened, every)
    # The sweeps read the first of them.
    random.Random(SEED).shuffle(eligible)
    return {
        **measured(ready(Cases(opened, eligible, encoder), eligible)),
        "baselines_of_all": [
            {"benchmark": name, **row}
            for name in (NAME, "mmlu_medical")
            for row in constants([row for row in every if row.benchmark == name])
        ],
    }


def comparable_questions(opened: Opened, asked_questions: Sequence[Asked]) -> list[Asked]:
    """Return MedMCQA's questions of which at least two options are names of the graph."""
    of_benchmark = [question for question in asked_questions if question.benchmark == NAME]
    names = dict.fromkeys(option for question in of_benchmark for option in question.options)
    links = opened.linker.by_form(names)
    return [
        question
        for question in of_benchmark
        if sum(bool(links.get(option)) for option in question.options) > 1
    ]


def ready(cases: Cases, asked_questions: Sequence[Asked]) -> Ready:
    """Return the questions as the stages take them."""
    graph = cases.opened.embedded
    rows = [
        {
            "benchmark": NAME,
            "question_id": str(place),
            "question": question.text,
            "options": list(question.options),
            "answer_index": question.key,
            "answers": [question.options[question.key]],
            "gold_evidence": [],
            "split": "dev",
            "context": "",
            "subject": "",
            "source_uri": "medmcqa_dev.json",
            "licence": "MIT",
        }
        for place, question in enumerate(asked_questions)
    ]
    table = pa.Table.from_pylist(rows, schema=QUESTIONS.schema)
    concepts = link_rows(cases.linked, graph.graph, NAME, 300)
    linked = questions_with_concepts(table, concepts)
    subgraphs = {
        cap: subgraphs_of(
            linked,
            read_subgraphs(
                pa.concat_tables(subgraph_rows(linked, cases.vectors, graph, NEIGHBOURHOODS[name], NAME))
            ),
        )
        for cap, name in CAPS.items()
    }
    return Ready(graph, table, concepts, cases.vectors, subgraphs, _encoding(cases, asked_questions))


def _encoding(cases: Cases, asked_questions: Sequence[Asked]) -> Encode:
    """Return what encodes questions and options, and nothing else: passages get vectors of zeros."""
    texts = {
        text
        for question in asked_questions
        for option in question.options
        for text in (question.text, option, f"{question.text} {option}")
    }

    def encode(wanted: Sequence[str]) -> FloatArray:
        vectors = np.zeros((len(wanted), cases.encoder.dimension), dtype=np.float32)
        known = [place for place, text in enumerate(wanted) if text in texts]
        vectors[known] = cases.encoder.encode([wanted[place] for place in known])
        return vectors

    return encode


def cells() -> list[Cell]:
    """Return the combinations: all on at most 200 nodes; on more no networks, and the best 50 nodes."""
    combinations = []
    for cap, cost in product(CAPS, COSTS):
        small = cap == "200"
        for relevance, kept in product(UNTRAINED, (BEST, ALL) if small else (BEST,)):
            combinations.append(Cell(relevance, cap, cost, kept))
            if relevance == GUIDED_WALK or (small and relevance == PAGERANK):
                combinations.append(Cell(relevance, cap, cost, kept, lift=True))
        if small:
            combinations += [Cell(kind, cap, cost, kept) for kind in KINDS for kept in (BEST, THRESHOLD, ALL)]
        combinations.append(Cell(NONE, cap, cost, ALL))
    return combinations


def measured(prepared: Ready) -> dict[str, Any]:
    """Return the accuracy of every cell, the effects of the factors, the baselines and the sweeps."""
    finders = {name: CachedPathFinder(prepared.graph, cost) for name, cost in COSTS.items()}
    right: dict[Cell, Scores] = {}
    every = cells()
    for relevance, cap in dict.fromkeys((cell.relevance, cell.cap) for cell in every):
        scores = scored(prepared, relevance, cap)
        for cell in every:
            if (cell.relevance, cell.cap) == (relevance, cap):
                right[cell] = read(prepared, cell, scores, finders[cell.cost])
                print(json.dumps([vars(cell), right[cell].mean()]), flush=True)
    return {
        "questions": prepared.questions.num_rows,
        "cells": [
            {**vars(cell), "n": len(values), "accuracy": _share(values)} for cell, values in right.items()
        ],
        "effects": list(effects(right)),
        "baselines": baselines(prepared),
        "training": list(training_sweep(prepared)),
        "uncapped": list(uncapped(prepared)),
    }


def scored(
    prepared: Ready, relevance: str, cap: str, config: AttentionConfig | None = None, most: int | None = None
) -> list[NodeScores]:
    """Return the scores of each question's nodes; `kept` are those above the networks' threshold."""
    route = Route(relevance, relevance, "", CAPS[cap], None, threshold=relevance in KINDS)
    subgraphs = prepared.subgraphs[cap][:most]
    vectors = prepared.vectors[: len(subgraphs)]
    return list(node_scores(subgraphs, vectors, prepared.graph, route, config or AttentionConfig()))


def read(prepared: Ready, cell: Cell, scores: Sequence[NodeScores], finder: PathFinder) -> Scores:
    """Return (n,) 1 where a cell's answer is right."""
    paths, nodes = read_rows(prepared, scores, cell.cap, cell.filter, finder, cell.lift)
    arm = ARMS["full_answering@extractive"]
    experiment = read_benchmark(
        prepared.questions, prepared.concepts, paths, nodes, prepared.encode, arm, NAME, "factorial"
    )
    correct = {
        row["question_id"]: float(row["correct"]) for row in experiment.tables()["predictions"].to_pylist()
    }
    return np.array([correct[question_id] for question_id in prepared.questions["question_id"].to_pylist()])


def read_rows(
    prepared: Ready, scores: Sequence[NodeScores], cap: str, kept_by: str, finder: PathFinder, lift: bool
) -> tuple[pa.Table, pa.Table]:
    """Return rows of `reasoning_paths` and `node_relevance`; the latter of seeds and options' concepts alone.

    Which statements contradict each other is not looked up: every path counts whole.
    """
    linked = questions_with_concepts(prepared.questions, prepared.concepts)
    relevant, nodes = {}, []
    # Rows of a route without a walk have no lift.
    route = Route(GUIDED_WALK if lift else COSINE, COSINE, "", CAPS[cap])
    for question, subgraph, of_question in zip(linked, prepared.subgraphs[cap], scores, strict=True):
        kept = of_question.kept
        if kept_by != THRESHOLD:
            kept = best(of_question.scores, 50 if kept_by == BEST else None)
        is_seed = np.isin(subgraph.nodes, [seed.node for seed in subgraph.seeds])
        starts = kept | is_seed
        relevant[question.question_id] = Relevant(
            subgraph.nodes[starts], of_question.scores[starts], is_seed[starts]
        )
        only_named = replace(of_question, kept=np.zeros(len(kept), dtype=np.bool_))
        nodes += node_rows(question, subgraph, only_named, prepared.graph, route, NAME)
    # The probabilities of a walk's steps are written beside them: nothing here looks at them.
    context = PathContext(
        prepared.graph, finder, templates(BIOMEDICAL), (), replace(route, method=NONE), NAME
    )
    paths = pa.concat_tables(
        [REASONING_PATHS.schema.empty_table(), *path_rows(linked, prepared.vectors, relevant, context)]
    )
    return paths, pa.Table.from_pylist(nodes, schema=NODE_RELEVANCE.schema)


def effects(right: dict[Cell, Scores]) -> Iterator[dict[str, Any]]:
    """Yield what a level of a factor gains over another, averaged over the combinations that have both."""
    claims: tuple[tuple[str, Any, Any], ...] = (
        *(("relevance", GUIDED_WALK, against) for against in (PAGERANK, COSINE, ATTENTION, CONVOLUTION)),
        ("relevance", ATTENTION, CONVOLUTION),
        ("relevance", ATTENTION, COSINE),
        ("relevance", ATTENTION, NONE),
        ("relevance", GUIDED_WALK, NONE),
        ("lift", True, False),
        ("cap", "4,000", "200"),
        ("cap", "none", "4,000"),
        ("cost", "hub penalty", "hop count"),
        ("filter", BEST, ALL),
        ("filter", THRESHOLD, ALL),
        ("filter", BEST, THRESHOLD),
    )
    for factor, level, against in claims:
        pairs = []
        for cell, values in right.items():
            changed: dict[str, Any] = {factor: against}
            counterpart = replace(cell, **changed)
            if getattr(cell, factor) == level and counterpart in right:
                pairs.append((values, right[counterpart]))
        ours, theirs = (np.mean(side, axis=0) for side in zip(*pairs, strict=True))
        yield {
            "factor": factor,
            "level": level,
            "other": against,
            "n": len(ours),
            "combinations": len(pairs),
            **difference_row(ours, theirs),
        }


def baselines(prepared: Ready) -> list[dict[str, Any]]:
    """Return what cheap readers reach on the same questions: constants, options alone, a lift alone."""
    rows = prepared.questions.to_pylist()
    asked_questions = [Asked(row["question"], row["options"], row["answer_index"], "", NAME) for row in rows]
    lifts = [
        _baseline(f"{method}, lift alone", list(lift_alone(prepared, method)))
        for method in (PAGERANK, GUIDED_WALK)
    ]
    return [*without_evidence(asked_questions, prepared.encode), *lifts]


def without_evidence(asked_questions: Sequence[Asked], encode: Encode) -> list[dict[str, Any]]:
    """Return what constants and the options alone reach on questions."""
    vectors = EncodedTexts(
        (text for question in asked_questions for text in (question.text, *question.options)), encode
    )
    cosines = [
        expected_accuracy(
            option_cosine(vectors.of([question.text])[0], vectors.of(question.options)), question.key
        )
        for question in asked_questions
    ]
    return [_baseline(OPTION_COSINE, cosines), *constants(asked_questions)]


def constants(asked_questions: Sequence[Asked]) -> list[dict[str, Any]]:
    """Return what nothing but the number, the place and the length of options reaches on questions."""
    of_constants = constant_accuracies(
        (str(place), question.options, question.key) for place, question in enumerate(asked_questions)
    )
    longest = [
        expected_accuracy(longest_option(question.options), question.key) for question in asked_questions
    ]
    return [
        _baseline(LONGEST_OPTION, longest),
        *(_baseline(name, list(of_question.values())) for name, of_question in of_constants.items()),
    ]


def _baseline(name: str, values: Sequence[float]) -> dict[str, Any]:
    return {"baseline": name, "n": len(values), "accuracy": _share(np.array(values))}


def lift_alone(prepared: Ready, method: str) -> Iterator[float]:
    """Yield for each question whether the option with the greatest lift is right, the least if negated."""
    route = Route(method, method, "", CAPS["4,000"])
    linked = questions_with_concepts(prepared.questions, prepared.concepts)
    nodes: list[dict[str, Any]] = []
    for question, subgraph, scores in zip(
        linked, prepared.subgraphs["4,000"], scored(prepared, method, "4,000"), strict=True
    ):
        nodes += node_rows(question, subgraph, scores, prepared.graph, route, NAME)
    table = pa.Table.from_pylist(nodes, schema=NODE_RELEVANCE.schema)
    for case in cases_of(prepared.questions, prepared.concepts, REASONING_PATHS.schema.empty_table(), table):
        count, key = len(case.question["options"]), case.question["answer_index"]
        mean = float(np.mean(list(case.lifts.values()) or [0.0]))
        sign = -1.0 if is_negated(case.question["question"]) else 1.0
        yield expected_accuracy([sign * case.lifts.get(option, mean) for option in range(count)], key)


def training_sweep(prepared: Ready) -> Iterator[dict[str, Any]]:
    """Yield, by kind and steps, how scores lie, what thresholds keep, and whether they tell options apart.

    `option_accuracy`: how often the right option's concept scores highest of the options' concepts that the
    subgraph holds, of the questions where it holds the right one and another (`comparable`).
    """
    for kind, steps in product(KINDS, STEPS):
        scores = scored(prepared, kind, "200", AttentionConfig(steps=steps), SWEPT)
        yield {"kind": kind, "steps": steps, "n": SWEPT, **_lie_of(prepared, scores, "200")}
        print(json.dumps([kind, steps]), flush=True)
    for method in (COSINE, GUIDED_WALK):
        scores = scored(prepared, method, "200", most=SWEPT)
        yield {"kind": method, "steps": None, "n": SWEPT, **_lie_of(prepared, scores, "200")}


def uncapped(prepared: Ready) -> Iterator[dict[str, Any]]:
    """Yield the same of networks trained on all nodes within three hops, as printed."""
    for kind in KINDS:
        scores = scored(prepared, kind, "none", most=UNCAPPED)
        yield {"kind": kind, "steps": 20, "n": UNCAPPED, **_lie_of(prepared, scores, "none")}


def _lie_of(prepared: Ready, scores: Sequence[NodeScores], cap: str) -> dict[str, Any]:
    subgraphs = prepared.subgraphs[cap][: len(scores)]
    measures = []
    for place, (subgraph, of_question) in enumerate(zip(subgraphs, scores, strict=True)):
        cosines = prepared.graph.vectors[subgraph.nodes] @ prepared.vectors[place]
        measures.append(relevance_diagnostics(of_question.scores, cosines, of_question.kept))
    options_told = list(_options_told(prepared, subgraphs, scores))
    return {
        "nodes": float(np.mean([len(subgraph.nodes) for subgraph in subgraphs])),
        "mean_score": float(np.mean([measure.mean_score for measure in measures])),
        "spread": float(np.mean([measure.spread for measure in measures])),
        "cosine_correlation": float(np.mean([measure.cosine_correlation for measure in measures])),
        "kept_shares": {
            str(threshold): float(np.mean([(run.scores > threshold).mean() for run in scores]))
            for threshold in THRESHOLDS
        },
        "seed_correlation": _mean([run.seed_correlation for run in scores]),
        "comparable": len(options_told),
        "option_accuracy": None
        if not options_told
        else _share(np.array([right for right, _ in options_told])),
        "chance": None if not options_told else float(np.mean([chance for _, chance in options_told])),
    }


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def _options_told(
    prepared: Ready, subgraphs: Sequence[Subgraph], scores: Sequence[NodeScores]
) -> Iterator[tuple[float, float]]:
    linked = questions_with_concepts(prepared.questions, prepared.concepts)
    keys = prepared.questions.column("answer_index").to_pylist()
    for question, key, subgraph, of_question in zip(linked, keys, subgraphs, scores, strict=False):
        values = dict(zip(subgraph.nodes.tolist(), of_question.scores.tolist(), strict=True))
        sign = -1.0 if is_negated(question.question) else 1.0
        reached = {
            option: sign * max(values[node] for node in nodes if node in values)
            for option, nodes in question.option_concepts.items()
            if any(node in values for node in nodes)
        }
        if key in reached and len(reached) > 1:
            options = list(reached)
            right = expected_accuracy([reached[option] for option in options], options.index(key))
            yield right, 1 / len(options)


def _share(values: Scores) -> dict[str, float]:
    """Return a mean with the interval of its difference from nothing."""
    return difference_row(values, np.zeros(len(values)))
