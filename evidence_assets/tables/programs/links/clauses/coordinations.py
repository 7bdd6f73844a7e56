"""Claims of several things of a kind, said of each: `both A and B`, `A, but not B`, `neither A, B nor C`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.tables.programs.links.clauses.coordinated_items import (
    LEADING,
    Item,
    are_alike,
    items_of,
    leads_to_a_name,
)
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.wording.quantifier_words import JOINTS
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    CLAUSE_MARKS,
    CONCEDING_A_VERB,
    LIMITING,
    NEGATIONS,
    RELATIVE,
    comparative,
    is_graded,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES
from evidence_assets.text.words import word_set


@dataclass(frozen=True, slots=True)
class Coordination:
    """A claim as it is said of each of several things.

    `clauses`: the positions of the words said of each, its name in the place of the first's. `denied`: of
    which it is denied. `words`: positions of those that join them. `are_alike`: of each the same is said.
    """

    clauses: tuple[tuple[int, ...], ...]
    denied: tuple[bool, ...]
    words: tuple[int, ...]
    are_alike: bool = True


@dataclass(frozen=True, slots=True)
class _Joint:
    """Words that join two things. `mark`: where a word beside them says that both are meant, or neither.

    `than`: where that stands that both are behind.
    """

    start: int
    end: int
    denied: tuple[bool, bool]
    mark: int | None = None
    than: int | None = None

    @property
    def after(self) -> int:
        """Where the first of the two may begin: behind a mark that stands before the joint, behind `than`."""
        openings = [n for n in (self.mark, self.than) if n is not None and n < self.start]
        return max(openings, default=-1) + 1


def coordination(claim: GroundedClaim) -> Coordination | None:
    """Return a claim of several things as what it says of each; None for others."""
    for joint in _joints(claim.texts):
        pair = _joined(claim, joint)
        of_each = any(joint.denied) or _OF_THE_TWO.isdisjoint(claim.texts)
        if pair is not None and of_each and claim.texts[pair[0].start - 1] != "between":
            return _distributed(claim, joint, *pair)
    return _unlike(claim) or _denied_of_the_last(claim)


def _unlike(claim: GroundedClaim) -> Coordination | None:
    """Return `unlike A, B has C` as said of B and denied of A, `like A, B has C` as said of both."""
    texts = claim.texts
    if texts[:1] not in {("unlike",), ("like",)} or "," not in texts:
        return None
    comma, items = texts.index(","), items_of(claim)
    other = next((item for item in items if item.end == comma), None)
    first = next((item for item in items if item.start > comma), None)
    if other is None or first is None or not are_alike(other, first):
        return None
    said = range(comma + 1, len(texts))
    said_of_other = _replacing(said, range(first.start, first.end), range(other.start, other.end))
    return Coordination((tuple(said), said_of_other), (False, texts[0] == "unlike"), (0,))


def _replacing(said: Sequence[int], name: range, other: range) -> tuple[int, ...]:
    """Return the positions of what is said of a thing, with another's name in the place of its own."""
    return (*(n for n in said if n < name.start), *other, *(n for n in said if n >= name.stop))


# What is said of two things together is not said of either.
_OF_THE_TWO = word_set("same equal identical different differ together combined total other")


def _joints(texts: tuple[str, ...]) -> Iterator[_Joint]:
    """Yield the words that may join two things: `, but not`, `rather than`, `as well as`, `nor`."""
    for place in range(1, len(texts) - 1):
        text, start = texts[place], place
        if text not in _JOINING:
            continue
        while texts[start - 1] in JOINTS and start > 1:
            start -= 1
        if text == "not" and start < place and texts[place + 1] not in LIMITING:
            yield _Joint(start, place + 1 + (texts[place + 1] == "even"), (False, True))
        elif texts[place : place + 2] in {("rather", "than"), ("instead", "of")}:
            yield _Joint(start, place + 2, (False, True))
        elif texts[place : place + 3] == ("as", "well", "as"):
            yield _Joint(start, place + 3, (False, False))
        elif text in {"nor", "or"} and "neither" in texts[:place]:
            yield _Joint(place, place + 1, (True, True), texts.index("neither"))
        elif text == "nor" and not NEGATIONS.isdisjoint(texts[:place]):
            yield _Joint(start, place + 1, (False, False))
        elif text == "and":
            yield from (_Joint(place, place + 1, (False, False), mark) for mark in _marks(texts, place))
            than = texts.index("than") if "than" in texts else place
            if than < place:
                start = place - (texts[place - 1] == ",")
                yield _Joint(start, place + 1, (False, False), than=than)
            elif than > place and is_graded(texts[than - 1], "er"):
                # `More oars than C` A and B may have together; longer is each.
                yield _Joint(place, place + 1, (False, False))


_JOINING = frozenset({"not", "rather", "instead", "as", "nor", "or", "and"})


def _marks(texts: tuple[str, ...], place: int) -> list[int]:
    """Return where a word says of what `and` joins that both are meant: `both A and B`, `A and B alike`."""
    before = [n for n in range(place) if texts[n] == "both"]
    behind = [n for n in range(place, len(texts)) if texts[n] in {"both", "alike", "each"}]
    return [*before[-1:], *behind[:1]]


def _joined(claim: GroundedClaim, joint: _Joint) -> tuple[Item, Item] | None:
    """Return the two things that a joint joins: what stands behind it, and the last of its kind before."""
    items = items_of(claim)
    second = next((item for item in items if item.start >= joint.end), None)
    if second is None or not all(leads_to_a_name(claim, n) for n in range(joint.end, second.start)):
        return None
    if joint.mark is not None and joint.mark > joint.start and joint.mark != second.end:
        return None
    before = [item for item in items if joint.after <= item.start and item.end <= joint.start]
    first = next((item for item in reversed(before) if are_alike(item, second)), None)
    if first is None:
        return None
    adjoins = all(leads_to_a_name(claim, n) for n in range(first.end, joint.start))
    behind = range(second.end, len(claim.texts))
    ends = all(claim.tokens[n].mark or claim.texts[n] in AUXILIARIES for n in behind)
    if joint.than is not None and not (ends and adjoins):
        return None
    return (first, second) if adjoins or (ends and joint.mark is None) else None


def _distributed(claim: GroundedClaim, joint: _Joint, first: Item, second: Item) -> Coordination:
    """Return what a claim says of each of the things that are joined, a superlative of each with it.

    Of `the most oars but not the fewest sails` either is said with its own.
    """
    start, end = _replaced(claim, first, second)
    second_start = second.start
    before, behind = _listed_before(claim, joint, first), _listed_behind(claim, second)
    last = behind[-1].end if behind else second.end
    extremes = [item for item in claim.superlatives if joint.end <= item.start and item.end <= second.start]
    graded = _behind_a_comparative(claim, first) and _behind_a_comparative(claim, second)
    if graded:
        start, second_start = start - 1, second_start - 1
    before_first = [
        item for item in claim.superlatives if _precedes(claim, item.end, first.start) and extremes
    ]
    if before_first:
        start, second_start = before_first[-1].start, extremes[0].start
    dropped = {*range(joint.start, last), *_other_words(claim, joint)}
    dropped |= set(range(before[0].start, first.start)) if before else set()
    if claim.texts[last : last + 1] == (",",) and claim.texts[joint.start] == ",":
        dropped.add(last)
    said = tuple(n for n in range(len(claim.texts)) if n not in dropped)
    others = [range(item.start, item.end) for item in (*before, second, *behind)]
    others[len(before)] = range(second_start, second.end)
    clauses = (said, *(_replacing(said, range(start, end), other) for other in others))
    denied = (joint.denied[0],) * (1 + len(before)) + (joint.denied[1],) * (1 + len(behind))
    mark = [] if joint.mark is None else [joint.mark]
    inside = [*_between(before, first), *range(joint.start, joint.end), *_between([second], *behind)]
    return Coordination(clauses, denied, (*mark, *_without_commas(claim, inside)))


def _behind_a_comparative(claim: GroundedClaim, item: Item) -> bool:
    """Return whether a thing stands right behind a comparative: `more oars`."""
    return item.start > 0 and bool(comparative(claim.texts[item.start - 1]))


def _between(items: Sequence[Item], *following: Item) -> Iterator[int]:
    """Yield where words stand between items that follow each other."""
    for left, right in pairwise([*items, *following]):
        yield from range(left.end, right.start)


def _listed_before(claim: GroundedClaim, joint: _Joint, first: Item) -> list[Item]:
    """Return the things that are listed before another, of its kind: A and B of `A, B and C, but not D`."""
    listed = [first]
    for item in reversed(items_of(claim)):
        if item.start < joint.after or item.end > listed[0].start:
            continue
        if not are_alike(item, first) or not _lists(claim, range(item.end, listed[0].start)):
            break
        listed.insert(0, item)
    return listed[:-1]


def _listed_behind(claim: GroundedClaim, second: Item) -> list[Item]:
    """Return the things that are listed behind another by `or` and `nor`: C of `neither A nor B nor C`."""
    listed = [second]
    for item in items_of(claim):
        if item.start < listed[-1].end:
            continue
        gap = range(listed[-1].end, item.start)
        goes_on = _lists(claim, gap) and not {"or", "nor"}.isdisjoint(_texts(claim, gap))
        if not are_alike(item, second) or not goes_on:
            break
        listed.append(item)
    return listed[1:]


def _texts(claim: GroundedClaim, span: range) -> tuple[str, ...]:
    return claim.texts[span.start : span.stop]


def _lists(claim: GroundedClaim, gap: range) -> bool:
    """Return whether between two things stands a comma, `and` or `or`, and articles alone."""
    texts = _texts(claim, gap)
    return not _LISTING.isdisjoint(texts) and all(text in _LISTING or text in ARTICLES for text in texts)


_LISTING = frozenset({",", "and", "or", "nor"})


def _without_commas(claim: GroundedClaim, positions: Iterable[int]) -> list[int]:
    return [n for n in positions if claim.texts[n] != ","]


def _replaced(claim: GroundedClaim, first: Item, second: Item) -> tuple[int, int]:
    """Return where what the second thing replaces stands: the year of a column, where that is a year."""
    is_number = second.end == second.start + 1 and claim.tokens[second.start].number is not None
    if is_number and not second.columns:
        years = [n for n in range(first.start, first.end) if claim.tokens[n].number is not None]
        if len(years) == 1:
            return years[0], years[0] + 1
    return first.start, first.end


def _precedes(claim: GroundedClaim, end: int, start: int) -> bool:
    """Return whether nothing but articles and prepositions stands between an end and a start behind it."""
    return end <= start and all(claim.texts[n] in LEADING for n in range(end, start))


def _other_words(claim: GroundedClaim, joint: _Joint) -> list[int]:
    """Return the mark of a joint, and the words that only put a thing first: `it was A, not B, who`."""
    texts = claim.texts
    words = [] if joint.mark is None else [joint.mark]
    if texts[:2] == ("it", "be"):
        relative = next((n for n in range(joint.end, len(texts)) if texts[n] in RELATIVE), None)
        words += [] if relative is None else [0, 1, relative]
    return words


def _denied_of_the_last(claim: GroundedClaim) -> Coordination | None:
    """Return `A rose, but B did not`, `A did not rise, but B did`: said of one, denied of the other."""
    texts = claim.texts
    end = len(texts) - any(token.mark for token in claim.tokens[-1:])
    denies = texts[end - 1 : end] == ("not",)
    auxiliary = end - 1 - denies
    if end < _FEWEST or texts[auxiliary] not in AUXILIARIES:
        return None
    joint = _last_joint(texts, end)
    pair = None if joint is None else _beside_a_joint(claim, joint, auxiliary)
    if joint is None or pair is None:
        return None
    first, other = pair
    denials = [n for n in range(joint.start) if texts[n] == "not"]
    if len(denials) != int(not denies):
        return None
    opens = texts[0] in CLAUSE_MARKS | CONCEDING_A_VERB
    said = tuple(n for n in range(int(opens), joint.start) if n not in denials)
    said_of_other = _replacing(said, range(first.start, first.end), range(other.start, other.end))
    opening = [0] if opens else []
    words = _without_commas(claim, (*joint, *denials, end - 1))
    return Coordination((said, said_of_other), (not denies, denies), (*opening, *words))


# A thing, a joint, another thing, an auxiliary and its denial.
_FEWEST = 5


def _last_joint(texts: tuple[str, ...], end: int) -> range | None:
    """Return where the last words stand that join a clause to what is before it: `, but`."""
    joints = [n for n in range(1, end) if texts[n] in CLAUSE_MARKS | {",", "and"}]
    if not joints:
        return None
    start = next((n + 1 for n in reversed(range(joints[-1])) if texts[n] not in JOINTS), 0)
    return range(start, joints[-1] + 1)


def _beside_a_joint(claim: GroundedClaim, joint: range, auxiliary: int) -> tuple[Item, Item] | None:
    """Return the first thing before a joint that is of the kind of the only one behind it, and that.

    None where more stands between the joint and the auxiliary than that thing.
    """
    items = items_of(claim)
    behind = [item for item in items if joint.stop <= item.start and item.end <= auxiliary]
    if len(behind) != 1 or behind[0].end != auxiliary:
        return None
    if not all(leads_to_a_name(claim, n) for n in range(joint.stop, behind[0].start)):
        return None
    alike = [item for item in items if item.end <= joint.start and are_alike(item, behind[0])]
    return (alike[0], behind[0]) if alike else None
