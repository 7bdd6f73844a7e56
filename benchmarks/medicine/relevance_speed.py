"""How long the stages of the graph's evidence take a question, and networkx for the same.

Vectors are kept beforehand. Ours: what is within three hops of the concepts, capped as the system caps it;
the guided walk in blocks of 64, cosines included; the cheapest paths of at most four steps from the fifty
evidence nodes to every option's concepts. networkx: the nodes within three hops, and personalised PageRank
where they are too many; PageRank with the question's attraction as weights, until it converges, the weighted
graph made before; and Dijkstra from every option's concept, which has no limit of steps there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import networkx as nx
import numpy as np

from benchmarks.medicine.medical_cases import Cases
from benchmarks.medicine.relevance_methods import blocks, by_guided_walk
from evidence_assets.graphs.choices import HUB_PENALTY
from evidence_assets.graphs.walking.neighbourhoods import neighbourhood
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.graphs.walking.walks import RESTART, guided_weights
from evidence_assets.systems.ugat_medqa.arms import NEIGHBOURHOODS
from evidence_assets.text.queries import NO_OPTION

_KEPT = 50
_EVERY, _TIMED = 8, 20
_AROUND = NEIGHBOURHOODS["hops3"]
_LONGEST = _AROUND.hops + 1


def speed(cases: Cases) -> dict[str, Any]:
    """Return by stage the milliseconds a question, and how many times as long networkx takes."""
    places = [
        place for place in range(0, len(cases.questions), _EVERY) if cases.linked[place].nodes(NO_OPTION)
    ]
    few = places[:: max(1, len(places) // _TIMED)]
    started = time.perf_counter()
    kept = _kept(cases, places)
    walking = 1000 * (time.perf_counter() - started) / len(places)
    ours = {
        "guided_walk": walking,
        "expansion": _each(_expansion(cases), places),
        "paths": _each(_paths(cases, kept), places),
    }
    expand, find = _networkx(cases, kept)
    theirs = {
        "guided_walk": _networkx_walk(cases, few),
        "expansion": _each(expand, few),
        "paths": _each(find, few),
    }
    return {
        stage: {"milliseconds": spent, "networkx_ratio": theirs[stage] / spent}
        for stage, spent in ours.items()
    }


Work = Callable[[int], None]


def _each(work: Work, places: Sequence[int]) -> float:
    """Return milliseconds a place; what is done once is done before."""
    work(places[0])
    started = time.perf_counter()
    for place in places:
        work(place)
    return 1000 * (time.perf_counter() - started) / len(places)


def _kept(cases: Cases, places: Sequence[int]) -> dict[int, list[int]]:
    """Return each question's evidence nodes."""
    evidence_nodes = {}
    for block, scores in blocks(cases, places, by_guided_walk):
        for column, place in enumerate(block):
            evidence_nodes[place] = np.argsort(-scores[:, column], kind="stable")[:_KEPT].tolist()
    return evidence_nodes


def _targets(cases: Cases, place: int) -> list[int]:
    """Return the nodes that a question's options name."""
    return sorted({node for option in range(4) for node in cases.linked[place].nodes(option)})


def _expansion(cases: Cases) -> Work:
    graph = cases.opened.embedded.adjacency

    def expand(place: int) -> None:
        neighbourhood(graph, cases.linked[place].nodes(NO_OPTION), _AROUND.hops, _AROUND.max_nodes)

    return expand


def _paths(cases: Cases, kept: dict[int, list[int]]) -> Work:
    graph = cases.opened.embedded.adjacency
    costs = step_costs(graph, HUB_PENALTY)

    def find(place: int) -> None:
        finder = PathFinder(graph, costs, _LONGEST)
        for target in _targets(cases, place):
            for source in kept[place]:
                finder.path(source, target)

    return find


def _networkx(cases: Cases, kept: dict[int, list[int]]) -> tuple[Work, Work]:
    """Return expansion and paths as networkx does them."""
    graph = cases.opened.embedded.adjacency
    owners = np.repeat(np.arange(graph.size), graph.degrees).tolist()
    costs = step_costs(graph, HUB_PENALTY).tolist()
    network: nx.Graph[int] = nx.Graph()
    network.add_weighted_edges_from(zip(owners, graph.neighbours.tolist(), costs, strict=True))

    def expand(place: int) -> None:
        seeds = set(cases.linked[place].nodes(NO_OPTION))
        near = nx.multi_source_dijkstra_path_length(network, seeds, cutoff=_AROUND.hops, weight=None)
        if _AROUND.max_nodes is not None and len(near) > _AROUND.max_nodes:
            nx.pagerank(network, 1 - RESTART, dict.fromkeys(seeds, 1.0), weight=None)

    def find(place: int) -> None:
        for target in _targets(cases, place):
            paths = nx.single_source_dijkstra_path(network, target)
            [paths.get(source) for source in kept[place]]

    return expand, find


def _networkx_walk(cases: Cases, places: Sequence[int]) -> float:
    """Return milliseconds a place of networkx's PageRank on a graph weighted for its question."""
    graph = cases.opened.embedded.adjacency
    owners = np.repeat(np.arange(graph.size), graph.degrees).tolist()
    spent = 0.0
    for place in places:
        cosines = cases.opened.embedded.cosines(cases.vectors[[place]])
        drawn = guided_weights(cosines)[graph.neighbours, 0].tolist()
        weighted: nx.DiGraph[int] = nx.DiGraph()
        weighted.add_weighted_edges_from(zip(owners, graph.neighbours.tolist(), drawn, strict=True))
        starts = dict.fromkeys(cases.linked[place].nodes(NO_OPTION), 1.0)
        started = time.perf_counter()
        nx.pagerank(weighted, 1 - RESTART, starts)
        spent += time.perf_counter() - started
    return 1000 * spent / len(places)
