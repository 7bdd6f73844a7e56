"""Lookup of nodes by name."""

from __future__ import annotations

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.names.linking import Linker


class NodesByName:
    """Nodes by name: the one of exactly that label, else all with that name as label or synonym."""

    def __init__(self, graph: Graph, linker: Linker) -> None:
        self._graph, self._linker = graph, linker
        self._known: dict[str, tuple[int, ...]] = {}

    def __call__(self, name: str) -> tuple[int, ...]:
        """Return the nodes of a name, ascending; none for an unknown name."""
        if name not in self._known:
            links = self._linker.by_label([name]).get(name, []) if name.strip() else []
            nodes = sorted({link.node for link in links})
            exact = [node for node in nodes if self._graph.labels[node].as_py() == name]
            self._known[name] = tuple(exact or nodes)
        return self._known[name]
