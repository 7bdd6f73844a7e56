"""Claims of what one row's numbers were at every, at no or at so many of the times that columns tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.number_programs import Cell, HowMany, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Meet, meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare, Some
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.quantities.bounds import in_scale
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns
from evidence_assets.tables.programs.links.times.period_headers import (
    recurring_parts,
    series_of_years,
    year_series,
)
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_totals, lacks_measure
from evidence_assets.tables.programs.readings.parts.plans import against_plan
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, numeric_columns, where
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY
from evidence_assets.tables.programs.wording.superlative_words import Superlative, commonness
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, comparative, exceeding
from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.tables.programs.wording.words_of_time import OPENINGS_OF_SPANS, TIMES
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.roots import root

# Fewer columns are compared by themselves.
_FEWEST_TIMES = 3
_ALWAYS = frozenset({"always", "throughout", "invariably", "consistently"})
_BEFORE_TIMES = frozenset({"of", "the", "these", "those", "single", "a"})
_QUARTER = re.compile(r"Q\s?[1-4]\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class _Times:
    """At how many of the times it is so, None where at all of them, and the words that tell it."""

    number: float | None
    words: tuple[int, ...]
    total: float | None = None


def throughout_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `in every year A exceeded B`, `A was never above 5`, `A was highest in two of the six years`."""
    times = _told_times(claim)
    if times is not None:
        yield from _throughout(claim, times, columns_spoken_of(claim))
    several = _several_columns(claim)
    if several is not None:
        yield from _throughout(claim, _Times(None, several.words), several.columns, len(several.columns))


def _throughout(
    claim: GroundedClaim, times: _Times, columns: tuple[int, ...], fewest: int = _FEWEST_TIMES
) -> Iterator[Proposal]:
    """Yield whether what a claim says of each of some columns is so at as many of the times as it tells."""
    if len(columns) < fewest or times.total not in {None, float(len(columns))}:
        return
    if claim.negation is not None and claim.negation not in times.words:
        return
    number = len(columns) if times.number is None else times.number
    for parts, links, words in _told_of_each(claim, columns):
        program = Compare(HowMany(parts), "=", Literal(float(number)))
        bound = binding(claim, links, columns, [*times.words, *words])
        yield Proposal("throughout", program, bound)
        return


class _Several(NamedTuple):
    """Columns of which each is meant, and the words that say so."""

    columns: tuple[int, ...]
    words: tuple[int, ...]


def _several_columns(claim: GroundedClaim) -> _Several | None:
    """Return the columns of `in every heat`, `in both A and B`, `in all three classes`; None without."""
    texts = claim.texts
    for position, text in enumerate(texts):
        if text != "both" and text not in EACH:
            continue
        behind = [head for head in claim.linked.headers if head.start > position]
        if text == "both" and len(behind) > 1 and texts[behind[0].end : behind[1].start] == ("and",):
            columns = [*numeric_columns(claim, behind[:1]), *numeric_columns(claim, behind[1:2])]
            words = (position, *range(behind[0].start, behind[1].end))
        else:
            counted = _counts(claim, position + 1)
            noun = position + 1 + counted
            headed = [head for head in behind if head.start == noun and len(head.columns) > 1]
            columns = [*numeric_columns(claim, headed)] or (_measures(claim.index) if counted else [])
            if counted and claim.tokens[position + 1].number != len(columns):
                continue
            words = tuple(range(position, headed[0].end if headed else min(noun + 1, len(texts))))
        if len(set(columns)) > 1 and not set(columns) <= {*time_columns(claim.index)}:
            return _Several(tuple(columns), words)
    return None


def _measures(index: TableIndex) -> list[int]:
    """Return the columns of numbers that name, rank, date or sum up nothing."""
    apart = {index.table.label_column, column_of_totals(index), *ranked_columns(index), *index.dated}
    numeric = index.numeric_columns
    return [column for column in numeric if column not in apart and column not in index.years]


def columns_spoken_of(claim: GroundedClaim) -> tuple[int, ...]:
    """Return the columns of the times that a claim speaks of: all, or those since, or between, its years."""
    columns = time_columns(claim.index) or _of_years_alone(claim) or _numbered_columns(claim.index)
    year_of = claim.index.year_columns
    said = [n for n, token in enumerate(claim.tokens) if token.number in year_of.values()]
    if not said:
        return _spanned(claim, columns)
    years, before = [claim.tokens[n].number or 0.0 for n in said], claim.texts[said[0] - 1]
    if len(years) == _ENDS and before in OPENINGS_OF_SPANS:
        return tuple(c for c in columns if years[0] <= year_of.get(c, 0) <= years[1])
    since = len(years) == 1 and before in {"since", "after"}
    first = years[0] + (before == "after")
    return tuple(c for c in columns if year_of.get(c, 0) >= first) if since else ()


_ENDS = 2


def _spanned(claim: GroundedClaim, columns: tuple[int, ...]) -> tuple[int, ...]:
    """Return those of some columns that `from Monday to Friday` spans, none of single ones; else all."""
    heads = [head for head in claim.linked.headers if head.columns <= {*columns} and len(head.columns) == 1]
    if not heads:
        return columns
    opens = claim.texts[heads[0].start - 1] in OPENINGS_OF_SPANS if heads[0].start else False
    if not opens or len(heads) != _ENDS:
        return ()
    first, last = (columns.index(min(head.columns)) for head in heads)
    return columns[first : last + 1]


def _of_years_alone(claim: GroundedClaim) -> tuple[int, ...]:
    """Return the columns that are headed by a year alone, where a claim names no other column of a year."""
    index = claim.index
    columns = tuple(column for _, column in series_of_years(index).get((), ()))
    others = index.year_columns.keys() - set(columns)
    return () if any(head.columns & others for head in claim.linked.headers) else columns


def time_columns(index: TableIndex) -> tuple[int, ...]:
    """Return the columns that tell the same of years, else of parts of years or weeks; none where none do."""
    columns = year_series(index) or tuple(recurring_parts(index))
    return columns or tuple(
        column
        for column, name in enumerate(index.table.header)
        if index.is_numeric(column) and (_opens_with_a_month(name) or _QUARTER.match(name))
    )


def _numbered_columns(index: TableIndex) -> tuple[int, ...]:
    """Return the columns of numbers whose headers differ by a number alone: `First Duma`, `Round 2`."""
    by_noun: dict[tuple[str, ...], list[int]] = {}
    for column in index.numeric_columns:
        words = tokens(index.table.header[column])
        if any(token.number is not None for token in words):
            by_noun.setdefault(tuple(t.key for t in words if t.number is None), []).append(column)
    series = [columns for noun, columns in by_noun.items() if noun and len(columns) >= _FEWEST_TIMES]
    return tuple(series[0]) if len(series) == 1 else ()


def _opens_with_a_month(name: str) -> bool:
    word = _WORD.match(name)
    return word is not None and word[0].lower() in MONTHS


def _told_times(claim: GroundedClaim) -> _Times | None:
    """Return at how many times it is so: `always`, `never`, `in each of six years`; else None."""
    texts = claim.texts
    for position, token in enumerate(claim.tokens):
        if token.text in _ALWAYS:
            return _Times(None, (position,))
        if token.text == "never" and any(limit.start <= position < limit.end for limit in claim.bounds):
            # `Never reached 5` is a bound by itself.
            return _Times(None, (position,))
        if token.text == "never" or texts[position : position + 2] == ("not", "once"):
            return _Times(0.0, (position,) if token.text == "never" else (position, position + 1))
        if token.key in TIMES:
            times = _before_a_time(claim, position)
            if times is not None:
                return times
    return None


def _before_a_time(claim: GroundedClaim, position: int) -> _Times | None:
    """Return what the words before a noun of time tell: `in each of the six years`, `at no point`."""
    tokens, start = claim.tokens, position
    numbers: list[int] = []
    while start and (tokens[start - 1].text in _BEFORE_TIMES or _counts(claim, start - 1)):
        start -= 1
        numbers += [start] if _counts(claim, start) else []
    before = tokens[start - 1].text if start else ""
    total = tokens[numbers[0]].number if numbers else None
    if before in EACH:
        return _Times(None, (start - 1, *numbers, position), total)
    if before == "any" and claim.negation is not None and claim.texts[claim.negation] in {"not", "never"}:
        denied = any(limit.start <= claim.negation < limit.end for limit in claim.bounds)
        words = (claim.negation, start - 1, *numbers, position)
        return _Times(None if denied else 0.0, words, total)
    if before in {"no", "none", "neither"} or (before == "not" and numbers == [start]):
        return _Times(0.0, (start - 1, *numbers, position), total if before != "not" else None)
    if len(numbers) == _PART_AND_WHOLE and tokens[start].number is not None:
        return _Times(tokens[numbers[1]].number, (*numbers, position), total)
    if len(numbers) == 1 and before in EXACTLY:
        return _Times(total, (start - 1, *numbers, position))
    return None


_PART_AND_WHOLE = 2


def _counts(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number spelt out stands at a position: the `six` of `the six years`."""
    token = claim.tokens[position] if position < len(claim.tokens) else None
    return token is not None and token.number is not None and not token.ordinal and token.text.isalpha()


# Behind `than`: all other rows.
_THE_REST = frozenset({"any", "all", "every", "other", "others", "rest"})
# What is said of each column, with the links and the positions of the words that say it.
_Told = tuple[tuple[Truth, ...], list[Link], list[int]]


def _told_of_each(claim: GroundedClaim, columns: Sequence[int]) -> Iterator[_Told]:
    """Yield what a claim says of each of some columns: above another row, an extreme, within a bound."""
    names = [link for link in claim.names_of_rows if link.places]
    row, planned = _single_row(claim, names), against_plan(claim)
    if planned is not None and planned[1] not in columns:
        relation, plan, said = planned
        if row is not None:
            parts = tuple(Compare(Cell(row, c), relation, Cell(row, plan)) for c in columns)
            yield parts, names, [*said]
        return
    word, than = _comparing(claim)
    if word is not None:
        sides = [link for link in names if link.end <= than], [link for link in names if link.start > than]
        first, second = (_single_row(claim, side) for side in sides)
        is_more = comparative(claim.texts[word]) >= 0 and claim.texts[word] != "behind"
        behind = range(than + 1, min(len(claim.texts), than + 4) if claim.texts[than] not in _FIGURES else 0)
        rest = [n for n in behind if claim.texts[n] in _THE_REST]
        if first is not None and not sides[1] and rest:
            ends = tuple(Some(Meet((Extreme(AllRows(), c, 1, is_more), first))) for c in columns)
            yield ends, names, [word, than, *rest]
        if first is None or second is None:
            return
        relation = ">" if is_more else "<"
        parts = tuple(Compare(Cell(first, c), relation, Cell(second, c)) for c in columns)
        yield parts, names, sorted({word, than})
        return
    if row is None:
        return
    for limit in claim.bounds[:1]:
        numbers = [number for column in columns for number in claim.index.series[column].values()]
        least = Literal(in_scale(limit.bound, numbers))
        bounded = tuple(Compare(Cell(row, c), limit.relation, least) for c in columns)
        yield bounded, names, [*range(limit.start, limit.end), *limit.apart]
        return
    common = commonness(claim.tokens)
    for extreme in (common or claim.superlatives)[:1]:
        if common or not (lacks_measure(claim, extreme.end - 1) or extreme.temporal):
            yield _extreme_of_each(row, extreme, columns), names, [*range(extreme.start, extreme.end)]


def _extreme_of_each(row: Rows, extreme: Superlative, columns: Sequence[int]) -> tuple[Truth, ...]:
    ends = [Extreme(AllRows(), column, extreme.place, extreme.highest) for column in columns]
    return tuple(Some(Meet((end, row))) for end in ends)


def _single_row(claim: GroundedClaim, links: Sequence[Link]) -> Rows | None:
    """Return the row that some links name together; None where they name none or several."""
    rows = meet([where(claim, link) for link in links])
    return rows if links and len(rows.run(claim.index).rows) == 1 else None


def _comparing(claim: GroundedClaim) -> tuple[int | None, int]:
    """Return where a comparative and its `than` stand, or a verb that says as much; None without one."""
    texts = claim.texts
    bounded = positions_of(claim.bounds)
    for than, text in enumerate(texts):
        if text == "than" and than not in bounded:
            word = next(
                (n for n in range(than - 1, max(-1, than - _WIDEST), -1) if comparative(texts[n])), None
            )
            return word, than
        if text in _BESIDE and than not in bounded and not claim.in_condition(than):
            # `Below the figure for the whole basin`.
            figure = next((n for n in range(than + 1, len(texts)) if texts[n] in _FIGURES), than)
            return than, figure if figure - than <= _NEAR_FIGURE else than
        if text == "behind" or (text == "ahead" and texts[than + 1 : than + 2] == ("of",)):
            return than, than
        if than and than not in bounded and (exceeding(text) or root(text) == _TOP):
            return than, than
    return None, 0


_BESIDE = frozenset({"below", "above"})
# Nouns of what a number is compared with, and how near behind the comparison they stand.
_FIGURES = frozenset({"figure", "value", "level", "number", "average", "mean", "rate"})
_NEAR_FIGURE = 2
_TOP = root("top")
# So many words stand between a comparative and its `than`.
_WIDEST = 8
