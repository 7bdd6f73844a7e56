"""Superlatives in a claim's words, and what says which is first or last."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.wording.trigger_lexicon import (
    HIGHEST,
    LOWEST,
    TEMPORAL,
    comparative,
    is_graded,
    row_nouns,
)
from evidence_assets.tables.programs.wording.words import AUXILIARIES, Token, is_inflected, phrase_at
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import is_year
from evidence_assets.text.words import word_set


@dataclass(frozen=True)
class Superlative:
    """A superlative. `place`: 1, or k for the k-th. `temporal`: about dates, or the order of rows."""

    start: int
    end: int
    highest: bool
    place: int
    temporal: bool
    word: str


def superlatives(tokens: tuple[Token, ...]) -> list[Superlative]:
    """Return a claim's superlatives, in order; `at most`, `most of` and the like are none."""
    extremes: list[Superlative] = []
    for position, token in enumerate(tokens):
        before = tokens[position - 1].text if position else ""
        after = tokens[position + 1].text if position + 1 < len(tokens) else ""
        word = "peaked" if token.text == "peak" and _is_asked_of(tokens[:position]) else token.text
        if word in _LEADING and tuple(t.text for t in tokens[position + 1 : position + 3]) in _LISTS:
            # `Tops the list with 30 goals.`
            extremes.append(Superlative(position, position + 3, True, 1, False, "highest"))
            continue
        if not (_may_be_one(word) or before == "the"):
            continue
        if _is_no_superlative(word, before, after) or _orders_nothing(tokens, position):
            continue
        place, start = 1, position
        hyphen = position > 1 and before == "-"
        if position and tokens[position - 1 - hyphen].ordinal:
            start = position - 1 - hyphen
            place = int(tokens[start].number or 1)
        if word in _OF_TWO_WORDS and before in {"most", "least"}:
            place, temporal = _ordinal(tokens, position - 2), word in TEMPORAL
            start = position - 1 - (place > 1)
            name = word if temporal else before
            extremes.append(Superlative(start, position + 1, before == "most", place, temporal, name))
        elif word in HIGHEST or (word not in LOWEST and is_graded(word, "est")):
            extremes.append(Superlative(start, position + 1, True, place, word in TEMPORAL, word))
        elif word in LOWEST:
            extremes.append(Superlative(start, position + 1, False, place, word in TEMPORAL, word))
        elif before == "the" and comparative(word) and _speaks_of_two(tokens, position):
            extremes.append(Superlative(position, position + 1, comparative(word) > 0, 1, False, word))
        elif (
            word in _ENDS
            and before in _BEFORE_ENDS
            and _is_row_noun(tokens, position + 1)
            and not _is_part_of_a_period(tokens, position + 1)
        ):
            extremes.append(Superlative(position, position + 1, word not in _FIRST, 1, True, word))
    return extremes


_LEADING = word_set("tops topped heads headed leads led")
_LISTS = {("the", noun) for noun in ("list", "table", "way", "rankings", "chart", "field", "pack")}


def _may_be_one(word: str) -> bool:
    """Return whether a word may be a superlative whatever stands before it."""
    return word in _KNOWN or is_graded(word, "est")


def _is_no_superlative(word: str, before: str, after: str) -> bool:
    """Return whether `most` or `least` bounds, quantifies, or belongs to the word behind it.

    `At most`, `most of`, `most lines run on Sundays`, the `most recent`.
    """
    if word not in {"most", "least"}:
        return False
    quantifies = (after == "of" and before != "the") or (word == "most" and not before)
    return before == "at" or quantifies or after in _OF_TWO_WORDS | COMMON | {"often"}


def _orders_nothing(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a superlative is a place or tells a limit: `at the top of the hill`, `six days at best`.

    What is at the top of a list is the first of it.
    """
    if tokens[position].text not in _PLACES_AND_LIMITS:
        return False
    texts = [token.text for token in tokens]
    before, following = texts[max(0, position - 2) : position], texts[position + 1 : position + 4]
    closes = not following or tokens[position + 1].mark or tokens[position + 1].stop
    if texts[position] == "top":
        is_place = before[-1:] in (["on"], ["the"]) and following[:1] == ["of"]
        is_goal = (
            before[-1:] == ["the"] and closes and is_inflected(before[0]) and before[0] not in AUXILIARIES
        )
        return (is_place or is_goal) and _OF_ORDERS.isdisjoint(following)
    return texts[position] in _LIMITS and closes and (before[-1:] == ["at"] or before == ["at", "the"])


def _is_asked_of(before: tuple[Token, ...]) -> bool:
    """Return whether what is said behind some words is a verb that they ask of: `when did gas peak`."""
    return any(token.text in {"did", "do", "does"} for token in before)


# Adjectives that tell a column by themselves behind `most`.
_OF_TWO_WORDS = frozenset({"recent", "numerous"})
# Verbs that say that a number was its highest, or lowest, then.
PEAKING = frozenset({"peaked", "bottomed"})
# Adjectives of what there is most of: `the most common`.
COMMON = frozenset({"common", "frequent", "popular"})
# Of these what says how many there are.
_NUMEROUS = frozenset({"common", "frequent", "numerous", "widespread", "abundant"})
_LIMITS = frozenset({"best", "worst", "latest", "earliest"})
_PLACES_AND_LIMITS = _LIMITS | {"top"}
_OF_ORDERS = word_set("""
    table list league ranking rankings standing standings chart charts leaderboard class group division field
    order
""")


def _speaks_of_two(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a comparative chooses of two: `of the two, B is the older`, `the larger of the pair`."""
    texts = [token.text for token in tokens]
    rivals = not _PAIRS.isdisjoint(texts) or (texts[0] in {"of", "between"} and "and" in texts[:position])
    graded = [n for n, text in enumerate(texts[1:], 1) if texts[n - 1] == "the" and comparative(text)]
    return rivals and "than" not in texts and graded == [position]


_PAIRS = frozenset({"two", "pair", "couple"})


def commonness(tokens: tuple[Token, ...]) -> list[Superlative]:
    """Return the superlatives of `the most common`, `the second most numerous`: of how many there are."""
    common: list[Superlative] = []
    for position, token in enumerate(tokens[:-1]):
        if token.text in {"most", "least"} and tokens[position + 1].text in _NUMEROUS:
            place = _ordinal(tokens, position - 1)
            start = position - (place > 1)
            common.append(Superlative(start, position + 2, token.text == "most", place, False, token.text))
    return common


def ends_in_time(tokens: tuple[Token, ...], of_dates: Container[str]) -> list[Superlative]:
    """Return the superlatives of `opened first`: behind a word, by its key, that heads dates."""
    return [
        end
        for end in _ends(tokens)
        if tokens[end.start - 1].key in of_dates
        and (end.end == len(tokens) or tokens[end.end].mark or tokens[end.end].stop)
    ]


def ends_of_rows(tokens: tuple[Token, ...], nouns: Container[str]) -> list[Superlative]:
    """Return the superlatives of `the last patch`: before a word that stands, by its key, for a row."""
    return [
        end
        for end in _ends(tokens[:-1])
        if tokens[end.start - 1].text in _BEFORE_ENDS and tokens[end.end].key in nouns
    ]


def _ends(tokens: tuple[Token, ...]) -> Iterator[Superlative]:
    """Yield each `first` and `last` behind a word."""
    for position, token in enumerate(tokens[1:], 1):
        if token.text in _ENDS:
            yield Superlative(position, position + 1, token.text not in _FIRST, 1, True, token.text)


def ends_of_doing(tokens: tuple[Token, ...], of_dates: Container[str]) -> list[Superlative]:
    """Return the superlatives of `the second shop to close`, before a verb that heads dates by its key."""
    extremes = []
    for position, token in enumerate(tokens):
        to = _where_it_does(tokens, position) if token.ordinal or token.text in _ENDS else None
        if to is None or to + 1 >= len(tokens) or tokens[to + 1].key not in of_dates:
            continue
        is_last = token.text in _ENDS - _FIRST
        place = 1 if is_last else int(token.number or 1)
        extremes.append(
            Superlative(position, position + 1, is_last, place, True, "last" if is_last else "first")
        )
    return extremes


def does_something(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether an ordinal says in which order something is done: `the second to close` has no rank."""
    to = _where_it_does(tokens, position)
    return to is not None and to + 1 < len(tokens) and not tokens[to + 1].stop


def _where_it_does(tokens: tuple[Token, ...], position: int) -> int | None:
    """Return where the `to` of `second to close`, the `to be` of `second of the shops to be sold` ends.

    Not of `second to last`.
    """
    texts = [token.text for token in tokens[position + 1 : position + 4]]
    of_several = len(phrase_at(texts, 0, _OF_SEVERAL))
    first = position + 1 + of_several
    for to in range(first, first + 2 + bool(of_several)):
        is_verb = to + 1 < len(tokens) and tokens[to + 1].number is None and tokens[to + 1].text not in _ENDS
        if is_verb and tokens[to].text == "to":
            return to + (tokens[to + 1].text == "be")
        if to < len(tokens) and (tokens[to].stop or tokens[to].mark):
            return None
    return None


# Between an ordinal and those that it orders, the longer phrases first.
_OF_SEVERAL = (
    ("of", "all", "the"),
    *(("of", word) for word in ("the", "these", "those", "our", "their", "all")),
)
_BEFORE_ENDS = frozenset({"the", "their", "his", "very"})
_FIRST = frozenset({"first", "1st"})
_ENDS = _FIRST | {"last", "final"}
_KNOWN = HIGHEST | LOWEST | _OF_TWO_WORDS | _ENDS
_NOT_ROWS = word_set("time one 1 of other total number")


def _is_row_noun(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether the word at a position names a single row: not `the last 3`, `the final`."""
    return position < len(tokens) and tokens[position].key in row_nouns() - _NOT_ROWS


def _is_part_of_a_period(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a noun is of a part of a month or year: of `the first week of July`."""
    of, period = [*tokens[position + 1 : position + 3], None, None][:2]
    return (
        of is not None
        and of.text == "of"
        and period is not None
        and (period.text in MONTHS or is_year(period.text))
    )


def _ordinal(tokens: tuple[Token, ...], position: int) -> int:
    return int(tokens[position].number or 1) if position >= 0 and tokens[position].ordinal else 1
