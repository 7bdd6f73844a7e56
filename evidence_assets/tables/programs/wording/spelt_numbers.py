"""Numbers that words spell, from a position of a text's pieces: `half a million`, `twenty-first`.

And numbers told in several units: `2 hours, 13 minutes and 48 seconds`.
"""

from __future__ import annotations

from evidence_assets.text.words import NUMERALS, ORDINALS, SCALES, SHORT_SCALES, TENS, word_set

SCALES_OF_NUMBERS = {"k": 1e3, "m": 1e6, **SCALES, **SHORT_SCALES}
NUMBER_WORDS = {
    **{word: number for number, word in enumerate(NUMERALS)},
    **{word: 10 * number for number, word in enumerate(TENS, start=2)},
    "once": 1,
    "twice": 2,
}
_ORDINAL_WORDS = {
    **{word: number for number, word in enumerate(ORDINALS, start=1)},
    **{f"{word[:-1]}ieth": 10 * number for number, word in enumerate(TENS, start=2)},
}
_UNITS_FROM, _TENS_FROM = 1, 20


def spelt_number(pieces: list[str], position: int) -> tuple[float, float, int, bool] | None:
    """Return the number that words spell from a position, its scale, its last position, if it is an ordinal.

    `twenty-five`, `three hundred`, `two and a half million`, `half a million`, `a quarter of a million`,
    `three quarters of an hour`, `a half-hour`, `a dozen`, `twenty-first`, the `an` of `more than an hour` and
    of `an hour and a half`; else None.
    """
    piece, following = pieces[position], [*pieces[position + 1 : position + 3], "", ""]
    before = pieces[position - 1] if position else ""
    if piece in _ORDINAL_WORDS and not _is_compound(following[:2]):
        return float(_ORDINAL_WORDS[piece]), 1.0, position, True
    if piece in _NUMBERS_BY_WHAT_FOLLOWS:
        return (_number_of_a_half if piece == "half" else _number_of_an_article)(pieces, position)
    if piece not in NUMBER_WORDS or (before, piece) == ("at", "once"):
        return None
    number, last = float(NUMBER_WORDS[piece]), position
    if number >= _TENS_FROM:
        unit = position + 1 + (following[0] == "-")
        word = pieces[unit] if unit < len(pieces) else ""
        if _UNITS_FROM <= _ORDINAL_WORDS.get(word, 0) < 10 and following[0] == "-":
            return number + _ORDINAL_WORDS[word], 1.0, unit, True
        if word in NUMERALS[_UNITS_FROM:10]:
            number, last = number + NUMBER_WORDS[word], unit
    if (multiplied := _MULTIPLES.get("".join(pieces[last + 1 : last + 2]))) is not None:
        number, last = multiplied * number, last + 1
    if (part := PARTS.get(tuple(pieces[last + 1 : last + 4]))) is not None:
        number, last = number + part, last + 3
    joined = pieces[last + 1 : last + 2] == ["-"]
    if _is_of_quarters(pieces[last + 1 + joined : last + 5 + joined]):
        return 0.25 * number, 1.0, last + 3 + joined, False
    after = pieces[last + 1] if last + 1 < len(pieces) else ""
    scale = SCALES_OF_NUMBERS.get(after, 1.0) if len(after) > 1 else 1.0
    return number * scale, scale, last + (scale > 1.0), False


def _number_of_a_half(pieces: list[str], position: int) -> tuple[float, float, int, bool] | None:
    """Return the number of `half a million`, `half a dozen`, `half an hour`, `half-hour`."""
    following = [*pieces[position + 1 : position + 3], "", ""]
    if following[0] in _ARTICLES and following[1] in _MULTIPLES:
        return 0.5 * _MULTIPLES[following[1]], 1.0, position + 2, False
    scale = SCALES_OF_NUMBERS.get(following[1], 1.0)
    joined = following[0] == "-" and following[1] in MEASURED
    halved = 0.5 * scale, scale, position + 1 + (scale > 1.0), False
    return halved if following[0] in _ARTICLES or joined else None


def _number_of_an_article(pieces: list[str], position: int) -> tuple[float, float, int, bool] | None:
    """Return the number of `a quarter of a million`, `a quarter of an hour`, `a dozen`, `than an hour`."""
    before = pieces[position - 1] if position else ""
    following = [*pieces[position + 1 : position + 5], "", "", "", ""]
    if following[:2] == ["quarter", "of"] and following[2] in _ARTICLES:
        scale = SCALES_OF_NUMBERS.get(following[3], 1.0)
        if scale > 1.0 or following[3] in MEASURED:
            return 0.25 * scale, scale, position + 3 + (scale > 1.0), False
    if following[0] in _LARGE:
        scale = SCALES_OF_NUMBERS.get(following[0], 1.0)
        return float(_LARGE[following[0]]), scale, position + 1, False
    measures = before in _MEASURING or following[1] in _BY_SO_MUCH or tuple(following[1:4]) in PARTS
    return (1.0, 1.0, position, False) if measures and following[0] in MEASURED else None


def _is_of_quarters(following: list[str]) -> bool:
    """Return whether a number is one of quarters of a unit: `three quarters of an hour`."""
    quarters, of, article, unit = [*following, *[""] * 4][:4]
    return quarters == "quarters" and of == "of" and article in _ARTICLES and unit in MEASURED


def _is_compound(following: list[str]) -> bool:
    """Return whether an ordinal is part of a word that is no place: `second-hand`, not `second-largest`."""
    hyphen, word = [*following, "", ""][:2]
    return hyphen == "-" and word.isalpha() and not word.endswith(("st", "most", "placed"))


def in_smaller_units(number: float, unit: str, following: list[str]) -> tuple[float, str, int]:
    """Return so much of a unit of time, with what is said behind it, in the last unit that is said.

    And the name of that unit, and how many pieces tell it: of `2 hours` and `, 13 minutes and 48 seconds`
    8028, `second` and 6; none where nothing is said behind it.
    """
    name, read = _UNITS_OF_TIME.get(unit, ""), 0
    while name in _SMALLER:
        start = read + (following[read : read + 1] == [","])
        start += following[start : start + 1] == ["and"]
        digits, smaller = [*following[start : start + 2], "", ""][:2]
        count = float(digits) if digits.isdecimal() else NUMBER_WORDS.get(digits)
        if count is None or _UNITS_OF_TIME.get(smaller) != _SMALLER[name]:
            break
        number, name, read = _OF_THE_SMALLER * number + count, _SMALLER[name], start + 2
    return number, name, read


# The words for units of time, the next smaller one of each, and how many of that it has.
_UNITS_OF_TIME = {
    **dict.fromkeys(("hour", "hours", "h", "hr", "hrs"), "hour"),
    **dict.fromkeys(("minute", "minutes", "min", "mins"), "minute"),
    **dict.fromkeys(("second", "seconds", "sec", "secs", "s"), "second"),
}
_SMALLER = {"hour": "minute", "minute": "second"}
_OF_THE_SMALLER = 60


_ARTICLES = frozenset({"a", "an"})
_NUMBERS_BY_WHAT_FOLLOWS = _ARTICLES | {"half"}
# Behind these, `an hour` is one of them.
_MEASURING = word_set("than over under least most about almost nearly roughly within exactly")
# Before these it is by how much: `an hour later`.
_BY_SO_MUCH = word_set("later earlier longer shorter sooner more less")
# Nouns of units that no row of a table stands for.
UNIT_NOUNS = word_set("""
    hour minute second mile metre meter kilometre kilometer inch foot yard kilo kilogram gram pound ton tonne
    litre liter gallon hectare acre degree percent euro dollar
""")
MEASURED = UNIT_NOUNS | {"day", "week", "month", "year", "decade"}
_MULTIPLES = {"hundred": 100, "dozen": 12}
_LARGE = _MULTIPLES | SCALES
PARTS: dict[tuple[str, ...], float] = {
    ("and", "a", "half"): 0.5,
    ("and", "a", "quarter"): 0.25,
    ("and", "three", "quarter"): 0.75,
    ("and", "three", "quarters"): 0.75,
}
