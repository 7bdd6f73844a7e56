"""Claims of what one row's numbers come to over the times that columns tell: `30 pages over the week`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    Literal,
    sum_of,
)
from evidence_assets.tables.programs.grammar.row_programs import AllRows, meet
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.arithmetic.claimed_amounts import amounts_of, as_column_tells
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed, where
from evidence_assets.tables.programs.readings.times.changes_over_time import claimed_change
from evidence_assets.tables.programs.readings.times.throughout import columns_spoken_of
from evidence_assets.tables.programs.wording.words_of_time import (
    JOINS_OF_TIMES,
    OPENINGS_OF_SPANS,
    TIMES,
    WHOLE,
)
from evidence_assets.tables.programs.wording.words_of_wholes import AVERAGING, adding_words
from evidence_assets.text.dates import is_year

_OVER = frozenset({"over", "during", "across", "throughout", "within", "in", "for", "of"})
_OF_ALL = WHOLE | {"all"}
_BEFORE_TIMES = _OF_ALL | {"the", "these", "those"}


def sums_over_times(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a row's numbers of all times, or of those of a span, come to what a claim tells.

    The number that they come to on average where the claim says so. Of a missing one nobody can tell. Where
    times are rows, whether a column's numbers of all of them do.
    """
    if claim.superlatives or claimed_change(claim) is not None:
        return
    summed = _across_columns(claim) or _down_rows(claim)
    if summed is None:
        return
    amounts = [
        amount
        for amount in amounts_of(claim, summed.names)
        if amount.position not in summed.words and not claim.linked.in_header(amount.position)
    ]
    if len(amounts) != 1:
        return
    amount, column = amounts[0], summed.columns[0]
    bound = as_column_tells(claim, amount.number, amount.unit, column)
    if bound is None or len({claim.index.units[other][0] for other in summed.columns}) > 1:
        return
    averaging = [n for n, text in enumerate(claim.texts) if text in AVERAGING]
    total = Arithmetic("/", summed.total, Literal(float(summed.times))) if averaging else summed.total
    adding = adding_words(claim.texts, range(len(claim.texts)))
    words = [*summed.words, *amount.words, *adding, *averaging]
    of_each = "all" in {claim.texts[n] for n in summed.words} and not (adding or averaging)
    if of_each and amount.relation != "=":
        # `More than 5 in all the years` is so of each.
        return
    program = amount.compared(total, bound)
    yield proposed(claim, "sum over times", program, summed.names, summed.columns, words)


@dataclass(frozen=True, slots=True)
class _Summed:
    """Numbers of several times together, of how many, and what a claim says them by."""

    total: Number
    times: int
    names: list[Link]
    columns: tuple[int, ...]
    words: list[int]


def _across_columns(claim: GroundedClaim) -> _Summed | None:
    """Return the numbers that the row that is named has in columns of times; None where none is."""
    columns = columns_spoken_of(claim)
    names = [link for link in claim.names if link.places]
    if len(columns) < _FEWEST or not names:
        return None
    rows = meet([where(claim, link) for link in names])
    words = _words_of_spans(claim, columns)
    if not _tells_number(claim, words, len(columns)) or len(rows.run(claim.index).rows) != 1:
        return None
    numbers: list[Number] = [Cell(rows, column) for column in columns]
    total = sum_of(numbers)
    return _Summed(total, len(columns), names, columns, words)


def _down_rows(claim: GroundedClaim) -> _Summed | None:
    """Return the numbers of the column that is named in all rows, where these are times; else None."""
    index, label = claim.index, claim.index.table.label_column or 0
    of_times = label in index.dates_and_years or not TIMES.isdisjoint(index.headers[label])
    columns = {
        column
        for column in numeric_columns(claim, claim.linked.headers)
        if column not in {label, *index.years}
    }
    words = _words_of_spans(claim, ()) if of_times and len(columns) == 1 and not claim.names_of_rows else []
    rows = len(index.rows - index.summaries)
    opens = bool(words) and claim.texts[words[0]] in _OVER
    if not opens or not _tells_number(claim, words, rows):
        return None
    column = columns.pop()
    whole = len(index.series[column].keys() - index.summaries) == rows
    total = Aggregate("sum", AllRows(), column)
    return _Summed(total, rows, [], (column,), words) if whole else None


def _tells_number(claim: GroundedClaim, words: list[int], number: int) -> bool:
    """Return whether words of a span tell no other number of times than there are."""
    opens = bool(words) and claim.texts[words[0]] in OPENINGS_OF_SPANS
    numbers = [
        n for n in words if claim.tokens[n].number is not None and not (opens and is_year(claim.texts[n]))
    ]
    return bool(words) and all(claim.tokens[n].number == number for n in numbers)


_FEWEST = 2


def _words_of_spans(claim: GroundedClaim, columns: tuple[int, ...]) -> list[int]:
    """Return the words of `over the five days`, `from May to July`, or of a sum; none without such."""
    tokens, texts = claim.tokens, claim.texts
    said = [n for n in range(len(texts)) if tokens[n].key in TIMES or _is_headed(claim, n, columns)]
    ends = [n for n in said if _is_headed(claim, n, columns)]
    if len(ends) > 1 and texts[ends[0] - 1] in OPENINGS_OF_SPANS and texts[ends[0] + 1] in JOINS_OF_TIMES:
        return [*range(ends[0] - 1, ends[-1] + 1)]
    if ends:
        return []
    for position in said:
        start = position
        while start and (texts[start - 1] in _BEFORE_TIMES or tokens[start - 1].number is not None):
            start -= 1
        before = texts[start - 1] if start else ""
        if before in _OVER and (before not in {"in", "for", "of"} or _tells_whole(claim, start, position)):
            return [*range(start - 1, position + 1)]
    return adding_words(texts, range(len(texts)))


def _tells_whole(claim: GroundedClaim, start: int, end: int) -> bool:
    """Return whether `in` opens all of the times: `in the four years`, `in the whole week`."""
    return any(claim.texts[n] in _OF_ALL or claim.tokens[n].number is not None for n in range(start, end))


def _is_headed(claim: GroundedClaim, position: int, columns: tuple[int, ...]) -> bool:
    """Return whether a word is the header of one of some columns."""
    year = claim.tokens[position].number
    if year is not None and year in {claim.index.year_columns.get(column) for column in columns}:
        return True
    heads = claim.linked.headers_at(position)
    return any(head.columns <= {*columns} for head in heads)
