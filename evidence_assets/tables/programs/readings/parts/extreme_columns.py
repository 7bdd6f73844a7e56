"""The columns that a comparative or superlative may be about, and which end of them is the highest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evidence_assets.tables.programs.index.columns.column_values import OF_BEGINNINGS
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks, ranked_columns
from evidence_assets.tables.programs.readings.parts.proposal import numeric_columns
from evidence_assets.tables.programs.wording.measures import (
    is_of_any,
    is_of_size,
    names_a_dimension,
)
from evidence_assets.tables.programs.wording.quantities import converted, unit_after
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    INVERTED,
    MOST_OR_FEWEST,
    positive,
    row_nouns,
)
from evidence_assets.tables.programs.wording.words import word_key, word_keys
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import word_set

# Headers of times, where the lowest is the best.
_TIMED_COLUMNS = frozenset({"time", "grid", "pick"})
OF_AGE = frozenset({"oldest", "youngest", "older", "younger"})
_OF_AGE_STEMS = frozenset({"old", "young", "new", "recent", "modern"})
OF_QUALITY = word_keys("good bad top")
_OF_LENGTH = word_keys("long short")
# Of heights and sizes, which times of day have not.
OF_AMOUNTS = frozenset(map(positive, ("higher", "lower", "larger", "bigger", "smaller", "greater")))
# Headers of when somebody was born.
OF_BIRTHS = word_keys("born birth birthdate birthday")
ORDERED_COLUMNS = word_set("date year season week game round episod no")
# Comparatives and superlatives of how many there are.
OF_NUMBERS = word_set("more fewer less most fewest least busier busiest quieter quietest")
# Those among them that are of amounts alone, and of no time.
OF_COUNTS = MOST_OR_FEWEST | {"more", "fewer", "less"}
_TOTAL = word_key("total")
_POINT = word_key("point")


def named_or_only_columns(
    claim: GroundedClaim, heads: Iterable[HeaderLink], word: int
) -> Iterator[tuple[int, bool]]:
    """Yield the numeric columns of headers, or of what an adjective measures, as named; else the only one.

    `word`: the position of the comparative or superlative.
    """
    adjective = positive(claim.texts[word])
    measured = claim.index.columns_measured_by(adjective)
    if lacks_measure(claim, word):
        return
    sized = head_of_what_is_sized(claim, word)
    if sized is not None:
        yield from ((column, True) for column in sizes_of(claim, sized, word))
        return
    heads = list(heads)
    columns = list(numeric_columns(claim, heads))
    if measured and not is_of_any(adjective):
        # `Goes farther on a charge than`: what is said of its own dimension comes before other columns.
        meant = [head for head in heads if head.start == word + 1 or head.columns & measured]
        columns = [*numeric_columns(claim, meant), *claim.index.numeric(measured), *columns]
        columns = list(dict.fromkeys(columns))
    columns = _in_the_unit(claim, word, columns)
    if claim.texts[word] in OF_COUNTS:
        # Who paid the least did not pay first.
        columns = [column for column in columns if column not in claim.index.times]
    if adjective in _OF_LENGTH | OF_AMOUNTS:
        # What opened at a later time of day was open no longer for that, and no time of day is high.
        columns = [column for column in columns if column not in claim.index.clocks]
    columns = columns or _columns_outdone(claim.index, claim.texts[word])
    columns = columns or claim.index.numeric(measured) or columns_of_age(claim, word)
    columns = columns or columns_of_points(claim)
    if not columns and claim.texts[word] in {"ahead", "behind"}:
        columns = ranked_columns(claim.index)
    years = claim.index.years_said(claim.tokens)
    columns = [c for c in columns if not years or claim.index.year_columns.get(c, min(years)) in years]
    of_year = column_of_year(claim)
    columns = columns or ([] if of_year is None else [of_year])
    yield from ((column, True) for column in columns)
    counted = claim.texts[word] in OF_NUMBERS or claim.texts[word] == "many"
    # How old something is no column but one of times tells, where there are such.
    aged = is_of_age(claim.texts[word]) and bool(claim.index.dated or claim.index.years)
    only = None if columns or aged else only_numeric_column(claim)
    only = column_of_totals(claim.index) if only is None and counted and not columns else only
    if only is not None:
        yield only, False


def kind_by_column(kind: str, *, is_named: bool) -> str:
    """Return the kind of a program, which tells also where its column is the only one and not named."""
    return kind if is_named else f"{kind} in the only column"


def _in_the_unit(claim: GroundedClaim, word: int, columns: list[int]) -> list[int]:
    """Return those of some columns that a difference may be of, by its unit: `two days longer`.

    Where none is, the only column of the table that is told in such a unit.
    """
    index = claim.index
    number = next((n for n in range(max(0, word - _NEAR_UNIT), word) if _ends_before(claim, n, word)), None)
    name = "" if number is None else unit_after(claim.tokens, number)[0]
    if not name or name == "%":
        return columns
    fitting = [
        column
        for column in index.numeric_columns
        if any(converted(1.0, name, unit) is not None for unit in index.told_units[column])
    ]
    of_time = {*index.clocks, *index.dated, *index.durations}
    kept = [column for column in columns if column in fitting or column in of_time]
    # A time that something took is told in a unit, though no header names it.
    timed = index.durations if converted(1.0, name, "second") is not None else frozenset()
    return kept or (fitting if len(fitting) == 1 and timed <= {*fitting} else columns)


# So many words are a number and its unit.
_NEAR_UNIT = 3


def _ends_before(claim: GroundedClaim, position: int, word: int) -> bool:
    """Return whether a number stands at a position whose unit ends right before a comparative."""
    token = claim.tokens[position]
    return token.number is not None and unit_after(claim.tokens, position)[1].stop == word


def _columns_outdone(index: TableIndex, verb: str) -> list[int]:
    """Return the columns that a verb of outdoing names: of `outsold` the copies sold."""
    done = verb.removeprefix("out")
    return index.numeric(index.header_postings.get(word_key(done), ())) if done != verb else []


def columns_of_age(claim: GroundedClaim, word: int) -> list[int]:
    """Return the only column of when the rows began, for what compares ages: of `older`, `the newest`.

    `The manager in Graz is younger` is of nothing that the table tells.
    """
    index = claim.index
    of_a_row = any(
        claim.texts[link.start - 1 : link.start] in _BEFORE_A_PLACE and link.start - 2 in claim.linked.unknown
        for link in claim.links
    )
    in_time = claim.texts[word] in _OF_TIME
    of_age = in_time or is_of_age(claim.texts[word])
    if of_a_row or not of_age or _is_of_what_it_has(claim, word):
        return []
    dated = index.numeric(index.dates_and_years)
    births = [column for column in dated if not OF_BIRTHS.isdisjoint(index.headers[column])]
    began = [column for column in dated if not OF_BEGINNINGS.isdisjoint(index.headers[column])]
    unordered = [column for column in dated if ORDERED_COLUMNS.isdisjoint(index.headers[column])]
    # Later is what any year tells, of a table whose rows go by something else.
    of_any_time = dated if in_time and index.table.label_column not in dated else []
    choices = (births, unordered, began, of_any_time)
    return next((columns for columns in choices if len(columns) == 1), [])


_OF_TIME = frozenset({"later", "earlier"})


def is_of_age(word: str) -> bool:
    """Return whether a comparative or superlative compares ages: `older`, `the newest`."""
    return positive(word) in _OF_AGE_STEMS


def _is_of_what_it_has(claim: GroundedClaim, word: int) -> bool:
    """Return whether an adjective is of what a row has, and nothing of the table tells that: its readers.

    Of `the Mercury has the youngest readers` they are young, and not the newspaper.
    """
    has = any(text in _HAVING for text in claim.texts[max(0, word - 2) : word])
    token = next(iter(claim.tokens[word + 1 : word + 2]), None)
    return has and token is not None and word + 1 in claim.linked.unknown and token.key not in row_nouns()


_HAVING = frozenset({"have", "has", "had"})
_BEFORE_A_PLACE = {("in",), ("at",), ("of",), ("from",)}


def column_of_totals(index: TableIndex) -> int | None:
    """Return the only column that is headed `total` and nothing more: how many there are in all."""
    columns = [c for c in index.numeric_columns if index.headers[c] == (_TOTAL,)]
    return columns[0] if len(columns) == 1 else None


def columns_of_points(claim: GroundedClaim) -> list[int]:
    """Return the column of totals of a table with ranks, where a claim says `points` that no header does."""
    said = any(token.key == _POINT and not claim.linked.in_header(n) for n, token in enumerate(claim.tokens))
    total = column_of_totals(claim.index) if said and ranked_columns(claim.index) else None
    return [] if total is None else [total]


def column_of_year(claim: GroundedClaim) -> int | None:
    """Return the column of the only year that a claim says, of a table with one column a year; else None."""
    year_columns = claim.index.year_columns
    if len(year_columns) < _FEWEST_YEARS:
        return None
    numbers = {token.number for token in claim.tokens}
    columns = [column for column, year in year_columns.items() if year in numbers]
    of_nothing_else = [column for column in columns if len(claim.index.headers[column]) == 1]
    columns = columns if len(columns) == 1 else of_nothing_else
    return columns[0] if len(columns) == 1 else None


# One column of a year is no choice of years.
_FEWEST_YEARS = 2


def lacks_measure(claim: GroundedClaim, word: int) -> bool:
    """Return whether an adjective measures a dimension that no column tells."""
    adjective, index = positive(claim.texts[word]), claim.index
    counted = head_of_what_is_sized(claim, word)
    if counted is not None:
        return not sizes_of(claim, counted, word)
    aged = adjective in _OF_AGE_STEMS and bool(index.dated or index.years)
    is_measured = index.columns_measured_by(adjective) or index.caption_measures(adjective)
    return not (is_of_any(adjective) or aged or is_measured or claim.texts[word] == "out")


def is_first_the_highest(index: TableIndex, column: int) -> bool | None:
    """Return whether the highest of a column ranks first by it, and not the lowest; None where nothing tells.

    Who ranks first by a time may be the slowest or the fastest.
    """
    if is_of_ranks(index, column):
        return False
    of_time = {*index.times, *index.best_first}
    return None if column in of_time or index.tells_how_long(column) else True


def head_of_what_is_sized(claim: GroundedClaim, word: int) -> HeaderLink | None:
    """Return the header behind an adjective of size that counts what it says: `Dials` of `the smallest dial`.

    How many dials there are is not how small they are.
    """
    head = next((head for head in claim.linked.headers if head.start == word + 1), None)
    if head is None or head.end - head.start > 1 or not is_of_size(positive(claim.texts[word])):
        return None
    said, following = claim.texts[head.start], claim.tokens[head.end : head.end + 1]
    if said.endswith("s") or any(not (token.stop or token.mark) for token in following):
        return None
    index = claim.index
    counts = all(
        index.headers[column] == (claim.tokens[head.start].key,)
        and index.table.header[column].lower().endswith("s")
        and index.is_numeric(column)
        and not index.told_units[column]
        and all(number == int(number) for number in index.series[column].values())
        for column in head.columns
    )
    return head if counts else None


def sizes_of(claim: GroundedClaim, head: HeaderLink, word: int) -> list[int]:
    """Return the column of how large a header's things are, by an adjective: its noun's, or of no noun."""
    index = claim.index
    measured = set(index.numeric(index.columns_measured_by(positive(claim.texts[word])))) - head.columns
    of_noun = [c for c in sorted(measured) if claim.tokens[head.start].key in index.headers[c]]
    # A diameter of dials is none of bells.
    of_any = [c for c in sorted(measured) if all(names_a_dimension([key]) for key in index.headers[c])]
    columns = of_noun or of_any
    return columns if len(columns) == 1 else []


def only_numeric_column(claim: GroundedClaim) -> int | None:
    """Return the table's only column of numbers that are no dates, years or ranks; None where several are."""
    index = claim.index
    columns = [
        column
        for column in index.numeric_columns
        if column != index.table.label_column
        and column not in index.dated
        and column not in index.years
        and not is_of_ranks(index, column)
        and ORDERED_COLUMNS.isdisjoint(index.headers[column])
    ]
    return columns[0] if len(columns) == 1 and not _is_of_ranges(index, columns[0]) else None


def _is_of_ranges(index: TableIndex, column: int) -> bool:
    """Return whether no cell of a column tells one number: `under 18`, `30-59`."""
    cells = [cell.value for cell in index.table.column(column) if cell.value.kind is not Kind.EMPTY]
    return all(value.low is not None or value.high is not None for value in cells)


def is_highest(claim: GroundedClaim, extreme: Superlative, column: int) -> bool:
    """Return whether the largest number is meant.

    The smallest is of ranks, of times for the fastest, and of dates for the oldest, which began first.
    """
    index = claim.index
    turned = is_turned(index, extreme.word, column)
    aged = extreme.word in OF_AGE and column in index.dates_and_years
    return extreme.highest != (turned or aged)


def is_turned(index: TableIndex, word: str, column: int) -> bool:
    """Return whether what a superlative or comparative calls high is low in a column: of ranks, of times."""
    header = set(index.headers[column])
    inverted = word in INVERTED or positive(word) in {positive(superlative) for superlative in INVERTED}
    timed = bool(header & _TIMED_COLUMNS) or index.tells_how_long(column)
    graded = column in index.best_first and positive(word) in OF_QUALITY
    # What is kept for the longest time was begun first.
    began = "since" in index.closings[column] or not OF_BEGINNINGS.isdisjoint(header)
    began = began and column in index.dates_and_years
    graded = graded or (began and positive(word) in _OF_LENGTH)
    return graded or is_of_ranks(index, column) or (inverted and timed)
