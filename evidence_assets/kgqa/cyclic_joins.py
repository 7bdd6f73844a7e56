"""Joins for conditions that form a cycle: which nodes at one place some solution holds.

Tables of partial solutions grow by a place at a time and are cut into pieces of bounded size, worked off one
after the other; columns that nothing refers to any more are dropped, and with them repeated rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.consistency import Domains, Effort, ExhaustedError, Network
from evidence_assets.kgqa.indexing import Nodes, Places, Rows, among

# Rows of one table: 1 << 18 rows of five places are 6 MB, which stays near the processor.
_ROWS = 1 << 18
# Nodes whose solutions are looked for at first; twice as many each time after.
_FIRST = 64


@dataclass(frozen=True)
class _Step:
    """A place that is added, from where, what else it must lead to, and the columns needed after it."""

    place: int
    near: int
    onward: Rows
    others: tuple[tuple[int, Rows], ...]
    needed: tuple[int, ...]


@dataclass
class _Search:
    """What is looked for, and which nodes (by their place in the start's domain) have been found."""

    steps: Sequence[_Step]
    domains: Sequence[Nodes]
    found: NDArray[np.bool_]
    effort: Effort


def solving(
    network: Network, domains: Domains, core: set[int], start: int, effort: Effort, any_one: bool
) -> tuple[Nodes, bool]:
    """Return the nodes at `start` that some solution of the core holds, ascending, and whether all is known.

    Where the effort is spent first, nodes that could not be decided are among them, and it is False.
    `any_one`: stop at the first ones found, which tell that there is a solution.
    """
    listed = [np.empty(0, dtype=np.int32) if domain is None else domain for domain in domains]
    own = listed[start]
    search = _Search(_plan(network, listed, core, start), listed, np.zeros(len(own), dtype=np.bool_), effort)
    begin, size = 0, _FIRST
    try:
        while begin < len(own) and not (any_one and search.found.any()):
            places = np.arange(begin, min(begin + size, len(own)))
            _extend(search, 0, places, {start: own[places]})
            begin, size = begin + size, 2 * size
    except ExhaustedError:
        search.found[begin:] = True
        return own[search.found], False
    return own[search.found], True


def _plan(network: Network, domains: Sequence[Nodes], core: set[int], start: int) -> list[_Step]:
    """Return the core's places in the order in which to add them: where the table grows least first."""
    order: list[tuple[int, int, Rows, tuple[tuple[int, Rows], ...]]] = []
    bound = [start]
    while len(bound) < len(core):
        ways = [
            (_growth(domains, onward, back, other), other, place, number, onward)
            for place in bound
            for number, (other, onward, back) in enumerate(network.arcs[place])
            if other in core and other not in bound
        ]
        _, place, near, number, onward = min(ways, key=lambda way: way[:4])
        taken = network.arcs[near][number]
        others = tuple(
            (other, there)
            for other, there, back in network.arcs[place]
            if other in bound and not (other == near and back is taken[1] and there is taken[2])
        )
        order.append((place, near, onward, others))
        bound.append(place)
    return [
        _Step(place, near, onward, others, _needed(order[number + 1 :], (*bound[: number + 2],)))
        for number, (place, near, onward, others) in enumerate(order)
    ]


def _growth(domains: Sequence[Nodes], onward: Rows, back: Rows, other: int) -> float:
    """Return how many rows one row becomes on average, were the domain like all other nodes."""
    width = len(onward.targets) / max(len(onward.sources), 1)
    return width * len(domains[other]) / max(len(back.sources), 1)


def _needed(
    later: Sequence[tuple[int, int, Rows, tuple[tuple[int, Rows], ...]]], bound: Sequence[int]
) -> tuple[int, ...]:
    named = {near for _, near, _, _ in later} | {place for *_, others in later for place, _ in others}
    return tuple(place for place in bound if place in named)


def _extend(search: _Search, number: int, origins: Places, columns: dict[int, Nodes]) -> None:
    """Add the places from a step on, and mark the origins that reach the last one."""
    if number == len(search.steps):
        search.found[origins] = True
        return
    step = search.steps[number]
    for piece in _pieces(step.onward.counts(columns[step.near])):
        # What an earlier piece has found needs no further solution.
        rows = np.arange(piece.start, piece.stop)
        rows = rows[~search.found[origins[rows]]]
        owners, ends = step.onward.expand(columns[step.near][rows])
        search.effort.spend(len(ends))
        kept = among(ends, search.domains[step.place], step.onward.size)
        rows, ends = rows[owners[kept]], ends[kept]
        for other, there in step.others:
            kept = there.holds(ends, columns[other][rows])
            rows, ends = rows[kept], ends[kept]
        grown = {place: columns[place][rows] for place in step.needed if place != step.place}
        if step.place in step.needed:
            grown[step.place] = ends
        if len(rows):
            _extend(search, number + 1, *_distinct_rows(origins[rows], grown))


def _pieces(counts: Places) -> Iterator[slice]:
    """Cut rows so that each piece grows to at most so many, or is a single row."""
    before = np.concatenate([[0], np.cumsum(counts)])
    begin = 0
    while begin < len(counts):
        end = int(np.searchsorted(before, before[begin] + _ROWS, side="right")) - 1
        end = max(end, begin + 1)
        yield slice(begin, end)
        begin = end


def _distinct_rows(origins: Places, columns: dict[int, Nodes]) -> tuple[Places, dict[int, Nodes]]:
    keys: list[Places | Nodes] = [origins, *columns.values()]
    order = np.lexsort(keys[::-1])
    fresh = np.zeros(len(order), dtype=np.bool_)
    fresh[:1] = True
    for key in keys:
        fresh[1:] |= key[order[1:]] != key[order[:-1]]
    rows = order[fresh]
    return origins[rows], {place: nodes[rows] for place, nodes in columns.items()}
