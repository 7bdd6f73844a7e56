"""Which nodes are of which types: a node may be of several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.schema import THING, Schema

Nodes = NDArray[np.int32]
# Members that are looked at of a type, of a graph with many types, and of all types together.
_SHOWN, _FEWEST, _SHOWN_IN_ALL = 20, 3, 2_000


@dataclass(frozen=True)
class NodeTypes:
    """t types over n nodes: `bits` (t, ceil(n / 8)) holds a bit a node, so that a node may be of several.

    A film may be called like a tag, and is then one node of both types. `thing` is among the names, and every
    node is one.
    """

    names: tuple[str, ...]
    size: int
    bits: NDArray[np.uint8]

    def knows(self, type_: str) -> bool:
        """Return whether a type exists; "" (any) does."""
        return not type_ or type_ in self.names

    def of(self, node: int) -> tuple[str, ...]:
        """Return the types of a node, `thing` left out, in the order of the names."""
        flags = (self.bits[:, node >> 3] >> (node & 7)) & 1
        return tuple(name for name, flag in zip(self.names, flags, strict=True) if flag and name != THING)

    def are(self, nodes: Nodes, type_: str) -> NDArray[np.bool_]:
        """Return (k,) whether each node is of a type; all are of "" and `thing`, none of an unknown type."""
        if type_ in ("", THING):
            return np.ones(len(nodes), dtype=np.bool_)
        if type_ not in self.names:
            return np.zeros(len(nodes), dtype=np.bool_)
        row = self.bits[self.names.index(type_)]
        members: NDArray[np.bool_] = ((row[nodes >> 3] >> (nodes & 7).astype(np.uint8)) & 1).astype(np.bool_)
        return members

    def members(self, type_: str) -> Nodes:
        """Return the nodes of a type, ascending: all for "" and `thing`, none for an unknown one."""
        if type_ in ("", THING):
            return np.arange(self.size, dtype=np.int32)
        if type_ not in self.names:
            return np.empty(0, dtype=np.int32)
        row = np.unpackbits(self.bits[self.names.index(type_)], count=self.size, bitorder="little")
        return np.flatnonzero(row).astype(np.int32)


def names_of_members(graph: Graph, types: NodeTypes, names: Sequence[str]) -> dict[str, list[str]]:
    """Return names of nodes of each type, as far apart as their numbers let them be.

    At most twenty of a type, and fewer the more types there are, three at least: they are to be encoded.
    """
    most = max(_FEWEST, min(_SHOWN, _SHOWN_IN_ALL // max(1, len(names))))
    of_types = {}
    for name in names:
        members = types.members(name)
        of_types[name] = graph.labels.take(members[:: max(1, len(members) // most)][:most]).to_pylist()
    return of_types


def types_of(names: Sequence[str], masks: NDArray[np.bool_]) -> NodeTypes:
    """Return the types of `masks` (t, n), one row a name; `thing` is added where it is none of them."""
    listed = [name for name in names if name != THING]
    listed_masks = masks[[place for place, name in enumerate(names) if name != THING]]
    thing_mask = np.ones((1, masks.shape[1]), dtype=np.bool_)
    bits = np.packbits(np.concatenate([listed_masks, thing_mask]), axis=1, bitorder="little")
    return NodeTypes((*listed, THING), masks.shape[1], bits)


def node_types(graph: Graph, kinds: Sequence[str | None] | None, schema: Schema) -> NodeTypes:
    """Return the types of a graph's nodes.

    A node with a kind (`graph_nodes.kind`, one a node) is of that type alone. One without, and every node
    where `kinds` is None, is of each type that the schema gives to the ends of its triples: a head of
    directed_by is a film.

    Raises:
        ValueError: there are not as many kinds as nodes.
    """
    n = len(graph.labels)
    if kinds is not None and len(kinds) != n:
        raise ValueError(f"graph {graph.name}: {len(kinds):,} kinds for {n:,} nodes; remedy: one a node")
    kind_of = [kind or "" for kind in kinds] if kinds is not None else [""] * n
    names = list(dict.fromkeys([*schema.types, *sorted(set(kind_of) - {""})]))
    places = {name: place for place, name in enumerate(names)}
    masks = np.zeros((len(names), n), dtype=np.bool_)
    bare = np.array([not kind for kind in kind_of], dtype=np.bool_)
    for number, relation in enumerate(graph.relation_names):
        if relation in schema.relations:
            of_relation = graph.relations == number
            for ends, type_ in zip((graph.heads, graph.tails), schema.ends(relation, False), strict=True):
                if type_ in places:
                    masks[places[type_], ends[of_relation]] = True
    masks &= bare
    numbers = np.array([places.get(kind, -1) for kind in kind_of], dtype=np.int64)
    kinded = np.flatnonzero(numbers >= 0)
    masks[numbers[kinded], kinded] = True
    return types_of(names, masks)
