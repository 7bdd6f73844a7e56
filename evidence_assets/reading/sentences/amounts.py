"""Numbers that tell no amount that is asked for: "three weeks" for "how deep", "in 1908" for "how many"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.text.calendar_words import DAY_NAMES, MONTHS
from evidence_assets.text.function_words import up_to_a_function_word
from evidence_assets.text.words import word_set

MONTHS_AND_DAYS = frozenset({*MONTHS, *DAY_NAMES, *(f"{day}s" for day in DAY_NAMES), "christmas", "easter"})
UNITS_OF_TIME = word_set("""
    sec secs second seconds min mins minute minutes hr hrs hour hours day days night nights week weeks
    fortnight month months year years season seasons decade decades century centuries
""")
_TIME, _LENGTH, _AREA, _VOLUME, _WEIGHT, _TEMPERATURE = (
    "time",
    "length",
    "area",
    "volume",
    "weight",
    "temperature",
)
_UNITS = {
    _TIME: UNITS_OF_TIME,
    _LENGTH: word_set("""
        centimetre centimetres centimeter centimeters cm feet foot ft inch inches kilometre kilometres
        kilometer kilometers km metre metres meter meters m mile miles millimetre millimetres millimeter
        millimeters mm yard yards
    """),
    _AREA: word_set("acre acres hectare hectares"),
    _VOLUME: word_set("cup cups gallon gallons liter liters litre litres ml pint pints"),
    _WEIGHT: word_set("""
        g gram grams gramme grammes kg kilo kilos kilogram kilograms lb lbs ounce ounces pound pounds stone
        ton tons tonne tonnes
    """),
    _TEMPERATURE: word_set("celsius degree degrees fahrenheit"),
}
# What an adjective is measured in; what is not here, "much" or "often", may be told in anything.
_MEASURED_IN = {
    adjective: dimensions
    for adjectives, dimensions in (
        ("broad deep high tall thick thin wide", (_LENGTH,)),
        ("steep", (_LENGTH, _TEMPERATURE)),
        ("far long short", (_LENGTH, _TIME)),
        ("cold hot warm", (_TEMPERATURE,)),
        ("big bright large loud small strong", (_LENGTH, _AREA, _VOLUME, _WEIGHT)),
        ("heavy", (_WEIGHT,)),
        ("old young", (_TIME,)),
    )
    for adjective in adjectives.split()
}
# What a length is of, behind it: "60 metres deep", "60 metres in depth".
_OF_LENGTHS = {
    word: sense
    for sense, words in enumerate(
        ("deep depth", "high height tall", "long length", "thick thickness", "broad wide width across")
    )
    for word in words.split()
}
# Pounds in a text that says one of these are no weight.
_POUNDS = word_set("pound pounds")
WORDS_OF_MONEY = word_set("""
    charge charged charges cost costs earn earns fare fares fee fees fine fines paid pay pays price
    prices rent rents salary sell sells sold wage wages
""")
# Words behind a number of which one may be its unit.
_NEAR = 3
_YEAR = re.compile(r"1\d{3}|20\d\d")
_BEFORE_YEARS = word_set("after before by during in since till until")
# In lower case "may" and "march" are oftener no months.
_MONTHS_IN_LOWER_CASE = MONTHS.keys() - word_set("mar march may")
_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_HOUR = re.compile(r"\d|1\d|2[0-4]|[a-z]+")
_AFTER_HOURS = word_set("and in on or until")
# What stands at a number, "capped at twelve", stands at no hour.
_BEFORE_LEVELS = word_set("capped fixed held kept limited remains set stands")
# A quarter behind one of these is of a year.
_BEFORE_QUARTERS = word_set("each every last next this")


def is_of_date(words: Sequence[str], place: int) -> bool:
    """Return whether a number is of a date: "in 1908", "12 May", "each quarter".

    `words`: of a text, in lower case; `place`: of the number among them.
    """
    number, before, after = words[place], _word(words, place - 1), _word(words, place + 1)
    is_year, is_day = _YEAR.fullmatch(number) is not None, _DAY.fullmatch(number) is not None
    return (
        (
            is_year
            and (before in _BEFORE_YEARS or before in _MONTHS_IN_LOWER_CASE)
            and _unit(words, place) is None
        )
        or (is_day and (before in _MONTHS_IN_LOWER_CASE or after in _MONTHS_IN_LOWER_CASE))
        or (number == "quarter" and before in _BEFORE_QUARTERS)
    )


def is_hour(words: Sequence[str], place: int) -> bool:
    """Return whether a number is an hour: "at two in the morning"."""
    number, after = words[place], _word(words, place + 1)
    return (
        _word(words, place - 1) == "at"
        and _word(words, place - 2) not in _BEFORE_LEVELS
        and _HOUR.fullmatch(number) is not None
        and (after in _AFTER_HOURS or (not after and number.isalpha()))
    )


def _word(words: Sequence[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


def _unit(words: Sequence[str], place: int) -> str | None:
    """Return what the unit behind a number measures, before the next function word; None without one."""
    behind = up_to_a_function_word(words[place + 1 : place + 1 + _NEAR])
    return next((dimension for word in behind for dimension, units in _UNITS.items() if word in units), None)


def is_one_unit(words: Sequence[str], place: int) -> bool:
    """Return whether "a" or "an" counts one unit: "a mile"."""
    after = _word(words, place + 1)
    return words[place] in ("a", "an") and any(after in units for units in _UNITS.values())


def may_be_told_by_frequency(degree: str) -> bool:
    """Return whether "every spring" or "never" may tell how often, how long or how much; not how deep."""
    return _TIME in _MEASURED_IN.get(degree, (_TIME,))


def is_another_amount(degree: str, words: Sequence[str], place: int) -> bool:
    """Return whether a number tells another amount than how deep, how old or whatever something is.

    It does where its unit measures something else, "three weeks" or pounds that are paid, where another
    dimension is said of it, "60 metres wide", and where it is of a date or an hour, unless an age is asked
    for. An unknown unit may be the one that is asked for.

    Args:
        degree: The adjective that is asked for; "" of an amount of any kind.
        words: Of a text, in lower case. `place`: of the number among them.
    """
    measured_in = _MEASURED_IN.get(degree)
    if measured_in is None:
        return False
    unit = _unit(words, place)
    behind = words[place + 1 : place + 1 + _NEAR]
    sense = next((_OF_LENGTHS[word] for word in behind if word in _OF_LENGTHS), None)
    return (
        (degree != "old" and is_of_date(words, place))
        or (_TEMPERATURE not in measured_in and is_hour(words, place))
        or (unit is not None and unit not in measured_in)
        or (not _POUNDS.isdisjoint(behind) and not WORDS_OF_MONEY.isdisjoint(words))
        or (unit == _LENGTH and sense is not None and sense != _OF_LENGTHS.get(degree, sense))
    )
