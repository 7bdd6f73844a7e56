"""Literals: labels that are numbers, years or dates, compared as values."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.words.dates import ORDINAL_ENDINGS, value_of_date
from evidence_assets.text.function_words import function_words
from evidence_assets.text.units import MONEY, converted, unit_of
from evidence_assets.text.words import NUMERALS, ORDINALS, SCALES, SHORT_SCALES, TENS

# What parts groups of three digits, but a comma: spaces, also those that keep a line together.
_SPACES = "\u0020\u00a0\u2009\u202f"
_NUMBER = re.compile(
    rf"[+−-]?\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|[+−-]?[1-9]\d{{0,2}}(?:[{_SPACES}]\d{{3}})+(?:\.\d+)?"
    r"|[+−-]?\d+(?:\.\d+)?"
)
_UNPARTED = str.maketrans("−", "-", f",{_SPACES}")
# How many digits are a group, "1,820".
_GROUP = 3
# Whole numbers between these are read as years where nothing else says what they are.
_YEARS = (1000, 2200)
_SHORT_UNITS = frozenset("mglsht")
# Units that elsewhere are what is left of a word: "isn't", "Ada's".
_CONTRACTED = frozenset("st")
# A number with a unit behind it: "16 GB", "1,820 m", "30 km/h", "12 USD per kg".
_AMOUNT = re.compile(
    rf"({_NUMBER.pattern})(\s*)((?:(?:square|cubic)\s+)?[^\W\d_]+[²³]?(?:(?:\s*/\s*|\s+per\s+)[^\W\d_]+)?)"
)
# What is no unit next to a number: "1960s", "21st".
_ENDINGS = ORDINAL_ENDINGS | {"s"}
# Units of one letter in capitals; what else is one is a grade, a flat or a scale.
_CAPITALS = frozenset("LWVJN")
# What stands before a unit of length, of areas and volumes.
POWERS = frozenset(["square", "cubic"])
_FRACTIONS = {"half": 0.5, "quarter": 0.25}
_SCALES = {**dict.fromkeys(("dozen", "dozens"), 12.0), **dict.fromkeys(("hundred", "hundreds"), 1e2)}
_SCALES |= SCALES | SHORT_SCALES


def value_of(text: str) -> float:
    """Return the value of a text that is a number or a date as a whole, nan for any other.

    A date is its year and the share of it that has passed.
    """
    stripped = text.strip()
    if _NUMBER.fullmatch(stripped):
        return float(stripped.translate(_UNPARTED))
    return value_of_date(stripped)


@lru_cache(maxsize=1 << 16)
def amount_of(text: str) -> tuple[float, str] | None:
    """Return the number and the unit of a text that is an amount as a whole, None for any other.

    The unit is by its name, since letters in capitals mean others: MB are megabytes, Mb megabits.
    """
    match = _AMOUNT.fullmatch(text.strip())
    if match is None or (not match[2] and match[3].lower() in _ENDINGS):
        return None
    unit = _spelt_unit(re.sub(r"\s+per\s+|\s*/\s*", "/", match[3]))
    if unit is None or unit.dimensionless:
        return None
    name = f"{unit:C}"
    return (value_of(match[1]), MONEY.get(name, name)) if unit_of(name) == unit else None


def measured_kind(unit: str) -> str:
    """Return what tells units that are converted into each other from others."""
    return str(unit_of(unit).dimensionality)


def spoken_number(word: str) -> float:
    """Return the value of a numeral in digits, or in one word below a hundred; nan for any other word."""
    lowered = word.lower().rstrip("%").strip()
    if lowered in TENS:
        return 10.0 * (TENS.index(lowered) + 2)
    return float(NUMERALS.index(lowered)) if lowered in NUMERALS else value_of(lowered)


def is_group_of_digits(word: str, following: str) -> bool:
    """Return whether a word of digits has three more of its number behind it: "70 000"."""
    return word.isdigit() and len(word) <= _GROUP and len(following) == _GROUP and following.isdigit()


def is_tens_and_ones(word: str, following: str) -> bool:
    """Return whether two words are one numeral: "sixty five"."""
    return word in TENS and following in NUMERALS[1:10]


def scale(word: str) -> float:
    """Return what a word multiplies the number before it by; 1 for one that is no scale."""
    return _SCALES.get(word.lower(), 1.0)


def fraction_of(word: str) -> float:
    """Return the value of a word for a part of something: half, quarters, a tenth; nan for any other word."""
    singular = word.removesuffix("s")
    if singular in _FRACTIONS:
        return _FRACTIONS[singular]
    # A second is a unit of time.
    return 1.0 / (ORDINALS.index(singular) + 1) if singular in ORDINALS[2:] else math.nan


def values_of(labels: Sequence[str]) -> NDArray[np.float64]:
    """Return (n,) the value of each label, nan where it is none."""
    return np.array([value_of(label) for label in labels], dtype=np.float64)


def are_years(values: NDArray[np.float64]) -> bool:
    """Return whether all values could be years or dates."""
    return bool(len(values)) and bool(np.all((values >= _YEARS[0]) & (values <= _YEARS[1])))


@lru_cache(maxsize=4096)
def is_unit(word: str, measures: bool = False) -> bool:
    """Return whether a word is a unit of measure.

    `measures`: it stands where units do, behind a number or at the end of a measure's name: "2 t".
    """
    carries_nothing = word in function_words() and not (measures and word in _CONTRACTED)
    return (len(word) > 1 or word in _SHORT_UNITS) and not carries_nothing and unit_of(word) is not None


def is_time(unit: str) -> bool:
    """Return whether a unit is one of time."""
    return bool(unit) and in_unit(1.0, unit, "second") is not None


def is_money(unit: str) -> bool:
    """Return whether a unit is a currency."""
    return any(in_unit(1.0, unit, code) is not None for code in MONEY.values())


def in_unit(value: float, unit: str, target: str) -> float | None:
    """Return a value given in a unit, in another; None where they do not measure the same."""
    if not unit or not target or unit == target:
        return value
    if target == MONEY["pound_sterling"] and unit in ("pound", "pounds"):
        return value
    source_unit, target_unit = unit_of(unit), unit_of(target)
    return None if source_unit is None or target_unit is None else converted(value, source_unit, target_unit)


def _spelt_unit(text: str) -> Any:
    """Return the unit of a label, in which capitals tell units apart; None where it is none."""
    lowered = text.lower()
    if len(text) == 1 and text not in _SHORT_UNITS | _CAPITALS:
        return None
    if lowered in function_words() and lowered not in _CONTRACTED:
        return None
    capitalised = len(text) > 2 and text[1:] == lowered[1:]
    return unit_of(text, cased=text != lowered and not capitalised)
