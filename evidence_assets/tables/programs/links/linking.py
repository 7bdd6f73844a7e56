"""Links of a claim's spans to a table's cells and headers, and a claim with its links."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare, claimed_share, fraction
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.thresholds import Threshold, thresholds
from evidence_assets.tables.programs.wording.words import Token

HEADER = -1


@dataclass(frozen=True)
class Link:
    """Cells that the tokens `[start, end)` of the claim name.

    `places`: the rows by column. `full`: columns where the span is a whole cell. `words`: content tokens.
    `bound`: the condition of a link that is a threshold, else empty. `undetermined`: rows of which the table
    does not tell whether they meet it.
    """

    start: int
    end: int
    places: dict[int, frozenset[int]]
    full: frozenset[int]
    words: int
    number: float | None = None
    bound: str = ""
    undetermined: frozenset[int] = frozenset()

    @classmethod
    def of_column(
        cls,
        start: int,
        end: int,
        column: int,
        rows: frozenset[int],
        bound: str,
        words: int = 1,
        undetermined: frozenset[int] = frozenset(),
    ) -> Link:
        """Return the link of a span to the rows of one column that meet a condition."""
        columns = frozenset({column})
        return cls(start, end, {column: rows}, columns, words, bound=bound, undetermined=undetermined)

    @cached_property
    def rows(self) -> frozenset[int]:
        """The rows of any column."""
        return frozenset[int]().union(*self.places.values())

    def within(self, columns: Iterable[int]) -> Link:
        """Return the link restricted to these columns."""
        places = {column: self.places[column] for column in columns if column in self.places}
        return replace(self, places=places, full=frozenset(self.full & places.keys()))


def positions_of(spans: Iterable[Link | HeaderLink | Threshold | Superlative]) -> frozenset[int]:
    """Return the positions of the tokens of some spans."""
    return frozenset([position for span in spans for position in range(span.start, span.end)])


_Span = TypeVar("_Span", Link, "HeaderLink", Superlative)


def clear_of(taken: Set[int], spans: Iterable[_Span]) -> list[_Span]:
    """Return the spans that hold none of some positions."""
    if not taken:
        return list(spans)
    return [span for span in spans if taken.isdisjoint(range(span.start, span.end))]


def rows_by_column(cells: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Return the rows of cells (row, column), by column."""
    rows: dict[int, set[int]] = {}
    for row, column in cells:
        rows.setdefault(column, set()).add(row)
    return {column: frozenset(members) for column, members in rows.items()}


def limit_of(link: Link) -> tuple[str, float] | None:
    """Return the relation to a number that rows of a link stand in: of `> 5`; None of any other bound."""
    limit = _LIMIT.fullmatch(link.bound)
    return None if limit is None else (limit[1], float(limit[2]))


_LIMIT = re.compile(r"([<>]=?) (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)")


def is_weak(link: Link) -> bool:
    """Return whether a link rests on a single word of a longer cell."""
    return link.words == 1 and link.number is None and not link.full and bool(link.places)


@dataclass(frozen=True)
class HeaderLink:
    """Columns that a span of the claim names. `share`: of the header's content words in the span."""

    start: int
    end: int
    columns: frozenset[int]
    share: float


@dataclass
class LinkedClaim:
    """A claim's tokens with their links. `unknown`: positions of content tokens that are not in the table."""

    tokens: tuple[Token, ...]
    index: TableIndex
    links: list[Link]
    headers: list[HeaderLink]
    unknown: list[int]

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The claim's words as written, lower-cased."""
        return tuple(token.text for token in self.tokens)

    @cached_property
    def said(self) -> frozenset[str]:
        """The claim's words as written, lower-cased, without their order."""
        return frozenset(self.texts)

    @cached_property
    def share(self) -> ClaimedShare | None:
        """The share that is told of something, as `most of`; None without one."""
        return claimed_share(self.tokens)

    @cached_property
    def fraction(self) -> ClaimedShare | None:
        """The first fraction, as `two thirds`; None without one."""
        return fraction(self.tokens)

    @cached_property
    def thresholds(self) -> tuple[Threshold, ...]:
        """The numbers that something is bounded by."""
        return thresholds(self.tokens)

    def headers_at(self, position: int) -> list[HeaderLink]:
        """Return the linked headers that a token belongs to."""
        return [header for header in self.headers if header.start <= position < header.end]

    def in_header(self, position: int) -> bool:
        """Return whether a token belongs to a linked header."""
        return bool(self.headers_at(position))

    @property
    def inside_names(self) -> frozenset[int]:
        """Positions of the tokens of links of several words."""
        return positions_of(link for link in self.links if link.words > 1)

    @property
    def coverage(self) -> float:
        """Share of the claim's content words found in a cell or a header."""
        return self.coverage_with(())

    def coverage_with(self, bound: Container[int]) -> float:
        """Return the share of the content words found in a cell or a header, or bound at these positions."""
        words = sum(not token.stop for token in self.tokens)
        unaccounted = sum(position not in bound for position in self.unknown)
        return 1.0 - unaccounted / words if words else 0.0
