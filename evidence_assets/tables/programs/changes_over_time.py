"""Changes over time, where a table has a column a year: the rows in which a claimed change holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.period_headers import parts_of_any_year
from evidence_assets.tables.programs.proposal import Condition, decimals_of
from evidence_assets.tables.programs.trigger_lexicon import EACH, comparative, direction
from evidence_assets.tables.programs.words import NUMBER_WORDS, word_key
from evidence_assets.text.roots import root

_FACTORS = {"double": 2.0, "twice": 2.0, "treble": 3.0, "triple": 3.0, "quadruple": 4.0, "halve": 0.5}
_MULTIPLES = {root(word): factor for word, factor in _FACTORS.items()}
_SHARES = {"half": 0.5, "third": 1 / 3, "quarter": 0.25}
_MARKS = frozenset({"as", "long", "many", "much", "high", "exactly"})
_PERCENT = frozenset({"%", "percent"})
_POINTS = frozenset({"%", "percentage", "point", "points"})
_BECOMES = frozenset(map(root, ("become", "became", "grow", "grew", "get", "got")))
# Words that tell which two times are meant, by the later alone.
_THE_ONE_BEFORE = frozenset({"before", "previous", "earlier", "year", "than", "preceding", "prior"})
_BEFOREHAND = _THE_ONE_BEFORE - {"than", "year"}
_BETWEEN_TIMES = frozenset({"from", "between", "to", "both", "since", "by", "over"})
_TIMES = frozenset(map(word_key, ("year", "count", "time", "period", "survey", "season", "month", "census")))
_ALL_TIMES = frozenset(map(word_key, ("year", "period", "decade", "time", "survey", "season")))
_AFTER_AMOUNT = 8
_EXACT = 1e-9
# A third is told as 33 %, and the like.
_NEAR_SHARE = 5e-4


@dataclass(frozen=True, slots=True)
class _Change:
    """The change that a claim tells. `factor`: of the earlier number, where a verb tells it."""

    position: int
    relation: str
    words: tuple[int, ...]
    factor: float | None = None


@dataclass(frozen=True, slots=True)
class _Amount:
    """By how much: the later number is, or is beyond, a multiple of the earlier, or so much from it."""

    number: float
    half: float
    relation: str
    words: tuple[int, ...]
    is_factor: bool

    def holds(self, earlier: float, later: float, sign: int) -> bool:
        if self.is_factor and not earlier:
            return False
        change = later / earlier if self.is_factor else sign * (later - earlier)
        if self.relation == "=":
            return abs(change - self.number) <= self.half
        return operations.compare(change, self.relation, self.number)

    def read(self) -> str:
        return f"{self.relation} {self.number:g}{' times' if self.is_factor else ' from'}"


def changes(claim: GroundedClaim) -> Iterator[Condition]:
    """Yield the change that a claim tells between two years, or from each to the next."""
    change = _claimed_change(claim)
    years = _years(claim) if change is not None else []
    if change is None or len(years) < 2:
        return
    steps = _each_step(claim, years)
    if steps is not None:
        pairs, words = steps
    else:
        ends = _ends(claim, change, years)
        if ends is None:
            return
        pairs, words = [ends[:2]], ends[2]
    amount = _amount(claim, change)
    series = claim.index.series
    rows = frozenset(
        row
        for row in frozenset.intersection(*(frozenset(series[c]) for pair in pairs for c in pair))
        if all(_holds(change, amount, series[old][row], series[new][row]) for old, new in pairs)
    )
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


def _holds(change: _Change, amount: _Amount | None, earlier: float, later: float) -> bool:
    if amount is None:
        return operations.compare(later, change.relation, earlier)
    return amount.holds(earlier, later, -1 if change.relation == "<" else 1)


def _claimed_change(claim: GroundedClaim) -> _Change | None:
    """Return the verb, or the comparative, that tells a change; None where nothing does."""
    texts = claim.texts
    for position, text in enumerate(texts):
        following = texts[position + 1 : position + 2]
        factor = _MULTIPLES.get(root(text)) or _fold(text)
        if factor is not None:
            return _Change(position, "<" if factor < 1 else ">", (position,), factor)
        if sign := direction(text):
            same = [n for n, word in enumerate(texts) if word == "same" and n > position]
            return _Change(position, sign, (position, *same))
        if following and following[0] in {"up", "down"} and _goes(texts, position):
            return _Change(position, ">" if following[0] == "up" else "<", (position, position + 1))
        if root(text) in _BECOMES:
            graded = next(
                (n for n in (position + 1, position + 2) if comparative("".join(texts[n : n + 1]))), None
            )
            if graded is not None:
                more = [graded + 1] if texts[graded] in {"more", "less"} else []
                sign = ">" if comparative(texts[graded]) > 0 else "<"
                return _Change(position, sign, (position, graded, *more))
        if text == "cut" and texts[position + 1 : position + 3] == ("in", "half"):
            return _Change(position, "<", (position, position + 2), 0.5)
    return _compared(claim)


def _goes(texts: Sequence[str], position: int) -> bool:
    """Return whether `up` behind a word tells a change: `went up`, `was up by 5`, `was up on 2019`."""
    if texts[position] != "be":
        return texts[position] in {"go", "goes", "went", "come", "came", "gone"}
    return "".join(texts[position + 2 : position + 3]) in {"by", "on", "from"}


def _fold(text: str) -> float | None:
    number = NUMBER_WORDS.get(text.removesuffix("fold")) if text.endswith("fold") else None
    return None if not number else float(number)


def _compared(claim: GroundedClaim) -> _Change | None:
    """Return `half as much as`, `the same as`, `more than`, of one time and another."""
    texts = claim.texts
    for position, text in enumerate(texts):
        if text == "as" and texts[position + 1 : position + 2] and texts[position + 1] in _MARKS:
            second = next((n for n in range(position + 2, len(texts)) if texts[n] == "as"), None)
            if second is not None:
                half = position and texts[position - 1] == "half"
                words = (*((position - 1,) if half else ()), position, position + 1, second)
                return _Change(position, "<" if half else "=", words, 0.5 if half else None)
        if text == "same":
            return _Change(position, "=", (position,))
        if comparative(text) and (texts[position + 1 :].count("than") == 1 or text in {"above", "below"}):
            if not _of_a_time(claim, position):
                continue
            if any(bound.start <= position < bound.end for bound in claim.bounds):
                continue
            if not claim.in_condition(position):
                than = [n for n in range(position, len(texts)) if texts[n] == "than"]
                return _Change(position, ">" if comparative(text) > 0 else "<", (position, *than))
    return None


def _of_a_time(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number is compared with that of another time, not with that of another row.

    Two of the columns' years are said, or one with a word for the time before.
    """
    texts = claim.texts
    behind = max((n for n in range(position, len(texts)) if texts[n] in _JOINTS), default=position)
    if any(link.start > behind for link in claim.names):
        return False
    years = set(claim.index.year_columns.values())
    said = [n for n, token in enumerate(claim.tokens) if token.number in years]
    if not years:
        of_parts = parts_of_any_year(claim.index)
        parts = [head for head in claim.linked.headers if head.columns <= of_parts.keys()]
        return len({min(head.columns) for head in parts}) > 1 and parts[-1].start > behind
    between = claim.tokens[behind + 1 : said[-1]] if said and said[-1] > behind else ()
    of_shares = any(token.text in _SHARES for token in between)
    in_both = len({claim.tokens[n].number for n in said}) > 1 and said[-1] > behind and not of_shares
    return in_both or any(token.text in _BEFOREHAND for token in claim.tokens[behind:])


_JOINTS = frozenset({"than", "above", "below"})


def _years(claim: GroundedClaim) -> list[tuple[int, int]]:
    """Return the years and columns, in time, of what the claim names; empty where that cannot be told."""
    index = claim.index
    groups: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for column, year in index.year_columns.items():
        name = tuple(key for key in index.headers[column] if key != str(year))
        groups.setdefault(name, []).append((year, column))
    if not groups:
        return sorted((first, column) for column, (first, _) in parts_of_any_year(index).items())
    series = {name: sorted(years) for name, years in groups.items() if len(years) > 1}
    if len(series) < 2:
        return next(iter(series.values()), [])
    keys = {token.key for token in claim.tokens}
    in_percent = not _POINTS.isdisjoint(claim.texts)
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


def _named_years(claim: GroundedClaim, years: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the columns of the years, or of their parts, that a claim says, in its order, and where."""
    columns: Mapping[float, int] = {float(year): column for year, column in years}
    positions: dict[int, int] = {}
    if not claim.index.year_columns:
        of_parts = [head for head in claim.linked.headers if head.columns <= set(columns.values())]
        return list({min(head.columns): head.start for head in of_parts if len(head.columns) == 1}.items())
    for position, token in enumerate(claim.tokens):
        if token.number is not None and token.number in columns and not claim.in_condition(position):
            positions.setdefault(columns[token.number], position)
    return list(positions.items())


def _each_step(
    claim: GroundedClaim, years: list[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[int]] | None:
    """Return each year's column with the next one's, of `fell every year`, and the words that say so."""
    for position, text in enumerate(claim.texts):
        nouns = [
            n for n in (position + 1, position + 2) if n < len(claim.tokens) and claim.tokens[n].key in _TIMES
        ]
        if text in EACH and nouns and not _named_years(claim, years):
            columns = [column for _, column in years]
            return list(pairwise(columns)), [position, *nouns]
    return None


def _ends(
    claim: GroundedClaim, change: _Change, years: list[tuple[int, int]]
) -> tuple[int, int, list[int]] | None:
    """Return the earlier and the later column of a change, and the words that tell the times."""
    texts = claim.texts
    order = [column for _, column in years]
    years_named = _named_years(claim, years)
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
    elif len(years_named) == 1:
        pair, words = _to_or_from(claim, years, *years_named[0])
        opening += words
    elif not years_named:
        opening += _span(claim, years, 0, len(order) - 1)
        spanned = any(token.key in _ALL_TIMES for token in claim.tokens)
        both = ("both" in texts or len(order) == 2) and not comparative(texts[change.position])
        pair = (order[0], order[-1]) if spanned or both else None
    return None if pair is None else (*pair, opening)


def _to_or_from(
    claim: GroundedClaim, years: list[tuple[int, int]], column: int, position: int
) -> tuple[tuple[int, int] | None, list[int]]:
    """Return the two columns of a change of which one year is said, and the words that tell the other."""
    texts, order = claim.texts, [column for _, column in years]
    place, last = order.index(column), len(order) - 1
    before = texts[position - 1] if position else ""
    if before in {"since", "from"} and place < last:
        return (column, order[-1]), _span(claim, years, place, last)
    since_first = _span(claim, years, 0, place)
    if before == "to" and since_first:
        return (order[0], column), since_first
    if any(len(link.places) == 1 and link.bound for link in claim.links):
        return None, []
    interval = _years_before(claim)
    if interval is not None:
        length, words = interval
        earlier = [other for year, other in years if year == years[place][0] - length]
        return ((earlier[0], column) if earlier else None), [*words]
    if not place:
        return ((column, order[-1]) if last == 1 else None), []
    return (order[place - 1], column), [n for n, text in enumerate(texts) if text in _THE_ONE_BEFORE]


def _years_before(claim: GroundedClaim) -> tuple[int, range] | None:
    """Return how long before the other time is, and the words that say so: `two years before`."""
    for position, token in enumerate(claim.tokens[:-1]):
        if token.text not in {"before", "earlier", "previously", "ago"} or position < 2:
            continue
        count, noun = claim.tokens[position - 2 : position]
        number = 1.0 if count.text == "a" else count.number
        if number and number == int(number) and noun.key in _LENGTHS:
            return int(number) * _LENGTHS[noun.key], range(position - 2, position + 1)
    return None


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


def _amount(claim: GroundedClaim, change: _Change) -> _Amount | None:
    """Return by how much a change is told; None without an amount."""
    texts, tokens = claim.texts, claim.tokens
    sign = -1 if change.relation == "<" else 1
    if change.factor is not None:
        marks = [n for n, text in enumerate(texts) if text in _MARKS]
        relation, words = _relation(claim, change.position)
        if relation != "=" and change.factor < 1:
            relation = operations.TURNED[relation]
        return _Amount(change.factor, _EXACT, relation, (*marks, *words), True)
    for place in range(change.position + 1, min(len(texts), change.position + 1 + _AFTER_AMOUNT)):
        relation, words = _relation(claim, place)
        if (factor := _fold(texts[place])) is not None:
            return _Amount(factor, _EXACT, relation, (place, *words), True)
        after_by = "by" in texts[change.position : place]
        if texts[place] in _SHARES and (after_by or texts[place - 1] in {"a", "one"}):
            if texts[place + 1 : place + 2] == ("year",):
                continue
            share = 1 + sign * _SHARES[texts[place]]
            beyond = relation if sign > 0 or relation == "=" else {">": "<", "<": ">"}.get(relation, relation)
            return _Amount(share, _NEAR_SHARE, beyond, (place, *words), True)
        number = tokens[place].number
        if number is None or tokens[place].ordinal:
            continue
        half = 0.5 * 10.0 ** -decimals_of(claim, place) + _EXACT
        following = texts[place + 1 : place + 3]
        if following and following[0] in _PERCENT and following[1:] not in {("point",), ("points",)}:
            beyond = relation if sign > 0 or relation == "=" else {">": "<", "<": ">"}.get(relation, relation)
            words = (place, place + 1, *words)
            return _Amount(1 + sign * number / 100, half / 100, beyond, words, True)
        points = [n for n in (place + 1, place + 2) if texts[n : n + 1] and texts[n] in _POINTS]
        if after_by or points:
            return _Amount(_at_scale(claim, place, number), _EXACT, relation, (place, *points, *words), False)
    return None


def _at_scale(claim: GroundedClaim, place: int, number: float) -> float:
    """Return a number told as `2 million` or with its unit in the scale of the columns of years."""
    columns = claim.index.year_columns or parts_of_any_year(claim.index)
    units = {claim.index.units[column][0] for column in columns}
    if len({unit.scale for unit in units}) != 1:
        return number
    scale, token = units.pop().scale, claim.tokens[place]
    largest = max(abs(value) for column in columns for value in claim.index.series[column].values())
    in_full = token.scale > 1.0 or place in claim.units or (number >= scale > 1.0 and number > 2 * largest)
    return number / scale if in_full else number


_OVER = re.compile(r"(more than|over|at least|less than|under|nearly|almost|by|exactly|about)$")
_RELATIONS = {"more than": ">", "over": ">", "at least": ">=", "less than": "<", "under": "<"}


def _relation(claim: GroundedClaim, place: int) -> tuple[str, tuple[int, ...]]:
    """Return the relation that the words before an amount tell, `=` without any, and their positions."""
    match = _OVER.search(" ".join(claim.texts[max(0, place - 2) : place]))
    if match is None:
        more = place and claim.texts[place - 1] == "more"
        return (">", (place - 1,)) if more else ("=", ())
    words = tuple(range(place - len(match[0].split()), place))
    return _RELATIONS.get(match[0], "="), words
