"""Rows that a claim names by where they came in a column of ranks: the winner, the last-placed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.contest_words import WIN
from evidence_assets.tables.programs.wording.trigger_lexicon import RANKED_COLUMNS, RANKING
from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.text.words import word_set, words

_WINNERS = word_set("winner winners champion champions")
_RUNNERS_UP = {("runner", "-", "up"), ("runners", "-", "up")}
_BEFORE_WINNING = frozenset({"the", "this"})
# What is winning without being a winner.
_NO_WINNERS = word_set("streak run margin percentage rate record goal goals start season average ways")
_PLACES = {"first": 1, "top": 1, "last": -1, "bottom": -1}
_PLACED = ("-", "placed")


def ranked_columns(index: TableIndex) -> list[int]:
    """Return the columns of ranks, by their headers."""
    return index.numeric(columns_of_ranks(index))


def is_of_ranks(index: TableIndex, column: int) -> bool:
    """Return whether a column is of ranks: `Place`, `Seed`; not of numbers of `Places`, `Finishers`.

    So are years of a caption that tells rankings.
    """
    return column in columns_of_ranks(index)


@kept_for_indexes
def columns_of_ranks(index: TableIndex) -> frozenset[int]:
    """Return the columns of ranks, of numbers or of words."""
    return frozenset(column for column in range(index.table.columns) if _tells_ranks(index, column))


def _tells_ranks(index: TableIndex, column: int) -> bool:
    named = not RANKED_COLUMNS.isdisjoint(index.headers[column]) and any(
        word_key(word) in RANKED_COLUMNS and (word == "pos" or not word.endswith("s"))
        for word in words(index.table.header[column].lower())
    )
    of_years = column in index.year_columns and bool(_RANKINGS.search(index.table.caption))
    is_seed = index.table.header[column].strip().lower() in _SEEDS
    # When boats finished is not where they came in.
    is_time = column in index.clocks or column in index.dated or column in index.durations
    return (named and not is_time) or ((of_years or is_seed) and _are_places(index, column))


# What a caption calls the ranks that columns of years tell, and the last of them.
_RANKINGS = re.compile(
    r"\brankings?\b|\b(?:ranking|chart|league|finishing|final|world) positions?\b", re.IGNORECASE
)
_SEEDS, _LAST_PLACE = frozenset({"seed", "seeding"}), 1000


def _are_places(index: TableIndex, column: int) -> bool:
    """Return whether a column's numbers may be places, of which hardly one comes twice."""
    numbers = index.series[column].values()
    return are_places(index, column) and len(set(numbers)) >= _DISTINCT * len(numbers)


def are_places(index: TableIndex, column: int) -> bool:
    """Return whether a column's numbers may be places: whole, from 1, of no unit."""
    numbers = index.series[column].values()
    whole = all(number.is_integer() and 1 <= number <= _LAST_PLACE for number in numbers)
    return bool(numbers) and whole and not index.told_units[column]


_DISTINCT = 0.8


def standing_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the links of `the winner`, `the runner-up`, `the last-placed` to the rows of such a rank.

    None where the table has a word for them itself, or no row of that rank.
    """
    columns = ranked_columns(index)
    if not columns:
        return
    headings = set(words(" ".join(index.table.header)))
    numbers = {row: rank for row, rank in index.series[columns[0]].items() if row not in index.summaries}
    for start, token in enumerate(tokens):
        end, place = (start + 1, 1) if says_who_won(tokens, start, index) else _standing_at(tokens, start)
        is_a_word_of_it = token.key in index.postings or token.text in headings
        # `The runner-up`, `the third-placed` are no runner and no third.
        if not place or (is_a_word_of_it and end == start + 1):
            continue
        ranked = operations.place_of(numbers, abs(place), highest=place < 0)
        if ranked.rows and (place < 0 or ranked.number == place):
            yield Link.of_column(start, end, columns[0], ranked.rows, "")


def says_who_won(tokens: tuple[Token, ...], start: int, index: TableIndex) -> bool:
    """Return whether a verb says who came first, `won the relay`, not how much: `won two medals`."""
    behind = (token for token in tokens[start + 1 :] if not (token.stop or token.mark))
    before, thing = tokens[start - 1] if start else None, next(behind, None)
    is_noun = before is None or before.number is not None or before.text in _BEFORE_NOUNS
    if tokens[start].text not in _VERBS or is_noun or WIN in index.header_postings:
        return False
    if thing is None:
        return before is not None and before.text == "who"
    if thing.text in _CONTESTS:
        return True
    return thing.key in index.postings and tokens[start + 1].text == "the"


_VERBS = frozenset({"win", "wins", "won"})
_BEFORE_NOUNS = word_set("a an the of and or more than most fewest many their his her its no any in for to")
_CONTESTS = word_set("race races event heat final finals tournament championship competition contest relay")


def _standing_at(tokens: tuple[Token, ...], start: int) -> tuple[int, int]:
    """Return where the words for a place end and the place, counted from the last if negative; 0 without."""
    texts = tuple(token.text for token in tokens[start : start + 3])
    if texts[0] in _WINNERS:
        return start + 1, 1
    is_one = texts[0] == "winning" and texts[1:2] and texts[1] not in _NO_WINNERS
    if is_one and start and tokens[start - 1].text in _BEFORE_WINNING:
        # `The winning one`, `the winning boat`.
        return start + 1 + (texts[1:2] == ("one",)), 1
    if texts in _RUNNERS_UP:
        return start + 3, 2
    if texts[1:] == _PLACED:
        place = int(tokens[start].number or 0) if tokens[start].ordinal else _PLACES.get(texts[0], 0)
        return start + 3, place
    return start, 0


def ranks_by_another_column(tokens: tuple[Token, ...], place: int, index: TableIndex, column: int) -> bool:
    """Return whether a place is one by what another column tells: `came first in sales`.

    Not where ranks go by that column: of times in the order of places the first is the first in time.
    """
    if not is_ranked_by_a_column(tokens, place, index):
        return False
    others = index.header_postings[tokens[place + 2].key]
    return column not in others and not any(_goes_by(index, column, other) for other in others)


def _goes_by(index: TableIndex, ranks: int, column: int) -> bool:
    """Return whether the numbers of a column rise, or fall, with the ranks of the rows."""
    numbers, places = index.series[column], index.series[ranks]
    ordered = [numbers[row] for row in sorted(places.keys() & numbers.keys(), key=places.__getitem__)]
    return len(ordered) >= _LEAST_RANKED and ordered in (sorted(ordered), sorted(ordered, reverse=True))


_LEAST_RANKED = 3


def is_ranked_by_a_column(tokens: tuple[Token, ...], place: int, index: TableIndex) -> bool:
    """Return whether a place is one by the numbers of a column: `ranked first by sales`."""
    ranks = place > 0 and tokens[place - 1].key in RANKING
    if not ranks or place + 2 >= len(tokens) or tokens[place + 1].text not in _BY:
        return False
    noun = tokens[place + 2]
    return noun.number is None and bool(index.numeric(index.header_postings.get(noun.key, ())))


_BY = frozenset({"by", "in", "for", "on"})
