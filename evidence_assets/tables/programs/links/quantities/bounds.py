"""Bounds that a claim tells: which column each is on, and the rows within it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.column_units import contradictory
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.contests.contest_links import counts_contests
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim, rows_by_column
from evidence_assets.tables.programs.links.quantities.quantity_columns import (
    as_told_in,
    columns_measured,
    columns_of_the_year,
    counted_columns,
    is_far_off,
    measures_nothing,
    nearest_columns,
    unit_of,
)
from evidence_assets.tables.programs.links.quantities.quantity_links import Quantity
from evidence_assets.tables.programs.links.quantities.turning_bounds import condition_of, with_which_it_began
from evidence_assets.tables.programs.wording.contest_words import OUTCOMES
from evidence_assets.tables.programs.wording.measures import is_of_any
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST, positive, row_nouns
from evidence_assets.tables.programs.wording.words import OF_UNITS, Token, word_key
from evidence_assets.text.dates import FIRST_YEAR, LAST_YEAR
from evidence_assets.text.words import word_set

# A bound after a copula may be on a header this many tokens before it.
_FAR = 14


def bounded(linked: LinkedClaim, limit: Threshold) -> Quantity | Link | None:
    """Return a bound as the quantity that it tells in a unit, or as the link of its column; None without."""
    index = linked.index
    in_unit = _measured_bound(linked.tokens, index, linked.headers, limit)
    if in_unit is not None:
        return replace(in_unit, position=limit.start)
    column = None if counts_contests(linked, limit.start) else _bounded_column(linked, limit)
    if column is None or _is_of_another_unit(linked.tokens, limit, index.headers[column]):
        return None
    if _counts_what_it_is_for(linked, limit, index.table.header[column]):
        return Quantity(limit.position, (limit.position + 1,), linked.tokens[limit.position + 1].text, None)
    return bound_link(index, _of_speed(linked.tokens, limit, index, column), column)


def _of_speed(tokens: Sequence[Token], limit: Threshold, index: TableIndex, column: int) -> Threshold:
    """Return a bound as a column of times has it: what was faster than 20 s took less."""
    is_speed = positive(tokens[limit.start].text) in _SPEEDS
    return (
        replace(limit, relation=_TURNED.get(limit.relation, limit.relation))
        if is_speed and index.takes_time(column)
        else limit
    )


_SPEEDS = frozenset(map(positive, ("faster", "quicker", "swifter", "slower")))
_TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}


def _is_of_another_unit(claim_tokens: tuple[Token, ...], limit: Threshold, header: Collection[str]) -> bool:
    """Return whether a bound is told in a unit that its column's header does not name: miles, not `km`."""
    return _tells_another_unit(claim_tokens[limit.position + 1 : limit.position + 2], header)


def _counts_what_it_is_for(linked: LinkedClaim, limit: Threshold, header: str) -> bool:
    """Return whether a number is of what a column is for each of: `two nights`, of a price per night."""
    behind = linked.tokens[limit.position + 1 : limit.position + 2]
    return any(word_key(noun) == token.key for noun in _FOR_EACH.findall(header.lower()) for token in behind)


_FOR_EACH = re.compile(r"(?:\bper |/ ?)([a-z]+)")


def is_bound_of_another_unit(claim_tokens: tuple[Token, ...], item: Link, index: TableIndex) -> bool:
    """Return whether a link is of numbers within a bound in a unit that no header of its columns names."""
    named = {key for column in item.places for key in index.headers[column]}
    return bool(item.bound) and _tells_another_unit(claim_tokens[item.end : item.end + 1], named)


def _tells_another_unit(following: Iterable[Token], header: Collection[str]) -> bool:
    return any(token.key in OF_UNITS and token.key not in header for token in following)


def _measured_bound(
    tokens: tuple[Token, ...], index: TableIndex, headers: list[HeaderLink], limit: Threshold
) -> Quantity | None:
    """Return a threshold told in a unit or scale as the rows that meet it, in the column that it fits.

    The column is the only one that is told in such a unit, among those that the claim names if it names any.
    A threshold whose unit no column can be compared with is refused. None where neither applies.
    """
    name, words = unit_of(tokens, limit.position, index)
    if any(head.start in words and not _may_be_told_in(head, name, index) for head in headers):
        # `fewer than five days of frost`: the word is a column's, no unit.
        return None
    opens = limit.start < limit.position and not measures_nothing(tokens, limit.start)
    adjective = positive(tokens[limit.start].text) if opens else ""
    # `Longer than 50 metres` is of a length, where one is told, though much else may be longer.
    measured = index.columns_measured_by(adjective) if name or not is_of_any(adjective) else frozenset[int]()
    named = {column for head in headers for column in head.columns} | measured
    counted = counted_columns(limit.position, headers) if not name else frozenset[int]()
    numbers = _bounds_by_column(tokens, index, limit, name, named, counted)
    following = limit.position + len(words) + 1
    if words and limit.end <= following and [t.text for t in tokens[following : following + 1]] == ["or"]:
        words = range(words.start, following + 2)
    fitting, told_so = numbers, {column for column in numbers if name in index.told_units[column]}
    in_full = _named_in_full(headers, words)
    for preferred in (in_full, named, measured, told_so, nearest_columns(headers, limit.start)):
        fitting = {column: number for column, number in fitting.items() if column in preferred} or fitting
    if len(fitting) != 1 or (not name and named.isdisjoint(fitting)):
        refused = bool(name) and not numbers and index.is_measured
        return Quantity(limit.position, tuple(words), name, None) if refused else None
    ((column, number),) = fitting.items()
    limit = _of_speed(tokens, limit, index, column)
    within = index.rows_within(column, limit.relation, number)
    rows, untold = with_which_it_began(index, limit, column, within)
    condition = condition_of(limit, number)
    link = Link.of_column(limit.start, limit.end, column, rows, condition, undetermined=untold)
    return Quantity(limit.position, (*words, *limit.apart), name, link)


def _may_be_told_in(head: HeaderLink, name: str, index: TableIndex) -> bool:
    """Return whether some column of a header is told in what a unit can be converted to."""
    return any(
        converted(1.0, name, unit) is not None for column in head.columns for unit in index.told_units[column]
    )


def _bounds_by_column(
    tokens: tuple[Token, ...],
    index: TableIndex,
    limit: Threshold,
    name: str,
    named: Set[int],
    counted: Set[int],
) -> dict[int, float]:
    """Return a bound as each column tells it that may tell it; none hardly of a column that is not named."""
    token = tokens[limit.position]
    # A column of a year is named for its time, and not for what it tells.
    said = (named - index.year_columns.keys()) | columns_measured(tokens, index)
    return {
        column: number
        for column in columns_of_the_year(range(index.table.columns), tokens, index)
        if (column in said or not name or not is_far_off(index, column, token, name))
        and (number := _bound_of(index, column, token, name, counted)) is not None
    }


def _named_in_full(headers: list[HeaderLink], unit: range) -> set[int]:
    """Return the columns that a claim names by several words, of which none is of the unit: `plate waste`."""
    return {
        column
        for head in headers
        if head.end - head.start > 1 and set(unit).isdisjoint(range(head.start, head.end))
        for column in head.columns
    }


def _bound_of(index: TableIndex, column: int, token: Token, name: str, counted: Set[int]) -> float | None:
    """Return a bound as a column tells it; None where most of its cells tell nothing alike."""
    numbers, (unit, rows) = index.series[column], index.units[column]
    if not numbers or not index.is_numeric(column) or contradictory(rows):
        return None
    if rows and 2 * len(rows) < len(numbers):
        # What most cells are told in, the few with a unit do not say.
        return None
    return as_told_in(index, column, token, name, is_counted=column in counted and unit.scale > 1.0)


def _bounded_column(linked: LinkedClaim, limit: Threshold) -> int | None:
    """Return the numeric column that a bound is on: the header after it, else the header before it."""
    index = linked.index
    # What something is said to have lost counts no rows.
    counts = linked.tokens[limit.position].number is not None and limit.bound <= len(index.rows)
    following = linked.tokens[limit.end].key if limit.end < len(linked.tokens) else ""
    for head in _headers_beside(linked, limit):
        is_behind = head.start == limit.end
        if is_behind and _names_rows(linked, head) and counts:
            return None
        if any(map(index.is_of_codes, head.columns)):
            continue
        if (
            not is_behind
            and following in row_nouns()
            and counts
            and not _counts_outcomes(linked, head, limit)
        ):
            return None
        numeric = [
            column
            for column in index.numeric(head.columns)
            # When vans were built is told in years, of which `more than 150` is none.
            if (column not in index.years or FIRST_YEAR <= limit.bound <= LAST_YEAR)
            and (is_behind or head.end == limit.start or _may_be_bounded(index, column, limit))
        ]
        if numeric:
            # Of `doses per vial` and `stock (doses)`, that which tells so many.
            is_a_rate = " per " in index.table.header[numeric[0]].lower()
            fitting = (c for c in numeric if _contains_bound(index.series[c], limit.bound))
            return next(fitting, numeric[0]) if is_a_rate else numeric[0]
    column = _column_of_no_header(linked, limit)
    return _column_of_fractions(linked, limit) if column is None else column


def _counts_outcomes(linked: LinkedClaim, head: HeaderLink, limit: Threshold) -> bool:
    """Return whether a column tells how many games were won: of `won more than three games` no row is one."""
    is_outcome = linked.tokens[head.start].key in OUTCOMES and head.end == limit.start
    return is_outcome and all(map(linked.index.is_numeric, head.columns))


def _may_be_bounded(index: TableIndex, column: int, limit: Threshold) -> bool:
    """Return whether a number may bound a column: a fraction none of whole numbers, `heat 2, under 23.3`."""
    is_whole = all(map(float.is_integer, index.series[column].values()))
    return limit.bound == int(limit.bound) or not is_whole


def _column_of_fractions(linked: LinkedClaim, limit: Threshold) -> int | None:
    """Return the only column that a fraction may bound, where headers near it are of whole numbers."""
    index = linked.index
    near = (c for head in _headers_beside(linked, limit) for c in index.numeric(head.columns))
    if all(_may_be_bounded(index, column, limit) for column in near):
        return None
    fitting = [
        column
        for column in index.numeric_columns
        if _may_be_bounded(index, column, limit) and _contains_bound(index.series[column], limit.bound)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _headers_beside(linked: LinkedClaim, limit: Threshold) -> list[HeaderLink]:
    """Return the headers behind a bound and shortly before it, those first that stand right before it.

    A header right before a bound is its own, though no number of it may meet it.
    """
    copula = limit.start and linked.tokens[limit.start - 1].key == "be"
    before = [
        head
        for head in linked.headers
        if 0 <= limit.start - head.end <= (_FAR if copula else 3)
        and (copula or not _orders_another_noun(linked, head, limit))
    ]
    beside = [*(head for head in linked.headers if head.start == limit.end), *reversed(before)]
    return sorted(
        beside,
        key=lambda head: (
            head.end != limit.start
            and not any(_contains_bound(linked.index.series[c], limit.bound) for c in head.columns)
        ),
    )


def _column_of_no_header(linked: LinkedClaim, limit: Threshold) -> int | None:
    """Return the column that a bound is on by its own words: of ages, of years, of what they measure."""
    index, word = linked.index, linked.tokens[limit.start].text
    following_texts = [token.text for token in linked.tokens[limit.end : limit.end + 1]]
    of_people = limit.start > 0 and linked.tokens[limit.start - 1].text in _PEOPLE
    aged = of_people or following_texts in ([], ["."], [","], ["year"], ["years"])
    if aged and ":" not in linked.tokens[limit.position].text and "age" in index.header_postings:
        return min(index.header_postings["age"])
    if word in _IN_TIME and index.years and FIRST_YEAR <= limit.bound <= LAST_YEAR:
        return min(index.years)
    adjective = positive(word)
    measured = set() if is_of_any(adjective) else index.columns_measured_by(adjective)
    numeric = index.numeric(measured) or _columns_of_named_years(linked, limit)
    numeric = numeric or list(_columns_said_behind(linked, limit))
    numeric = numeric or list(_columns_told_in(linked, limit))
    return numeric[0] if len(numeric) == 1 else None


def _columns_told_in(linked: LinkedClaim, limit: Threshold) -> Iterator[int]:
    """Yield the columns of numbers most of whose cells say the word behind a bound: `reached 10,000 GRT`."""
    index = linked.index
    for token in linked.tokens[limit.end : limit.end + 1]:
        rows = rows_by_column(index.postings.get(token.key, ()))
        for column in index.numeric(rows):
            if 2 * len(rows[column]) > len(index.series[column]) and not token.stop:
                yield column


def _orders_another_noun(linked: LinkedClaim, head: HeaderLink, limit: Threshold) -> bool:
    """Return whether a header orders a noun before a bound: `the highest rated van with`."""
    ordering = head.start > 0 and linked.tokens[head.start - 1].text in HIGHEST | LOWEST
    return ordering and limit.start - head.end > 1


def _names_rows(linked: LinkedClaim, head: HeaderLink) -> bool:
    """Return whether a header is said of rows, in the plural: `at most two trees`."""
    label = linked.index.table.label_column or 0
    return head.columns == {label} and linked.tokens[head.end - 1].text.endswith("s")


def _columns_said_behind(linked: LinkedClaim, limit: Threshold) -> Iterator[int]:
    """Yield the column of `more than 50 calls in the year`, whose header stands behind what is counted.

    Or before all else: `with five coins, a hand pays more than 50`.
    """
    index = linked.index
    comma = linked.texts.index(",") if "," in linked.texts else 0
    for head in linked.headers:
        opening = [token.text for token in linked.tokens[limit.end : head.start]]
        if head.start in {1, 2} and head.end <= comma < limit.start:
            opening = [token.text for token in linked.tokens[: head.start]]
        joined = [text for text in opening[-2:] if text != "the"][-1:]
        near = 0 < len(opening) <= _FAR_BEHIND and joined and joined[0] in _BEFORE_A_COLUMN
        may_count = limit.bound <= len(index.rows) and limit.bound == int(limit.bound)
        may_count = may_count and not _is_of_a_row(linked, limit)
        if not near or len(head.columns) != 1 or may_count:
            continue
        for column in index.numeric(head.columns):
            of_size = operations.is_of_their_size(limit.bound, index.series[column].values())
            if of_size and column not in index.years and not index.is_of_codes(column):
                yield column


_BEFORE_A_COLUMN = frozenset({"in", "during", "over", "for", "when", "with", "on", "at"})


def _is_of_a_row(linked: LinkedClaim, limit: Threshold) -> bool:
    """Return whether a bound is told of a single row, by its name: more than 4 of it are no rows."""
    label = linked.index.table.label_column
    return any(
        link.end <= limit.start
        and link.number is None
        and label in link.full
        and len(link.places[label]) == 1
        for link in linked.links
        if label is not None
    )


# So many words stand between a bound and the header behind what it counts.
_FAR_BEHIND = 5


def _columns_of_named_years(linked: LinkedClaim, limit: Threshold) -> list[int]:
    """Return the columns of the year that a claim says, where their numbers and not rows are bounded."""
    index = linked.index
    numbers = {token.number for token in linked.tokens}
    return [
        column
        for column, year in index.year_columns.items()
        if year in numbers and (limit.bound > len(index.rows) or limit.bound != int(limit.bound))
    ]


_PEOPLE = word_set("""
    nobody anybody somebody everybody anyone someone everyone those people persons men women boys girls
""")
_IN_TIME = frozenset({"earlier", "later", "older", "newer"})


def _contains_bound(numbers: dict[int, float], bound: float) -> bool:
    return bool(numbers) and min(numbers.values()) <= bound <= max(numbers.values())


def in_scale(bound: float, numbers: Iterable[float]) -> float:
    """Return a bound in the scale of the numbers: thousandths or thousands of them where it is far off."""
    kept = list(numbers)
    scaled = (bound * scale for scale in (1.0, 1e-3, 1e3, 1e-6, 1e6)) if bound else ()
    return next((number for number in scaled if operations.is_of_their_size(number, kept)), bound)


def bound_link(index: TableIndex, limit: Threshold, column: int) -> Link:
    """Return the rows whose number of a column is within a bound."""
    numbers = index.series[column]
    in_percent = "%" in index.told_units[column]
    bound = limit.bound if in_percent else in_scale(limit.bound, numbers.values())
    within = index.rows_within(column, limit.relation, bound)
    rows, untold = with_which_it_began(index, limit, column, within)
    condition = condition_of(limit, limit.bound)
    return Link.of_column(limit.start, limit.end, column, rows, condition, undetermined=untold)
