"""Claims about all or none but some, about all but so many, and about some and no others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.row_programs import Meet, Without
from evidence_assets.tables.programs.grammar.truth_programs import All, Every, Not, OnlyThese, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.scopes import main_verb
from evidence_assets.tables.programs.wording.quantifier_words import JOINTS, limitless


def all_but_programs(claim: GroundedClaim, position: int, excepted: int) -> Iterator[Proposal]:
    """Yield `all A except B have C`: the rows of A but B have it, and B has not.

    `A excepted` names the exception before the word.
    """
    behind = _excepted(claim, excepted)
    remaining = [link for link in claim.links if link not in behind]
    verb = main_verb(claim, position)
    end = excepted if verb is None or position < excepted < verb else verb
    scope_links = [link for link in remaining if position < link.start < end]
    predicates = [link for link in remaining if link not in scope_links]
    if not predicates:
        scope_links, predicates = scope_links[:-1], scope_links[-1:]
    if not behind or not predicates:
        return
    holding = restricted(claim, predicates)
    scope, exceptions = restricted(claim, scope_links), restricted(claim, behind)
    program = All((Every(Without(scope, exceptions), holding), *excepted_from(claim, behind, holding)))
    yield proposed(
        claim, "all but", program, [*scope_links, *predicates, *behind], operators=[position, excepted]
    )


def excepted_from(claim: GroundedClaim, exceptions: Sequence[Link], holding: Rows) -> list[Truth]:
    """Return of each exception that not all its rows, mostly one, meet what is said of the others."""
    return [Not(Every(where(claim, link), holding)) for link in exceptions]


def all_but_so_many(
    claim: GroundedClaim, words: Sequence[int], scope_links: Sequence[Link], predicates: Sequence[Link]
) -> Proposal:
    """Return `all but two have C`: whether so many rows of the scope lack it."""
    program = so_many_lack(claim, words, restricted(claim, scope_links), restricted(claim, predicates))
    return proposed(claim, "all but so many", program, [*scope_links, *predicates], operators=words)


def so_many_lack(claim: GroundedClaim, words: Sequence[int], scope: Rows, holding: Rows) -> Truth:
    """Return whether of a scope as many rows as `all but two` tells do not meet what is said of them."""
    return are_so_many(claim, Without(scope, holding), words[-1])


def _excepted(claim: GroundedClaim, word: int) -> list[Link]:
    """Return what a claim excepts: what is listed behind the word, before it where that ends the clause."""
    following = [link for link in claim.links if link.start > word]
    if not following:
        return [link for link in claim.links if link.end <= word][-1:]
    listed = enumerations(claim, tuple(following))
    return [following[place] for place in listed[0]] if listed and 0 in listed[0] else following[:1]


def nothing_but_programs(claim: GroundedClaim, nobody: int) -> Iterator[Proposal]:
    """Yield `A has nothing but B`: each row of A has B."""
    scope = [link for link in claim.links if link.end <= nobody]
    behind = [link for link in claim.links if link.start > nobody]
    if scope and behind:
        bound = binding(claim, [*scope, *behind], operators=[nobody, nobody + 1])
        yield Proposal("all", Every(restricted(claim, scope), restricted(claim, behind)), bound)


def denied_but_programs(claim: GroundedClaim, denial: int, excepted: int) -> Iterator[Proposal]:
    """Yield `A did not C other than on B`, `except on B, A did not C`: all rows of A and C are of B."""
    comma = next((n for n in range(excepted, denial) if claim.texts[n] == ","), None)
    end = len(claim.texts) if comma is None else comma
    behind = [link for link in claim.links if excepted < link.start < end]
    said = [link for link in claim.links if link not in behind]
    if behind and said and (excepted > denial or comma is not None):
        holding, exceptions = restricted(claim, said), restricted(claim, behind)
        program = All((OnlyThese(exceptions, holding), Some(Meet((exceptions, holding)))))
        words = [denial, excepted, *limitless(claim.texts, denial)]
        yield proposed(claim, "only", program, [*said, *behind], operators=words)


def sole_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A has C, and no other does`, `C on A and on no other`: A alone has it."""
    words = claim.sole
    links = [link for link in claim.links if words is not None and link.end <= words.start]
    if words is None or len(links) < _FEWEST or len(links) < len(claim.links):
        return
    behind = claim.texts[words.start - 1] not in JOINTS
    place = len(links) - 1 if behind else 0
    groups = [group for group in enumerations(claim, tuple(links)) if place in group]
    holders = [links[number] for number in (groups[0] if groups else (place,))]
    predicates = [link for link in links if link not in holders]
    if predicates and not any(link.bound for link in holders):
        holding = restricted(claim, predicates)
        parts = [Some(Meet((where(claim, holder), holding))) for holder in holders]
        program = All((OnlyThese(restricted(claim, holders), holding), *parts))
        yield proposed(claim, "only", program, links, operators=words)


# A holder and what it has.
_FEWEST = 2
