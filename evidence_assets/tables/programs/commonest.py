"""Claims of what is commonest: `A wrote the most`, where rows are counted, as no column tells how many."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.extreme_columns import target_column
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.proposal import Proposal, proposed, restricted, where
from evidence_assets.tables.programs.row_programs import LargestGroups, Meet
from evidence_assets.tables.programs.superlative_words import Superlative
from evidence_assets.tables.programs.truth_programs import Some

_OF_NUMBERS = frozenset({"most", "fewest", "least"})
_NUMBERS_OF = (("number", "of"), ("amount", "of"))


def commonest_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a value is the commonest of its column, or the rarest, in the rows of the others."""
    for extreme in claim.superlatives:
        if not _counts(claim, extreme) or target_column(claim, extreme) is not None:
            continue
        for answer in claim.links:
            if answer.number is not None or answer.bound:
                continue
            scope = [link for link in claim.links if link is not answer]
            for column in sorted(answer.places):
                chosen = LargestGroups(restricted(claim, scope), column, extreme.highest)
                if chosen.run(claim.index).rows:
                    program = Some(Meet((chosen, where(claim, answer.within([column])))))
                    operators = range(extreme.start, extreme.end)
                    yield proposed(claim, "commonest", program, [*scope, answer], [column], operators)


def _counts(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a superlative may be of a number of rows: `the most`, `the highest number of`."""
    of_a_number = claim.texts[extreme.end : extreme.end + 2] in _NUMBERS_OF
    plain = extreme.place == 1 and not extreme.temporal
    return plain and (of_a_number or claim.texts[extreme.end - 1] in _OF_NUMBERS)
