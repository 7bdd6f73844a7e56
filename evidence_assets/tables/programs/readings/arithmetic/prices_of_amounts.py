"""Claims of what another amount costs than the one that a column prices: `500 grams cost €7.50`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.index.derived.quotients import OF_EACH
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import (
    EACH_OF,
    ClaimedAmount,
    amounts_of,
    as_column_tells,
)
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed
from evidence_assets.tables.programs.wording.quantities import CURRENCIES, converted, unit_name
from evidence_assets.tables.programs.wording.words import word_key

_OF_EACH = re.compile(r"(?:/|\bper\b) ?(\d+)? ?([^\W\d_]+)", re.IGNORECASE)
_MONEY = CURRENCIES | {"pence", "cents"}


@dataclass(frozen=True, slots=True)
class _Price:
    """A column of prices of so many of something, and its unit, or its noun as a key."""

    column: int
    number: float
    unit: str
    noun: str


def prices_of_amounts(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether an amount of a row costs what a claim tells, by the price of another amount of it."""
    tells_prices = any(map(OF_EACH.search, claim.index.table.header))
    if sum(token.number is not None for token in claim.tokens) < 2 or not tells_prices:
        return
    names = claim.names
    # Behind `per` no amount is bought.
    amounts = [x for x in amounts_of(claim, names) if claim.texts[max(0, x.position - 1)] not in EACH_OF]
    for money in (amount for amount in amounts if amount.unit in _MONEY):
        for price in _prices(claim):
            bought = [(each, count) for each in amounts if (count := _count(claim, each, price)) is not None]
            rows = single_rows(claim, names, price.column) if len(bought) == 1 else None
            paid = as_column_tells(claim, money.number, money.unit, price.column)
            if rows is None or paid is None or bought[0][0].relation != "=":
                continue
            amount, count = bought[0]
            cost = Arithmetic("*", Cell(rows[0], price.column), Literal(count))
            program = money.compared(cost, paid)
            if program.run(claim.index).truth is not None:
                words = [*amount.words, *money.words]
                yield proposed(claim, "price of an amount", program, rows[1], [price.column], words)


def _prices(claim: GroundedClaim) -> Iterator[_Price]:
    """Yield the columns of money for each of something."""
    index = claim.index
    for column, name in enumerate(index.table.header):
        match = _OF_EACH.search(name) if not _MONEY.isdisjoint(index.told_units[column]) else None
        if match is not None:
            yield _Price(column, float(match[1] or 1), unit_name(match[2]), word_key(match[2].lower()))


def _count(claim: GroundedClaim, amount: ClaimedAmount, price: _Price) -> float | None:
    """Return how many times what a price is of an amount is; None where it is of something else."""
    if price.unit:
        of_unit = converted(amount.number, amount.unit, price.unit) if amount.unit else None
        return None if of_unit is None else of_unit / price.number
    behind = claim.tokens[amount.position + 1 : amount.position + 2]
    is_of_noun = bool(behind) and behind[0].key == price.noun and not amount.unit
    return amount.number / price.number if is_of_noun else None
