"""The values of nodes: numbers, dates, and amounts of a unit, each in one unit of what it measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.words.literals import amount_of, in_unit, measured_kind, values_of

# A relation leads to amounts if at least this share of its tails are, and of one thing that is measured.
_AMOUNTS = 0.9


@dataclass(frozen=True)
class NodeValues:
    """`values`: (n,) each node's, nan for none. `units`: of relations that lead to amounts, as "16 GB" is."""

    values: NDArray[np.float64]
    units: Mapping[str, str]


def node_values(graph: Graph) -> NodeValues:
    """Return the values of a graph's nodes.

    "16 GB" has one where a relation leads to such, and in the unit that most such labels of the graph have,
    so that 512 MB is less. Where a relation also leads to bare numbers, it is not told what these measure.
    """
    labels = graph.labels.to_pylist()
    values = values_of(labels)
    amounts = {
        node: amount
        for node in np.flatnonzero(np.isnan(values)).tolist()
        if (amount := amount_of(labels[node])) is not None
    }
    if not amounts:
        return NodeValues(values, {})
    kinds = {node: measured_kind(unit) for node, (_, unit) in amounts.items()}
    counts = Counter((kinds[node], unit) for node, (_, unit) in amounts.items())
    usual: dict[str, str] = {}
    # The commonest first; of equals the first by name.
    for (kind, unit), _ in sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])):
        usual.setdefault(kind, unit)
    is_amount = np.zeros(len(labels), dtype=np.bool_)
    is_amount[list(amounts)] = True
    units = {}
    for number, name in enumerate(graph.relation_names):
        tails = np.unique(graph.tails[graph.relations == number])
        measured = tails[is_amount[tails]]
        bare = ~np.isnan(values[tails]) & ~is_amount[tails]
        kinds_measured = {kinds[tail] for tail in measured.tolist()}
        if len(kinds_measured) != 1 or bare.any() or len(measured) < _AMOUNTS * len(tails):
            continue
        units[name] = usual[kinds_measured.pop()]
        for tail in measured.tolist():
            converted = in_unit(*amounts[tail], units[name])
            values[tail] = np.nan if converted is None else round(converted, 9)
    return NodeValues(values, units)
