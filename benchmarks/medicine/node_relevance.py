"""Which node relevance finds the useful part of a biomedical graph, and what more graph is worth.

Needs the data sets (EVIDENCE_REAL_DATA): MedMCQA dev and MMLU-medical, over Disease Database alone and merged
with Disease Ontology, with indications, and with both. Two measures, as in the node-relevance study that the
default comes from:

- options: of questions whose right option and at least one other are concepts, whole: is the right option's
  concept the one scored highest (lowest for a negated question)? Ties count in part. Chance is one by the
  number of options that are concepts.
- explanation: how high are the concepts that the expert's explanation names (MedMCQA), the question's own
  left out?
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.estimates import difference_row
from benchmarks.medicine.medical_cases import Cases, Opened, Scores, questions
from benchmarks.medicine.relevance_methods import METHODS, Method, blocks
from benchmarks.medicine.relevance_speed import speed
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.graphs.names.linking import EMBEDDING, FUZZY
from evidence_assets.graphs.walking.neighbourhoods import distances
from evidence_assets.retrieval.question_triples.question_linking import LinkedQuestion
from evidence_assets.text.negation import is_negated
from evidence_assets.text.queries import NO_OPTION

SMALL, MERGED = "disease_database", "biomedical"
# The merged graph without some of its sources.
PARTS = {"with_ontology": ("indications",), "with_indications": ("disease-ontology",)}
BENCHMARKS = ("medmcqa", "mmlu_medical")
DEFAULT = "guided walk, lift"
_DEPTH = 50


def run() -> dict[str, Any]:
    """Compare the methods on each graph, and the graphs by the guided walk."""
    data = real_data()
    encoder = cached_encoder()
    medical_questions = questions(data)
    small, merged = (Cases(Opened(name, encoder), medical_questions, encoder) for name in (SMALL, MERGED))
    parts = {
        name: Cases(Opened(MERGED, encoder, without), medical_questions, encoder)
        for name, without in PARTS.items()
    }
    every = {SMALL: small, **parts, MERGED: merged}
    rows = [row for name in (SMALL, MERGED) for row in compared(every[name])]
    return {
        "graphs": [{**cases.opened.report, "graph": name} for name, cases in every.items()],
        "methods": rows,
        "coverage": [
            {**coverage(cases, benchmark), "graph": name}
            for benchmark in BENCHMARKS
            for name, cases in every.items()
        ],
        "more_graph": {name: more_graph(small, cases) for name, cases in every.items() if name != SMALL},
        "where": [{"graph": name, **row} for name in (SMALL, MERGED) for row in where_it_works(every[name])],
        "speed": {name: speed(every[name]) for name in (SMALL, MERGED)},
    }


def compared(cases: Cases) -> list[dict[str, Any]]:
    """Return a row a method: how often it is right, and how that compares with cosine and the default."""
    places = comparable(cases)
    right = {name: options_right(cases, places, ways[0]) for name, ways in METHODS.items()}
    rows = []
    for name, (_, for_nodes) in METHODS.items():
        rows.append(
            {
                "graph": cases.opened.name,
                "method": name,
                "questions": len(places),
                "chance": chance(cases, places),
                "accuracy": float(right[name].mean()),
                "minus_cosine": difference_row(right[name], right["cosine"]),
                "minus_default": difference_row(right[name], right[DEFAULT]),
                **explanation(cases, for_nodes),
            }
        )
        print(json.dumps(rows[-1]), flush=True)
    return rows


def comparable(cases: Cases) -> list[int]:
    """Return the questions whose right option and at least one other are concepts, and that name one."""
    places = []
    for place, question in enumerate(cases.questions):
        nodes = cases.option_nodes(place)
        named = cases.linked[place].nodes(NO_OPTION)
        if named and nodes[question.key] and sum(map(bool, nodes)) > 1:
            places.append(place)
    return places


def chance(cases: Cases, places: Sequence[int]) -> float:
    """Return the accuracy of a guess among the options that are concepts."""
    return float(np.mean([1 / sum(map(bool, cases.option_nodes(place))) for place in places]))


def options_right(cases: Cases, places: Sequence[int], method: Method, turned: bool = True) -> Scores:
    """Return for each question 1 where its right option is scored best, a share where several are.

    `turned`: of a negated question the option that is scored least is taken.
    """
    shares = []
    for block, scores in blocks(cases, places, method):
        for column, place in enumerate(block):
            question = cases.questions[place]
            best = np.array(
                [max(scores[nodes, column]) if nodes else np.nan for nodes in cases.option_nodes(place)]
            )
            if turned and is_negated(question.text):
                best = -best
            winners = np.flatnonzero(best == np.nanmax(best))
            shares.append(float(question.key in winners) / len(winners))
    return np.array(shares)


def explanation(cases: Cases, method: Method) -> dict[str, float | int]:
    """Return recall at 50, area under the curve and average precision of the explanations' concepts."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    wanted = explained_concepts(cases)
    values = []
    for block, scores in blocks(cases, list(wanted), method):
        for column, place in enumerate(block):
            named_nodes = np.array(cases.linked[place].nodes(NO_OPTION), dtype=np.int64)
            others = np.setdiff1d(np.arange(len(scores)), named_nodes)
            ranked = np.nan_to_num(scores[others, column], neginf=-1e9)
            is_wanted = np.isin(others, list(wanted[place]))
            first = np.argsort(-ranked, kind="stable")[:_DEPTH]
            values.append(
                (
                    is_wanted[first].sum() / is_wanted.sum(),
                    roc_auc_score(is_wanted, ranked),
                    average_precision_score(is_wanted, ranked),
                )
            )
    recall, area, precision = np.array(values).mean(axis=0)
    return {
        "explained_questions": len(values),
        "recall_at_50": float(recall),
        "area_under_curve": float(area),
        "average_precision": float(precision),
    }


def explained_concepts(cases: Cases) -> dict[int, set[int]]:
    """Return, by question that names a concept, the other concepts that its explanation names by form."""
    from evidence_assets.text.phrases import phrases

    concepts = {}
    for place, question in enumerate(cases.questions):
        named_nodes = set(cases.linked[place].nodes(NO_OPTION))
        if question.explanation and named_nodes:
            named = [phrase.text for phrase in phrases(question.explanation) if phrase.plain]
            links = cases.opened.linker.by_form(named).values()
            nodes = {link.node for of_phrase in links for link in of_phrase} - named_nodes
            if nodes:
                concepts[place] = nodes
    return concepts


def coverage(cases: Cases, benchmark: str) -> dict[str, Any]:
    """Return how many of a benchmark's questions and options are concepts of the graph."""
    places = [place for place, question in enumerate(cases.questions) if question.benchmark == benchmark]
    linked: list[LinkedQuestion] = [cases.linked[place] for place in places]
    keys = [cases.questions[place].key for place in places]
    option_nodes = [cases.option_nodes(place) for place in places]
    return {
        "graph": cases.opened.name,
        "benchmark": benchmark,
        "questions": len(places),
        "with_a_concept": _share(bool(links.nodes(NO_OPTION)) for links in linked),
        "with_a_concept_by_form": _share(_named(links) for links in linked),
        "right_option_names_a_concept": _share(
            bool(links.nodes(key)) for links, key in zip(linked, keys, strict=True)
        ),
        "right_option_is_a_concept": _share(
            bool(links[key]) for links, key in zip(option_nodes, keys, strict=True)
        ),
        "all_options_name_concepts": _share(
            all(links.nodes(option) for option in range(len(links.options))) for links in linked
        ),
    }


def _named(question: LinkedQuestion) -> bool:
    """Tell whether a question says a concept's name, and not only what is spelt or means alike."""
    methods = {concept.link.method for concept in question.concepts[NO_OPTION]}
    return bool(methods - {FUZZY, EMBEDDING})


def _share(flags: Any) -> float:
    return float(np.mean(list(flags)))


def more_graph(small: Cases, large: Cases) -> dict[str, Any]:
    """Return what a larger graph changes: coverage, questions that compare, accuracy on those of both."""
    lift = METHODS[DEFAULT][0]
    right = [
        dict(zip(places, options_right(cases, places, lift), strict=True))
        for cases in (small, large)
        for places in [comparable(cases)]
    ]
    both = sorted(right[0].keys() & right[1].keys())
    named = [
        np.array([bool(links.nodes(NO_OPTION)) for links in cases.linked], dtype=np.float64)
        for cases in (small, large)
    ]
    reached = [
        np.array(
            [
                bool(links.nodes(question.key))
                for links, question in zip(cases.linked, cases.questions, strict=True)
            ],
            dtype=np.float64,
        )
        for cases in (small, large)
    ]
    return {
        "questions": [len(right[0]), len(right[1]), len(both)],
        "right_answers": [float(sum(answers.values())) for answers in right],
        "difference_on_both": difference_row(
            *(np.array([answers[place] for place in both]) for answers in right[::-1])
        ),
        "with_a_concept": difference_row(named[1], named[0]),
        "right_option_names_a_concept": difference_row(reached[1], reached[0]),
    }


def where_it_works(cases: Cases) -> list[dict[str, Any]]:
    """Return how often the default is right by steps to the right option, concepts named, and negation."""
    places = comparable(cases)
    right = options_right(cases, places, METHODS[DEFAULT][0])
    unturned = options_right(cases, places, METHODS[DEFAULT][0], turned=False)
    negated = np.array([is_negated(cases.questions[place].text) for place in places])
    concepts = np.array([len(cases.linked[place].nodes(NO_OPTION)) for place in places])
    steps = np.array([_steps(cases, place) for place in places])
    groups: dict[str, tuple[Any, Scores]] = {
        **{f"right option {count} steps away": (steps == count, right) for count in (0, 1, 2)},
        "right option 3 steps away or more": ((steps > 2) | (steps < 0), right),
        "one concept": (concepts == 1, right),
        "two or three concepts": ((concepts > 1) & (concepts < 4), right),
        "four concepts or more": (concepts > 3, right),
        "negated, the least raised": (negated, right),
        "negated, the most raised": (negated, unturned),
    }
    return [
        {
            "questions": name,
            "n": int(which.sum()),
            "chance": chance(cases, [places[at] for at in np.flatnonzero(which)]),
            "accuracy": float(values[which].mean()),
        }
        for name, (which, values) in groups.items()
        if which.any()
    ]


def _steps(cases: Cases, place: int) -> int:
    """Return the steps from a question's concepts to the nearest of the right option's; -1 out of reach."""
    concepts = cases.linked[place].nodes(NO_OPTION)
    steps = distances(cases.opened.embedded.adjacency, concepts, 8)[
        cases.option_nodes(place)[cases.questions[place].key]
    ]
    return int(steps[steps >= 0].min(initial=99)) if (steps >= 0).any() else -1
