"""Amounts that a claim tells, and the columns that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import Literal
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.proposal import as_told, numeric_columns
from evidence_assets.tables.programs.wording.quantities import CURRENCIES, converted, half_place, unit_after
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.tolerances import OF_WHOLE, Tolerance, around

# Words before what an amount is for each of.
EACH_OF = frozenset({"a", "an", "per", "each", "every"})


@dataclass(frozen=True, slots=True)
class ClaimedAmount:
    """A number of the claim with its unit. `words`: all that tell it."""

    position: int
    number: float
    relation: str
    unit: str
    words: tuple[int, ...]
    tolerance: Tolerance

    def compared(self, number: Number, bound: float) -> Compare:
        """Return whether a number is to a bound as this is told; the bound tells as much as this."""
        factor = bound / self.number if self.number else 1.0
        return Compare(number, self.relation, Literal(bound), self.tolerance.times(factor))


def amounts_of(claim: GroundedClaim, names: list[Link]) -> Iterator[ClaimedAmount]:
    """Yield the numbers that are no year's and no name's."""
    taken = positions_of(names)
    limits: dict[int, Threshold] = {limit.position: limit for limit in claim.linked.thresholds}
    for position, token in enumerate(claim.tokens):
        if token.number is None or token.ordinal or position in taken or tells_a_year(token):
            continue
        unit, unit_words = unit_after(claim.tokens, position)
        whole = around(half_place(token)) if token.scale > 1.0 else OF_WHOLE
        tolerance, before = as_told(claim, position, token.number, whole)
        limit = limits.get(position)
        words = {position, *unit_words, *before}
        if limit is not None:
            words |= {*range(limit.start, limit.end)}
        relation = "=" if limit is None else limit.relation
        yield ClaimedAmount(position, float(token.number), relation, unit, tuple(sorted(words)), tolerance)


def column_of(claim: GroundedClaim, amount: ClaimedAmount, but: set[int]) -> int | None:
    """Return the column that an amount is of: of its unit, named best of all; else named right behind it."""
    index = claim.index
    named = [c for c in numeric_columns(claim, claim.linked.headers) if c not in but]
    if amount.unit:
        of_unit = [
            column
            for column in range(index.table.columns)
            if column not in but
            and index.series[column]
            and any(converted(1.0, amount.unit, unit) is not None for unit in index.told_units[column])
        ]
        fitting = [column for column in of_unit if column in named] or of_unit
        if not fitting and amount.unit in CURRENCIES:
            # Money that neither the header nor the cells call so.
            fitting = [column for column in named if not index.told_units[column]]
        return fitting[0] if len(set(fitting)) == 1 else None
    behind = [h for h in claim.linked.headers if h.start - max(amount.words) in (1, 2)]
    counted = [c for c in numeric_columns(claim, behind) if c not in but]
    return counted[0] if len(set(counted)) == 1 else None


def as_column_tells(claim: GroundedClaim, number: float, unit: str, column: int) -> float | None:
    """Return a number of the claim as a column tells it; None where the column tells no such quantity."""
    header_unit, rows = claim.index.units[column]
    of_column = next(iter(rows.values()), "")
    unknown = not of_column and unit in CURRENCIES
    value = converted(number, unit, of_column) if unit and not unknown else number
    return None if value is None else value / header_unit.scale
