"""Arc consistency: what may stand at each place of a query, as its conditions leave it one by one.

Algorithm 2 of 4StepFocus, as a fixpoint over sets: a node stays where each condition at its place has some
node left at the other end. Where no conditions form a cycle, what is left is exactly what solves them
(Yannakakis); where some do, it holds all solutions and may hold more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from evidence_assets.kgqa.indexing import Nodes, Rows, among, common
from evidence_assets.kgqa.node_types import NodeTypes

# What one step costs beside the triples that it looks at, in triples.
_STEP = 1000


class ExhaustedError(Exception):
    """A query would cost more than it may."""


@dataclass
class Effort:
    """Triples that may still be looked at."""

    left: int

    def spend(self, triples: int) -> None:
        """Count a step over some triples.

        Raises:
            ExhaustedError: there is no effort left for it.
        """
        self.left -= triples + _STEP
        if self.left < 0:
            raise ExhaustedError


@dataclass(frozen=True)
class Condition:
    """Two different places of a query, and what leads from one to the other, and back."""

    one: int
    other: int
    onward: Rows
    back: Rows


@dataclass(frozen=True)
class Network:
    """The places of a query, the types each one asks for, and the conditions between them."""

    types: tuple[tuple[str, ...], ...]
    conditions: tuple[Condition, ...]
    node_types: NodeTypes

    @cached_property
    def arcs(self) -> list[list[tuple[int, Rows, Rows]]]:
        """For each place: the places that it shares a condition with, the way there, and back."""
        arcs: list[list[tuple[int, Rows, Rows]]] = [[] for _ in self.types]
        for condition in self.conditions:
            arcs[condition.one].append((condition.other, condition.onward, condition.back))
            arcs[condition.other].append((condition.one, condition.back, condition.onward))
        return arcs

    def typed(self, place: int, nodes: Nodes) -> Nodes:
        """Return those nodes that are of every type that a place asks for."""
        for type_ in self.types[place]:
            nodes = nodes[self.node_types.are(nodes, type_)]
        return nodes


# What may stand at each place, ascending; None: whatever is of its types, not listed yet.
Domains = list[Nodes | None]


def propagate(network: Network, domains: Domains, changed: Iterable[int], effort: Effort) -> bool:
    """Take from every domain what some condition leaves without a partner, until nothing changes.

    `domains` changes in place; `changed` are the places to begin at. Return False as soon as a domain is
    empty: then nothing solves the query.

    Raises:
        ExhaustedError: the effort is spent; the domains then still hold every solution.
    """
    waiting = set(changed)
    if any(domain is not None and not len(domain) for domain in domains):
        return False
    while True:
        while waiting:
            place = min(waiting, key=lambda one: (_length(domains[one]), one))
            waiting.remove(place)
            for other, onward, back in network.arcs[place]:
                before = domains[other]
                after = _revised(network, other, domains, place, onward, back, effort)
                if before is None or len(after) < len(before):
                    domains[other] = after
                    waiting.add(other)
                if not len(after):
                    return False
        if (unlisted := _smallest_unlisted(network, domains)) is None:
            return True
        place, rows = unlisted
        domains[place] = listed = network.typed(place, rows.sources)
        waiting.add(place)
        if not len(listed):
            return False


def _length(domain: Nodes | None) -> int:
    return -1 if domain is None else len(domain)


def _smallest_unlisted(network: Network, domains: Domains) -> tuple[int, Rows] | None:
    """Return a place without a list, and the way from it that fewest nodes can go."""
    found = [
        (len(onward.sources), place, onward)
        for place, domain in enumerate(domains)
        if domain is None
        for _, onward, _ in network.arcs[place]
    ]
    if not found:
        return None
    _, place, onward = min(found, key=lambda one: one[:2])
    return place, onward


def _revised(
    network: Network, place: int, domains: Domains, near: int, onward: Rows, back: Rows, effort: Effort
) -> Nodes:
    """Return what is left at `place` of all that does not stand beside anything at `near`."""
    partners, own = domains[near], domains[place]
    if partners is None:
        raise ValueError(f"place {near} has no list to go on from")
    there = int(onward.counts(partners).sum())
    if own is None:
        effort.spend(there + len(partners))
        return network.typed(place, onward.reached(partners))
    counts = back.counts(own)
    effort.spend(min(there, int(counts.sum())) + len(partners) + len(own))
    if there <= counts.sum():
        return common(own, onward.reached(partners), back.size)
    owners, ends = back.expand(own)
    beside = np.zeros(len(own), dtype=np.bool_)
    beside[owners[among(ends, partners, back.size)]] = True
    return own[beside]


def cycles(network: Network, domains: Sequence[Nodes | None]) -> list[tuple[set[int], set[int]]]:
    """Return (places, core) of every connected part whose conditions form a cycle.

    A condition with a single node at one end is met by all that is left at the other: it joins nothing. The
    core is what stays when places with one condition are taken away, again and again.
    """
    open_ = {place for place, domain in enumerate(domains) if domain is not None and len(domain) > 1}
    beside = {
        place: [other for other, _, _ in network.arcs[place] if other in open_] for place in sorted(open_)
    }
    found = []
    while beside:
        part = _connected(next(iter(beside)), beside)
        own = {place: beside.pop(place) for place in sorted(part)}
        if core := _core(own):
            found.append((part, core))
    return found


def nearest(network: Network, start: int, places: set[int], goals: set[int]) -> int:
    """Return the goal that fewest conditions lead to from a place, through `places`."""
    level, seen = [start], {start}
    while not (met := sorted(goals.intersection(level))):
        around = {other for place in level for other, _, _ in network.arcs[place]}
        level = sorted((around & places) - seen)
        seen.update(level)
    return met[0]


def _connected(start: int, beside: dict[int, list[int]]) -> set[int]:
    seen, waiting = {start}, [start]
    while waiting:
        fresh = set(beside[waiting.pop()]) - seen
        seen |= fresh
        waiting += sorted(fresh)
    return seen


def _core(beside: dict[int, list[int]]) -> set[int]:
    left = {place: list(others) for place, others in beside.items()}
    while leaves := [place for place, others in left.items() if len(others) <= 1]:
        for place in leaves:
            for other in left.pop(place):
                if other in left:
                    left[other].remove(place)
    return set(left)
