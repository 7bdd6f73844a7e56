"""Links of what regained, exceeded or stayed below its level of another year, of years as columns."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.wording.trigger_lexicon import ALMOST
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.words import word_set

_LEVELS = word_set("level levels figure figures value total mark volume")
_OF_A_YEAR = frozenset({"of", "in", "from"})
# What stands between a verb and the level: `returned to its own`, `short of the`.
_BETWEEN = word_set("to at of its their his her the own on with up")
# What a number is to that of the other year, by the verb or preposition that tells it.
_RELATIONS = {
    **dict.fromkeys(
        word_set("""
            regain regained regains recover recovered recovers reach reached reaches return returned returns
            back attain attained match matched matches restored
        """),
        ">=",
    ),
    **dict.fromkeys(
        word_set(
            "exceed exceeded exceeds exceeding surpass surpassed surpasses topped above over beat beaten"
        ),
        ">",
    ),
    **dict.fromkeys(word_set("below under short beneath"), "<"),
}
_LONGEST_BETWEEN = 4


def level_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `had regained its 2018 level`, by the year that is told besides, else by the last."""
    levels = [n for n, token in enumerate(tokens) if token.text in _LEVELS] if index.year_columns else []
    year = _year_beside(tokens, levels[0]) if len(levels) == 1 else None
    if year is None:
        return
    start, end = min(year, levels[0]), max(year, levels[0]) + 1
    verb = _verb_before(tokens, start)
    earlier = int(tokens[year].number or 0)
    columns = _columns_compared(tokens, index, earlier)
    if verb is None or columns is None or not ALMOST.isdisjoint(token.text for token in tokens[:verb]):
        return
    before, after = (index.series[column] for column in columns)
    relation, factor = _RELATIONS[tokens[verb].text], index.factor(*columns) or 1.0
    both = before.keys() & after.keys()
    rows = frozenset(row for row in both if operations.compare(factor * after[row], relation, before[row]))
    bound = f"{relation} {earlier}"
    yield Link.of_column(verb, end, columns[1], rows, bound, 2, index.rows - both)


def _columns_compared(tokens: tuple[Token, ...], index: TableIndex, earlier: int) -> tuple[int, int] | None:
    """Return the column of the year of a level and that of the other year; None where either is missing."""
    years = {int(token.number or 0) for token in tokens if tells_a_year(token)}
    others = years - {earlier} or {max(index.year_columns.values())} - {earlier}
    if len(others) != 1:
        return None
    before, after = _column_of(index, earlier), _column_of(index, others.pop())
    return None if before is None or after is None else (before, after)


def _year_beside(tokens: tuple[Token, ...], level: int) -> int | None:
    """Return where the year of a level stands: of `its 2018 level`, `the level of 2018`."""
    if level and tells_a_year(tokens[level - 1]):
        return level - 1
    behind = tokens[level + 1 : level + 3]
    is_behind = len(behind) == 2 and behind[0].text in _OF_A_YEAR and tells_a_year(behind[1])
    return level + 2 if is_behind else None


def _verb_before(tokens: tuple[Token, ...], start: int) -> int | None:
    """Return where the word stands that sets something beside a level; None without one."""
    place = start - 1
    while place > max(0, start - 1 - _LONGEST_BETWEEN) and tokens[place].text in _BETWEEN:
        place -= 1
    return place if place >= 0 and tokens[place].text in _RELATIONS else None


def _column_of(index: TableIndex, year: int) -> int | None:
    """Return the only column of a year; None where there is none, or several."""
    columns = [column for column, told in index.year_columns.items() if told == year]
    return columns[0] if len(columns) == 1 else None
