"""Whether a text tells anything of the kind that a question asks for.

A text that tells none holds no answer, however many of the question's words it says. What the question says
itself is not told by the text. Where a kind cannot be told for certain, a text is taken to tell it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from evidence_assets.reading.sentences.amounts import (
    MONTHS_AND_DAYS,
    UNITS_OF_TIME,
    WORDS_OF_MONEY,
    is_another_amount,
    is_hour,
    is_of_date,
    is_one_unit,
    may_be_told_by_frequency,
)
from evidence_assets.reading.sentences.answer_kinds import AnswerKind, Asked
from evidence_assets.text.function_words import function_words, up_to_a_function_word
from evidence_assets.text.roots import root
from evidence_assets.text.words import NUMERALS, ORDINALS, TENS, word_set

# Words and numbers of a text, each with whether the question lacks it.
Tokens = Sequence[tuple[str, bool]]
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W_]+(?:['’-][^\W_]+)*")
# "To" before a verb tells a purpose; not "has to", and not before what is no verb.
_PURPOSES = re.compile(
    r"(?<!had )(?<!has )(?<!have )(?<!is )(?<!are )(?<!was )(?<!were )\bto "
    r"(?!(?:an?|the|it|him|her|them|this|that|these|those|my|our|your|his|its|their|us|me|you|each|every|all|no"
    r"|one)\b)([a-z]+)"
)
_REASONS = re.compile(
    r"\b(?:because|blamed?|cause[ds]?|due to|forced|hence|in order|leads? to|led to|lest|on account of"
    r"|otherwise|owing|prompted|reasons?|resulted|results?|so|sparked|stemm?ed|stems|thanks to|therefore|thus"
    r"|triggered)\b|(?:^|[,;:] )(?:after|as|following|for|since)\b|\b(?:after|following) (?:an?|the)\b"
    r"|\b(?:as|since) (?:he|her|his|it|its|our|she|their|there|they|we)\b"
    r"|\bfor (?:fear|lack|maintenance|repairs?|safety|want)\b",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\b(?:always|annually|daily|each|every|fortnightly|hourly|monthly|never|nightly|occasionally|often"
    r"|on \w+days|once|per|quarterly|rarely|regularly|seldom|sometimes|twice|usually|weekly|whenever|yearly"
    r"|(?:all|an?|half an?|the whole) (?:second|minute|hour|day|week|fortnight|month|year|mile"
    r"|kilomet(?:re|er)))\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:forever|indefinitely|overnight|permanently|since|till|until|from \d+ to"
    r"|for (?:life|years|months|weeks|days|hours))\b",
    re.IGNORECASE,
)
_PREPOSITIONS = re.compile(
    r"\b(?:above|across|against|along|among|around|at|behind|below|beneath|beside|between|beyond|by|down|from|in"
    r"|inside|into|near|next|off|on|onto|opposite|outside|over|past|through|throughout|to|towards?|under|up|via"
    r"|within)\b",
    re.IGNORECASE,
)
_PLACES = word_set(
    "abroad downstairs everywhere here indoors online outdoors overseas there upstairs birthplace hometown"
)
_YEAR = re.compile(
    r"(?:.*\D)?(?:1\d{3}|2[01]\d\d)|[1-9]\d{2}|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies"
    r"|century|centuries"
)
_ERA = re.compile(r"\b\d+ (?:AD|BC|BCE|CE)\b|\bAD \d|\b[Ss]ince\b")
_BEFORE_PRICES = WORDS_OF_MONEY | word_set("deposit worth")
_PRICE = re.compile(
    r"[$£€¥₹]|\d ?(?:%|p|kr)|\b(?:bucks?|cents?|complimentary|crowns?|dollars?|euros?|francs?|free|included"
    r"|marks?|nothing|pence|penny|percent|pounds?|quid|rupees?|shillings?|sixpence|yen)\b"
    rf"|\b(?:at|no) (?:cost|charge|fee)|\b(?:{'|'.join(sorted(_BEFORE_PRICES))}) (?:[a-z]+ ){{0,4}}\d",
    re.IGNORECASE,
)
_CURRENCY = re.compile(r"\b[A-Z]{3} \d|\d [A-Z]{3}\b")
_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|a\.m|p\.m)\b|\b\d{1,2}:\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)\b|\bo['’]clock\b",
    re.IGNORECASE,
)
_TIMES = word_set("""
    spring springs summer summers autumn autumns winter winters
    morning mornings noon midday afternoon afternoons evening evenings night nights midnight dawn dusk sunrise
    sunset lunchtime today yesterday tomorrow now nowadays ago hourly daily weekly fortnightly monthly
    annually yearly weekday weekdays weekend weekends century centuries decade decades after before during
    soon till until upon when whenever
""")
# "First" to "third" count other things oftener than days.
_DAYS_OF_MONTHS = frozenset(ORDINALS[3:])
_UNITS = UNITS_OF_TIME | word_set("cent degree degrees percent")
# "Twice a week" tells no duration.
_TIMES_OVER = word_set("once twice")
_ROOTS_OF_TIMES = frozenset(map(root, UNITS_OF_TIME))
_LONG_TIMES = word_set("century centuries decade")
_BEFORE_NUMBERS = word_set("at between by from past to") | UNITS_OF_TIME | MONTHS_AND_DAYS
_AFTER_NUMBERS = UNITS_OF_TIME | MONTHS_AND_DAYS
# A name behind one of these is of a place, not of a person.
_BEFORE_PLACES = word_set("at in near")
_BEFORE_ROLES = word_set("by for to with")
# Words of a place's name, and of what is counted, that are looked at.
_LONGEST_NOUN = 3
_NUMERALS = frozenset(
    [*NUMERALS, *TENS, *word_set("both couple dozen double half hundred million pair quarter single")]
) | word_set("""
    billion billions dozens few fraction hundreds majority millions nobody none no once plenty several
    tenth thirds thousand thousands twice
""")


def token_roots(question: str) -> frozenset[str]:
    """Return the roots of a question's words and numbers, each as it is written: "7:30", "thirty-floor"."""
    return frozenset(root(token.lower()) for token in _TOKEN.findall(question))


def tells(text: str, asked: Asked, question_roots: frozenset[str]) -> bool:
    """Return whether a text tells something that is asked for and that the question does not say itself.

    `question_roots`: see `token_roots`.
    """
    words = _TOKEN.findall(text)
    is_new = [root(word.lower()) not in question_roots for word in words]
    tokens = list(zip(words, is_new, strict=True))
    return _TELLING[asked.kind](text, tokens, asked, question_roots)


def _tells_reason(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    purposes = (match for match in _PURPOSES.findall(text) if not _is_number(match))
    return _REASONS.search(text) is not None or any(root(verb) not in question_roots for verb in purposes)


def _tells_year(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return (
        _ERA.search(text) is not None
        or any(new and _YEAR.fullmatch(token) for token, new in lowered)
        # "The nineteenth century", where the question says "century" itself.
        or any(new and after in _LONG_TIMES for (_, new), (after, _) in pairwise(lowered))
    )


def _tells_time(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    lowered = [(token.lower(), new) for token, new in tokens]
    return (
        any(new and _is_time(token) for token, new in tokens)
        or any(root(match.lower()) not in question_roots for match in _CLOCK.findall(text))
        or any(
            (new and _is_number(token) and after in _AFTER_NUMBERS)
            or (also_new and _is_number(after) and token in _BEFORE_NUMBERS)
            or (token in ("each", "every") and after in UNITS_OF_TIME)
            for (token, new), (after, also_new) in pairwise(lowered)
        )
    )


def _tells_count(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    """A number that measures no time and no share, unless such are asked for, and is of no date.

    Nor one that counts something else, "thirty cars" where a text also speaks of the coaches that are asked
    for.
    """
    texts = [token.lower() for token, _ in tokens]
    lowered = [*texts, ""]
    counted = root(asked.counted) if asked.counted else ""
    is_spoken_of = counted in map(root, texts)
    return any(
        new
        and _is_number(token)
        and not (is_spoken_of and _counts_another(counted, texts, place))
        and (lowered[place + 1] not in _UNITS or root(lowered[place + 1]) in question_roots)
        and not (is_of_date(lowered, place) or is_hour(lowered, place))
        for place, (token, new) in enumerate(tokens)
    )


def _counts_another(counted: str, words: Sequence[str], place: int) -> bool:
    """Return whether a number has another noun behind it, up to a function word, and not its own before it.

    `words`: of a text, in lower case; `place`: of the number among them.
    """
    noun = up_to_a_function_word(words[place + 1 : place + 1 + _LONGEST_NOUN])
    is_behind_its_noun = place > 0 and root(words[place - 1]) == counted
    return bool(noun) and counted not in map(root, noun) and not is_behind_its_noun


def _tells_duration(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    parts = [(part, new) for token, new in tokens for part in token.lower().split("-")]
    words = [part for part, _ in parts]
    # "How many days a week" may be told by "daily", how many years may not.
    of_two_units = len(question_roots & _ROOTS_OF_TIMES) > 1
    return (
        any(
            new
            and _is_number(part)
            and not (part in _TIMES_OVER or words[place + 1 : place + 2] == ["times"])
            and not UNITS_OF_TIME.isdisjoint(words[place + 1 : place + 4])
            for place, (part, new) in enumerate(parts)
        )
        or _LASTING.search(text) is not None
        or (of_two_units and _OFTEN.search(text) is not None)
    )


def _tells_price(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    return bool(_PRICE.search(text) or _CURRENCY.search(text))


def _tells_amount(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    lowered = [token.lower() for token, _ in tokens]
    return any(
        ((new and _is_number(token)) or is_one_unit(lowered, place))
        and not is_another_amount(asked.degree, lowered, place)
        for place, (token, new) in enumerate(tokens)
    ) or (may_be_told_by_frequency(asked.degree) and bool(_OFTEN.search(text) or _LASTING.search(text)))


def _tells_person(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    """A new word that is written as a name, as a sentence's first is too, or somebody that it is done by.

    Where nothing is written as a name, as in the triples of many graphs, any other word may be one.
    """
    is_cased = any(token[0].isupper() for token, _ in tokens)
    befores = ["", *(token.lower() for token, _ in tokens)]
    return (
        any(
            new and _may_be_name(token, is_cased) and befores[place] not in _BEFORE_PLACES
            for place, (token, new) in enumerate(tokens)
        )
        or any(
            token.lower() == "by" and any(_may_be_somebody(*other) for other in tokens[place + 1 : place + 3])
            for place, (token, _) in enumerate(tokens)
        )
        or (asked.by_role and _tells_role(tokens))
    )


def _tells_role(tokens: Tokens) -> bool:
    """A new word that may be a noun for somebody: the first, or one behind "by", "for", "to" or "with"."""
    content = [token for token in tokens if token[0].lower() not in function_words()]
    return any(_may_be_somebody(*token) for token in content[:1]) or any(
        before.lower() in _BEFORE_ROLES
        and any(_may_be_somebody(*token) for token in tokens[place + 1 : place + 3])
        for place, (before, _) in enumerate(tokens)
    )


def _may_be_name(token: str, is_cased: bool) -> bool:
    return (token[0].isupper() or not is_cased) and _is_noun(token)


def _may_be_somebody(token: str, is_new: bool) -> bool:
    return is_new and token.isalpha() and _is_noun(token)


def _is_noun(token: str) -> bool:
    """Return whether a word may be a noun for somebody: no function word, no month and no day."""
    return token.lower() not in function_words() and token.lower() not in MONTHS_AND_DAYS


def _tells_place(text: str, tokens: Tokens, asked: Asked, question_roots: frozenset[str]) -> bool:
    """A new thing behind a preposition: no time and no amount."""
    return (
        any(new and token.lower() in _PLACES for token, new in tokens)
        or (asked.by_name and any(new and token[0].isupper() and _is_noun(token) for token, new in tokens))
        or any(_is_place(text[match.end() :], question_roots) for match in _PREPOSITIONS.finditer(text))
    )


_TELLING: dict[AnswerKind, Callable[[str, Tokens, Asked, frozenset[str]], bool]] = {
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
    is_named = word in MONTHS_AND_DAYS and token[0].isupper()
    is_year = re.fullmatch(r"1\d{3}|2[01]\d\d", word) is not None
    return is_named or is_year or word in _TIMES or word in _DAYS_OF_MONTHS


def _is_number(token: str) -> bool:
    return token[0].isdigit() or not _NUMERALS.isdisjoint(token.lower().split("-"))


def _is_place(after: str, question_roots: frozenset[str]) -> bool:
    """Return whether the noun behind a preposition is new: its words up to a function word, but numbers.

    "At 12 High Street" is a place, "in 1908" and what stands behind it is none.
    """
    noun: list[str] = []
    is_time = False
    for token in _TOKEN.findall(after):
        is_function_word = token.lower() in function_words()
        if (is_function_word and (noun or is_time)) or (not noun and _YEAR.fullmatch(token)):
            break
        if _is_time(token):
            is_time = True
        elif not (is_function_word or _is_number(token)):
            noun.append(token.lower())
    return any(root(word) not in question_roots for word in noun[:_LONGEST_NOUN])
