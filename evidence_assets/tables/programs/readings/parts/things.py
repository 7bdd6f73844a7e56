"""What a claim says of each of some things: which they are, and how many of them are meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.counters import Counter
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE

# Where the name of a thing stands in what is said of it.
NAME = -1


@dataclass(frozen=True, slots=True)
class Things:
    """What a claim is of: the values of a column, or the rows that go by them."""

    column: int
    by_row: bool


@dataclass(frozen=True, slots=True)
class QuantifiedClaim:
    """What a claim says of each of some things, and of which of them.

    `quantifier`: `none`, `all`, `not all`, `only`, `not only`, or a number or share of them. `words`: where
    its words stand, and those that except. `things`: what the things are. `scope`: what tells which things
    are meant. `named`: things that are excepted, or that alone are meant. `said`: positions of what is said
    of a thing, `NAME` in the place of its name. `whole`: where the number of all that are meant stands, and
    `so_many_named` of those that are excepted: `but the two from Osen`.
    """

    quantifier: str | Counter | ClaimedShare
    words: tuple[int, ...]
    things: Things
    scope: tuple[Link, ...]
    named: tuple[Link, ...]
    said: tuple[int, ...]
    whole: int | None = None
    so_many_named: int | None = None


def things_of(claim: GroundedClaim, phrase: Sequence[int], scope: Sequence[Link]) -> Things | None:
    """Return what a noun phrase is of; None where it names numbers, or says more than the table tells.

    One word may be unknown: what the claim calls the things.
    """
    index, label = claim.index, claim.index.table.label_column
    heads = [head for head in claim.linked.headers if head.start in phrase]
    inside = positions_of(scope) | positions_of(heads)
    unknown = [n for n in phrase if n not in inside and not claim.tokens[n].stop and not claim.tokens[n].mark]
    unknown = [n for n in unknown if claim.texts[n] not in AS_LISTED]
    # The caption may call the things as the phrase does at its end.
    unknown = [n for n in unknown if claim.tokens[n].key not in index.caption or n + 1 in phrase]
    ends_open = any(claim.texts[n] in RELATIVE for n in phrase[-1:])
    if label is None or ends_open or len(unknown) > (0 if heads else 1):
        return None
    columns = heads[0].columns if heads else frozenset({label})
    column = label if label in columns else min(columns)
    if index.is_numeric(column) and column != label:
        return None
    return Things(column, not heads)


# They say no more of things than that the table has them: `of the boats listed`.
AS_LISTED = frozenset({"listed", "shown", "given", "recorded"})


def things_named_by(link: Link) -> Things | None:
    """Return what a name is of: the values of its only column; None for numbers and bounds."""
    is_name = len(link.places) == 1 and not link.bound and link.number is None
    return Things(next(iter(link.places)), by_row=False) if is_name else None


def number_of_all(claim: GroundedClaim, quantifier: int) -> int | None:
    """Return where the number stands of all that are meant: `none of the four`, `but the two`."""
    texts = claim.texts
    place = quantifier + 1
    while texts[place : place + 1] in {("of",), ("the",), ("these",)}:
        place += 1
    token = claim.tokens[place : place + 1]
    counts = any(t.number is not None and not t.ordinal and t.number == int(t.number) for t in token)
    # `All 2012 films` are not so many.
    return place if counts and (token[0].number or 0) <= len(claim.index.rows) + 1 else None
