"""What two spellings of one concept share: a normal form, and a form of lemmas."""

from __future__ import annotations

import re
from functools import lru_cache

from evidence_assets.text.words import words

# Words that a label may begin with and mean the same: "a window", "to eat", "your house".
_LEADING = frozenset(
    {
        "a",
        "an",
        "the",
        "to",
        "some",
        "any",
        "your",
        "my",
        "his",
        "her",
        "its",
        "our",
        "their",
        "one",
        "someone",
    }
)
# "Apert's syndrome" is Apert syndrome; protein S, without an apostrophe, is not protein.
_POSSESSIVE = re.compile(r"(?<=\w\w)['\u2019]s\b")


def normal_form(text: str) -> str:
    """Return a label's words, lower-cased, with one space between; a label without words as it stands."""
    found = words(text)
    return " ".join(found) if found else text.strip().lower()


def lemma_form(text: str) -> str:
    """Return a label's lemmas without leading articles and possessives; empty where nothing is left."""
    found = words(_POSSESSIVE.sub("", text))
    while found and found[0] in _LEADING:
        found = found[1:]
    return " ".join(map(_lemma, found))


@lru_cache(maxsize=1 << 18)
def _lemma(word: str) -> str:
    import simplemma

    return str(simplemma.lemmatize(word, lang="en")).lower()
