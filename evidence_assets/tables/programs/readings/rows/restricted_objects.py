"""Claims in which `only` stands behind its subject: `A sells only B` says that all of A's are B."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.row_programs import Meet, Without
from evidence_assets.tables.programs.grammar.truth_programs import All, Every, Some
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    binding,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.scopes import is_a_noun, is_surely_a_verb, main_verb
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, POSSESSIVES, is_possessed_by
from evidence_assets.text.words import word_set


def restricts_what_is_behind(claim: GroundedClaim, only: int) -> bool:
    """Return whether `only` stands behind its subject and next to its verb: `A sells only B`, `A only sells`.

    Not before a noun that a verb follows, `in May only A sold B`, nor behind an article or a possessive.
    """
    texts = claim.texts
    names = [link for link in claim.links if link.end <= only]
    behind = [link for link in claim.links if link.start > only]
    if texts[only] not in _BEFORE_OBJECTS or not names or not behind:
        return False
    if texts[only - 1] in _BEFORE_NOUNS or _is_possessed(claim, only):
        return False
    verb = main_verb(claim, only)
    if verb is not None and any(
        only < link.start < verb < other.start for link in behind for other in behind
    ):
        return False
    verbs = [n for n in range(names[0].end, only) if _may_be_a_verb(claim, n)]
    if verbs:
        return True
    is_subject = texts[0] not in OPENING_TIMES
    return (
        only == names[-1].end
        and is_subject
        and (texts[only + 1] in AUXILIARIES or (_may_be_a_verb(claim, only + 1)))
    )


# Words that say no more than that what stands behind them is all.
_BEFORE_OBJECTS = word_set("only solely")
_BEFORE_NOUNS = ARTICLES | POSSESSIVES | {"one", "our", "my", "your"}
# A claim that opens with one of these tells first when, or among which rows.
OPENING_TIMES = word_set("in on at during from since by for of among")


def _is_possessed(claim: GroundedClaim, position: int) -> bool:
    """Return whether the word before one ends in what says whose it is: `the Nets' only win`."""
    before, token = claim.tokens[position - 1], claim.tokens[position]
    return (before.mark and before.text == "'") or is_possessed_by(before, token)


def _may_be_a_verb(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is an auxiliary, or of no cell and, where a header has it, looks like a verb."""
    token = claim.tokens[position]
    if token.text in AUXILIARIES:
        return True
    if token.mark or token.stop or token.capital or token.number is not None:
        return False
    of_values = any(link.start <= position < link.end for link in claim.links if not link.bound)
    looks_like_it = is_surely_a_verb(token.text) or token.text.endswith("s")
    return not of_values and (looks_like_it or position not in claim.headed)


def restricted_objects(claim: GroundedClaim, only: int) -> Iterator[Proposal]:
    """Yield whether all rows of a subject have what stands behind `only`, and some have each value of it.

    None where it is not clear which part of that it restricts, and the parts disagree: it may be any one of
    `only sold oak in May`. Nor where a cell lists more than is said, nor where what a subject has is told by
    columns of yes and no, of which another may say yes.
    """
    subject = [link for link in claim.links if link.end <= only]
    behind = [link for link in claim.links if link.start > only]
    linked = positions_of(claim.links)
    if any(link.start > only and link.start not in linked for link in claim.linked.links):
        # Without a part of what it restricts, another is all.
        return
    if claim.negation is not None or "but" in claim.texts[only:] or _is_of_a_flag(claim, only, behind):
        return
    if claim.texts[only - 1] == "not":
        yield from _not_only(claim, only, subject, behind)
        return
    programs = [_all_have(claim, subject, behind, focus) for focus in _focuses(behind)]
    truths = {program.run(claim.index).truth for program in programs}
    if len(truths) > 1 or (True in truths and _lists_more(claim, behind)):
        return
    yield Proposal("all", programs[0], binding(claim, [*subject, *behind], operators=[only]))


def _not_only(
    claim: GroundedClaim, only: int, subject: Sequence[Link], behind: Sequence[Link]
) -> Iterator[Proposal]:
    """Yield `A does not only sell B`: it has others too, where it has several rows."""
    holders, holding = restricted(claim, subject), restricted(claim, behind)
    if len(holders.run(claim.index).rows) > 1:
        program = All((Some(Meet((holders, holding))), Some(Without(holders, holding))))
        bound = binding(claim, [*subject, *behind], operators=[only - 1, only])
        yield Proposal("not only", program, bound)


def _focuses(links: Sequence[Link]) -> Iterator[list[Link]]:
    """Yield what `only` may restrict: all that stands behind it, and what is told of each column alone."""
    yield list(links)
    columns = {frozenset(link.places): None for link in links}
    if len(columns) > 1:
        for column in columns:
            yield [link for link in links if link.places.keys() == column]


def _all_have(
    claim: GroundedClaim, subject: Sequence[Link], behind: Sequence[Link], focus: Sequence[Link]
) -> Truth:
    scope = restricted(claim, [*subject, *(link for link in behind if link not in focus)])
    each = [Some(Meet((scope, where(claim, link)))) for link in focus]
    return All((Every(scope, restricted(claim, focus)), *each))


def _is_of_a_flag(claim: GroundedClaim, only: int, behind: Sequence[Link]) -> bool:
    """Return whether `only` is said of a column of yes and no itself: of `has only a pond`, no garden.

    Not where it says which are meant: `only boats with a sail`, `only retired teachers`.
    """
    flags = claim.index.flags
    link = behind[0]
    if not link.places.keys() <= flags.keys():
        return False
    before = any(is_a_noun(claim, n) for n in range(only + 1, link.start))
    return not before and not (link.end < len(claim.texts) and is_a_noun(claim, link.end))


def _lists_more(claim: GroundedClaim, links: Sequence[Link]) -> bool:
    """Return whether a cell that a claim names a part of may list others beside it: `oak, ash`."""
    return any(
        _JOINED.search(claim.index.table.rows[row][column].text)
        for link in links
        if not link.bound and link.number is None
        for column, rows in link.places.items()
        if column not in link.full
        for row in rows
    )


_JOINED = re.compile(r"[,;/&+\n]|\b(?:and|or)\b", re.IGNORECASE)
