"""Claims that say the same of several things, and of how many: of none, of each, of one alone, of so many.

`No state other than Washington scored more than 8.9` says of a state that it scored more than 8.9. What is
said, of which things, and of how many is told here; what it means is read of one thing by its name.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.links.counters import Counter, counters_of
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations
from evidence_assets.tables.programs.readings.parts.scopes import (
    but_behind,
    is_surely_a_verb,
    main_verb,
)
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare, claimed_share
from evidence_assets.tables.programs.wording.quantifier_words import fronted_scope, none_words, only_word
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    AGGREGATING,
    EACH,
    NOBODY,
    RELATIVE,
    RELATIVE_PRONOUNS,
    each_word,
    exception,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES

# Where the name of a thing stands in what is said of it.
NAME = -1


@dataclass(frozen=True, slots=True)
class Things:
    """What a claim is of: the values of a column, or the rows that go by them.

    `nouns`: positions of what the claim calls them.
    """

    column: int
    by_row: bool
    nouns: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class QuantifiedClaim:
    """What a claim says of each of some things, and of which of them.

    `quantifier`: `none`, `all`, `not all`, `only`, `not only`, or a number or share of them. `words`: where
    its words stand, and those that except. `things`: what the things are. `scope`: what tells which things
    are meant. `named`: things that are excepted, or that alone are meant. `said`: positions of what is said
    of a thing, `NAME` in the place of its name. `whole`: where the number of all that are meant stands.
    """

    quantifier: str | Counter | ClaimedShare
    words: tuple[int, ...]
    things: Things
    scope: tuple[Link, ...]
    named: tuple[Link, ...]
    said: tuple[int, ...]
    whole: int | None = None


def quantified_claims(claim: GroundedClaim) -> Iterator[QuantifiedClaim]:
    """Yield what a claim says of each of some things, by each word that may tell of how many."""
    if claim.sole is not None:
        return
    for quantifier, words, whole in _quantifiers(claim):
        for quantified in _of_a_noun_phrase(claim, quantifier, words, whole):
            if not _quantifies_again(claim, quantified.said):
                yield quantified
    yield from (quantified for quantified in _sole(claim) if not _quantifies_again(claim, quantified.said))


def _quantifies_again(claim: GroundedClaim, said: Sequence[int]) -> bool:
    """Return whether what is said of a thing tells itself of how many something is."""
    return any(claim.texts[n] in EACH | NOBODY | {"both", "neither"} for n in said if n != NAME)


_Quantifier = tuple[str | Counter | ClaimedShare, Sequence[int], int | None]


def _quantifiers(claim: GroundedClaim) -> Iterator[_Quantifier]:
    """Yield what may quantify the things of a noun phrase, with its words, and where their number stands."""
    texts = claim.texts
    none = none_words(texts)
    if none and texts[none[0]] not in {"neither", "nowhere"} and not _is_in_another_clause(claim, none[0]):
        opening = [n for n in none if n - none[0] <= 1]
        yield "none", opening, _whole(claim, opening[-1])
    each = each_word(texts)
    # What all have together none has, and `of all towns, A` says of which things the claim is.
    together = each is not None and texts[each] == "all" and not AGGREGATING.isdisjoint(texts)
    if (
        each is not None
        and not together
        and not _is_behind_a_clause(claim, each)
        and texts[max(0, each - 1) : each] not in {("of",), ("among",)}
    ):
        denied = texts[max(0, each - 1) : each] == ("not",)
        words = [each - 1, each] if denied else [each]
        yield "not all" if denied else "all", words, _whole(claim, each)
    share = claimed_share(claim.tokens)
    if share is not None and _is_of_things(claim, max(share.words) + 1):
        yield share, share.words, None
    counter = next((c for c in counters_of(claim) if _opens(claim, c)), None)
    if counter is not None:
        yield counter, counter.words, counter.whole


def _is_in_another_clause(claim: GroundedClaim, position: int) -> bool:
    """Return whether something is said before a word: `A is largest, and nobody is behind it`."""
    return any(
        claim.texts[n] in AUXILIARIES or is_surely_a_verb(claim.texts[n]) for n in range(1, position - 1)
    )


def _is_behind_a_clause(claim: GroundedClaim, position: int) -> bool:
    """Return whether a clause ends before a word: `A runs three mines, and every one of those`."""
    comma = next((n for n in range(position - 1, 0, -1) if claim.texts[n] == ","), 0)
    return _is_in_another_clause(claim, comma)


def _whole(claim: GroundedClaim, quantifier: int) -> int | None:
    """Return where the number stands of all that are meant: `none of the four`, `all three`."""
    texts = claim.texts
    place = quantifier + 1
    while texts[place : place + 1] in {("of",), ("the",), ("these",)}:
        place += 1
    token = claim.tokens[place : place + 1]
    counts = any(t.number is not None and not t.ordinal and t.number == int(t.number) for t in token)
    # `All 2012 films` are not so many.
    return place if counts and (token[0].number or 0) <= len(claim.index.rows) + 1 else None


def _is_of_things(claim: GroundedClaim, position: int) -> bool:
    """Return whether what a share is of is what a column of names is called: `half of the towns`."""
    behind = [n for n in range(position, len(claim.texts)) if claim.texts[n] not in {"of", "the", "all"}]
    heads = [head for head in claim.linked.headers if behind and head.start == behind[0]]
    label = claim.index.table.label_column
    return any(label in head.columns for head in heads)


def _opens(claim: GroundedClaim, counter: Counter) -> bool:
    """Return whether a number of rows opens a claim, or its clause: `five of the nine`, `at least two`."""
    before = [text for text in claim.texts[: counter.words[0]] if text not in {"only", "exactly", "just"}]
    return not before or before[-1] == "," or before == ["there", "be"]


def _of_a_noun_phrase(
    claim: GroundedClaim,
    quantifier: str | Counter | ClaimedShare,
    words: Sequence[int],
    whole: int | None,
) -> Iterator[QuantifiedClaim]:
    """Yield what stands around the noun phrase behind a quantifier as said of what it names."""
    texts = claim.texts
    first, last = min(words), max(*words, *words, -1 if whole is None else whole)
    exists = texts[max(0, first - 2) : first] == ("there", "be")
    excepted = _exception(claim, last)
    end = _end_of_the_phrase(claim, last, excepted, exists=exists)
    if end is None:
        return
    if excepted is not None and last <= excepted.start < end:
        excepted = range(excepted.start, end)
    without: Container[int] = () if excepted is None else excepted
    phrase = [n for n in range(last + 1, end - exists) if n not in without]
    scope = tuple(link for link in claim.links if link.start in phrase)
    things = _things(claim, phrase, scope)
    named = [link for link in claim.links if link.start in without]
    if things is None or (excepted is not None and not named):
        return
    if named and things.by_row and things.column not in named[0].places:
        # `Nobody other than Ada` is of what Ada is, where no column is named.
        things = _named_by(named[0])
        if things is None:
            return
    before = range(first - 2 if exists else first)
    said = (
        *(n for n in before if n not in without),
        NAME,
        *(n for n in range(end, len(texts)) if n not in without),
    )
    excepting = [] if excepted is None else [excepted.start]
    yield QuantifiedClaim(quantifier, (*words, *excepting), things, scope, tuple(named), said, whole)


def _end_of_the_phrase(
    claim: GroundedClaim, last: int, excepted: range | None, *, exists: bool
) -> int | None:
    """Return where the noun phrase behind a quantifier ends: at its verb; at the end where it has none.

    Of `there is no van that floats`, what floats tells which is said of a van. None without an end.
    """
    texts = claim.texts
    if exists:
        clause = next((n for n in range(last + 1, len(texts)) if texts[n] in RELATIVE_PRONOUNS), None)
        return None if clause is None or clause + 1 >= len(texts) else clause + 1
    verb = main_verb(claim, last)
    if excepted is not None and excepted.start >= last:
        between = range(last + 1, excepted.start)
        if not any(texts[n] in AUXILIARIES or is_surely_a_verb(texts[n]) for n in between):
            verb = main_verb(claim, excepted.start)
    if verb is not None:
        return verb
    heads = [head for head in claim.linked.headers if last < head.start <= last + _NEAR]
    ends = bool(heads) and all(token.mark for token in claim.tokens[heads[0].end :])
    return heads[0].end if ends and last > 1 else None


# So many words stand at most between a quantifier and the noun that ends a claim.
_NEAR = 2


def _exception(claim: GroundedClaim, quantifier: int) -> range | None:
    """Return where a claim tells what it excepts, from its word up to a mark; None without it."""
    texts = claim.texts
    start = exception(texts, range(len(texts)))
    start = but_behind(texts, quantifier) if start is None else start
    if start is None:
        return None
    return range(start, next((n for n in range(start, len(texts)) if texts[n] in {",", "."}), len(texts)))


def _things(claim: GroundedClaim, phrase: Sequence[int], scope: Sequence[Link]) -> Things | None:
    """Return what a noun phrase is of; None where it names numbers, or says more than the table tells.

    One word may be unknown: what the claim calls the things.
    """
    index, label = claim.index, claim.index.table.label_column
    heads = [head for head in claim.linked.headers if head.start in phrase]
    inside = positions_of(scope) | positions_of(heads)
    unknown = [n for n in phrase if n not in inside and not claim.tokens[n].stop and not claim.tokens[n].mark]
    unknown = [n for n in unknown if claim.tokens[n].key not in index.caption or n + 1 in phrase]
    if (
        label is None
        or len(unknown) > (0 if heads else 1)
        or any(claim.texts[n] in RELATIVE for n in phrase[-1:])
    ):
        return None
    columns = heads[0].columns if heads else frozenset({label})
    column = label if label in columns else min(columns)
    if index.is_numeric(column) and column != label:
        return None
    nouns = (*(n for head in heads[:1] for n in range(head.start, head.end)), *unknown)
    return Things(column, not heads, nouns if heads else ())


def _sole(claim: GroundedClaim) -> Iterator[QuantifiedClaim]:
    """Yield `A is the only N that C`, and `only A does C`, as C said of A and of no other."""
    only = only_word(claim.texts)
    if only is None:
        return
    if claim.texts[max(0, only - 1) : only] == ("the",):
        yield from _the_only(claim, only)
    else:
        yield from _only_names(claim, only)


def _the_only(claim: GroundedClaim, only: int) -> Iterator[QuantifiedClaim]:
    """Yield `A is the only N that C`, `A is not the only N to C`."""
    texts = claim.texts
    denied = texts[only - 2 : only - 1] == ("not",)
    verb = only - 2 - denied
    holders = _listed_last(claim, range(max(0, verb)))
    opening = next((n for n in range(only + 1, len(texts)) if texts[n] in _OPENING_WHICH), None)
    if verb < 1 or texts[verb] != "be" or not holders or opening is None:
        return
    phrase = range(only + 1, opening)
    scope = tuple(link for link in claim.links if link.start in phrase)
    things = _things(claim, phrase, scope)
    things = things if things is None or things.column in holders[0].places else _named_by(holders[0])
    if things is None:
        return
    rest = opening + 1 if texts[opening] in _LEFT_OUT else opening
    before = range(min(holder.start for holder in holders))
    words = (only, *([verb + 1] if denied else []))
    said = (*before, NAME, *range(rest, len(texts)))
    yield QuantifiedClaim("not only" if denied else "only", words, things, scope, tuple(holders), said)


_LEFT_OUT = RELATIVE_PRONOUNS | {"to"}
_OPENING_WHICH = _LEFT_OUT | {"with", "without"}


def _only_names(claim: GroundedClaim, only: int) -> Iterator[QuantifiedClaim]:
    """Yield `only A and B did C`, `A alone did C`."""
    texts = claim.texts
    behind = [link for link in claim.links if link.start > only]
    if texts[only] == "alone":
        holders = _listed_last(claim, range(only))
        before, rest = range(min((h.start for h in holders), default=0)), only + 1
    elif _opens_a_clause(claim, only) and behind and ARTICLES.issuperset(texts[only + 1 : behind[0].start]):
        groups = enumerations(claim, tuple(behind))
        holders = [behind[n] for n in (groups[0] if groups and 0 in groups[0] else (0,))]
        before, rest = range(only), holders[-1].end
    else:
        return
    things = _named_by(holders[0]) if holders else None
    if things is None or rest >= len(texts):
        return
    scope: tuple[Link, ...] = ()
    whole = None
    fronted = fronted_scope(texts)
    if fronted is not None and before == range(fronted.stop + 1):
        # `Of the five vans with a ramp, only A is lit` says of which things A alone is so.
        scope = tuple(link for link in claim.links if link.start in fronted)
        whole = _whole(claim, 0)
        told = _things(claim, [n for n in fronted if n != whole], scope)
        if told is None or told.column != things.column:
            return
        scope, before = tuple(link for link in scope if link.start != whole), range(0)
    said = (*before, NAME, *range(rest, len(texts)))
    opening = (0,) if scope else ()
    yield QuantifiedClaim("only", (*opening, only), things, scope, tuple(holders), said, whole)


def _opens_a_clause(claim: GroundedClaim, position: int) -> bool:
    return not position or claim.texts[position - 1] == ","


def _named_by(link: Link) -> Things | None:
    """Return what a name is of: the values of its only column; None for numbers and bounds."""
    is_name = len(link.places) == 1 and not link.bound and link.number is None
    return Things(next(iter(link.places)), by_row=False) if is_name else None


def _listed_last(claim: GroundedClaim, among: range) -> list[Link]:
    """Return the names that are listed last among some words: A and B of `A and B are the only vans`."""
    links = [link for link in claim.links if link.start in among and not link.bound]
    groups = enumerations(claim, tuple(links))
    last = len(links) - 1
    listed = next((group for group in groups if last in group), [last] if links else [])
    return [links[n] for n in listed]
