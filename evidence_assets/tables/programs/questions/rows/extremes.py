"""Rows that a question chooses by an extreme, and the columns that it may be of."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection, chosen_among
from evidence_assets.tables.programs.questions.rows.deeds_in_time import deed_in_time
from evidence_assets.tables.programs.questions.wording.asked_amounts import names_by_number
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    OF_AMOUNTS,
    OF_BIRTHS,
    OF_COUNTS,
    ORDERED_COLUMNS,
    columns_of_age,
    is_first_the_highest,
    is_highest,
    is_of_age,
    is_turned,
    lacks_measure,
)
from evidence_assets.tables.programs.readings.parts.target_columns import target_column
from evidence_assets.tables.programs.readings.parts.unnamed_measures import is_of_no_quality, is_of_no_size
from evidence_assets.tables.programs.wording.measures import is_of_any, is_of_size
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    HIGHEST,
    RANKING,
    comparative,
    direction,
    positive,
)

# At most so many columns are tried for an extreme.
_MOST_MEASURES = 6


def measures(wording: Wording) -> list[int]:
    """Return the columns of numbers and of times, those that the question names first.

    Where an adjective tells the dimension, those of others are left out unless they are named: of rivers the
    longest is by length.
    """
    index = wording.claim.index
    named_columns = [column for column in wording.named if index.is_numeric(column) or column in index.years]
    columns = [
        column
        for column in range(index.table.columns)
        if index.is_numeric(column) or column in index.years or column in index.durations
    ]
    of_dimension = [column for column in columns if column in wording.measured]
    columns = of_dimension or columns
    return list(dict.fromkeys([*named_columns, *columns]))[:_MOST_MEASURES]


def extremes(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the rows of a selection with an extreme, or of alternatives that which is more so."""
    claim, index = wording.claim, wording.claim.index
    used = positions_of(base.links)
    for extreme in claim.superlatives:
        if used & positions_of([extreme]) or _is_of_a_stranger(claim, extreme):
            continue
        if wording.change is not None and is_of_a_change(claim, extreme):
            continue
        target = target_column(claim, extreme)
        columns = [*([target] if target is not None else []), *measures(wording)]
        lacking = lacks_measure(claim, extreme.end - 1)
        if lacking:
            # Of a table of one measure, by times or by things, the columns do not tell it.
            turned = isinstance(index.table, TurnedTable) or index.year_columns
            columns = [column for column in columns if turned and column in wording.named]
        for column in dict.fromkeys(columns):
            if _is_of_another_dimension(wording, extreme, column) or _is_given(base, column):
                continue
            is_meant = column == target or column in wording.named
            if not is_meant and is_of_no_quality(index, extreme.word, column):
                continue
            # An invoice is not the largest by its number, though that is what it is called.
            if is_of_no_size(index, extreme.word, column):
                continue
            if _only_names(wording, extreme, column):
                continue
            highest = is_highest(claim, extreme, column)
            rows = Extreme(base.rows, column, extreme.place, highest)
            kind = "extreme of its column" if column == target else "extreme"
            kind = "extreme of an untold measure" if lacking else kind
            yield chosen_among(claim, kind, rows, base, range(extreme.start, extreme.end), measure=column)
    yield from _of_headers(wording, base)
    yield from _ranked(wording, base)
    yield from _alternatives(wording, base)


def is_of_a_change(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether a superlative is of a change behind it that is no column's: `the biggest drop`."""
    place = extreme.end
    of_header = claim.linked.in_header(place)
    return place < len(claim.texts) and direction(claim.texts[place]) in ("<", ">") and not of_header


def _alternatives(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield which of some rows is more so, where a comparative alone asks: `which is longer, Elm or Oak`."""
    claim, used = wording.claim, positions_of(base.links)
    words = [n for n in wording.of("comparative") if n not in used]
    if claim.superlatives or not words or not wording.of("or"):
        return
    text = claim.texts[words[0]]
    behind = [head for head in claim.linked.headers if head.start == words[0] + 1]
    if text in _OF_NUMBERS and behind and not any(map(claim.index.is_numeric, behind[0].columns)):
        # More batches are more rows.
        return
    index = claim.index
    for column in _compared_columns(wording, words[0]):
        is_in_time = _is_of_time(text) and column in index.times
        highest = (comparative(text) > 0) != is_turned(index, text, column)
        # Of times the later is meant: what is newer, or younger, began later.
        highest = positive(text) in _LATE if is_in_time else highest
        rows = Extreme(base.rows, column, 1, highest)
        yield chosen_among(claim, "choice", rows, base, words[:1], measure=column)


def _compared_columns(wording: Wording, word: int) -> list[int]:
    """Return the columns that a comparative may be of: of `older` ages first, or times that are named."""
    claim, index = wording.claim, wording.claim.index
    text = claim.texts[word]
    if not _is_of_time(text):
        return measures(wording)
    ages = index.numeric(index.columns_measured_by(positive(text)))
    times = [column for column in measures(wording) if column in index.times]
    named_times = [column for column in times if column in wording.named]
    return ages or named_times or columns_of_age(claim, word) or times or measures(wording)


def _ranked(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the row that `ranked third by volume`, or `was the second to open`, by the time."""
    claim, index = wording.claim, wording.claim.index
    used = positions_of(base.links)
    for place in range(1, len(claim.tokens) - 1):
        token, before, behind = (claim.tokens[n] for n in (place, place - 1, place + 1))
        if not token.ordinal or token.number is None or place in used:
            continue
        if deed := deed_in_time(claim, place):
            times = [column for column in index.times if index.series[column]]
            columns = deed.columns or (times if len(times) == 1 else [])
            highest, words = False, [place, deed.verb]
        elif before.key in RANKING:
            following = [head for head in claim.linked.headers if head.start > place]
            columns = index.numeric([c for h in following for c in sorted(h.columns)] or wording.named)[:1]
            first = is_first_the_highest(index, columns[0]) if columns else None
            columns, highest = columns if first is not None else [], bool(first)
            words = [place - 1, place, *([place + 1] if behind.text in {"by", "in"} else [])]
        else:
            continue
        for column in columns[:1]:
            rows = Extreme(base.rows, column, int(token.number), highest)
            yield chosen_among(claim, "extreme", rows, base, words, measure=column)


def _of_headers(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the rows with the most of what a header calls so itself: the core with the `oldest ice`."""
    claim = wording.claim
    for head in claim.linked.headers:
        column = min(head.columns)
        header = claim.index.table.header[column].lower().split()
        # Of `the highest high tide` no header says `highest`.
        words = [n for n in range(head.start, head.end) if claim.texts[n] in HIGHEST.intersection(header)]
        if words and len(head.columns) == 1 and claim.index.is_numeric(column):
            rows = Extreme(base.rows, column, 1, highest=True)
            yield chosen_among(claim, "extreme of its column", rows, base, words, measure=column)


def _is_of_another_dimension(wording: Wording, extreme: Superlative, column: int) -> bool:
    """Return whether a column does not tell what a superlative measures.

    What another column tells, as the cheapest is by its price; or of the longest a weight, or a date.
    """
    index, adjective = wording.claim.index, positive(extreme.word)
    measured = index.columns_measured_by(adjective)
    times = index.times
    if _is_of_time(extreme.word) and not measured and times:
        births = _of_births(index) if is_of_age(extreme.word) else frozenset[int]()
        return column not in (times & wording.named.keys() or births or times)
    if extreme.word in _ENDS and times:
        return column not in times and ORDERED_COLUMNS.isdisjoint(index.headers[column])
    names_rows = column == index.table.label_column
    if measured and (names_rows or not is_of_any(adjective)):
        return column not in measured
    of_size = is_of_size(adjective) and adjective not in _OF_LENGTH and column in times - measured
    # `Who joined most recently` is of times, `who paid the most` is not.
    counts = extreme.word in OF_COUNTS and not "".join(wording.claim.texts[extreme.end :][:1]).endswith("ly")
    if of_size or (adjective in OF_AMOUNTS and column in index.clocks) or (counts and column in times):
        return True
    if adjective not in _OF_LENGTH or column in measured or "since" in index.closings[column]:
        return False
    units = index.told_units[column]
    of_length = (converted(1.0, unit, length) for unit in units for length in ("second", "meter"))
    return column in {*index.dated, *index.clocks} or (
        bool(units) and all(length is None for length in of_length)
    )


def _is_of_a_stranger(claim: GroundedClaim, extreme: Superlative) -> bool:
    """Return whether the noun behind a superlative of a dimension is nothing of the table, nor the dimension.

    Of `the longest waiting times` a table without lengths and durations tells nothing.
    """
    adjective = positive(extreme.word)
    of_a_dimension = adjective in _OF_LENGTH or not is_of_any(adjective)
    is_told = claim.index.columns_measured_by(adjective) or claim.index.caption_measures(adjective)
    return extreme.end in claim.linked.unknown and of_a_dimension and not is_told


def _is_given(base: Selection, column: int) -> bool:
    """Return whether rows were chosen by one value of a column, of which none has more than another."""
    return any(link.places.keys() == {column} and not link.bound for link in base.links)


def _only_names(wording: Wording, extreme: Superlative, column: int) -> bool:
    """Return whether a column's numbers are the names of what is asked for: `which plot is the biggest`."""
    noun = wording.place_of_noun
    if wording.asking_word != "which" or noun is None or not wording.asking[-1] < noun < extreme.start:
        return False
    return column in wording.asked_columns and (column == 0 or names_by_number(wording.claim.index, column))


def _of_births(index: TableIndex) -> frozenset[int]:
    """Return the columns of births, which tell ages before other times."""
    return frozenset(column for column in index.times if not OF_BIRTHS.isdisjoint(index.headers[column]))


def _is_of_time(word: str) -> bool:
    """Return whether a comparative or superlative orders in time: `older`, `the latest`."""
    return is_of_age(word) or positive(word) in _IN_TIME


_ENDS = frozenset({"first", "last"})
_IN_TIME = frozenset(map(positive, ("earliest", "latest", "soonest")))
_LATE = frozenset(map(positive, ("youngest", "newest", "latest", "recent", "modern")))
_OF_NUMBERS = frozenset({"more", "fewer"})
_OF_LENGTH = frozenset({"long", "short"})
