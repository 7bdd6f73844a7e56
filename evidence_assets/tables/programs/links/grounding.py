"""A claim grounded in a table: its links restricted to the columns it names, its bounds made into links."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeVar

from evidence_assets.tables.cell_dates import is_year
from evidence_assets.tables.programs.index.contests import ContestTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.anchoring import anchored
from evidence_assets.tables.programs.links.bounds import (
    bound_link,
    bounded_column,
    is_bound_of_another_unit,
    is_of_another_unit,
)
from evidence_assets.tables.programs.links.claim_numbers import (
    OF_ALL_ROWS,
    caption_numbers,
    ends_a_name,
    is_day_of_a_month,
    numbers_of_parts,
    numbers_of_row_nouns,
    numbers_of_times,
    pronouns_of_rows,
    row_totals,
)
from evidence_assets.tables.programs.links.contest_links import counts_contests, margin_links, score_links
from evidence_assets.tables.programs.links.date_links import date_links, links_of_days, of_ends
from evidence_assets.tables.programs.links.days_of_the_week import day_links
from evidence_assets.tables.programs.links.denied_modifiers import LACKING, with_denied_modifiers
from evidence_assets.tables.programs.links.directions import directed
from evidence_assets.tables.programs.links.flag_links import flag_links
from evidence_assets.tables.programs.links.limit_links import limit_links
from evidence_assets.tables.programs.links.linking import (
    HeaderLink,
    Link,
    LinkedClaim,
    is_weak,
    link,
    positions_of,
)
from evidence_assets.tables.programs.links.meant_headers import meant_headers
from evidence_assets.tables.programs.links.period_headers import period_heads, recurring_parts
from evidence_assets.tables.programs.links.periods import period_links
from evidence_assets.tables.programs.links.quantity_links import Quantity, measured_bound, quantities
from evidence_assets.tables.programs.links.row_ranges import ranges_of_rows, slice_links
from evidence_assets.tables.programs.links.signs import (
    Signs,
    sign_heads,
    sign_limits,
    sign_links,
    told_signs,
)
from evidence_assets.tables.programs.links.spans_of_time import span_links
from evidence_assets.tables.programs.links.standings import standing_links
from evidence_assets.tables.programs.links.stock_links import stock_links
from evidence_assets.tables.programs.links.times_of_day import hours_of_a_clock
from evidence_assets.tables.programs.links.words_of_names import (
    is_in_a_name,
    is_of_a_header,
    is_said_in_a_header,
    opens_a_name,
)
from evidence_assets.tables.programs.wording.contest_words import concedes
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.quantifier_words import sole_words
from evidence_assets.tables.programs.wording.superlative_words import (
    Superlative,
    ends_in_time,
    ends_of_rows,
    superlatives,
)
from evidence_assets.tables.programs.wording.thresholds import Threshold, opens_a_bound, thresholds
from evidence_assets.tables.programs.wording.trigger_lexicon import negations
from evidence_assets.tables.programs.wording.words import OF_UNITS, Token, tokens


@dataclass(frozen=True, eq=False)
class GroundedClaim:
    """A linked claim, each value restricted to the columns that the claim names for it.

    `links`: of values, and of bounds on a column. `anchors`: the header of a value, by the value's first
    token. `bounds`: thresholds on no column, which may be on a count. `numbers`: positions of numbers that
    are not in the table. `units`: of a number, by its position: where its unit's words stand, and the unit.
    `refused`: numbers of units that no column can be compared with. `column_numbers`: a number as its
    column tells it, by its position.
    """

    linked: LinkedClaim
    links: tuple[Link, ...]
    anchors: dict[int, HeaderLink]
    bounds: tuple[Threshold, ...]
    superlatives: tuple[Superlative, ...]
    numbers: tuple[int, ...]
    units: Mapping[int, tuple[tuple[int, ...], str]] = field(default_factory=dict)
    refused: frozenset[int] = frozenset()
    column_numbers: Mapping[int, float] = field(default_factory=dict)

    @property
    def index(self) -> TableIndex:
        """The table's words and numbers."""
        return self.linked.index

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The claim's tokens."""
        return self.linked.tokens

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The claim's words as written, lower-cased."""
        return tuple(token.text for token in self.tokens)

    @property
    def names(self) -> list[Link]:
        """The links that are neither numbers nor bounds, and the numbers that name rows: of `line 34`."""
        return [
            link for link in self.links if not link.bound and (link.number is None or self._is_name(link))
        ]

    def _is_name(self, link: Link) -> bool:
        """Return whether a number stands behind the header of the only column that it is of, one row's."""
        head = self.anchors.get(link.start)
        before = head is not None and head.end == link.start and head.columns == link.places.keys()
        return before and len(link.rows) == 1

    @cached_property
    def linked_positions(self) -> frozenset[int]:
        """Positions of the tokens inside a link or a header."""
        return positions_of(self.links) | positions_of(self.linked.headers)

    @cached_property
    def negation(self) -> int | None:
        """Position of the claim's first negation that belongs to no name, no bound and no `no other`."""
        return next(iter(self.negations), None)

    @cached_property
    def negations(self) -> tuple[int, ...]:
        """Positions of the negations that belong to no name, no bound and no `no other`."""
        lacking = (link.start for link in self.links if link.bound.startswith(LACKING))
        passed = {*positions_of(self.bounds), *(self.sole or ()), *lacking}
        return tuple(
            n
            for n in negations(self.tokens)
            if n not in passed
            and not (self.in_condition(n) and opens_a_bound(self.texts, n))
            and not self.is_of_a_name(n)
        )

    @cached_property
    def sole(self) -> range | None:
        """Where the claim denies others what it says, behind it: `and no other does`; None without it."""
        return sole_words(self.texts)

    @cached_property
    def pronouns(self) -> frozenset[int]:
        """Positions of `one` where it stands for a row."""
        return frozenset(pronouns_of_rows(self.tokens))

    @cached_property
    def parts(self) -> frozenset[int]:
        """Positions of the numbers that count rows, whatever cells hold: of `two of the five`, `twice`."""
        counting = {*numbers_of_parts(self.tokens, self.index), *numbers_of_times(self.tokens)}
        if isinstance(self.index.table, ContestTable):
            counting |= {*numbers_of_row_nouns(self.tokens, self.index)}
        return frozenset(counting - self.pronouns)

    @cached_property
    def signs(self) -> frozenset[int]:
        """Positions of the words that say that a number is below zero or above it."""
        return frozenset(self._signs.words)

    @cached_property
    def signed(self) -> tuple[int, ...]:
        """The columns that these words are of."""
        column = self._signs.column
        return self.index.signed if column is None else (column,)

    @property
    def tells_signs_alone(self) -> bool:
        """Whether the claim says no more than that there were losses, or gains, and sets no other bound."""
        of_signs = all(limit.position in self.signs for limit in self.bounds) and "than" not in self.texts
        return self._signs.bare and not self._signs.tells_both and of_signs

    @cached_property
    def _signs(self) -> Signs:
        return told_signs(self.tokens, self.index)

    @property
    def names_of_rows(self) -> list[Link]:
        """The names, and the years that tell rows."""
        of_time = {*self.index.dated, *self.index.years}
        return [
            link
            for link in self.links
            if not link.bound
            and (link.number is None or self._is_name(link) or link.places.keys() <= of_time)
        ]

    @cached_property
    def strangers(self) -> tuple[int, ...]:
        """Positions of names that nothing of the table bears."""
        return tuple(n for n in self.linked.unknown if self.tokens[n].capital)

    @cached_property
    def row_total(self) -> int | None:
        """Position of the number of all rows, where the claim tells it rightly: `each of the nine firms`."""
        return next(row_totals(self.tokens, self.index, OF_ALL_ROWS), None)

    def in_condition(self, position: int) -> bool:
        """Return whether a word belongs to a bound on a column."""
        return any(link.bound and link.start <= position < link.end for link in self.links)

    def is_of_a_name(self, position: int) -> bool:
        """Return whether a negation belongs to a cell or header of the claim: `no party preference`."""
        table = self.index.table
        if tuple(token.key for token in self.tokens[position : position + 2]) in self.index.denials:
            return True
        spans: list[Link | HeaderLink] = [*self.links, *self.linked.headers]
        for span in spans:
            if span.start < position < span.end:
                return True
            if span.start != position + 1:
                continue
            phrase = f" {self.phrase(position, span.end)} "
            names = (
                [table.header[column] for column in span.columns]
                if isinstance(span, HeaderLink)
                else [table.rows[min(rows)][column].text for column, rows in span.places.items() if rows]
            )
            if any(phrase in f" {name.lower()} " for name in names):
                return True
        return False

    def variants(self) -> Iterator[GroundedClaim]:
        """Yield the claim, and it without links that may be none: of the caption's words, of single words."""
        yield self
        table = self.index.table
        # What is a side of contests is no subject of all rows, though the caption says it.
        of_sides = isinstance(table, ContestTable) and table.of_sides
        caption = frozenset[str]() if of_sides else self.index.caption
        outside_caption = tuple(
            link
            for link in self.links
            if link.bound or not all(t.stop or t.key in caption for t in self.tokens[link.start : link.end])
        )
        strong = tuple(link for link in outside_caption if link.bound or not is_weak(link))
        for links in (outside_caption, strong):
            if links and len(links) < len(self.links):
                yield replace(self, links=links)

    def position(self, words: Container[str]) -> int | None:
        """Return where the first of these words stands in the claim; None where none does."""
        return next((position for position, text in enumerate(self.texts) if text in words), None)

    def phrase(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end`."""
        return " ".join(self.texts[start:end])


def ground(claim: str, index: TableIndex) -> GroundedClaim:
    """Return a claim grounded in a table."""
    return ground_tokens(tokens(claim), index)


def ground_tokens(claim_tokens: tuple[Token, ...], index: TableIndex) -> GroundedClaim:
    """Return the tokens of a claim, or of a clause of one, grounded in a table."""
    index = index.conceding if concedes(claim_tokens) else index
    signs = told_signs(claim_tokens, index)
    index = index.losses if signs.tells_losses else index
    pronouns = set(pronouns_of_rows(claim_tokens))
    limits = [
        limit
        for limit in thresholds(claim_tokens)
        if limit.position not in pronouns and not opens_a_name(claim_tokens, limit, index)
    ]
    periods = _links_of_phrases(claim_tokens, index)
    timed = positions_of(periods)
    extremes = _clear_of(timed, _extremes(claim_tokens, index))
    limits += sign_limits(signs, extremes)
    of_signs = sign_links(signs, extremes, index)
    limits = [limit for limit in limits if limit.position not in timed]
    periods += _clear_of(timed, date_links(claim_tokens, index))
    excluded = positions_of(limits) | positions_of(periods) | positions_of(extremes)
    told_hours = set() if index.clocks else set(hours_of_a_clock(claim_tokens))
    hours = {n for n in told_hours if not index.says(claim_tokens[n + 1].key)}
    excluded |= {*_of_no_cell(claim_tokens, index), *hours, *signs.words}
    of_periods = [*period_heads(claim_tokens, index), *sign_heads(signs, of_signs)]
    linked = link(claim_tokens, index, excluded | positions_of(of_periods))
    linked.headers = meant_headers(linked, of_periods)
    measured = [
        quantity
        for quantity in quantities(claim_tokens, index, linked.headers)
        if quantity.position not in excluded and not is_in_a_name(linked, quantity.position)
    ]
    of_quantities = {quantity.position for quantity in measured}
    linked.links = _clear_of(of_quantities, linked.links)
    known = positions_of(linked.headers) | of_quantities
    linked.unknown = [position for position in linked.unknown if position not in known]
    links, anchors = directed(linked, *anchored(linked))
    bounded = [_bounded(linked, limit) for limit in limits]
    quantified = [*measured, *(item for item in bounded if isinstance(item, Quantity))]
    of_columns = (item.link if isinstance(item, Quantity) else item for item in bounded)
    flagged = [
        item for item in flag_links(linked) if not (signs.words and item.places.keys() & {signs.column})
    ]
    bound_links = [*flagged, *of_signs, *periods, *(item for item in of_columns if item is not None)]
    unbound = [limit for limit, item in zip(limits, bounded, strict=True) if item is None]
    # A bare number beside a month is no other column's.
    links = [
        item
        for item in links
        if not (_is_bare_day(claim_tokens, item) or is_bound_of_another_unit(claim_tokens, item, index))
    ]
    links = _of_the_named_time(linked, links, of_periods)
    unit_words = {word for item in quantified for word in item.words}
    in_units = [item.link for item in measured if item.link is not None]
    links = [*_clear_of(unit_words, links), *in_units]
    links = ranges_of_rows(linked, sorted(links, key=lambda link: link.start))
    anchors = {position: head for position, head in anchors.items() if position not in unit_words}
    untold = frozenset({*_untold(linked, excluded), *hours})
    all_links = of_ends(linked, [*links, *bound_links])
    all_links = with_denied_modifiers(claim_tokens, all_links, linked.headers, index)
    return GroundedClaim(
        linked,
        tuple(sorted(all_links, key=lambda link: link.start)),
        anchors,
        tuple(unbound),
        tuple(extremes),
        tuple(_absent_numbers(linked, excluded | untold)),
        {item.position: (item.words, item.unit) for item in quantified if item.link is not None},
        untold | {item.position for item in quantified if item.link is None},
        {item.position: item.number for item in measured},
    )


def _links_of_phrases(claim_tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return the links of phrases for times, parts of the rows and standings, clear of each other."""
    links = [*period_links(claim_tokens, index), *slice_links(claim_tokens, index)]
    for phrase_links in _OF_PHRASES:
        links += _clear_of(positions_of(links), phrase_links(claim_tokens, index))
    return links


_OF_PHRASES = (
    margin_links,
    score_links,
    links_of_days,
    span_links,
    standing_links,
    day_links,
    limit_links,
    stock_links,
)


def _of_no_cell(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield words linked to no cell: for rows, of the caption, for per cent, the number of all rows."""
    yield from pronouns_of_rows(claim_tokens)
    yield from caption_numbers(claim_tokens, index)
    yield from row_totals(claim_tokens, index, OF_ALL_ROWS[:1])
    yield from numbers_of_row_nouns(claim_tokens, index)
    yield from numbers_of_parts(claim_tokens, index)
    yield from numbers_of_times(claim_tokens)
    texts = [token.text for token in claim_tokens]
    for position, token in enumerate(claim_tokens):
        if token.number is not None and is_in_percent(texts, position):
            yield position + 1


def _extremes(claim_tokens: tuple[Token, ...], index: TableIndex) -> list[Superlative]:
    """Return a claim's superlatives that no header and no name has, with the ends of time and of rows."""
    extremes = [item for item in superlatives(claim_tokens) if not is_of_a_header(claim_tokens, item, index)]
    label = index.table.label_column
    nouns = index.words_of_rows if index.dated else index.headers[label] if index.clocks and label else ()
    ends = [*ends_in_time(claim_tokens, index.words_of_dates), *ends_of_rows(claim_tokens, nouns)]
    ends = [item for item in ends if not is_said_in_a_header(claim_tokens, item, index)]
    return sorted({*extremes, *ends}, key=lambda item: item.start)


def _bounded(linked: LinkedClaim, limit: Threshold) -> Quantity | Link | None:
    """Return a bound as the quantity that it tells in a unit, or as the link of its column; None without."""
    index = linked.index
    in_unit = measured_bound(linked.tokens, index, linked.headers, limit)
    if in_unit is not None:
        return replace(in_unit, position=limit.start)
    column = None if counts_contests(linked, limit.start) else bounded_column(linked, limit)
    if column is None or is_of_another_unit(linked.tokens, limit, index.headers[column]):
        return None
    return bound_link(index, limit, column)


def _absent_numbers(linked: LinkedClaim, excluded: Container[int]) -> Iterator[int]:
    """Yield the positions of numbers that no cell holds, none of a name or of a column's year."""
    of_years = {float(year) for year in linked.index.year_columns.values()}
    for position in linked.unknown:
        number = linked.tokens[position].number
        is_told = number is not None and number not in of_years and position not in excluded
        if is_told and not ends_a_name(linked.tokens, position):
            yield position


_Span = TypeVar("_Span", Link, Superlative)


def _clear_of(taken: Collection[int], spans: Iterable[_Span]) -> list[_Span]:
    """Return the spans that hold none of some positions."""
    return [span for span in spans if positions_of([span]).isdisjoint(taken)]


def _untold(linked: LinkedClaim, excluded: Container[int]) -> Iterator[int]:
    """Yield numbers that no column could tell: of a unit, a time of day or a year that none is of."""
    index, claim_tokens = linked.index, linked.tokens
    tells_years = bool(index.years or index.dated)
    for position in linked.unknown:
        token = claim_tokens[position]
        if token.number is None or position in excluded:
            continue
        following = claim_tokens[position + 1 : position + 2]
        of_unit = bool(following) and following[0].key in OF_UNITS and not linked.in_header(position + 1)
        before = claim_tokens[position - 1].text if position else ""
        a_year = is_year(token.text) and before in _IN_YEARS and not tells_years
        # Of the nouns that ordinals stand before, no column that has such numbers tells one.
        of_no_column = token.ordinal and token.text.isalpha() and token.key in index.postings
        if (
            of_no_column
            or (of_unit and not index.told_by_unit(following[0].text))
            or a_year
            or ":" in token.text
        ):
            yield position


_IN_YEARS = frozenset({"in", "since", "by", "until", "after", "before", "from", "of"})


def _of_the_named_time(
    linked: LinkedClaim, links: list[Link], of_periods: Collection[HeaderLink]
) -> list[Link]:
    """Return the links, numbers without the columns of other times than the only one that a claim names.

    A number that other times alone have is none of the table's.
    """
    index = linked.index
    said = [n for n, token in enumerate(linked.tokens) if token.number in index.year_columns.values()]
    others = _of_other_parts(linked, of_periods) if not index.year_columns else None
    if others is None:
        years = {linked.tokens[n].number for n in said}
        bounded = any(linked.tokens[n - 1].text in _BOUNDING_TIME for n in said if n)
        if len(years) != 1 or len(of_periods) > 1 or bounded:
            return links
        of_time = {column for column, year in index.year_columns.items() if year in years}
        for head in of_periods:
            of_time &= head.columns
        others = index.year_columns.keys() - of_time
    kept = []
    for item in links:
        places = item.places.keys() - others
        if item.number is None or item.bound or not item.places or item.start in said:
            kept.append(item)
        elif places:
            kept.append(item.within(places))
        else:
            linked.unknown = sorted({*linked.unknown, item.start})
    return kept


def _of_other_parts(linked: LinkedClaim, of_periods: Collection[HeaderLink]) -> set[int] | None:
    """Return the columns of other days, or parts of a year, than the only one named; None without one."""
    parts = recurring_parts(linked.index)
    named = [head for head in of_periods if head.columns <= parts.keys()]
    if len(named) != 1 or len(of_periods) > 1 or len(named[0].columns) > 1:
        return None
    start = named[0].start
    bounded = start > 0 and linked.tokens[start - 1].text in _BOUNDING_TIME
    return None if bounded else parts.keys() - named[0].columns


_BOUNDING_TIME = frozenset({"since", "before", "after", "until", "from", "than"})


def _is_bare_day(claim_tokens: tuple[Token, ...], item: Link) -> bool:
    """Return whether a link is of the number of a day alone."""
    is_bare = item.number is not None and item.end == item.start + 1
    return is_bare and is_day_of_a_month(claim_tokens, item.start)
