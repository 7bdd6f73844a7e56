"""Claims of so many times what one costs or is: for so many things, or for a longer time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import (
    EACH_OF,
    ClaimedAmount,
    as_column_tells,
    column_of,
)
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed
from evidence_assets.tables.programs.wording.quantities import unit_after
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words

# How many of a shorter time a longer one has.
_TIMES_IN = {
    ("year", "month"): 12.0,
    ("year", "week"): 52.0,
    ("year", "quarter"): 4.0,
    ("week", "day"): 7.0,
    ("decade", "year"): 10.0,
}
_A_WHOLE, _OVER = EACH_OF | {"whole", "full"}, frozenset({"over", "in", "for"})
_TIME = r"(day|week|month|quarter|year)"
_RATE = re.compile(rf"(?:\b(?:per|an?|each|every) |/ ?){_TIME}\b|\b(dai|week|month|quarter|year)ly\b")
# More is no count of what one buys or does.
_MOST_TIMES = 1000.0


def so_many_times(claim: GroundedClaim, links: list[Link], amount: ClaimedAmount) -> Iterator[Proposal]:
    """Yield `two tickets come to 9 euros`, `a year of it costs 96 euros`: so many times the row's number."""
    index = claim.index
    column = column_of(claim, amount, set())
    if not amount.unit:
        columns = list(dict.fromkeys(numeric_columns(claim, claim.linked.headers)))
        timed = [column for column in columns if _period_of(claim, column) is not None]
        column = timed[0] if len(timed) == 1 else None
    rows = None if column is None else single_rows(claim, links, column)
    number = None if column is None else as_column_tells(claim, amount.number, amount.unit, column)
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
    claim: GroundedClaim, amount: ClaimedAmount, links: list[Link], column: int
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
