"""Claims of so much for each: a row's number in another of its numbers, or so many times its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    as_told,
    numeric_columns,
    proposed,
)
from evidence_assets.tables.programs.wording.quantities import (
    CURRENCIES,
    converted,
    half_place,
    unit_after,
)
from evidence_assets.tables.programs.wording.thresholds import Threshold, thresholds
from evidence_assets.tables.programs.wording.tolerances import OF_WHOLE, Tolerance, around
from evidence_assets.tables.programs.wording.trigger_lexicon import adding_words, averaging_words
from evidence_assets.tables.programs.wording.words import word_key

# So many words stand between an amount and what it is for each of: `ten tonnes of grapes to the hectare`.
_NEAR_AMOUNT = 5
_EACH_OF = frozenset({"a", "an", "per", "each", "every"})
_A_WHOLE, _OVER = _EACH_OF | {"whole", "full"}, frozenset({"over", "in", "for"})
_TO_THE = ("to", "the")
# How many of a shorter time a longer one has.
_TIMES_IN = {
    ("year", "month"): 12.0,
    ("year", "week"): 52.0,
    ("year", "quarter"): 4.0,
    ("week", "day"): 7.0,
    ("decade", "year"): 10.0,
}
_TIME = r"(day|week|month|quarter|year)"
_RATE = re.compile(rf"(?:\b(?:per|an?|each|every) |/ ?){_TIME}\b|\b(dai|week|month|quarter|year)ly\b")
# A column of what there is for each of something already, `Price (£ per kg)`.
_RATE_HEADER = re.compile(r"/|\bper\b", re.IGNORECASE)
# More is no count of what one buys or does.
_MOST_TIMES = 1000.0


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number of the claim with its unit. `words`: all that tell it."""

    position: int
    number: float
    relation: str
    unit: str
    words: tuple[int, ...]
    tolerance: Tolerance

    def compared(self, number: Number, bound: float) -> Compare:
        """Return whether a number is to a bound as this is told; the bound tells as much as this."""
        factor = bound / self.number if self.number else 1.0
        return Compare(number, self.relation, Literal(bound), self.tolerance.times(factor))


def rate_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a row's number for each of another, or so many times its number, is the claimed one."""
    links = _names(claim)
    for amount in _amounts(claim, links):
        yield from _for_each(claim, links, amount)
        yield from _so_many_times(claim, links, amount)
        yield from _percent_of(claim, links, amount)


def _names(claim: GroundedClaim) -> list[Link]:
    """Return the links that name rows: also the years of a column that names them."""
    label = claim.index.table.label_column
    if label is None or label not in claim.index.years:
        return claim.names
    years = [link.within([label]) for link in claim.links if link.number is not None and label in link.places]
    return [*claim.names, *(link for link in years if tells_a_year(claim.tokens[link.start]))]


def _amounts(claim: GroundedClaim, names: list[Link]) -> Iterator[_Amount]:
    """Yield the numbers that are no year's and no name's."""
    taken = positions_of(names)
    limits: dict[int, Threshold] = {limit.position: limit for limit in thresholds(claim.tokens)}
    for position, token in enumerate(claim.tokens):
        if token.number is None or token.ordinal or position in taken or tells_a_year(token):
            continue
        unit, unit_words = unit_after(claim.tokens, position)
        whole = around(half_place(token)) if token.scale > 1.0 else OF_WHOLE
        tolerance, before = as_told(claim, position, token.number, whole)
        limit = limits.get(position)
        words = {position, *unit_words, *before}
        if limit is not None:
            words |= {*range(limit.start, limit.end)}
        relation = "=" if limit is None else limit.relation
        yield _Amount(position, float(token.number), relation, unit, tuple(sorted(words)), tolerance)


def _for_each(claim: GroundedClaim, links: list[Link], amount: _Amount) -> Iterator[Proposal]:
    """Yield `3 euros a copy`: the only column of euros that the claim may mean, over that of copies."""
    index = claim.index
    each = _each_of(claim, amount) or _on_average(claim, amount)
    if each is None:
        return
    start, words, below, of_below = each
    if any(_is_rate(claim, column, claim.texts[start]) for column in range(index.table.columns)):
        return
    above = _column_of(claim, amount, {below})
    if above is not None and _RATE_HEADER.search(index.table.header[above]):
        return
    rows = None if above is None else single_rows(claim, links, above)
    if above is None or rows is None:
        return
    number = _as_column(claim, amount.number, amount.unit, above)
    if number is None:
        return
    scale = index.units[below][0].scale / of_below
    ratio = Arithmetic("/", Cell(rows[0], above), Cell(rows[0], below))
    program = amount.compared(ratio, number * scale)
    if program.run(index).truth is not None:
        operators = [*words, start, *amount.words]
        yield proposed(claim, "quotient of columns", program, rows[1], [above, below], operators)


def _each_of(claim: GroundedClaim, amount: _Amount) -> tuple[int, list[int], int, float] | None:
    """Return where the noun stands that an amount is for each of, the words before it, and its column.

    With how many of the column's unit one is.
    """
    texts, last = claim.texts, max(amount.words)
    for position in range(last + 1, min(len(texts) - 1, last + 1 + _NEAR_AMOUNT)):
        to_the = texts[position - 1 : position + 1] == _TO_THE
        if texts[position] not in _EACH_OF and not to_the:
            continue
        words = [position - 1, position] if to_the or texts[position - 1] == "for" else [position]
        start = position + 1
        heads = [head for head in claim.linked.headers if head.start == start]
        for column in numeric_columns(claim, heads):
            if column not in claim.index.dated and column not in claim.index.years:
                return start, words, column, 1.0
        # `Per 100 grams`.
        reference = claim.tokens[start].number or 1.0
        counted = [start] if claim.tokens[start].number else []
        unit, of_unit = unit_after(claim.tokens, start if counted else position)
        for column, (_, rows) in enumerate(claim.index.units):
            units = {*rows.values()}
            factors = [converted(1.0, unit, other) for other in units] if unit and unit != amount.unit else []
            if claim.index.series[column] and len(factors) == 1 and factors[0] is not None:
                return start + len(counted), [*words, *counted, *of_unit], column, reference * factors[0]
    return None


def _on_average(claim: GroundedClaim, amount: _Amount) -> tuple[int, list[int], int, float] | None:
    """Return the same of the only other column named where an amount of one is an average over the other.

    `A hotel has on average 60 rooms`, `the guides led ten tours apiece`.
    """
    words = averaging_words(claim.texts, range(len(claim.texts)))
    words += [n for n, text in enumerate(claim.texts) if text == "apiece"]
    above = None if amount.unit or not words else _column_of(claim, amount, set())
    if above is None:
        return None
    heads = [head for head in claim.linked.headers if above not in head.columns]
    below = list(dict.fromkeys(numeric_columns(claim, heads)))
    if len(below) != 1 or any(claim.linked.in_header(word) for word in words):
        return None
    return next(head.start for head in heads if below[0] in head.columns), words, below[0], 1.0


def _column_of(claim: GroundedClaim, amount: _Amount, but: set[int]) -> int | None:
    """Return the column that an amount is of: of its unit, named best of all; else named right behind it."""
    index = claim.index
    named = [c for c in numeric_columns(claim, claim.linked.headers) if c not in but]
    if amount.unit:
        of_unit = [
            column
            for column in range(index.table.columns)
            if column not in but
            and index.series[column]
            and any(converted(1.0, amount.unit, unit) is not None for unit in index.told_units[column])
        ]
        fitting = [column for column in of_unit if column in named] or of_unit
        if not fitting and amount.unit in CURRENCIES:
            # Money that neither the header nor the cells call so.
            fitting = [column for column in named if not index.told_units[column]]
        return fitting[0] if len(set(fitting)) == 1 else None
    behind = [h for h in claim.linked.headers if h.start - max(amount.words) in (1, 2)]
    counted = [c for c in numeric_columns(claim, behind) if c not in but]
    return counted[0] if len(set(counted)) == 1 else None


def _is_rate(claim: GroundedClaim, column: int, noun: str) -> bool:
    """Return whether a column tells already what there is for each of a noun: `Price (£ per kg)`."""
    name = claim.index.table.header[column].lower()
    words = re.split(r"[^a-z²³]+", name)
    return ("/" in name or not _EACH_OF.isdisjoint(words)) and word_key(noun) in map(word_key, words)


def _as_column(claim: GroundedClaim, number: float, unit: str, column: int) -> float | None:
    """Return a number of the claim as a column tells it; None where the column tells no such quantity."""
    header_unit, rows = claim.index.units[column]
    of_column = next(iter(rows.values()), "")
    unknown = not of_column and unit in CURRENCIES
    value = converted(number, unit, of_column) if unit and not unknown else number
    return None if value is None else value / header_unit.scale


def _percent_of(claim: GroundedClaim, links: list[Link], amount: _Amount) -> Iterator[Proposal]:
    """Yield `eighty of the birds were caught again`: a row's share in percent of another of its numbers.

    Of each sort the only column, or the only one named, and one of both named.
    """
    index = claim.index
    named = set(numeric_columns(claim, claim.linked.headers))
    numeric = [c for c in range(index.table.columns) if index.is_numeric(c) and not index.is_of_codes(c)]
    shares = [c for c in range(index.table.columns) if index.series[c] and "%" in index.told_units[c]]
    wholes = [c for c in numeric if c not in {*shares, *index.years, *index.dated, *index.clocks}]
    if amount.unit:
        fitting = [c for c in wholes if _as_column(claim, amount.number, amount.unit, c) is not None]
        wholes = [c for c in fitting if index.told_units[c]] or fitting
    else:
        # What is measured has no share that counts.
        wholes = [c for c in wholes if not index.told_units[c]]
    share, whole = _named_or_only(shares, named), _named_or_only(wholes, named)
    if share is None or whole is None or named.isdisjoint({share, whole}):
        return
    rows = single_rows(claim, links, whole)
    number = _as_column(claim, amount.number, amount.unit, whole)
    if rows is None or number is None:
        return
    of_row = {
        c: index.series[c][row] for row in rows[0].run(index).rows for c in numeric if row in index.series[c]
    }
    if number in of_row.values() or not 0 < number < of_row.get(whole, 0.0) or number == 1:
        # What the row tells itself, or what is no part of it.
        return
    part = Arithmetic("*", Arithmetic("/", Cell(rows[0], share), Literal(100.0)), Cell(rows[0], whole))
    program = amount.compared(part, number)
    if program.run(index).truth is not None:
        yield proposed(claim, "percent of a number", program, rows[1], [share, whole], amount.words)


def _named_or_only(columns: list[int], named: set[int]) -> int | None:
    """Return the only column that is named, else the only column; None where there are several."""
    fitting = [column for column in columns if column in named] or columns
    return fitting[0] if len(fitting) == 1 else None


def _so_many_times(claim: GroundedClaim, links: list[Link], amount: _Amount) -> Iterator[Proposal]:
    """Yield `two tickets come to 9 euros`, `a year of it costs 96 euros`: so many times the row's number."""
    index = claim.index
    column = _column_of(claim, amount, set())
    if not amount.unit:
        columns = list(dict.fromkeys(numeric_columns(claim, claim.linked.headers)))
        timed = [column for column in columns if _period_of(claim, column) is not None]
        column = timed[0] if len(timed) == 1 else None
    rows = None if column is None else single_rows(claim, links, column)
    number = None if column is None else _as_column(claim, amount.number, amount.unit, column)
    if column is None or rows is None or number is None:
        return
    times = _times(claim, amount, links, column)
    if times is None:
        return
    factor, words = times
    product = Arithmetic("*", Literal(factor), Cell(rows[0], column))
    program = amount.compared(product, number)
    if program.run(index).truth is not None:
        adding = adding_words(claim.texts, range(len(claim.texts)))
        yield proposed(claim, "so many times", program, rows[1], [column], [*words, *adding, *amount.words])


def _times(
    claim: GroundedClaim, amount: _Amount, links: list[Link], column: int
) -> tuple[float, list[int]] | None:
    """Return how many times a row's number is told, and the words that say so."""
    period = _period_of(claim, column)
    for position, token in enumerate(claim.tokens):
        if period is None or position in amount.words or (token.key, period) not in _TIMES_IN:
            continue
        before = claim.texts[max(0, position - 2) : position]
        if before and before[-1] in _A_WHOLE:
            opening = 2 if before[0] in _OVER else 1
            return _TIMES_IN[token.key, period], [*range(position - opening, position + 1)]
    if period is not None:
        return None
    # What the row itself has is no number of times.
    rows = {row for name in links if len(name.rows) == 1 for row in name.rows}
    linked = positions_of(link for link in claim.links if not link.bound and rows & link.rows)
    headed = positions_of(claim.linked.headers)
    for position, token in enumerate(claim.tokens[:-1]):
        following = claim.tokens[position + 1]
        counts = token.number is not None and not token.ordinal and 1 < token.number <= _MOST_TIMES
        if not counts or position in amount.words or tells_a_year(token) or following.mark or following.stop:
            continue
        if following.text in {"times", "time"}:
            # `Four times what another costs` is no number of things.
            continue
        if position not in linked | headed and not unit_after(claim.tokens, position)[0]:
            return float(token.number or 1), [position]
    return None


def _period_of(claim: GroundedClaim, column: int) -> str | None:
    """Return the time that a column's numbers are for: month of `Rent (€ a month)`; None without one."""
    table = claim.index.table
    cells = [cell.text for cell in table.column(column) if cell.text][:1]
    for text in (table.header[column], *cells, table.caption):
        match = _RATE.search(text.lower())
        if match is not None:
            return match[1] or ("day" if match[2] == "dai" else match[2])
    return None
