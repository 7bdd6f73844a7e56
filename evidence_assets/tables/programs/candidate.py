"""A program that a claim may stand for, run on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import HEADER, Link


@dataclass(frozen=True)
class Candidate:
    """A program and what it came to. `kind`: of program. `cells`: that it used, the header's as row -1."""

    kind: str
    supported: bool
    program: str
    cells: tuple[tuple[int, int], ...]
    trace: tuple[str, ...] = ()


def candidate(
    kind: str, supported: bool, program: str, cells: Iterable[tuple[int, int]], *trace: str
) -> Candidate:
    """Return a candidate, its cells in order and with those of the header that name their columns."""
    chosen = set(cells)
    heads = {(HEADER, column) for _, column in chosen}
    return Candidate(kind, supported, program, tuple(sorted(chosen | heads)), trace)


def condition(claim: GroundedClaim, link: Link) -> str:
    """Return a link as a condition on rows: `year = 2011`."""
    header = claim.index.table.header
    names = "|".join(header[column] for column in sorted(link.places)) or "no column"
    if link.bound:
        return f"{names} {link.bound}"
    return f"{names} = {claim.phrase(link.start, link.end)}"


def conditions(claim: GroundedClaim, links: Iterable[Link]) -> str:
    """Return links as conditions; `all rows` where there is none."""
    return " and ".join(condition(claim, link) for link in links) or "all rows"


def cells_of(links: Iterable[Link], rows: Iterable[int]) -> set[tuple[int, int]]:
    """Return the cells of rows in which links lie."""
    chosen = set(rows)
    return {
        (row, column) for link in links for column, inside in link.places.items() for row in inside & chosen
    }
