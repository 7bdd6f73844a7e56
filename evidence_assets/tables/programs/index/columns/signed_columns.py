"""Columns whose numbers are gains above zero and losses below it, and the words that say which."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evidence_assets.tables.programs.wording.words import tokens
from evidence_assets.text.roots import root, word_roots

# What a minus or a plus is said to mean: `(− retreat, + advance)`.
_LEGEND = re.compile(r"(?:^|[\s(,;])([-−–+])\s*(?:=|:|means|for)?\s*([^\W\d_][^,;()+−–]*)")
# Words, as roots, for what is below zero and above it; and with those that say it of changes and balances.
_ALWAYS = {
    **dict.fromkeys(map(root, ("deficit", "shortfall", "negative")), -1),
    **dict.fromkeys(map(root, ("surplus", "positive")), 1),
}
_IN_GENERAL = {**_ALWAYS, root("lose"): -1, root("shrink"): -1, root("gain"): 1}
# Words of headers and captions, as roots, for what comes in and goes out.
_OF_CHANGES = word_roots("balance change net growth profit surplus gain")
# Roots of nouns that are those of verbs in another form.
_VERB_OF = {root("loss"): root("lose"), root("growth"): root("grow"), root("shrinkage"): root("shrink")}


def sign_root(text: str) -> str:
    """Return the root of a word by which it says a sign, that of `lose` for `loss`."""
    return _VERB_OF.get(root(text), root(text))


def columns_with_signs(series: Sequence[Mapping[int, float]]) -> tuple[int, ...]:
    """Return the columns in which some number is below zero."""
    return tuple(column for column, numbers in enumerate(series) if min(numbers.values(), default=0.0) < 0)


def words_of_signs(caption: str, header: Sequence[str]) -> dict[str, int]:
    """Return the roots of the words that say that a number is below zero, -1, or above it, 1.

    As the caption tells by a legend; else in general, where something is said to be a change or a balance.
    """
    legend = _legend(caption)
    if legend:
        return legend
    roots = {root(token.text) for name in (caption, *header) for token in tokens(name)}
    known = _IN_GENERAL if roots & _OF_CHANGES else _ALWAYS
    # What has a column of its own is told there.
    of_columns = {_IN_GENERAL.get(sign_root(token.text)) for name in header for token in tokens(name)}
    return {word: sign for word, sign in known.items() if sign not in of_columns}


def _legend(caption: str) -> dict[str, int]:
    """Return what a caption says that a minus and a plus mean, but for the words that both have."""
    meant: dict[int, set[str]] = {-1: set(), 1: set()}
    for mark, phrase in _LEGEND.findall(caption):
        said = {sign_root(token.text) for token in tokens(phrase) if not token.stop}
        meant[1 if mark == "+" else -1] |= said
    if not (meant[-1] and meant[1]):
        return {}
    return {word: sign for sign in meant for word in meant[sign] - meant[-sign]}
