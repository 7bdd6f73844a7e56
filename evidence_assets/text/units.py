"""Units of measure by how people spell them, and what converts into what.

A kept library's definitions, without those that a word of everyday English is mistaken for, and with bits and
bytes as a dimension of their own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

# Currencies with their codes.
MONEY = {
    "euro": "eur",
    "dollar": "usd",
    "pound_sterling": "gbp",
    "franc": "chf",
    "yen": "jpy",
    "krona": "sek",
}
# A symbol of electricity and its kind in one case, as the names of columns are: `capacity_mw`.
_ELECTRIC = re.compile(r"([kmgt])(w|v|j|wh|hz|pa)")
_PREFIXES = {"k": "k", "m": "M", "g": "G", "t": "T"}
_BASES = {"w": "W", "v": "V", "j": "J", "wh": "Wh", "hz": "Hz", "pa": "Pa"}
_INFORMATION = re.compile(r"([kmgtp])(i?)(b|bits?|bytes?)(ps)?", re.IGNORECASE)
_MULTIPLES = {"k": "kilo", "m": "mega", "g": "giga", "t": "tera", "p": "peta"}
_BINARY = {"k": "kibi", "m": "mebi", "g": "gibi", "t": "tebi", "p": "pebi"}
_POWER = re.compile(r"(.+?)\s*(?:\*\*|\^)?\s*([23²³])")
_POWERS = {"square": "2", "sq": "2", "sq.": "2", "cubic": "3", "cu": "3", "cu.": "3"}
_SPELLINGS = {
    "°c": "degC",
    "°f": "degF",
    "celsius": "degC",
    "fahrenheit": "degF",
    "mph": "mile/hour",
    **dict.fromkeys(("kmh", "kmph", "kph"), "kilometer/hour"),
    "wh": "Wh",
    "hz": "Hz",
    "pa": "Pa",
    # Of ships, whose speeds are told oftener than forces.
    **dict.fromkeys(("kn", "kts"), "knot"),
    "kN": "kilonewton",
    # No kiloseconds.
    **dict.fromkeys(("kilo", "kilos", "kgs"), "kilogram"),
    "kms": "kilometer",
    **dict.fromkeys(("nautical mile", "nautical miles"), "nautical_mile"),
}
# All of a unit but its powers: what is no letter, other libraries evaluate.
_WORD = re.compile(r"[^\W\d]+|%|°")
# What short words are read as that mean something else: of `rs`, of `fm`, of `mb`.
_RARE = re.compile(r"ronto|quecto|yocto|zepto|atto|femto|ronna|quetta|yotta|zetta|fermi|barn|baud")


@lru_cache(maxsize=1 << 12)
def unit_of(spelling: str, cased: bool = False) -> Any:
    """Return the unit, of the kept library, that a text spells; None for a text that spells none.

    `cased`: capitals tell its symbols apart, a mW from a MW; otherwise of two the one that is told oftener.
    """
    text = spelling.strip()
    if match := _INFORMATION.fullmatch(text):
        return _information(match)
    if text in _SPELLINGS or text.lower() in _SPELLINGS:
        return _known(_SPELLINGS.get(text) or _SPELLINGS[text.lower()])
    above, slash, below = text.partition("/")
    if slash:
        units = unit_of(above, cased), unit_of(below, cased)
        return None if None in units else units[0] / units[1]
    first, _, last = text.partition(" ")
    if last and first.lower() in _POWERS:
        return _raised(last, _POWERS[first.lower()], cased)
    if power := _POWER.fullmatch(text):
        return _raised(power[1], power[2], cased)
    return _simple(text, cased)


def converted(number: float, source: Any, target: Any) -> float | None:
    """Return a number of one unit in another; None where the two do not measure the same."""
    if source.dimensionality != target.dimensionality:
        return None
    return float(_registry().Quantity(number, source).to(target).magnitude)


def _simple(text: str, cased: bool) -> Any:
    """Return the unit that a text is without a power and a quotient."""
    lowered = text.lower()
    electric = _ELECTRIC.fullmatch(lowered)
    named = f"{_PREFIXES[electric[1]]}{_BASES[electric[2]]}" if electric else lowered
    spellings = (text, named) if cased else (named, text)
    return next((unit for spelling in spellings if (unit := _known(spelling)) is not None), None)


def _raised(text: str, power: str, cased: bool) -> Any:
    unit = unit_of(text, cased)
    return None if unit is None else unit ** int(power.translate(_IN_FIGURES))


_IN_FIGURES = str.maketrans("²³", "23")


def _information(match: re.Match[str]) -> Any:
    """Return the unit of information, or of its rate, that is spelt so: `mb` are megabytes."""
    prefix = (_BINARY if match[2] else _MULTIPLES)[match[1].lower()]
    is_bit = match[3].lower().startswith("bit") or (match[3] == "b" and match[1].isupper()) or match[4]
    unit = _known(f"{prefix}{'bit' if is_bit else 'byte'}")
    return unit / _known("second") if match[4] else unit


def _known(spelling: str) -> Any:
    import pint

    if not _WORD.fullmatch(spelling) and spelling not in _SPELLINGS.values():
        return None
    try:
        unit = _registry().Unit(spelling)
    except (pint.PintError, AttributeError, ValueError, TypeError, KeyError, AssertionError):
        return None
    return None if _RARE.search(str(unit)) else unit


@lru_cache(maxsize=1)
def _registry() -> Any:
    import pint

    registry: Any = pint.UnitRegistry(
        cache_folder=None, autoconvert_offset_to_baseunit=True, on_redefinition="ignore"
    )
    # Else bytes would be converted into degrees, and both into a share.
    registry.define("bit = [information]")
    registry.define("byte = 8 * bit = B = octet")
    for name, code in MONEY.items():
        # Each of a dimension of its own: none is converted into another.
        registry.define(f"{name} = [money_{code}] = {code}")
    return registry
