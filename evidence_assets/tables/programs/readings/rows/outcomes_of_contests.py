"""Claims of how all of a side's contests ended, or none: `won all three of its matches`, `lost both`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Count, Literal, LongestRun
from evidence_assets.tables.programs.grammar.row_programs import Meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, Not, Some
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.contests.contest_links import is_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.wording.contest_words import streak_words

_ALL = frozenset({"all", "every", "each"})
_NONE = frozenset({"none", "no", "neither"})


def outcome_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what a verb of outcome says of all contests, of both or of none that the claim speaks of."""
    table = claim.index.table
    if not isinstance(table, ContestTable):
        return
    for verb in claim.links:
        if not is_an_outcome(claim.index, verb):
            continue
        if verb.end < len(claim.tokens):
            yield from _quantified(claim, verb, verb.end)
        if words := streak_words(claim.texts):
            yield from _on_end(claim, verb, words)


def _quantified(claim: GroundedClaim, verb: Link, position: int) -> Iterator[Proposal]:
    """Yield what a quantifier behind a verb of outcome, at a position, says of how many contests ended so."""
    quantifier, links = claim.texts[position], claim.links
    number = _number_behind(claim, position)
    others = [link for link in links if link is not verb and link.start != number]
    scope, predicate = restricted(claim, others), where(claim, verb)
    used, operators = [verb, *others], [position, *([] if number is None else [number])]
    every: Truth = Every(scope, predicate)
    if quantifier == "both" and others and number is None:
        two = Compare(Count(scope), "=", Literal(2.0))
        yield proposed(claim, "both", All((two, every)), used, operators=operators)
    elif quantifier in _ALL:
        program = every if number is None else All((are_so_many(claim, scope, number), every))
        yield proposed(claim, "all", program, used, operators=operators)
    elif quantifier in _NONE and claim.negation in {None, position} and number is None:
        program = Not(Some(Meet((scope, predicate))))
        yield Proposal("none", program, binding(claim, used, operators=operators))


def _on_end(claim: GroundedClaim, verb: Link, words: Sequence[int]) -> Iterator[Proposal]:
    """Yield `won 3 games in a row`, `the longest losing streak was 4 games`, `lost the last 3 in a row`.

    Not of `unbeaten in 3 straight games`: they need not have been won.
    """
    limits = {limit.position: limit for limit in claim.bounds}
    numbers = [n for n in {*claim.numbers, *claim.parts, *limits} if not claim.tokens[n].ordinal]
    others = [link for link in claim.links if link is not verb and link.start not in numbers]
    scope, predicate = restricted(claim, others), where(claim, verb)
    if any(link.bound.startswith(_SLICE) for link in others) and not numbers:
        yield proposed(claim, "all", Every(scope, predicate), [verb, *others], operators=words)
    if len(numbers) != 1 or claim.tokens[verb.start].text == "beaten":
        return
    number, longest = numbers[0], [n for n, text in enumerate(claim.texts) if text == "longest"]
    limit = limits.get(number)
    relation = limit.relation if limit is not None else "=" if longest else ">="
    length = range(number, number + 1) if limit is None else range(limit.start, limit.end)
    run = LongestRun(scope, predicate)
    program = Compare(run, relation, Literal(float(claim.tokens[number].number or 0)))
    operators = [*words, *length, *longest]
    yield proposed(claim, "count", program, [verb, *others], operators=operators)


_SLICE = "in the "


def _number_behind(claim: GroundedClaim, position: int) -> int | None:
    """Return where it stands of how many contests a quantifier is: `all three`, `all of their 5`."""
    for place in range(position + 1, min(len(claim.tokens), position + 4)):
        token = claim.tokens[place]
        if token.number is not None and not token.ordinal:
            return place
        if not token.stop:
            return None
    return None
