"""Bounds on numbers, as words tell them: `more than 5`, `at least 2`, `never reached 10`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.trigger_lexicon import LESS, MORE, comparative
from evidence_assets.tables.programs.wording.turns import Turn
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.text.words import word_set


@dataclass(frozen=True)
class Threshold:
    """A bound on a number: `relation` to `bound`, the number's position, the span of the whole phrase.

    `apart`: words of it that stand apart from the span, as `or more` behind the unit. `turn`: how it is said
    that it came to be met.
    """

    relation: str
    bound: float
    position: int
    start: int
    end: int
    apart: tuple[int, ...] = ()
    turn: Turn = Turn.NONE


@kept_for_claims
def thresholds(tokens: tuple[Token, ...]) -> tuple[Threshold, ...]:
    """Return a claim's thresholds: `more than 5`, `at least 2`, `over 300`, `10 or more`."""
    bounds = []
    for position, token in enumerate(tokens):
        if token.number is None or token.ordinal or _multiplies(tokens, position):
            continue
        money = bool(position) and tokens[position - 1].text in MONEY_SIGNS
        before = [preceding.text for preceding in tokens[max(0, position - 4 - money) : position - money]]
        after = [following.text for following in tokens[position + 1 : position + 5]]
        relation, back = _relation(before)
        end = position + 1
        apart: tuple[int, ...] = ()
        # Behind the number, or behind its unit: `5 or more`, `38 °C or more`.
        for place, word in enumerate(after[:-1]):
            if relation is None and word == "or" and after[place + 1] in MORE | LESS:
                relation = ">=" if after[place + 1] in MORE else "<="
                end = position + (1 if place else 3)
                apart = (position + 1 + place, position + 2 + place) if place else ()
        if relation is None and _EXCEEDING.search(" ".join(before)):
            # What is exceeded stands between: `exceeds a depth of 5 metres`.
            relation, apart = ">", (position - _TO_THE_VERB - money,)
        if relation is not None:
            start = position - back - money
            bounds.append(Threshold(relation, token.number, position, start, end, apart))
    return tuple(bounds)


def _multiplies(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a number says how many times something else is meant: `30 times the mean`."""
    following = [token.text for token in tokens[position + 1 : position + 3]]
    return following[:1] == ["times"] and following[1:] in (["the"], ["that"], ["those"], ["what"])


def opens_a_bound(texts: Sequence[str], position: int) -> bool:
    """Return whether a negation is part of the words of a bound: `no more than`, `did not reach`."""
    following = " ".join(texts[position + 1 : position + 4])
    return bool(_REACHED.match(following)) or any(map(comparative, texts[position + 1 : position + 2]))


def _relation(before: list[str]) -> tuple[str | None, int]:
    """Return the relation expressed by the words before a number, and how many words express it."""
    phrase = " ".join(before)
    for pattern, relation in _RELATIONS:
        match = pattern.search(phrase)
        if match:
            return relation, len(match[0].split())
    if before[-1:] == ["than"] and (sign := comparative("".join(before[-2:-1]))):
        return ">" if sign > 0 else "<", 2
    return None, 0


_UP, _DOWN = "|".join(sorted(MORE)), "|".join(sorted(LESS))
_REACHING = r"(?:(?:manag|reach)\w*|ma[kd]e it to|g[eo]ts? to)"
_RELATIONS = tuple(
    (re.compile(rf"(?:^|(?<= ))(?:{pattern})$"), relation)
    for pattern, relation in (
        (rf"(?:not|never) (?:even )?{_REACHING}(?: the)?", "<"),
        (r"(?:not|never) even \w+(?: an?| the)?", "<"),
        (rf"(?:no|not) (?:{_UP}) (?:than|then)", "<="),
        (rf"(?:no|not) (?:{_DOWN}) (?:than|then)", ">="),
        (rf"(?:{_UP}) (?:than|then)", ">"),
        (rf"(?:{_DOWN}) (?:than|then)", "<"),
        (r"at least|a minimum of|minimum of|as (?:much|many|long|far|high|tall|heavy|old) as", ">="),
        (
            r"(?<=\S )(?:well )?within|at most|a maximum of|maximum of|"
            r"(?<!add )(?<!adds )(?<!added )(?<!go )(?<!goes )(?<!gone )(?<!went )(?<!rose )(?<!moved )"
            r"up to(?: and including)?",
            "<=",
        ),
        (r"> =|≥", ">="),
        (r"< =|≤", "<="),
        (r">", ">"),
        (r"<", "<"),
        (r"(?:over|above|after|past) the age of", ">"),
        (r"(?:under|below|before) the age of", "<"),
        (r"upwards of|in excess of", ">="),
        (r"over|above|past|(?:exceed|surpass)(?:s|es|ed)?|pass(?:es|ed)? the|topp?(?:s|ed)", ">"),
        (r"(?:reach(?:es|ed)?|g[eo]ts? to)(?: the)?", ">="),
        (r"under|below|(?:f[ae]ll(?:s|ing)?|be) short of|short of", "<"),
    )
)
_EXCEEDING = re.compile(r"^(?:exceed|surpass)(?:s|es|ed)? an? [^ ]+ of$")
_TO_THE_VERB = 4
_REACHED = re.compile(rf"(?:even )?{_REACHING}")


def opens_a_range(texts: Sequence[str], position: int) -> bool:
    """Return whether a verb says between which numbers others lie: `ranges from 2 to 30`."""
    return texts[position] in _RANGING and "".join(texts[position + 1 : position + 2]) in {"from", "between"}


_RANGING = word_set("range ranges ranged ranging vary varies varied varying")
