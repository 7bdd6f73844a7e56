"""Claims that a number rose, or fell, from each row to the next, where rows are years, ages or the like."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.tables.programs.grammar.number_programs import Cell
from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, denied, numeric_columns
from evidence_assets.tables.programs.readings.times.changes_over_time import claimed_change
from evidence_assets.tables.programs.readings.times.steps_of_changes import words_unbroken
from evidence_assets.tables.programs.wording.trigger_lexicon import each_word, exception
from evidence_assets.tables.programs.wording.words_of_time import TIMES

# Fewer numbers are no series.
_FEWEST = 3


def series_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `heating fell every month`, `the share rises from each age group to the next`.

    Whether a column's numbers all rise, or fall, from row to row; of the rows of a span of time where the
    claim tells one.
    """
    change, steps = claimed_change(claim), _steps(claim)
    if change is None or change.relation == "=" or change.factor is not None or steps is None:
        return
    span = _span(claim)
    if span is None or exception(claim.texts, range(len(claim.texts))) is not None:
        return
    for column in _columns(claim, steps):
        rows = _in_order(claim.index, column, span.rows)
        if len(rows) < _FEWEST or len(rows) < len(claim.index.series[column].keys() & span.rows):
            continue
        bound = binding(claim, span.links, [column], [*change.words, *steps, *span.words])
        program: Truth = All(
            tuple(
                Compare(
                    Cell(Where.of_row(later, column), column),
                    change.relation,
                    Cell(Where.of_row(earlier, column), column),
                )
                for earlier, later in pairwise(rows)
            )
        )
        yield Proposal("series", denied(claim, program, bound), bound)
        return


def _steps(claim: GroundedClaim) -> list[int] | None:
    """Return the words of `every month`, `with each age group`, `from one year to the next`, `steadily`."""
    texts = claim.texts
    onward = next((n for n in range(len(texts)) if texts[n : n + 3] == ("to", "the", "next")), None)
    opening = next((n for n, text in enumerate(texts) if text == "from"), None)
    if (
        onward is not None
        and opening is not None
        and not _FROM_EACH.isdisjoint(texts[opening + 1 : opening + 2])
    ):
        return list(range(opening, onward + 3)) if onward - opening <= _LONGEST_NOUN + 2 else None
    if (unbroken := words_unbroken(claim)) is not None:
        return unbroken
    quantifier = each_word(texts)
    if quantifier is None:
        return None
    start = quantifier + 1 + texts[quantifier + 1 : quantifier + 2].count("passing")
    behind = [head for head in claim.linked.headers if head.start == start and _is_of_rows(claim, head)]
    with_each = texts[max(0, quantifier - 1)] == "with"
    if behind and not (with_each or claim.tokens[start].key in TIMES):
        names_rows = behind[0].columns == {claim.index.table.label_column}
        # Of a city that has a row a year, its own rows are a series.
        is_one_a_row = names_rows and _are_distinct(claim.index, min(behind[0].columns))
        return [*range(quantifier, behind[0].end)] if is_one_a_row else None
    end = max([start + 1, *(head.end for head in behind)])
    is_noun = bool(claim.tokens[start : start + 1]) and claim.tokens[start].key in TIMES
    if with_each:
        places = range(end, len(texts))
        end = next((n for n in places if claim.tokens[n].mark or claim.tokens[n].stop), len(texts))
    if any(head.start in range(start, end) and not _is_of_rows(claim, head) for head in claim.linked.headers):
        # `With every lesson`, of rows that are no lessons.
        return None
    return list(range(quantifier, end)) if is_noun or (with_each and end - start <= _LONGEST_NOUN) else None


def _are_distinct(index: TableIndex, column: int) -> bool:
    """Return whether no two rows have the same in a column."""
    keys = [index.keys[row, column] for row in index.rows - index.summaries]
    return len({*keys}) == len(keys)


_FROM_EACH = frozenset({"each", "every", "one"})
# So many words name what the rows are: `age group`.
_LONGEST_NOUN = 3


def _is_of_rows(claim: GroundedClaim, head: HeaderLink) -> bool:
    return head.columns <= _times(claim.index)


def _times(index: TableIndex) -> set[int]:
    """Return the columns that tell which rows come after which, and the one that names rows."""
    label = index.table.label_column
    return {*index.dates_and_years, *([] if label is None else [label])}


@dataclass(frozen=True, slots=True)
class _Span:
    """The rows of the times that a claim speaks of, and what tells these."""

    rows: frozenset[int]
    links: tuple[Link, ...] = ()
    words: tuple[int, ...] = ()


def _span(claim: GroundedClaim) -> _Span | None:
    """Return the rows of a claim's span of time, all rows without one; None where it names other rows."""
    index = claim.index
    if not claim.links:
        return _Span(index.rows - index.summaries)
    if len(claim.links) > 1 or claim.links[0].places.keys() - index.dates_and_years:
        return None
    (link,) = claim.links
    if link.bound:
        return _Span(link.rows, (link,))
    opening = claim.texts[link.start - 1] if link.start else ""
    on = [link.end] if claim.texts[link.end : link.end + 1] in {("on",), ("onwards",), ("onward",)} else []
    if len(link.rows) != 1 or opening not in {"from", "since"} or not (on or opening == "since"):
        return None
    (first,), column = link.rows, min(link.places)
    later = frozenset(r for r, n in index.series[column].items() if n >= index.series[column][first])
    return _Span(later, (link,), (link.start - 1, *on))


def _columns(claim: GroundedClaim, steps: Collection[int]) -> Iterator[int]:
    """Yield the columns that a claim may tell a series of, those of shares first where it speaks of one."""
    index = claim.index
    heads = [head for head in claim.linked.headers if head.start not in steps]
    columns = [
        column
        for column in numeric_columns(claim, sorted(heads, key=lambda head: head.start - head.end))
        if column not in _times(index) and column not in {*index.year_columns, *index.bands}
    ]
    of_share = not _SHARES.isdisjoint(claim.texts)
    yield from sorted(dict.fromkeys(columns), key=lambda c: ("%" in index.told_units[c]) != of_share)


_SHARES = frozenset({"share", "proportion", "percentage", "rate"})


def _in_order(index: TableIndex, column: int, rows: frozenset[int]) -> list[int]:
    """Return the rows that have a number in a column, in time where a column tells it, else as they stand."""
    numbered = sorted((index.series[column].keys() & rows) - index.summaries)
    times = next(iter(sorted(index.dates_and_years)), None)
    moments = {} if times is None else index.series[times]
    return sorted(numbered, key=moments.__getitem__) if moments.keys() >= set(numbered) else numbered
