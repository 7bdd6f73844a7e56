"""The column whose extreme a superlative asks for."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    OF_AGE,
    OF_AMOUNTS,
    ORDERED_COLUMNS,
    column_of_year,
    columns_of_age,
    head_of_what_is_sized,
    sizes_of,
)
from evidence_assets.tables.programs.wording.measures import headers_measured, is_of_any, is_of_size
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import positive
from evidence_assets.tables.programs.wording.words import ARTICLES, tokens, word_key


def target_column(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the column whose extreme is asked for: the next header after the word, else the one before."""
    index = claim.index
    heads = [
        head
        for head in claim.linked.headers
        if not (
            _names_a_row(claim, head)
            or _is_its_own_condition(claim, head)
            or _is_the_noun_of_a_number(claim, head)
            or _numbers_what_is_measured(index, head, extreme)
        )
    ]
    counted = head_of_what_is_sized(claim, extreme.end - 1)
    heads = [head for head in heads if head is not counted]
    behind = _up_to_the_next(claim, extreme, [head for head in heads if head.start >= extreme.end])
    before = [head for head in heads if head.end <= extreme.start]
    if extreme.temporal and extreme.word in {"first", "last", "earliest", "latest", "recent", "final"}:
        # What ends first does so by when it ends, whatever else a table tells of times.
        done = [head for head in before if head.end == extreme.start and head.columns <= {*index.dated}]
        return min(done[0].columns) if done else _ordered_column(index, behind[:1])
    ages = _ages(index, extreme) if extreme.word in OF_AGE else []
    by_words = [*_column_by_which(claim, extreme), *_column_of_its_words(claim, extreme), *ages]
    if by_words:
        return by_words[0]
    named_column = _column_of_the_caption(claim, extreme)
    if named_column is None:
        named_column = _phrase_column(claim, behind, extreme.end)
    of_time = {*index.dates_and_years, *index.header_postings.get("age", ())}
    measured = index.columns_measured_by(positive(extreme.word))
    if named_column is not None and (not extreme.temporal or named_column in of_time):
        # `The shortest bridge opened in 1958`: what is said of it besides is not what it is the shortest in;
        # nor is the hottest day the one of the most rainy days.
        of_another = not extreme.temporal and (
            named_column in of_time or _is_of_another_dimension(claim, extreme, named_column)
        )
        return next(iter(index.numeric(measured)), named_column) if of_another else named_column
    beside = bool(behind) and behind[0].start - extreme.end <= 1
    for head in [] if beside else reversed(before):
        # `Going by the rents, the biggest is also the dearest`: each is of what its adjective measures.
        numeric = index.numeric(head.columns & measured if measured else head.columns)
        if numeric and (extreme.start - head.end <= _GAP_MOST or _opens_with_its_amount(claim, head)):
            return numeric[0]
    left: list[int] = []
    if counted is not None:
        left = sizes_of(claim, counted, extreme.end - 1)
    elif extreme.temporal or extreme.word in OF_AGE:
        left = columns_of_age(claim, extreme.end - 1)
    return next(iter(left), None)


def _ages(index: TableIndex, extreme: Superlative) -> list[int]:
    """Return the columns of ages: of their name, else those that are headed by years alone, `Yrs`."""
    measured = index.columns_measured_by(positive(extreme.word)) - index.dates_and_years
    in_years = [column for column in measured if index.headers[column] == _YEARS]
    return index.numeric(index.header_postings.get("age", ())) or index.numeric(in_years)


_YEARS = (word_key("year"),)


def _is_of_another_dimension(claim: GroundedClaim, extreme: Superlative, column: int) -> bool:
    """Return whether a column tells nothing of the one dimension that a superlative measures."""
    adjective, index = positive(extreme.word), claim.index
    measured = index.columns_measured_by(adjective)
    return (
        bool(measured)
        and not is_of_any(adjective)
        and column not in measured
        # Of `the cheapest rate` a rate is what it says.
        and not headers_measured(adjective, index.headers[column])
        and not index.is_told_as(adjective, column)
    )


def _column_by_which(claim: GroundedClaim, extreme: Superlative) -> list[int]:
    """Return the column of `the longest trip by distance`; none where nothing tells by what it is so."""
    behind = range(extreme.end, min(len(claim.texts) - 1, extreme.end + _NEAR_BY))
    by = next((n for n in behind if claim.texts[n] == "by"), None)
    if by is None:
        return []
    noun, index = claim.tokens[by + 1], claim.index
    if noun.text in _OF_TIMES:
        # Of `by year of birth` the last word tells which, and no number of years is meant.
        last = claim.tokens[by + 3 : by + 4] if claim.texts[by + 2 : by + 3] == ("of",) else ()
        columns = index.columns_like(last[0].key if last else noun.key)
        return sorted(columns) if len(columns) == 1 and columns <= index.dates_and_years else []
    numeric = index.numeric(index.columns_like(noun.key))
    if not numeric and noun.text == "distance":
        numeric = index.numeric(index.columns_measured_by("far"))
    return numeric if len(numeric) == 1 else []


_NEAR_BY = 8
_OF_TIMES = frozenset({"year", "date"})


def _column_of_its_words(claim: GroundedClaim, extreme: Superlative) -> list[int]:
    """Return the column that is headed by a superlative and the word behind it: of `the third oldest ice`."""
    noun = claim.tokens[extreme.end] if extreme.end < len(claim.tokens) else None
    if noun is None or noun.stop or noun.mark:
        return []
    words = {word_key(extreme.word), noun.key}
    columns = [c for c, keys in enumerate(claim.index.headers) if words <= {*keys} and len(words) > 1]
    numeric = claim.index.numeric(columns)
    return numeric if len(numeric) == 1 else []


def _up_to_the_next(claim: GroundedClaim, extreme: Superlative, behind: list[HeaderLink]) -> list[HeaderLink]:
    """Return the headers behind a superlative that are not the next one's.

    Of `the crew with the smallest boat rescued the most people`, what they rescued is not what is smallest;
    `the highest and the lowest price` are of one column.
    """
    following = next((item for item in claim.superlatives if item.start >= extreme.end), None)
    if following is None:
        return behind
    if _BETWEEN_EXTREMES.issuperset(claim.texts[extreme.end : following.start]):
        return _of_its_dimension(claim, extreme, behind)
    before = [head for head in behind if head.end <= following.start]
    is_verb = bool(before) and ARTICLES.issuperset(claim.texts[before[-1].end : following.start])
    measured = claim.index.columns_measured_by(positive(extreme.word))
    return before[:-1] if is_verb and (measured or len(before) > 1) else before


def _of_its_dimension(
    claim: GroundedClaim, extreme: Superlative, heads: list[HeaderLink]
) -> list[HeaderLink]:
    """Return the headers of what a superlative measures, if anything tells that; else all of them.

    Of `both the longest and the most expensive van` the longest is not so by its price.
    """
    adjective = positive(extreme.word)
    measured = claim.index.columns_measured_by(adjective) if is_of_size(adjective) else frozenset()
    return [head for head in heads if head.columns & measured] if measured else heads


_BETWEEN_EXTREMES = ARTICLES | {"and", "or", "but", "nor", ",", "both", "not", "also"}


def _ordered_column(index: TableIndex, heads: Iterable[HeaderLink]) -> int | None:
    """Return the column of dates, else of what orders rows, that tells what came first; of headers first."""
    ordered = (
        index.dated
        or index.clocks
        or [
            column
            for column in range(index.table.columns)
            if not ORDERED_COLUMNS.isdisjoint(index.headers[column])
        ]
    )
    times = {*ordered, *index.clocks}
    named = [column for head in heads for column in sorted(head.columns) if column in times]
    return next(iter(named or ordered), None)


def _column_of_the_caption(claim: GroundedClaim, extreme: Superlative) -> int | None:
    """Return the year's column of `in 2020 line 20 had the most passengers`, of which the caption speaks."""
    following = claim.tokens[extreme.end].key if extreme.end < len(claim.tokens) else ""
    of_caption = following in claim.index.caption and not claim.linked.in_header(extreme.end)
    return column_of_year(claim) if of_caption else None


def _opens_with_its_amount(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a claim opens with an amount of a column: `with 420 camels, Una's was the largest`."""
    return claim.texts[0] == "with" and any(
        link.start == 1 and link.number is not None and link.end == head.start for link in claim.links
    )


def _names_a_row(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header is of what names rows: the label column's, or a number's, as `invoice 1043`."""
    label = claim.index.table.label_column
    numbered = any(link.start == head.end and link.number is not None for link in claim.links)
    return numbered or head.columns == frozenset({label})


def _numbers_what_is_measured(index: TableIndex, head: HeaderLink, extreme: Superlative) -> bool:
    """Return whether a header is of the numbers that rows go by: by these no line is the longest."""
    adjective = positive(extreme.word)
    is_measured = is_of_size(adjective) or index.columns_measured_by(adjective) - head.columns
    return bool(is_measured) and all(is_a_number_of_rows(index, column) for column in head.columns)


def is_a_number_of_rows(index: TableIndex, column: int) -> bool:
    """Return whether a column tells by which numbers rows go, and no rank: those of lines, of stalls."""
    return index.numbers_its_rows(column) and not is_of_ranks(index, column)


def _is_its_own_condition(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header sets a condition on its column; not `win` of `the biggest win`, a margin's."""
    return any(
        link.bound and link.start <= head.start < link.end and not head.columns.isdisjoint(link.places)
        for link in claim.links
    )


def _is_the_noun_of_a_number(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header tells with a number before it which rows are meant: of `four-berth models`."""
    return claim.texts[head.start - 1 : head.start] == ("-",) and any(
        link.end == head.start - 1 and link.number is not None and link.places.keys() <= head.columns
        for link in claim.links
    )


def _measuring(claim: GroundedClaim, head: HeaderLink, start: int) -> set[int]:
    """Return the columns of a header that a superlative before `start` may be of.

    A time of day is not the highest, and a price per pack not the largest pack.
    """
    index, columns = claim.index, set(head.columns)
    if positive(claim.texts[start - 1]) in OF_AMOUNTS:
        columns -= {*index.clocks}
    if head.end - head.start == 1 and claim.texts[head.start - 1] != "per":
        # `Persons per hour` tells the hourly capacity, where nothing else tells anything hourly.
        columns = {c for c in columns if not _is_what_it_is_told_per(index, c, head, claim)} or columns
    return columns


def _is_what_it_is_told_per(index: TableIndex, column: int, head: HeaderLink, claim: GroundedClaim) -> bool:
    """Return whether a column's header says a word behind its `per` alone: `Price per pack`."""
    before, per, behind = index.table.header[column].lower().partition(" per ")
    key = claim.tokens[head.start].key
    keys = [{token.key for token in tokens(part)} for part in (before, behind)]
    return bool(per) and key in keys[1] and key not in keys[0]


def _phrase_column(claim: GroundedClaim, behind: list[HeaderLink], start: int) -> int | None:
    """Return the numeric column named last in the first run of headers after a superlative."""
    index = claim.index
    run: list[HeaderLink] = []
    for head in behind:
        if head.start - (run[-1].end if run else start) > (0 if run else _GAP_MOST):
            if any(index.is_numeric(c) for member in run for c in member.columns) or not run:
                break
            run = []
            if head.start - start > _GAP_MOST:
                break
        run.append(head)
    for head in reversed(run):
        numeric = index.numeric(_measuring(claim, head, start))
        # Of `the most expensive sheet` the numbers that sheets go by tell no price.
        if numeric and not (len(run) > 1 and is_a_number_of_rows(index, numeric[0])):
            return numeric[0]
    return None


_GAP_MOST = 6
