"""What a cell says, typed: number, percentage, range, date, or a mix of them with words."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from evidence_assets.tables.cell_dates import parse_date, parse_days
from evidence_assets.tables.table import Kind, Value
from evidence_assets.text.dates import ends_of_years, is_year
from evidence_assets.text.words import SCALES, SHORT_SCALES

# Longer texts are sentences: their numbers are found one by one, and no pattern is tried on the whole.
WHOLE_PATTERN_CHARACTERS = 100
KEPT_VALUES = 1 << 15
# What says that a cell has nothing to say.
EMPTY_WORDS = frozenset(
    {"", "n/a", "na", "n.a.", "n.a", "nan", "#n/a", "null", "?", "..", "...", "…", "·", "\\", "/"}
    | {"not known", "not stated", "not given", "not recorded", "not available"}
)
DASHES = frozenset("-‐‑‒–—―−")
_HYPHENS = str.maketrans(dict.fromkeys("‐‑‒−﹣－", "-"))
_PERCENT = frozenset({"%", "percent", "per cent", "pct", "pct."})
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_SCALES = {"k": 1e3, "m": 1e6, "b": 1e9, **SCALES, **SHORT_SCALES}

_FRACTION = "[¼½¾⅐-⅞]"
_DIGITS = (
    r"(?:[0-9]{1,3}(?: [0-9]{3})+(?:[.,][0-9]+)?(?![0-9.,])"
    rf"|[0-9]+(?:[.,'’][0-9]+)*(?: ?{_FRACTION}|\.(?=\s|$|[)%]))?|[.,][0-9]+|{_FRACTION})"
)
_POWER = (
    r"(?:e[+-]?[0-9]{1,3}(?![0-9a-z])|\s?[x×*·]\s?10\^?[+-]?[0-9]{1,2}(?![0-9])|\^[+-]?[0-9]{1,2}(?![0-9]))"
)
# Signs of currencies, as cells, headers and claims bear them.
MONEY_SIGNS = "$€£¥₹₩₽₺₪฿"
_CURRENCY = (
    rf"(?:(?:us|au|ca|nz|hk|a|c|r|s)?\$|[{MONEY_SIGNS}]|usd|eur|gbp|jpy|chf|aud|cad|cny|rmb|inr|sek|nok|dkk)"
)
_SCALE = rf"(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})"
# One word, perhaps a rate (km/h) or a power (m^2).
_UNIT = (
    r"(?:%|‰|per ?cent|pct\.?|[°º] ?[cfk]?|[€£¥₹₩₽]|×"
    r"|(?!to\b)[^\W\d_]+(?:\^-?[0-9])?(?:/[^\W\d_]+(?:\^-?[0-9])?)?)"
)


def _quantity(name: str) -> str:
    """The pattern of one number with what stands beside it; its groups' names begin with `name`."""
    return (
        rf"(?P<{name}sign>[+-]\s?)?(?:(?P<{name}currency>{_CURRENCY})\s?)?(?P<{name}inner>[+-])?"
        rf"(?P<{name}digits>{_DIGITS})(?P<{name}power>{_POWER})?"
        rf"(?:(?P<{name}gap>[\s-]?)(?P<{name}scale>{_SCALE})(?![^\W\d_]))?(?:\s?(?P<{name}unit>{_UNIT}))?"
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SINGLE = _compiled(_quantity("a"))
_SIGNED = rf"[+-]?{_DIGITS}(?:{_POWER})?"
_WITH_ERROR = _compiled(
    rf"{_quantity('a')}\s*[(\[]?\s*(?:±|\+/-|\+-|\\pm)\s*(?P<error>{_DIGITS}(?:{_POWER})?)\s*(?P<late>%)?"
    r"\s*[)\]]?\s*(?P<last>%)?"
)
_IN_PARENTHESES = _compiled(rf"{_quantity('a')}\s*\(\s*(?P<error>{_DIGITS})\s*\)\s*(?P<last>%)?")
_INTERVAL = _compiled(
    rf"{_quantity('a')}\s*[(\[]\s*(?:95 ?% ?ci:?\s*)?(?P<low>{_SIGNED})\s?%?\s*(?:;|,\s|[-–—]|\sto\s)"
    rf"\s*(?P<high>{_SIGNED})\s?%?\s*[)\]]"
)
_RANGE = _compiled(rf"{_quantity('a')}(?:\s*[-–—~]\s*|\s+to\s+){_quantity('b')}")
_PLAIN = re.compile(r"[+-]?[0-9]{1,60}(?:\.[0-9]{1,60})?")
_RANKED = _compiled(r"(?:#|nos?\.?\s?|nr\.?\s?|№\s?)([0-9]+)|([0-9]{1,3}(?:,?[0-9]{3})*)(?:st|nd|rd|th)")
_TIED = _compiled(r"t-?([0-9]{1,3})|=([0-9]{1,3})|([0-9]{1,3})=")
_NEXT_NUMBER = r"(?=[0-9.$€£+-])"
_ABOUT = _compiled(rf"(?:[~≈≃]|c\.|ca\.?\s|circa|approx\.|approximately|about|around|est\.)\s*{_NEXT_NUMBER}")
_BOUND = _compiled(
    r"(?:(?:>=|[>≥]|more than\s|over\s|at least\s)"
    rf"|(?P<most><=|[<≤]|less than\s|under\s|up to\s|at most\s))\s*{_NEXT_NUMBER}"
)
_CLOCK = re.compile(r"([0-9]{1,3}):([0-5][0-9])(?::([0-5][0-9]))?([.,][0-9]+)?")
_FEET = _compiled(
    r"([0-9]{1,2})\s?(?:['′’]|ft\.?|feet|foot)\s?([0-9]{1,2}(?:\.[0-9]+)?)\s?(?:[\"″”]|''|in\.?|inch|inches)?"
)
_LOSS = _compiled(rf"\(\s?(?P<currency>{_CURRENCY})\s?(?P<digits>{_DIGITS})\s?\)")
# Free-standing numbers: digits inside a name (F1, BERT-2a) are the name's.
_FREE = _compiled(
    rf"(?<![\w.,])(?<![\w)\]%][-–—])(?P<sign>[+-])?(?P<digits>{_DIGITS})(?!\d)"
    r"(?=$|[^\w]|(?:st|nd|rd|th|k|m|bn|km|kg|cm|mm|ft|g|s|x)(?!\w))"
    rf"|(?<=[\w)\]%][-–—])(?P<after>{_DIGITS})(?![\w])"
)
_GROUPED = {
    separator: re.compile(rf"[1-9][0-9]{{0,2}}(?:{re.escape(separator)}[0-9]{{3}})+") for separator in ",."
}
_SPACED = re.compile(r"([1-9][0-9]{0,2}(?:(?: [0-9]{3})+|(?:'[0-9]{3})+))(?:[.,]([0-9]+))?")
_INDIAN = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}")


class _Quantity(NamedTuple):
    number: float
    unit: str


def parse_value(text: str) -> Value:
    """Return what a cleaned text says, typed.

    A comma or point that parts groups of three digits is a thousands mark, else the decimal mark; a lone
    point is always the decimal one. A lone year is a date whose number is the year. A smaller number in
    parentheses behind a decimal one is its error term. A rising pair is a range, any other pair a score.
    The `number` of a mixed cell is that which the cell begins with, where more stands in parentheses or
    behind it, and of a time or duration (3:45) its parts in base 60. `numbers` of a range are its two.
    """
    if len(text) <= WHOLE_PATTERN_CHARACTERS:
        # Most cells are plain numbers, each its own: to keep them would cost more than to read them.
        if _PLAIN.fullmatch(text) and not is_year(text):
            # Zero has no sign.
            return Value(Kind.NUMBER, float(text) or 0.0)
        return _parsed_and_kept(text)
    return _words(_plain_digits(text.translate(_HYPHENS)))


@lru_cache(maxsize=KEPT_VALUES)
def _parsed_and_kept(text: str) -> Value:
    text = " ".join(text.split())
    if text.lower() in EMPTY_WORDS or not set(text) - DASHES:
        return Value(Kind.EMPTY)
    if not text.isascii():
        text = _plain_digits(text.translate(_HYPHENS))
        # A dash before the first digit is a minus that was typeset.
        text = re.sub(r"^[–—](?=[0-9.$€£])", "-", text)
    if not any(character.isnumeric() for character in text):
        return Value(Kind.TEXT)
    shaped = (parse(match) for shape, parse in _SHAPES if (match := shape.fullmatch(text)))
    value = _years(text) or parse_date(text) or parse_days(text) or next(filter(None, shaped), None)
    return value or _bound(text) or _about(text) or _words(text)


def _number(
    number: float,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    error: float | None = None,
) -> Value:
    if not math.isfinite(number):
        return Value(Kind.TEXT)
    percent = unit.lower() in _PERCENT
    kind = Kind.PERCENTAGE if percent else Kind.NUMBER
    return Value(kind, number, "%" if percent else unit, low, high, error)


def _years(text: str) -> Value | None:
    years = ends_of_years(text)
    if years is None:
        return None
    first, last = map(float, years)
    return Value(Kind.RANGE, number=(first + last) / 2, low=first, high=last, numbers=(first, last))


def _about(text: str) -> Value | None:
    match = _ABOUT.match(text)
    return None if match is None else parse_value(text[match.end() :])


def _bound(text: str) -> Value | None:
    match = _BOUND.match(text)
    remainder = text[match.end() :] if match is not None else text.removesuffix("+").rstrip()
    if remainder == text:
        return None
    single = _SINGLE.fullmatch(remainder)
    value = None if single is None else _single(single)
    if value is None or value.number is None:
        return None
    if match is not None and match["most"]:
        return _number(value.number, value.unit, high=value.number)
    return _number(value.number, value.unit, low=value.number)


def _ranked(match: re.Match[str]) -> Value | None:
    number = magnitude(match[1] or match[2])
    return None if number is None else _number(number)


def _tied(match: re.Match[str]) -> Value | None:
    number = float(match[1] or match[2] or match[3])
    return Value(Kind.MIXED, number=number, numbers=(number,))


def _loss(match: re.Match[str]) -> Value | None:
    """An amount in parentheses is negative in accounts; a bare number there may be anything."""
    number = magnitude(match["digits"])
    return None if number is None else _number(-number, match["currency"])


def _single(match: re.Match[str]) -> Value | None:
    quantity = _measured(match, "a")
    return None if quantity is None else _number(quantity.number, quantity.unit)


def _with_error(match: re.Match[str]) -> Value | None:
    quantity, error = _measured(match, "a"), _power_of(match["error"])
    if quantity is None or error is None:
        return None
    return _uncertain(quantity.number, error, quantity.unit or match["late"] or match["last"] or "")


def _in_parentheses(match: re.Match[str]) -> Value | None:
    """A smaller fraction behind a fraction is its deviation; a count, a rank or a share is not."""
    quantity, error = _measured(match, "a"), magnitude(match["error"])
    if quantity is None or error is None:
        return None
    fractions = "." in match["adigits"] + match["error"] and "." in match["error"]
    if fractions and error < abs(quantity.number):
        return _uncertain(quantity.number, error, quantity.unit or match["last"] or "")
    unit = quantity.unit or match["last"] or ""
    return Value(Kind.MIXED, number=quantity.number, unit=unit, numbers=(quantity.number, error))


def _uncertain(number: float, error: float, unit: str) -> Value:
    return _number(number, unit, low=number - error, high=number + error, error=error)


def _interval(match: re.Match[str]) -> Value | None:
    quantity, low, high = _measured(match, "a"), _power_of(match["low"]), _power_of(match["high"])
    if quantity is None or low is None or high is None or not low <= quantity.number <= high:
        return None
    return _number(quantity.number, quantity.unit, low=low, high=high)


def _range(match: re.Match[str]) -> Value | None:
    first, last = _measured(match, "a"), _measured(match, "b", match["acurrency"])
    if first is None or last is None:
        return None
    low, high = first.number, last.number
    scale = _scale_of(match, "b", match["acurrency"])
    if scale != 1 and _scale_of(match, "a") == 1 and low < high / scale:
        low *= scale
    units = {unit for unit in (first.unit, last.unit) if unit}
    if not low < high or len(units) > 1:
        return None
    unit = units.pop() if units else ""
    unit = "%" if unit.lower() in _PERCENT else unit
    return Value(Kind.RANGE, (low + high) / 2, unit, low=low, high=high, numbers=(low, high))


def _clock(match: re.Match[str]) -> Value | None:
    parts = [float(part) for part in match.group(1, 2, 3) if part]
    parts[-1] += float((match[4] or ".0").replace(",", "."))
    number = 0.0
    for part in parts:
        number = number * 60 + part
    return Value(Kind.MIXED, number=number, numbers=tuple(parts))


def _feet(match: re.Match[str]) -> Value | None:
    feet, inches = float(match[1]), float(match[2])
    if inches >= 12:
        return None
    return Value(Kind.MIXED, number=feet + inches / 12, unit="ft", numbers=(feet, inches))


# What a whole cell may be, by its shape; the first that can be read counts.
_SHAPES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Value | None]], ...] = (
    (_RANKED, _ranked),
    (_SINGLE, _single),
    (_WITH_ERROR, _with_error),
    (_IN_PARENTHESES, _in_parentheses),
    (_INTERVAL, _interval),
    (_RANGE, _range),
    (_CLOCK, _clock),
    (_FEET, _feet),
    (_TIED, _tied),
    (_LOSS, _loss),
)


def _words(text: str) -> Value:
    """Words with the numbers that stand among them."""
    numbers = []
    for match in _FREE.finditer(text):
        digits = match["digits"] or match["after"]
        number = magnitude(digits)
        # Commas that neither group nor part a fraction stand between the members of a list.
        members = (
            [number] if number is not None else map(magnitude, digits.split(",")) if "," in digits else []
        )
        sign = -1 if match["sign"] == "-" else 1
        numbers += [sign * member for member in members if member is not None and math.isfinite(member)]
    if not numbers:
        return Value(Kind.TEXT)
    leading = _SINGLE.match(text) if len(text) <= WHOLE_PATTERN_CHARACTERS else None
    remainder = "" if leading is None else text[leading.end() :].lstrip()
    if leading is None or not remainder.startswith(("(", "[")):
        return Value(Kind.MIXED, numbers=tuple(numbers))
    quantity = _measured(leading, "a")
    if quantity is None:
        return Value(Kind.MIXED, numbers=tuple(numbers))
    return Value(Kind.MIXED, quantity.number, quantity.unit, numbers=tuple(numbers))


def _measured(match: re.Match[str], name: str, currency: str | None = None) -> _Quantity | None:
    number = magnitude(match[f"{name}digits"])
    if number is None:
        return None
    power, unit = match[f"{name}power"], match[f"{name}unit"] or ""
    unit = "" if unit.lower() in _ORDINALS else unit
    number = _raised(match[f"{name}digits"], number, power) if power else number
    currency = match[f"{name}currency"] or currency
    scale = _scale_of(match, name, currency)
    if scale == 1 and match[f"{name}scale"]:
        unit = match[f"{name}scale"] + (f" {unit}" if unit else "")
    number *= scale
    if not math.isfinite(number):
        return None
    negative = "-" in (match[f"{name}sign"] or "") + (match[f"{name}inner"] or "")
    return _Quantity(-number if negative and number else number, unit or currency or "")


def _scale_of(match: re.Match[str], name: str, currency: str | None = None) -> float:
    """What a number is multiplied by. `m` and `b` are also units: metres, bytes, a model's name.

    A lone `m` is a million behind a currency, in upper case, or right behind a fraction (7.8m).
    """
    scale = match[f"{name}scale"]
    if not scale:
        return 1
    joined, currency = not match[f"{name}gap"], match[f"{name}currency"] or currency
    if scale in {"m", "b"} and not currency and not (joined and "." in match[f"{name}digits"]):
        return 1
    return _SCALES[scale.lower()]


def _raised(digits: str, number: float, power: str) -> float:
    exponent = int(re.sub(r"^\s?[x×*·]\s?10\^?|^[eE^]", "", power))
    try:
        if power[0] == "^":
            return float(number**exponent)
        # The number as written is the nearest one; a product of two rounded ones need not be.
        return float(f"{digits}e{exponent}") if _PLAIN.fullmatch(digits) else number * 10.0**exponent
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _power_of(text: str) -> float | None:
    match = _SINGLE.fullmatch(text)
    quantity = None if match is None else _measured(match, "a")
    return None if quantity is None else quantity.number


def magnitude(digits: str) -> float | None:
    """Return what digits with thousands and decimal marks stand for; None where the marks contradict."""
    if not digits[-1].isascii():
        integer = digits[:-1].rstrip()
        before = magnitude(integer) if integer else 0.0
        return None if before is None else before + unicodedata.numeric(digits[-1])
    plain = digits.replace("’", "'").removesuffix(".")
    if "'" in plain or " " in plain:
        return _spaced(plain)
    if "," in plain and "." in plain:
        return _both_marks(plain)
    if plain.count(".") > 1:
        return float(plain.replace(".", "")) if _GROUPED["."].fullmatch(plain) else None
    if _GROUPED[","].fullmatch(plain) or _INDIAN.fullmatch(plain):
        return float(plain.replace(",", ""))
    return float(plain.replace(",", ".")) if plain.count(",") <= 1 else None


def _spaced(plain: str) -> float | None:
    match = _SPACED.fullmatch(plain)
    if match is None:
        return None
    integer = match[1].replace(" ", "").replace("'", "")
    return float(f"{integer}.{match[2] or 0}")


def _both_marks(plain: str) -> float | None:
    """The mark that stands last and once is the decimal one, where the other parts groups of three."""
    decimal, thousands = (",", ".") if plain.rindex(",") > plain.rindex(".") else (".", ",")
    integer, _, fraction = plain.rpartition(decimal)
    grouped = _GROUPED[thousands].fullmatch(integer) or (thousands == "," and _INDIAN.fullmatch(integer))
    return float(f"{integer.replace(thousands, '')}.{fraction}") if grouped else None


def _plain_digits(text: str) -> str:
    """Digits of every script as those of ASCII."""
    if text.isascii():
        return text
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character for character in text
    )
