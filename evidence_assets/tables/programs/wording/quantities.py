"""Units by their names and what converts into what, and how a claim's numbers are told and rounded.

A number of the claim is compared with cells in their unit: comparable units are converted, others refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from evidence_assets.tables.programs.wording.percent_words import PERCENT
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.units import converted as in_unit
from evidence_assets.text.units import unit_of
from evidence_assets.text.words import word_set

# Currencies by their codes and names.
CURRENCY_NAMES = {
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "us$"), "$"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "€"),
    **dict.fromkeys(("£", "gbp", "sterling"), "£"),
    **dict.fromkeys(("¥", "jpy", "yen"), "¥"),
    **dict.fromkeys(("₹", "inr", "rs", "rupee", "rupees"), "₹"),
    **dict.fromkeys(("chf", "franc", "francs"), "chf"),
    **dict.fromkeys(("cny", "rmb", "yuan"), "cny"),
    **dict.fromkeys(("kr", "krone", "kroner", "krona", "kronor"), "kr"),
    **{code: code for code in ("dkk", "nok", "sek", "krw")},
    **dict.fromkeys(("pln", "zloty", "zlotys", "złoty"), "pln"),
    **dict.fromkeys(("huf", "forint", "forints"), "huf"),
    **dict.fromkeys(("czk", "koruna", "koruny"), "czk"),
    **dict.fromkeys(("zar", "rand"), "zar"),
    **dict.fromkeys(("brl", "reais"), "brl"),
    **dict.fromkeys(("mxn", "peso", "pesos"), "mxn"),
    **dict.fromkeys(("ruble", "rubles", "rouble", "roubles"), "rub"),
    **dict.fromkeys(("lira", "liras"), "lira"),
    **dict.fromkeys(("thb", "baht"), "thb"),
}
CURRENCIES = frozenset(CURRENCY_NAMES.values())
# Units that may be others by the same word or symbol: the column tells which.
_ALSO_READ_AS = {"pound": "£", "knot": "kilonewton"}
# Hundredths of currencies: a cent is of any that has cents.
_HUNDREDTHS = (("pence", "£"), ("cents", "$"), ("cents", "€"))
# Of whose crowns the word does not say.
_CROWNS = (("kr", "dkk"), ("kr", "nok"), ("kr", "sek"))
_BETWEEN_COINS = {
    **dict.fromkeys(_HUNDREDTHS, 0.01),
    **{(whole, part): 100.0 for part, whole in _HUNDREDTHS},
    **dict.fromkeys((*_CROWNS, *((code, crown) for crown, code in _CROWNS)), 1.0),
}
_OF_MONEY = CURRENCIES.union(part for part, _ in _HUNDREDTHS)
_NAMES_OF_MONEY = {
    **CURRENCY_NAMES,
    **dict.fromkeys(("pence", "penny"), "pence"),
    **dict.fromkeys(("cent", "cents", "euro cents"), "cents"),
}
# Units of time: those of a clock, and longer ones.
CLOCK_UNITS = frozenset({"second", "minute", "hour"})
CALENDAR_UNITS = frozenset({"day", "week", "month", "year"})
UNITS_OF_TIME = CLOCK_UNITS | CALENDAR_UNITS
_POWERS = frozenset({"square", "sq", "cubic", "cu"})
# Words that pint takes for units, but that rarely are units beside a number in English.
_NO_UNITS = word_set("""
    point points pica hand hands link links rod chain league leagues stone count counts turn turns cycle dot
    dots pixel bit degree degrees are ares barn bar bars at a as in us to cup cups dozen pound_force d e c k x
    n r i s grade rpm player am pm no pt pts
""")
# Rounding of a claimed number: half of its last place, trailing zeros being no places.
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that a number is told in. `name`: as pint or the currency writes it. `scale`: of the number."""

    name: str = ""
    scale: float = 1.0


@lru_cache(maxsize=1 << 12)
def unit_name(words: str) -> str:
    """Return a unit's name, by which units are equal; empty for words that name none."""
    text = words.strip(" .")
    lowered = text.lower()
    if lowered in _NAMES_OF_MONEY:
        return _NAMES_OF_MONEY[lowered]
    if lowered in PERCENT:
        return "%"
    if lowered in _NO_UNITS:
        return ""
    parts = lowered.split("/")
    if len(parts) > 1 and (not _QUOTIENT.fullmatch(lowered) or not CURRENCY_NAMES.keys().isdisjoint(parts)):
        return ""
    return _name(unit_of(text))


_QUOTIENT = re.compile(r"[a-zµ]+\^?[23²³]?/[a-zµ]+\^?[23²³]?")


def _name(unit: Any) -> str:
    """Return the name of a unit of the kept library; empty for none, and for one of no dimension."""
    return str(unit) if unit is not None and dict(unit.dimensionality) else ""


_DEGREES = frozenset({"degree", "degrees"})
_SCALES_OF_DEGREES = {"celsius": "degC", "c": "degC", "fahrenheit": "degF", "f": "degF", "kelvin": "kelvin"}


def converted(number: float, source: str, target: str) -> float | None:
    """Return a number of one unit in another; None where they are not comparable. `20 pounds` may be £ 20."""
    if target in (source, _ALSO_READ_AS.get(source)):
        return number
    if not _OF_MONEY.isdisjoint({source, target}):
        factor = _BETWEEN_COINS.get((source, target))
        return None if factor is None else number * factor
    if not source[:1].isalpha() or not target[:1].isalpha():
        return None
    if "year" in (source, target) and not CLOCK_UNITS.isdisjoint({source, target}):
        # Nobody tells an age in minutes.
        return None
    return in_unit(number, unit_of(source), unit_of(target))


def is_of_time(unit: str) -> bool:
    """Return whether a unit is one of time: of `how many days`."""
    return converted(1.0, unit, "second") is not None


def unit_after(tokens: tuple[Token, ...], position: int) -> tuple[str, range]:
    """Return the unit told with a number of the claim, and the positions of its words; empty without one."""
    words = [token.text for token in tokens[position + 1 : position + 3]]
    of_two_words = _unit_of_two(*words) if len(words) == 2 else ""
    if of_two_words:
        return of_two_words, range(position + 1, position + 3)
    if words and words[0].endswith("watt"):
        # `gigawatt-hours`, `gigawatt hours`.
        end = position + 2 + (words[1:] == ["-"])
        if tokens[end : end + 1] and tokens[end].key == "hour":
            return _name(unit_of(f"{words[0]}_hour")), range(position + 1, end + 1)
    if words and not tokens[position + 1].ordinal and tokens[position + 1].number is None:
        name = unit_name(words[0])
        rate = _rate(name, [token.text for token in tokens[position + 2 : position + 4]])
        if rate:
            return rate, range(position + 1, position + 4)
        if name:
            return name, range(position + 1, position + 2)
    if words[:1] and words[0] in {"or", "to"} and tokens[position + 2 : position + 3]:
        # `Three or four kilos`.
        other = tokens[position + 2]
        name, span = unit_after(tokens, position + 2) if other.number is not None else ("", range(0))
        if name and span.start > position + 2:
            return name, span
    currency = CURRENCY_NAMES.get(tokens[position - 1].text) if position else None
    return ("", range(0)) if currency is None else (currency, range(position - 1, position))


def _rate(unit: str, behind: list[str]) -> str:
    """Return the unit of a unit and what stands behind it, `metres per second`, `g/ml`; empty for others.

    What there is in a day, a week or a year is told in what it counts.
    """
    is_of_seconds = behind == ["/", "s"]
    below = unit_name("second" if is_of_seconds else behind[1]) if _opens_a_rate(behind) else ""
    return "" if below in CALENDAR_UNITS else _quotient(unit, below)


def _opens_a_rate(behind: list[str]) -> bool:
    return len(behind) == 2 and behind[0] in {"per", "/"}


def _quotient(above: str, below: str) -> str:
    """Return the unit of one unit for each of another; empty where either is none that is measured."""
    are_measured = above[:1].isalpha() and below[:1].isalpha() and _OF_MONEY.isdisjoint({above, below})
    return _name(unit_of(f"{above}/{below}")) if are_measured else ""


def _unit_of_two(first: str, second: str) -> str:
    """Return the unit of two words: `square miles`, `nautical miles`, `degrees Celsius`, `° C`."""
    if first in _DEGREES:
        return _name(unit_of(_SCALES_OF_DEGREES[second])) if second in _SCALES_OF_DEGREES else ""
    if first == "°":
        return unit_name(first + second)
    return unit_name(f"{first} {second}") if first in {*_POWERS, "nautical"} else ""


def is_of_degrees(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number is told in degrees of no scale: `190 degrees`."""
    return any(token.text in _DEGREES for token in tokens[position + 1 : position + 2])


def half_place(token: Token) -> float:
    """Return half of the last place that a claimed number is told to: 5 of 1770, .05 of 71.5."""
    digits = token.text.replace(",", "")
    if digits.isalpha() and token.scale > 1.0:
        # `a million` is 1.0 million.
        return _HALF * 0.1 * token.scale
    if digits.isalpha() and token.number is not None and token.number % 1:
        # `half an hour` is 0.5 hours.
        return _HALF * 0.1
    if digits.isalpha() and token.number is not None and token.scale == 1.0:
        # `fifty` is 50.
        digits = f"{token.number:.0f}"
    _, _, fraction = digits.partition(".")
    if fraction:
        return _HALF * 10.0 ** -len(fraction) * token.scale
    zeros = len(digits) - len(digits.rstrip("0")) if digits.strip("0") else 0
    return _HALF * 10.0**zeros * token.scale
