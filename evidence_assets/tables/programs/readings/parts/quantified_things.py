"""Claims that say the same of several things, and of how many: of none, of each, of one alone, of so many.

`No state other than Washington scored more than 8.9` says of a state that it scored more than 8.9. What is
said, of which things, and of how many is told here; what it means is read of one thing by its name.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.readings.parts.counters import Counter, counters_of
from evidence_assets.tables.programs.readings.parts.scopes import (
    but_behind,
    is_a_verb_of_a_header,
    is_surely_a_verb,
    main_verb,
)
from evidence_assets.tables.programs.readings.parts.sole_things import sole_claims
from evidence_assets.tables.programs.readings.parts.things import (
    NAME,
    QuantifiedClaim,
    Things,
    number_of_all,
    things_named_by,
    things_of,
)
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare
from evidence_assets.tables.programs.wording.quantifier_words import none_words
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    EACH,
    NOBODY,
    RELATIVE_PRONOUNS,
    each_word,
    exception,
)
from evidence_assets.tables.programs.wording.words import AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING


def quantified_claims(claim: GroundedClaim) -> Iterator[QuantifiedClaim]:
    """Yield what a claim says of each of some things, by each word that may tell of how many."""
    if claim.sole is not None:
        return
    for quantifier, words, whole in _quantifiers(claim):
        quantified = _of_a_noun_phrase(claim, quantifier, words, whole)
        if quantified is not None and not _quantifies_again(claim, quantified):
            yield quantified
    for sole in sole_claims(claim):
        if not _quantifies_again(claim, sole):
            yield sole


def _quantifies_again(claim: GroundedClaim, quantified: QuantifiedClaim) -> bool:
    """Return whether what is said of a thing tells itself of how many something is, or denies it of none."""
    said = [n for n in quantified.said if n != NAME]
    twice = quantified.quantifier == "none" and any(
        n in said and claim.texts[n] in _DENYING for n in claim.negations
    )
    return twice or any(claim.texts[n] in EACH | NOBODY | {"both", "neither"} for n in said)


_DENYING = frozenset({"not", "fail", "fails", "failed"})


_Quantifier = tuple[str | Counter | ClaimedShare, Sequence[int], int | None]


def _quantifiers(claim: GroundedClaim) -> Iterator[_Quantifier]:
    """Yield what may quantify the things of a noun phrase, with its words, and where their number stands."""
    texts = claim.texts
    none = none_words(texts)
    if none and texts[none[0]] not in {"neither", "nowhere"} and not _is_in_another_clause(claim, none[0]):
        opening = [n for n in none if n - none[0] <= 1]
        yield "none", opening, number_of_all(claim, opening[-1])
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
        yield "not all" if denied else "all", words, number_of_all(claim, each)
    share = claim.linked.share
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
) -> QuantifiedClaim | None:
    """Return what stands around the noun phrase behind a quantifier as said of what it names."""
    texts = claim.texts
    first, last = min(words), max(*words, -1 if whole is None else whole)
    exists = texts[max(0, first - 2) : first] == ("there", "be")
    excepted = _exception(claim, last)
    end = _end_of_the_phrase(claim, last, excepted, exists=exists)
    if end is None:
        return None
    if excepted is not None and last <= excepted.start < end:
        excepted = range(excepted.start, end)
    without: Container[int] = () if excepted is None else excepted
    phrase = [n for n in range(last + 1, end - exists) if n not in without]
    scope = tuple(link for link in claim.links if link.start in phrase)
    things = things_of(claim, phrase, scope)
    named = [link for link in claim.links if link.start in without]
    if things is None or things.by_row:
        things = _things_of_the_verb(claim, end) or things
    if things is None or (excepted is not None and not named):
        return None
    if named and things.by_row and things.column not in named[0].places:
        # `Nobody other than Ada` is of what Ada is, where no column is named.
        things = things_named_by(named[0])
        if things is None:
            return None
    before = range(first - 2 if exists else first)
    said = (
        *(n for n in before if n not in without),
        NAME,
        *(n for n in range(end, len(texts)) if n not in without),
    )
    excepting = [] if excepted is None else [excepted.start]
    so_many = None if excepted is None else number_of_all(claim, excepted.start)
    so_many = None if so_many in positions_of(named) else so_many
    return QuantifiedClaim(
        quantifier, (*words, *excepting), things, scope, tuple(named), said, whole, so_many
    )


def _things_of_the_verb(claim: GroundedClaim, verb: int) -> Things | None:
    """Return those who did what a verb says, where a header names them: of `no act has won`, the winners."""
    for head in claim.linked.headers:
        names = not any(map(claim.index.is_numeric, head.columns)) and len(head.columns) == 1
        said = range(max(verb, head.start), min(verb + 2, head.end))
        if names and any(is_a_verb_of_a_header(claim, n) for n in said):
            return Things(min(head.columns), by_row=False)
    return None


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
