"""Words of a claim that deny all rows, or say that some alone are meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, NOBODY, RELATIVE, RELATIVE_PRONOUNS
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, Token
from evidence_assets.text.dates import is_year

# `You will not see a longer ferry`: there is none. What a row does not get, others may.
_FINDING, _FINDERS = frozenset({"find", "see", "get"}), frozenset({"you", "one", "we"})
_OPENING_JOINTS = frozenset({",", "in", "on", "at"})
_MARKS = frozenset({".", "!", "?"})
# Said again they stand for the same things.
_ALL_OF_THEM = frozenset({"both", "neither", "all", "none", "each"})
# Words that join a clause, or a contrast, to what stands before it.
JOINTS = frozenset({"and", "but", ","})
# Before a number: no more and no fewer.
EXACTLY = frozenset({"exactly", "precisely", "just", "only"})
# Said of values, these are counted, each once.
DIFFERENT = frozenset({"different", "unique", "distinct"})
# Before what is denied of others: `and on no other`.
_PREPOSITIONS = frozenset({"on", "in", "at", "with", "for", "to", "by", "from", "of"})


def none_words(texts: Sequence[str]) -> list[int]:
    """Return the words that deny all rows: `none`, `no fund`, `not one`, `not a single`."""
    if _DENYING.isdisjoint(texts):
        return []
    for position, text in enumerate(texts):
        before = texts[position - 1] if position else ""
        behind_a_time = texts[0] in _OPENING_JOINTS and position <= _BEHIND_A_TIME
        opens = not position or before in _OPENING_JOINTS or behind_a_time
        opens = opens or is_year(before) or tuple(texts[position - 2 : position]) == _THERE_BE
        if text in NOBODY and position and tuple(texts[position + 1 : position + 2]) == ("but",):
            # `Nothing but` says what all have, unless it opens a claim.
            continue
        if text in NOBODY or (opens and text in {"none", "no", "neither"}):
            pronoun = [position + 1] if texts[position + 1 : position + 2] in {("one",), ("other",)} else []
            return [position, *pronoun, *(n for n, text in enumerate(texts) if text == "nor")]
    for position in range(len(texts) - 2):
        following = list(texts[position + 1 : position + 3])
        finders = _FINDERS.intersection(texts[max(0, position - 2) : position])
        if finders and texts[position] in {"not", "never"} and following[0] in _FINDING:
            return [*range(max(0, position - 1), position + 2)]
        if texts[position] == "not" and (following[0] == "one" or following == ["a", "single"]):
            return [position, position + 1, *([position + 2] if following[0] == "a" else [])]
    return []


_DENYING = NOBODY | {"none", "no", "neither", "not", "never"}
_THERE_BE = ("there", "be")
# `In 2022 no shop` opens with when it was.
_BEHIND_A_TIME = 3


# Words that say of a claim's names that no others have what it says.
ALONE = frozenset({"only", "alone", "solely", "sole"})
_ALONE_OR_ONE = ALONE | {"one"}


def only_word(texts: Sequence[str]) -> int | None:
    """Return where a word for `only` stands, or `one` of `the one boat that`; None without."""
    if _ALONE_OR_ONE.isdisjoint(texts):
        return None
    return next((n for n, text in enumerate(texts) if text in ALONE or is_the_one(texts, n)), None)


def fronted_scope(texts: tuple[str, ...]) -> range | None:
    """Return where a claim tells first of which things it is: `of the five vans,`; None without."""
    return range(1, texts.index(",")) if texts[:1] in (("of",), ("among",)) and "," in texts else None


def is_the_one(texts: Sequence[str], position: int) -> bool:
    """Return whether a word is the `one` of `the one boat that floats`, which says that no other does."""
    if texts[position] != "one" or tuple(texts[position - 1 : position]) != ("the",):
        return False
    noun, behind = [*texts[position + 1 : position + 3], "", ""][:2]
    return noun.isalpha() and noun not in _OPENING_WHICH and behind in _OPENING_WHICH


# Words that open what says which row is meant: `the one boat to float`.
_OPENING_WHICH = RELATIVE | {"with", "without", "to"}


def said_again(texts: Sequence[str]) -> list[int]:
    """Return where a word for all is said again of the same: `both are lit, and both are old`."""
    return [
        n
        for n in range(2, len(texts))
        if texts[n] in _ALL_OF_THEM and texts[n - 1] in JOINTS and texts[n] in texts[: n - 1]
    ]


@lru_cache(maxsize=1 << 5)
def condition_of_all(texts: tuple[str, ...]) -> range | None:
    """Return where it stands of which rows something is said: `whenever A`, `every time A`, `if a boat is A`.

    Up to the comma behind it; None without it.
    """
    for position, text in enumerate(texts[:-2]):
        following = texts[position + 1]
        of_times = text in {"each", "every"} and following == "time"
        of_any = not position and text in {"if", "when"} and following in {"a", "an", "any"}
        if text == "whenever" or of_any or (of_times and texts[position + 2] not in {",", ".", "in"}):
            return range(position, texts.index(",", position) if "," in texts[position:] else len(texts))
    return None


def relative_clause(texts: Sequence[str], place: int) -> range | None:
    """Return the clause that says which rows are meant by what they are not: `two with no oar are long`.

    It opens at the relative pronoun before a negation, at `without` or `with no`, and goes up to a comma or
    to the next verb. None without a verb behind it.
    """
    near = range(place, max(-1, place - 3), -1)
    is_with_no = tuple(texts[max(0, place - 1) : place + 1]) == ("with", "no")
    with_no = place if texts[place] == "without" else place - 1 if is_with_no else None
    opening = next((n for n in near if texts[n] in RELATIVE_PRONOUNS), with_no)
    verb = next((n for n in range(place + 2, len(texts)) if texts[n] in AUXILIARIES), None)
    if verb is None and texts[place] == "without":
        verb = _behind_a_noun(texts, place + 1)
    if verb is None and opening is not None and not _DENYING_ALL.isdisjoint(texts[:opening]):
        # `There is no van that is not lit` denies twice.
        verb = len(texts)
    if opening is None or verb is None:
        return None
    return range(opening, next((n for n in range(place, verb) if texts[n] == ","), verb))


def _behind_a_noun(texts: Sequence[str], place: int) -> int | None:
    """Return where more than a time or place is said behind a noun: `huts without beds cost less than 9`."""
    following = tuple(texts[place:])
    behind = 2 if following[:1] in _ARTICLE else 1
    said = [text for text in following[behind:] if text.isalnum()]
    return place + behind if len(said) >= _SAID_BEHIND else None


_ARTICLE, _SAID_BEHIND = frozenset((article,) for article in ARTICLES), 2


_DENYING_ALL = NOBODY | {"no", "none"}


def limitless(texts: tuple[str, ...], start: int) -> list[int]:
    """Return where behind a denial words stand that say no more than it: `no oar whatsoever`, `not a single`.

    `Once` and `even` say no more only right behind it, and `longer` where nothing is compared.
    """
    words = [n for n in range(start, len(texts)) if texts[n] in _LIMITLESS]
    single = [n for n in range(start + 1, len(texts)) if texts[n - 1 : n + 1] == ("a", "single")]
    once = [n for n in range(start + 1, start + 2) if texts[n : n + 1] in {("once",), ("even",)}]
    longer = [start + 1] if is_no_longer(texts, start) else []
    return sorted({*words, *single, *once, *longer})


def is_no_longer(texts: Sequence[str], place: int) -> bool:
    """Return whether a denial is of what was so: `is no longer open`, but not `no longer than 50 m`."""
    return tuple(texts[place : place + 2]) == ("no", "longer") and "than" not in texts[place + 2 :]


_LIMITLESS = frozenset({"any", "ever", "whatsoever"})


def quantifying_nones(tokens: Sequence[Token]) -> list[int]:
    """Return where `none` stands for rows, and for no value: it opens a claim, or `of` stands behind it."""
    texts = [token.text for token in tokens]
    return [n for n, text in enumerate(texts) if text == "none" and (not n or texts[n + 1 : n + 2] == ["of"])]


def excepted_number(tokens: Sequence[Token]) -> tuple[int, int, int] | None:
    """Return where the words of `all but two`, `all red vans but one` stand, the number of rows that are
    excepted last; None without it.
    """
    for position in range(1, len(tokens) - 1):
        if tokens[position].text not in {"but", "except"}:
            continue
        number = tokens[position + 1]
        if number.number is None or number.ordinal or not number.text.isalpha():
            continue
        for quantifier in range(position - 1, max(-1, position - _NEAR_QUANTIFIER), -1):
            if tokens[quantifier].mark or tokens[quantifier].text in AUXILIARIES:
                break
            if tokens[quantifier].text in EACH:
                return quantifier, position, position + 1
    return None


# So near before the exception stands the word for all: `all of the red vans but one`.
_NEAR_QUANTIFIER = 6


def sole_words(texts: Sequence[str]) -> range | None:
    """Return the end of a claim that denies others what it says: `and no other does`; None without it."""
    end = len(texts) - any(text in _MARKS for text in texts[-1:])
    for position in range(2, end - 1):
        before = position - 1 - (texts[position - 1] in _PREPOSITIONS)
        if texts[before] not in JOINTS | {";"}:
            continue
        last = _last_of_others(texts, position)
        rest = texts[last + 1 : end] if last is not None else ()
        if last is not None and (
            len(rest) < _WIDEST_REST or (len(rest) == _WIDEST_REST and rest[-1] in AUXILIARIES)
        ):
            return range(position, end)
    return None


# So many words stand behind `no other`, the last of them an auxiliary: `no other boat is`.
_WIDEST_REST = 2


def _last_of_others(texts: Sequence[str], position: int) -> int | None:
    """Return where `no other`, `nobody else`, `no one else`, begun at a position, ends; None for others."""
    text, (second, third) = texts[position], [*texts[position + 1 : position + 3], "", ""][:2]
    if text in {"no", "none"} and second in {"other", "others"}:
        return position + 1
    if text in {*NOBODY, "none"} and second == "else":
        return position + 1
    return position + 2 if (text, second, third) == ("no", "one", "else") else None
