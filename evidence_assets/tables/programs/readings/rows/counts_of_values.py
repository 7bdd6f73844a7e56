"""Claims that count a column's values: the different ones, or those that stand in so many rows."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Distinct, GroupsOf, Literal
from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.counters import WINDOW, Counter
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, restricted, where
from evidence_assets.tables.programs.wording.quantifier_words import DIFFERENT, EXACTLY
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word

# Words beside a count that say that there are no more.
NO_MORE = EXACTLY | {"all", "both", "single", "total"}


def distinct_values(claim: GroundedClaim, counter: Counter, links: list[Link]) -> Iterator[Proposal]:
    """Yield `three different makes`, `there are three makes`: how many values a column has in some rows."""
    heads = [head for head in claim.linked.headers if 0 < head.start - counter.position <= WINDOW]
    partitive = claim.texts[counter.position + 1 : counter.position + 2] == ("of",)
    says_no_more = asks_distinct(claim, counter.position) or "there" in claim.texts[: counter.position]
    if not heads or (partitive and not links and not says_no_more):
        # `Two of the airports` says something of two of them.
        return
    following = claim.tokens[heads[0].end : heads[0].end + 1]
    if not links and not says_no_more and any(token.key in _carrying(claim) for token in following):
        # `Only one kite came down` says something of one.
        return
    column = min(heads[0].columns)
    rows = meet([where(claim, link) for link in links])
    words = [n for n, text in enumerate(claim.texts) if text in DIFFERENT]
    bound = binding(claim, links, [column], [*counter.words, *words])
    program = Compare(Distinct(rows, column), counter.relation, Literal(counter.number))
    yield Proposal("distinct", program, bound)


def asks_distinct(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is of different values: `three different makes`."""
    return any(text in DIFFERENT for text in claim.texts[position : position + 3])


def _carrying(claim: GroundedClaim) -> set[str]:
    """Return the keys of a claim's words that nothing of the table tells."""
    return {claim.tokens[position].key for position in claim.linked.unknown}


def groups_of_rows(claim: GroundedClaim, counters: list[Counter]) -> Iterator[Proposal]:
    """Yield `3 teams play 2 games`, `each team plays 2 games`: how many values stand in so many rows."""
    if not counters:
        return
    size = counters[-1]
    quantifier = each_word(claim.texts)
    opening = counters[0] if len(counters) > 1 else None
    start = opening.position if opening is not None else quantifier
    heads = claim.linked.headers if start is not None else []
    head = next((head for head in heads if 0 < head.start - (start or 0) <= WINDOW), None)
    if head is None or start is None or head.end > size.position:
        return
    column = min(head.columns)
    if column == claim.index.table.label_column and claim.index.names_tell_rows_apart:
        return
    words = {word for counter in counters for word in counter.words}
    links = [
        link
        for link in claim.links
        if column not in link.places and words.isdisjoint(range(link.start, link.end))
    ]
    rows = restricted(claim, links)
    groups = GroupsOf(rows, column, size.relation, size.number)
    operators = [start, *size.words, *(opening.words if opening is not None else ())]
    operators += [n for n, text in enumerate(claim.texts) if text in DIFFERENT | NO_MORE]
    bound = binding(claim, links, [column], operators)
    if opening is not None:
        program = Compare(groups, opening.relation, Literal(opening.number))
        yield Proposal("groups of a size", program, bound)
    else:
        yield Proposal("each group of a size", Compare(groups, "=", Distinct(rows, column)), bound)
