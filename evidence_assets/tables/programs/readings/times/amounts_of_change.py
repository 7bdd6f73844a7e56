"""By how much a claimed change is told: a multiple of the earlier number, a share of it, or so much more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts
from evidence_assets.tables.programs.readings.parts.proposal import as_told, number_at
from evidence_assets.tables.programs.readings.parts.told_differences import claimed_number
from evidence_assets.tables.programs.wording.claimed_shares import (
    WORDS_OF_RELATIONS,
    fraction,
    relation_before,
)
from evidence_assets.tables.programs.wording.percent_words import is_in_percent, words_of_percent
from evidence_assets.tables.programs.wording.quantities import unit_after
from evidence_assets.tables.programs.wording.spelt_numbers import NUMBER_WORDS
from evidence_assets.tables.programs.wording.tolerances import (
    EXACT,
    OF_SHARES,
    OF_WHOLE,
    Tolerance,
    told_about,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.text.roots import root, word_roots

MARKS = frozenset({"as", "long", "many", "much", "high", "exactly"})
_AFTER_AMOUNT = 8


@dataclass(frozen=True, slots=True)
class Change:
    """The change that a claim tells. `factor`: of the earlier number, where a verb tells it."""

    position: int
    relation: str
    words: tuple[int, ...]
    factor: float | None = None


@dataclass(frozen=True, slots=True)
class Amount:
    """By how much: the later number is, or is beyond, a multiple of the earlier, or so much from it."""

    number: float
    tolerance: Tolerance
    relation: str
    words: tuple[int, ...]
    is_factor: bool

    def holds(self, earlier: float, later: float, sign: int) -> bool:
        """Return whether two numbers are so far from each other. `sign`: -1 of a fall."""
        if self.is_factor and not earlier:
            return False
        change = later / earlier if self.is_factor else sign * (later - earlier)
        if self.relation == "=":
            return self.tolerance.admits(change, self.number)
        return operations.compare(change, self.relation, self.number)

    def read(self) -> str:
        """Return the amount in readable form."""
        return f"{self.relation} {self.number:g}{' times' if self.is_factor else ' from'}"


def amount_of(claim: GroundedClaim, change: Change) -> Amount | None:
    """Return by how much a change is told; None without an amount."""
    texts, tokens = claim.texts, claim.tokens
    sign = -1 if change.relation == "<" else 1
    if change.factor is not None:
        marks = [n for n, text in enumerate(texts) if text in MARKS]
        relation, words, tolerance = _relation(texts, change.position, change.factor)
        if relation != "=" and change.factor < 1:
            relation = operations.TURNED[relation]
        return Amount(change.factor, tolerance, relation, (*marks, *words), True)
    share = _share(claim, change, sign) or _before_a_comparative(claim, change, sign)
    if share is not None:
        return share
    for place in range(change.position + 1, min(len(texts), change.position + 1 + _AFTER_AMOUNT)):
        if (factor := fold(texts[place])) is not None:
            relation, words, tolerance = _relation(texts, place, factor)
            return Amount(factor, tolerance, relation, (place, *words), True)
        number = tokens[place].number
        if number is None or tokens[place].ordinal:
            continue
        if is_in_percent(texts, place):
            by_itself, _ = as_told(claim, place, number, OF_WHOLE)
            relation, words, tolerance = _relation(texts, place, number, by_itself)
            words, beyond = (place, place + 1, *words), _of_what_is_left(relation, sign)
            return Amount(1 + sign * number / 100, tolerance.times(sign / 100), beyond, words, True)
        points = words_of_percent(texts, place)
        scaled = _at_scale(claim, place, number)
        by_itself, _ = as_told(claim, place, scaled)
        relation, words, tolerance = _relation(texts, place, scaled, by_itself)
        # `Gained 300` tells by how much, not `grew 300`.
        is_object = place == change.position + 1 + len(words) and root(texts[change.position]) in _OF_AMOUNTS
        if "by" in texts[change.position : place] or points or is_object:
            in_unit = (place, *points, *_words_of_the_unit(claim, place), *words)
            return Amount(scaled, tolerance, relation, in_unit, False)
    return None


def _before_a_comparative(claim: GroundedClaim, change: Change, sign: int) -> Amount | None:
    """Return the amount that stands before the comparative that tells a change: `90 kg more`, `39% lower`."""
    texts, place = claim.texts, None
    if comparative(texts[change.position]):
        place = claimed_number(claim, change.position)
    if place is None or place > change.position:
        return None
    number, between = number_at(claim, place), range(place, change.position)
    amount = {place, *unit_after(claim.tokens, place)[1], *words_of_percent(texts, place)}
    if any(n not in amount and not claim.tokens[n].mark for n in between):
        # `One euro bought fewer` tells no difference.
        return None
    if is_in_percent(texts, place):
        by_itself, _ = as_told(claim, place, number, OF_WHOLE)
        relation, words, tolerance = _relation(texts, place, number, by_itself)
        beyond = _of_what_is_left(relation, sign)
        return Amount(1 + sign * number / 100, tolerance.times(sign / 100), beyond, (*between, *words), True)
    if texts[place + 1 : place + 2] in {("times",), ("time",)}:
        return None
    scaled = _at_scale(claim, place, number)
    by_itself, _ = as_told(claim, place, scaled)
    relation, words, tolerance = _relation(texts, place, scaled, by_itself)
    return Amount(scaled, tolerance, relation, (*between, *words), False)


_OF_AMOUNTS = word_roots("gain gained lose lost losing shed")


def _share(claim: GroundedClaim, change: Change, sign: int) -> Amount | None:
    """Return the share of the earlier number that is lost, gained, or left: `by a third`, `to half of it`."""
    texts = claim.texts
    part = fraction(claim.tokens[change.position :])
    if part is None:
        return None
    places = [change.position + n for n in part.words]
    last, first = places[-1], next(n for n in places if texts[n] not in WORDS_OF_RELATIONS)
    following = "".join(texts[last + 1 : last + 2])
    before = texts[max(change.position, first - _BEFORE_SHARE) : first]
    if first - change.position > _AFTER_AMOUNT or following == "year":
        return None
    if not {"by", "to"} & {*before} and following not in _OF_IT and texts[first] not in {"a", "1"}:
        return None
    left = "to" in before
    relation, words, tolerance = _relation(texts, first, part.share, OF_SHARES)
    number = part.share if left else 1 + sign * part.share
    beyond = relation if left else _of_what_is_left(relation, sign)
    return Amount(number, tolerance.times(1 if left else sign), beyond, (*places, *words), True)


def _of_what_is_left(relation: str, sign: int) -> str:
    """Return the relation of what is left where that of what is lost is told."""
    return relation if sign > 0 else operations.TURNED[relation]


_BEFORE_SHARE = 5
# What a share is of stands behind it: `lost half of its trade`, `lost half its trade`.
_OF_IT = frozenset({"of", "its", "their", "what"})


def _at_scale(claim: GroundedClaim, place: int, number: float) -> float:
    """Return a number told as `2 million` or with its unit in the scale of the columns of years.

    Where no columns are of years, as the column that is told in its unit tells it.
    """
    columns = claim.index.year_columns or recurring_parts(claim.index)
    units = {claim.index.units[column][0] for column in columns}
    if len({unit.scale for unit in units}) != 1:
        return claim.column_numbers.get(place) or number
    scale, token = units.pop().scale, claim.tokens[place]
    largest = max(abs(value) for column in columns for value in claim.index.series[column].values())
    in_full = token.scale > 1.0 or place in claim.units or (number >= scale > 1.0 and number > 2 * largest)
    return number / scale if in_full else number


def _words_of_the_unit(claim: GroundedClaim, place: int) -> tuple[int, ...]:
    """Return the words of an amount's unit, where the columns of it are told in that: `by 9 euros`."""
    name, words = unit_after(claim.tokens, place)
    columns = {*claim.index.year_columns} or {*recurring_parts(claim.index)}
    columns = columns or {column for head in claim.linked.headers for column in head.columns}
    return tuple(words) if columns and all(claim.index.told_units[n] == {name} for n in columns) else ()


def _relation(
    texts: Sequence[str], place: int, amount: float, by_itself: Tolerance = EXACT
) -> tuple[str, tuple[int, ...], Tolerance]:
    """Return the relation that the words before an amount tell, `=` without any, and their positions.

    With how far off the amount may be.
    """
    relation, words = relation_before(texts, place)
    if words:
        return relation, words, EXACT
    tolerance, words = told_about(texts, place, amount, by_itself)
    if words:
        return "=", words, tolerance
    before = "".join(texts[place - 1 : place])
    beside = (place - 1,) if before in {"by", "exactly", "more"} else ()
    return ">" if before == "more" else "=", beside, by_itself


# Words that multiply a number, as verbs too: `doubled`, `twice as much`.
FACTORS = {"double": 2.0, "twice": 2.0, "thrice": 3.0, "treble": 3.0, "triple": 3.0, "quadruple": 4.0}


def fold(text: str) -> float | None:
    """Return the factor of `tenfold`; None for other words."""
    number = NUMBER_WORDS.get(text.removesuffix("fold")) if text.endswith("fold") else None
    return None if not number else float(number)
