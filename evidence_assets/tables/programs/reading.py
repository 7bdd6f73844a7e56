"""A claim read against a table: its links held to the columns it names, its bounds made into links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.anchoring import anchored
from evidence_assets.tables.programs.linking import HeaderLink, Link, Linked, link
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

# A bound behind a copula may be on a header this many tokens before it.
_FAR = 14
_FAR_OFF = 30.0


@dataclass(frozen=True)
class Reading:
    """A linked claim whose values are held to the columns that the claim names for them.

    `links`: of values, and of bounds on a column. `bounds`: those on no
    column: on a count, it seems.
    `numbers`: tokens of numbers that stand nowhere in the table.
    """

    linked: Linked
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
    def linked_places(self) -> frozenset[int]:
        """Tokens inside a link or a header."""
        spans = [(one.start, one.end) for one in self.links]
        spans += [(one.start, one.end) for one in self.linked.headers]
        return frozenset(at for start, end in spans for at in range(start, end))

    def said(self, start: int, end: int) -> str:
        """Return a span's words."""
        return " ".join(self.texts[start:end])


def read(claim: str, index: TableIndex) -> Reading:
    """Return a claim read against a table."""
    found = tokens(claim)
    limits = thresholds(found)
    extremes = tuple(one for one in superlatives(found) if not _is_header(found, one, index))
    periods = period_links(found, index)
    taken = {at for one in limits for at in range(one.start, one.end)}
    taken |= {at for one in periods for at in range(one.start, one.end)}
    taken |= {at for one in extremes for at in range(one.start, one.end)}
    taken |= {*_pronouns(found), *_of_caption(found, index)}
    linked = link(found, index, taken)
    links, anchors = anchored(linked)
    made, free = list(periods), []
    for one in limits:
        column = _bounded_column(linked, one)
        if column is None:
            free.append(one)
        else:
            made.append(_bound_link(index, one, column))
    numbers = tuple(at for at in linked.unknown if linked.tokens[at].number is not None and at not in taken)
    return Reading(
        linked,
        tuple(sorted([*links, *made], key=lambda one: one.start)),
        anchors,
        tuple(free),
        tuple(extremes),
        numbers,
    )


def _is_header(found: tuple[Token, ...], extreme: Superlative, index: TableIndex) -> bool:
    """Return whether the word is of a header: `first`, `last`."""
    return all(token.key in index.header_postings for token in found[extreme.start : extreme.end])


def _of_caption(found: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield numbers that the claim repeats from the caption with a neighbour: `season 3`, `2005 games`."""
    pairs = set(pairwise(index.caption_words))
    for at in range(len(found) - 1):
        one, two = found[at : at + 2]
        if (one.number is None) != (two.number is None) and (one.key, two.key) in pairs:
            yield at if one.number is not None else at + 1


def _pronouns(found: tuple[Token, ...]) -> Iterator[int]:
    """Yield the ones that stand for a row: `the one on 4 May`, `be one of the two clubs`."""
    for at in range(1, len(found) - 1):
        before, after = found[at - 1].text, found[at + 1]
        stands = before == "the" and after.stop and not after.mark
        is_one_of = before == "be" and after.text == "of"
        if found[at].key == "1" and not found[at].ordinal and (stands or is_one_of):
            yield at


def _bounded_column(linked: Linked, limit: Threshold) -> int | None:
    """Return the column of numbers that a bound is on: the header behind it, else the one before it."""
    behind = [head for head in linked.headers if head.start == limit.end]
    copula = limit.start and linked.tokens[limit.start - 1].key == "be"
    before = [head for head in linked.headers if 0 <= limit.start - head.end <= (_FAR if copula else 3)]
    following = linked.tokens[limit.end].key if limit.end < len(linked.tokens) else ""
    near = [*behind, *reversed(before)]
    near.sort(key=lambda head: not any(_spans(linked.index.series[c], limit.bound) for c in head.columns))
    for head in near:
        if head in before and following in row_nouns():
            return None
        numeric = [column for column in sorted(head.columns) if linked.index.is_numeric(column)]
        if numeric:
            return numeric[0]
    return None


def _spans(numbers: dict[int, float], bound: float) -> bool:
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
    told = f"{limit.relation} {limit.bound:g}"
    return Link(limit.start, limit.end, {column: frozenset(rows)}, frozenset({column}), 1, bound=told)
