"""A claim grounded in a table: its links restricted to the columns it names, its bounds made into links."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.cells.award_links import award_links
from evidence_assets.tables.programs.links.cells.denied_modifiers import LACKING, with_denied_modifiers
from evidence_assets.tables.programs.links.cells.flag_links import flag_links
from evidence_assets.tables.programs.links.cells.given_links import given_links
from evidence_assets.tables.programs.links.cells.quotations import with_quoted_names, without_sign
from evidence_assets.tables.programs.links.cells.result_marks import result_marks
from evidence_assets.tables.programs.links.cells.word_linking import link
from evidence_assets.tables.programs.links.cells.words_of_names import (
    denies_in_a_name,
    free_superlatives,
    free_thresholds,
    is_in_a_name,
)
from evidence_assets.tables.programs.links.headers.anchoring import anchored
from evidence_assets.tables.programs.links.headers.directions import directed
from evidence_assets.tables.programs.links.headers.meant_headers import meant_headers
from evidence_assets.tables.programs.links.linking import (
    HeaderLink,
    Link,
    LinkedClaim,
    clear_of,
    is_weak,
    positions_of,
)
from evidence_assets.tables.programs.links.phrase_links import phrase_links
from evidence_assets.tables.programs.links.quantities.bounds import bounded, is_bound_of_another_unit
from evidence_assets.tables.programs.links.quantities.claim_numbers import (
    OF_ALL_ROWS,
    is_day_of_a_month,
    numbers_of_no_cell,
    numbers_of_parts,
    numbers_of_row_nouns,
    numbers_of_those_meant,
    numbers_of_times,
    pronouns_of_rows,
    row_totals,
)
from evidence_assets.tables.programs.links.quantities.quantity_links import Quantity, quantities
from evidence_assets.tables.programs.links.quantities.signs import (
    Signs,
    sign_heads,
    sign_limits,
    sign_links,
    told_signs,
)
from evidence_assets.tables.programs.links.quantities.turning_bounds import turning
from evidence_assets.tables.programs.links.quantities.untold_numbers import absent_numbers, untold_numbers
from evidence_assets.tables.programs.links.ranks.row_ranges import ranges_of_rows
from evidence_assets.tables.programs.links.ranks.rows_beside import rows_beside
from evidence_assets.tables.programs.links.times.date_links import date_links, of_ends
from evidence_assets.tables.programs.links.times.hours_links import heads_of_hours
from evidence_assets.tables.programs.links.times.named_times import of_the_named_time
from evidence_assets.tables.programs.links.times.period_headers import period_heads
from evidence_assets.tables.programs.links.times.times_of_day import hours_of_no_column
from evidence_assets.tables.programs.wording.contest_words import concedes
from evidence_assets.tables.programs.wording.quantifier_words import quantifying_nones, sole_words
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.thresholds import Threshold, opens_a_bound
from evidence_assets.tables.programs.wording.trigger_lexicon import negations
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.calendar_words import MONTHS


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

    @cached_property
    def index(self) -> TableIndex:
        """The table's words and numbers."""
        return self.linked.index

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The claim's tokens."""
        return self.linked.tokens

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The claim's words as written, lower-cased."""
        return self.linked.texts

    @cached_property
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
    def headed(self) -> frozenset[int]:
        """Positions of the tokens inside a header."""
        return positions_of(self.linked.headers)

    @cached_property
    def linked_positions(self) -> frozenset[int]:
        """Positions of the tokens inside a link or a header."""
        return positions_of(self.links) | self.headed

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
        counting |= {*numbers_of_those_meant(self.tokens, self.index)}
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
        of_time = self.index.dates_and_years
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
        return denies_in_a_name(self.linked, self.links, position)

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

    def says_any(self, words: Collection[str]) -> bool:
        """Return whether the claim says one of some words."""
        return not self.linked.said.isdisjoint(words)

    def position(self, words: Collection[str]) -> int | None:
        """Return where the first of these words stands in the claim; None where none does."""
        if not self.says_any(words):
            return None
        return next((position for position, text in enumerate(self.texts) if text in words), None)

    def phrase(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end`."""
        return " ".join(map(without_sign, self.texts[start:end]))


def ground(claim: str, index: TableIndex) -> GroundedClaim:
    """Return a claim grounded in a table."""
    return ground_tokens(with_quoted_names(index.tokens_of(claim), index), index)


def ground_tokens(claim_tokens: tuple[Token, ...], index: TableIndex) -> GroundedClaim:
    """Return the tokens of a claim, or of a clause of one, grounded in a table."""
    index = index.conceding if concedes(claim_tokens) else index
    signs = told_signs(claim_tokens, index)
    index = index.losses if signs.tells_losses else index
    phrases = phrase_links(claim_tokens, index)
    timed = positions_of(phrases)
    extremes = clear_of(timed, free_superlatives(claim_tokens, index))
    limits = [*free_thresholds(claim_tokens, index), *sign_limits(signs, extremes)]
    limits = [*turning((limit for limit in limits if limit.position not in timed), claim_tokens, index)]
    phrases += clear_of(timed, date_links(claim_tokens, index))
    of_signs = sign_links(signs, extremes, index)
    hours = {*hours_of_no_column(claim_tokens, index)}
    excluded = positions_of(limits) | positions_of(phrases) | positions_of(extremes)
    excluded |= {*numbers_of_no_cell(claim_tokens, index), *hours, *signs.words}
    excluded |= {*quantifying_nones(claim_tokens)}
    of_periods = [*period_heads(claim_tokens, index), *sign_heads(signs, of_signs)]
    of_periods += clear_of(timed, heads_of_hours(claim_tokens, index))
    linked = link(claim_tokens, index, excluded | positions_of(of_periods))
    linked.headers = meant_headers(linked, of_periods)
    measured = _taken_as_quantities(claim_tokens, linked, excluded)
    links, anchors = directed(linked, *anchored(linked))
    of_limits = [bounded(linked, limit) for limit in limits]
    of_bounds = [item.link if isinstance(item, Quantity) else item for item in of_limits]
    flagged = [item for item in flag_links(linked) if not (signs.words and signs.column in item.places)]
    quantified = [*measured, *(item for item in of_limits if isinstance(item, Quantity))]
    unit_words = {word for item in quantified for word in item.words}
    links = _without_days_and_units(claim_tokens, links, index)
    links = clear_of(unit_words, of_the_named_time(linked, links, of_periods))
    links += [item.link for item in measured if item.link is not None]
    links = ranges_of_rows(linked, sorted(links, key=lambda link: link.start))
    links = rows_beside(linked, links)
    untold = frozenset({*untold_numbers(linked, excluded), *hours})
    given = clear_of(positions_of([*links, *flagged]), given_links(linked))
    of_marks = [*result_marks(linked), *award_links(linked)]
    marked = clear_of(positions_of([*links, *flagged, *linked.headers]), of_marks)
    links += [*flagged, *given, *marked, *of_signs, *phrases]
    links += [item for item in of_bounds if item is not None]
    links = [item for item in links if not _is_of_all_rows(claim_tokens, item, index)]
    links = with_denied_modifiers(claim_tokens, of_ends(linked, links), linked.headers, index)
    return GroundedClaim(
        linked,
        tuple(sorted(links, key=lambda link: link.start)),
        {position: head for position, head in anchors.items() if position not in unit_words},
        bounds=tuple(limit for limit, item in zip(limits, of_limits, strict=True) if item is None),
        # A personal best is the best of no rows.
        superlatives=tuple(clear_of(positions_of(marked), extremes)),
        numbers=tuple(absent_numbers(linked, excluded | untold)),
        units={item.position: (item.words, item.unit) for item in quantified if item.link is not None},
        refused=untold | {item.position for item in quantified if item.link is None},
        column_numbers={item.position: item.number for item in measured},
    )


def _taken_as_quantities(
    claim_tokens: tuple[Token, ...], linked: LinkedClaim, excluded: Container[int]
) -> list[Quantity]:
    """Return a claim's numbers told in units and scales, which are then linked as nothing else."""
    measured = [
        quantity
        for quantity in quantities(claim_tokens, linked.index, linked.headers)
        if quantity.position not in excluded and not is_in_a_name(linked, quantity.position)
    ]
    of_quantities = {quantity.position for quantity in measured}
    linked.links = clear_of(of_quantities, linked.links)
    linked.headers = [head for head in linked.headers if not _is_the_unit_of_another(linked, head, measured)]
    known = positions_of(linked.headers) | of_quantities
    linked.unknown = [position for position in linked.unknown if position not in known]
    return measured


_LETTERS_OF_SYMBOLS = 2


def _is_the_unit_of_another(linked: LinkedClaim, head: HeaderLink, measured: Iterable[Quantity]) -> bool:
    """Return whether a header's word is the unit of a number elsewhere: the m of `100 m` in `jumped 7 m`."""
    is_symbol = len(linked.texts[head.start]) <= _LETTERS_OF_SYMBOLS and head.share < 1.0
    return is_symbol and any(
        {*range(head.start, head.end)} <= {*quantity.words}
        and quantity.link is not None
        and head.columns.isdisjoint(quantity.link.places)
        for quantity in measured
    )


def _is_of_all_rows(claim_tokens: tuple[Token, ...], item: Link, index: TableIndex) -> bool:
    """Return whether a word that longer cells hold is said of all rows, and sets no condition on them.

    So are the caption's noun behind a quantifier (`all ships`, `the only ship`), a plural there that only
    long cells hold (`none of the films`), and the caption's name, though a few cells hold it too.
    """
    if not is_weak(item) or item.bound:
        return False
    token, label = claim_tokens[item.start], index.table.label_column
    of_caption = token.key in index.caption
    before = [
        word.text
        for word in claim_tokens[max(0, item.start - 4) : item.start]
        if word.text not in _PASSED_OVER and word.number is None
    ]
    long = all(len(index.keys[row, column]) >= _LONG for column, rows in item.places.items() for row in rows)
    few = len(item.rows) <= _FEW * len(index.rows)
    if of_caption and token.capital and token.text not in MONTHS and few and label not in item.places:
        return True
    opening, last = ["", "", *before][-2:]
    counted = last == "of" and opening in _QUANTIFIERS
    if token.capital:
        return False
    if of_caption:
        return counted or last in _QUANTIFIERS
    return counted and long and token.text.endswith("s")


_PASSED_OVER = frozenset({"the", "these", "those"})
_QUANTIFIERS = frozenset(
    {"only", "no", "each", "every", "any", "all", "other", "both", "none", "most", "some", "half", "neither"}
)
# So many words has a cell that is a text; and of so few rows what the page is of is said besides.
_LONG, _FEW = 4, 0.25


def _without_days_and_units(
    claim_tokens: tuple[Token, ...], links: list[Link], index: TableIndex
) -> list[Link]:
    """Return the links but bare numbers beside a month, and bounds in a unit that their columns lack."""

    def is_bare_day(item: Link) -> bool:
        is_bare = item.number is not None and item.end == item.start + 1
        return is_bare and is_day_of_a_month(claim_tokens, item.start)

    return [
        item
        for item in links
        if not (is_bare_day(item) or is_bound_of_another_unit(claim_tokens, item, index))
    ]
