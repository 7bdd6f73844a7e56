"""The kind of answer that a question asks for, and whether a text tells anything of that kind.

"Why" asks for a reason and "how many" for a number: a text that tells none holds no answer, however many of
the question's words it says. What the question says itself is not told by the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.words import NUMERALS, ORDINALS, TENS, word_set


class AnswerKind(StrEnum):
    """What is asked for."""

    REASON = "reason"
    YEAR = "year"
    TIME = "time"
    COUNT = "count"
    DURATION = "duration"
    PRICE = "price"
    AMOUNT = "amount"
    PERSON = "person"
    PLACE = "place"


_MEASURES = (
    "age|amount|depth|distance|height|length|number|percent|percentage|population|rate|share|size|speed"
    "|temperature|weight|width"
)
_PRICES = "charge|cost|deposit|fare|fee|fine|price|rent|salary|tax|wage"
_PARTS_OF_TIME = "month|day|date|time|season|hour|weekday|morning|afternoon|evening"
_UNITS_OF_TIME_ASKED = "seconds|minutes|hours|days|weeks|months|years"
# What follows "how" where it asks for a manner, not for an amount.
_AUXILIARIES = (
    "a|an|are|can|come|could|did|do|does|had|has|have|is|many|may|must|shall|should|the|to|was|were"
    "|will|would"
)
_PATTERNS = {
    AnswerKind.REASON: r"why|reasons?|what made|how come|(?:what|which) (?:\w+ )?caus\w+",
    AnswerKind.YEAR: "since when|(?:what|which) (?:year|decade|century)",
    AnswerKind.TIME: f"when|(?:what|which) (?:{_PARTS_OF_TIME})",
    AnswerKind.COUNT: rf"how many(?! (?:{_UNITS_OF_TIME_ASKED})\b)",
    AnswerKind.DURATION: rf"how many (?:{_UNITS_OF_TIME_ASKED})",
    AnswerKind.PRICE: r"how much (?:are|did|do|does|is|was|were|will)|what\b.* (?:costs?|paid|pay|earn)"
    rf"|what (?:(?:is|was|are|were) )?(?:the )?(?:\w+ )?(?:{_PRICES})"
    rf"|how high (?:is|was) the (?:\w+ )?(?:{_PRICES})",
    AnswerKind.AMOUNT: rf"how (?!(?:{_AUXILIARIES})\b)\w+"
    rf"|what (?:(?:is|was|are|were) )?(?:the )?(?:\w+ )?(?:{_MEASURES})",
    AnswerKind.PERSON: "who|whom|whose",
    AnswerKind.PLACE: "where",
}
_ASKED = {kind: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for kind, pattern in _PATTERNS.items()}

# Words and numbers of a text, each with whether the question lacks it.
Tokens = Sequence[tuple[str, bool]]
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’-][^\W_]+)*")
_REASONS = re.compile(
    r"\b(?:as|because|cause[ds]?|due to|for|hence|in order|leads? to|led to|lest|otherwise|owing|reasons?"
    r"|resulted|results?|since|so as|so that|thanks to|therefore|thus)\b",
    re.IGNORECASE,
)
_OFTEN = re.compile(r"\b(?:always|daily|every|monthly|never|often|once|rarely|twice|weekly)\b", re.IGNORECASE)
_PLACES = re.compile(
    r"\b(?:above|across|along|around|at|behind|below|beside|between|by|from|in|inside|into|near|off|on"
    r"|opposite|outside|over|through|to|under|within)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"1\d{3}|20\d\d|\d{3,4}s|century|centuries")
_PRICE = re.compile(
    r"[$£€¥]|\b(?:cents?|crowns?|dollars?|euros?|francs?|free|pence|pounds?|rupees?|yen)\b"
    r"|\b[A-Z]{3} \d|\d [A-Z]{3}\b"
)
_TIME_OF_DAY = re.compile(r"\d+:\d+")
_TIMES = word_set("""
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    spring summer autumn winter fall summers winters christmas easter
    morning mornings noon midday afternoon afternoons evening evenings night nights midnight dawn dusk
    today yesterday tomorrow now nowadays ago daily weekly monthly annually yearly weekend weekends
    century centuries decade decades o'clock
""")
# "First" to "third" count other things oftener than days.
_DAYS_OF_MONTHS = frozenset(ORDINALS[3:])
_UNITS_OF_TIME = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years season seasons"
)
_NONE = frozenset({"no"})
_UNITS = _UNITS_OF_TIME | word_set("% cent degree degrees percent")
_NUMERALS = frozenset(
    [*NUMERALS, *TENS, *word_set("both dozen double first half hundred million none quarter single third")]
) | word_set("billion once thousand twice")


def asked_kind(question: str) -> AnswerKind | None:
    """Return the kind of answer that a question asks for first; None where it may be of any kind."""
    matches = [(match.start(), kind) for kind, asked in _ASKED.items() if (match := asked.search(question))]
    return min(matches, key=lambda match: match[0])[1] if matches else None


def tells(text: str, kind: AnswerKind, question_roots: frozenset[str]) -> bool:
    """Return whether a text tells something of a kind that the question does not say itself."""
    tokens = _TOKEN.findall(text)
    is_new = [root(token.lower()) not in question_roots for token in tokens]
    return _TELLING[kind](text, list(zip(tokens, is_new, strict=True)), question_roots)


def _tells_reason(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return _REASONS.search(text) is not None


def _tells_year(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return any((new and _YEAR.fullmatch(token.lower())) or token.lower() == "since" for token, new in tokens)


def _tells_time(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return any(new and _is_time(token) for token, new in lowered) or any(
        (new and _is_number(token) and after in _UNITS_OF_TIME)
        or (token in ("at", "past", *_UNITS_OF_TIME) and _is_number(after))
        for (token, new), (after, _) in pairwise(lowered)
    )


def _tells_count(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A number that measures no time and no share, or that there is none."""
    lowered = [*((token.lower(), new) for token, new in tokens), ("", False)]
    return any(
        word in _NONE or (new and _is_number(word) and after not in _UNITS)
        for (word, new), (after, _) in pairwise(lowered)
    )


def _tells_duration(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return any(
        new and _is_number(token) and after in _UNITS_OF_TIME
        for (token, new), (after, _) in pairwise(lowered)
    )


def _tells_price(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return _PRICE.search(text) is not None


def _tells_amount(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return any(new and _is_number(token) for token, new in tokens) or _OFTEN.search(text) is not None


def _tells_person(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A word written as a name is, which the first of a sentence is unless it is a function word.

    Where nothing is written so, as in the triples of many graphs, any other word may be a name.
    """
    is_cased = any(token[0].isupper() for token, _ in tokens)
    return any(new and _may_be_name(token, place, is_cased) for place, (token, new) in enumerate(tokens))


def _may_be_name(token: str, place: int, is_cased: bool) -> bool:
    if not is_cased or (place == 0 and token[0].isupper()):
        return token.lower() not in function_words()
    return token[0].isupper()


def _tells_place(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A new thing behind a preposition: no time and no amount."""
    return any(_is_place(text[match.end() :], question_roots) for match in _PLACES.finditer(text))


_TELLING = {
    AnswerKind.REASON: _tells_reason,
    AnswerKind.YEAR: _tells_year,
    AnswerKind.TIME: _tells_time,
    AnswerKind.COUNT: _tells_count,
    AnswerKind.DURATION: _tells_duration,
    AnswerKind.PRICE: _tells_price,
    AnswerKind.AMOUNT: _tells_amount,
    AnswerKind.PERSON: _tells_person,
    AnswerKind.PLACE: _tells_place,
}


def _is_time(word: str) -> bool:
    is_written_so = _YEAR.fullmatch(word) or _TIME_OF_DAY.fullmatch(word)
    return is_written_so is not None or word in _TIMES or word in _DAYS_OF_MONTHS


def _is_number(token: str) -> bool:
    return token[0].isdigit() or not _NUMERALS.isdisjoint(token.lower().split("-"))


def _is_place(after: str, question_roots: frozenset[str]) -> bool:
    for token in _TOKEN.findall(after):
        word = token.lower()
        if word not in function_words():
            return root(word) not in question_roots and not _is_number(token) and word not in _TIMES
    return False
