"""Claims of how much lies between two of a row's numbers: `spans 900 metres between its top and its foot`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell
from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import amounts_of, as_column_tells
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.text.roots import root, word_roots

_DETERMINERS = frozenset({"the", "its", "their", "a", "and", ","})
# Roots of verbs of what reaches from one end to another.
_REACHING = word_roots("span measure cover range stretch extend be")


def between_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether two numbers of the row that is named are as far apart as a claim tells."""
    between = claim.position({"between"})
    names = [link for link in claim.names_of_rows if link.places]
    if between is None or not names:
        return
    heads = [head for head in claim.linked.headers if head.start > between]
    rows = meet([where(claim, link) for link in names])
    if len(heads) != 2 or not _are_joined(claim, between, heads) or len(rows.run(claim.index).rows) != 1:
        return
    first, second = (next(numeric_columns(claim, [head]), None) for head in heads)
    amounts = list(amounts_of(claim, names))
    if first is None or second is None or first == second or len(amounts) != 1:
        return
    amount, factor = amounts[0], claim.index.factor(first, second)
    bound = as_column_tells(claim, amount.number, amount.unit, first)
    if factor is None or bound is None:
        return
    distance = Arithmetic("|-|", Cell(rows, first), Cell(rows, second, factor))
    verbs = [n for n in range(amount.position) if root(claim.texts[n]) in _REACHING]
    words = [between, *verbs, *amount.words]
    program = amount.compared(distance, bound)
    yield proposed(claim, "difference between columns", program, names, [first, second], words)


def _are_joined(claim: GroundedClaim, between: int, heads: list[HeaderLink]) -> bool:
    """Return whether nothing but articles and `and` stands between `between` and two headers."""
    inside = [*range(between + 1, heads[0].start), *range(heads[0].end, heads[1].start)]
    return "and" in claim.texts[heads[0].end : heads[1].start] and all(
        claim.texts[n] in _DETERMINERS for n in inside
    )
