"""Rows that a question may mean, with how they were chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link

# The bounds of rows that have something in a column, and of those that have nothing there.
IS_FILLED, IS_EMPTY = "is told", "is empty"


@dataclass(frozen=True, slots=True)
class Selection:
    """Rows that a question may mean.

    `chosen`: the rows that the program comes to. `links`: the values that it uses. `operators`: positions of
    the words that it carries out. `measure`: the column whose numbers choose. `compared`: the columns that it
    is compared with: of another time, of a plan.
    """

    kind: str
    rows: Rows
    chosen: frozenset[int]
    links: tuple[Link, ...]
    operators: tuple[int, ...] = ()
    measure: int | None = None
    compared: tuple[int, ...] = ()

    @property
    def holds_what_is_filled(self) -> bool:
        """Whether rows were chosen since they have something in a column, or nothing."""
        return any(link.bound in {IS_FILLED, IS_EMPTY} for link in self.links)

    @classmethod
    def of(
        cls,
        claim: GroundedClaim,
        kind: str,
        rows: Rows,
        links: Sequence[Link],
        operators: Sequence[int],
        measure: int | None = None,
        compared: Sequence[int] = (),
    ) -> Selection:
        """Return the selection of a program's rows."""
        chosen = rows.run(claim.index).rows
        return cls(kind, rows, chosen, tuple(links), tuple(operators), measure, tuple(compared))


def chosen_among(
    claim: GroundedClaim,
    kind: str,
    rows: Rows,
    base: Selection,
    operators: Sequence[int],
    measure: int | None = None,
) -> Selection:
    """Return the selection of rows chosen among those of another."""
    words = (*base.operators, *operators)
    return Selection.of(claim, kind, rows, base.links, words, measure, base.compared)
