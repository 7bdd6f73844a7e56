"""Changes over time, where a table has a column a year: the rows in which a claimed change holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.clauses.halves import tells_another_change
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.quantities.claim_numbers import TIMES_OVER
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts
from evidence_assets.tables.programs.readings.parts.proposal import Condition, as_told, number_at
from evidence_assets.tables.programs.readings.times.amounts_of_change import (
    FACTORS,
    MARKS,
    Amount,
    Change,
    amount_of,
    fold,
)
from evidence_assets.tables.programs.readings.times.steps_of_changes import (
    each_step,
    listed_steps,
    no_step,
    words_unbroken,
)
from evidence_assets.tables.programs.readings.times.times_of_changes import (
    BEFOREHAND,
    ends_told,
    times_told,
    years_after,
)
from evidence_assets.tables.programs.wording.claimed_shares import FRACTIONS
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, direction, direction_at
from evidence_assets.tables.programs.wording.words import POSSESSIVES
from evidence_assets.tables.programs.wording.words_of_time import TIMES
from evidence_assets.text.roots import root, word_roots

# Words behind what says that a number is twice another.
_OF_A_MULTIPLE = POSSESSIVES | {"as", "the", "that", "what"}
_MULTIPLES = {root(word): factor for word, factor in {**FACTORS, "halve": 0.5}.items()}
_BECOMES = word_roots("become became grow grew get got")


def changes(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the change that a claim tells between two years, or from each to the next."""
    change = claimed_change(claim)
    years = times_told(claim) if change is not None else []
    if change is None or len(years) < 2:
        return
    if any(tells_another_change(claim.texts, n) for n in range(change.position, len(claim.texts))):
        # Each change is of a time of its own.
        return
    steps, in_none = each_step(claim, years), no_step(claim, years)
    steps = steps or in_none or listed_steps(claim, change, years)
    if steps is not None:
        pairs, words = steps
    elif words_unbroken(claim) is not None:
        # Of a single step nobody can tell whether it was steady.
        return
    else:
        ends = ends_told(claim, change, years)
        if ends is None:
            return
        pairs, words = [ends[:2]], ends[2]
    amount, levels = amount_of(claim, change), _levels(claim, change) if len(pairs) == 1 else ()
    series = claim.index.series
    rows = frozenset(
        row
        for row in frozenset.intersection(*(frozenset(series[c]) for pair in pairs for c in pair))
        if all(
            _holds(change, amount, series[old][row], series[new][row]) == (in_none is None)
            for old, new in pairs
        )
        and all(_is_at(claim, place, series[c][row]) for place, c in zip(levels, pairs[0], strict=False))
    )
    words = [*words, *_words_of_levels(claim, levels)]
    named_rows = {row for link in claim.names if len(link.rows) == 1 for row in link.rows}
    if any(row not in series[column] for row in named_rows for pair in pairs for column in pair):
        return
    later = pairs[-1][1]
    header = claim.index.table.header
    relation = change.relation if amount is None else amount.read()
    name = "the year before, each year" if steps is not None else header[pairs[0][0]]
    link = Link.of_column(change.position, change.position + 1, later, rows, f"{relation} {name}")
    columns = tuple(dict.fromkeys(c for pair in pairs for c in pair))
    yield Condition(link, columns, (*change.words, *words, *(amount.words if amount is not None else ())))


@dataclass(frozen=True, slots=True)
class ChangeOfColumns:
    """A rise or a fall from one column of a time to another, and the positions of the words that tell it."""

    relation: str
    earlier: int
    later: int
    words: tuple[int, ...]


def change_of_columns(claim: GroundedClaim) -> ChangeOfColumns | None:
    """Return between which two columns a told change is; None where no change, or no two times, are told."""
    change = claimed_change(claim)
    times = times_told(claim) if change is not None else []
    if change is None or len(times) < 2:
        return None
    ends = ends_told(claim, change, times)
    return None if ends is None else ChangeOfColumns(change.relation, *ends[:2], (*change.words, *ends[2]))


def _levels(claim: GroundedClaim, change: Change) -> tuple[int, ...]:
    """Return where the numbers stand that something rose or fell from and to: `fell from 14 to 10`."""
    years = claim.index.years_of_columns
    places: list[int] = []
    for opening in ("from", "to"):
        start = max([change.position, *places]) + 1
        place = next((n + 1 for n in range(start, len(claim.texts) - 1) if claim.texts[n] == opening), None)
        token = claim.tokens[place] if place is not None else None
        if place is None or token is None or token.number is None or token.ordinal or token.number in years:
            return ()
        places.append(place)
    return tuple(places)


def _is_at(claim: GroundedClaim, place: int, value: float) -> bool:
    """Return whether a number of a column is the one that a claim tells at a position."""
    number = number_at(claim, place)
    return as_told(claim, place, number)[0].admits(value, number)


def _words_of_levels(claim: GroundedClaim, levels: Sequence[int]) -> Iterator[int]:
    """Yield the words that tell what something rose or fell from and to, with their units."""
    for place in levels:
        yield from (place - 1, place, *claim.units.get(place, ((), ""))[0])
        if claim.texts[place - 2] in {"up", "down"}:
            yield place - 2


def _holds(change: Change, amount: Amount | None, earlier: float, later: float) -> bool:
    if amount is None:
        return operations.compare(later, change.relation, earlier)
    return amount.holds(earlier, later, -1 if change.relation == "<" else 1)


@kept_for_claims
def claimed_change(claim: GroundedClaim) -> Change | None:
    """Return the verb, or the comparative, that tells a change; None where nothing does."""
    texts = claim.texts
    for position, text in enumerate(texts):
        following = texts[position + 1 : position + 2]
        if position in claim.signs or not (_may_change(text) or following in _UP_OR_DOWN):
            continue
        if any(claim.tokens[position].key in claim.index.headers[column] for column in claim.index.flags):
            # A plot with a shed has shed nothing.
            continue
        factor = _MULTIPLES.get(root(text)) or fold(text)
        # What happened twice is no multiple of anything.
        if factor is not None and (text not in TIMES_OVER or not _OF_A_MULTIPLE.isdisjoint(following)):
            return Change(position, "<" if factor < 1 else ">", (position,), factor)
        if sign := direction_at(texts, position):
            same = [n for n, word in enumerate(texts) if word == "same" and n > position]
            return Change(position, sign, (position, *same))
        if following and following[0] in {"up", "down"} and _goes(texts, position):
            return Change(position, ">" if following[0] == "up" else "<", (position, position + 1))
        if root(text) in _BECOMES:
            graded = next(
                (n for n in (position + 1, position + 2) if comparative("".join(texts[n : n + 1]))), None
            )
            if graded is not None and not _sets_a_bound(claim, graded):
                more = [graded + 1] if texts[graded] in {"more", "less"} and graded + 1 < len(texts) else []
                sign = ">" if comparative(texts[graded]) > 0 else "<"
                return Change(position, sign, (position, graded, *more))
        if text == "cut" and texts[position + 1 : position + 3] == ("in", "half"):
            return Change(position, "<", (position, position + 2), 0.5)
    return _compared(claim)


_UP_OR_DOWN = frozenset({("up",), ("down",)})


@lru_cache(maxsize=1 << 12)
def _may_change(text: str) -> bool:
    """Return whether a word may tell a change whatever stands beside it."""
    stem = root(text)
    is_multiple = bool(_MULTIPLES.get(stem) or fold(text))
    return is_multiple or bool(direction(text)) or stem in _BECOMES or text == "cut"


def _sets_a_bound(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is behind a comparative: `got more than £1,500` tells no change."""
    than = claim.texts[position + 1 : position + 2] == ("than",)
    return than and any(token.number is not None for token in claim.tokens[position + 2 : position + 4])


def _goes(texts: Sequence[str], position: int) -> bool:
    """Return whether `up` behind a word tells a change: `went up`, `was up by 5`, `was up on 2019`."""
    if texts[position] != "be":
        return texts[position] in {"go", "goes", "went", "come", "came", "gone"}
    return "".join(texts[position + 2 : position + 3]) in {"by", "on", "from"}


def _compared(claim: GroundedClaim) -> Change | None:
    """Return `half as much as`, `the same as`, `more than`, of one time and another."""
    texts = claim.texts
    for position, text in enumerate(texts):
        if text == "as" and texts[position + 1 : position + 2] and texts[position + 1] in MARKS:
            second = next((n for n in range(position + 2, len(texts)) if texts[n] == "as"), None)
            if second is not None:
                half = position and texts[position - 1] == "half"
                words = (*((position - 1,) if half else ()), position, position + 1, second)
                return Change(position, "<" if half else "=", words, 0.5 if half else None)
        if text == "same":
            return Change(position, "=", (position,))
        relation = _AGAINST_ANOTHER_TIME.get(texts[position : position + 2])
        if relation is not None and _of_a_time(claim, position + 1):
            return Change(position, relation, (position, position + 1))
        if comparative(text) and (texts[position + 1 :].count("than") == 1 or text in {"above", "below"}):
            if not _of_a_time(claim, position):
                continue
            if any(bound.start <= position < bound.end for bound in claim.bounds):
                continue
            if not claim.in_condition(position):
                than = [n for n in range(position, len(texts)) if texts[n] == "than"]
                before = _the_time_before(claim, than[-1]) if than else ()
                return Change(position, ">" if comparative(text) > 0 else "<", (position, *than, *before))
    return None


# What sets a time beside another: `still short of its number of 2019`, `back to where it was in 2019`.
_AGAINST_ANOTHER_TIME: dict[tuple[str, ...], str] = {
    ("short", "of"): "<",
    ("back", "to"): "=",
    ("back", "at"): "=",
    ("back", "where"): "=",
}


def _of_a_time(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is compared with that of another time, not with that of another row.

    Two of the columns' years are said, or one with a word for the time before.
    """
    texts = claim.texts
    behind = max((n for n in range(position, len(texts)) if texts[n] in _JOINTS), default=position)
    if any(link.start > behind for link in claim.names):
        return False
    years = claim.index.years_of_columns
    said = [n for n, token in enumerate(claim.tokens) if token.number in years]
    if not years and _the_time_before(claim, behind):
        return True
    if not years:
        of_parts = recurring_parts(claim.index)
        parts = [head for head in claim.linked.headers if head.columns <= of_parts.keys()]
        return len({min(head.columns) for head in parts}) > 1 and parts[-1].start > behind
    between = claim.tokens[behind + 1 : said[-1]] if said and said[-1] > behind else ()
    of_shares = any(token.text in FRACTIONS for token in between)
    in_both = len({claim.tokens[n].number for n in said}) > 1 and said[-1] > behind and not of_shares
    later = bool(said) and said[-1] > behind and years_after(claim) is not None
    return in_both or later or any(token.text in BEFOREHAND for token in claim.tokens[behind:])


_JOINTS = frozenset({"than", "above", "below"})


def _the_time_before(claim: GroundedClaim, than: int) -> tuple[int, ...]:
    """Return the words of `in the season before`, `in the previous year` behind `than`; none without such."""
    words = [n for n in range(than + 1, len(claim.texts)) if claim.texts[n] not in {"in", "on", "the", "."}]
    keys = [claim.tokens[n].key for n in words]
    of_before = {n for n in words if claim.texts[n] in BEFOREHAND}
    return tuple(words) if len(words) == _TIME_AND_BEFORE and of_before and not TIMES.isdisjoint(keys) else ()


_TIME_AND_BEFORE = 2
