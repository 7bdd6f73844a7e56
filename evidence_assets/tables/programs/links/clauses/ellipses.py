"""Clauses that leave out what they share with the one before: `rose in 2019, but fell in 2020`.

What such a clause says takes the place of what is of its kind in the first, and the rest is said of both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.links.clauses.coordinations import Coordination
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, positions_of
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.wording.quantifier_words import ALONE
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    CLAUSE_MARKS,
    COMPARED,
    NEGATIONS,
    OPENING_RIVALS,
    comparative,
    direction,
    opens_a_rival,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_time import JOINS_OF_TIMES
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING
from evidence_assets.text.words import word_set

# Words of a clause that say nothing of their own.
_LIGHT = (
    word_set("""
        in on at by for of with to from between during since than and also then again so even it they that
        those this some one what its their , ;
    """)
    | ARTICLES
    | AUXILIARIES
)
_JOINTS = CLAUSE_MARKS | {"and"}
# What is said of several things together is said of none of them.
_OF_SEVERAL = AGGREGATING | {"same", "equal", "identical", "different", "differ", "other", "both"}
_CHANGES = frozenset({"<", ">"})
_COMPARING = frozenset({"comparative", "predicate"})


@dataclass(frozen=True, slots=True)
class _Part:
    """What a clause says that another may say otherwise.

    `sort`: of what sort it is. `columns`: of a value, those that have it.
    """

    start: int
    end: int
    sort: str
    columns: frozenset[int] = frozenset()

    def is_like(self, other: _Part) -> bool:
        """Return whether it may take another's place."""
        sorts = {self.sort, other.sort}
        is_alike = len(sorts) == 1 or sorts == {"predicate", "comparative"}
        return is_alike and (self.columns == other.columns or bool(self.columns & other.columns))


def ellipsis(claim: GroundedClaim) -> Coordination | None:
    """Return a claim whose second clause leaves out what it shares as its two clauses; None for others."""
    if not (NEGATIONS | ALONE).isdisjoint(claim.texts):
        return None
    compared = _with_the_rival_last(claim)
    return _of_one_rival(claim, compared) or _with_counterparts(claim) or _reordered(claim, compared)


def _with_the_rival_last(claim: GroundedClaim) -> tuple[int, ...]:
    """Return the positions of a claim, of `compared with B, A is older` with what opens it at its end."""
    texts, end = claim.texts, _end(claim)
    if texts[:2] in COMPARED and "," in texts[:end]:
        comma = texts.index(",")
        return (*range(comma + 1, end), *range(comma))
    return tuple(range(end))


def _reordered(claim: GroundedClaim, compared: tuple[int, ...]) -> Coordination | None:
    """Return a claim that opens with what it compares with as it is said with that at its end."""
    is_reordered = compared[:1] not in {(), (0,)}
    return Coordination((compared,), (False,), (), are_alike=False) if is_reordered else None


def _of_one_rival(claim: GroundedClaim, said: tuple[int, ...]) -> Coordination | None:
    """Return `A is lighter and runs faster than B` as two clauses that compare with the same."""
    texts = claim.texts
    if not claim.says_any(OPENING_RIVALS):
        return None
    opening = next((place for place, n in enumerate(said) if opens_a_rival(texts, n)), None)
    if opening is None:
        return None
    graded = [part.start for part in _graded_parts(claim) if part.sort != "change"]
    before = [place for place, n in enumerate(said[:opening]) if n in graded]
    joints = [place for place in range(1, opening) if texts[said[place]] in _JOINING]
    if len(before) != 2 or len(joints) != 1 or not before[0] < joints[0] < before[1]:
        return None
    (first, second), (joint,) = before, joints
    start = first if second == joint + 1 or _has_no_verb(claim, said[joint + 1 : second]) else first - 1
    before_joint = joint - (texts[said[joint - 1]] == ",")
    clauses = (*said[:before_joint], *said[opening:]), (*said[:start], *said[joint + 1 :])
    return Coordination(clauses, (False, False), (said[joint],), are_alike=False)


def _has_no_verb(claim: GroundedClaim, before: Sequence[int]) -> bool:
    """Return whether nothing stands before a comparative but what grades it: `and much cheaper`."""
    return all(claim.tokens[n].stop for n in before)


_JOINING = frozenset({"and", "but", "yet"})


def _end(claim: GroundedClaim) -> int:
    """Return where a claim ends, without the mark behind it."""
    return len(claim.texts) - any(token.mark for token in claim.tokens[-1:])


def _with_counterparts(claim: GroundedClaim) -> Coordination | None:
    """Return a claim whose second clause says otherwise what the first says as its two clauses."""
    texts, end = claim.texts, _end(claim)
    for joint in _joints(claim, end):
        first, tail = range(joint.start), range(joint.stop, end)
        both = [n for n in first if texts[n] == "both"]
        parts = list(_parts(claim))
        earlier = [part for part in parts if part.end <= first.stop]
        later = [part for part in parts if part.start >= tail.start]
        if not later or not _is_elliptic(claim, later, tail):
            continue
        replaced = _counterparts(claim, earlier, later, tail)
        if replaced is None or not _differ(claim, replaced):
            continue
        amounts = _amounts(claim, replaced)
        passed = amounts.union(*(range(part.start, part.end) for part, _ in replaced))
        if _counts(claim, first, passed):
            continue
        if not (both or _says_more_than_a_list(claim, tail, replaced)):
            continue
        kept = tuple(n for n in first if n not in both)
        words = (*both, *(n for n in joint if texts[n] != ","), *(n for n in tail if texts[n] in _SAID_AGAIN))
        return Coordination(
            (kept, _replacing(kept, replaced, amounts)), (False, False), words, are_alike=False
        )
    return None


_SAID_AGAIN = frozenset({"again", "so", "then", "also", "even"})


def _joints(claim: GroundedClaim, end: int) -> Iterator[range]:
    """Yield where words join a clause to another: `, but`, `and`; not the `and` of `between A and B`."""
    texts = claim.texts
    names = positions_of(link for link in claim.links if not link.bound)
    for place in range(2, end - 1):
        if texts[place] not in _JOINTS or place in names:
            continue
        opened = texts[max(0, place - _LONGEST_TIME) : place]
        if texts[place] == "and" and "between" in opened and "and" not in opened[opened.index("between") :]:
            continue
        yield range(place - (texts[place - 1] == ","), place + 1)


# So many words stand before the `and` of `between May 2018 and June 2019`, from `between` on.
_LONGEST_TIME = 4


def _parts(claim: GroundedClaim) -> Iterator[_Part]:
    """Yield what a claim says that may be said otherwise, in order."""
    taken: set[int] = set()
    parts = [*_graded_parts(claim), *(_Part(item.start, item.end, "extreme") for item in claim.superlatives)]
    spans: list[Link | HeaderLink] = [*claim.links, *claim.linked.headers]
    for item in spans:
        years = [n for n in range(item.start, item.end) if _is_a_year(claim, n)]
        others = [n for n in range(item.start, item.end) if n not in years]
        columns = frozenset(item.places) if isinstance(item, Link) else frozenset[int]()
        if years and all(claim.texts[n] in JOINS_OF_TIMES for n in others):
            parts += [_Part(n, n + 1, "year") for n in years]
        else:
            parts.append(_Part(item.start, item.end, "value" if columns else "header", columns))
    parts += [_Part(n, n + 1, "year") for n in range(len(claim.texts)) if _is_a_year(claim, n)]
    for part in sorted(parts, key=lambda part: (part.start, part.start - part.end)):
        if taken.isdisjoint(range(part.start, part.end)):
            taken |= {*range(part.start, part.end)}
            yield part


def _graded_parts(claim: GroundedClaim) -> Iterator[_Part]:
    """Yield the comparatives and verbs of change that belong to no bound and no name.

    A comparative that is said of a subject, as of `is lighter`, takes no place of another: of `costs more`.
    """
    bounded = positions_of(claim.bounds) | claim.linked.inside_names
    for n, text in enumerate(claim.texts):
        if n in bounded or claim.in_condition(n):
            continue
        if comparative(text):
            said_of_it = claim.texts[n - 1 : n] == ("be",)
            yield _Part(n, n + 1, "predicate" if said_of_it else "comparative")
        elif direction(text) in _CHANGES:
            yield _Part(n, n + 1, "change")


def _is_a_year(claim: GroundedClaim, position: int) -> bool:
    token = claim.tokens[position]
    return tells_a_year(token) or token.number in claim.index.years_of_columns


def _is_elliptic(claim: GroundedClaim, later: Sequence[_Part], tail: range) -> bool:
    """Return whether a clause says nothing but parts, and words that say nothing of their own."""
    if not _OF_SEVERAL.isdisjoint(claim.texts[n] for n in tail):
        return False
    inside = {n for part in later for n in range(part.start, part.end)}
    first_words = set(claim.texts[: tail.start])
    return all(n in inside or claim.texts[n] in _LIGHT or claim.texts[n] in first_words for n in tail)


def _counterparts(
    claim: GroundedClaim, earlier: Sequence[_Part], later: Sequence[_Part], tail: range
) -> list[tuple[_Part, _Part]] | None:
    """Return each part of the second clause with what it takes the place of; None where that is not clear.

    What stands behind `than` takes the place of what does so in the first.
    """
    thans = [n for n, text in enumerate(claim.texts) if text == "than"]
    first_than = next((n for n in thans if n < tail.start), None)
    tail_than = next((n for n in thans if n >= tail.start), None)
    if tail_than is not None and first_than is None:
        return None
    pairs: list[tuple[_Part, _Part]] = []
    for behind in (False, True):
        mine = [part for part in later if tail_than is None or (part.start > tail_than) is behind]
        theirs = [
            part
            for part in earlier
            if tail_than is None or first_than is None or (part.start > first_than) is behind
        ]
        for sort in dict.fromkeys((part.sort, part.columns) for part in mine):
            alike = [part for part in mine if (part.sort, part.columns) == sort]
            others = [part for part in theirs if part.is_like(alike[0])]
            if len(others) != len(alike):
                return None
            pairs += zip(others, alike, strict=True)
        if tail_than is None:
            break
    return pairs


def _amounts(claim: GroundedClaim, pairs: Sequence[tuple[_Part, _Part]]) -> set[int]:
    """Return where it stands by how much the first clause compares, which is said of it alone: `5 m more`."""
    amounts: set[int] = set()
    for said, _ in pairs:
        number = next(
            (n for n in claim.units if max((n, *claim.units[n][0])) + 1 == said.start), said.start - 1
        )
        if said.sort in _COMPARING and claim.tokens[max(0, number)].number is not None:
            amounts |= {*range(number, said.start)}
    return amounts


def _counts(claim: GroundedClaim, first: range, passed: Collection[int]) -> bool:
    """Return whether a clause tells a number, of rows or of a bound, that the other does not tell anew."""
    named = positions_of(
        link for link in claim.links if link.number is None and not link.bound
    ) | positions_of(claim.linked.headers)
    numbers = (n for n in first if claim.tokens[n].number is not None and n not in passed)
    return any(n not in named and not _is_a_year(claim, n) for n in numbers)


def _says_more_than_a_list(claim: GroundedClaim, tail: range, pairs: Sequence[tuple[_Part, _Part]]) -> bool:
    """Return whether a clause is more than another item: `and 2020` goes on with what stands before it."""
    compares = any(part.sort in {"comparative", "change", "extreme"} for _, part in pairs)
    again = any(claim.texts[n] in _SAID_AGAIN for n in tail)
    return compares or again or len(pairs) > 1


def _differ(claim: GroundedClaim, pairs: Sequence[tuple[_Part, _Part]]) -> bool:
    """Return whether a clause says something else than the one before."""
    return any(
        claim.phrase(first.start, first.end) != claim.phrase(second.start, second.end)
        for first, second in pairs
    )


def _replacing(
    kept: Sequence[int], pairs: Sequence[tuple[_Part, _Part]], amounts: Collection[int]
) -> tuple[int, ...]:
    """Return the positions of a clause, without amounts, with each part replaced by its counterpart."""
    by_start = {first.start: second for first, second in pairs}
    dropped = {*amounts, *(n for first, _ in pairs for n in range(first.start, first.end))}
    said: list[int] = []
    for n in kept:
        if n in by_start:
            said += range(by_start[n].start, by_start[n].end)
        elif n not in dropped:
            said.append(n)
    return tuple(said)
