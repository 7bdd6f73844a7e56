"""Words of a text, the unit of BM25 statistics and of transport alike."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> list[str]:
    """Return the lower-cased words of a text: maximal runs of letters and digits. Stop words are kept."""
    return _WORD.findall(text.lower())


def word_spans(text: str) -> list[tuple[int, int]]:
    """Return each word's character span, in the order of `words`.

    The spans are of the text as it is; lower-casing may change a text's length, so the words of a span are
    lower-cased one by one.
    """
    return [match.span() for match in _WORD.finditer(text)]
