"""Claims of so much for each: a row's number in another of its numbers, or so many times its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.index.derived.quotients import OF_EACH
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import (
    EACH_OF,
    ClaimedAmount,
    amounts_of,
    as_column_tells,
    column_of,
)
from evidence_assets.tables.programs.readings.arithmetic.so_many_times import so_many_times
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed
from evidence_assets.tables.programs.wording.quantities import converted, unit_after
from evidence_assets.tables.programs.wording.words import word_key
from evidence_assets.tables.programs.wording.words_of_wholes import averaging_words

# So many words stand between an amount and what it is for each of: `ten tonnes of grapes to the hectare`.
_NEAR_AMOUNT = 5
# So many words stand between an amount and the `of` of its whole: `eighty of the birds`, `80 kg of it`.
_NEAR_OF = 3
_TO_THE = ("to", "the")
# A column of what there is for each of something already, `Price (£ per kg)`.


def rate_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a row's number for each of another, or so many times its number, is the claimed one."""
    links = _names(claim)
    for amount in amounts_of(claim, links):
        yield from _for_each(claim, links, amount)
        yield from so_many_times(claim, links, amount)
        yield from _percent_of(claim, links, amount)


def _names(claim: GroundedClaim) -> list[Link]:
    """Return the links that name rows: also the years of a column that names them."""
    label = claim.index.table.label_column
    if label is None or label not in claim.index.years:
        return claim.names
    years = [link.within([label]) for link in claim.links if link.number is not None and label in link.places]
    return [*claim.names, *(link for link in years if tells_a_year(claim.tokens[link.start]))]


def _for_each(claim: GroundedClaim, links: list[Link], amount: ClaimedAmount) -> Iterator[Proposal]:
    """Yield `3 euros a copy`: the only column of euros that the claim may mean, over that of copies."""
    index = claim.index
    each = _each_of(claim, amount) or _on_average(claim, amount)
    if each is None:
        return
    below = each.column
    if any(_is_rate(claim, column, claim.texts[each.noun]) for column in range(index.table.columns)):
        return
    above = column_of(claim, amount, {below})
    if above is not None and OF_EACH.search(index.table.header[above]):
        return
    rows = None if above is None else single_rows(claim, links, above)
    if above is None or rows is None:
        return
    number = as_column_tells(claim, amount.number, amount.unit, above)
    if number is None:
        return
    scale = index.units[below][0].scale / each.of_unit
    ratio = Arithmetic("/", Cell(rows[0], above), Cell(rows[0], below))
    program = amount.compared(ratio, number * scale)
    if program.run(index).truth is not None:
        # What a row has for each of its own is its average: `an average of 60 beds per ward`.
        averaging = averaging_words(claim.texts, range(len(claim.texts)))
        averaging = [n for n in averaging if n not in claim.headed]
        operators = [*dict.fromkeys((*each.words, each.noun, *averaging, *amount.words))]
        yield proposed(claim, "quotient of columns", program, rows[1], [above, below], operators)


class _Each(NamedTuple):
    """What an amount is for each of: where its noun stands, the words before it, and its column.

    `of_unit`: how many of the column's unit each is.
    """

    noun: int
    words: list[int]
    column: int
    of_unit: float = 1.0


def _each_of(claim: GroundedClaim, amount: ClaimedAmount) -> _Each | None:
    """Return what is told behind an amount: `a copy`, `per 100 grams`, `to the hectare`; None without it."""
    texts, last = claim.texts, max(amount.words)
    for position in range(last + 1, min(len(texts) - 1, last + 1 + _NEAR_AMOUNT)):
        to_the = texts[position - 1 : position + 1] == _TO_THE
        if texts[position] not in EACH_OF and not to_the:
            continue
        words = [position - 1, position] if to_the or texts[position - 1] == "for" else [position]
        start = position + 1
        heads = [head for head in claim.linked.headers if head.start == start]
        for column in numeric_columns(claim, heads):
            if column not in claim.index.dates_and_years:
                return _Each(start, words, column)
        # `Per 100 grams`.
        reference = claim.tokens[start].number or 1.0
        counted = [start] if claim.tokens[start].number else []
        unit, of_unit = unit_after(claim.tokens, start if counted else position)
        for column, (_, rows) in enumerate(claim.index.units):
            units = {*rows.values()}
            factors = [converted(1.0, unit, other) for other in units] if unit and unit != amount.unit else []
            if claim.index.series[column] and len(factors) == 1 and factors[0] is not None:
                return _Each(
                    start + len(counted), [*words, *counted, *of_unit], column, reference * factors[0]
                )
    return None


def _on_average(claim: GroundedClaim, amount: ClaimedAmount) -> _Each | None:
    """Return the only other column named where an amount of one is an average over it.

    `A hotel has on average 60 rooms`, `the guides led ten tours apiece`.
    """
    words = averaging_words(claim.texts, range(len(claim.texts)))
    words += [n for n, text in enumerate(claim.texts) if text == "apiece"]
    above = None if amount.unit or not words else column_of(claim, amount, set())
    if above is None:
        return None
    heads = [head for head in claim.linked.headers if above not in head.columns]
    below = list(dict.fromkeys(numeric_columns(claim, heads)))
    if len(below) != 1 or any(claim.linked.in_header(word) for word in words):
        return None
    return _Each(next(head.start for head in heads if below[0] in head.columns), words, below[0])


def _is_rate(claim: GroundedClaim, column: int, noun: str) -> bool:
    """Return whether a column tells already what there is for each of a noun: `Price (£ per kg)`."""
    name = claim.index.table.header[column].lower()
    words = re.split(r"[^a-z²³]+", name)
    return ("/" in name or not EACH_OF.isdisjoint(words)) and word_key(noun) in map(word_key, words)


def _percent_of(claim: GroundedClaim, links: list[Link], amount: ClaimedAmount) -> Iterator[Proposal]:
    """Yield `eighty of the birds were caught again`: a row's share in percent of another of its numbers.

    Of each sort the only column, or the only one named, and one of both named.
    """
    index = claim.index
    shares = [c for c in range(index.table.columns) if index.series[c] and "%" in index.told_units[c]]
    if not shares:
        return
    named = set(numeric_columns(claim, claim.linked.headers))
    numeric = [c for c in range(index.table.columns) if index.is_numeric(c) and not index.is_of_codes(c)]
    wholes = [c for c in numeric if c not in {*shares, *index.times}]
    if amount.unit:
        fitting = [c for c in wholes if as_column_tells(claim, amount.number, amount.unit, c) is not None]
        wholes = [c for c in fitting if index.told_units[c]] or fitting
    else:
        # What is measured has no share that counts.
        wholes = [c for c in wholes if not index.told_units[c]]
    share, whole = _named_or_only(shares, named), _named_or_only(wholes, named)
    is_of_a_whole = "of" in claim.texts[amount.words[-1] : amount.words[-1] + _NEAR_OF]
    if share is None or whole is None or not (share in named or (whole in named and is_of_a_whole)):
        return
    rows = single_rows(claim, links, whole)
    number = as_column_tells(claim, amount.number, amount.unit, whole)
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
