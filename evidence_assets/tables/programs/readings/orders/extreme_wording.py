"""How a claim words an extreme: among which rows, by what margin, behind which row, shared or denied."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.tables.programs.links.contests.contest_links import is_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts, year_series
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_highest
from evidence_assets.tables.programs.readings.parts.proposal import as_told, number_at
from evidence_assets.tables.programs.readings.parts.told_differences import amount_behind, relation_at
from evidence_assets.tables.programs.wording.superlative_words import PEAKING, Superlative
from evidence_assets.tables.programs.wording.tolerances import Tolerance
from evidence_assets.tables.programs.wording.words import ARTICLES, COPULAS, POSSESSIVES, is_possessed_by
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES
from evidence_assets.text.words import word_set

_TIED = word_set("tie tied ties joint jointly")


@dataclass(frozen=True, slots=True)
class Passed:
    """A row before or behind an extreme, with the words that say so; `is_next`: it is the extreme itself.

    `counts`: the place is told of all rows, of which it is the one before.
    """

    links: tuple[Link, ...]
    words: tuple[int, ...]
    is_next: bool
    counts: bool = False


def is_among_years(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether an extreme is among the years of its row: `gas peaked in 2020`, `Gas's best year`."""
    named = any(link.end == extreme.start and len(link.rows) == 1 for link in claim.names)
    of_times = any(token.key in CALENDAR_TIMES for token in claim.tokens[extreme.end : extreme.end + 1])
    named = named or _is_of_what_a_row_has(claim, extreme) or _is_of_its_own(claim, extreme)
    return extreme.word in PEAKING or of_times or (named and extreme.place == 1)


def _is_of_its_own(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether an extreme is of what a row named before has: `A had its best year in 2020`."""
    possessive = claim.texts[max(0, extreme.start - 1)] in POSSESSIVES
    return possessive and any(link.end < extreme.start and len(link.rows) == 1 for link in claim.names)


def _is_of_what_a_row_has(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether an extreme is of what a row has, without an article: `A's price was lowest in 2020`."""
    texts, copula = claim.texts, extreme.start - 1
    names = [link for link in claim.names if link.end <= copula and len(link.rows) == 1]
    if texts[max(0, copula) : extreme.start] != ("be",) or len(names) != 1:
        return False
    name = names[0]
    before = [text for text in texts[: name.start] if text != "the"]
    if before[-1:] in (["in"], ["at"]):
        # `Sales in A were highest in 2020`, and of no year that is told before.
        return any(head.start > extreme.start for head in claim.linked.headers)
    return name.end < copula or before[-1:] in (["of"], ["for"])


def may_be_among_its_times(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a row is called the highest without an article: `A was lowest in 2020`.

    It may be lowest among its own numbers, or of all rows in that year: either is meant.
    """
    label, copula = claim.index.table.label_column, extreme.start - 1
    is_subject = any(link.end == copula and link.places.keys() == {label} for link in claim.names)
    names = [link for link in claim.names if len(link.rows) == 1]
    return (
        claim.texts[max(0, copula) : extreme.start] == ("be",)
        and is_subject
        and len(names) == 1
        and names[0].start <= (claim.texts[0] in ARTICLES)
        and extreme.place == 1
        and any(head.start > extreme.start for head in claim.linked.headers)
    )


def is_so_among_all_alone(claim: GroundedClaim, extreme: Superlative, column: int) -> bool:
    """Return whether a row is the highest of all rows in a column, and not of its own numbers.

    What of the two `A was lowest in 2020` says is then not told.
    """
    index = claim.index
    times = year_series(index) or tuple(recurring_parts(index))
    if column not in times or not may_be_among_its_times(claim, extreme):
        return False
    best = max if is_highest(claim, extreme, column) else min
    row = min(next(link for link in claim.names if len(link.rows) == 1).rows)
    number = index.series[column].get(row)
    of_all = [n for r, n in index.series[column].items() if r not in index.summaries]
    of_times = [index.series[time][row] for time in times if row in index.series[time]]
    return number is not None and number == best(of_all, default=None) != best(of_times)


def passed_over(claim: GroundedClaim, extreme: Superlative) -> Passed | None:
    """Return the row of `after A, B is the largest`, `apart from A, B is the largest`; None without one.

    Of `B is the second largest, after A` too.
    """
    texts, comma = claim.texts, claim.position({","})
    closing = next((n for n in range(extreme.end, len(texts)) if texts[n] in {"after", "behind"}), None)
    if closing is not None and extreme.place > 1:
        behind = tuple(link for link in claim.names if link.start > closing and len(link.rows) == 1)
        return Passed(behind, (closing,), is_next=True, counts=True) if len(behind) == 1 else None
    opening = next((phrase for phrase in _PASSING if texts[: len(phrase)] == phrase), None)
    if opening is None or comma is None or comma > extreme.start:
        return None
    links = tuple(link for link in claim.links if link.end <= comma)
    if len(common_rows(links)) != 1 or any(link.number is not None or link.bound for link in links):
        return None
    return Passed(links, tuple(range(len(opening))), opening in _NEXT_TO)


_NEXT_TO = {("after",), ("behind",), ("next", "to")}
_PASSING = (
    *_NEXT_TO,
    ("apart", "from"),
    ("aside", "from"),
    ("besides",),
    ("except", "for"),
)


def followed_by(claim: GroundedClaim, extreme: Superlative) -> Passed | None:
    """Return the row of `A is the largest, followed by B`, `ahead of B`; None without one."""
    texts = claim.texts
    opening = next((n for n in range(extreme.end, len(texts)) if texts[n : n + 2] in _NEXT_BEHIND), None)
    if opening is None:
        return None
    links = tuple(link for link in claim.links if link.start > opening)
    if len(common_rows(links)) != 1 or any(link.number is not None or link.bound for link in links):
        return None
    return Passed(links, (opening, opening + 1), is_next=False)


_NEXT_BEHIND = {("followed", "by"), ("ahead", "of")}


def counts_of_rows(claim: GroundedClaim) -> list[int]:
    """Return the numbers that say of how many rows an extreme is told: `of the two`, `A's two ports`."""
    ends = {link.end for link in claim.links}
    return [
        n
        for n in claim.numbers
        if claim.texts[n].isalpha() and (n in ends or claim.texts[n - 1 : n] in _BEFORE_COUNTED)
    ]


_BEFORE_COUNTED = {("the",), ("these",), ("those",), ("its",), ("their",), ("all",)}


def denied_then_told(claim: GroundedClaim) -> tuple[int, int]:
    """Return where `not` and `but` of `is not A but B` stand; zeros without them."""
    denial = claim.negation or 0
    but = next((n for n in range(denial + 1, len(claim.texts)) if claim.texts[n] == "but"), 0)
    sides = [link.start > but for link in claim.links if link.start > denial]
    return (denial, but) if denial and but and len(set(sides)) > 1 else (0, 0)


def tied_words(claim: GroundedClaim) -> list[int]:
    """Return the words that say that a row shares an extreme with others: `tied for the most goals`."""
    return [n for n, text in enumerate(claim.texts) if text in _TIED and n not in claim.linked_positions]


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much a row is ahead of the next: the relation, the number, its words, and what is left."""

    relation: str
    number: float
    tolerance: Tolerance
    words: tuple[int, ...]
    links: tuple[Link, ...]
    numbers: tuple[int, ...]


def margin_of(claim: GroundedClaim, end: int) -> Margin | None:
    """Return the margin of `the largest by more than ten hectares`, `won by two points`, told behind a word.

    None where the claim tells none there.
    """
    texts = claim.texts
    for word in range(end, len(texts) - 1):
        place = amount_behind(claim, word) if texts[word] == "by" else None
        if claim.in_condition(word):
            # `The biggest win was by 30 points` says how big it was.
            continue
        if place is None or claim.linked.in_header(word + 1) or place in claim.refused:
            continue
        number = number_at(claim, place)
        tolerance, about = as_told(claim, place, number)
        relation, bounding = relation_at(claim, place)
        units = claim.units.get(place, ((), ""))[0] or claim.units.get(bounding.start, ((), ""))[0]
        words = (*range(word, place + 1), *bounding, *about, *units)
        links = tuple(link for link in claim.links if positions_of([link]).isdisjoint(words))
        numbers = tuple(n for n in claim.numbers if n != place)
        return Margin(relation, number, tolerance, words, links, numbers)
    return None


def split_scope(claim: GroundedClaim, extreme: Superlative, column: int) -> tuple[list[Link], list[Link]]:
    """Return the links that restrict the rows of the extreme, and the links that say what it is."""
    copula = _copula_behind(claim, extreme)
    valued = [
        link
        for link in claim.links
        if column in link.places
        and link.start >= copula
        and (link.bound.startswith("= ") or (link.number is not None and not link.bound))
    ]
    if not valued and claim.numbers and claim.numbers[-1] > copula:
        return list(claim.links), []
    if valued:
        unvalued = [link for link in claim.links if link not in valued]
        single = [link for link in unvalued if link.start > copula]
        return [link for link in unvalued if link not in single], [*valued, *single]
    scope = _links_of_scope(claim, extreme, copula)
    answers = [link for link in claim.links if link not in scope]
    if not answers and scope and not claim.numbers and scope[-1].start >= extreme.end:
        # `The last patch came out in July`: what is told of it may be a span of time.
        return scope[:-1], scope[-1:]
    return scope, answers


def _copula_behind(claim: GroundedClaim, extreme: Superlative) -> int:
    """Return where the verb stands behind which an extreme is told; the claim's end without one."""
    behind = range(extreme.end, len(claim.texts))
    # `The last to be shown` is what is spoken of.
    copulas = (n for n in behind if claim.texts[n] in COPULAS and claim.texts[n - 1] != "to")
    return next(copulas, len(claim.texts))


def _has_it(claim: GroundedClaim, extreme: Superlative, link: Link) -> bool:
    """Return whether something is the largest of all that somebody has: `Ada's longest book was A`."""
    if link.end != extreme.start or link.bound or link.number is not None:
        return False
    return is_possessed_by(claim.tokens[link.end - 1], claim.tokens[extreme.start])


def _links_of_scope(claim: GroundedClaim, extreme: Superlative, copula: int) -> list[Link]:
    """Return the links that say among which rows the extreme is."""
    scope: list[Link] = []
    comma = claim.position({","})
    fronted = comma if comma is not None and claim.texts[0] in _FRONTING else 0
    listed = [link for link in claim.links if link.end <= fronted]
    for link in claim.links:
        several = len(link.rows) > 1
        previous = claim.texts[link.start - 1] if link.start else ""
        if previous in ARTICLES and link.start > 1:
            previous = claim.texts[link.start - 2]
        inside = extreme.end <= link.start < copula and previous in _SCOPE_PREPOSITIONS
        opening = link.start <= 2 and previous in {"in", "for", "of", "on", "during"}
        # The extreme of a single row is no choice: behind the verb it is what is said of it.
        bounded = link.bound and (several or link.start < copula or not link.rows)
        # How a contest ended says which are meant only beside the extreme: `the biggest win`.
        bounded = bounded and (link.start <= extreme.end or not is_an_outcome(claim.index, link))
        answered = inside and any(other.start > copula for other in claim.links)
        among = link in listed and (several or len(listed) > 1)
        beside = _is_beside(claim, extreme, link) or _has_it(claim, extreme, link)
        if bounded or answered or among or (several and (inside or opening or beside)):
            scope.append(link)
    return scope


_FRONTING = frozenset({"of", "among", "amongst", "between"})
_SCOPE_PREPOSITIONS = word_set("in from for of among by during at on with under within against")


def _is_beside(claim: GroundedClaim, extreme: Superlative, link: Link) -> bool:
    """Return whether what an extreme is among stands right behind it: `main` of `the cheapest main course`.

    Or behind its adjective: `the most expensive starter`.
    """
    adjective = 1 if extreme.word in {"most", "least"} else 0
    between = link.start - extreme.end
    return link.number is None and (
        not between or (between == adjective and claim.linked.in_header(extreme.end))
    )
