"""Whether a claim says something else than a program by words that the program passes over."""

from __future__ import annotations

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_day_of_a_month
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.links.ranks.top_rows import OF_THE_TOP
from evidence_assets.tables.programs.readings.parts.proposal import STATING
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.verdicts.soundness.misread_numbers import header_words
from evidence_assets.tables.programs.wording.quantifier_words import ALONE, none_words
from evidence_assets.tables.programs.wording.trigger_lexicon import changes, direction_at, exception
from evidence_assets.tables.programs.wording.words import ARTICLES, singular
from evidence_assets.tables.programs.wording.words_of_time import UNTIL
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.roots import lemma, root, word_roots


def _leaves_what_turns_it(outcome: Outcome) -> bool:
    """Return whether a program leaves `not until`, an exception, or the `nobody` that opens a claim."""
    claim, proposal = outcome.claim, outcome.proposal
    texts = claim.texts
    turning = [n for n in none_words(texts)[:1] if n < _OPENING]
    turning += [n for n, text in enumerate(texts) if text in UNTIL and claim.negation is not None]
    excepted = exception(texts, range(len(texts)))
    turning += [] if excepted is None else [excepted]
    return any(n not in proposal.bound and not claim.in_condition(n) for n in turning)


_OPENING = 2


def _takes_some_for_all(outcome: Outcome) -> bool:
    """Return whether what is said of so many at the top is read of one of them: `the two fastest are red`."""
    claim, proposal = outcome.claim, outcome.proposal
    return proposal.kind.startswith((*STATING, "single value")) and any(
        link.bound.startswith(OF_THE_TOP)
        and link.start in proposal.bound
        and claim.texts[max(0, link.start - 2)] not in _PART_OF
        and any(n >= link.end for n in proposal.bound)
        for link in claim.links
    )


_PART_OF = frozenset({"among", "of", "in", "from", "be", "with"})


def _takes_lasting_for_beginning(outcome: Outcome) -> bool:
    """Return whether that something lasted is read as when it began: `remained open after 1850`."""
    claim, proposal = outcome.claim, outcome.proposal
    dates = claim.index.dates_and_years
    return any(
        root(claim.texts[head.start - 1]) in _LASTING
        and head.start in proposal.bound
        and head.start - 1 not in proposal.bound
        and head.columns <= dates
        for head in claim.linked.headers
        if head.start
    )


_LASTING = word_roots("remain remained stay stayed kept keep still")


def _leaves_the_day_of_a_limit(outcome: Outcome) -> bool:
    """Return whether a month is read of a day that is a limit: `by 6 December` is no `December`."""
    claim, proposal = outcome.claim, outcome.proposal
    return any(
        n not in proposal.bound
        and is_day_of_a_month(claim.tokens, n)
        and any(claim.texts[m] in MONTHS for m in (n - 1, n + 1) if m in proposal.bound)
        and not _LIMITS.isdisjoint(claim.texts[max(0, n - _NEAR) : n])
        for n in range(1, len(claim.texts))
    )


_LIMITS = frozenset({"by", "before", "after", "until", "till", "since", "from"})
_NEAR = 3


def _takes_a_deed_for_a_column(outcome: Outcome) -> bool:
    """Return whether a verb that sounds as a header is read as that header: of judges, `Ada breeds hounds`.

    It stands between a name of another column and a value of its own. Whoever coaches the Owls stands in the
    column Coach.
    """
    claim, proposal = outcome.claim, outcome.proposal
    return any(
        head.start in proposal.bound and _is_a_deed(claim, head) and head.end - head.start == 1
        for head in claim.linked.headers
    )


def _is_a_deed(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header's word stands as a verb between two names, of which it heads the latter."""
    text = claim.texts[head.start]
    said = header_words(claim, head)
    if not text.endswith("s") or text in said or singular(text) not in said:
        return False
    behind = head.end + (claim.texts[head.end : head.end + 1] in {(word,) for word in ARTICLES})
    label = claim.index.table.label_column
    doer = any(
        link.end == head.start
        and label not in link.places
        and claim.tokens[link.start].cased
        and head.columns.isdisjoint(link.places)
        for link in claim.names
    )
    return doer and any(
        link.start == behind
        and link.number is None
        and link.places.keys() <= head.columns
        and claim.texts[behind] not in ALL_DAYS | MONTHS.keys()
        for link in claim.names
    )


def _leaves_another_change(outcome: Outcome) -> bool:
    """Return whether a claim tells a change besides: `rose in 2021, fell in 2022`, `but climbed again`."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    texts = claim.texts
    if not any(changes(texts[n]) for n in proposal.bound):
        return False
    again = texts.index("again") if "again" in texts else 0
    return any(
        changes(texts[n]) or (grade is Left.WORD and 0 < again - n <= _JUST_BEFORE)
        for n, grade in rest.items()
    )


# `Went up again`, `climbed again`.
_JUST_BEFORE = 2


def _parts_what_one_alone_has(outcome: Outcome) -> bool:
    """Return whether `only` is said of each of two that one alone has together: `only A has both B and C`."""
    claim, proposal = outcome.claim, outcome.proposal
    both = claim.position({"both"})
    only = claim.position(ALONE)
    return proposal.kind == "conjunction" and both is not None and only is not None and only < both


def _is_of_another_time(outcome: Outcome) -> bool:
    """Return whether a claim ends with a time before the table's: `won nine games the season before`."""
    claim, proposal = outcome.claim, outcome.proposal
    words_said = [n for n, token in enumerate(claim.tokens) if not token.mark]
    return (
        bool(words_said) and claim.texts[words_said[-1]] in _EARLIER and words_said[-1] not in proposal.bound
    )


_EARLIER = frozenset({"before", "earlier", "previously", "beforehand"})


def _excepts_a_column(outcome: Outcome) -> bool:
    """Return whether what is excepted of all rows is a column: `in every year but 2021`."""
    claim, proposal = outcome.claim, outcome.proposal
    place = exception(claim.texts, range(len(claim.texts)))
    if place is None:
        place = next((n for n in range(2, len(claim.texts)) if claim.texts[n] == "but"), None)
    if place is None or not proposal.kind.startswith("all but"):
        return False
    behind = next((n for n in range(place + 1, len(claim.tokens)) if not claim.tokens[n].stop), None)
    label = claim.index.table.label_column
    of_columns = any(head.start == behind and head.columns != {label} for head in claim.linked.headers)
    return of_columns or any(link.start == behind and link.bound for link in claim.links)


def _changes_a_rank(outcome: Outcome) -> bool:
    """Return whether a rise or fall is read of ranks, which rise as their numbers fall."""
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    tells_a_change = any(
        role is Role.OPERATOR and changes(claim.texts[n]) for n, (role, _) in proposal.bound.items()
    )
    ranks = {column for _, column in result.cells if is_of_ranks(claim.index, column)}
    return tells_a_change and (len(ranks) > 1 or not ranks.isdisjoint(claim.index.year_columns))


def _counts_what_is_untold(outcome: Outcome) -> bool:
    """Return whether rows that say neither yes nor no are counted among those that say no."""
    claim, proposal = outcome.claim, outcome.proposal
    index = claim.index
    rows = index.rows - index.summaries
    return proposal.kind == "count of the others" and any(
        column in index.flags and not rows <= index.flags[column].yes | index.flags[column].no
        for link in claim.links
        if link.start in proposal.bound and link.bound in {"= yes", "= no"}
        for column in link.places
    )


def _leaves_by_how_much(outcome: Outcome) -> bool:
    """Return whether an amount is read of what something went up or down by: `was cut by 2 million`."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    texts, tokens = claim.texts, claim.tokens
    return proposal.kind.startswith(STATING) and any(
        texts[n] == "by"
        and n - 1 in rest
        and texts[n - 1] in _CHANGED
        and any(token.number is not None for token in tokens[n + 1 : n + 3])
        for n in range(1, len(texts) - 1)
    )


_CHANGED = frozenset({"cut", "slashed", "trimmed", "raised", "lifted", "boosted", "expanded", "topped"})


def _leaves_a_change(outcome: Outcome) -> bool:
    """Return whether all that a program tells is of which rows there are, and a rise or fall is left."""
    texts = outcome.claim.texts
    return outcome.proposal.kind == "all" and any(
        direction_at(texts, n) or (lemma(texts[n]) == "go" and texts[n + 1 : n + 2] in {("up",), ("down",)})
        for n in outcome.rest
    )


CHECKS = (
    Check(_leaves_a_change, "the claim tells a change"),
    Check(_takes_lasting_for_beginning, "the column tells when it began, and the claim that it lasted"),
    Check(_leaves_the_day_of_a_limit, "the claim sets a day as a limit"),
    Check(_takes_a_deed_for_a_column, "a verb of the claim may be no column"),
    Check(_leaves_another_change, "the claim tells a further change"),
    Check(_changes_a_rank, "ranks rise as their numbers fall"),
    Check(_parts_what_one_alone_has, "the claim is of what one alone has together"),
    Check(_is_of_another_time, "the claim is of an earlier time"),
    Check(_excepts_a_column, "the claim excepts no row"),
    Check(_counts_what_is_untold, "some rows say neither yes nor no"),
    Check(_leaves_by_how_much, "the number is by how much it changed"),
    Check(_takes_some_for_all, "one row was read, and the claim is of several"),
    Check(_leaves_what_turns_it, "a word of the claim turns it that was passed over"),
)
