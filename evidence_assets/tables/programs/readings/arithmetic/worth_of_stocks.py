"""Claims of what all there is of something is worth, which follows from the price and the number of it."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import amounts_of, as_column_tells
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed
from evidence_assets.tables.programs.wording.quantities import CURRENCIES
from evidence_assets.tables.programs.wording.words import word_keys

_WORTH = frozenset({"worth", "valued"})
_NUMBERS = word_keys("stock quantity inventory copies number units")


def worth_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `the stock of A is worth £180`: the only price times the number that the claim names."""
    worth = claim.position(_WORTH)
    if worth is None:
        return
    index, names = claim.index, claim.names
    numeric = index.numeric_columns
    prices = [column for column in numeric if not CURRENCIES.isdisjoint(index.told_units[column])]
    counts = [
        column
        for column in dict.fromkeys(numeric_columns(claim, claim.linked.headers))
        if column not in prices and not _NUMBERS.isdisjoint(index.headers[column])
    ]
    if len(prices) != 1 or len(counts) != 1:
        return
    rows = single_rows(claim, names, prices[0])
    if rows is None:
        return
    for amount in amounts_of(claim, names):
        money = as_column_tells(claim, amount.number, amount.unit, prices[0]) if amount.unit else None
        if money is None or amount.position < worth:
            continue
        value = Arithmetic("*", Cell(rows[0], prices[0]), Cell(rows[0], counts[0]))
        program = amount.compared(value, money)
        if program.run(index).truth is not None:
            operators = [worth, *amount.words]
            yield proposed(claim, "price of an amount", program, rows[1], [prices[0], counts[0]], operators)
