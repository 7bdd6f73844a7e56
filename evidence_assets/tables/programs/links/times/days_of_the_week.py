"""Days of the week on which a claim says that something is so: `on Mondays`, `daily`, `only at weekends`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS, WEEKEND, Days, named_day
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.words import Token, phrase_at
from evidence_assets.text.calendar_words import DAY_NAMES

# Whole phrases for days, the longer first.
_PHRASES: Mapping[tuple[str, ...], Days] = {
    **dict.fromkeys((("every", "day", "of", "the", "week"), ("each", "day", "of", "the", "week")), ALL_DAYS),
    **dict.fromkeys((("seven", "days", "a", "week"), ("7", "days", "a", "week")), ALL_DAYS),
    **dict.fromkeys((("every", "day"), ("each", "day"), ("daily",)), ALL_DAYS),
    **dict.fromkeys((("weekdays",), ("every", "weekday")), ALL_DAYS - WEEKEND),
    **dict.fromkeys((("weekends",), ("weekend",), ("every", "weekend")), WEEKEND),
}
_JOINTS = frozenset({",", "and", "&"})
_BEFORE_DAYS = frozenset({"on", "at", "the", "a", "every", "each"})
_EXCEPT = frozenset({"except", "but"})
_CLOSED = frozenset({"closed", "shut"})
_ONLY = frozenset({"only", "just", "solely"})
# What a column of days that something is closed on tells of the others.
_TURNED = {"on": "never on", "never on": "on"}


@dataclass(frozen=True, slots=True)
class _Said:
    """Days that a claim says from one word up to another. `exactly`: these and no others."""

    start: int
    end: int
    days: Days
    exactly: bool = False


def day_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `on Mondays` as the rows of which the table's only column of days tells so.

    Of what is closed on some days it is the rows that are not open on any of them, and the other way round
    where the column tells the days on which something is closed.
    """
    if len(index.weekly_days) != 1:
        return
    ((column, days_by_row),) = index.weekly_days.items()
    of_closing = not _CLOSED.isdisjoint(index.table.header[column].lower().split())
    if of_closing:
        # A row of which no such day is told is closed on none.
        open_always = dict.fromkeys(index.rows - index.summaries, frozenset[str]())
        days_by_row = {**open_always, **days_by_row}
    texts = [token.text for token in tokens]
    position = 0
    while position < len(tokens):
        said = _days_at(texts, position)
        if said is None:
            position += 1
            continue
        position = said.end
        said, relation = _related(texts, said)
        if of_closing:
            if relation not in _TURNED:
                continue
            relation = _TURNED[relation]
        rows = frozenset(row for row, days in days_by_row.items() if _holds(said.days, relation, days))
        days_said = (
            "every day" if said.days == ALL_DAYS else ", ".join(d for d in DAY_NAMES if d in said.days)
        )
        untold = index.rows - days_by_row.keys() - index.summaries
        bound = f"{relation} {days_said}"
        yield Link.of_column(said.start, said.end, column, rows, bound, undetermined=untold)


def _holds(said: Days, relation: str, days: Days) -> bool:
    """Return whether something is so on days as a claim says, of what a table says that it is on others."""
    if relation == "never on":
        return said.isdisjoint(days)
    if relation == "only on":
        return bool(days) and days <= said
    return days == said if relation == "exactly on" else said <= days


def _days_at(texts: Sequence[str], position: int) -> _Said | None:
    """Return the days that a claim says from a position: a phrase, or days in a list; None without any."""
    phrase = phrase_at(texts, position, _PHRASES)
    if not phrase:
        return _listed(texts, position)
    end, days = position + len(phrase), _PHRASES[phrase]
    without = _listed(texts, end + 1) if texts[end : end + 1] and texts[end] in _EXCEPT else None
    if without is None:
        return _Said(position, end, days)
    return _Said(position, without.end, days - without.days, exactly=True)


def _listed(texts: Sequence[str], position: int) -> _Said | None:
    while position < len(texts) and texts[position] in {"on", "the"}:
        position += 1
    days: set[str] = set()
    start = end = position
    while position < len(texts) and (day := named_day(texts[position])) is not None:
        days.add(day)
        end = position = position + 1
        while position < len(texts) and texts[position] in _JOINTS:
            position += 1
    return _Said(start, end, frozenset(days)) if days else None


def _related(texts: Sequence[str], said: _Said) -> tuple[_Said, str]:
    """Return the days with the words before and behind them that say how they are meant, and that."""
    start, end = said.start, said.end
    while start and texts[start - 1] in _BEFORE_DAYS:
        start -= 1
    if start and texts[start - 1] in _ONLY:
        return _Said(start - 1, end, said.days), "only on"
    if texts[end : end + 1] and texts[end] in _ONLY:
        return _Said(start, end + 1, said.days), "only on"
    if start and texts[start - 1] in _CLOSED:
        return _Said(start - 1, end, said.days), "never on"
    return _Said(start, end, said.days), "exactly on" if said.exactly else "on"
