"""Words of a claim that ask for an operation, and where in it they stand."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from evidence_assets.tables.programs.words import Token, word_key, word_set

# Words that ask for the highest, or the lowest, number of a column.
HIGHEST = word_set("""
    most highest largest biggest greatest top maximum max longest oldest heaviest tallest latest newest
    farthest furthest strongest fastest richest broadest widest deepest
""")
LOWEST = word_set("""
    least fewest lowest smallest minimum min shortest earliest youngest slowest lightest nearest weakest
    narrowest worst
""")
# Superlatives of time: without a column named, they are about its dates.
TEMPORAL = word_set("earliest latest newest oldest recent first last")
# Fastest and best are least where a column holds times or places.
INVERTED = word_set("fastest best slowest worst top")
MORE = word_set("""
    more higher larger greater bigger longer older over above exceeding better taller heavier later beyond
""")
LESS = word_set("less fewer lower smaller under below shorter younger worse lighter earlier")
# Nouns that stand for a row, or for a number of rows, whatever the table is about.
_ROW_NOUNS = word_set("""
    time game match player team season episode people person event occasion instance race club country record
    entry row round week year day competition tournament driver member one of other different total list model
    method system result
""")
NEGATIONS = word_set("not never neither nor no none without cannot n't fail unable")
EACH = word_set("all every each always entire")


@lru_cache(maxsize=1)
def row_nouns() -> frozenset[str]:
    """Return the keys of the nouns that stand for rows."""
    return frozenset(word_key(word) for word in _ROW_NOUNS)


@dataclass(frozen=True)
class Threshold:
    """A number that bounds another: `relation` to it, its token, and the span of the whole phrase."""

    relation: str
    bound: float
    at: int
    start: int
    end: int


def thresholds(found: tuple[Token, ...]) -> list[Threshold]:
    """Return the bounds that a claim sets: `more than 5`, `at least 2`, `over 300`, `10 or more`."""
    made = []
    for at, token in enumerate(found):
        if token.number is None or token.ordinal:
            continue
        before = [one.text for one in found[max(0, at - 4) : at]]
        after = [one.text for one in found[at + 1 : at + 3]]
        relation, back = _relation(before)
        end = at + 1
        if relation is None and len(after) == 2 and after[0] == "or":
            word = after[1]
            relation = ">=" if word in MORE else "<=" if word in LESS else None
            end = at + 3
        if relation is not None:
            made.append(Threshold(relation, token.number, at, at - back, end))
    return made


def _relation(before: list[str]) -> tuple[str | None, int]:
    """Return the relation that the words before a number tell, and how many of them do."""
    phrase = " ".join(before)
    for pattern, relation in _RELATIONS:
        found = pattern.search(phrase)
        if found:
            return relation, len(found[0].split())
    return None, 0


_UP, _DOWN = "|".join(sorted(MORE)), "|".join(sorted(LESS))
_RELATIONS = tuple(
    (re.compile(rf"(?:^|(?<= ))(?:{pattern})$"), relation)
    for pattern, relation in (
        (rf"(?:no|not) (?:{_UP}) (?:than|then)", "<="),
        (rf"(?:no|not) (?:{_DOWN}) (?:than|then)", ">="),
        (rf"(?:{_UP}) (?:than|then)", ">"),
        (rf"(?:{_DOWN}) (?:than|then)", "<"),
        (r"at least|a minimum of|minimum of", ">="),
        (r"at most|a maximum of|maximum of|up to", "<="),
        (r"over|above|exceed|surpass", ">"),
        (r"under|below", "<"),
    )
)


@dataclass(frozen=True)
class Superlative:
    """A word for an extreme. `place`: 1, or k for the k-th. `temporal`: about dates, or the rows' order."""

    start: int
    end: int
    highest: bool
    place: int
    temporal: bool
    word: str


def superlatives(found: tuple[Token, ...]) -> list[Superlative]:
    """Return the extremes that a claim asks for, in its order; none of `at most`, `most of` and the like."""
    made: list[Superlative] = []
    for at, token in enumerate(found):
        before = found[at - 1].text if at else ""
        after = found[at + 1].text if at + 1 < len(found) else ""
        word = token.text
        if word in {"most", "least"} and (before == "at" or (after == "of" and before != "the")):
            continue
        if word in {"most", "least"} and after in {"recent", "common", "frequent", "popular", "often"}:
            continue
        place, start = 1, at
        if at and found[at - 1].ordinal:
            place, start = int(found[at - 1].number or 1), at - 1
        if word == "recent" and before in {"most", "least"}:
            place = _placed(found, at - 2)
            made.append(Superlative(at - 1 - (place > 1), at + 1, before == "most", place, True, word))
        elif word in HIGHEST:
            made.append(Superlative(start, at + 1, True, place, word in TEMPORAL, word))
        elif word in LOWEST:
            made.append(Superlative(start, at + 1, False, place, word in TEMPORAL, word))
        elif word in _ENDS and before in {"the", "their", "his", "very"} and _of_rows(found, at + 1):
            made.append(Superlative(at, at + 1, word not in {"first", "1st"}, 1, True, word))
    return made


_ENDS = frozenset({"first", "last", "final", "1st"})


def _of_rows(found: tuple[Token, ...], at: int) -> bool:
    """Return whether the next word names rows, and one alone: not `the last 3`, `the final`."""
    return at < len(found) and found[at].key in row_nouns() - {
        "time",
        "one",
        "1",
        "of",
        "other",
        "total",
        "number",
    }


def _placed(found: tuple[Token, ...], at: int) -> int:
    return int(found[at].number or 1) if at >= 0 and found[at].ordinal else 1


def comparative(text: str) -> int:
    """Return 1 for a word that asks for more, -1 for less, 0 for neither."""
    return 1 if text in MORE else -1 if text in LESS else 0


def negation(found: tuple[Token, ...]) -> int | None:
    """Return where a claim denies; None where it does not. `no 2` and `the no of` are numbers."""
    for at, token in enumerate(found):
        after = found[at + 1] if at + 1 < len(found) else None
        if token.text in NEGATIONS and not (
            token.text == "no" and (after is None or after.number is not None or after.text == "of")
        ):
            return at
    return None


def is_negated(found: tuple[Token, ...]) -> bool:
    """Return whether the claim denies what it tells."""
    return negation(found) is not None
