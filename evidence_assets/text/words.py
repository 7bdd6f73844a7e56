"""Words of a text, the unit of BM25 statistics and of transport alike."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
# A number in digits, with what parts them.
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text: maximal runs of letters and digits. Stop words are kept."""
    return [word.lower() for word in _WORD.findall(text)]


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list as source files write it: parted by white space."""
    return frozenset(text.split())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return each word's character span, in the order of `words`.

    Words are lower-cased one by one, after they are found: lower-casing may change a text's length.
    """
    return [match.span() for match in _WORD.finditer(text)]


# What a word multiplies the number before it by, and a short form that means nothing else: no letter alone.
SCALES = {
    **dict.fromkeys(("thousand", "thousands"), 1e3),
    **dict.fromkeys(("million", "millions"), 1e6),
    **dict.fromkeys(("billion", "billions"), 1e9),
    **dict.fromkeys(("trillion", "trillions"), 1e12),
}
SHORT_SCALES = {
    **dict.fromkeys(("mn", "mln", "mio"), 1e6),
    **dict.fromkeys(("bn", "bln"), 1e9),
    **dict.fromkeys(("tn", "trn"), 1e12),
}
# English numerals from zero on, and tens from twenty on.
NUMERALS = tuple(
    words("""
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
""")
)
TENS = tuple(words("twenty thirty forty fifty sixty seventy eighty ninety"))
# From the first to the twentieth.
ORDINALS = tuple(
    words("""
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
""")
)
