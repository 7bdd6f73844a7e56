"""Spans of time that a claim tells: quarters, halves, months, seasons, decades and centuries, as days."""

from __future__ import annotations

import calendar
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.tables.programs.wording.words_of_time import LAST
from evidence_assets.text.calendar_words import MIDDLES_OF_SEASONS, MONTHS

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class YearlyPart:
    """A part of any year: so many of its equal parts, or of a month's halves. `month`: 0 of the year."""

    number: int
    parts: int
    month: int = 0

    def in_year(self, year: int) -> Span | None:
        """Return its days in a year."""
        return (
            _part_of_month(year, self.month, self.number)
            if self.month
            else part_of_year(year, self.number, self.parts)
        )


_PARTS = {"quarter": 4, "half": 2}
_CENTURY = word_key("century")
# Decades that are told without their century.
_DECADES = {
    name: 1930 + 10 * place
    for place, name in enumerate(
        ("thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
    )
}


def days_of(year: int, month: int = 0, day: int = 0) -> Span | None:
    """Return the first and last day of a year, month or day, as ordinals; None where there is none such."""
    try:
        first = date(year, month or 1, day or 1)
        last_month = month or 12
        last = date(year, last_month, day or calendar.monthrange(year, last_month)[1])
    except ValueError:
        return None
    return first.toordinal(), last.toordinal()


def part_of_year(year: int, number: int, parts: int) -> Span | None:
    """Return the span of one of the equal parts of a year, counted from 1."""
    months = 12 // parts
    return _from_to(days_of(year, (number - 1) * months + 1), days_of(year, number * months))


def _from_to(opening: Span | None, closing: Span | None) -> Span | None:
    """Return the days from the first of one span to the last of another."""
    return None if opening is None or closing is None else (opening[0], closing[1])


def _part_of_month(year: int, month: int, number: int) -> Span | None:
    """Return the first or the second half of a month, which ends with its 15th day."""
    days = days_of(year, month)
    if days is None:
        return None
    middle = days[0] + _DAYS_OF_HALF
    return (days[0], middle - 1) if number == 1 else (middle, days[1])


_DAYS_OF_HALF = 15


_AT_ENDS = [[end, "of"] for end in ("end", "start", "beginning")]
# The first month of each season that lies in one calendar's year; winter lies in two.
_SEASONS = {season: middle - 1 for season, middle in MIDDLES_OF_SEASONS.items() if middle > 1}
# Where a span of time ends, its days, and what it is called.
_Told = tuple[int, Span | YearlyPart, str]


def told_spans(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, Span | YearlyPart, str]]:
    """Yield each `second half of 2017`, `May 2014`, `1920s`, `19th century`: its tokens, days and words."""
    if _SAYING_SPANS.isdisjoint([token.text for token in tokens]) and all(
        token.key != _CENTURY for token in tokens
    ):
        return
    position = 0
    while position < len(tokens):
        if tokens[position].number is None and tokens[position].text not in _OPENING_SPANS:
            position += 1
            continue
        span = next(filter(None, (read(tokens, position) for read in _READERS)), None)
        if span is not None:
            yield position, *span
        position = position + 1 if span is None else span[0]


def _month(tokens: tuple[Token, ...], position: int) -> _Told | None:
    token, following = tokens[position], tokens[position + 1 : position + 2]
    if token.text not in MONTHS or not following or not tells_a_year(following[0]):
        return None
    without_day = not position or tokens[position - 1].number is None
    span = days_of(int(following[0].number or 0), MONTHS[token.text]) if without_day else None
    return None if span is None else (position + 2, span, f"{token.text} {following[0].text}")


def _part_of_a_year(tokens: tuple[Token, ...], position: int) -> _Told | None:
    token, following = tokens[position], tokens[position + 1 : position + 4]
    if len(following) < _SHORTEST_PART or following[0].text not in _PARTS:
        return None
    year = next((word for word in following[1:] if tells_a_year(word)), None)
    parts = _PARTS[following[0].text]
    number = _number_of(token, parts)
    if year is None or not (following[1].text == "of" or year is following[1]) or not number:
        return None
    span = part_of_year(int(year.number or 0), number, parts)
    end = tokens.index(year, position) + 1
    return None if span is None else (end, span, f"{token.text} {following[0].text}")


_SHORTEST_PART = 2


def _number_of(token: Token, parts: int) -> int:
    """Return which of so many parts a word tells: `third`, `last`; 0 for none."""
    if token.text in LAST:
        return parts
    number = int(token.number or 0) if token.ordinal else 0
    return number if number <= parts else 0


def _part_of_any_year(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `the third quarter of the year`, `the first half of May`, with its year where one is told."""
    texts = tuple(token.text for token in tokens[position : position + _LONGEST_PART])
    parts = _PARTS.get("".join(texts[1:2]))
    if parts is None or texts[2:3] != ("of",):
        return None
    number = _number_of(tokens[position], parts)
    if not number:
        return None
    if texts[3:] in _OF_THE_YEAR:
        return position + _LONGEST_PART, YearlyPart(number, parts), " ".join(texts)
    month, end = MONTHS.get("".join(texts[3:4])), position + 4
    if month is None or parts != _PARTS["half"]:
        return None
    if end < len(tokens) and tells_a_year(tokens[end]):
        days = _part_of_month(int(tokens[end].number or 0), month, number)
        return None if days is None else (end + 1, days, f"{' '.join(texts[:4])} {tokens[end].text}")
    return end, YearlyPart(number, parts, month), " ".join(texts[:4])


_LONGEST_PART = 5
_OF_THE_YEAR = {(which, "year") for which in ("the", "that", "a", "any", "each")}


def _season(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `spring of 1956`, `summer 2001`."""
    token, following = tokens[position], tokens[position + 1 : position + 3]
    year = next((word for word in following[:2] if tells_a_year(word)), None)
    if token.text not in _SEASONS or year is None or not (year is following[0] or following[0].text == "of"):
        return None
    number, month = int(year.number or 0), _SEASONS[token.text]
    span = _from_to(days_of(number, month), days_of(number, month + 2))
    end = tokens.index(year, position) + 1
    return None if span is None else (end, span, f"{token.text} {year.text}")


def _year_at_an_end(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return the year of `by the end of 2010`."""
    before = [token.text for token in tokens[max(0, position - 2) : position]]
    if before not in _AT_ENDS or not tells_a_year(tokens[position]):
        return None
    span = days_of(int(tokens[position].number or 0))
    return None if span is None else (position + 1, span, tokens[position].text)


def _century(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `the 18th century`, and behind one `in the 19th`."""
    words = tokens[position : position + 2]
    if not words or not words[0].ordinal:
        return None
    is_named = [word.key for word in words[1:]] == [_CENTURY]
    if not is_named and not _is_a_century_in_short(tokens, position):
        return None
    span = century(int(words[0].number or 0))
    return None if span is None else (position + 1 + is_named, span, f"the {words[0].text} century")


def _is_a_century_in_short(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether an ordinal is of a century, as one before it: not a rank, not a day of a month."""
    opening = tuple(token.text for token in tokens[max(0, position - 2) : position])
    following = tokens[position + 1 : position + 2]
    ends = all((word.stop or word.mark) and word.text != "of" for word in following)
    in_the = len(opening) > 1 and opening[0] in _BEFORE_SHORT and opening[1] == "the"
    return ends and in_the and any(token.key == _CENTURY for token in tokens[:position])


_BEFORE_SHORT = frozenset({"in", "from", "to", "and", "or", "during", "until", "since", "before", "after"})


def _part_of_a_longer_time(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `the first half of the 18th century`, `the second half of the 1990s`."""
    texts = tuple(token.text for token in tokens[position : position + _BEFORE_LONGER])
    parts = _PARTS.get("".join(texts[1:2]))
    if parts is None or texts[2:] != ("of", "the"):
        return None
    whole = _century(tokens, position + _BEFORE_LONGER) or _decade(tokens, position + _BEFORE_LONGER)
    number = _number_of(tokens[position], parts)
    if whole is None or not number:
        return None
    end, days, words = whole
    if days is None or isinstance(days, YearlyPart):
        return None
    opening, closing = (date.fromordinal(day).year for day in days)
    years, odd = divmod(closing + 1 - opening, parts)
    span = years_of(opening + (number - 1) * years, opening + number * years - 1)
    return None if odd or span is None else (end, span, f"{' '.join(texts)} {words.removeprefix('the ')}")


_BEFORE_LONGER = 4


def years_of(first: int, last: int) -> Span | None:
    """Return the days of the years from one to another."""
    return _from_to(days_of(first), days_of(last))


def century(number: int) -> Span | None:
    """Return the days of a century."""
    return years_of(100 * number - 99, 100 * number)


def _decade(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `the sixties`, `1920s`."""
    if position >= len(tokens):
        return None
    token, following = tokens[position], [word.text for word in tokens[position + 1 : position + 2]]
    if token.text in _DECADES and position and tokens[position - 1].text == "the":
        first, end, words = _DECADES[token.text], position + 1, f"the {token.text}"
    elif tells_a_year(token) and following == ["s"] and int(token.number or 0) % 10 == 0:
        first, end, words = int(token.number or 0), position + 2, f"the {token.text}s"
    else:
        return None
    span = years_of(first, first + 9)
    return None if span is None else (end, span, words)


_SAYING_SPANS = {*MONTHS, *_PARTS, *_SEASONS, *_DECADES, *(end for end, _ in _AT_ENDS), "s"}
# What spans begin with besides numbers.
_OPENING_SPANS = {*MONTHS, *_SEASONS, *_DECADES, *LAST}
_READERS = (
    _month,
    _part_of_a_year,
    _part_of_any_year,
    _part_of_a_longer_time,
    _season,
    _year_at_an_end,
    _century,
    _decade,
)
