"""Which node relevance finds the useful part of a biomedical graph, and what more graph is worth.

Needs the data sets (EVIDENCE_REAL_DATA): MedMCQA dev and MMLU-medical, over Disease Database alone and merged
with Disease Ontology and indications. Two measures, as in the node-relevance study that the default comes
from:

- options: of questions whose right option and at least one other are concepts, whole: is the right option's
concept
  the one scored highest (lowest for a negated question)? Ties count in part. Chance is one by the number of
  options that are concepts.
- explanation: how high are the concepts that the expert's explanation names (MedMCQA), the question's own
left out?
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.real_texts import cached_encoder, real_data
from benchmarks.relevance_methods import (
    METHODS,
    Cases,
    Method,
    Opened,
    Scores,
    by_guided_walk,
    questions,
)
from evidence_assets.corpus.queries import QUESTION_ALONE
from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.graphs.evidence import LinkedQuestion
from evidence_assets.graphs.neighbourhoods import distances
from evidence_assets.graphs.paths import HUB_PENALTY, PathFinder, step_costs
from evidence_assets.graphs.walks import RESTART, STEPS
from evidence_assets.reasoning.negation import is_negated

GRAPHS = ("disease_database", "biomedical")
_BLOCK = 64
_DEPTH = 50
_TIMED = 20


def run() -> dict[str, Any]:
    """Compare the methods on each graph, and the graphs by the guided walk.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    data = real_data()
    os.environ["EVIDENCE_REAL_DATA"] = str(data)
    encoder = cached_encoder()
    asked = questions(data)
    every = [Cases(Opened(name, encoder), asked, encoder) for name in GRAPHS]
    rows, right = [], {}
    for cases in every:
        places = comparable(cases)
        of_graph = {name: options_right(cases, places, ways[0]) for name, ways in METHODS.items()}
        explained = {name: explanation(cases, ways[1]) for name, ways in METHODS.items()}
        right[cases.opened.name] = dict(zip(places, of_graph["guided walk, lift"], strict=True))
        for name, correct in of_graph.items():
            rows.append(
                {
                    "graph": cases.opened.name,
                    "method": name,
                    "questions": len(places),
                    "chance": chance(cases, places),
                    "accuracy": float(correct.mean()),
                    "minus_cosine": _difference(correct, of_graph["cosine"]),
                    **explained[name],
                }
            )
            print(json.dumps(rows[-1]))
    return {
        "graphs": [cases.opened.report for cases in every],
        "methods": rows,
        "coverage": [coverage(cases, name) for cases in every for name in ("medmcqa", "mmlu_medical")],
        "more_graph": more_graph(*(right[name] for name in GRAPHS)),
        "speed": {cases.opened.name: speed(cases) for cases in every},
    }


def comparable(cases: Cases) -> list[int]:
    """Return the questions whose right option and at least one other are concepts, and that name one."""
    found = []
    for place, question in enumerate(cases.asked):
        nodes = cases.whole(place)
        named = cases.linked[place].nodes(QUESTION_ALONE)
        if named and nodes[question.key] and sum(map(bool, nodes)) > 1:
            found.append(place)
    return found


def chance(cases: Cases, places: Sequence[int]) -> float:
    """Return the accuracy of a guess among the options that are concepts."""
    return float(np.mean([1 / sum(map(bool, cases.whole(place))) for place in places]))


def options_right(cases: Cases, places: Sequence[int], method: Method) -> Scores:
    """Return for each question 1 where its right option is scored best, a share where several are."""
    found = []
    for block, scores in _blocks(cases, places, method):
        for column, place in enumerate(block):
            question = cases.asked[place]
            best = np.array([max(scores[nodes, column]) if nodes else np.nan for nodes in cases.whole(place)])
            if is_negated(question.text):
                best = -best
            winners = np.flatnonzero(best == np.nanmax(best))
            found.append(float(question.key in winners) / len(winners))
    return np.array(found)


def explanation(cases: Cases, method: Method) -> dict[str, float | int]:
    """Return recall at 50, area under the curve and average precision of the explanations' concepts."""
    from sklearn.metrics import average_precision_score, roc_auc_score

    wanted = explained_concepts(cases)
    values = []
    for block, scores in _blocks(cases, list(wanted), method):
        for column, place in enumerate(block):
            own = np.array(cases.linked[place].nodes(QUESTION_ALONE), dtype=np.int64)
            others = np.setdiff1d(np.arange(len(scores)), own)
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
    from evidence_assets.graphs.phrases import phrases

    found = {}
    for place, question in enumerate(cases.asked):
        own = set(cases.linked[place].nodes(QUESTION_ALONE))
        if question.explanation and own:
            named = [phrase.text for phrase in phrases(question.explanation) if phrase.plain]
            links = cases.opened.linker.by_form(named).values()
            nodes = {link.node for of_phrase in links for link in of_phrase} - own
            if nodes:
                found[place] = nodes
    return found


def _blocks(cases: Cases, places: Sequence[int], method: Method) -> Any:
    for start in range(0, len(places), _BLOCK):
        block = places[start : start + _BLOCK]
        cosines = cases.opened.embedded.cosines(cases.vectors[list(block)])
        yield block, method(cases, block, cosines)


def coverage(cases: Cases, benchmark: str) -> dict[str, Any]:
    """Return how many of a benchmark's questions and options are concepts of the graph."""
    places = [place for place, one in enumerate(cases.asked) if one.benchmark == benchmark]
    linked: list[LinkedQuestion] = [cases.linked[place] for place in places]
    keys = [cases.asked[place].key for place in places]
    whole = [cases.whole(place) for place in places]
    return {
        "graph": cases.opened.name,
        "benchmark": benchmark,
        "questions": len(places),
        "with_a_concept": _share(bool(one.nodes(QUESTION_ALONE)) for one in linked),
        "right_option_names_a_concept": _share(
            bool(one.nodes(key)) for one, key in zip(linked, keys, strict=True)
        ),
        "right_option_is_a_concept": _share(bool(one[key]) for one, key in zip(whole, keys, strict=True)),
        "all_options_name_concepts": _share(
            all(one.nodes(option) for option in range(len(one.options))) for one in linked
        ),
    }


def _share(told: Any) -> float:
    return float(np.mean(list(told)))


def more_graph(small: dict[int, float], large: dict[int, float]) -> dict[str, Any]:
    """Return what the merged graph changes: questions that can be compared, accuracy on those of both."""
    both = sorted(small.keys() & large.keys())
    return {
        "questions": {"disease_database": len(small), "biomedical": len(large), "both": len(both)},
        "accuracy_on_both": {
            "disease_database": float(np.mean([small[place] for place in both])),
            "biomedical": float(np.mean([large[place] for place in both])),
        },
        "difference": _difference(
            np.array([large[place] for place in both]), np.array([small[place] for place in both])
        ),
        "right_answers": {
            "disease_database": float(sum(small.values())),
            "biomedical": float(sum(large.values())),
        },
    }


def speed(cases: Cases) -> dict[str, Any]:
    """Return milliseconds a question of each stage, and of networkx doing the same for some of them.

    Vectors are kept beforehand. The walk runs in blocks of 64, cosines included; expansion is what is within
    three hops, uncapped; paths are the cheapest of at most four steps from every evidence node and seed to
    every option's concepts. networkx has no cheapest path of so many steps: its plain Dijkstra stands for it.
    """
    import networkx as nx

    places = [place for place in range(0, len(cases.asked), 8) if cases.linked[place].nodes(QUESTION_ALONE)]
    few = places[:: max(1, len(places) // _TIMED)]
    embedded = cases.opened.embedded
    graph = embedded.adjacency
    costs = step_costs(graph, HUB_PENALTY)
    owners = np.repeat(np.arange(graph.size), graph.degrees)
    theirs: nx.Graph[int] = nx.Graph()
    theirs.add_weighted_edges_from(
        zip(owners.tolist(), graph.neighbours.tolist(), costs.tolist(), strict=True)
    )
    kept: dict[int, list[int]] = {}
    for block, scores in _blocks(cases, places, by_guided_walk):
        for column, place in enumerate(block):
            kept[place] = np.argsort(-scores[:, column], kind="stable")[:_DEPTH].tolist()
    targets = {
        place: sorted({node for option in range(4) for node in cases.linked[place].nodes(option)})
        for place in places
    }

    def expand(place: int) -> None:
        distances(graph, cases.linked[place].nodes(QUESTION_ALONE), 3)

    def expand_there(place: int) -> None:
        sources = set(cases.linked[place].nodes(QUESTION_ALONE))
        nx.multi_source_dijkstra_path_length(theirs, sources, cutoff=3, weight="steps")

    def find(place: int) -> None:
        finder = PathFinder(graph, costs, 4)
        for target in targets[place]:
            for source in kept[place]:
                finder.path(source, target)

    def find_there(place: int) -> None:
        for target in targets[place]:
            found = nx.single_source_dijkstra_path(theirs, target)
            [found.get(source) for source in kept[place]]

    def walk_all() -> None:
        for _ in _blocks(cases, places, by_guided_walk):
            pass

    def walk_there(place: int) -> None:
        starts = dict.fromkeys(cases.linked[place].nodes(QUESTION_ALONE), 1.0)
        nx.pagerank(theirs, alpha=1 - RESTART, personalization=starts, max_iter=STEPS, tol=1.0)

    find(places[0])
    started = time.perf_counter()
    walk_all()
    walking = 1000 * (time.perf_counter() - started) / len(places)
    ours = {"guided_walk": walking, "expansion": _each(expand, places), "paths": _each(find, places)}
    other = {
        "guided_walk": _each(walk_there, few),
        "expansion": _each(expand_there, few),
        "paths": _each(find_there, few),
    }
    return {
        stage: {"milliseconds": spent, "networkx_ratio": other[stage] / spent}
        for stage, spent in ours.items()
    }


def _each(work: Callable[[int], None], places: Sequence[int]) -> float:
    """Return milliseconds a place."""
    started = time.perf_counter()
    for place in places:
        work(place)
    return 1000 * (time.perf_counter() - started) / len(places)


def _difference(ours: Scores, theirs: Scores) -> dict[str, float]:
    estimate = paired_difference(ours, theirs)
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
