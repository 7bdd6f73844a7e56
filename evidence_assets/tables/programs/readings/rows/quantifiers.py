"""Claims about all, both, only, none, and about all but some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.grammar.number_programs import Count, Distinct, Literal
from evidence_assets.tables.programs.grammar.row_programs import Meet, Without
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Every, OnlyThese, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.readings.parts.scopes import (
    but_behind,
    is_behind_its_verb,
    joins_two_properties,
    scope_and_predicates,
    stands_behind_its_scope,
    tells_more_behind,
)
from evidence_assets.tables.programs.readings.rows.denials_of_all import none_programs
from evidence_assets.tables.programs.readings.rows.exceptions import (
    all_but_programs,
    all_but_so_many,
    sole_programs,
)
from evidence_assets.tables.programs.readings.rows.restricted_objects import (
    OPENING_TIMES,
    restricted_objects,
    restricts_what_is_behind,
)
from evidence_assets.tables.programs.readings.times.same_times import same_time
from evidence_assets.tables.programs.wording.quantifier_words import (
    condition_of_all,
    excepted_number,
    fronted_scope,
    only_word,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    RELATIVE_PRONOUNS,
    each_word,
    exception,
    restricting,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, POSSESSIVES, is_possessed_by


def quantifier_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether all, both, none or some alone of the rows have what a claim says of them."""
    yield from _only(claim)
    yield from sole_programs(claim)
    yield from _every(claim)
    yield from none_programs(claim)
    yield from _all_different(claim)
    yield from _both(claim)


def _all_different(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `no two rows have the same C`, `each has a different C`: no value of the column comes twice."""
    texts = claim.texts
    word = claim.position({"same", "different"})
    if word is None:
        return
    quantifier = claim.position({"no", "never"}) if texts[word] == "same" else each_word(texts)
    if quantifier is None or quantifier > word:
        return
    time = same_time(claim, word, range(len(texts)))
    columns = [min(head.columns) for head in claim.linked.headers if head.start > word]
    if time is not None:
        # Dates tell more than the month or the year that is not the same.
        is_told_so = time.part == "day" or time.column not in claim.index.dated
        columns = [time.column] if time.column is not None and is_told_so else []
    if not columns:
        return
    column = columns[0]
    links = [link for link in claim.links if link.number is None and column not in link.places]
    rows = restricted(claim, links)
    numbers = [n for n in range(quantifier, word) if claim.tokens[n].number in {1.0, 2.0}]
    bound = binding(claim, links, [column], [quantifier, word, *([word + 1] if time else ())], numbers)
    yield Proposal("all different", Compare(Distinct(rows, column), "=", Count(rows)), bound)


def _both(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `both of the A have C`: there are two, and each has it."""
    position = claim.position({"both"})
    if position is None or joins_two_properties(claim, position):
        return
    inside, predicates = scope_and_predicates(claim, position)
    if not predicates:
        inside, predicates = inside[:1], inside[1:]
    two = [n for n in range(position) if claim.tokens[n].number == _PAIR and not claim.tokens[n].ordinal]
    before = [link for link in claim.links if link.end <= position and link.start not in two]
    pair = _pair(claim, [link for link in claim.links if link.start > position])
    if stands_behind_its_scope(claim, position, before):
        inside, predicates = [], [*inside, *predicates]
    elif pair is not None:
        inside, predicates = pair
    elif not inside or any(len(link.rows) == 1 for link in inside):
        return
    if not predicates:
        return
    scope = restricted(claim, [*before, *inside])
    program = All((Compare(Count(scope), "=", Literal(2.0)), Every(scope, restricted(claim, predicates))))
    yield proposed(claim, "both", program, claim.links, operators=[position, *two])


_PAIR = 2


def _pair(claim: GroundedClaim, links: list[Link]) -> tuple[list[Link], list[Link]] | None:
    """Return the first of some links that two rows have, and the others; None where it is not two rows.

    Of which `both` speaks it takes there to be two.
    """
    for size in range(1, len(links)):
        rows = common_rows(tuple(links[:size]))
        if len(rows - claim.index.summaries) == _PAIR:
            return links[:size], links[size:]
    return None


def _only(claim: GroundedClaim) -> Iterator[Proposal]:
    position = only_word(claim.texts)
    if position is None or fronted_scope(claim.texts) is not None or _limits_a_number(claim, position):
        return
    # `The only A was made by B` says of B that it alone has A; a contest has a row for each of its sides.
    of_sides = isinstance(claim.index.table, ContestTable) and claim.index.table.of_sides
    is_of_a_noun = claim.texts[max(0, position - 1)] in _BEFORE_NOUNS and not of_sides
    if restricts_what_is_behind(claim, position):
        yield from restricted_objects(claim, position)
        return
    holders = [link for link in claim.links if link.end <= position]
    predicates = [link for link in claim.links if link.start > position]
    if _is_possessed(claim, position):
        # `Ada's only song was Rain`: of what is Ada's there is no other.
        holders, predicates = predicates, holders
    subject, said = scope_and_predicates(claim, position)
    if holders and subject and said and claim.texts[0] in OPENING_TIMES:
        # `In May only A sold B`: what stands first says when.
        holders, predicates = subject, [*holders, *said]
    if not holders:
        predicates, holders = scope_and_predicates(claim, position)
        if not predicates or not holders:
            # `Only A has B`: what stands first is the holder; of `the only A opened in B` it is B.
            behind = [link for link in claim.links if link.start > position]
            predicates, holders = behind[1:], behind[:1]
            if is_of_a_noun and holders and holders[0].start == position + 1:
                predicates, holders = holders, predicates
        elif not is_of_a_noun and (
            claim.texts[position + 1 : position + 2] == ("the",) or predicates[0].start == position + 1
        ):
            predicates, holders = holders, predicates
    if not holders or not predicates or _leaves_a_relative_clause(claim, position):
        return
    program, words = only_these(claim, position, restricted(claim, holders), predicates)
    yield proposed(claim, "only", program, [*holders, *predicates], operators=words)


_BEFORE_NOUNS = ARTICLES | POSSESSIVES


def _leaves_a_relative_clause(claim: GroundedClaim, only: int) -> bool:
    """Return whether nothing of the table tells what a clause says: `the only song of 1974 that failed`."""
    opening = next((n for n in range(only, len(claim.texts)) if claim.texts[n] in RELATIVE_PRONOUNS), None)
    return opening is not None and not any(n > opening for n in claim.linked_positions)


def _is_possessed(claim: GroundedClaim, only: int) -> bool:
    """Return whether a name right before `only` says whose the only one is."""
    ends = any(link.end == only and not link.bound for link in claim.links)
    return ends and is_possessed_by(claim.tokens[only - 1], claim.tokens[only])


def _limits_a_number(claim: GroundedClaim, only: int) -> bool:
    """Return whether `only` says of a number that it is no more: `only three`; not `the only third place`."""
    determined = claim.texts[max(0, only - 1)] in _BEFORE_NOUNS
    for n in range(only + 1, min(len(claim.tokens), only + 4)):
        token = claim.tokens[n]
        of_a_noun = determined and (token.ordinal or n > only + 1)
        apart = n in claim.linked.inside_names or n in claim.pronouns
        if token.number is not None and not of_a_noun and not apart:
            return True
    return False


def only_these(
    claim: GroundedClaim, position: int, holders: Rows, predicates: Sequence[Link]
) -> tuple[Truth, list[int]]:
    """Return whether some rows alone meet what is told of them, and the words that say so.

    Denied before `only`, others meet it too; behind it, the rows are those that do not. What stands before
    that denial says among which rows: `the only home team that did not lose`.
    """
    denial = claim.negation
    holding = restricted(claim, predicates)
    if denial is not None and denial < position:
        both = Some(Meet((holders, holding))), Some(Without(holding, holders))
        return All(both), [position, denial]
    refused = [link for link in predicates if denial is not None and link.start > denial]
    if denial is not None and refused:
        scope = restricted(claim, [link for link in predicates if link not in refused])
        return OnlyThese(holders, Without(scope, restricted(claim, refused))), [position, denial]
    return OnlyThese(holders, holding), [position]


def _every(claim: GroundedClaim) -> Iterator[Proposal]:
    condition = condition_of_all(claim.texts)
    if condition is not None:
        yield from _whenever(claim, condition)
        return
    position = each_word(claim.texts)
    if position is None:
        return
    but_number = excepted_number(claim.tokens)
    if but_number is not None:
        yield from _all_but_so_many(claim, but_number)
        return
    scope_links, predicates = scope_and_predicates(claim, position)
    before = [link for link in claim.links if link.end <= position]
    if stands_behind_its_scope(claim, position, before) and not (scope_links and predicates):
        scope_links, predicates = before, [*scope_links, *predicates]
    if not predicates and before and is_behind_its_verb(claim, position):
        predicates = before
    if not predicates:
        if tells_more_behind(claim, position):
            # What `every lit van is leased` says is not that it is lit.
            return
        scope_links, predicates = scope_links[:-1], scope_links[-1:]
    if restricting(claim.texts, position) is not None and not scope_links:
        # Which rows `every ferry that another yard built` speaks of is not told.
        return
    excepted = exception(claim.texts, range(len(claim.texts)))
    if excepted is None:
        excepted = but_behind(claim.texts, position)
    if excepted is not None:
        yield from all_but_programs(claim, position, excepted)
    if not predicates or excepted is not None:
        return
    number = _number_of(claim, scope_links)
    scope_links = [link for link in scope_links if link.start != number]
    scope = restricted(claim, scope_links)
    program: Truth = Every(scope, restricted(claim, predicates))
    operators = [position]
    if number is not None:
        program, operators = All((are_so_many(claim, scope, number), program)), [position, number]
    yield proposed(claim, "all", program, [*scope_links, *predicates], operators=operators)


def _all_but_so_many(claim: GroundedClaim, words: tuple[int, int, int]) -> Iterator[Proposal]:
    """Yield `all but two of the A have C`, `all A but two have C`: two of A lack it."""
    before = [link for link in claim.links if words[0] < link.start < words[1]]
    inside, behind = scope_and_predicates(claim, words[-1])
    if before:
        inside, behind = before, [*inside, *behind]
    if inside or behind:
        yield all_but_so_many(claim, words, inside if behind else (), behind or inside)


def _number_of(claim: GroundedClaim, scope_links: list[Link]) -> int | None:
    """Return where a claim tells how many there are of what it is about: `the three red vans are all lit`."""
    if not scope_links:
        return None
    number = scope_links[0].start - 1
    token, before = claim.tokens[number], claim.texts[max(0, number - 1) : number]
    counts = token.number is not None and not token.ordinal and token.text.isalpha()
    return number if counts and before in _DETERMINING else None


_DETERMINING = {("the",), ("all",), ("these",)}


def _whenever(claim: GroundedClaim, condition: range) -> Iterator[Proposal]:
    """Yield `C whenever A`, `if a boat is A, it has C`: all of A have C."""
    scope_links = [link for link in claim.links if link.start in condition]
    predicates = [link for link in claim.links if link.start not in condition]
    if scope_links and predicates:
        program = Every(restricted(claim, scope_links), restricted(claim, predicates))
        words = range(condition.start, condition.start + 1 + (claim.texts[condition.start] != "whenever"))
        yield proposed(claim, "all", program, claim.links, operators=words)
