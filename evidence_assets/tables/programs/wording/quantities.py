"""Units and scales: of columns, by header, caption and cells, and of a claim's numbers.

A number of the claim is compared with cells in their unit: comparable units are converted, others refused.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from evidence_assets.tables.cell_dates import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.tables.programs.wording.percent_words import PERCENT
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Cell, Kind, Table
from evidence_assets.text.words import word_set

_CURRENCIES = {
    **dict.fromkeys(("$", "usd", "dollar", "dollars", "us$"), "$"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "€"),
    **dict.fromkeys(("£", "gbp", "sterling"), "£"),
    **dict.fromkeys(("¥", "jpy", "yen"), "¥"),
    **dict.fromkeys(("₹", "inr", "rupee", "rupees"), "₹"),
    **dict.fromkeys(("chf", "franc", "francs"), "chf"),
    **dict.fromkeys(("cny", "rmb", "yuan"), "cny"),
}
CURRENCIES = frozenset(_CURRENCIES.values())
# Units of weight that may be money: the column tells which.
_ALSO_MONEY = {"pound": "£"}
# Hundredths of currencies: a cent is of any that has cents.
_HUNDREDTHS = (("pence", "£"), ("cents", "$"), ("cents", "€"))
_BETWEEN_COINS = {
    **dict.fromkeys(_HUNDREDTHS, 0.01),
    **{(whole, part): 100.0 for part, whole in _HUNDREDTHS},
}
_OF_MONEY = CURRENCIES.union(part for part, _ in _HUNDREDTHS)
_NAMES_OF_HUNDREDTHS = {
    "pence": "pence",
    "penny": "pence",
    "cent": "cents",
    "cents": "cents",
    "euro cents": "cents",
}
_SCALES = {
    **dict.fromkeys(("thousand", "thousands", "'000", "000s", "000"), 1e3),
    **dict.fromkeys(("million", "millions", "mn", "mln"), 1e6),
    **dict.fromkeys(("billion", "billions", "bn", "bln"), 1e9),
}
# Letters that are a scale beside a currency alone: `USD m`, `k€`.
_SCALES_OF_MONEY = {"k": 1e3, "m": 1e6, "mm": 1e6, "b": 1e9, **_SCALES}
_MONEY_CODES = "|".join(sorted((code for code in _CURRENCIES if code.isalpha()), key=len, reverse=True))
_SCALED_MONEY = re.compile(rf"(k|m|mn|bn)({_MONEY_CODES})|({_MONEY_CODES})(k|m|mn|bn|000)", re.IGNORECASE)
_WORDS_OF_UNITS = re.compile(r"[$€£¥₹%]|[^\s$€£¥₹%]+")
_TIMES_THOUSANDS = re.compile(r"[x×]\s?1,?000(,000)?|1,?000(,000)?s")
# What is counted, never measured in metres: of `Users (m)` the letter is a million.
_COUNTED = re.compile(
    r"\b(?:people|population|copies|(?:inhabitant|user|customer|visitor|passenger|subscriber|member|viewer|"
    r"listener|reader|household|guest|employee|voter|unit|view|download|share|sale)s?)\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    r"[(\[]([^()\[\]]*)[)\]]|\bin ([^\s,()\[\]]+(?: (?:of )?[^\s,()\[\]]+)?)(?:$|,)"
    r"|\bin ([^\s,.;]+)(?= \(|[.;])|, ([^\s,]+)$"
)
# Ages are in years where their header tells no unit.
_AGE, _YEARS = re.compile(r"\bage\b", re.IGNORECASE), "year"
_OF_A_DAY = frozenset({"second", "minute", "hour"})
# Minutes and seconds that something took, and the headers of such.
_DURATION = re.compile(r"([0-9]{1,3}):[0-5][0-9](?:\.[0-9]+)?")
_DURATIONS = re.compile(r"\b(?:length|duration|lap|running time)\b", re.IGNORECASE)
_HOURS = 24
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# What heads columns of the parts of any year: `Q3`, `Jul–Sep`, `Jul`, `Summer`.
_MONTHS, _SEASONS = "|".join(MONTHS), "|".join(MIDDLES_OF_SEASONS)
PART_OF_ANY_YEAR = re.compile(
    rf"Q ?([1-4])|({_MONTHS})\.?(?: ?(?:-|–|to) ?({_MONTHS})\.?)?|{_SEASONS}",
    re.IGNORECASE,
)
# A quantity told in two units: 1 h 35 min.
_COMPOUND = re.compile(r"(\d+) ?([a-z]+\.?) (\d+(?:\.\d+)?) ?([a-z]+\.?)", re.IGNORECASE)
_POWERS = {"square": "**2", "sq": "**2", "cubic": "**3", "cu": "**3"}
# Words that pint takes for units, but that rarely are units beside a number in English.
_NO_UNITS = word_set("""
    point points pica hand hands link links rod chain league leagues stone count counts turn turns cycle dot
    dots pixel bit degree degrees are ares barn bar bars at a as in us to cup cups dozen pound_force d e c k x
    n r i s grade rpm player am pm no pt pts
""")
# Units that no claim tells by these letters, but cells may.
_SYMBOLS_IN_CELLS = {"s": "second", "d": "day", "W": "watt", "V": "volt"}
# Rounding of a claimed number: half of its last place, trailing zeros being no places.
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that a number is told in. `name`: as pint or the currency writes it. `scale`: of the number."""

    name: str = ""
    scale: float = 1.0


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None, autoconvert_offset_to_baseunit=True)


@lru_cache(maxsize=1 << 12)
def unit_name(words: str) -> str:
    """Return a unit's name, by which units are equal; empty for words that name none."""
    text = words.lower().strip(" .").replace("²", "**2").replace("³", "**3")
    if text in _CURRENCIES:
        return _CURRENCIES[text]
    if text in _NAMES_OF_HUNDREDTHS:
        return _NAMES_OF_HUNDREDTHS[text]
    if text in PERCENT:
        return "%"
    first, _, last = text.partition(" ")
    if last and first in _POWERS:
        text = last + _POWERS[first]
    if text in _SPELLINGS:
        return _pint_name(_SPELLINGS[text])
    if text in _NO_UNITS or not re.fullmatch(r"[a-zµ°]+(?:\*\*[23]|\^?[23])?(?:/[a-z]+)?", text):
        return ""
    text = re.sub(r"(?<=[a-z])\^?([23])$", r"**\1", text)
    return _pint_name(text)


_SPELLINGS = {
    "°c": "degC",
    "°f": "degF",
    "celsius": "degC",
    "fahrenheit": "degF",
    "mph": "mile/hour",
    "kmh": "km/hour",
    # Symbols that are told apart by capitals alone: of the two the larger, which tables tell oftener.
    **{f"{letter}wh": f"{letter.upper()}Wh" for letter in "mgt"},
    **{f"{letter}w": f"{letter.upper()}W" for letter in "mgt"},
    **{f"{letter}hz": f"{letter.upper()}Hz" for letter in "mg"},
    **{f"{letter}pa": f"{letter.upper()}Pa" for letter in "mg"},
    "kwh": "kWh",
    "kw": "kW",
    "kv": "kV",
    "kn": "kN",
    "khz": "kHz",
    "kpa": "kPa",
    # No kiloseconds.
    **dict.fromkeys(("kilo", "kilos"), "kilogram"),
    "nautical mile": "nautical_mile",
    "nautical miles": "nautical_mile",
}
_DEGREES = frozenset({"degree", "degrees"})
_SCALES_OF_DEGREES = {"celsius": "degC", "c": "degC", "fahrenheit": "degF", "f": "degF", "kelvin": "kelvin"}
# A rate is told in what it counts: `MWh/month`, `mm per year`.
_PER_WHAT = re.compile(r" per [\w-]+$")
_PER_TIME = re.compile(r" per .*| ?/ ?(?:year|month|week|day|yr)$")


def _pint_name(text: str) -> str:
    import pint

    try:
        unit = _registry().parse_units(text)
    except (pint.PintError, AttributeError, ValueError, TypeError, KeyError, AssertionError):
        return ""
    dimensions = dict(unit.dimensionality)
    return str(unit) if dimensions else ""


def converted(number: float, source: str, target: str) -> float | None:
    """Return a number of one unit in another; None where they are not comparable. `20 pounds` may be £ 20."""
    if target in (source, _ALSO_MONEY.get(source)):
        return number
    if not _OF_MONEY.isdisjoint({source, target}):
        factor = _BETWEEN_COINS.get((source, target))
        return None if factor is None else number * factor
    if not source[:1].isalpha() or not target[:1].isalpha():
        return None
    if _YEARS in (source, target) and not _OF_A_DAY.isdisjoint({source, target}):
        # Nobody tells an age in minutes.
        return None
    registry = _registry()
    if registry.parse_units(source).dimensionality != registry.parse_units(target).dimensionality:
        return None
    return float(registry.Quantity(number, source).to(target).magnitude)


def column_units(table: Table) -> list[Unit]:
    """Return the unit of each column's header; a bare one where none is told.

    What the caption tells is of the columns of years and of their parts, and its scale of those of money,
    unless it is the scale of what the columns of years count.
    """
    caption = _unit_of_caption(table.caption)
    units = [_unit_of_header(table, column) for column in range(table.columns)]
    counts = not caption.name and any(
        _YEAR.search(name) for name, unit in zip(table.header, units, strict=True) if unit == Unit()
    )
    scale = 1.0 if counts else caption.scale
    return [
        (
            caption
            if _is_of_time(name) or (caption.name == "%" and _may_be_percent(table.column(column)))
            else Unit("", caption.scale)
            if _is_money(name)
            else unit
        )
        if unit == Unit()
        else Unit(unit.name, scale)
        if unit.name in CURRENCIES and unit.scale == 1.0
        else unit
        for column, (unit, name) in enumerate(zip(units, table.header, strict=True))
    ]


def _unit_of_header(table: Table, column: int) -> Unit:
    """Return the unit that a header tells; `Minutes` alone is one, and of ages it is the year."""
    name = table.header[column]
    unit = told_unit(name)
    if unit == Unit() and _AGE.search(name):
        return Unit(_YEARS)
    if unit == Unit() and name.strip().lower() in _TIMES_COUNTED:
        cells = [cell for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
        counted = sum(cell.value.kind is Kind.NUMBER for cell in cells)
        return Unit(unit_name(name)) if 2 * counted > len(cells) else unit
    return unit


_TIMES_COUNTED = frozenset({"seconds", "minutes", "hours", "days", "weeks", "months"})


def _is_of_time(name: str) -> bool:
    """Return whether a header tells a year, or a part of any."""
    return bool(_YEAR.search(name) or PART_OF_ANY_YEAR.fullmatch(name.strip()))


def _unit_of_caption(caption: str) -> Unit:
    """Return the unit and scale that a caption tells; of a share the scale is of something else.

    `Share of households in % (households in thousands)`.
    """
    unit = told_unit(caption)
    return Unit(unit.name) if unit.name == "%" else unit


def _may_be_percent(cells: list[Cell]) -> bool:
    """Return whether a column's cells are numbers without a unit, none above a hundred."""
    numbers = [cell.value.number for cell in cells if cell.value.kind is Kind.NUMBER and not cell.value.unit]
    plain = [number for number in numbers if number is not None]
    return bool(plain) and len(plain) * 2 > len(cells) and min(plain) >= 0 and max(plain) <= 100


def compound(text: str) -> tuple[float, str] | None:
    """Return the number and unit of a quantity told in two units, in the first: 1.5 hours of 1 h 30 min."""
    match = _COMPOUND.fullmatch(text.strip())
    if match is None:
        return None
    first, second = unit_name(match[2]), unit_name(match[4])
    smaller = converted(float(match[3]), second, first) if first and second else None
    return None if smaller is None else (float(match[1]) + smaller, first)


def _is_money(name: str) -> bool:
    return any(symbol in name for symbol in "$€£¥₹")


@lru_cache(maxsize=1 << 12)
def told_unit(name: str) -> Unit:
    """Return the unit and scale that a header or a caption tells in brackets, or behind `in`."""
    unit, scale = "", 1.0
    for match in _IN_BRACKETS.finditer(_PER_WHAT.sub("", name.replace("per cent", "percent"))):
        inside = _PER_TIME.sub("", (next(filter(None, match.groups()), "")).strip())
        if inside.lower() == "m" and _COUNTED.search(name[: match.start()]):
            scale = 1e6
            continue
        if inside == "s" and match.start() and name[match.start() - 1].isspace():
            # `Time (s)`, where `Name(s)` is a plural.
            inside = "second"
        inside, scale_inside = _scale_apart(inside)
        scale = scale_inside or scale
        unit = unit or unit_name(inside)
        for word in _WORDS_OF_UNITS.findall(inside):
            unit = unit or unit_name(word)
    return Unit(unit, scale)


def _scale_apart(inside: str) -> tuple[str, float]:
    """Return what a header tells in brackets without the words of a scale, and the scale; 0 without one."""
    times = _TIMES_THOUSANDS.search(inside)
    if times:
        return inside.replace(times[0], " ").strip(), 1e6 if times[1] or times[2] else 1e3
    words = _WORDS_OF_UNITS.findall(_SCALED_MONEY.sub(r"\1 \2\3 \4", inside).replace("’", "'"))
    scales = _SCALES_OF_MONEY if any(word.lower() in _CURRENCIES for word in words) else _SCALES
    scales_inside = [scales[word.lower()] for word in words if word.lower() in scales]
    if not scales_inside:
        return inside, 0.0
    return " ".join(word for word in words if word.lower() not in scales), scales_inside[-1]


def cell_units(table: Table, column: int, header: Unit) -> dict[int, str]:
    """Return the unit of each row's cell, where it tells one; the header's elsewhere."""
    units: dict[int, str] = {}
    unread: dict[int, str] = {}
    if header == Unit() and _is_of_durations(table, column):
        header = Unit("second")
    for row, cell in enumerate(table.column(column)):
        two_units = compound(cell.text)
        cell_unit = (
            two_units[1]
            if two_units
            else "%"
            if cell.value.kind is Kind.PERCENTAGE
            else unit_name(_SYMBOLS_IN_CELLS.get(cell.value.unit, cell.value.unit))
            if cell.value.unit
            else ""
        )
        name = cell_unit or header.name
        if name:
            units[row] = name
        elif cell.value.unit:
            unread[row] = f"?{cell.value.unit}"
    # Beside cells of a known unit, what is told in another is of none that these can be compared with.
    return units | unread if units else units


def _is_of_durations(table: Table, column: int) -> bool:
    """Return whether a column tells minutes and seconds: by its header, or as no hour of a day."""
    cells = [cell.text.strip() for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
    durations = [match for text in cells if (match := _DURATION.fullmatch(text))]
    if not durations or len(durations) < len(cells):
        return False
    return bool(_DURATIONS.search(table.header[column])) or any(
        int(match[1]) >= _HOURS for match in durations
    )


def contradictory(units: dict[int, str]) -> bool:
    """Return whether a column's units cannot be compared with each other."""
    names = list(Counter(units.values()))
    return any(converted(1.0, names[0], name) is None for name in names[1:])


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
            return _pint_name(f"{words[0]}*hour"), range(position + 1, end + 1)
    if words and not tokens[position + 1].ordinal and tokens[position + 1].number is None:
        name = unit_name(words[0])
        if name:
            return name, range(position + 1, position + 2)
    if words[:1] and words[0] in {"or", "to"} and tokens[position + 2 : position + 3]:
        # `Three or four kilos`.
        other = tokens[position + 2]
        name, span = unit_after(tokens, position + 2) if other.number is not None else ("", range(0))
        if name and span.start > position + 2:
            return name, span
    before = tokens[position - 1].text if position else ""
    return (_CURRENCIES[before], range(position - 1, position)) if before in _CURRENCIES else ("", range(0))


def _unit_of_two(first: str, second: str) -> str:
    """Return the unit of two words: `square miles`, `nautical miles`, `degrees Celsius`, `° C`."""
    if first in _DEGREES:
        return _pint_name(_SCALES_OF_DEGREES[second]) if second in _SCALES_OF_DEGREES else ""
    if first == "°":
        return unit_name(first + second)
    return unit_name(f"{first} {second}") if first in {*_POWERS, "nautical"} else ""


def is_of_degrees(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number is told in degrees of no scale: `190 degrees`."""
    return [token.text for token in tokens[position + 1 : position + 2]][:1] in (["degree"], ["degrees"])


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
