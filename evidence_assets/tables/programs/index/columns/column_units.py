"""Units and scales of columns, as headers, captions and cells tell them."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.wording.quantities import (
    CURRENCIES,
    CURRENCY_NAMES,
    Unit,
    converted,
    unit_name,
)
from evidence_assets.tables.programs.wording.words import is_plural, word_key, word_keys
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES
from evidence_assets.tables.table import Cell, Kind, Table
from evidence_assets.text.calendar_words import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.text.words import SCALES, SHORT_SCALES

_SCALES = {**dict.fromkeys(("'000", "000s", "000"), 1e3), **SCALES, **SHORT_SCALES}
# Letters that are a scale beside a currency alone: `USD m`, `k€`.
_SCALES_OF_MONEY = {"k": 1e3, "m": 1e6, "mm": 1e6, "b": 1e9, **_SCALES}
_MONEY_CODES = "|".join(sorted((code for code in CURRENCY_NAMES if code.isalpha()), key=len, reverse=True))
_SHORT = "|".join(("k", "m", *SHORT_SCALES))
_SCALED_MONEY = re.compile(rf"({_SHORT})({_MONEY_CODES})|({_MONEY_CODES})({_SHORT}|000)", re.IGNORECASE)
_WORDS_OF_UNITS = re.compile(rf"[{MONEY_SIGNS}%]|[^\s{MONEY_SIGNS}%]+")
_TIMES_THOUSANDS = re.compile(rf"[x×]\s?1,?000(,000)?|1,?000(,000)?(?:s|(?= ?[{MONEY_SIGNS}]))")
# What is counted, never measured in metres: of `Users (m)` the letter is a million.
_COUNTED = re.compile(
    r"\b(?:people|population|copies|(?:inhabitant|user|customer|visitor|passenger|subscriber|member|viewer|"
    r"listener|reader|household|guest|employee|voter|unit|view|download|share|sale)s?)\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(
    r"[(\[]([^()\[\]]*)[)\]]|\bin ([^\s,()\[\]]+(?: (?:of )?(?:US )?[^\s,()\[\]]+)?)(?:$|,)"
    r"|\bin ([^\s,.;]+)(?= \(|[.;])|, ((?:sq\.? |(?:US)?[$€£] ?)?[^\s,]+)$|(?<=[^\W_] )([%€£$]|°[CF])$"
)
# Ages are in years where their header tells no unit.
_AGE, _YEARS = re.compile(r"\bage\b", re.IGNORECASE), "year"
# Minutes and seconds that something took, and the headers of such.
_DURATION = re.compile(r"([0-9]{1,3}):[0-5][0-9](?:\.[0-9]+)?")
# Hours, minutes and seconds; those of a day have two digits of hours.
_LONG_DURATION = re.compile(r"[0-9]{1,3}:[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?")
_NO_TIME_OF_DAY = re.compile(r"(?:[0-9]|2[4-9]|[3-9][0-9]|[0-9]{3}):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?")
_DURATIONS = re.compile(r"\b(?:length|duration|lap|running time)\b", re.IGNORECASE)
_HOURS = 24
YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# What heads columns of the parts of any year: `Q3`, `Jul–Sep`, `Jul`, `Summer`.
_MONTHS, _SEASONS = "|".join(MONTHS), "|".join(MIDDLES_OF_SEASONS)
PART_OF_ANY_YEAR = re.compile(
    rf"Q ?([1-4])|({_MONTHS})\.?(?: ?(?:-|–|to) ?({_MONTHS})\.?)?|{_SEASONS}",
    re.IGNORECASE,
)
# A quantity told in two units: 1 h 35 min.
_COMPOUND = re.compile(r"(\d+) ?([a-z]+\.?) (\d+(?:\.\d+)?) ?([a-z]+\.?)", re.IGNORECASE)
# Units that no claim tells by these letters, but cells may.
_SYMBOLS_IN_CELLS = {"s": "second", "d": "day", "W": "watt", "V": "volt"}
# A rate is told in what it counts: `MWh/month`, `mm per year`.
_PER_WHAT = re.compile(r" per [\w-]+$")
_PER_TIME = re.compile(r" per .*| ?/ ?(?:year|month|week|day|yr)$")


def column_units(table: Table) -> list[Unit]:
    """Return the unit of each column's header; a bare one where none is told.

    What the caption tells is of the columns of years and of their parts, and its scale of those of money,
    unless it is the scale of what the columns of years count, or of a unit: of `thousand tonnes`.
    """
    of_nouns = _units_of_nouns(table)
    # What is told of a noun is told of nothing else.
    others = _NOUN_IN_A_UNIT.sub(_without_a_unit, table.caption) if of_nouns else table.caption
    caption = _unit_of_caption(others)
    units = [of_nouns.get(column, _unit_of_header(table, column)) for column in range(table.columns)]
    counts = not caption.name and any(
        YEAR.search(name) for name, unit in zip(table.header, units, strict=True) if unit == Unit()
    )
    of_a_unit = bool(caption.name) and caption.name not in CURRENCIES
    scale = 1.0 if counts or of_a_unit else caption.scale
    return [
        Unit(unit.name, scale)
        if unit.name in CURRENCIES and unit.scale == 1.0
        else _told_by_caption(table, column, caption)
        if unit == Unit()
        else unit
        for column, unit in enumerate(units)
    ]


# What a caption tells a noun in: `temperature in °C, depth in metres`, `masses are in tonnes`.
_NOUN_IN_A_UNIT = re.compile(
    r"([^\W\d_]+)(?: (?:is|are|given|measured|told|shown))* in ([^\s,.;()]+)(?: ([^\s,.;()]+))?",
    re.IGNORECASE,
)


def _units_of_nouns(table: Table) -> dict[int, Unit]:
    """Return the units that a caption tells for a header's noun, by column, where cells are plain numbers."""
    units: dict[str, Unit] = {}
    for match in _NOUN_IN_A_UNIT.finditer(table.caption):
        if (unit := _unit_of_a_noun(match)) != Unit():
            units.setdefault(word_key(match[1].lower()), unit)
    return {
        column: units[key]
        for column in (range(table.columns) if units else ())
        for key in (word_key(word) for word in re.findall(r"[^\W\d_]+", table.header[column].lower()))
        if key in units and _unit_of_header(table, column) == Unit() and _is_of_plain_numbers(table, column)
    }


def _unit_of_a_noun(match: re.Match[str]) -> Unit:
    """Return the unit that a caption tells for a noun; a bare one of money, which is of many columns."""
    units = (told_unit(f"({text})") for text in (f"{match[2]} {match[3] or ''}".strip(), match[2]))
    return next((unit for unit in units if unit.name and unit.name not in CURRENCIES), Unit())


def _without_a_unit(match: re.Match[str]) -> str:
    return match[0] if _unit_of_a_noun(match) == Unit() else match[1]


def _told_by_caption(table: Table, column: int, caption: Unit) -> Unit:
    """Return what the caption's unit says of a column whose header tells none."""
    name = table.header[column]
    if _is_of_time(name) or (caption.name == "%" and _may_be_percent(table.column(column))):
        return caption
    if _is_told_of_times(table, column) or _is_money_of_caption(table, column, caption):
        return caption
    return Unit("", caption.scale) if any(symbol in name for symbol in MONEY_SIGNS) else Unit()


def _is_told_of_times(table: Table, column: int) -> bool:
    """Return whether a column's plain numbers are of times, a row each, and nothing that is counted."""
    times = word_key(table.header[0].strip().lower())
    return column > 0 and times in _TIMES_IN_ROWS and _is_of_plain_numbers(table, column)


def _is_money_of_caption(table: Table, column: int, caption: Unit) -> bool:
    """Return whether plain numbers are of the money that a caption tells: `Fares (€)`.

    Not those that name, rank or count something; nor, of money in a scale, those of other plurals: the
    `Employees` of `Firms (US$ million)`.
    """
    words = re.findall(r"\w+", table.header[column].lower())
    keys = {word_key(word) for word in words}
    if caption.name not in CURRENCIES or column == 0 or not keys or keys & _OF_NO_MONEY:
        return False
    is_counted = caption.scale != 1.0 and is_plural(words[-1]) and word_key(words[-1]) not in _OF_MONEY
    return not is_counted and _is_of_plain_numbers(table, column)


def _is_of_plain_numbers(table: Table, column: int) -> bool:
    """Return whether a column's cells are mostly numbers without a unit, and of nothing that is counted."""
    cells = [cell for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
    plain = [cell for cell in cells if cell.value.kind is Kind.NUMBER and not cell.value.unit]
    return 2 * len(plain) > len(cells) and not _COUNTED.search(table.header[column])


_OF_NO_MONEY = word_keys("""
    no number rank place position year age size zone stars rating seats rooms staff available stock score
    population distance
""")
_OF_MONEY = word_keys("""
    sales takings costs earnings profits losses wages expenses revenues assets liabilities exports imports
    funds grants fees debts savings donations receipts payments returns
""")


_TIMES_IN_ROWS = (CALENDAR_TIMES - {"day", "week"}) | word_keys("decade period")


def _unit_of_header(table: Table, column: int) -> Unit:
    """Return the unit that a header tells; `Minutes` alone is one, and of ages it is the year."""
    name = table.header[column]
    unit = told_unit(name)
    if unit == Unit() and (symbol := _LAST_SYMBOL.search(name) or _SYMBOL.fullmatch(name.strip())):
        return Unit(unit_name(symbol[1]))
    if unit == Unit() and _AGE.search(name):
        return Unit(_YEARS)
    if unit == Unit() and name.strip().lower() in _UNITS_COUNTED:
        cells = [cell for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
        counted = sum(cell.value.kind is Kind.NUMBER for cell in cells)
        return Unit(unit_name(name)) if 2 * counted > len(cells) else unit
    return unit


# Symbols that head nothing but numbers in their unit, behind what these measure: `Rain mm`, `Temp. °C`.
_SYMBOLS = (
    r"mm|cm|km|(?:[ck]m|m)\^?[23]|sq\.? (?:m|km|ft|mi)|ha|mg|kg|cl|m[lL]|km/h|mph|m/s|°[CF]|[kMG]Wh?|kcal|"
    r"k[JV]|hPa|[kMG]Hz|hrs|mins|secs|yrs"
)
_LAST_SYMBOL = re.compile(rf"[^\W\d]\.?,? ({_SYMBOLS})$")
# Headers that are such a symbol, or money, alone.
_SYMBOL = re.compile(rf"({_SYMBOLS}|[{MONEY_SIGNS}]|EUR|USD|GBP|CHF)", re.IGNORECASE)
_UNITS_COUNTED = frozenset(
    {"seconds", "minutes", "hours", "days", "weeks", "months"}
    | {"km", "kilometres", "kilometers", "miles", "metres", "meters", "kg"}
)


def _is_of_time(name: str) -> bool:
    """Return whether a header tells a year, or a part of any."""
    return bool(YEAR.search(name) or PART_OF_ANY_YEAR.fullmatch(name.strip()))


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
    first, second = (unit_name(_SYMBOLS_IN_CELLS.get(match[n], match[n])) for n in (2, 4))
    smaller = converted(float(match[3]), second, first) if first and second else None
    return None if smaller is None else (float(match[1]) + smaller, first)


@lru_cache(maxsize=1 << 12)
def told_unit(name: str) -> Unit:
    """Return the unit and scale that a header or a caption tells in brackets, behind `in`, or last of all.

    A header may be its unit alone: `%`.
    """
    unit, scale = "%" if _OPENING_PERCENT.match(name.strip()) else _with_another_in_brackets(name), 1.0
    for match in _IN_BRACKETS.finditer(_PER_WHAT.sub("", name.replace("per cent", "percent"))):
        inside = _PER_TIME.sub("", (next(filter(None, match.groups()), "")).strip())
        if inside.lower() == "m" and _COUNTED.search(name[: match.start()]):
            scale = 1e6
            continue
        if inside == "k":
            scale = 1e3
            continue
        if inside in _ALONE_IN_BRACKETS and match.start() and name[match.start() - 1].isspace():
            # `Time (s)`, where `Name(s)` is a plural.
            inside = _ALONE_IN_BRACKETS[inside]
        inside, scale_inside = _scale_apart(inside)
        scale = scale_inside or scale
        unit = unit or unit_name(inside)
        for word in _WORDS_OF_UNITS.findall(inside):
            unit = unit or unit_name(word)
    return Unit(unit, scale)


# A header that is a unit alone, or tells it first: `% done`.
_OPENING_PERCENT = re.compile(r"%(?:$| \w)")
# What is no unit elsewhere.
_ALONE_IN_BRACKETS = {"s": "second", "in": "inch", "in.": "inch"}


def _with_another_in_brackets(name: str) -> str:
    """Return the unit that a header tells before another in brackets: `Area km² (sq mi)`; else nothing."""
    match = _TWO_UNITS.search(name)
    first, second = (unit_name(match[1]), unit_name(match[2])) if match else ("", "")
    return first if first and second and converted(1.0, first, second) is not None else ""


_TWO_UNITS = re.compile(r"(\S+) \(([^()]+)\)$")


def _scale_apart(inside: str) -> tuple[str, float]:
    """Return what a header tells in brackets without the words of a scale, and the scale; 0 without one."""
    times = _TIMES_THOUSANDS.search(inside)
    if times:
        return inside.replace(times[0], " ").strip(), 1e6 if times[1] or times[2] else 1e3
    thousands = _THOUSANDS.fullmatch(inside)
    counted = thousands and (thousands["money"] or thousands["what"])
    if thousands and counted and unit_name(counted) not in _TOLD_BY_THOUSANDS:
        return counted, 1e6 if thousands["million"] else 1e3
    words = _WORDS_OF_UNITS.findall(_SCALED_MONEY.sub(r"\1 \2\3 \4", inside).replace("’", "'"))
    scales = _SCALES_OF_MONEY if any(word.lower() in CURRENCY_NAMES for word in words) else _SCALES
    scales_inside = [scales[word.lower()] for word in words if word.lower() in scales]
    if not scales_inside:
        return inside, 0.0
    return " ".join(word for word in words if word.lower() not in scales), scales_inside[-1]


# `€1,000`, `1,000 km²`; but 1,000 m are a distance, 1,000 kg an amount of what is priced.
_THOUSANDS = re.compile(rf"(?P<money>[{MONEY_SIGNS}])?\s?1,?000(?P<million>,000)?(?: (?P<what>[^\W\d].*))?")
_TOLD_BY_THOUSANDS = frozenset(
    {"meter", "kilometer", "mile", "yard", "foot", "gram", "kilogram", "pound", "liter", "second", "hour"}
)


def cell_units(table: Table, column: int, header: Unit) -> dict[int, str]:
    """Return the unit of each row's cell, where it tells one; the header's elsewhere."""
    units: dict[int, str] = {}
    unread: dict[int, str] = {}
    if header == Unit() and _is_of_durations(table, column):
        header = Unit("minute" if _HOURS_AND_MINUTES.search(table.header[column]) else "second")
    for row, cell in enumerate(table.column(column)):
        name = _unit_of_cell(cell) or header.name
        if name:
            units[row] = name
        elif cell.value.unit:
            unread[row] = f"?{cell.value.unit}"
    # Beside cells of a known unit, what is told in another is of none that these can be compared with.
    return units | unread if units else units


# A header that says that `68:05` is hours and minutes; otherwise it is minutes and seconds.
_HOURS_AND_MINUTES = re.compile(
    r"\b(?:h|hh|hrs?|hours?)\s?[:.]\s?(?:m|mm|min|mins|minutes)\b(?!\s?[:.])", re.I
)


def _unit_of_cell(cell: Cell) -> str:
    two_units = compound(cell.text)
    if two_units is not None:
        return two_units[1]
    if cell.value.kind is Kind.PERCENTAGE:
        return "%"
    return unit_name(_SYMBOLS_IN_CELLS.get(cell.value.unit, cell.value.unit)) if cell.value.unit else ""


def _is_of_durations(table: Table, column: int) -> bool:
    """Return whether a column tells hours, minutes and seconds, or the last two.

    By its header, or as no time of a day.
    """
    cells = [cell.text.strip() for cell in table.column(column) if cell.value.numbers or cell.value.number]
    long = [text for text in cells if _LONG_DURATION.fullmatch(text)]
    durations = [match for text in cells if (match := _DURATION.fullmatch(text))]
    if not cells or len(durations) + len(long) < len(cells):
        return False
    return (
        bool(_DURATIONS.search(table.header[column]))
        or any(map(_NO_TIME_OF_DAY.fullmatch, long))
        or any(int(match[1]) >= _HOURS for match in durations)
    )


def contradictory(units: dict[int, str]) -> bool:
    """Return whether a column's units cannot be compared with each other."""
    names = list(Counter(units.values()))
    return any(converted(1.0, names[0], name) is None for name in names[1:])
