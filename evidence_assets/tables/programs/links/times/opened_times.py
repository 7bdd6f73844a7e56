"""Words that set a time as an end or a beginning, and the time behind them: `by the end of May`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import RELATIONS_IN_TIME
from evidence_assets.text.calendar_words import MONTHS

_LONGEST_DATE = 6
_THAN_A_DATE = {"later": ">", "earlier": "<"}
# Words between what sets a time beside another and that: `before the year 2000`.
_BEFORE_DATES = frozenset({"to", "the", "on", "year"})
# Of a month alone behind one of these nobody knows whether it belongs to what is told.
_UP_TO = {("by",), ("up", "to")}
# What is so by the end of May is so in May, too.
_UP_TO_THE_END = {"by": "<=", "until": "<=", "till": "<=", "up to": "<=", "after": ">"}
_BEGINNINGS = {"by": "<", "before": "<", "until": "<", "since": ">=", "from": ">="}
# Words of time before a date, with the relation that they set to it.
_OPENINGS: dict[tuple[str, ...], str] = {
    **{(word,): relation for word, relation in RELATIONS_IN_TIME.items()},
    **dict.fromkeys(_UP_TO, "<="),
    ("till",): "<=",
    ("as", "of"): "<=",
    ("from",): ">=",
    **{
        (*words.split(), *the, "end", "of"): relation
        for words, relation in _UP_TO_THE_END.items()
        for the in ((), ("the",))
    },
    **{
        (word, "the", begins, "of"): relation
        for word, relation in _BEGINNINGS.items()
        for begins in ("start", "beginning")
    },
}
_LONGEST_OPENING = max(map(len, _OPENINGS))
_FIRST_WORDS = {opening[0] for opening in _OPENINGS} | _THAN_A_DATE.keys()
# What closes `from 4 March on`.
_ONWARDS = frozenset({"on", "onward", "onwards"})


@dataclass(frozen=True, slots=True)
class OpenedTime:
    """A time that words set as an end or a beginning.

    `relation`: of what is told to it. `start`: where the words begin. `date`: where the time stands, if it
    does. `end`: where all of it ends. `is_than`: it stands behind `later than`.
    """

    relation: str
    start: int
    date: range
    end: int
    is_than: bool = False


def opened_times(tokens: tuple[Token, ...]) -> Iterator[OpenedTime]:
    """Yield the times of a claim that words set as an end or a beginning.

    A year alone is one behind single words of time: `by 2010` is of spans of years.
    """
    for position, token in enumerate(tokens):
        if token.text not in _FIRST_WORDS:
            continue
        opening = _opening_at(tokens, position)
        is_than = not opening and _texts(tokens, position + 1, 1) == ("than",)
        if is_than and token.text in _THAN_A_DATE:
            date = _date_at(tokens, position + 2)
            yield OpenedTime(_THAN_A_DATE[token.text], position, date, date.stop, is_than=True)
        elif opening:
            opened = _opened(tokens, position, opening)
            if opened is not None:
                yield opened


def _opened(tokens: tuple[Token, ...], position: int, opening: tuple[str, ...]) -> OpenedTime | None:
    date = _date_at(tokens, position + len(opening))
    goes_on = _texts(tokens, date.stop, 1)
    is_onwards = opening == ("from",)
    if is_onwards and _ONWARDS.isdisjoint(goes_on):
        return None
    has_a_month = any(tokens[n].text in MONTHS for n in date)
    is_a_word_of_time = len(opening) == 1 and opening[0] in RELATIONS_IN_TIME
    if not (has_a_month or is_onwards or is_a_word_of_time):
        return None
    if opening in _UP_TO and has_a_month and len(date) == 1:
        return None
    return OpenedTime(_OPENINGS[opening], position, date, date.stop + is_onwards)


def _opening_at(tokens: tuple[Token, ...], position: int) -> tuple[str, ...]:
    """Return the longest words that open a time at a position; none where none do."""
    texts = _texts(tokens, position, _LONGEST_OPENING)
    return next((texts[:n] for n in range(len(texts), 0, -1) if texts[:n] in _OPENINGS), ())


def _date_at(tokens: tuple[Token, ...], start: int) -> range:
    """Return where the months and numbers stand that make a date, from a position on."""
    while start < len(tokens) and tokens[start].text in _BEFORE_DATES:
        start += 1
    end = start
    while end < min(len(tokens), start + _LONGEST_DATE) and (
        tokens[end].text in MONTHS or tokens[end].number is not None or tokens[end].text == ","
    ):
        end += 1
    while end > start and tokens[end - 1].text == ",":
        end -= 1
    return range(start, end)


def _texts(tokens: tuple[Token, ...], start: int, count: int) -> tuple[str, ...]:
    return tuple(token.text for token in tokens[start : start + count])
