"""The kind of answer that a question asks for, and whether a text tells anything of that kind.

"Why" asks for a reason and "how many" for a number: a text that tells none holds no answer, however many of
the question's words it says. What the question says itself is not told by the text. Where a kind cannot be
told for certain, a text is taken to tell it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
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


_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
# A question that begins so is answered by yes or no, unless it asks to be told something else.
_YES_OR_NO = re.compile(
    r"\s*(?:am|are|can|could|did|do|does|had|has|have|is|may|might|must|shall|should|was|were|will|would)\b"
    r"(?! you (?:explain|know|say|show|tell))",
    re.IGNORECASE,
)
_OF_TIME = "seconds?|minutes?|hours?|days?|weeks?|months?|years?"
# Between what asks and its noun: "what was the highest price".
_COPULA = "(?:is|was|are|were) (?:the )?(?:[a-z]+ )?"
# What stands behind a noun that is asked for, and not behind one that only qualifies another.
_ENDS = r"(?= (?:of|in|at|for|per|a|between|from|to|on|is|was|are|were|do|does|did)\b(?! *\W*$)|\W*$)"
_PRICES = "(?:charge|cost|deposit|fare|fee|fine|price|rent|salary|tax|wage)s?"
_SIZES = (
    "(?:age|amount|depth|distance|height|length|number|percentage|population|rate|share|size|speed"
    "|temperature|weight|width)"
)
_DEGREES = (
    "big|bright|broad|cold|dear|deep|early|expensive|far|fast|frequently|heavy|high|hot|large|late|little"
    "|long|loud|low|much|often|old|quickly|short|slow|small|soon|steep|strong|tall|thick|thin|warm|wide|young"
)
# From where a question asks: the first of them that fits tells the kind.
_ASKED = {
    kind: re.compile(rf"(?:{pattern})", re.IGNORECASE)
    for kind, pattern in {
        AnswerKind.REASON: rf"why\b|how come\b|(?:what|which) (?:{_COPULA})?reasons?\b",
        AnswerKind.YEAR: r"(?:what|which) (?:year|decade|century)\b",
        AnswerKind.TIME: r"when\b|(?:what|which) "
        r"(?:month|day|date|time|season|hour|weekday|morning|afternoon|evening)s?\b",
        AnswerKind.DURATION: rf"how many (?:more |whole )?(?:{_OF_TIME})\b",
        AnswerKind.COUNT: r"how many\b",
        AnswerKind.PRICE: r"how much (?:are|is) (?!known|left|needed|used)"
        r"|how much .*\b(?:charged?|costs?|earn|paid|pay)\b|what (?:did|do|does) .*\bcost\b"
        r"|what (?:did|do|does) .*\b(?:earn|pay)\W*$|what (?:is|was) paid\b"
        rf"|what (?:{_COPULA})?{_PRICES}{_ENDS}|how high (?:is|was) (?:the )?(?:[a-z]+ )?{_PRICES}\b",
        AnswerKind.AMOUNT: rf"how (?:{_DEGREES})\b|what {_COPULA}{_SIZES}{_ENDS}",
        AnswerKind.PERSON: r"(?:who|whom|whose)\b",
        AnswerKind.PLACE: r"where\b",
    }.items()
}
_SINCE = re.compile(r"\bsince $", re.IGNORECASE)

# Words and numbers of a text, each with whether the question lacks it.
Tokens = Sequence[tuple[str, bool]]
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’-][^\W_]+)*")
# "To" before a verb tells a purpose; not "has to", and not before what is no verb.
_PURPOSE = (
    r"(?<!had )(?<!has )(?<!have )(?<!is )(?<!are )(?<!was )(?<!were )to "
    r"(?!(?:an?|the|it|him|her|them|this|that|these|those|my|our|your|his|its|their|us|me|you|each|every|all|no"
    r"|one)\b)[a-z]+"
)
_REASONS = re.compile(
    r"\b(?:(?i:after|as|because|cause[ds]?|due to|for|hence|in order|leads? to|led to|lest|on account of"
    r"|otherwise|owing|reasons?|resulted|results?|since|so|thanks to|therefore|thus)"
    rf"|{_PURPOSE})\b"
)
_OFTEN = re.compile(
    r"\b(?:always|annually|daily|each|every|hourly|monthly|never|often|once|rarely|twice|weekly|yearly"
    rf"|(?:all|an?|half an?|the whole) (?:{_OF_TIME}|fortnight|mile|kilomet(?:re|er)))\b",
    re.IGNORECASE,
)
_PREPOSITIONS = re.compile(
    r"\b(?:above|across|along|among|around|at|behind|below|beneath|beside|between|by|down|from|in|inside|into"
    r"|near|off|on|opposite|outside|over|through|to|under|up|via|within)\b",
    re.IGNORECASE,
)
_PLACES = word_set("downstairs here indoors online outdoors there upstairs birthplace hometown")
_YEAR = re.compile(
    r"(?:.*\D)?(?:1\d{3}|2[01]\d\d)|[1-9]\d{2}|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies"
    r"|century|centuries"
)
_ERA = re.compile(r"\b\d+ (?:AD|BC|BCE|CE)\b|\bAD \d|\b[Ss]ince\b")
_PRICE = re.compile(
    r"[$£€¥₹]|\d ?(?:p|kr)\b|\b(?:cents?|crowns?|dollars?|euros?|francs?|free|marks?|nothing|pence|penny"
    r"|pounds?|rupees?|shillings?|sixpence|yen)\b|\b(?:at|no) (?:cost|charge)|\bcosts? (?:[a-z]+ )?\d",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"\b[A-Z]{3} \d|\d [A-Z]{3}\b")
_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m|p\.m)\b|\b\d{1,2}:\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\bo['’]clock\b",
    re.IGNORECASE,
)
_MONTHS_AND_DAYS = word_set("""
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    jan feb mar apr jun jul aug sept sep oct nov dec christmas easter
""")
_TIMES = word_set("""
    spring springs summer summers autumn autumns winter winters
    morning mornings noon midday afternoon afternoons evening evenings night nights midnight dawn dusk sunrise
    sunset today yesterday tomorrow now nowadays ago daily weekly monthly annually yearly weekday weekdays
    weekend weekends century centuries decade decades after before during until till
""")
# "First" to "third" count other things oftener than days.
_DAYS_OF_MONTHS = frozenset(ORDINALS[3:])
_UNITS_OF_TIME = word_set(
    "second seconds minute minutes hour hours day days week weeks month months year years season seasons"
)
_UNITS = _UNITS_OF_TIME | word_set("cent degree degrees percent")
_LONG_TIMES = word_set("century centuries decade")
_BEFORE_NUMBERS = word_set("at between by from past to") | _UNITS_OF_TIME | _MONTHS_AND_DAYS
_AFTER_NUMBERS = _UNITS_OF_TIME | _MONTHS_AND_DAYS
# Words of a place's name that are looked at.
_LONGEST_NOUN = 3
_NUMERALS = frozenset(
    [*NUMERALS, *TENS, *word_set("both dozen double first half hundred million pair quarter single third")]
) | word_set("all billion few nobody none no once several thousand twice")


def asked_kind(question: str) -> AnswerKind | None:
    """Return the kind of answer that a question asks for first; None where it may be of any kind."""
    asking = _ASKING.search(question)
    if asking is None or _YES_OR_NO.match(question):
        return None
    before, asked_for = question[: asking.start()], question[asking.start() :]
    if _SINCE.search(before) and asked_for.lower().startswith("when"):
        return AnswerKind.YEAR
    return next((kind for kind, pattern in _ASKED.items() if pattern.match(asked_for)), None)


def token_roots(question: str) -> frozenset[str]:
    """Return the roots of a question's words and numbers, each as it is written: "7:30", "thirty-floor"."""
    return frozenset(root(token.lower()) for token in _TOKEN.findall(question))


def tells(text: str, kind: AnswerKind, question_roots: frozenset[str]) -> bool:
    """Return whether a text tells something of a kind that the question does not say itself.

    `question_roots`: see `token_roots`.
    """
    tokens = _TOKEN.findall(text)
    is_new = [root(token.lower()) not in question_roots for token in tokens]
    return _TELLING[kind](text, list(zip(tokens, is_new, strict=True)), question_roots)


def _tells_reason(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return _REASONS.search(text) is not None


def _tells_year(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return (
        _ERA.search(text) is not None
        or any(new and _YEAR.fullmatch(token) for token, new in lowered)
        # "The nineteenth century", where the question says "century" itself.
        or any(new and after in _LONG_TIMES for (_, new), (after, _) in pairwise(lowered))
    )


def _tells_time(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return (
        any(new and _is_time(token) for token, new in tokens)
        or any(root(match.lower()) not in question_roots for match in _CLOCK.findall(text))
        or any(
            (new and _is_number(token) and after in _AFTER_NUMBERS)
            or (also_new and _is_number(after) and token in _BEFORE_NUMBERS)
            or (token in ("each", "every") and after in _UNITS_OF_TIME)
            for (token, new), (after, also_new) in pairwise(lowered)
        )
    )


def _tells_count(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A number that measures no time and no share, unless such are asked for."""
    lowered = [*((token.lower(), new) for token, new in tokens), ("", False)]
    return any(
        new and _is_number(word) and (after not in _UNITS or root(after) in question_roots)
        for (word, new), (after, _) in pairwise(lowered)
    )


def _tells_duration(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    lowered = [token.lower() for token, _ in tokens]
    return any(
        (new and _is_number(token)) and not _UNITS_OF_TIME.isdisjoint(lowered[place + 1 : place + 4])
        for place, (token, new) in enumerate(tokens)
    ) or bool(_OFTEN.search(text))


def _tells_price(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return bool(_PRICE.search(text) or _CURRENCY.search(text))


def _tells_amount(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    return any(new and _is_number(token) for token, new in tokens) or _OFTEN.search(text) is not None


def _tells_person(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A word written as a name is, as the first of a sentence is unless it is a function word; or "by" one.

    Where nothing is written so, as in the triples of many graphs, any other word may be a name.
    """
    is_cased = any(token[0].isupper() for token, _ in tokens)
    return any(
        new and _may_be_name(token, place, is_cased) for place, (token, new) in enumerate(tokens)
    ) or any(
        token.lower() == "by" and any(new and other.isalpha() for other, new in tokens[place + 1 : place + 3])
        for place, (token, _) in enumerate(tokens)
    )


def _may_be_name(token: str, place: int, is_cased: bool) -> bool:
    if not is_cased or (place == 0 and token[0].isupper()):
        return token.lower() not in function_words()
    return token[0].isupper()


def _tells_place(text: str, tokens: Tokens, question_roots: frozenset[str]) -> bool:
    """A new thing behind a preposition: no time and no amount."""
    return any(new and token.lower() in _PLACES for token, new in tokens) or any(
        _is_place(text[match.end() :], question_roots) for match in _PREPOSITIONS.finditer(text)
    )


_TELLING: dict[AnswerKind, Callable[[str, Tokens, frozenset[str]], bool]] = {
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


def _is_time(token: str) -> bool:
    """Return whether a word is of a time; "may", "march" and the like are so with a capital alone."""
    word = token.lower()
    is_named = word in _MONTHS_AND_DAYS and token[0].isupper()
    is_year = re.fullmatch(r"1\d{3}|2[01]\d\d", word) is not None
    return is_named or is_year or word in _TIMES or word in _DAYS_OF_MONTHS


def _is_number(token: str) -> bool:
    return token[0].isdigit() or not _NUMERALS.isdisjoint(token.lower().split("-"))


def _is_place(after: str, question_roots: frozenset[str]) -> bool:
    """Return whether the noun behind a preposition is new: its words up to a function word, but numbers.

    "At 12 High Street" is a place, "in 1908" and what stands behind it is none.
    """
    noun: list[str] = []
    for token in _TOKEN.findall(after):
        is_function_word = token.lower() in function_words()
        if (is_function_word and noun) or (not noun and _YEAR.fullmatch(token)):
            break
        if not (is_function_word or _is_number(token) or _is_time(token)):
            noun.append(token.lower())
    return any(root(word) not in question_roots for word in noun[:_LONGEST_NOUN])
