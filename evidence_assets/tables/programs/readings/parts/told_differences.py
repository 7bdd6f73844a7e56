"""By how much one side of a comparison is above the other: a difference, a ratio, a percentage."""

from __future__ import annotations

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal, YearOf
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.proposal import as_told, number_at
from evidence_assets.tables.programs.wording.claimed_shares import WORDS_OF_RELATIONS
from evidence_assets.tables.programs.wording.percent_words import is_in_percent, words_of_percent
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY
from evidence_assets.tables.programs.wording.quantities import converted, is_of_degrees, unit_after
from evidence_assets.tables.programs.wording.tolerances import APPROXIMATE, OF_WHOLE
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING

# Begins the condition of a date, which tells rows as a name does: of `than on 20 July`.
AT_A_TIME = ("in ", "at ")


def by_how_much(
    claim: GroundedClaim, word: int, sign: int, left: Number, right: Number
) -> tuple[str, Truth, list[int]]:
    """Return the comparison's kind, program and positions of its number: plain, a difference or a ratio."""
    place = claimed_number(claim, word)
    if place is None or _is_of_another_unit(claim, place, left):
        return "comparison", Compare(left, ">" if sign > 0 else "<", right), []
    number = _in_the_column(claim, place, left) * sign
    relation, words = relation_at(claim, place)
    if claim.texts[place + 1 : place + 2] in {("times",), ("time",)}:
        ratio = Arithmetic("/", left, right) if sign > 0 else Arithmetic("/", right, left)
        tolerance, about = as_told(claim, place, number, OF_WHOLE)
        program = Compare(ratio, relation, Literal(abs(number)), tolerance)
        return "ratio", program, [*words, *about, place + 1]
    relation = relation if sign > 0 else operations.TURNED[relation]
    if is_in_percent(claim.texts, place):
        tolerance, about = as_told(claim, place, number, OF_WHOLE)
        above = Arithmetic("% above", left, right)
        program = Compare(above, relation, Literal(number), tolerance.times(sign))
        return "percent change", program, [*words, *about, place + 1]
    unit, _ = unit_after(claim.tokens, place)
    units = [n for n in words_of_percent(claim.texts, place) if n < word]
    units += _words_of_the_unit(claim, place, left)
    tolerance, about = as_told(claim, place, number)
    if unit in _OF_CALENDARS and isinstance(left, Cell) and left.column in claim.index.dated:
        if unit != "year" or not isinstance(right, Cell):
            return "comparison", Compare(left, ">" if sign > 0 else "<", right), []
        left, right = YearOf(left.rows, left.column), YearOf(right.rows, right.column)
    gap = Arithmetic("-", left, right)
    program = Compare(gap, relation, Literal(number), tolerance.times(sign))
    return "difference", program, [*words, *about, *units]


def _in_the_column(claim: GroundedClaim, place: int, side: Number) -> float:
    """Return a claimed number as the column tells it: grams as kilograms, hours between times as minutes."""
    number = number_at(claim, place)
    if not isinstance(side, Cell) or claim.column_numbers.get(place):
        return number
    measured = _unit_of_column(claim, side.column)
    if measured:
        name, _ = unit_after(claim.tokens, place)
        # The zero of a scale of degrees is anywhere.
        in_its_unit = None if name.startswith(_DEGREE) else converted(number, name, measured)
        return number if in_its_unit is None else in_its_unit
    unit = _unit_of_time(claim, side.column)
    if not unit or side.column in claim.index.year_columns:
        return number
    name, _ = unit_after(claim.tokens, place)
    whole = converted(number, name, unit) if name in _EXACT_UNITS else None
    return number if whole is None else whole


def _is_of_another_unit(claim: GroundedClaim, place: int, side: Number) -> bool:
    """Return whether a number is told in a unit that a column's is no amount of: `ran the 100 m faster`."""
    measured = _unit_of_column(claim, side.column) if isinstance(side, Cell) else ""
    name, _ = unit_after(claim.tokens, place)
    is_measured = (
        bool(name and measured) and place not in claim.units and not is_in_percent(claim.texts, place)
    )
    return is_measured and converted(1.0, name, measured) is None


def _unit_of_column(claim: GroundedClaim, column: int) -> str:
    """Return the one unit that a column of numbers, not of times, is told in; empty without one."""
    units = claim.index.told_units[column]
    return next(iter(units)) if len(units) == 1 and column not in claim.index.times else ""


def _words_of_the_unit(claim: GroundedClaim, place: int, side: Number) -> list[int]:
    """Return the words of a difference's unit, where the column is told in such: `13 euros more`."""
    measured = _unit_of_column(claim, side.column) if isinstance(side, Cell) else ""
    name, words = unit_after(claim.tokens, place)
    if measured.startswith(_DEGREE):
        bare = [place + 1] if is_of_degrees(claim.tokens, place) else []
        return list(words) if name == measured else bare
    return list(words) if name and measured and converted(1.0, name, measured) is not None else []


_DEGREE = "degree"


def _unit_of_time(claim: GroundedClaim, column: int) -> str:
    """Return the unit of time that a column is told in, as its header may say: `days to harvest`; or none."""
    index = claim.index
    if column in index.clocks:
        return "minute"
    if column in index.durations:
        return "second"
    if column in index.dated:
        return "day"
    return next((key for key in index.headers[column] if key in _EXACT_UNITS), "")


# Units of time that are as long wherever they stand, as a month is not.
_EXACT_UNITS = frozenset({"minute", "hour", "day", "week"})
# Those that days are no part of: a year is told by those of two dates.
_OF_CALENDARS = frozenset({"month", "year"})


def relation_at(claim: GroundedClaim, place: int) -> tuple[str, range]:
    """Return the relation that is told with a number, and its words: `more than 80 days longer than`."""
    for limit in claim.bounds:
        if limit.position == place:
            return limit.relation, range(limit.start, limit.end)
    bounds = (link for link in claim.links if link.bound and link.start <= place < link.end)
    bound = next((link for link in bounds if _relation_of(link) in operations.TURNED), None)
    return (
        ("=", range(place, place + 1))
        if bound is None
        else (_relation_of(bound), range(bound.start, bound.end))
    )


def _relation_of(link: Link) -> str:
    return link.bound.partition(" ")[0]


def claimed_number(claim: GroundedClaim, word: int) -> int | None:
    """Return where the claimed difference or ratio stands: `2 point more`, `3.2% higher`, `2 more`."""
    for position in range(word - 1, max(-1, word - _BEFORE_COMPARATIVE), -1):
        token = claim.tokens[position]
        if position < word - _NEAR_COMPARATIVE and word - 1 not in unit_after(claim.tokens, position)[1]:
            continue
        of_year = token.number in claim.index.years_of_columns or _is_of_a_date(claim, position)
        of_noun = _is_of_a_noun(claim, position) or _counts_rows(claim, position)
        of_noun = of_noun or _ends_a_header(claim, position)
        if token.number is not None and not (token.ordinal or of_year or of_noun):
            anchor = claim.anchors.get(position)
            in_a_name = position in claim.linked.inside_names or (
                anchor is not None and anchor.end <= position
            )
            if _ends_a_whole_cell(claim, position):
                return None
            in_a_name = in_a_name or _ends_a_name(claim, position)
            return None if in_a_name and not is_difference(claim, position) else position
    # `longer by 15 km`, `longer by just over 15 km`
    openings = [n for n in range(word + 1, len(claim.tokens) - 1) if claim.texts[n] == "by"]
    places = (amount_behind(claim, opening) for opening in openings)
    return next((place for place in places if place is not None), None)


# Before a comparative its amount stands, and of its unit's words: `13 km / h faster`.
_NEAR_COMPARATIVE, _BEFORE_COMPARATIVE = 3, 6


def amount_behind(claim: GroundedClaim, opening: int) -> int | None:
    """Return where the amount stands behind `by`, or behind words that bound it there; None without one."""
    behind = range(opening + 1, min(len(claim.tokens), opening + 1 + _BEHIND_BY))
    place = next((n for n in behind if claim.texts[n] not in _BEFORE_AMOUNTS), opening)
    token = claim.tokens[place]
    return None if token.number is None or token.ordinal else place


def _is_of_a_noun(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number tells of what a noun is, and no difference: `a ride of 10 km costs less`."""
    before = claim.tokens[max(0, position - 2) : position]
    return [token.text for token in before[1:]] == ["of"] and before[0].text not in AGGREGATING


def _counts_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before what the table calls its rows: `two items cost less`."""
    label = claim.index.table.label_column
    heads = (head for head in claim.linked.headers if head.start == position + 1)
    return any(head.columns == {label} for head in heads)


def _ends_a_header(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is the end of a header: the 20 of `in 2019/20 more`."""
    return any(head.start < position < head.end for head in claim.linked.headers)


def _ends_a_whole_cell(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is the end of a name of several words that is a whole cell: `KA 11 older`."""
    return any(link.full and link.start < position == link.end - 1 for link in claim.links if not link.bound)


def _ends_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether digits stand right behind a word with a capital: the 9 of `Channel 9`."""
    before = claim.tokens[position - 1] if position else None
    return before is not None and before.cased and not before.stop and claim.texts[position].isdigit()


# Words between `by` and an amount, and so many of both.
_BEFORE_AMOUNTS = frozenset({"a", "well", "to", "margin", "of"}).union(
    WORDS_OF_RELATIONS, EXACTLY, APPROXIMATE, MONEY_SIGNS
)
_BEHIND_BY = 7


def _is_of_a_date(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is of a date, or a year of a column of them: of `the flood of 1962`."""
    times = claim.index.dates_and_years
    return any(
        link.bound.startswith(AT_A_TIME)
        or (tells_a_year(claim.tokens[position]) and link.places.keys() <= times)
        for link in claim.links
        if link.start <= position < link.end and link.places
    )


def is_difference(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number stands before a comparative: `cost $3 million less`, `won 7 more games`.

    A noun may stand between them: `won 7 games more than`.
    """
    words, _ = claim.units.get(position, ((), ""))
    end = max((position, *words)) + 1
    is_free = position not in claim.linked.inside_names and not words
    behind_a_noun = is_free and claim.texts[end + 1 : end + 3] in _BEYOND and not claim.tokens[end].stop
    return behind_a_noun or bool(comparative("".join(claim.texts[end : end + 1])))


_BEYOND = {(word, "than") for word in ("more", "fewer", "less")}
