"""Which of the times that columns tell a claimed change is between."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.times.period_headers import (
    parts_of_years,
    recurring_parts,
    series_of_years,
)
from evidence_assets.tables.programs.readings.times.amounts_of_change import Change
from evidence_assets.tables.programs.wording.percent_words import OF_PERCENT
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words import word_key, word_keys

# Parts of years are told in quarters.
_QUARTERS = 4
# Words that tell which two times are meant, by the later alone.
_THE_ONE_BEFORE = frozenset({"before", "previous", "earlier", "year", "than", "preceding", "prior"})
BEFOREHAND = _THE_ONE_BEFORE - {"than", "year"}
# Nouns of what all of the columns tell together: `over the period`, as stems.
_SPANS = word_keys("year period decade time season")
_BETWEEN_TIMES = frozenset({"from", "between", "to", "both", "since", "by", "over"})


def times_told(claim: GroundedClaim) -> list[tuple[int, int]]:
    """Return the years and columns, in time, of what the claim names; empty where that cannot be told."""
    index = claim.index
    of_years = parts_of_years(index)
    if len(of_years) > 1 and all(len(columns) == 1 for columns in of_years.values()):
        quarters = {
            year * _QUARTERS + (number - 1) * (1 if part == "q" else 2): min(columns)
            for (part, number, year), columns in of_years.items()
        }
        return sorted(quarters.items())
    parts = recurring_parts(index)
    if parts and any(head.columns <= parts.keys() for head in claim.linked.headers):
        return sorted((first, column) for column, (first, _) in parts.items())
    if not index.year_columns:
        return sorted((first, column) for column, (first, _) in parts.items())
    series = {name: years for name, years in series_of_years(index).items() if len(years) > 1}
    if len(series) < 2:
        return next(iter(series.values()), [])
    keys = {token.key for token in claim.tokens}
    in_percent = not OF_PERCENT.isdisjoint(claim.texts)
    shared = {name: len(keys & set(name)) for name in series}
    if not any(shared.values()):
        of_the_unit = [
            name
            for name, columns in series.items()
            if in_percent == all("%" in index.told_units[column] for _, column in columns)
        ]
        return series[of_the_unit[0]] if len(of_the_unit) == 1 else []
    best = [name for name, count in shared.items() if count == max(shared.values())]
    return series[best[0]] if len(best) == 1 else []


def named_years(claim: GroundedClaim, years: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the columns of the years, or of their parts, that a claim says, in its order, and where."""
    columns: Mapping[float, int] = {float(year): column for year, column in years}
    positions: dict[int, int] = {}
    heads = {
        min(head.columns): head.start
        for head in claim.linked.headers
        if len(head.columns) == 1
        and head.columns <= set(columns.values())
        and not comparative(claim.texts[head.start])
    }
    if _are_parts(claim, years):
        return sorted(heads.items(), key=lambda item: item[1])
    for position, token in enumerate(claim.tokens):
        if token.number is not None and token.number in columns and not claim.in_condition(position):
            positions.setdefault(columns[token.number], position)
    positions = heads | positions
    return sorted(positions.items(), key=lambda item: item[1])


def _are_parts(claim: GroundedClaim, times: list[tuple[int, int]]) -> bool:
    """Return whether the times of columns are parts of years."""
    years = claim.index.year_columns
    return any(years.get(column) != time for time, column in times)


def word_before(claim: GroundedClaim, position: int) -> str:
    """Return the word before a time, past an article."""
    place = position - 1 - (claim.texts[max(0, position - 1)] == "the")
    return claim.texts[place] if place >= 0 else ""


def ends_told(
    claim: GroundedClaim, change: Change, years: list[tuple[int, int]]
) -> tuple[int, int, list[int]] | None:
    """Return the earlier and the later column of a change, and the words that tell the times."""
    texts = claim.texts
    order = [column for _, column in years]
    years_named = named_years(claim, years)
    opening = [n for n, text in enumerate(texts) if text in _BETWEEN_TIMES]
    pair: tuple[int, int] | None = None
    if len(years_named) == 2:
        first, last = (column for column, _ in years_named)
        if comparative(texts[change.position]) or texts[change.position] == "as":
            # What is compared stands before `than`, what it is compared with behind it.
            pair = last, first
        else:
            earlier, later = sorted((first, last), key=order.index)
            pair = earlier, later
            opening += _span(claim, years, order.index(earlier), order.index(later))
    elif len(years_named) == 1:
        pair, words = _to_or_from(claim, years, *years_named[0])
        opening += words
    elif not years_named:
        opening += _span(claim, years, 0, len(order) - 1)
        spanned = any(token.key in _SPANS for token in claim.tokens)
        both = ("both" in texts or len(order) == 2) and not comparative(texts[change.position])
        pair = (order[0], order[-1]) if spanned or both else None
    return None if pair is None else (*pair, opening)


def _to_or_from(
    claim: GroundedClaim, years: list[tuple[int, int]], column: int, position: int
) -> tuple[tuple[int, int] | None, list[int]]:
    """Return the two columns of a change of which one year is said, and the words that tell the other."""
    texts, order = claim.texts, [column for _, column in years]
    place, last = order.index(column), len(order) - 1
    before = word_before(claim, position)
    if before in {"since", "from"} and place < last:
        return (column, order[-1]), _span(claim, years, place, last)
    since_first = _span(claim, years, 0, place)
    if before == "to" and since_first:
        return (order[0], column), since_first
    if any(len(link.places) == 1 and link.bound for link in claim.links):
        return None, []
    if (at_interval := _at_interval(claim, years, place)) is not None:
        return at_interval
    if not place:
        return ((column, order[-1]) if last == 1 else None), []
    return (order[place - 1], column), [n for n, text in enumerate(texts) if text in _THE_ONE_BEFORE]


def _at_interval(
    claim: GroundedClaim, years: list[tuple[int, int]], place: int
) -> tuple[tuple[int, int] | None, list[int]] | None:
    """Return the columns of a time and of `two years before`, `two years on`, and those words; else None."""
    a_year = _QUARTERS if parts_of_years(claim.index) else 1
    for sign, interval in ((-1, _years_before(claim)), (1, years_after(claim))):
        if interval is not None:
            moment = years[place][0] + sign * interval[0] * a_year
            others = [column for year, column in years if year == moment]
            pair = (years[place][1], *others[:1])[::sign]
            return ((pair[0], pair[1]) if others else None), [*interval[1]]
    return None


def _years_before(claim: GroundedClaim) -> tuple[int, range] | None:
    """Return how long before the other time is, and the words that say so: `two years before`."""
    for position, token in enumerate(claim.tokens[:-1]):
        length = _length(claim, position - 2)
        if token.text in {"before", "earlier", "previously", "ago"} and length is not None:
            return length, range(position - 2, position + 1)
    return None


def years_after(claim: GroundedClaim) -> tuple[int, range] | None:
    """Return how long after the other time is, and the words that say so: `two years on`."""
    for position in range(len(claim.tokens) - 2):
        after, behind = claim.texts[position + 2], claim.tokens[position + 3 : position + 4]
        closes = after == "later" or (after == "on" and (not behind or behind[0].mark))
        length = _length(claim, position) if closes else None
        if length is not None:
            return length, range(position, position + 3)
    return None


def _length(claim: GroundedClaim, position: int) -> int | None:
    """Return how many years `two years`, `a decade` are that begin at a position; None where nothing does."""
    if position < 0:
        return None
    count, noun = claim.tokens[position : position + 2]
    number = 1.0 if count.text == "a" else count.number
    whole = bool(number) and number == int(number or 0) and noun.key in _LENGTHS
    return int(number or 0) * _LENGTHS[noun.key] if whole else None


_LENGTHS = {word_key("year"): 1, word_key("decade"): 10}


def _span(claim: GroundedClaim, years: list[tuple[int, int]], first: int, last: int) -> list[int]:
    """Return where the number of years between two of them stands, told rightly, with the word behind it."""
    length = years[last][0] - years[first][0]
    return [
        place
        for position, token in enumerate(claim.tokens[:-1])
        if token.number == length and claim.tokens[position + 1].key == "year"
        for place in (position, position + 1)
    ]
