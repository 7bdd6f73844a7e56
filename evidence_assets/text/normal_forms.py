"""Normal forms of labels: equal for two spellings of a concept; by words, and by lemmas."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence_assets.text.roots import lemma
from evidence_assets.text.words import words

# Leading words that do not change a label's meaning: "a window", "to eat", "your house".
_LEADING = frozenset(
    "a an the to some any your my his her its our their one someone".split()  # noqa: SIM905
)
# "Apert's syndrome" is Apert syndrome; protein S, without an apostrophe, is not protein.
_POSSESSIVE = re.compile(r"(?<=\w\w)['\u2019]s\b")


def normal_form(text: str) -> str:
    """Return a label's words, lower-cased, with one space between; a label without words as it stands."""
    text_words = words(text)
    return " ".join(text_words) if text_words else text.strip().lower()


def without_keys(label: str, keys: Iterable[str]) -> str:
    """Return a label without the identifiers behind it that tell things of one name apart: Heat (film:2)."""
    bare = label
    for key in keys if label.endswith(")") else ():
        while bare.endswith(f" ({key})"):
            bare = bare.removesuffix(f" ({key})")
    return bare


def lemma_form(text: str) -> str:
    """Return a label's lemmas without leading articles and possessives; empty where nothing is left."""
    remaining = words(_POSSESSIVE.sub("", text))
    while remaining and remaining[0] in _LEADING:
        remaining = remaining[1:]
    return " ".join(lemma(word).lower() for word in remaining)
