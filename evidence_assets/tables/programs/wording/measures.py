"""Adjectives, verbs, nouns and the dimensions that they measure, by names of columns or by their units."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.tables.programs.wording.words import word_keys
from evidence_assets.text.words import word_set

# Names of numbers of people, as stems.
_PEOPLE = ("person", "passeng", "employe", "staff", "visitor", "resid", "member", "guest")
# Adjectives of what something costs, as stems.
_PRICED = ("expens", "cheap", "dear", "costli", "pricey")
# Names of dimensions, as stems, and the adjectives and verbs that measure each.
_DIMENSIONS = (
    ("length", "long", "short"),
    ("height", "high", "tall", "low", "short"),
    ("elev", "high", "low"),
    ("altitud", "high", "low"),
    ("depth", "deep", "shallow"),
    ("width", "wide", "narrow", "broad"),
    ("diamet", "wide", "narrow", "broad", "thick", "thin", "larg", "big", "small"),
    ("volum", "larg", "big", "small"),
    ("capac", "larg", "big", "small", "roomi", "hold", "seat"),
    ("thick", "thick", "thin"),
    ("age", "old", "young"),
    ("weight", "heavi", "light", "weigh"),
    ("mass", "heavi", "light", "weigh"),
    ("speed", "fast", "slow", "quick", "swift"),
    ("tempo", "fast", "slow", "quick"),
    ("area", "larg", "big", "small", "roomi"),
    ("size", "larg", "big", "small"),
    ("popul", "larg", "big", "small", "popul", "peopl", "inhabit", "resid"),
    ("inhabit", "popul", "peopl", "resid"),
    *((name, "peopl") for name in _PEOPLE),
    *((name, "busi", "quiet") for name in ("visitor", "visit", "passeng", "custom", "traffic")),
    *((name, *_PRICED, "cost") for name in ("cost", "fare", "fee", "price")),
    ("rate", *_PRICED),
    *((name, "earn") for name in ("wage", "salari", "pay", "incom")),
    ("sale", "sell"),
    ("temperatur", "hot", "warm", "cold", "cool", "mild"),
    *((name, "wet", "dry", "dri", "raini") for name in ("rain", "rainfal", "precipit")),
    *((name, "sunni", "sunny") for name in ("sun", "sunshin")),
    ("humid", "dry", "dri", "humid", "damp", "moist"),
    ("durat", "long", "short", "quick", "slow", "fast", "swift"),
    ("page", "long", "short", "thick", "thin"),
    ("time", "long", "short", "quick", "slow", "fast", "swift"),
    ("distanc", "far", "farther", "further", "long", "short"),
    ("rang", "far", "farther", "further"),
)
_NAMES = frozenset(name for name, *_ in _DIMENSIONS)
# The names of the dimensions that each adjective or verb measures.
_MEASURED = {
    adjective: frozenset(name for name, *others in _DIMENSIONS if adjective in others)
    for _, *adjectives in _DIMENSIONS
    for adjective in adjectives
}
# Adjectives, as stems, for how fast something is, of which times of a clock tell.
OF_SPEED = frozenset({"fast", "slow"})
# Adjectives, as stems, with a unit of each dimension that they may measure, the likelier first.
UNITS_MEASURED = {
    **dict.fromkeys(("heavi", "light", "weigh"), ("kilogram",)),
    **dict.fromkeys(("hot", "warm", "cold", "cool", "mild"), ("degree_Celsius",)),
    **dict.fromkeys(("tall", "deep", "shallow", "wide", "narrow", "far", "farther", "further"), ("meter",)),
    **dict.fromkeys(("long", "short"), ("second", "meter")),
    **dict.fromkeys(OF_SPEED, ("kilometer / hour", "second")),
    **dict.fromkeys(("old", "young"), ("year",)),
    **dict.fromkeys(("larg", "big", "small"), ("meter ** 2",)),
}
# Adjectives, verbs and a noun, as stems, for what is given in money.
OF_MONEY = frozenset({"expens", "cheap", "dear", "costli", "pricey", "cost", "money"})
# Adjectives, as stems, that compare in any dimension.
_OF_ANY = word_keys("""
    more most less least few fewer much many high low large big bigger great small good better best bad worse
    worst wrong long short strong weak rich poor early late later near close closer soon top upper inner outer
    above below over under beyond often common frequent like exceed exceeding max maximum min minimum at up
    upward upwards no not in past topped surpassed half third quarter first last final recent ahead clear
    behind busy quiet full popular peaked bottomed percent % share proportion percentage
""")
_LEAST_STEM, _MOST_ENDING = 3, 4


def headers_measured(word: str, headers: Iterable[str], *, is_adjective: bool = True) -> set[str]:
    """Return the words of headers, as stems, of the dimension that a word measures, or akin to the word.

    `dense` measures a density, `rainy` the rain. Of other words than adjectives an ending must make the noun:
    `departs` names a departure; `carried` no car, `passed` no passengers, and `plans` no plants.
    """
    dimensions = _MEASURED.get(word, frozenset())
    is_akin = _is_of_the_adjective if is_adjective else _is_of_the_word
    return {header for header in headers if header in dimensions or is_akin(header, word)}


def _is_of_the_word(noun: str, word: str) -> bool:
    return len(word) > _LEAST_STEM and is_made_of(noun, word)


def _is_of_the_adjective(noun: str, adjective: str) -> bool:
    """Return whether an adjective derives from a noun, or the noun from it, as stems."""
    stem = adjective[:-1] if adjective.endswith("i") else adjective
    single = stem[:-1] if stem[-2:-1] == stem[-1:] else stem
    is_longer = noun.startswith(stem) and len(noun) - len(stem) <= _MOST_ENDING
    return noun in (stem, single) or (len(stem) > _LEAST_STEM and is_longer)


def is_made_of(noun: str, word: str) -> bool:
    """Return whether an ending makes a noun of a word, as stems: of rain a rainfall, of plan no plant."""
    stem = word.removesuffix("e")
    ending = noun.removeprefix(stem) if noun.startswith(stem) else ""
    if ending == _OF_LONG_WORDS:
        return len(stem) > _LONGEST_SHORT_WORD
    return ending in _ENDINGS or ending.removeprefix(word[-1:]) in _ENDINGS


# Endings, as of stems, that make nouns of verbs, adjectives and nouns.
_ENDINGS = word_set("al anc enc er eri fal ic ist iti ment ness or ship th ur")
# Of `react` a reaction; of `miss` no mission.
_OF_LONG_WORDS, _LONGEST_SHORT_WORD = "ion", 4


def names_a_dimension(header: Iterable[str]) -> bool:
    """Return whether a header, as stems, says what it measures: no `depth` where it says `length`."""
    return not _NAMES.isdisjoint(header)


def is_of_size(adjective: str) -> bool:
    """Return whether an adjective measures a dimension: `long`, not `high`, which numbers are too."""
    return adjective in _MEASURED and adjective not in _OF_NUMBERS


_OF_NUMBERS = frozenset({"high", "low"})


def is_of_the_whole_size(adjective: str) -> bool:
    """Return whether an adjective says how large something is, by whatever that is measured: `big`."""
    return adjective in _OF_THE_WHOLE


_OF_THE_WHOLE = word_keys("large big small great")


def is_of_any(adjective: str) -> bool:
    """Return whether an adjective compares numbers of any dimension: `high`, not `heavy`."""
    return adjective in _OF_ANY
