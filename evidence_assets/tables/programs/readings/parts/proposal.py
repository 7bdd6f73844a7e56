"""A program proposed for a claim, with what of the claim it binds."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Where, Without, meet
from evidence_assets.tables.programs.grammar.things import parts_of
from evidence_assets.tables.programs.grammar.truth_programs import Compare, Every, Not
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable
from evidence_assets.tables.programs.links.cells.denied_modifiers import HAVING_NOTHING
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.links.ranks.standings import columns_of_ranks, is_of_ranks
from evidence_assets.tables.programs.readings.parts.cooccurrence import alternatives, rule_each_other_out
from evidence_assets.tables.programs.wording.contest_words import scoring_words
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY, relative_clause
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance, rounded_to, told_about
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    CLAUSE_MARKS,
    CONCEDING,
    RANKING,
    concession,
    each_word,
)
from evidence_assets.tables.programs.wording.words import (
    ARTICLES,
    AUXILIARIES,
    POSSESSIVES,
    word_key,
    word_keys,
)
from evidence_assets.tables.programs.wording.words_of_time import WHOLE
from evidence_assets.tables.programs.wording.words_of_wholes import AS_A_WHOLE
from evidence_assets.tables.table import Table
from evidence_assets.text.words import word_set

Bound = Mapping[int, tuple[Role, str]]


# How kinds of program begin that state what cells of rows hold, and compute nothing.
STATING = ("co-occurrence", "condition of a row", "quantity of a row", "single value")


@dataclass(frozen=True)
class Proposal:
    """A program that a claim may stand for. `kind`: of program. `bound`: what it binds, by token."""

    kind: str
    program: Truth
    bound: Bound

    @cached_property
    def parts(self) -> tuple[object, ...]:
        """The program, and every program that is a part of it."""
        return tuple(parts_of(self.program))


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that a claim sets on rows.

    `link`: the rows that meet it. `columns`: those that are compared. `operators`: positions of the words
    that tell it. `compared`: what the rows are compared with.
    """

    link: Link
    columns: tuple[int, ...]
    operators: tuple[int, ...]
    compared: tuple[Link, ...] = ()


def where(claim: GroundedClaim, link: Link) -> Where:
    """Return the rows that a link names."""
    words, _ = claim.units.get(link.start, ((), ""))
    if not words:
        return Where(link, claim.phrase(link.start, link.end))
    return Where(
        link, claim.phrase(min((link.start, *words)), max((link.end, *(word + 1 for word in words))))
    )


def restricted(claim: GroundedClaim, links: Iterable[Link]) -> Rows:
    """Return the rows that all links name, else links of the same columns as alternatives.

    All rows where there is no link.
    """
    return meet(alternatives([where(claim, link) for link in links]))


def binding(
    claim: GroundedClaim,
    links: Iterable[Link] = (),
    columns: Iterable[int] = (),
    operators: Iterable[int] = (),
    numbers: Iterable[int] = (),
) -> dict[int, tuple[Role, str]]:
    """Return what a program binds: links, the headers of its columns, its operators' words, its numbers."""
    header = claim.index.table.header
    bound: dict[int, tuple[Role, str]] = {}
    used = set(columns)
    links = list(links)
    bound.update(dict.fromkeys(_between_alternatives(claim, links), (Role.OPERATOR, "or")))
    for link in links:
        used |= link.places.keys()
        target = where(claim, link).describe(header)
        bound.update(dict.fromkeys(_words_of(claim, link), (Role.EVIDENCE, target)))
        words, unit = claim.units.get(link.start, ((), ""))
        bound.update(dict.fromkeys(words, (Role.UNIT, unit)))
        used |= claim.anchors[link.start].columns if link.start in claim.anchors else frozenset()
    ends = _ends_of_spans(claim.index.table, used)
    used |= ends
    bound.update(_names_of_rows(claim))
    for head in claim.linked.headers:
        if shared := head.columns & used:
            target = f"column {' | '.join(header[column] for column in sorted(shared))}"
            bound.update(dict.fromkeys(range(head.start, head.end), (Role.EVIDENCE, target)))
    for position, role_and_target in _words_of_columns(claim, used):
        bound.setdefault(position, role_and_target)
    scored = scoring_words(claim.tokens) if used & claim.index.pairs.keys() else ()
    signs = claim.signs if used.intersection(claim.signed) else ()
    of_time = ends or any(map(claim.index.tells_how_long, used))
    verbs = _OF_DURATIONS if ends else _LASTING if of_time else frozenset[str]()
    lasting = [n for n, text in enumerate(claim.texts) if text in verbs] if verbs else ()
    for position in (*scored, *signs, *lasting, *operators, *numbers):
        bound[position] = (Role.OPERATOR, claim.texts[position])
    for position, text in enumerate(claim.texts[:-1] if claim.says_any(EXACTLY) else ()):
        number = claim.tokens[position + 1]
        # `The only third place` says that no other is.
        alone = text == "only" and claim.texts[max(0, position - 1)] in ARTICLES | POSSESSIVES
        of_an_amount = number.number is not None and not (number.ordinal and alone)
        if text in EXACTLY and position + 1 in bound and of_an_amount:
            bound[position] = (Role.OPERATOR, text)
    return bound


def _words_of(claim: GroundedClaim, link: Link) -> range:
    """Return the words of a link, and `whole` before what sums up others, `as a whole` behind a name."""
    sums_up = bool(link.rows) and link.rows <= claim.index.summaries
    whole = sums_up and not WHOLE.isdisjoint(claim.texts[max(0, link.start - 1) : link.start])
    behind = link.end + len(AS_A_WHOLE)
    is_a_name = link.number is None and not link.bound
    end = behind if is_a_name and claim.texts[link.end : behind] == AS_A_WHOLE else link.end
    return range(link.start - whole, end)


def _ends_of_spans(table: Table, used: Container[int]) -> frozenset[int]:
    """Return the two columns of times that how long rows took follows from; none where that is not used."""
    if isinstance(table, SpannedTable) and table.columns - 1 in used:
        return frozenset(table.ends)
    return frozenset()


# Verbs of how long something took, and these with what may mean something else.
_LASTING = frozenset({"lasts", "lasted", "took", "takes"})
_OF_DURATIONS = word_set("last lasts lasted take takes took serve serves served ran term time")


def _between_alternatives(claim: GroundedClaim, links: Iterable[Link]) -> Iterator[int]:
    """Yield where `or` stands between two names of one column and of different rows: `in Osen or Tarn`."""
    if not claim.says_any(("or",)):
        return
    for left, right in pairwise(sorted(links, key=lambda link: link.start)):
        gap = range(left.end, right.start)
        if len(gap) <= _WIDEST_GAP and rule_each_other_out((left, right)):
            yield from (n for n in gap if claim.texts[n] == "or")


# `Or` and a preposition, an article.
_WIDEST_GAP = 3


def _words_of_columns(
    claim: GroundedClaim, columns: Collection[int]
) -> Iterator[tuple[int, tuple[Role, str]]]:
    """Yield words that columns bind, though no header is linked there: of years, ranks and averages."""
    index = claim.index
    years = {key for column in columns if column in index.year_columns for key in index.headers[column]}
    ranked = not columns_of_ranks(index).isdisjoint(columns)
    averaged = any(not _MEANS.isdisjoint(index.headers[column]) for column in columns)
    averaged = averaged or not _MEANS.isdisjoint(index.caption)
    times = [column for column in columns if column in index.dates_and_years]
    made = any(not _MADE.isdisjoint(index.headers[column]) for column in times)
    dates = any(not _OF_EVENTS.isdisjoint(index.headers[column]) for column in times)
    if not (years or ranked or averaged or times):
        return
    for position, token in enumerate(claim.tokens):
        if token.number is not None and token.key in years:
            yield position, (Role.EVIDENCE, f"column of {token.key}")
        if ranked and token.key in RANKING:
            yield position, (Role.OPERATOR, token.text)
        if made and token.text in _MAKING:
            yield position, (Role.EVIDENCE, "column of when something was made")
        if dates and (token.text in _HAPPENING or claim.texts[position : position + 2] == _TAKING_PLACE):
            yield position, (Role.EVIDENCE, "column of when something happened")
        if times and claim.texts[position : position + 2] in _DATING:
            yield position, (Role.OPERATOR, token.text)
        if averaged and token.text in _AVERAGES:
            yield position, (Role.EVIDENCE, "column of averages")


# `A jug dates from 1610` tells nothing but when it was.
_DATING = {(verb, word) for verb in ("date", "dates", "dated", "dating") for word in ("from", "back", "to")}
# What is headed `built` tells of its production.
_MADE = word_keys("built made produced constructed manufactured")
# A column of dates of no other deed tells when something was held.
_OF_EVENTS = word_keys("date day when")
_HAPPENING, _TAKING_PLACE = frozenset({"held", "happened", "occurred"}), ("took", "place")
_MAKING = frozenset({"production", "construction", "manufacture"})
_AVERAGES = frozenset({"average", "mean", "median", "averaged"})
_MEANS = frozenset(map(word_key, _AVERAGES))


@kept_for_claims
def _names_of_rows(claim: GroundedClaim) -> Bound:
    """Return the words for what the table's rows are, which say nothing of them: `the cellar sensor`.

    Or for what they go by, where these are numbers.
    """
    index, label = claim.index, claim.index.table.label_column
    numbered = index.numbers_its_rows(0) and not is_of_ranks(index, 0)
    name = index.table.header[0].strip().lower()
    heads = [
        head
        for head in claim.linked.headers
        if head.columns == {label}
        # Not a verb: of `lot 7 was ordered` nothing is a number of orders.
        or (numbered and head.columns == {0} and claim.texts[head.start] in {name, f"{name}s"})
    ]
    return {
        position: (Role.SCOPE, "rows of the table")
        for head in heads
        for position in range(head.start, head.end)
    }


def denied(claim: GroundedClaim, program: Truth, bound: dict[int, tuple[Role, str]]) -> Truth:
    """Return the program, turned where the claim is negated; the negation is bound.

    In `A, not B, is the largest` only B is denied, and in `A is the largest but does not` another thing.
    """
    place = claim.negation
    if (
        place is None
        or place in bound
        or _contrasts(claim, place)
        or _says_which_of_all(claim, place)
        or _is_of_another_clause(claim, place, bound)
    ):
        return program
    bound[place] = (Role.OPERATOR, "negation")
    if isinstance(program, Every) and claim.texts[place] in HAVING_NOTHING:
        # `All the vans are without a radio` says so of each of them.
        return Every(program.scope, Without(AllRows(), program.within))
    return Not(program)


def _says_which_of_all(claim: GroundedClaim, place: int) -> bool:
    """Return whether `without` says of which rows all is so: `every drink made without milk contains`."""
    each = each_word(claim.texts)
    if each is None or each > place or claim.texts[place] != "without":
        return False
    return AUXILIARIES.isdisjoint(claim.texts[each:place])


def _contrasts(claim: GroundedClaim, place: int) -> bool:
    """Return whether a negation opens, behind a comma, what a value is contrasted with."""
    before, behind = claim.texts[max(0, place - 1) : place], range(place + 1, place + 3)
    return before == (",",) and any(link.start in behind for link in claim.links)


def _is_of_another_clause(claim: GroundedClaim, place: int, bound: Bound) -> bool:
    """Return whether a negation stands in another clause than a program's operators.

    In one behind theirs, or in one that says of which rows they tell: `two that have no oar are longer`.
    """
    within = relative_clause(claim.texts, place)
    operators = [position for position, (role, _) in bound.items() if role is Role.OPERATOR]
    if within is not None and any(position > within[-1] for position in operators):
        return True
    behind = next(
        (n for n in range(place + 1, len(claim.texts)) if claim.texts[n] in CLAUSE_MARKS | CONCEDING), None
    )
    if behind is not None and operators and min(operators) > behind:
        # `A did not qualify, though it was faster than B`.
        return True
    joint = next((n for n in range(place - 1, 0, -1) if claim.texts[n] in CLAUSE_MARKS), None)
    conceded = concession(claim.texts)
    if joint is None and conceded is not None and conceded < place:
        joint = conceded
    return joint is not None and any(position < joint for position in operators)


def proposed(
    claim: GroundedClaim,
    kind: str,
    program: Truth,
    links: Iterable[Link] = (),
    columns: Iterable[int] = (),
    operators: Iterable[int] = (),
    numbers: Iterable[int] = (),
) -> Proposal:
    """Return a program with what it binds, turned where the claim is negated."""
    bound = binding(claim, links, columns, operators, numbers)
    return Proposal(kind, denied(claim, program, bound), bound)


def numeric_columns(claim: GroundedClaim, heads: Iterable[HeaderLink]) -> Iterator[int]:
    """Yield the numeric columns of headers, each header's in order."""
    for head in heads:
        yield from (c for c in claim.index.numeric(head.columns) if not claim.index.is_of_codes(c))


def number_at(claim: GroundedClaim, position: int) -> float:
    """Return a number of the claim as the column that it is of tells it, else as the claim does."""
    return float(claim.column_numbers.get(position) or claim.tokens[position].number or 0)


def are_so_many(claim: GroundedClaim, rows: Rows, position: int) -> Truth:
    """Return whether there are as many rows as a number of the claim says."""
    return Compare(Count(rows), "=", Literal(float(claim.tokens[position].number or 0)))


def as_told(
    claim: GroundedClaim, position: int, number: float, whole: Tolerance = EXACT
) -> tuple[Tolerance, tuple[int, ...]]:
    """Return how far off a number of the claim may be, and the words that say so.

    `number`: as the column tells it. `whole`: of a number without decimals.
    """
    decimals = len(claim.texts[position].partition(".")[2])
    return told_about(claim.texts, position, number, rounded_to(decimals) if decimals else whole)
