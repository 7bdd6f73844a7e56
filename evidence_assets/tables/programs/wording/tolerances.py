"""How far a number may be off what a claim tells: by its rounding, more behind `about`, `nearly`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY
from evidence_assets.text.words import word_set


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a number may be below what is told, and above it."""

    below: float = 0.0
    above: float = 0.0

    def admits(self, number: float, claimed: float) -> bool:
        """Return whether a number is as told, but for this and for the rounding of its storage."""
        stored = _STORED * max(1.0, abs(claimed))
        return -self.below - stored <= number - claimed <= self.above + stored

    def times(self, factor: float) -> Tolerance:
        """Return the same of a number that is so many times what is told; below is above of a negative."""
        below, above = (self.below, self.above) if factor >= 0 else (self.above, self.below)
        return Tolerance(below * abs(factor), above * abs(factor))


_STORED = 1e-9
EXACT = Tolerance()
# Of a number without decimals that may have had some.
OF_WHOLE = Tolerance(0.5, 0.5)
# Of a share by itself: a third is 33 % too.
OF_SHARES = Tolerance(0.01, 0.01)


def around(half: float) -> Tolerance:
    """Return the tolerance of a number that may be so much below what is told, or above."""
    return Tolerance(half, half)


def rounded_to(decimals: int) -> Tolerance:
    """Return the tolerance of a number that is told to so many decimals."""
    return around(0.5 * 10.0**-decimals)


def words_of_exactness(texts: Sequence[str], start: int) -> tuple[int, ...]:
    """Return where a word stands that says that an amount is told exactly: `exactly half`; empty without."""
    return (start - 1,) if start and texts[start - 1] in EXACTLY else ()


def told_about(
    texts: Sequence[str], start: int, amount: float, by_itself: Tolerance = EXACT
) -> tuple[Tolerance, tuple[int, ...]]:
    """Return how far off an amount may be whose words start at a position, and the words that say so.

    The numbers that fit are a tenth of it wide: around it behind `about`, below it behind `nearly`; never
    narrower than where it stands by itself.
    """
    end = start - ("".join(texts[start - 1 : start]) in _OPENINGS)
    if end < 1 or texts[end - 1] not in _ENDS_OF_ROUNDING:
        return by_itself, ()
    for phrase, is_below in _ROUNDING.items():
        if start and tuple(texts[max(0, end - len(phrase)) : end]) == phrase:
            wide = abs(amount) * _TENTH
            below, above = (wide, 0.0) if is_below else (wide / 2, wide / 2)
            wider = Tolerance(max(below, by_itself.below), max(above, by_itself.above))
            return wider, tuple(range(end - len(phrase), end))
    return by_itself, ()


_TENTH = 0.1
_OPENINGS = {*MONEY_SIGNS, "the", "a"}
_TO_BOTH_SIDES = word_set("about around roughly approximately some")
_FROM_BELOW = word_set("nearly almost")
_ROUNDING: dict[tuple[str, ...], bool] = {
    ("getting", "on", "for"): True,
    ("close", "to"): False,
    **{(word,): word in _FROM_BELOW for word in sorted(_TO_BOTH_SIDES | _FROM_BELOW)},
}
_ENDS_OF_ROUNDING = frozenset(phrase[-1] for phrase in _ROUNDING)
# Words before a number, or in a phrase before it, that say that it is rounded.
APPROXIMATE = _TO_BOTH_SIDES | _FROM_BELOW | {"close"}
