"""Random graphs beside NetworkX's, and a walk as its formula, for the tests of walks and paths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

from evidence_assets.graphs.graph import Graph, build_graph
from evidence_assets.graphs.walking.adjacency import Adjacency, adjacency
from evidence_assets_tests.testing.graph_samples import triple_table

Pair = tuple[int, int]


@dataclass(frozen=True)
class Network:
    """One graph three times: as ours, as who neighbours whom, and as NetworkX's."""

    graph: Graph
    adjacency: Adjacency
    oracle: nx.Graph[int]

    @property
    def size(self) -> int:
        return len(self.graph.labels)


def network_of(size: int, pairs: Sequence[Pair]) -> Network:
    """Nodes 0, 1, … and a triple a pair, from its first to its second; nodes may stand alone."""
    labels = [f"n{number:03}" for number in range(size)]
    triples = triple_table([(labels[head], "RelatedTo", labels[tail], 1.0) for head, tail in pairs])
    graph = build_graph("kg", triples, pa.table({"label": pa.array(labels, pa.string())}))
    oracle: nx.Graph[int] = nx.Graph()
    oracle.add_nodes_from(range(size))
    oracle.add_edges_from((head, tail) for head, tail in pairs if head != tail)
    return Network(graph, adjacency(graph), oracle)


@st.composite
def networks(draw: st.DrawFn, most: int = 9) -> Network:
    """Graphs of one node or more, with loops, double edges and nodes that stand alone."""
    size = draw(st.integers(1, most))
    ends = st.integers(0, size - 1)
    return network_of(size, draw(st.lists(st.tuples(ends, ends), max_size=2 * size)))


def random_network(size: int, edges: int, seed: int) -> Network:
    pairs = np.random.default_rng(seed).integers(0, size, (edges, 2)).tolist()
    return network_of(size, [(head, tail) for head, tail in pairs])


def walked(
    oracle: nx.Graph[int], seeds: Sequence[float], weights: Sequence[float], restart: float, steps: int
) -> list[float]:
    """pi <- r s + (1 - r) P' pi for one question; what cannot go on returns to the seeds."""
    mass = list(seeds)
    for _ in range(steps):
        moved = [restart * seed for seed in seeds]
        for node in oracle:
            out = sum(weights[neighbour] for neighbour in oracle[node])
            if not out:
                for place, seed in enumerate(seeds):
                    moved[place] += (1 - restart) * mass[node] * seed
            for neighbour in oracle[node] if out else ():
                moved[neighbour] += (1 - restart) * mass[node] * weights[neighbour] / out
        mass = moved
    return mass
