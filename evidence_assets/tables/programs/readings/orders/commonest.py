"""Claims of what is commonest: `A wrote the most`, where rows are counted, as no column tells how many."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, LargestGroups, Meet
from evidence_assets.tables.programs.grammar.truth_programs import Some
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_year
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, restricted, where
from evidence_assets.tables.programs.readings.parts.target_columns import target_column
from evidence_assets.tables.programs.wording.superlative_words import COMMON, Superlative

_OF_NUMBERS = frozenset({"most", "fewest", "least"})
_NUMBERS_OF = (("number", "of"), ("amount", "of"))


def commonest_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a value is the commonest of its column, or the rarest, in the rows of the others."""
    yield from _commonest_in_a_year(claim)
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


def _commonest_in_a_year(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `in 2010 A was the second most common`: the column of that year tells."""
    column, texts = column_of_year(claim), claim.texts
    most = [n for n in range(len(texts) - 1) if texts[n] in {"most", "least"} and texts[n + 1] in _COMMON]
    names = [link for link in claim.names if link.places]
    if column is None or len(most) != 1 or not names:
        return
    word = most[0]
    before = claim.tokens[word - 1] if word else None
    ordinal = before is not None and before.ordinal
    place = int(before.number or 1) if before is not None and ordinal else 1
    chosen = Extreme(AllRows(), column, place, texts[word] == "most")
    program = Some(Meet((chosen, restricted(claim, names))))
    yield proposed(claim, "superlative", program, names, [column], range(word - ordinal, word + 2))


_COMMON = COMMON | {"important", "used"}


def _counts(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a superlative may be of a number of rows: `the most`, `the highest number of`."""
    of_a_number = claim.texts[extreme.end : extreme.end + 2] in _NUMBERS_OF
    plain = extreme.place == 1 and not extreme.temporal
    return plain and (of_a_number or claim.texts[extreme.end - 1] in _OF_NUMBERS)
