"""Claims that count rows, and then some of them: `three vans broke down, two of which are red`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Count, Literal
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import OF_THEM
from evidence_assets.tables.programs.readings.parts.counters import Counter
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, restricted
from evidence_assets.tables.programs.wording.quantifier_words import JOINTS

_ALL = frozenset({"all", "both", "each"})


def counts_of_parts(claim: GroundedClaim, counters: Sequence[Counter]) -> Iterator[Proposal]:
    """Yield `three A, two of which are B`, `two A, and both are B`: so many of what was counted are B."""
    part = _part(claim.texts)
    first = next((counter for counter in counters if part is not None and counter.position < part), None)
    if part is None or first is None or claim.negation is not None:
        return
    counted = [link for link in claim.links if link.end <= part and link.start not in first.words]
    said = [link for link in claim.links if link.start > part]
    number = claim.tokens[part].number
    if not counted or not said or (number is None and claim.texts[part] not in _ALL):
        return
    scope = restricted(claim, counted)
    of_them: Truth = Every(scope, restricted(claim, said))
    if number is not None:
        of_them = Compare(Count(restricted(claim, [*counted, *said])), "=", Literal(number))
    program = All((Compare(Count(scope), first.relation, Literal(first.number)), of_them))
    bound = binding(claim, [*counted, *said], operators=[*first.words, part])
    yield Proposal("counts in turn", program, bound)


def _part(texts: tuple[str, ...]) -> int | None:
    """Return where it stands how many of those are meant that were counted before; None without it."""
    for position in range(1, len(texts) - 1):
        of_them = texts[position + 1] == "of" and not OF_THEM.isdisjoint(texts[position + 2 : position + 3])
        if of_them or (texts[position] == "both" and texts[position - 1] in JOINTS):
            return position
    return None
