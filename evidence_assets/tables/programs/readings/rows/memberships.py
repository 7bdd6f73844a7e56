"""Claims that a row is one of those that meet conditions, or of so many that do."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.row_programs import AllRows, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Not, Some
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    restricted,
    where,
)


def one_of_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A is one of the two that have B`: two rows have it, A among them; or A is not.

    A negation before it denies that A is one of them, one behind it denies the condition.
    """
    tokens, texts = claim.tokens, claim.texts
    inner = range(1, len(tokens) - 1)
    single = next((n for n in inner if tokens[n].key == "1" and texts[n + 1] == "of"), None)
    if single is None or tokens[single].ordinal or texts[single - 1] == "only":
        # The only one of them is not one of several that are so.
        return
    near = range(single + 2, min(len(tokens), single + 2 + _WIDEST))
    total = next((n for n in near if tokens[n].number is not None and not tokens[n].ordinal), None)
    counted = single + 1 if total is None else total
    named_links = [link for link in claim.links if link.end <= single]
    conditions = [link for link in claim.links if link.start > counted]
    denial = claim.negation
    is_denied = denial is not None and denial == single - 1
    if not named_links or not conditions or not (is_denied or total is not None):
        return
    named_rows = meet([where(claim, link) for link in named_links])
    holding = restricted(claim, conditions)
    if denial is not None and counted < denial < conditions[0].start:
        holding = Without(AllRows(), holding)
    among: Truth = Some(meet([named_rows, holding]))
    parts: list[Truth] = [Some(named_rows), Not(among)] if is_denied else [among]
    if total is not None:
        parts.append(are_so_many(claim, holding, total))
    words = [single, *([] if total is None else [total]), *([] if denial is None else [denial])]
    words += [n for n in near if texts[n] == "only" and total is not None and n < total]
    bound = binding(claim, [*named_links, *conditions], operators=words)
    kind = "denied co-occurrence" if is_denied else "one of"
    yield Proposal(kind, All(tuple(parts)), bound)


# How many words stand between `one of` and the number of all that it is one of.
_WIDEST = 3
