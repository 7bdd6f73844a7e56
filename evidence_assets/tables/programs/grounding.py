"""A claim grounded in a table: its links restricted to the columns it names, its bounds made into links."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.anchoring import anchored
from evidence_assets.tables.programs.linking import HeaderLink, Link, LinkedClaim, link
from evidence_assets.tables.programs.periods import period_links
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.trigger_lexicon import (
    Superlative,
    Threshold,
    row_nouns,
    superlatives,
    thresholds,
)
from evidence_assets.tables.programs.words import Token, tokens

# A bound after_limit a copula may be on a header this many tokens before it.
_FAR = 14
_FAR_OFF = 30.0


@dataclass(frozen=True)
class GroundedClaim:
    """A linked claim, each value restricted to the columns that the claim names for it.

    `links`: of values, and of bounds on a column. `anchors`: the header of a value, by the value's first
    token. `bounds`: thresholds on no column, which may be on a count. `numbers`: positions of numbers that
    are not in the table.
    """

    linked: LinkedClaim
    links: tuple[Link, ...]
    anchors: dict[int, HeaderLink]
    bounds: tuple[Threshold, ...]
    superlatives: tuple[Superlative, ...]
    numbers: tuple[int, ...]

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

    @cached_property
    def linked_positions(self) -> frozenset[int]:
        """Positions of the tokens inside a link or a header."""
        return _positions(self.links) | _positions(self.linked.headers)

    @property
    def all_rows(self) -> frozenset[int]:
        """Every row of the table."""
        return frozenset(range(len(self.index.cells)))

    def position(self, words: Container[str]) -> int | None:
        """Return where the first of these words stands in the claim; None where none does."""
        return next((position for position, text in enumerate(self.texts) if text in words), None)

    def phrase(self, start: int, end: int) -> str:
        """Return the words from `start` up to `end`."""
        return " ".join(self.texts[start:end])


def _positions(spans: Iterable[Link | HeaderLink | Threshold | Superlative]) -> frozenset[int]:
    return frozenset(position for span in spans for position in range(span.start, span.end))


def ground(claim: str, index: TableIndex) -> GroundedClaim:
    """Return a claim grounded in a table."""
    claim_tokens = tokens(claim)
    limits = thresholds(claim_tokens)
    extremes = tuple(item for item in superlatives(claim_tokens) if not _is_header(claim_tokens, item, index))
    periods = period_links(claim_tokens, index)
    excluded = _positions(limits) | _positions(periods) | _positions(extremes)
    excluded |= {*_pronouns(claim_tokens), *_caption_numbers(claim_tokens, index)}
    linked = link(claim_tokens, index, excluded)
    links, anchors = anchored(linked)
    bound_links, unbound = list(periods), []
    for limit in limits:
        column = _bounded_column(linked, limit)
        if column is None:
            unbound.append(limit)
        else:
            bound_links.append(_bound_link(index, limit, column))
    numbers = tuple(n for n in linked.unknown if linked.tokens[n].number is not None and n not in excluded)
    return GroundedClaim(
        linked,
        tuple(sorted([*links, *bound_links], key=lambda link: link.start)),
        anchors,
        tuple(unbound),
        tuple(extremes),
        numbers,
    )


def _is_header(claim_tokens: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether a superlative belongs to a header: `first`, `last`."""
    return all(token.key in index.header_postings for token in claim_tokens[extreme.start : extreme.end])


def _caption_numbers(claim_tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield numbers that the claim repeats from the caption with a neighbour: `season 3`, `2005 games`."""
    pairs = set(pairwise(index.caption_words))
    for position in range(len(claim_tokens) - 1):
        first, second = claim_tokens[position : position + 2]
        if (first.number is None) != (second.number is None) and (first.key, second.key) in pairs:
            yield position if first.number is not None else position + 1


def _pronouns(claim_tokens: tuple[Token, ...]) -> Iterator[int]:
    """Yield positions of `one` as a pronoun for a row: `the one on 4 May`, `be one of the two clubs`."""
    for position in range(1, len(claim_tokens) - 1):
        before, after = claim_tokens[position - 1].text, claim_tokens[position + 1]
        is_the_one = before == "the" and after.stop and not after.mark
        is_one_of = before == "be" and after.text == "of"
        if (
            claim_tokens[position].key == "1"
            and not claim_tokens[position].ordinal
            and (is_the_one or is_one_of)
        ):
            yield position


def _bounded_column(linked: LinkedClaim, limit: Threshold) -> int | None:
    """Return the numeric column that a bound is on: the header after it, else the header before it."""
    after_limit = [head for head in linked.headers if head.start == limit.end]
    copula = limit.start and linked.tokens[limit.start - 1].key == "be"
    before = [head for head in linked.headers if 0 <= limit.start - head.end <= (_FAR if copula else 3)]
    following = linked.tokens[limit.end].key if limit.end < len(linked.tokens) else ""
    nearby = [*after_limit, *reversed(before)]
    nearby.sort(
        key=lambda head: not any(_contains_bound(linked.index.series[c], limit.bound) for c in head.columns)
    )
    for head in nearby:
        if head in before and following in row_nouns():
            return None
        numeric = [column for column in sorted(head.columns) if linked.index.is_numeric(column)]
        if numeric:
            return numeric[0]
    return None


def _contains_bound(numbers: dict[int, float], bound: float) -> bool:
    return bool(numbers) and min(numbers.values()) <= bound <= max(numbers.values())


def _in_scale(bound: float, numbers: Iterable[float]) -> float:
    """Return a bound in the scale of the numbers: thousandths or thousands of them where it is far off."""
    sizes = [abs(number) for number in numbers if number]
    if not sizes or not bound:
        return bound
    for scale in (1.0, 1e-3, 1e3, 1e-6, 1e6):
        if min(sizes) / _FAR_OFF <= abs(bound * scale) <= max(sizes) * _FAR_OFF:
            return bound * scale
    return bound


def _bound_link(index: TableIndex, limit: Threshold, column: int) -> Link:
    numbers = index.series[column]
    bound = _in_scale(limit.bound, numbers.values())
    rows = operations.where(numbers, column, limit.relation, bound).rows
    condition = f"{limit.relation} {limit.bound:g}"
    return Link(limit.start, limit.end, {column: frozenset(rows)}, frozenset({column}), 1, bound=condition)
